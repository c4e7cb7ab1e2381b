package bulk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

// labelling is the steps of a test that labels jobs.
type labelling struct {
	t *testing.T
	b consoletest.TreeBench
}

func (k labelling) open(query string) consoletest.Reply {
	k.t.Helper()
	r := k.b.As(k.t, auth.RoleRoot, http.MethodGet, pageui.BulkRoute+"?"+query, nil)
	consoletest.WantStatus(k.t, r, http.StatusOK)
	return r
}

// label is the page that says what a label would change.
func (k labelling) label(query, label string) consoletest.Reply {
	k.t.Helper()
	first := k.open(query)
	if first.Doc(k.t).Find(`[data-testid="bulk-submit"]`).Length() > 0 {
		k.t.Error("jobs can be labelled without a label")
	}
	form := consoletest.FormOf(first.Doc(k.t).Find(`[data-testid="label-form"]`))
	form.Set("label", label)
	return k.open(form.Encode())
}

// send presses its button, and returns the message.
func (k labelling) send(page consoletest.Reply) string {
	k.t.Helper()
	form := consoletest.FormOf(page.Doc(k.t).Find(`[data-testid="bulk-form"]`))
	form.Set("reason", "INC-4821")
	_, after := k.b.Follow(k.t, pageui.BulkRoute, form)
	return after.Text(k.t, "flash")
}

// TestLabelJobs: the label is asked, what it changes is shown, and it is written into the
// configuration of each job that has another; an undo restores what there was, but not
// to a job that has yet another label by now.
func TestLabelJobs(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("a")+consoletest.Plain("b")+consoletest.Plain("c"), func(t *testing.T, b consoletest.TreeBench) {
		const asked = "do=label&job=a&job=b&job=c&job=nope&return=/jobs%3Fq%3Dx"
		k := labelling{t, b}
		if got := k.send(k.label("do=label&job=c", " billing ")); !strings.HasPrefix(got, "Labelled 1 job.") {
			t.Fatalf("one job: %q", got)
		}
		page := k.label(asked, "billing")
		if got := page.Text(t, "bulk-counts"); got != "2 get the label 1 has it already 1 cannot be 2 configurations are written" {
			t.Errorf("counts %q", got)
		}
		rows := page.Doc(t).Find(`[data-testid="bulk-rows"] tbody tr`).Map(func(_ int, s *goquery.Selection) string { return consoletest.Words(s) })
		if got := strings.Join(rows, "; "); got != `a Label no label → billing; b Label no label → billing; c Skip has this label already; nope Not possible There is no job "nope".` {
			t.Errorf("rows %q", got)
		}
		if curl := page.Text(t, "curl"); !strings.Contains(curl, `"order":"label","jobs":["a","b"],"preview":false`) || !strings.Contains(curl, `"label":"billing"`) {
			t.Errorf("curl %q", curl)
		}
		if b.Node(t, "a/config") == "" || strings.Contains(b.Node(t, "a/config"), "billing") {
			t.Error("asking wrote")
		}
		if got := k.send(page); !strings.HasPrefix(got, "Labelled 2 jobs. Undo Result") {
			t.Errorf("message %q", got)
		}
		if rec := b.LastRecord(t); rec.Target != "a, b" || !strings.Contains(rec.Detail, "label=billing") || !strings.Contains(rec.Detail, "reason=INC-4821") {
			t.Errorf("record %+v", rec)
		}
		undo := ""
		for _, id := range b.Settings.Changes() {
			if r := b.As(t, auth.RoleRoot, http.MethodGet, pageui.BulkRoute+"/"+id, nil); strings.Contains(r.Text(t, "change"), "no label → billing") && strings.Contains(r.Text(t, "change"), "b Label") {
				undo = pageui.BulkRoute + "/" + id + "/undo"
			}
		}
		k.send(k.label("do=label&job=a", "payments"))
		_, after := b.Follow(t, undo, url.Values{})
		if got := after.Text(t, "flash"); !strings.Contains(got, "The job has another label by now.") {
			t.Errorf("undo: %q", got)
		}
		for job, want := range map[string]string{"a": "label: payments", "c": "label: billing"} {
			if got := b.Node(t, job+"/config"); !strings.Contains(got, want) {
				t.Errorf("%s has %q", job, got)
			}
		}
		if got := b.Node(t, "b/config"); strings.Contains(got, "billing") {
			t.Errorf("b has %q", got)
		}
		if got := k.open("do=label&job=a&label="+strings.Repeat("x", 101)).Text(t, "label-error"); !strings.Contains(got, "at most 100") {
			t.Errorf("a long one: %q", got)
		}
	})
}
