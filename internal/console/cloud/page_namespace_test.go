package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestCloudNamespacesOnPages: lists and pages say which namespace has something, if there are
// several, and why a job does not fire for want of a right.
func TestCloudNamespacesOnPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	lists := []string{"/cloud/jobs", "/cloud/apps"}
	for _, path := range lists {
		if r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil); r.Doc(t).Find(`[data-testid="cloud-namespace"]`).Length() > 0 {
			t.Errorf("%s says a namespace where there is none", path)
		}
	}
	b.Cloud.InNamespaces(b.Console.Options())
	for _, path := range lists {
		if found := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t).Find(`[data-testid="cloud-namespace"]`); found.Length() == 0 || found.First().Text() != "jobs" {
			t.Errorf("%s says namespace %q", path, found.Text())
		}
	}
	if facts := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/invoices", nil).Text(t, "cloud-facts"); !strings.Contains(facts, "Namespace") || !strings.Contains(facts, "jobs") {
		t.Errorf("the job says %s", facts)
	}
	if _, err := b.Cloud.Store.Change(t.Context(), "invoices", func(d *cloud.Definition) error {
		d.Status.SetCondition(cloud.Condition{Type: cloud.ConditionFires, Reason: cloud.ReasonForbidden, Message: "cannot list jobs in namespace jobs"})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	b.Cloud.Store.Faults(func(verb, _ string) cloudfake.Fault {
		if verb == "watch" {
			return cloudfake.Fault{}
		}
		return cloudfake.Fault{Err: cloud.ErrForbidden}
	})
	for _, path := range []string{"/cloud/jobs/invoices", "/cloud/apps/billing"} { // As they were reported last.
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), http.StatusOK)
	}
	if state := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs", nil).Text(t, "cloud-job-state"); !strings.Contains(state, "cannot list jobs in namespace jobs") {
		t.Errorf("the job is %q", state)
	}
}

// TestCloudNamespaceOfAForm: what is made on a page is made in the namespace that was chosen,
// and never moves. The request that does the same names it.
func TestCloudNamespaceOfAForm(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	if page := b.As(t, auth.RoleRoot, http.MethodGet, addJobRoute, nil); page.Doc(t).Find(`[name="namespace"]`).Length() > 0 {
		t.Error("a namespace is asked for where there is none")
	}
	b.Cloud.InNamespaces(b.Console.Options())
	form := b.As(t, auth.RoleRoot, http.MethodGet, addJobRoute, nil)
	if options := form.Doc(t).Find(`[name="namespace"] option`); options.Length() != 2 || options.First().AttrOr("value", "") != "jobs" {
		t.Errorf("offered are %s", options.Text())
	}
	post := func(page consoletest.Reply, change ...string) consoletest.Reply {
		return b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, page, change...))
	}
	for namespace, refused := range map[string]string{"nowhere": "namespace", "shop": "appName"} { // The application is in the other one.
		if page := post(form, "jobName", "reports", "namespace", namespace); page.Text(t, "f-"+refused+"-error") == "" {
			t.Errorf("in %s: %s", namespace, consoletest.Fold(page.Doc(t).Find("main").Text()))
		}
	}
	review := post(form, "jobName", "reports", "namespace", "jobs")
	if text := review.Text(t, "curl"); !strings.Contains(text, "/api/cloud/jobs?namespace=jobs") {
		t.Errorf("the request is %q", text)
	}
	consoletest.WantStatus(t, post(review), http.StatusSeeOther)
	if made := jobNamed(b, "reports"); made == nil || made.Namespace != "jobs" {
		t.Errorf("made was %+v", made)
	}
	edit := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/reports/edit", nil).Doc(t).Find(`input[name="namespace"]`)
	if _, fixed := edit.Attr("readonly"); !fixed || edit.AttrOr("value", "") != "jobs" {
		t.Errorf("it can be moved: %q", edit.AttrOr("value", ""))
	}
	app := b.As(t, auth.RoleRoot, http.MethodGet, addAppRoute, nil)
	if app.Doc(t).Find(`select[name="namespace"]`).Length() != 1 {
		t.Error("an application is asked for no namespace")
	}
}
