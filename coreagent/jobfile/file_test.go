package jobfile_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func quiet(context.Context, *coreagent.LocalRun) error { return nil }

// parse reads a text in an environment, for a program that has registered two listeners and a type.
func parse(env map[string]string, text string) (*jobfile.File, error) {
	config := coreagent.Config{
		Listeners: []coreagent.Listener{{Name: "a", Before: quiet}, {Name: "b", After: quiet}},
		Types:     map[string]coreagent.Handler{"REPORT": coreagent.HandlerFunc(nil)},
	}
	return jobfile.Options{Config: config, Env: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}}.Parse(strings.NewReader(text))
}

// mustParse reads a text without mistakes.
func mustParse(t *testing.T, env map[string]string, text string) *jobfile.File {
	t.Helper()
	f, err := parse(env, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// center is the minimum of a file in addition to its jobs.
const center = `elasticjob:
  regCenter: {serverLists: "127.0.0.1:2181", namespace: test}
`

// oneJob returns a file with a script job and some more keys.
func oneJob(lines ...string) string {
	text := center + "  jobs:\n    cleanup:\n      elasticJobType: SCRIPT\n      shardingTotalCount: 2\n      props: {script.command.line: /bin/true}\n"
	for _, line := range lines {
		text += "      " + line + "\n"
	}
	return text
}

// everything has each key in the spelling of the starter's manual.
const everything = `
spring:
  application:
    name: billing
  datasource:
    url: jdbc:mysql://db:3306/shared
server:
  port: 8080
elasticjob:
  regCenter:
    serverLists: zk1:2181, zk2:2181
    namespace: ${spring.application.name}
    digest: ${ZK_DIGEST}
    sessionTimeoutMilliseconds: 20000
    connectionTimeoutMilliseconds: 3000
    baseSleepTimeMilliseconds: 1000
    maxSleepTimeMilliseconds: 3000
    maxRetries: 3
  jobs:
    cleanup:
      elasticJobType: SCRIPT
      cron: 0 0 3 * * ?
      timeZone: GMT+08:00
      shardingTotalCount: 2
      shardingItemParameters: 0=Beijing,1=Shanghai
      jobParameter: 007
      monitorExecution: true
      failover: true
      misfire: false
      maxTimeDiffSeconds: 60
      reconcileIntervalMinutes: 5
      jobShardingStrategyType: ROUND_ROBIN
      jobExecutorServiceHandlerType: SINGLE_THREAD
      jobErrorHandlerType: IGNORE
      description: "清理"
      title: "夜间清理"
      props:
        script.command.line: "/usr/local/bin/cleanup --all '\\${HOME}'"
      disabled: true
      overwrite: true
      staticSharding: true
      timeoutMilliseconds: 90000
      runOverlap: skip
      runRetries: 3
      runBackoffMilliseconds: 5000
      runBackoffMaxMilliseconds: 60000
      runLost: fail
      runExpiryMinutes: -1
      runKeep: 20
      pauseAfterFailures: 4
      runLog: false
      runParameters: '{"type":"object","properties":{"days":{"type":"integer"}}}'
    ping:
      elasticJobType: HTTP
      jobBootstrapBeanName: pingBean
      shardingTotalCount: 1
      props:
        http:
          uri: http://shop/ping
          method: POST
          data: a=b
          connect.timeout.milliseconds: 100
    invoices:
      elasticJobClass: com.acme.InvoiceJob
      cron: 0/5 * * * * ?
      shardingTotalCount: 3
      monitorExecution: off
      reconcileIntervalMinutes: 0
      maxTimeDiffSeconds: -1
  tracing:
    type: RDB
    excludeJobNames: [ping]
    dataSource:
      url: jdbc:mysql://db:3306/jobs?useSSL=false
      driverClassName: com.mysql.cj.jdbc.Driver
      username: ops
      password: ${DB_PASSWORD}
  dump:
    port: 9888
  worker:
    maxParallel: 64
    executors: {io: 50}
    debug: requests
  runLog:
    level: warn
    lines: 500
    kilobytes: 64
`

var everythingParsed = jobfile.File{
	Enabled: true,
	Config: coreagent.Config{Namespace: "billing", ZooKeeper: registry.ZooKeeper{
		Servers: []string{"zk1:2181", "zk2:2181"}, Digest: "agent:s3cret",
		SessionTimeout: 20 * time.Second, ConnectTimeout: 3 * time.Second,
	}, Dump: coreagent.Dump{Port: 9888}, MaxParallel: 64, Executors: []coreagent.Executor{{Name: "io", Parallel: 50}}, Debug: coreagent.DebugRequests,
		RunLog: coreagent.RunLog{Level: slog.LevelWarn, Lines: 500, Bytes: 64 << 10}},
	Jobs: []jobfile.Job{
		{Line: 20, Job: coreagent.Job{Type: "SCRIPT", Executor: coreagent.SingleThread, ErrorHandler: coreagent.IgnoreErrors,
			Name: "cleanup", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?", Zone: "GMT+08:00", SkipMisfires: true}, Shards: 2, ShardParameters: "0=Beijing,1=Shanghai",
			Parameter: "007", Failover: true, MaxTimeDiff: time.Minute,
			ReconcileInterval: 5 * time.Minute, Strategy: coreagent.RoundRobin, Title: "夜间清理", Description: "清理", Disabled: true, Overwrite: true,
			StaticSharding: true, Timeout: 90 * time.Second,
			Requests: coreagent.Requests{Overlap: coreagent.OverlapSkip, Lost: coreagent.LostFail, Expiry: -time.Minute, Keep: 20, Schema: []byte(`{"type":"object","properties":{"days":{"type":"integer"}}}`)}, Retry: coreagent.Retry{Retries: 3, Backoff: 5 * time.Second, MaxBackoff: time.Minute},
			PauseAfter: 4, Unlogged: true,
			Props: map[string]string{"script.command.line": "/usr/local/bin/cleanup --all '${HOME}'"},
		}},
		{Line: 53, Job: coreagent.Job{Type: "HTTP", Name: "ping", Shards: 1, Props: map[string]string{
			"http.uri": "http://shop/ping", "http.method": "POST", "http.data": "a=b", "http.connect.timeout.milliseconds": "100",
		}}},
		{Line: 63, Job: coreagent.Job{
			Name: "invoices", Class: "com.acme.InvoiceJob", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: 3,
			Unmonitored: true, ReconcileInterval: -1,
		}},
	},
	Tracing: jobfile.Tracing{
		RDB: true, Exclude: []string{"ping"},
		Source: jobfile.DataSource{URL: "jdbc:mysql://db:3306/jobs?useSSL=false", Username: "ops", Password: "hunter2", Line: 74},
	},
}

func TestParseReadsEveryKey(t *testing.T) {
	t.Parallel()
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := mustParse(t, map[string]string{"ZK_DIGEST": "agent:s3cret", "DB_PASSWORD_FILE": password}, everything)

	want := &everythingParsed
	if diff := cmp.Diff(want, f, cmpopts.IgnoreFields(jobfile.File{}, "Notes"), cmpopts.IgnoreFields(coreagent.Config{}, "Listeners", "Types")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var notes []string
	for _, n := range f.Notes {
		notes = append(notes, n.Key)
	}
	if diff := cmp.Diff([]string{
		"server", "elasticjob.regCenter.baseSleepTimeMilliseconds", "elasticjob.regCenter.maxSleepTimeMilliseconds",
		"elasticjob.regCenter.maxRetries", "elasticjob.jobs.ping.jobBootstrapBeanName", "elasticjob.tracing.dataSource.driverClassName",
	}, notes); diff != "" {
		t.Errorf("notes, -want +got:\n%s", diff)
	}
	agent, err := coreagent.New(f.Config)
	if err != nil {
		t.Fatal(err)
	}
	err = f.Add(agent, nil)
	if err == nil || !strings.Contains(err.Error(), "com.acme.InvoiceJob") || !strings.Contains(err.Error(), "without code") {
		t.Errorf("a job without a handler: %v", err)
	}
	if agent, err = coreagent.New(f.Config); err != nil {
		t.Fatal(err)
	}
	if err := f.Add(agent, map[string]coreagent.Handler{"com.acme.InvoiceJob": coreagent.HandlerFunc(nil)}); err != nil {
		t.Errorf("with a handler for the class: %v", err)
	}
}

// TestSpellings: spellings that are equal for Spring are equal.
func TestSpellings(t *testing.T) {
	t.Parallel()
	want := mustParse(t, nil, oneJob("cron: 0 0 3 * * ?", "jobListenerTypes: [a, b]", "misfire: false"))
	for name, text := range map[string]string{
		"kebab case": `elasticjob:
  reg-center: {server-lists: "127.0.0.1:2181", namespace: test}
  jobs:
    cleanup:
      elastic-job-type: SCRIPT
      sharding-total-count: 2
      props: {script.command.line: /bin/true}
      cron: 0 0 3 * * ?
      job-listener-types: a, b
      misfire: no
`,
		"underscores": `elasticjob:
  reg_center: {server_lists: ["127.0.0.1:2181"], namespace: test}
  jobs: {cleanup: {elastic_job_type: SCRIPT, sharding_total_count: "2", props: {script: {command: {line: /bin/true}}}, cron: "0 0 3 * * ?", job_listener_types: "a,b", misfire: "OFF"}}
`,
		"dots": `elasticjob.reg-center.server-lists: 127.0.0.1:2181
elasticjob.regCenter.namespace: test
elasticjob.jobs.cleanup.elasticJobType: SCRIPT
elasticjob.jobs:
  cleanup.shardingTotalCount: 2
  cleanup.props.script.command.line: /bin/true
elasticjob:
  jobs.cleanup: {cron: "0 0 3 * * ?", jobListenerTypes: [a, b], misfire: 0}
`,
		"brackets": `elasticjob:
  regCenter: {serverLists: "127.0.0.1:2181", namespace: test}
  jobs: {"[cleanup]": {elasticJobType: SCRIPT, shardingTotalCount: 2, cron: "0 0 3 * * ?", jobListenerTypes: [a, b], misfire: off, props: {"[script.command.line]": /bin/true}}}
`,
		"merge keys": `x: &defaults {shardingTotalCount: 7, misfire: false, jobListenerTypes: [a, b], props: {dropped: whole}}
elasticjob:
  regCenter: {serverLists: &zk "127.0.0.1:2181", namespace: test}
  jobs:
    cleanup:
      <<: *defaults
      elasticJobType: SCRIPT
      cron: 0 0 3 * * ?
      shardingTotalCount: 2
      props: {script.command.line: /bin/true}
`,
	} {
		f := mustParse(t, nil, text)
		if diff := cmp.Diff(want, f, cmpopts.IgnoreFields(jobfile.File{}, "Notes"), cmpopts.IgnoreFields(coreagent.Config{}, "Listeners", "Types"), cmpopts.IgnoreFields(jobfile.Job{}, "Line")); diff != "" {
			t.Errorf("%s, -want +got:\n%s", name, diff)
		}
	}
}

// TestSharedDataSource: without its own data source, tracing uses the Spring application's, as in Java.
func TestSharedDataSource(t *testing.T) {
	t.Parallel()
	const shared = "spring.datasource:\n  url: jdbc:mysql://db/app\n  username: app\n  password: ${PW}\n  hikari: {maximum-pool-size: 3}\n"
	for tracing, want := range map[string]jobfile.DataSource{
		"{type: RDB}":                                   {URL: "jdbc:mysql://db/app", Username: "app", Password: "hunter2", Line: 2},
		"{type: RDB, data-source: {}}":                  {URL: "jdbc:mysql://db/app", Username: "app", Password: "hunter2", Line: 2},
		"{type: rdb, dataSource: {url: jdbc:sqlite:x}}": {URL: "jdbc:sqlite:x", Line: 13},
		"": {},
	} {
		f := mustParse(t, map[string]string{"PW": "hunter2"}, shared+oneJob()+"  tracing: "+tracing+"\n")
		if f.Tracing.Source != want || f.Tracing.RDB != (tracing != "") {
			t.Errorf("%s: got %+v, %#v", tracing, f.Tracing.RDB, f.Tracing.Source)
		}
		if text := fmt.Sprintf("%v %+v %#v %s", f.Tracing, f.Tracing, f.Tracing.Source, f.Tracing.Source); strings.Contains(text, "hunter2") {
			t.Errorf("printing shows the password: %s", text)
		}
	}
}

// recorded counts events by job.
type recorded map[string]int

func (r recorded) RecordExecution(e tracing.Execution) { r[e.JobName]++ }
func (r recorded) RecordStatus(s tracing.Status)       { r[s.JobName]++ }

func TestTracingRecordsWhatItShould(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tracing jobfile.Tracing
		want    recorded
	}{
		{jobfile.Tracing{}, recorded{}},
		{jobfile.Tracing{RDB: true}, recorded{"a": 2, "b": 2, "c": 2}},
		{jobfile.Tracing{RDB: true, Include: []string{"a", "x"}}, recorded{"a": 2}},
		{jobfile.Tracing{RDB: true, Exclude: []string{"a"}}, recorded{"b": 2, "c": 2}},
	} {
		got := recorded{}
		r := tt.tracing.Recorder(got)
		for _, job := range []string{"a", "b", "c"} {
			r.RecordExecution(tracing.Execution{JobName: job})
			r.RecordStatus(tracing.Status{JobName: job})
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v, -want +got:\n%s", tt.tracing, diff)
		}
	}
}

// runRecorder also records requested runs, and whether its agent has stopped.
type runRecorder struct{ recorded }

func (r runRecorder) RecordRun(e tracing.RunRecord)     { r.recorded[e.JobName]++ }
func (r runRecorder) RecordRunStep(e tracing.RunStep)   { r.recorded[e.JobName]++ }
func (r runRecorder) RecordLogLine(e tracing.LogLine)   { r.recorded[e.JobName]++ }
func (r runRecorder) RecordProgress(e tracing.Progress) { r.recorded[e.JobName]++ }
func (r runRecorder) AgentStopped(context.Context) error {
	r.recorded["stopped"]++
	return nil
}

// TestW10FilterKeepsTheRecordersAbilities: a recorder behind includeJobNames or excludeJobNames
// still records requested runs, and still closes with the agent.
func TestW10FilterKeepsTheRecordersAbilities(t *testing.T) {
	t.Parallel()
	got := recorded{}
	r := jobfile.Tracing{RDB: true, Exclude: []string{"a"}}.Recorder(runRecorder{got}).(tracing.RunRecorder)
	for _, job := range []string{"a", "b"} {
		r.RecordRun(tracing.RunRecord{JobName: job})
		r.RecordRunStep(tracing.RunStep{JobName: job})
		r.RecordLogLine(tracing.LogLine{JobName: job})
		r.RecordProgress(tracing.Progress{JobName: job})
	}
	if err := r.(tracing.AgentRecorder).AgentStopped(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(recorded{"b": 4, "stopped": 1}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("from a file\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"A": "1", "MY_APP_NAME": "relaxed", "EMPTY": "", "TOKEN_FILE": secret, "LOOP_FILE": ""}
	for written, want := range map[string]string{
		`${A}`: "1", `x${A}y${A}`: "x1y1", `${B:two}`: "two", `${B:}`: "", `${B:${A}}`: "1", `${B:${C:d}}e`: "de",
		`${EMPTY:other}`: "", `${my.app-name}`: "relaxed", `${TOKEN}`: "from a file", `${B:a:b}`: "a:b",
		`\${A}`: "${A}", `${A`: "${A", `$A $$ {A}`: "$A $$ {A}", `${elasticjob.reg-center.namespace}!`: "test!",
		`${elasticjob.jobs.cleanup.description:none}`: "none",
	} {
		f := mustParse(t, env, oneJob("jobParameter: '"+written+"'"))
		if got := f.Jobs[0].Parameter; got != want {
			t.Errorf("%s: got %q, want %q", written, got, want)
		}
	}
	for written, want := range map[string]string{
		`${B}`:      "${B} is set neither in the environment nor in the file; set the variable B, or B_FILE to the name of a file, or give a default: ${B:value}",
		`${my.app}`: "${my.app} is set neither",
		`${elasticjob.jobs.cleanup.jobParameter}`: "placeholders refer to each other",
	} {
		_, err := parse(env, oneJob("jobParameter: '"+written+"'"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", written, err, want)
		}
	}
	if _, err := parse(map[string]string{"B_FILE": filepath.Join(t.TempDir(), "gone")}, oneJob("jobParameter: ${B}")); err == nil || !strings.Contains(err.Error(), "B_FILE") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestW17Executors: the file's thread pools are added to the program's, and its jobs can ask for both.
func TestW17Executors(t *testing.T) {
	t.Parallel()
	load := func(executors, name string) (*jobfile.File, error) {
		return jobfile.Options{Config: coreagent.Config{Executors: []coreagent.Executor{{Name: "db", Parallel: 4}}}}.Parse(strings.NewReader(
			oneJob("jobExecutorServiceHandlerType: "+name) + "  worker: {executors: " + executors + "}\n"))
	}
	for _, name := range []string{"io", "db", "CPU"} {
		f, err := load("{io: 50}", name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff([]coreagent.Executor{{Name: "db", Parallel: 4}, {Name: "io", Parallel: 50}}, f.Config.Executors); diff != "" || f.Jobs[0].Executor.Name != name {
			t.Errorf("%s: the job asks for %q (-want +got):\n%s", name, f.Jobs[0].Executor.Name, diff)
		}
	}
	for executors, want := range map[string]string{
		"{io: 0}":      `line 9: elasticjob.worker.executors.io: "0" is not allowed; want a whole number from 1 to 100000`,
		"{io: many}":   `"many" is not allowed; want a whole number from 1 to 100000`,
		"{io: 100001}": `"100001" is not allowed; want a whole number from 1 to 100000`,
		"{CPU: 3}":     "elasticjob.worker.executors.CPU: is ElasticJob's own",
		"{ui: 1}":      `jobExecutorServiceHandlerType: "io" is not allowed; want CPU, SINGLE_THREAD, db, ui`,
	} {
		if _, err := load(executors, "io"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", executors, err, want)
		}
	}
}

// TestW17JobDefaults: a job has the file's defaults for missing keys.
func TestW17JobDefaults(t *testing.T) {
	t.Parallel()
	const text = `
elasticjob:
  reg-center: {server-lists: "zk1:2181", namespace: billing}
  job-defaults:
    elasticJobType: SCRIPT
    cron: 0 0 3 * * ?
    shardingTotalCount: 2
    jobExecutorServiceHandlerType: SINGLE_THREAD
    runRetries: 3
    jobListenerTypes: [a]
    props: {script.command.line: /bin/default, region: eu}
  jobs:
    plain: {jobParameter: "1"}
    own: {cron: "0 0 4 * * ?", runRetries: 0, jobExecutorThreadPoolSizeProviderType: CPU, jobListenerTypes: [], props: {script.command.line: /bin/own}}
    manual: {cron: ~}
    code: {elasticJobClass: com.acme.Nightly}
`
	file := mustParse(t, nil, text)
	want := map[string]string{
		"plain":  "SCRIPT 0 0 3 * * ? SINGLE_THREAD 3 [a] map[region:eu script.command.line:/bin/default]",
		"own":    "SCRIPT 0 0 4 * * ? CPU 0 [] map[region:eu script.command.line:/bin/own]",
		"manual": "SCRIPT  SINGLE_THREAD 3 [a] map[region:eu script.command.line:/bin/default]",
		"code":   "com.acme.Nightly 0 0 3 * * ? SINGLE_THREAD 3 [a] map[region:eu script.command.line:/bin/default]",
	}
	for _, j := range file.Jobs {
		var listeners []string
		for _, l := range j.Listeners {
			listeners = append(listeners, l.Name)
		}
		got := fmt.Sprint(j.Type+j.Class, " ", j.Schedule.Cron, " ", j.Executor.Name, " ", j.Retry.Retries, " ", listeners, " ", j.Props)
		if got != want[j.Name] || j.Shards != 2 {
			t.Errorf("%s: %s, %d shards, want %s", j.Name, got, j.Shards, want[j.Name])
		}
	}
	if len(file.Jobs) != 4 {
		t.Errorf("%d jobs", len(file.Jobs))
	}
	_, err := parse(nil, strings.Replace(text, "0 0 3 * * ?", "at three", 1))
	if err == nil || strings.Count(err.Error(), "line 6: elasticjob.jobDefaults.cron: ") != 1 {
		t.Errorf("a default that is wrong: %v", err)
	}
}
