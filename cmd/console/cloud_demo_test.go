//go:build servers && linux

package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/demo"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestDemoWithCloud: with --cloud the demo runs a transient job whose shards are processes.
// The history has a row for each shard, and the logs have its output.
func TestDemoWithCloud(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p, f := startDemo(t, "--cloud", "--data="+data, "--restart-after=0s")
	a := f.signIn(t, "guest")
	cloudRows(t, a)
	cloudLog(t, a)
	quickStart(t, f, filepath.Dir(data))
	daemonRows(t, a)
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
	state, err := os.ReadFile(filepath.Join(data, "cloud", "runs", cloud.DaemonRunName(demo.DaemonCloudJob), "state.json"))
	if err != nil || !strings.Contains(string(state), `"State":"killed"`) {
		t.Errorf("the daemons outlive the demo: %s, %v", state, err)
	}
}

// daemonRows waits for runs that both processes of the demo's DAEMON job have reported, and
// looks for their trail and their log.
func daemonRows(t *testing.T, a restClient) {
	t.Helper()
	var page struct {
		Rows []struct {
			ID, TaskID, RunID, FailureCause, Trigger string
			ShardingItem                             int
			Success                                  bool
		}
	}
	eventually(t, "both shards have reported a run", func() bool {
		if status := a.call(t, http.MethodGet, "/api/event-trace/execution?jobName="+demo.DaemonCloudJob, nil, &page); status != http.StatusOK {
			t.Fatalf("executions: status %d", status)
		}
		done := map[int]bool{}
		for _, row := range page.Rows {
			if row.FailureCause != "" || !strings.HasPrefix(row.RunID, "cloud-") || !strings.HasPrefix(row.TaskID, demo.DaemonCloudJob+"@-@") {
				t.Errorf("row %+v", row)
			}
			done[row.ShardingItem] = done[row.ShardingItem] || row.Success
		}
		return done[0] && done[1]
	})
	var trail struct {
		Rows []struct{ State, Source string }
	}
	a.call(t, http.MethodGet, "/api/event-trace/status?jobName="+demo.DaemonCloudJob, nil, &trail)
	running := 0
	for _, row := range trail.Rows {
		if row.State == "TASK_RUNNING" && row.Source == "CLOUD_SCHEDULER" {
			running++
		}
	}
	if running != 2 {
		t.Errorf("the trail of two processes is %+v", trail.Rows)
	}
	var run struct {
		Origin, State string
		Tasks         []struct{ UID string }
	}
	if a.call(t, http.MethodGet, "/api/cloud/runs/"+cloud.DaemonRunName(demo.DaemonCloudJob), nil, &run); run.Origin != "daemon" || run.State != "running" || len(run.Tasks) != 2 {
		t.Fatalf("the run is %+v", run)
	}
	if text := a.text(t, "/api/cloud/tasks/"+run.Tasks[1].UID+"/log"); !strings.Contains(text, "the warehouse answers") || !strings.Contains(text, "Shanghai") {
		t.Errorf("log %q", text)
	}
}

// cloudRows waits for a run of three shards in the history, and looks for the trail of its
// tasks.
func cloudRows(t *testing.T, a restClient) {
	t.Helper()
	var page struct {
		Rows []struct {
			TaskID, RunID string
			ShardingItem  int
			Success       bool
			CompleteTime  string
			FailureCause  string
		}
	}
	eventually(t, "three shards of one run have succeeded", func() bool {
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
}

// cloudLog reads the log of a shard of a run that has ended.
func cloudLog(t *testing.T, a restClient) {
	t.Helper()
	var runs []struct{ Name, RunID, State string }
	a.call(t, http.MethodGet, "/api/cloud/runs?state=succeeded&job="+demo.CloudJob, nil, &runs)
	if len(runs) == 0 {
		t.Fatal("the engine has no run that succeeded")
	}
	var run struct {
		Tasks []struct {
			UID          string
			ShardingItem int
		}
	}
	if a.call(t, http.MethodGet, "/api/cloud/runs/"+runs[0].Name, nil, &run); len(run.Tasks) != 3 || run.Tasks[2].ShardingItem != 2 {
		t.Fatalf("tasks of %s: %+v", runs[0].Name, run.Tasks)
	}
	if text := a.text(t, "/api/cloud/tasks/"+run.Tasks[2].UID+"/log"); !strings.Contains(text, "stocktake of Turin: shard 2 of 3 in run "+runs[0].Name) {
		t.Errorf("log %q", text)
	}
}

// quickStart runs every command of the document about ElasticJob-Cloud, in the folder
// where the demo was started.
func quickStart(t *testing.T, f fleet, folder string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/cloud.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, part := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, closed := strings.Cut(part, "```")
		if !closed {
			t.Fatal("a block of commands has no end")
		}
		script.WriteString(block)
	}
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-eu", "-c", script.String())
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "CONSOLE="+f.site, "no_proxy=*")
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"hello from shard 2 of 3 in Turin", `asked with {"month":"2026-10"}`, `"disabled":true`, `"jobName":"hello_job"`} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("the quick start (%v) did not print %q:\n%s", err, want, out)
		}
	}
}
