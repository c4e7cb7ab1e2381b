//go:build linux

package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/demo"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestDemoWithCloud: with --cloud the demo runs a transient job whose shards are processes.
// Their rows are in the history, and what they wrote is in their logs.
func TestDemoWithCloud(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p, f := startDemo(t, "--cloud", "--data="+data, "--restart-after=0s")
	a := f.signIn(t, "guest")
	cloudRows(t, a)
	cloudLog(t, a)
	quickStart(t, f, filepath.Dir(data))
	daemonRows(t, a)
	if code := p.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, p.stderr.String())
	}
	state, err := os.ReadFile(filepath.Join(data, "cloud", "runs", cloud.DaemonRunName(demo.DaemonCloudJob), "state.json"))
	if err != nil || !strings.Contains(string(state), `"State":"killed"`) {
		t.Errorf("the daemons outlive the demo: %s, %v", state, err)
	}
}

// daemonRows waits for runs that both processes of the demo's DAEMON job have reported, and
// looks for their trail and their log.
func daemonRows(t *testing.T, a api) {
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
func cloudRows(t *testing.T, a api) {
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
func cloudLog(t *testing.T, a api) {
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

// text is an answer that is no JSON.
func (a api) text(t *testing.T, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.site+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", path, resp.StatusCode, err, text)
	}
	return string(text)
}

// chat is what messages about failed runs are sent to.
type chat struct {
	*httptest.Server
	texts chan string
}

func newChat(t *testing.T) chat {
	t.Helper()
	c := chat{texts: make(chan string, 10)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.texts <- string(body)
	}))
	t.Cleanup(c.Close)
	return c
}

// heard waits for a message with some parts.
func (c chat) heard(t *testing.T, parts ...string) {
	t.Helper()
	select {
	case text := <-c.texts:
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s is not in %s", part, text)
			}
		}
	case <-time.After(waittest.Patience):
		t.Error("nobody was notified of the failed run")
	}
}

// TestServeWithCloud: with --cloud local a console for a real registry runs programs below a
// folder, and `console cloud` runs a job, waits for it and reads what it wrote. Nothing else
// is started. Somebody is notified of the run that fails (CL31).
func TestServeWithCloud(t *testing.T) {
	t.Parallel()
	server := zkfake.New(zkfake.Options{TickTime: demoTick})
	registry, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	apps := t.TempDir()
	if err := os.WriteFile(filepath.Join(apps, "hello.sh"), []byte("#!/bin/sh\necho \"hello $ELASTICJOB_ITEM: $ELASTICJOB_RUN_PARAMETERS\"\n[ \"$ELASTICJOB_RUN_PARAMETERS\" != '{\"fail\":\"yes\"}' ]\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	chat := newChat(t)
	p, site := startServe(t, "--zookeeper="+registry.String(), "--namespace=agents", "--cloud=local", "--cloud-notify-hosts=127.0.0.1", "--allow-command-changes", "--cloud-local-apps="+apps, "--cloud-local-cpu=2", "--cloud-local-memory=512")
	f := fleet{site: site}
	a := f.signIn(t, "root")
	for _, step := range []struct {
		path, body string
		want       int
	}{
		{"/api/cloud/apps", `{"appName":"hello","command":["hello.sh"],"cpuCount":0.05,"memoryMB":16}`, http.StatusCreated},
		{"/api/cloud/jobs", `{"jobName":"hello","appName":"hello","shardingTotalCount":2,"cpuCount":0.05,"memoryMB":16,"jobErrorHandlerType":"WEBHOOK","props":{"webhook.url":"` + chat.URL + `"}}`, http.StatusCreated},
		{"/api/cloud/apps", `{"appName":"outside","command":["/bin/ls"]}`, http.StatusCreated},
		{"/api/cloud/jobs", `{"jobName":"outside","appName":"outside","shardingTotalCount":1,"cpuCount":0.05,"memoryMB":16}`, http.StatusCreated},
	} {
		if status := a.call(t, http.MethodPost, step.path, json.RawMessage(step.body), nil); status != step.want {
			t.Errorf("%s: status %d, want %d", step.body, status, step.want)
		}
	}
	as := func(code int, args ...string) string {
		t.Helper()
		stdout, _ := f.console(t, "cloud", "root", code, args...)
		return stdout
	}
	run := strings.TrimSpace(as(exitOK, "trigger", "hello", "--param=month=2026-10", "--wait", "--timeout=1m"))
	if text := as(exitOK, "logs", run); !strings.Contains(text, `[1] hello 1: {"month":"2026-10"}`) {
		t.Errorf("logs:\n%s", text)
	}
	as(exitUsage, "logs", run, "--follow")
	if text := as(exitOK, "logs", run, "1", "--follow"); text != "hello 1: {\"month\":\"2026-10\"}\n" {
		t.Errorf("followed to the end:\n%s", text)
	}
	as(exitRunFailed, "trigger", "hello", "--param=fail=yes", "--wait", "--timeout=1m")
	chat.heard(t, `"jobName":"hello"`, `"failedCount":2`, "exit code 1")
	if text := as(exitOK, "runs", "hello", "--state=failed"); !strings.Contains(text, "manual") || strings.Contains(text, run) {
		t.Errorf("runs:\n%s", text)
	}
	as(exitOK, "trigger", "outside")
	eventually(t, "the program outside the folder is refused", func() bool {
		return strings.Contains(a.text(t, "/api/cloud/jobs/outside"), "only what lies there may be started")
	})
	if code := p.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, p.stderr.String())
	}
}
