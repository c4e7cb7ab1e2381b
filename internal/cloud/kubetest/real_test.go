//go:build kubernetes

package kubetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRealCL29ImageIsAbsent: the node's message about an unknown image explains the waiting task,
// and the end of a run that is given up.
func TestRealCL29ImageIsAbsent(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(func(r *cloud.Run) { r.App.Image, r.Job.Shards = "registry.invalid/absent:1", 1 })
	f.until(patience, "the task is stuck", func() bool {
		for _, task := range f.tasks {
			if !task.Stuck.IsZero() && strings.Contains(task.Message, "registry.invalid") && task.State == tracing.StateStaging {
				return true
			}
		}
		return false
	})
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndError, By: "scheduler", Reason: "it did not start within 10m"}); err != nil {
		t.Fatal(err)
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "given up by scheduler: it did not start within 10m" {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(0); got != "ERROR" {
		t.Errorf("states are %s", got)
	}
}

// TestRealCL36IgnoresSIGTERM: the node kills it after its grace, and the task reports that.
func TestRealCL36IgnoresSIGTERM(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayDeaf), func(r *cloud.Run) { r.App.GraceSeconds, r.Job.Shards = 2, 1 })
	task := f.working(1)[0]
	began := time.Now()
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root", Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunKilled || time.Since(began) < 2*time.Second {
		t.Errorf("after %v the run is %+v", time.Since(began), s)
	}
	f.until(patience, "the task reports that it was killed", func() bool {
		got := f.tasks[task.UID]
		return got.State == tracing.StateKilled && got.Message == "ended by root: enough"+cloud.IgnoredSIGTERM
	})
}
