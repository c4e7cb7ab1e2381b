package cloud

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// The fields of upstream's answers, in 3.0.4 and, for types that 2.1.5 alone has, in 2.1.5.
const (
	fieldsOfApp       = "appName appURL bootstrapScript cpuCount memoryMB appCacheEnable eventTraceSamplingCount"
	fieldsOfJob       = "appName cpuCount memoryMB jobExecutionType jobName cron shardingTotalCount shardingItemParameters jobParameter monitorExecution failover misfire maxTimeDiffSeconds reconcileIntervalMinutes jobShardingStrategyType jobExecutorServiceHandlerType jobErrorHandlerType description props disabled overwrite"
	fieldsOfExecution = "id hostname ip taskId jobName source shardingItem startTime completeTime success failureCause"
	fieldsOfStatus    = "id jobName originalTaskId taskId slaveId source executionType shardingItems state message creationTime"
	fieldsOfRunning   = "id runningCount statisticsTime creationTime"
	fieldsOfResult    = "id successCount failedCount statisticInterval statisticsTime creationTime"
)

// goldenRequest is a request of one of upstream's addresses. A row in rows, or else the answer or its
// first element, has upstream's fields.
type goldenRequest struct{ method, route, path, body, fields string }

const goldenPeriod = "interval=hour&from=2026-11-22T10:00:00Z&to=2026-11-22T12:30:00Z"

var goldenRequests = []goldenRequest{
	{"POST", "/api/app", "", `{"appName":"foo_app","appURL":"file:///srv/foo.tar.gz","cpuCount":0.1,"memoryMB":64.0,"bootstrapScript":"bin/start.sh","appCacheEnable":true,"eventTraceSamplingCount":0}`, ""},
	{"POST", "/api/app/register", "", `{"appName":"bar_app","bootstrapScript":"bin/start.sh"}`, ""},
	{"PUT", "/api/app", "", `{"appName":"foo_app","appCacheEnable":true}`, ""},
	{"POST", "/api/app/update", "", `{"appName":"foo_app","eventTraceSamplingCount":10}`, ""},
	{"GET", "/api/app/list", "", "", fieldsOfApp},
	{"GET", "/api/app/:app", "/api/app/foo_app", "", fieldsOfApp},
	{"GET", "/api/app/:app/disable", "/api/app/foo_app/disable", "", ""},
	{"POST", "/api/app/:app/disable", "/api/app/foo_app/disable", "", ""},
	{"DELETE", "/api/app/:app/disable", "/api/app/foo_app/disable", "", ""},
	{"POST", "/api/app/:app/enable", "/api/app/foo_app/enable", "", ""},
	{"DELETE", "/api/app/:app", "/api/app/bar_app", "", ""},
	{"POST", "/api/job/register", "", `{"appName":"foo_app","cpuCount":0.1,"memoryMB":64.0,"jobExecutionType":"TRANSIENT","jobName":"foo_job","cron":"0/5 * * * * ?","shardingTotalCount":5}`, ""},
	{"PUT", "/api/job/update", "", `{"jobName":"foo_job","failover":true}`, ""},
	{"POST", "/api/job/update", "", `{"jobName":"foo_job","misfire":true}`, ""},
	{"GET", "/api/job/jobs", "", "", fieldsOfJob},
	{"GET", "/api/job/jobs/:job", "/api/job/jobs/foo_job", "", fieldsOfJob},
	{"GET", "/api/job/:job/disable", "/api/job/foo_job/disable", "", ""},
	{"POST", "/api/job/:job/disable", "/api/job/foo_job/disable", "", ""},
	{"DELETE", "/api/job/:job/disable", "/api/job/foo_job/disable", "", ""},
	{"POST", "/api/job/:job/enable", "/api/job/foo_job/enable", "", ""},
	{"POST", "/api/job/trigger", "", "foo_job", ""},
	{"GET", "/api/job/tasks/running", "", "", "id metaInfo type slaveId idle"},
	{"GET", "/api/job/tasks/ready", "", "", "jobName times"},
	{"GET", "/api/job/tasks/failover", "", "", "taskInfo originalTaskId"},
	{"GET", "/api/job/events/executions", "/api/job/events/executions?per_page=10&page=1&sort=startTime&order=DESC", "", fieldsOfExecution},
	{"POST", "/api/job/events/executions", "", `{"per_page":10,"page":1}`, fieldsOfExecution},
	{"GET", "/api/job/events/statusTraces", "/api/job/events/statusTraces?per_page=10&page=1", "", fieldsOfStatus},
	{"POST", "/api/job/events/statusTraces", "", `{"per_page":10,"page":1}`, fieldsOfStatus},
	{"GET", "/api/job/statistics/tasks/results", "/api/job/statistics/tasks/results?" + goldenPeriod, "", fieldsOfResult},
	{"GET", "/api/job/statistics/tasks/results/:period", "/api/job/statistics/tasks/results/lastHour", "", fieldsOfResult},
	{"GET", "/api/job/statistics/tasks/running", "/api/job/statistics/tasks/running?" + goldenPeriod, "", fieldsOfRunning},
	{"GET", "/api/job/statistics/jobs/running", "/api/job/statistics/jobs/running?" + goldenPeriod, "", fieldsOfRunning},
	{"GET", "/api/job/statistics/jobs/register", "/api/job/statistics/jobs/register?" + goldenPeriod, "", "id registeredCount statisticsTime creationTime"},
	{"GET", "/api/job/statistics/jobs/executionType", "", "", "transientJobCount daemonJobCount"},
	{"GET", "/api/job/statistics/jobs/type", "", "", "scriptJobCount simpleJobCount dataflowJobCount"},
	{"POST", "/api/operate/reconcile/explicit", "", "", ""},
	{"POST", "/api/operate/reconcile/implicit", "", "", ""},
	{"GET", "/api/operate/sandbox", "/api/operate/sandbox?appName=billing", "", "hostname path"},
	{"DELETE", "/api/job/:job/deregister", "/api/job/foo_job/deregister", "", ""},
	{"DELETE", "/api/job/deregister", "", "invoices", ""},
}

// TestW42GoldenAnswers: each of the forty addresses of upstream's REST interface has its recorded answer,
// with upstream's fields. Run with UPDATE_GOLDEN=1 after a change that is meant.
func TestW42GoldenAnswers(t *testing.T) {
	t.Parallel()
	const golden = "testdata/upstream-answers.txt"
	b := consoletest.New(t)
	b.History.Rows = []tracing.Execution{
		{ID: "e-lite", JobName: "mail-digest", TaskID: "mail-digest@-@0@-@READY@-@10.2.0.14@-@7", Source: tracing.SourceNormal, StartTime: consoletest.Noon},
		{ID: "e-1", Hostname: "host-1", IP: "10.0.0.1", JobName: "invoices", TaskID: "invoices@-@0@-@READY@-@node@-@uid-1", Source: tracing.SourceNormal, StartTime: consoletest.Noon, CompleteTime: consoletest.Noon, Success: true},
	}
	b.History.Steps = []tracing.Status{
		{ID: "s-lite", JobName: "mail-digest", Source: tracing.StatusSourceLite, State: tracing.StateRunning, CreationTime: consoletest.Noon},
		{ID: "s-1", JobName: "invoices", TaskID: "invoices@-@0@-@READY@-@node@-@uid-1", SlaveID: "node", Source: "CLOUD_SCHEDULER", ExecutionType: "READY", Items: []int{0}, State: tracing.StateRunning, CreationTime: consoletest.Noon},
	}
	var text strings.Builder
	for _, g := range goldenRequests {
		if g.path == "" {
			g.path = g.route
		}
		if strings.HasSuffix(g.route, "failover") { // A shard that waits for its next attempt.
			b.Cloud.Engine.SetTask(consoletest.SampleRun, 1, func(t *cloud.Task) { t.State, t.Retry = tracing.StateFailed, true })
		}
		at := b
		if strings.HasSuffix(g.route, "implicit") { // Two in ten seconds are refused.
			at = consoletest.New(t)
		}
		r := asUpstream(t, at, g.method, g.path, g.body)
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s %s: status %d", g.method, g.path, r.StatusCode)
		}
		checkFields(t, g, r.Body)
		fmt.Fprintf(&text, "%s %s %s\n%s\n\n", g.method, g.path, g.body, strings.TrimSpace(r.Body))
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	recorded, got := strings.Split(string(want), "\n\n"), strings.Split(text.String(), "\n\n")
	for i := range got {
		if i >= len(recorded) || got[i] != recorded[i] {
			t.Errorf("got\n%s\nwant\n%s", got[i], recorded[min(i, len(recorded)-1)])
		}
	}
	var missing []string
	upstream := table{b.Console}.upstream()
	for _, r := range b.Console.Routes() {
		results := strings.HasPrefix(r.Path, upstreamStatistics+"/tasks/results")
		if !results && !slices.ContainsFunc(upstream, func(u app.Route) bool { return u.Method == r.Method && u.Path == r.Path }) {
			continue
		}
		if !slices.ContainsFunc(goldenRequests, func(g goldenRequest) bool { return g.method == r.Method && g.route == r.Path }) {
			missing = append(missing, r.Method+" "+r.Path)
		}
	}
	if len(goldenRequests) != 40 || missing != nil {
		t.Errorf("%d answers are recorded, without %v", len(goldenRequests), missing)
	}
}

// checkFields checks that an answer has upstream's fields and no row of an agent.
func checkFields(t *testing.T, g goldenRequest, body string) {
	t.Helper()
	if strings.Contains(body, "lite") || strings.Contains(body, "mail-digest") {
		t.Errorf("%s %s: rows of agents: %s", g.method, g.path, body)
	}
	var answer any
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatalf("%s %s: %v: %s", g.method, g.path, err, body)
	}
	if page, ok := answer.(map[string]any); ok && page["rows"] != nil {
		answer = page["rows"]
	}
	if list, ok := answer.([]any); ok && len(list) > 0 {
		answer = list[0]
	}
	object, _ := answer.(map[string]any)
	for _, field := range strings.Fields(g.fields) {
		if _, there := object[field]; !there {
			t.Errorf("%s %s has no %s: %s", g.method, g.path, field, body)
		}
	}
}
