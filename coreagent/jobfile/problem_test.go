package jobfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
)

// problems returns the problems of a text, one line each.
func problems(t *testing.T, env map[string]string, text string) []string {
	t.Helper()
	_, err := parse(env, text)
	if err == nil {
		return nil
	}
	var wrong *jobfile.Error
	if !errors.As(err, &wrong) {
		t.Fatalf("%v is not a *jobfile.Error", err)
	}
	var all []string
	for _, p := range wrong.Problems {
		all = append(all, p.String())
	}
	return all
}

const cleanup = "elasticjob.jobs.cleanup."

// fileProblems are files with mistakes, and their problems.
var fileProblems = map[string]struct {
	env  map[string]string
	text string
	want []string
}{
	"empty":        {text: "# nothing\n", want: []string{"is empty; it begins with `elasticjob:`"}},
	"no mapping":   {text: "- a\n", want: []string{"line 1: is not a mapping; it begins with `elasticjob:`"}},
	"nothing ours": {text: "server: {port: 1}\n", want: []string{"line 1: elasticjob: is missing; all keys of the file belong below it"}},
	"misspelt at the top": {text: "elasticjobs: {}\n", want: []string{
		"line 1: elasticjobs: unknown key; did you mean elasticjob?",
	}},
	"two documents": {text: center + "---\na: 1\n", want: []string{
		"line 3: a second document begins here; Spring's profiles are not supported, a file has one document",
	}},
	"no YAML": {text: "elasticjob: [\n", want: []string{"line 1: invalid YAML: did not find expected node content"}},
	"a cron that begins with an asterisk": {text: oneJob("cron: */5 * * * * ?"), want: []string{
		`line 8: invalid YAML: did not find expected alphabetic or numeric character; a value that begins with * needs quotes: cron: "*/5 * * * * ?"`,
	}},
	"a cron in braces": {text: "elasticjob: {jobs: {a: {cron: 0 0 3 * * ?, shardingTotalCount: 1}}}\n", want: []string{
		`line 1: invalid YAML: did not find expected ',' or '}'; between { and } a value that ends with ? needs quotes: {cron: "0 0 3 * * ?"}`,
	}},
	"an alias that may be a password": {text: "elasticjob: {regCenter: {digest: *hunter2}}\n", want: []string{
		`line 1: invalid YAML: * begins an alias, and no such anchor exists; a value that begins with * needs quotes: cron: "*/5 * * * * ?"`,
	}},
	"no registry": {text: "elasticjob:\n  jobs:\n", want: []string{
		"line 1: elasticjob.regCenter.namespace: is missing; want the folder in ZooKeeper for the jobs, such as billing",
		"line 1: elasticjob.regCenter.serverLists: is missing; want the ensemble, such as zk1:2181,zk2:2181,zk3:2181",
	}},
	"a registry full of mistakes": {
		env: map[string]string{"PORT": "hunter2", "DIGEST": "hunter2"},
		text: `elasticjob:
  regCenter:
    serverList: a:1
    serverLists: "zk1,zk2:x,zk3:${PORT}"
    namespace: a//b
    digest: hunter2
    sessionTimeoutMilliseconds: 30s
    connectionTimeoutMilliseconds: -1
    type: etcd
  zookeeper: {}
`, want: []string{
			"line 3: elasticjob.regCenter.serverList: unknown key; did you mean serverLists?",
			`line 4: elasticjob.regCenter.serverLists: "zk1,zk2:x,zk3:${PORT}" has a value that is not allowed; want host:port`,
			`line 5: elasticjob.regCenter.namespace: invalid name: namespace "a//b": empty path segment`,
			`line 6: elasticjob.regCenter.digest: *** is not allowed; want user:password`,
			`line 7: elasticjob.regCenter.sessionTimeoutMilliseconds: "30s" is not allowed; want a whole number from 0 to 300000`,
			`line 8: elasticjob.regCenter.connectionTimeoutMilliseconds: "-1" is not allowed; want a whole number from 0 to 3600000`,
			`line 9: elasticjob.regCenter.type: "etcd" is not allowed; want zookeeper; upstream's etcd registry is not safe for agents, see docs/java.md`,
			"line 10: elasticjob.zookeeper: unknown key; allowed: enabled, regCenter, jobs, jobDefaults, tracing, dump, worker, runLog",
		},
	},
	"secrets from elsewhere": {
		env: map[string]string{"DIGEST": "hunter2", "N": "hunter2"},
		text: strings.Replace(oneJob("shardingTotalCount: ${N}", "maxTimeDiffSeconds: ${N:1}", "cron: ${N}", "timeZone: ${N}"),
			"namespace: test", "namespace: test, digest: \"${DIGEST}\"", 1),
		want: []string{
			`line 2: elasticjob.regCenter.digest: "${DIGEST}" has a value that is not allowed; want user:password`,
			"line 8: " + cleanup + "shardingTotalCount: is given twice, first in line 6",
			"line 9: " + cleanup + `maxTimeDiffSeconds: "${N:1}" has a value that is not allowed; want a whole number from -1 to 31536000`,
			"line 10: " + cleanup + `cron: "${N}" has a value that is not allowed; want a Quartz expression of six or seven fields`,
			"line 11: " + cleanup + `timeZone: "${N}" has a value that is not allowed; want an offset from GMT such as GMT+08:00; names such as Asia/Shanghai go into scheduleZone`,
		},
	},
	"a job full of mistakes": {
		text: center + `  jobs:
    a/b:
      elasticJobType: script
      elasticJobClass: com.acme.Job
      shardingTotalCount: 0
    cleanup:
      elasticJobType: SCRIPT
      cron: 0 0 25 * * ?
      timeZone: Asia/Shanghai
      shardingTotalCount: three
      shardingItemParameters: 0=a,1
      monitorExecution: false
      failover: maybe
      maxTimeDiffSeconds: 1.5
      reconcileIntervalMinutes: 010
      jobShardingStrategyType: AVERAGE
      jobExecutorServiceHandlerType: GPU
      jobExecutorThreadPoolSizeProviderType: CPU
      jobErrorHandlerType: PAGER
      jobListenerTypes: [a, c]
      timeoutMilliseconds: -5
      eagerFailover: true
      description: [x]
      jobParameter: {a: 1}
      jobExtraConfigurations: []
      shardingTotalcount: 3
      shrdingTotalCount: 3
      colour: red
`, want: []string{
			`line 4: elasticjob.jobs.a/b: the name of the job: invalid name: "a/b": a slash is not allowed`,
			"line 6: elasticjob.jobs.a/b: elasticJobClass and elasticJobType are both given; want one of them",
			`line 7: elasticjob.jobs.a/b.shardingTotalCount: "0" is not allowed; want a whole number from 1 to 100000`,
			"line 8: " + cleanup + "props.script.command.line: is missing; want the command to start, such as /usr/local/bin/cleanup --all",
			"line 10: " + cleanup + `cron: cron expression "0 0 25 * * ?": hour "25": 25 is out of range; allowed: 0-23 with , - * /`,
			"line 11: " + cleanup + `timeZone: "Asia/Shanghai" is not allowed; want an offset from GMT such as GMT+08:00; names such as Asia/Shanghai go into scheduleZone`,
			"line 12: " + cleanup + `shardingTotalCount: "three" is not allowed; want a whole number from 1 to 100000`,
			"line 13: " + cleanup + "shardingItemParameters: Sharding item parameters '0=a,1' format error, should be int=xx,int=xx",
			"line 15: " + cleanup + `failover: "maybe" is not allowed; want true or false`,
			"line 16: " + cleanup + `maxTimeDiffSeconds: "1.5" is not allowed; want a whole number from -1 to 31536000`,
			"line 17: " + cleanup + `reconcileIntervalMinutes: "010" is not allowed; want a whole number from -1 to 525600`,
			"line 18: " + cleanup + `jobShardingStrategyType: "AVERAGE" is not allowed; want AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, SINGLE_SHARDING_BALANCE`,
			"line 19: " + cleanup + `jobExecutorServiceHandlerType: "GPU" is not allowed; want CPU, SINGLE_THREAD`,
			"line 20: " + cleanup + "jobExecutorThreadPoolSizeProviderType: is the same as jobExecutorServiceHandlerType in line 19; want one of them",
			"line 21: " + cleanup + `jobErrorHandlerType: "PAGER" is not allowed; want DINGTALK, EMAIL, IGNORE, LOG, THROW, WECHAT`,
			"line 22: " + cleanup + `jobListenerTypes[1]: "c" is not allowed; want a listener this program has registered (a, b); listeners are code`,
			"line 23: " + cleanup + `timeoutMilliseconds: "-5" is not allowed; want a whole number from 0 to 2147483647`,
			"line 24: " + cleanup + "eagerFailover: needs failover, which is off",
			"line 25: " + cleanup + "description: is a list, want a text",
			"line 26: " + cleanup + "jobParameter: is a mapping, want a text",
			"line 27: " + cleanup + "jobExtraConfigurations: cannot be given here, not in Java either; tracing belongs into elasticjob.tracing",
			"line 28: " + cleanup + "shardingTotalCount: is given twice, first in line 12",
			"line 29: " + cleanup + "shrdingTotalCount: unknown key; did you mean shardingTotalCount?",
			"line 30: " + cleanup + "colour: unknown key; allowed: elasticJobType, elasticJobClass, cron, timeZone, scheduleZone, scheduleFrom, scheduleUntil, scheduleExclude, scheduleJitterMilliseconds, shardingTotalCount, shardingItemParameters, jobParameter, monitorExecution, failover, eagerFailover, misfire, maxTimeDiffSeconds, reconcileIntervalMinutes, jobShardingStrategyType, jobExecutorServiceHandlerType, jobExecutorThreadPoolSizeProviderType, jobErrorHandlerType, jobListenerTypes, description, title, props, disabled, overwrite, staticSharding, timeoutMilliseconds, runAssign, runOverlap, runRetries, runBackoffMilliseconds, runBackoffMaxMilliseconds, runLost, runExpiryMinutes, runKeep, pauseAfterFailures, runLog, runParameters, label, jobBootstrapBeanName, maxWaitMillis",
		},
	},
	"W11 two zones": {text: oneJob("timeZone: GMT+8", "scheduleZone: Asia/Shanghai"), want: []string{
		"line 9: " + cleanup + "scheduleZone: timeZone in line 8 is set, too; want one of them",
	}},
	"W11 unknown zone": {text: oneJob("scheduleZone: Mars/Olympus"), want: []string{
		"line 8: " + cleanup + `scheduleZone: "Mars/Olympus" is not allowed; want an IANA name such as Europe/Berlin`,
	}},
	"failover without marks": {text: oneJob("failover: true", "monitorExecution: false"), want: []string{
		"line 8: " + cleanup + "failover: needs monitorExecution, which is off in line 9",
	}},
	"kinds of jobs": {
		text: center + `  jobs:
    nothing:
    neither: {shardingTotalCount: 1}
    flow: {elasticJobType: DATAFLOW, shardingTotalCount: 1}
    small: {elasticJobType: http, shardingTotalCount: 1}
    own: {elasticJobType: REPORT, shardingTotalCount: 1}
    alien: {elasticJobType: PRINT, shardingTotalCount: 1}
    list: [1]
`, want: []string{
			"line 4: elasticjob.jobs.nothing: the job has no settings; want at least elasticJobType and shardingTotalCount",
			"line 5: elasticjob.jobs.neither: elasticJobType is missing; want SCRIPT or HTTP, or elasticJobClass for a job with code",
			`line 6: elasticjob.jobs.flow.elasticJobType: "DATAFLOW" is not a type in ElasticJob; declare a job with code by its elasticJobClass, and serve it from your own program. Without code, the types are SCRIPT and HTTP`,
			`line 7: elasticjob.jobs.small.elasticJobType: "http" is not allowed; want HTTP, in capitals`,
			`line 9: elasticjob.jobs.alien.elasticJobType: "PRINT" is not allowed; want one of SCRIPT, HTTP, REPORT, or elasticJobClass for a job with code`,
			"line 10: elasticjob.jobs.list: is a list, want keys below it",
		},
	},
	"HTTP without and with the wrong properties": {
		text: center + `  jobs:
    ping: {elasticJobType: HTTP, shardingTotalCount: 1, props: {http.method: PATCH}}
    pong:
      elasticJobType: HTTP
      shardingTotalCount: 1
      props: {http: {uri: "ftp://u:hunter2@host", method: GET, read.timeout.milliseconds: fast}}
    odd: {elasticJobType: HTTP, shardingTotalCount: 1, props: [a]}
`, want: []string{
			"line 4: elasticjob.jobs.ping.props.http.uri: is missing; want the address to call, http://… or https://…",
			`line 4: elasticjob.jobs.ping.props.http.method: "PATCH" is not allowed; want GET, POST, PUT, DELETE, HEAD, OPTIONS, TRACE`,
			`line 8: elasticjob.jobs.pong.props.http.uri: *** is not allowed; want an address of the form http://… or https://…`,
			`line 8: elasticjob.jobs.pong.props.http.read.timeout.milliseconds: "fast" is not allowed; want a whole number from 1 to 2147483647, in milliseconds`,
			"line 9: elasticjob.jobs.odd.props: is a list, want names and texts",
		},
	},
	"an unbalanced command": {text: strings.Replace(oneJob(), "/bin/true", `"sh -c 'x"`, 1), want: []string{
		`line 4: elasticjob.jobs.cleanup: add job "cleanup": Script: unbalanced ' in script command line "sh -c 'x"`,
	}},
	"settings of an error handler": {text: oneJob("jobErrorHandlerType: EMAIL"), want: []string{
		"line 8: " + cleanup + "jobErrorHandlerType: EMAIL: The property `email.host` is required.",
		"line 8: " + cleanup + "jobErrorHandlerType: EMAIL: The property `email.port` is required.",
		"line 8: " + cleanup + "jobErrorHandlerType: EMAIL: The property `email.username` is required.",
		"line 8: " + cleanup + "jobErrorHandlerType: EMAIL: The property `email.password` is required.",
		"line 8: " + cleanup + "jobErrorHandlerType: EMAIL: The property `email.from` is required.",
		"line 8: " + cleanup + "jobErrorHandlerType: EMAIL: The property `email.to` is required.",
	}},
	"tracing and dump": {
		text: oneJob() + `  tracing:
    type: MONGO
    includeJobNames: [cleanpu]
    excludeJobNames: cleanup, elsewhere
  dump:
    enabled: true
    prot: 1
`, want: []string{
			`line 9: elasticjob.tracing.type: "MONGO" is not allowed; want RDB`,
			`line 10: elasticjob.tracing.includeJobNames[0]: the file has no job "cleanpu"; did you mean cleanup?`,
			"line 11: elasticjob.tracing: includeJobNames and excludeJobNames are both given; want one of them",
			"line 12: elasticjob.dump.port: is missing; want 0 to 65535; without a dump service leave elasticjob.dump out",
			"line 14: elasticjob.dump.prot: unknown key; did you mean port?",
		},
	},
	"tracing without a type or an address": {
		text: center + "  tracing: {dataSource: {username: a}}\n", want: []string{
			"line 3: elasticjob.tracing.type: is missing; want RDB, or nothing at all under elasticjob.tracing",
		},
	},
	"a data source without an address": {
		text: center + "  tracing: {type: RDB, dataSource: {username: a}}\n", want: []string{
			"line 3: elasticjob.tracing.dataSource.url: is missing; want jdbc:mysql://host:3306/name, jdbc:postgresql://host:5432/name, jdbc:sqlite:file, or a DSN",
		},
	},
}

func TestEveryProblemHasLineKeyValueAndWhatIsAllowed(t *testing.T) {
	t.Parallel()
	for name, tt := range fileProblems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := problems(t, tt.env, tt.text)
			// A list of keys may only differ in case, which doesn't matter.
			for i := range got {
				got[i] = strings.TrimSuffix(got[i], ": elasticJobType, "+tail(got[i]))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if strings.Contains(strings.Join(got, "\n"), "hunter2") {
				t.Errorf("a secret is shown:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// tail is the list of keys at the end of an error about a job that is no mapping.
func tail(s string) string {
	if before, after, ok := strings.Cut(s, "want keys below it: elasticJobType, "); ok && before != "" {
		return after
	}
	return "\x00"
}

// TestAliasesDoNotFillTheMemory: a few lines that expand to billions of texts are refused at once.
func TestAliasesDoNotFillTheMemory(t *testing.T) {
	t.Parallel()
	bomb := "a0: &a0 {x: y}\n"
	for i := range 20 {
		bomb += fmt.Sprintf("a%d: &a%d {l: *a%d, m: *a%[3]d, n: *a%[3]d}\n", i+1, i+1, i)
	}
	merges := "b0: &b0 {x: y}\n"
	for i := range 20 {
		merges += fmt.Sprintf("b%d: &b%d {<<: [*b%d, *b%[3]d, *b%[3]d]}\n", i+1, i+1, i)
	}
	for _, text := range []string{
		bomb + oneJob() + "    x: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: *a20}\n",
		merges + oneJob() + "    x: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: *b20}\n",
		oneJob() + "    x: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: &p {q: *p}}\n",
		oneJob() + "    x: &x {elasticJobType: SCRIPT, shardingTotalCount: 1, <<: *x}\n",
	} {
		got := problems(t, nil, text)
		if len(got) == 0 || len(got) > 3 || !strings.Contains(strings.Join(got, "\n"), "entries, or nests deeper than") {
			t.Errorf("got %d problems: %.500v", len(got), got)
		}
	}
}

// TestErrorNamesTheFile: a missing file is no *Error.
func TestErrorNamesTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "night.yaml")
	if err := os.WriteFile(file, []byte("elasticjob:\n  jobs:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := jobfile.Load(file); err == nil || !strings.HasPrefix(err.Error(), "night.yaml: 2 problems:\n  line 1: elasticjob.regCenter") {
		t.Errorf("got %v", err)
	}
	if _, err := jobfile.Load(file + ".no"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestW55EtcdIsRefused: a job file for upstream's etcd registry must not create agents of a
// ZooKeeper at that address, and the error points to the reasons.
func TestW55EtcdIsRefused(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"etcd", "ETCD"} {
		text := strings.Replace(oneJob(), "namespace: test", "type: "+kind+", namespace: test", 1)
		if _, err := jobfile.Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "docs/java.md") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
