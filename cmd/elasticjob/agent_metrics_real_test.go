//go:build servers && unix

package main

import (
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// TestAgentAnswersPrometheus: the agent serves its metrics on the loopback address unless a flag
// names another one, and they follow when the job file changes.
func TestAgentAnswersPrometheus(t *testing.T) {
	t.Parallel()
	jobs := fmt.Sprintf(`elasticjob:
  regCenter: {serverLists: %q, namespace: metrics}
  jobs:
    tick: {elasticJobType: SCRIPT, cron: "0/1 * * * * ?", shardingTotalCount: 2, props: {script.command.line: "true"}}
`, startFake(t))
	a := startAgent(t, jobs, "--metrics-addr=:0", "--dsn="+storetest.SQLiteDSN(t), "--spool="+t.TempDir(), "--log-format=json")
	a.Await("serving 1 jobs of jobs.yaml")
	address := after(after(a.Said.String(), "answering Prometheus"), "http://")
	address, _, _ = strings.Cut(address, `"`)
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("--metrics-addr=:0 answers at %s, want this machine only", address)
	}
	eventually(t, "the metrics show the runs", func() bool {
		text := clitest.Text(t, "http://"+address)
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
	a.Write(strings.Replace(jobs, " tick:", " tock:", 1))
	a.Signal(syscall.SIGHUP)
	a.Await(`"added":1,"removed":1`)
	eventually(t, "the metrics follow the file", func() bool {
		text := clitest.Text(t, "http://"+address)
		return !strings.Contains(text, `job_name="tick"`) && strings.Contains(text, `job_name="tock"`)
	})
	a.Signal(syscall.SIGTERM)
	if code := a.Code(); code != cli.ExitOK {
		t.Errorf("exit code %d", code)
	}
}
