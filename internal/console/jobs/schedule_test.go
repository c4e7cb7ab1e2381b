package jobs

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestScheduleBoxNamesWhatIsLeftOut: the box has the properties of the schedule and ten
// times to come; those that are no fire times are struck through and say why in words.
func TestScheduleBoxNamesWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	box := func(cron string, rules statistics.FireRules) *goquery.Document {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			const i = 0
			f.List[i].Cron, f.List[i].TimeZone, f.List[i].FireRules = cron, "GMT", rules
		})
		return b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil).Doc(t)
	}
	doc := box("0 0 12 * * ?", statistics.FireRules{Exclude: "2026-11-22, SAT", Until: "2099-01-01T00:00:00Z"})
	rows := doc.Find(`[data-testid="fires"] li`)
	struck := rows.FilterFunction(func(_ int, row *goquery.Selection) bool { return row.Find("s time").Length() == 1 })
	if rows.Length() != upcomingRows || struck.Length() < 2 || !strings.Contains(consoletest.Words(struck), "left out by schedule.exclude") {
		t.Errorf("%d rows, %d struck: %s", rows.Length(), struck.Length(), consoletest.Words(rows))
	}
	if got := consoletest.Words(doc.Find(`[data-testid="schedule-rules"]`)); got != "Until 2099-01-01T00:00:00Z Not on 2026-11-22, SAT" {
		t.Errorf("rules %q", got)
	}
	for name, c := range map[string]struct {
		cron  string
		rules statistics.FireRules
		want  string
	}{
		"many":   {"0 0 * * * ?", statistics.FireRules{Exclude: "2026-11-21"}, "11 times, left out by schedule.exclude"},
		"far":    {"* * * * * ?", statistics.FireRules{From: "2099-01-01T00:00:00Z"}, "more than 1,000 times, before schedule.from"},
		"over":   {"0 0 * * * ?", statistics.FireRules{Until: "2020-01-01T00:00:00Z"}, "Because of schedule.until, the schedule ended on 2020-01-01 00:00:00 UTC."},
		"jitter": {"0 0 * * * ?", statistics.FireRules{Jitter: "90s"}, "Jitter 90s put off by up to so much, by all agents alike"},
		"wrong":  {"0 0 * * * ?", statistics.FireRules{Exclude: "2026-13-01"}, `schedule.exclude: "2026-13-01" is not allowed`},
	} {
		if got := consoletest.Words(box(c.cron, c.rules).Find(`[data-testid="schedule"]`)); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
