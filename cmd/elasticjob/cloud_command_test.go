package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

const aCloudRun = "hello-xa7937b64b8"

// cloudRunText is the answer about a run in a state.
func cloudRunText(state string) string {
	return `{"name":"` + aCloudRun + `","jobName":"hello","appName":"hello","origin":"manual","state":"` + state + `","message":"2 of 3 failed","fireTime":"2026-11-26T07:07:04Z","shardingTotalCount":3,"taskCount":3,` +
		`"startTime":"2026-11-26T07:07:05Z","completeTime":"2026-11-26T07:07:06.5Z","reasons":[],"tasks":[` +
		`{"uid":"u0","shardingItem":0,"attempt":1,"state":"TASK_FINISHED","node":"vm"},{"uid":"u1","shardingItem":1,"attempt":1,"state":"TASK_FAILED","message":"exit code 3\nlast line","node":"vm"},{"uid":"u2","shardingItem":1,"attempt":2,"state":"TASK_FINISHED","node":"vm"}]}`
}

// cloudDouble answers for ElasticJob-Cloud: the run is requested, then waits, then has ended.
func cloudDouble(t *testing.T, ends string) *consoleDouble {
	var looks atomic.Int32
	return answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch path := strings.TrimPrefix(r.URL.Path, "/api/cloud"); {
		case path == "/apps":
			fmt.Fprint(w, `[{"appName":"hello","command":["hello.sh","-v"],"cpuCount":0.1,"memoryMB":16,"disabled":true}]`)
		case path == "/jobs":
			fmt.Fprint(w, `[{"jobName":"hello","appName":"hello","cron":"0 0 2 * * ?","shardingTotalCount":3,"pending":1,"requested":1,"nextFireTime":"2026-11-27T02:00:00Z","conditions":[{"type":"Fires","ok":false,"message":"the engine refused it"}]}]`)
		case path == "/jobs/hello":
			fmt.Fprint(w, `{"jobName":"hello","requested":1}`)
		case path == "/jobs/hello/trigger":
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprint(w, `{"run":"`+aCloudRun+`"}`)
		case path == "/runs":
			fmt.Fprint(w, "["+cloudRunText(ends)+"]")
		case path == "/runs/"+aCloudRun:
			switch looks.Add(1) {
			case 1:
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, `{"code":"not_found","message":"Run not found."}`)
			case 2:
				fmt.Fprint(w, cloudRunText("waiting"))
			default:
				fmt.Fprint(w, cloudRunText(ends))
			}
		case strings.HasSuffix(path, "/log"):
			fmt.Fprint(w, "log of "+strings.Split(path, "/")[2]+"\nits end \x1b[31m\n")
		case path == "/runs/"+aCloudRun+"/kill":
			w.WriteHeader(http.StatusNoContent)
		case path == "/jobs/nothing/disable":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"not_found","message":"Job \"nothing\": not found."}`)
		default:
			fmt.Fprint(w, `{"appName":"hello"}`)
		}
	})
}

// cloud runs `elasticjob cloud`, and wants an exit code and texts.
func (d *consoleDouble) cloud(t *testing.T, code int, want []string, args ...string) (stdout string) {
	t.Helper()
	p := start(t, noEnv, append(append([]string{"cloud"}, args...), "--console="+d.URL, "--token-file="+tokenFile(t))...)
	if got := p.Wait(); got != code {
		t.Errorf("%v: exit code %d, want %d: %s", args, got, code, p.Stderr.String())
	}
	stdout, stderr := p.Stdout.String(), p.Stderr.String()
	for _, w := range want {
		if !strings.Contains(stdout+stderr, w) {
			t.Errorf("%v: %q is not in\n%s%s", args, w, stdout, stderr)
		}
	}
	return stdout
}

// TestCloudWaitSaysHowARunEnded: the exit code, the states on the way, and the name of the
// run on standard output.
func TestCloudWaitSaysHowARunEnded(t *testing.T) {
	t.Parallel()
	for state, code := range map[string]int{"succeeded": cli.ExitOK, "failed": exitRunFailed, "killed": exitRunCancelled} {
		d := cloudDouble(t, state)
		stdout := d.cloud(t, code, []string{"run " + aCloudRun + ": requested", "run " + aCloudRun + ": waiting", "run " + aCloudRun + ": " + state},
			"trigger", "hello", "--param=month=2026-10", "--shards=0,2", "--key=INC-1", "--wait", "--timeout=30s")
		if strings.TrimSpace(stdout) != aCloudRun {
			t.Errorf("standard output %q", stdout)
		}
		first := d.requests()[0]
		if first.URI != "/api/cloud/jobs/hello/trigger" || first.Key != "INC-1" || first.Body != `{"parameters":{"month":"2026-10"},"shards":[0,2]}` || first.Auth != "Bearer t0ken" {
			t.Errorf("asked %+v", first)
		}
	}
	if stdout := cloudDouble(t, "failed").cloud(t, exitRunFailed, []string{`"state":"failed"`, "2 of 3 failed"}, "trigger", "hello", "--wait", "-o", "json"); strings.HasPrefix(stdout, aCloudRun) {
		t.Errorf("--json prints %s", stdout)
	}
}

// TestCloudLists: applications, jobs, runs, a run and its logs, in words and as JSON.
func TestCloudLists(t *testing.T) {
	t.Parallel()
	d := cloudDouble(t, "failed")
	d.cloud(t, cli.ExitOK, []string{"hello.sh -v", "true"}, "apps")
	d.cloud(t, cli.ExitOK, []string{"0 0 2 * * ?", "2026-11-27 02:00:00Z", "the engine refused it"}, "jobs")
	d.cloud(t, cli.ExitOK, []string{`"jobName": "hello"`}, "jobs", "hello")
	d.cloud(t, cli.ExitOK, []string{aCloudRun, "manual", "1.5s"}, "runs", "hello", "--state=failed", "--limit=5")
	if asked := d.requests(); asked[len(asked)-1].URI != "/api/cloud/runs?job=hello&limit=5&state=failed" {
		t.Errorf("asked %+v", asked[len(asked)-1])
	}
	d.cloud(t, cli.ExitFailure, []string{"not found"}, "show", aCloudRun) // It is not launched yet.
	d.cloud(t, cli.ExitOK, []string{"TASK_FAILED", "exit code 3"}, "show", aCloudRun)
	stdout := d.cloud(t, cli.ExitOK, []string{"[0] log of u0", "[1] log of u2"}, "logs", aCloudRun)
	if strings.Contains(stdout, "u1") || strings.Contains(stdout, "\x1b") {
		t.Errorf("logs:\n%s", stdout)
	}
	if stdout = d.cloud(t, cli.ExitOK, nil, "logs", aCloudRun, "1", "--attempt=1", "--tail=5"); !strings.HasPrefix(stdout, "log of u1\n") {
		t.Errorf("one log:\n%s", stdout)
	}
	d.cloud(t, cli.ExitOK, []string{`"shardingItem": 1`, `"log": "log of u2\n`}, "logs", aCloudRun, "-o", "json")
	d.cloud(t, cli.ExitFailure, []string{"no such shard"}, "logs", aCloudRun, "7")
}

// TestCloudCommands: each command sends the right request, or explains why it was refused.
func TestCloudCommands(t *testing.T) {
	t.Parallel()
	d := cloudDouble(t, "failed")
	for _, tt := range []struct {
		uri  string
		args []string
	}{
		{"/api/cloud/runs/" + aCloudRun + "/kill", []string{"kill", aCloudRun}},
		{"/api/cloud/runs/" + aCloudRun + "/suspend", []string{"suspend", aCloudRun}},
		{"/api/cloud/runs/" + aCloudRun + "/resume", []string{"resume", aCloudRun, "-o", "json"}},
		{"/api/cloud/jobs/hello/disable?running=suspend", []string{"disable", "hello", "--running=suspend"}},
		{"/api/cloud/apps/a%2Fb/enable", []string{"enable", "a/b", "--app"}},
	} {
		d.cloud(t, cli.ExitOK, nil, tt.args...)
		if asked := d.requests(); asked[len(asked)-1].URI != tt.uri || asked[len(asked)-1].Method != http.MethodPost {
			t.Errorf("%v asked %+v", tt.args, asked[len(asked)-1])
		}
	}
	d.cloud(t, cli.ExitFailure, []string{`Job "nothing": not found`}, "disable", "nothing")
	d.cloud(t, cli.ExitUsage, []string{"both given"}, "trigger", "hello", "--param=a=b", "--params={}")
	d.cloud(t, cli.ExitUsage, []string{"--at"}, "trigger", "hello", "--at=soon")
}
