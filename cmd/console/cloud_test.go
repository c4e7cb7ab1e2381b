//go:build linux

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// TestDemoWithCloud: with --cloud the demo runs a transient job whose shards are processes.
// Their rows are in the history, and what they wrote is in their logs.
func TestDemoWithCloud(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p, f := startDemo(t, "--cloud", "--data="+data, "--restart-after=0s")
	a := f.signIn(t, "guest")
	var page struct {
		Rows []struct {
			TaskID, RunID string
			ShardingItem  int
			Success       bool
			CompleteTime  string
			FailureCause  string
		}
	}
	eventually(t, 90*time.Second, "three shards of one run have succeeded", func() bool {
		if status := a.call(t, http.MethodGet, "/api/event-trace/execution?jobName="+demo.CloudJob, nil, &page); status != http.StatusOK {
			t.Fatalf("executions: status %d", status)
		}
		done := map[string]map[int]bool{}
		for _, row := range page.Rows {
			if row.FailureCause != "" {
				t.Errorf("shard %d of %s failed: %s", row.ShardingItem, row.RunID, row.FailureCause)
			}
			if !row.Success || row.CompleteTime == "" {
				continue
			}
			if done[row.RunID] == nil {
				done[row.RunID] = map[int]bool{}
			}
			if done[row.RunID][row.ShardingItem] = true; len(done[row.RunID]) == 3 {
				return true
			}
		}
		return false
	})
	var trail struct {
		Rows []struct{ State, Source string }
	}
	a.call(t, http.MethodGet, "/api/event-trace/status?jobName="+demo.CloudJob, nil, &trail)
	states := map[string]bool{}
	for _, row := range trail.Rows {
		states[row.State] = row.Source == "CLOUD_SCHEDULER"
	}
	for _, want := range []string{"TASK_STAGING", "TASK_RUNNING", "TASK_FINISHED"} {
		if !states[want] {
			t.Errorf("no row %s of the scheduler: %+v", want, trail.Rows)
		}
	}
	logs, err := filepath.Glob(filepath.Join(data, "cloud", "runs", demo.CloudJob+"-*", "2", "1", "log.*"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs (%v)", err)
	}
	if text, err := os.ReadFile(logs[0]); err != nil || !strings.Contains(string(text), "stocktake of Turin: shard 2 of 3") {
		t.Errorf("log %q (%v)", text, err)
	}
	if code := p.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, p.stderr.String())
	}
}
