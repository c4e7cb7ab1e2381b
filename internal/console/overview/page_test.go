package overview

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestOverviewCards: the first page says how many jobs there are and need attention,
// what ended and what fires, who serves, and to operators what was changed.
func TestOverviewCards(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/disable", map[string][]string{})
	doc := b.As(t, auth.RoleRoot, http.MethodGet, "/", nil).Doc(t)
	if got := consoletest.Words(doc.Find(`[data-testid="summary"]`)); !strings.HasPrefix(got, "29 jobs.") || !strings.Contains(got, "need attention.") {
		t.Errorf("summary %q", got)
	}
	bars := doc.Find(`[data-testid="bars"]`)
	if bars.Length() != 2 || bars.Eq(0).Find(`rect[fill="url(#hatch)"]`).Length() != 2 || bars.Eq(0).Find(".f-bad").Length() != 1 {
		t.Errorf("%d charts; the results have %d gaps", bars.Length(), bars.Eq(0).Find(`rect[fill="url(#hatch)"]`).Length())
	}
	if label, _ := bars.Eq(1).Attr("aria-label"); !strings.HasPrefix(label, "Fires of the next 24 hours: ") || bars.Eq(1).Find("rect.hit").Length() != bars.Eq(1).Find("title").Length() {
		t.Errorf("fires: %q", label)
	}
	if boxes := doc.Find(".box"); boxes.Length() != 6 || doc.Find(".box-lost").Length() != 2 || doc.Find(".box-off").Length() != 1 {
		t.Errorf("%d boxes, %d offline, %d disabled", boxes.Length(), doc.Find(".box-lost").Length(), doc.Find(".box-off").Length())
	}
	if got := consoletest.Words(doc.Find(`[data-testid="registries"]`)); !strings.Contains(got, "shop/billing") || !strings.Contains(got, "29 jobs") {
		t.Errorf("registries %q", got)
	}
	if got := consoletest.Words(doc.Find(`[data-testid="happened"]`)); !strings.Contains(got, "root: Disabled invoices") {
		t.Errorf("changes %q", got)
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/", nil)
	if strings.Contains(guest.Body, "h-changes") || strings.Contains(guest.Body, "root:") {
		t.Error("a guest sees who changed what")
	}
	b.History.Err = http.ErrServerClosed
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/", nil), http.StatusOK)
}

// TestW24LostInstancesNeedAttention: an instance that was lost is one line, with all of its jobs.
// Instances that were lost together share a line if they are many.
func TestW24LostInstancesNeedAttention(t *testing.T) {
	t.Parallel()
	loss := func(age time.Duration, job, instance string, lost ...int) members.Loss {
		return members.Loss{Event: members.Event{At: consoletest.Noon.Add(-age), Kind: members.Left, Exit: members.Lost, Job: job, Instance: instance, Lost: lost}}
	}
	losses := []members.Loss{loss(time.Minute, "mail", "10.0.0.1@-@7", 2), loss(time.Minute, "ledger", "10.0.0.1@-@7")}
	for n := range 6 {
		losses = append(losses, loss(time.Hour+time.Duration(n)*time.Second, "rates", fmt.Sprintf("10.0.1.%d@-@7", n)))
	}
	losses = append(losses, loss(30*time.Hour, "mail", "10.0.0.2@-@7"))
	departed := func(job string) []members.Departed {
		if job == "ledger" {
			return []members.Departed{{Instance: "10.0.0.1@-@7", Shards: []int{0}, Open: []int{0}}}
		}
		return nil
	}
	var got []string
	lines := lostLines(i18n.English, members.ByInstance(losses, departed), true, consoletest.Noon)
	for _, line := range lines {
		got = append(got, fmt.Sprintf("%s | %s | %s | %s | %d", line.Name, line.Reason, line.Jobs, line.Href, strings.Count(line.Action.Post, "instance=")))
	}
	want := []string{
		"10.0.0.1@-@7 | at least 1 shard was running there; 1 shard waits for an owner | ledger, mail | /jobs?q=server%3A10.0.0.1 | 1",
		"6 instances were lost | it left without an orderly stop | rates | /servers | 6",
		"10.0.0.2@-@7 | it left without an orderly stop | mail | /jobs/mail | 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if lines := lostLines(i18n.English, members.ByInstance(losses, departed), false, consoletest.Noon); lines[0].Action != nil {
		t.Error("a guest can acknowledge losses")
	}
}

// TestW32TheLowerHalfIsQuiet: the overview lists no failures a second time and no fires that replace
// each other. Jobs that fire all the time don't hide the peak of the next 24 hours, and there is no
// "0 executions" before the first count.
func TestW32TheLowerHalfIsQuiet(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	doc := b.As(t, auth.RoleRoot, http.MethodGet, "/", nil).Doc(t)
	var regions []string
	doc.Find("main [data-region]").Each(func(_ int, card *goquery.Selection) { regions = append(regions, card.AttrOr("data-region", "")) })
	if diff := cmp.Diff([]string{"summary", "attention", "results", "fleet", "fires", "registries", "changes"}, regions); diff != "" {
		t.Errorf("cards (-want +got):\n%s", diff)
	}
	if n := doc.Find(`[data-region="fires"] [data-countdown]`).Length(); n != 0 {
		t.Errorf("%d countdowns among the fires", n)
	}

	f := view.Fires{From: consoletest.Noon.Truncate(view.FireStep), Steady: 300, Total: 300*view.FireSteps*15 + 912 + 40}
	f.Counts[24], f.Counts[36] = 912, 40
	bars, _, notes := pageui.FiresBars(i18n.English, f, consoletest.Noon)
	if len(bars.Marks) != 1 || bars.Marks[0].Label != "18:00 · 912" {
		t.Errorf("the peak is %+v", bars.Marks)
	}
	if want := "300 jobs that fire at least every 15 minutes are not drawn: 4,500 fires per 15 minutes."; !slices.Contains(notes, want) {
		t.Errorf("notes %q, want %q among them", notes, want)
	}
	if bars, _, notes = pageui.FiresBars(i18n.English, view.Fires{Steady: 7, Total: 7 * view.FireSteps}, consoletest.Noon); bars != nil || len(notes) != 1 {
		t.Errorf("with steady jobs alone: %v, %q", bars, notes)
	}
	if bars, totals := resultsBars(i18n.English, []rdb.Point{{Time: consoletest.Noon, Known: true}}, "/"); bars != nil || totals != nil {
		t.Errorf("before the first count: %v", totals)
	}
}

// TestW32ShortFirstError: the list of runs shows the end of an error, where the reason is, and the
// whole in the title.
func TestW32ShortFirstError(t *testing.T) {
	t.Parallel()
	const cause = "shop: POST /reminders: mail.example.org answered 421: too many connections"
	rows := pageui.RunRows(i18n.English, []rdb.Run{{JobName: "mail", ID: "1", State: rdb.RunFailed, Start: consoletest.Noon, Cause: cause}}, consoletest.Noon)
	if rows[0].Error != "too many connections" || rows[0].Title != cause {
		t.Errorf("error %q, title %q", rows[0].Error, rows[0].Title)
	}
}
