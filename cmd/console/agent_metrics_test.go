//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// fetchText returns what is at an address.
func fetchText(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, resp.Status, err)
	}
	return string(text)
}

// TestAgentAnswersPrometheus, on this machine only unless a flag says otherwise, and
// follows a file that changes.
func TestAgentAnswersPrometheus(t *testing.T) {
	t.Parallel()
	jobs := fmt.Sprintf(`elasticjob:
  regCenter: {serverLists: %q, namespace: metrics}
  jobs:
    tick: {elasticJobType: SCRIPT, cron: "0/1 * * * * ?", shardingTotalCount: 2, props: {script.command.line: "true"}}
`, startFake(t))
	a := startAgent(t, jobs, "--metrics-addr=:0", "--dsn="+storetest.SQLiteDSN(t), "--spool="+t.TempDir(), "--log-format=json")
	a.await("serving 1 jobs of jobs.yaml")
	address := after(after(a.said.String(), "answering Prometheus"), "http://")
	address, _, _ = strings.Cut(address, `"`)
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("--metrics-addr=:0 answers at %s, want this machine only", address)
	}
	eventually(t, "the metrics show the runs", func() bool {
		text := fetchText(t, "http://"+address)
		for _, want := range []string{
			`elasticjob_agent_runs_total{job_name="tick",result="success"} [1-9]`,
			`elasticjob_agent_item_runs_total{job_name="tick",result="success"} [1-9]`,
			`elasticjob_agent_trace_written_total [1-9]`,
			`elasticjob_agent_trace_spool_bytes `,
			`elasticjob_agent_session_state{state="connected"} 1`,
			`elasticjob_agent_registry_requests_total{operation="multi",result="answered"} [1-9]`,
			`go_goroutines [1-9]`,
		} {
			if !regexp.MustCompile("(?m)^" + want).MatchString(text) {
				return false
			}
		}
		return true
	})
	a.write(strings.Replace(jobs, " tick:", " tock:", 1))
	a.signal(syscall.SIGHUP)
	a.await(`"added":1,"removed":1`)
	eventually(t, "the metrics follow the file", func() bool {
		text := fetchText(t, "http://"+address)
		return !strings.Contains(text, `job_name="tick"`) && strings.Contains(text, `job_name="tock"`)
	})
	a.signal(syscall.SIGTERM)
	if code := a.code(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// TestServeAnswersPrometheus: without a token where --metrics-addr says, and
// never at --listen.
func TestServeAnswersPrometheus(t *testing.T) {
	t.Parallel()
	p, site := startServe(t, "--zookeeper="+startFake(t), "--namespace=metrics", "--metrics-addr=:0")
	address := strings.Fields(after(after(p.stderr.String(), "answering Prometheus"), "http://"))[0]
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("--metrics-addr=:0 answers at %s, want this machine only", address)
	}
	eventually(t, "the metrics", func() bool {
		text := fetchText(t, "http://"+address)
		for _, want := range []string{
			`elasticjob_console_registry_state{state="connected"} 1`, `elasticjob_console_database_up 1`,
			`elasticjob_console_registry_requests_total{operation="children",result="answered"} [1-9]`,
			`elasticjob_console_snapshot_age_seconds [0-9]`, `go_goroutines [1-9]`,
		} {
			if !regexp.MustCompile("(?m)^" + want).MatchString(text) {
				return false
			}
		}
		return true
	})
	if got := status(t, site+"/metrics"); got != http.StatusUnauthorized {
		t.Errorf("%s/metrics answers %d to a stranger", site, got)
	}
	if got := status(t, "http://"+address+"/api/jobs"); got != http.StatusNotFound {
		t.Errorf("the listener for Prometheus answers %d for anything else", got)
	}
}
