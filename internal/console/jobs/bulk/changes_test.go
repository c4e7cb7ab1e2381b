package bulk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// disabledFromPage sends the form that disables jobs, as the page has it, and makes the
// registry say that they are.
func disabledFromPage(t *testing.T, b *consoletest.Bench, jobs []string, fields url.Values) (form url.Values, after consoletest.Reply) {
	t.Helper()
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Outcome = lifecycle.Outcome{Affected: []string{"10.2.0.14", "10.2.0.15"}}
	})
	page := askBulkPage(t, b, url.Values{"do": {"disable"}, "job": jobs}.Encode())
	form = consoletest.FormOf(page.Doc(t).Find(`[data-testid="bulk-form"]`))
	form.Del("again")
	for name, values := range fields {
		form[name] = values
	}
	_, after = b.Follow(t, pageui.BulkRoute, form)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for i := range f.List {
			for _, name := range jobs {
				if f.List[i].Name == name {
					f.List[i].Status = statistics.StatusDisabled
				}
			}
		}
	})
	return form, after
}

// TestDisablingOnceAndBack: a form that is sent twice is carried out once; the note
// leads to the result and takes it back, once, for ten minutes.
func TestDisablingOnceAndBack(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	form, after := disabledFromPage(t, b, []string{"invoices", "reindex"}, url.Values{"reason": {"INC-4821"}})
	doc := after.Doc(t)
	undo, _ := doc.Find(`[data-testid="undo"]`).Closest("form").Attr("action")
	result, _ := doc.Find(`[data-testid="result"]`).Attr("href")
	if undo != result+"/undo" || result == "" {
		t.Fatalf("the note leads to %q and %q", undo, result)
	}
	_, again := b.Follow(t, pageui.BulkRoute, form)
	if got := again.Text(t, "flash"); !strings.HasPrefix(got, "The form was sent twice, and carried out once.") {
		t.Errorf("sent twice: %q", got)
	}
	if diff := cmp.Diff([]string{"disable invoices", "disable reindex"}, b.Registry.Given()); diff != "" {
		t.Fatalf("actions (-want +got):\n%s", diff)
	}

	// The list, the job and the next form say who did it and why.
	if got := consoletest.Words(consoletest.JobRow(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil), "invoices").Find("td.status")); got != "Disabled root: INC-4821" {
		t.Errorf("the list says %q", got)
	}
	if got := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices", nil).Text(t, "disabled-by"); got != "root disabled it at 2026-11-21 12:00:07 UTC: INC-4821." {
		t.Errorf("the job says %q", got)
	}

	page := b.As(t, auth.RoleRoot, http.MethodGet, result, nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if got := page.Doc(t).Find("h1").Text(); got != "Disabled 2 jobs" {
		t.Errorf("the result is headed %q", got)
	}
	csv := b.As(t, auth.RoleRoot, http.MethodGet, result+"/result?format=csv", nil)
	if want := "job,order,affected,skipped,code,message\ninvoices,disable,10.2.0.14 10.2.0.15,,,\nreindex,disable,10.2.0.14 10.2.0.15,,,\n"; csv.Body != want {
		t.Errorf("CSV:\n%s", csv.Body)
	}
	var file struct{ Order, Reason string }
	b.As(t, auth.RoleRoot, http.MethodGet, result+"/result?format=json", nil).Into(t, &file)
	if file.Order != "disable" || file.Reason != "INC-4821" {
		t.Errorf("JSON: %+v", file)
	}

	// Somebody disables one of them for another reason: that stays.
	_, _ = b.Follow(t, "/jobs/reindex/disable", url.Values{})
	_, back := b.Follow(t, undo, url.Values{})
	if got := back.Text(t, "flash"); !strings.HasPrefix(got, "Taken back for 1 job. reindex: root has switched it since.") {
		t.Errorf("taken back: %q", got)
	}
	_, twice := b.Follow(t, undo, url.Values{})
	if got := twice.Text(t, "flash"); !strings.Contains(got, "taken back already") {
		t.Errorf("taken back twice: %q", got)
	}
	want := []string{"disable invoices", "disable reindex", "disable reindex", "enable invoices"}
	if diff := cmp.Diff(want, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// TestUndoIsExact: servers that were disabled before stay so, and after ten minutes
// nothing is taken back.
func TestUndoIsExact(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Outcome = lifecycle.Outcome{Affected: []string{"10.2.0.15"}, Skipped: []lifecycle.Skip{{Target: "10.2.0.14", Reason: "it is DISABLED already"}}}
	})
	once := strings.Repeat("a", 32)
	_, _ = b.Follow(t, pageui.BulkRoute, url.Values{"do": {"disable"}, "job": {"geo-update"}, "reason": {"INC-1"}, "once": {once}})
	_, _ = b.Follow(t, pageui.ChangePath(once)+"/undo", url.Values{})
	if diff := cmp.Diff([]string{"disable geo-update", "enable geo-update on 10.2.0.15"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}

	late := strings.Repeat("b", 32)
	_, _ = b.Follow(t, pageui.BulkRoute, url.Values{"do": {"disable"}, "job": {"geo-update"}, "reason": {"INC-1"}, "once": {late}})
	b.Pass(10*time.Minute + time.Second)
	_, page := b.Follow(t, pageui.ChangePath(late)+"/undo", url.Values{})
	if got := page.Text(t, "flash"); !strings.Contains(got, "older than ten minutes") || page.Doc(t).Find(`[data-testid="undo"]`).Length() > 0 {
		t.Errorf("too late: %q", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, pageui.ChangePath("nope"), nil), http.StatusNotFound)
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, pageui.ChangePath(late)+"/undo", url.Values{}), http.StatusForbidden)
}

// TestEnableAgain: jobs are enabled at the time, or up to a day later if no console
// ran; later they stay disabled. It can be cancelled.
func TestEnableAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pass    time.Duration
		cancel  bool
		outcome string // of the record; empty for none
	}{
		"too early": {time.Hour - time.Second, false, ""},
		"in time":   {time.Hour, false, "done"},
		"late":      {24 * time.Hour, false, "done"},
		"too late":  {26 * time.Hour, false, "too_late"},
		"cancelled": {2 * time.Hour, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := consoletest.New(t)
			_, _ = disabledFromPage(t, b, []string{"invoices"}, url.Values{"reason": {"INC-4821"}, "again": {"1"}})
			job := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil)
			if got := job.Text(t, "disabled-by"); !strings.Contains(got, "The console enables it again at 2026-11-21 13:00:07 UTC.") {
				t.Fatalf("the job says %q", got)
			}
			if c.cancel {
				action, _ := job.Doc(t).Find(`[data-testid="stay-disabled"]`).Closest("form").Attr("action")
				_, after := b.Follow(t, action, url.Values{})
				if got := after.Text(t, "disabled-by"); strings.Contains(got, "again") {
					t.Errorf("cancelled: %q", got)
				}
			}
			b.Pass(c.pass)
			for range 2 { // once is enough
				if err := b.Console.EnableDue(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			want := []string{"disable invoices"}
			if c.outcome == "done" {
				want = append(want, "enable invoices")
			}
			if diff := cmp.Diff(want, b.Registry.Given()); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
			last := b.LastRecord(t)
			if c.outcome != "" && (last.Action != app.TimedEnable || last.Outcome != c.outcome || last.Target != "invoices" || last.User != "root") {
				t.Errorf("the audit says %+v", last)
			}
			if c.outcome == "" && last.Action == app.TimedEnable {
				t.Errorf("the audit says %+v", last)
			}
		})
	}
}

// TestEnableAgainAtBadTimes: the form comes again with what was typed.
func TestEnableAgainAtBadTimes(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, fields := range []url.Values{{"at": {"2026-11-21T11:00"}}, {"at": {"2027-06-01T00:00"}}, {"at": {"tomorrow"}}, {"again": {"3"}}, {"again": {"x"}}} {
		form := url.Values{"do": {"disable"}, "job": {"invoices"}, "reason": {"INC-1"}}
		for name, values := range fields {
			form[name] = values
		}
		r := b.As(t, auth.RoleRoot, http.MethodPost, pageui.BulkRoute, form)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		if got := r.Text(t, "again-error"); !strings.HasPrefix(got, "Write a time of the next 90 days") {
			t.Errorf("%v: %q", fields, got)
		}
		if got := r.Doc(t).Find(`[data-testid="bulk-reason"]`).AttrOr("value", ""); got != "INC-1" {
			t.Errorf("%v: what was typed is lost: %q", fields, got)
		}
	}
	for _, body := range []string{`"order":"disable","enableAt":"2026-11-21T11:00:00Z"`, `"order":"disable","enableAt":"soon"`, `"order":"trigger","enableAt":"2026-11-21T13:00:00Z"`} {
		r := b.Call(t, http.MethodPost, "/api/bulk", `{"jobs":["invoices"],"preview":false,`+body+`}`)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	}
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions %q", got)
	}
}
