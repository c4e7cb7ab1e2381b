package requested

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestR39BackfillOnAPage: the form keeps what was typed, the preview names the times and
// those that get no run, and only the confirmation requests runs.
func TestR39BackfillOnAPage(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		post := func(form url.Values) consoletest.Reply {
			return b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/backfill", form)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"j","cron":"0 0 * * * ?","timeZone":"GMT","props":{"schedule.exclude":"2025-12-25"}}`), http.StatusNoContent)
		job := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j", nil)
		if job.Doc(t).Find(`[data-testid="ask-backfill"]`).Length() != 1 {
			t.Error("the job's page does not offer a backfill")
		}
		ask := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/backfill", nil)
		consoletest.WantStatus(t, ask, http.StatusOK)
		if consoletest.Fields(t, ask, "backfill-form").Get("from") == "" || ask.Doc(t).Find(`[data-testid="confirm-backfill"]`).Length() != 0 {
			t.Error("the form offers no times, or requests them without a preview")
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/j/backfill", nil), http.StatusForbidden)
		wrong := post(url.Values{"from": {"soon"}, "to": {"2025-12-26T01:00:00"}, "params": {"{"}})
		consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
		if wrong.Text(t, "from-error") == "" || wrong.Text(t, "params-error") == "" || consoletest.Fields(t, wrong, "backfill-form").Get("params") != "{" {
			t.Errorf("what is wrong is not said:\n%s", wrong.Body)
		}
		form := url.Values{"from": {"2025-12-24T22:00:00"}, "to": {"2025-12-26T01:00:00"}, "params": {`{"a":1}`}}
		preview := post(form)
		consoletest.WantStatus(t, preview, http.StatusOK)
		if got := preview.Text(t, "backfill-preview"); !strings.Contains(got, "4 fire times") || !strings.Contains(got, "24 times get no run") || !strings.Contains(got, "schedule.exclude") {
			t.Errorf("preview: %s", got)
		}
		form.Set("confirm", "yes")
		form.Set("parallel", "0")
		if got := post(form).Text(t, "parallel-error"); !strings.Contains(got, "1 to 100") {
			t.Errorf("parallel 0: %s", got)
		}
		form.Set("parallel", "3")
		_, page := b.Follow(t, "/jobs/j/backfill", form)
		row := page.Doc(t).Find(`[data-testid="backfill"]`)
		if flash := page.Text(t, "flash"); !strings.Contains(flash, "The backfill of 4 fire times has begun.") || row.Length() != 1 {
			t.Errorf("confirmed: %s, %d rows", flash, row.Length())
		}
		if text := row.Text(); !strings.Contains(text, "4 waiting") || !strings.Contains(text, "0 of 4") || !strings.Contains(text, "by root") {
			t.Errorf("row: %s", text)
		}
		cancel, _ := row.Find(`[data-testid="cancel-backfill"]`).Attr("href")
		ask = b.As(t, auth.RoleRoot, http.MethodGet, cancel, nil)
		consoletest.WantStatus(t, ask, http.StatusOK)
		if _, page := b.Follow(t, cancel, url.Values{"confirm": {"yes"}, "reason": {"INC-4821"}}); !strings.Contains(page.Text(t, "flash"), "is cancelled") ||
			!strings.Contains(page.Text(t, "backfills"), "4 cancelled") || page.Doc(t).Find(`[data-testid="cancel-backfill"]`).Length() != 0 {
			t.Errorf("cancelled: %s, %s", page.Text(t, "flash"), page.Text(t, "backfills"))
		}
		many := post(url.Values{"from": {"2014-01-01T00:00:00"}, "to": {"2025-12-01T00:00:00"}, "confirm": {"yes"}})
		consoletest.WantStatus(t, many, http.StatusUnprocessableEntity)
		if got := many.Text(t, "from-error"); !strings.Contains(got, "104449 fire times; at most 100000 at once") {
			t.Errorf("too many: %s", got)
		}
	})
}
