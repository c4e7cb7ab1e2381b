package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW15CloudRequestsAreNamed: the requests of a job of ElasticJob-Cloud that were not launched
// are in the audit when the job is deleted or disabled.
func TestW15CloudRequestsAreNamed(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(b *consoletest.Bench) consoletest.Reply{
		"deleted": func(b *consoletest.Bench) consoletest.Reply {
			return b.Call(t, http.MethodDelete, "/api/cloud/jobs/invoices", "")
		},
		"deregistered": func(b *consoletest.Bench) consoletest.Reply {
			return b.Call(t, http.MethodDelete, "/api/job/deregister", "invoices")
		},
		"disabled": func(b *consoletest.Bench) consoletest.Reply {
			return b.Call(t, http.MethodPost, "/api/cloud/jobs/invoices/disable", `{"running":"finish"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := consoletest.New(t)
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/jobs/invoices/trigger", `{}`, "Idempotency-Key: INC-1"), http.StatusAccepted)
			if r := act(b); r.StatusCode >= http.StatusBadRequest {
				t.Fatalf("%d: %s", r.StatusCode, r.Body)
			}
			if record, run := b.LastRecord(t), cloud.ManualRunName("invoices", "INC-1"); !strings.Contains(record.Detail, run) || !strings.Contains(record.Detail, "cancelled_runs=") {
				t.Errorf("no %s in %+v", run, record)
			}
		})
	}
}
