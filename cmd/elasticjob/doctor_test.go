package main

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/doctor"
)

func examined(t *testing.T, env cli.Lookup, code int, args ...string) ([]doctor.Finding, string) {
	t.Helper()
	return clitest.Examined(t, program, &commandLine{}, env, code, args...)
}

// TestW17DoctorOfAJobFile: the doctor finds what --check finds, without a --zookeeper.
func TestW17DoctorOfAJobFile(t *testing.T) {
	t.Parallel()
	file := jobsFile(t, `elasticjob:
  regCenter: {serverLists: "`+startFake(t)+`", namespace: test, digest: "${PW}"}
  jobs:
    shell: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: "/bin/echo a | mail ops"}}
    absent: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: "/nowhere/job.sh --password=hunter2"}}
    past: {elasticJobType: SCRIPT, shardingTotalCount: 1, cron: "0 0 0 1 1 ? 2020", props: {script.command.line: "/bin/echo"}}
    wide: {elasticJobType: HTTP, shardingTotalCount: 1, props: {http.uri: "http://a/x？y", http.method: GET}}
    code: {elasticJobClass: com.acme.Nightly, shardingTotalCount: 1}
`)
	list, text := examined(t, envOf(map[string]string{"PW": "ops:hunter2"}), cli.ExitFailure, "--config="+file)
	clitest.WantFindings(t, list, `warning: line 4: job shell: there is no shell, so the program gets "|" as an argument`,
		"warning: line 5: job absent: its program can't be started on this machine",
		"warning: line 6: job past: its cron never fires again", `warning: line 7: job wide: its address is probably misspelled`,
		"warning: namespace test: it doesn't exist in ZooKeeper")
	if strings.Contains(text, "hunter2") {
		t.Errorf("a secret is printed:\n%s", text)
	}

	list, _ = examined(t, noEnv, cli.ExitFailure, "--config="+jobsFile(t, "elasticjob: {jbos: 1}\n"))
	if len(list) != 3 || list[0].Severity != doctor.Error || list[0].Where != "line 1: elasticjob.jbos" {
		t.Errorf("%+v", list)
	}
	examined(t, noEnv, cli.ExitUsage, "--config=/nowhere/jobs.yaml")
	examined(t, noEnv, cli.ExitUsage)
}
