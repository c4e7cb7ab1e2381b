package pages

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
