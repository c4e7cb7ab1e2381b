package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// askCloud is the request that gets a route of ElasticJob-Cloud to answer with a status.
func askCloud(r app.Route, status int) (ask, bool) {
	switch r.Path {
	case "/api/cloud/runs/:run/rerun":
		return rerunOf(status), true
	case "/api/cloud/apply":
		return applyOf(status)
	case "/api/cloud/import":
		return importOf(status)
	case "/api/cloud/jobs/:job/manifest":
		return manifestOf(status)
	case event.Path:
		return reportOf(status), true
	}
	switch status {
	case http.StatusNotFound:
		return ask{prepare: func(b *consoletest.Bench) { b.Console.Options().Cloud = nil }}, true
	case http.StatusServiceUnavailable:
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Fail(errors.New("asked to fail")) }}, true
	case http.StatusNotImplemented:
		given := ask{prepare: func(b *consoletest.Bench) { b.Cloud.Engine.Cannot.Store(true) }}
		switch r.Method + " " + r.Path {
		case "POST /api/cloud/jobs":
			given.body = strings.Replace(r.Operation().Example, `"appName":"shelves"`, `"appName":"billing","jobExecutionType":"DAEMON"`, 1)
		case "PUT /api/cloud/jobs/:job":
			given.body = `{"jobExecutionType":"DAEMON"}`
			given.prepare = func(b *consoletest.Bench) {
				b.Cloud.Engine.Cannot.Store(true)
				b.Call(b.T, http.MethodPost, "/api/cloud/jobs/invoices/disable", "")
			}
		case "POST /api/cloud/jobs/:job/disable", "POST /api/cloud/apps/:app/disable":
			given.path = consoletest.Filled(r.Path) + "?running=suspend"
		}
		return given, true
	case http.StatusConflict:
		return conflictOf(r)
	case http.StatusPreconditionFailed:
		return ask{headers: []string{`If-Match: "another"`}}, true
	case http.StatusUnprocessableEntity:
		return invalidOf(r)
	case http.StatusCreated:
		if r.Path == "/api/cloud/jobs" {
			return ask{body: strings.Replace(r.Operation().Example, `"shelves"`, `"billing"`, 1)}, true
		}
	}
	return ask{}, false
}

// rerunOf is a request to run again what has ended, or 409 as it goes on.
func rerunOf(status int) ask {
	switch status {
	case http.StatusConflict:
		return ask{}
	case http.StatusNotFound:
		return ask{prepare: func(b *consoletest.Bench) { b.Console.Options().Cloud = nil }}
	case http.StatusServiceUnavailable:
		return ask{prepare: func(b *consoletest.Bench) { killed(b); b.Cloud.Fail(errors.New("asked to fail")) }}
	case http.StatusUnprocessableEntity:
		return ask{prepare: killed, body: `{"shards":[7]}`}
	}
	return ask{prepare: killed}
}

func conflictOf(r app.Route) (ask, bool) {
	overtaken := func(b *consoletest.Bench) { b.Cloud.Fail(fmt.Errorf("asked to fail: %w", cloud.ErrConflict)) }
	switch r.Method + " " + r.Path {
	case "POST /api/cloud/apps":
		return ask{body: strings.Replace(r.Operation().Example, `"shelves"`, `"billing"`, 1)}, true
	case "POST /api/cloud/jobs":
		return ask{body: strings.NewReplacer(`"shelves"`, `"billing"`, "shelves-nightly", "invoices").Replace(r.Operation().Example)}, true
	case "DELETE /api/cloud/apps/:app":
		return ask{path: "/api/cloud/apps/billing"}, true
	case "POST /api/cloud/jobs/:job/trigger":
		return ask{prepare: func(b *consoletest.Bench) { b.Call(b.T, http.MethodPost, "/api/cloud/jobs/invoices/disable", "") }}, true
	}
	if strings.HasPrefix(r.Path, "/api/cloud/runs/:run") {
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Engine.FinishAll(consoletest.SampleRun) }}, true
	}
	return ask{prepare: overtaken}, true
}

func invalidOf(r app.Route) (ask, bool) {
	switch {
	case strings.HasSuffix(r.Path, "/log"):
		return ask{path: consoletest.Filled(r.Path) + "?tail=0"}, true
	case strings.HasSuffix(r.Path, "/runs"):
		return ask{path: consoletest.Filled(r.Path) + "?limit=1001"}, true
	case strings.HasSuffix(r.Path, "/disable"):
		return ask{path: consoletest.Filled(r.Path) + "?running=perhaps"}, true
	}
	return ask{body: `{"cpuCount":0,"shards":[7]}`}, true
}

// killed ends the run of the sample without a success.
func killed(b *consoletest.Bench) {
	b.Call(b.T, http.MethodPost, "/api/cloud/runs/"+consoletest.SampleRun+"/kill", "")
}

// applyOf are documents that are answered with a status.
func applyOf(status int) (ask, bool) {
	documents := func(list ...string) string { return `{"documents":[` + strings.Join(list, ",") + `]}` }
	switch status {
	case http.StatusNotFound:
		return ask{prepare: func(b *consoletest.Bench) { b.Console.Options().Cloud = nil }}, true
	case http.StatusServiceUnavailable:
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Fail(errors.New("asked to fail")) }}, true
	case http.StatusConflict:
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Fail(fmt.Errorf("asked to fail: %w", cloud.ErrConflict)) }}, true
	case http.StatusNotImplemented:
		daemon := `{"jobName":"watch","appName":"billing","jobExecutionType":"DAEMON","cron":"0/5 * * * * ?","shardingTotalCount":1,"cpuCount":0.1,"memoryMB":16}`
		return ask{body: documents(daemon), prepare: func(b *consoletest.Bench) { b.Cloud.Engine.Cannot.Store(true) }}, true
	case http.StatusForbidden:
		return ask{body: documents(`{"appName":"shell","bootstrapScript":"date","shell":true}`), prepare: func(b *consoletest.Bench) { b.Console.Options().CommandChanges = false }}, true
	case http.StatusUnprocessableEntity:
		return ask{body: documents()}, true
	case http.StatusRequestEntityTooLarge:
		return ask{body: `{"documents":["` + strings.Repeat("x", 4<<20) + `"]}`}, true
	}
	return ask{}, false
}

// importOf is a request for an import that is answered with a status.
func importOf(status int) (ask, bool) {
	away := func(err error) ask {
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.TreeErr.Store(&err) }}
	}
	switch status {
	case http.StatusNotFound:
		return away(zkstore.ErrNoTree), true
	case http.StatusForbidden:
		return away(zkstore.ErrTreeForbidden), true
	case http.StatusServiceUnavailable:
		return away(errors.New("asked to fail")), true
	case http.StatusConflict:
		return ask{body: `{"tree":{"apps":{},"jobs":{"late":{"document":"{\"appName\":\"billing\",\"shardingTotalCount\":1}"}},"scheduler":true}}`}, true
	case http.StatusUnprocessableEntity:
		return ask{body: `{"namespace":"x"}`}, true
	case http.StatusRequestEntityTooLarge:
		return ask{body: `{"apps":["` + strings.Repeat("x", 4<<20) + `"]}`}, true
	}
	return ask{}, false
}

// manifestOf is a request for a manifest that is answered with a status.
func manifestOf(status int) (ask, bool) {
	switch status {
	case http.StatusNotFound:
		return ask{prepare: func(b *consoletest.Bench) { b.Console.Options().Cloud = nil }}, true
	case http.StatusServiceUnavailable:
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Fail(errors.New("asked to fail")) }}, true
	case http.StatusConflict:
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Engine.Cannot.Store(true) }}, true
	case http.StatusNotImplemented:
		return ask{prepare: func(b *consoletest.Bench) {
			at := b.Console.Options().Cloud
			at.Engine = struct{ cloud.Engine }{at.Engine} // without manifests
		}}, true
	}
	return ask{}, false
}

// asProcess is the header of the process of a shard of the sample's job.
func asProcess(shard int) string {
	return "Authorization: Bearer " + cloudfake.Token("invoices", shard)
}

// reportOf is the report that is answered with a status.
func reportOf(status int) ask {
	given := ask{headers: []string{asProcess(0)}}
	switch status {
	case http.StatusBadRequest:
		given.body = "{"
	case http.StatusUnauthorized:
		given.headers = []string{"Authorization: Bearer root"}
	case http.StatusForbidden:
		given.headers = []string{asProcess(1)}
	case http.StatusNotFound:
		given.prepare = func(b *consoletest.Bench) { b.Console.Options().Cloud = nil }
	case http.StatusRequestEntityTooLarge:
		given.body = reported(event.MaxExecutions + 1)
	case http.StatusTooManyRequests:
		given.prepare = func(b *consoletest.Bench) {
			for range 1000 / event.MaxExecutions {
				b.Call(b.T, http.MethodPost, event.Path, reported(event.MaxExecutions), asProcess(0))
			}
		}
	case http.StatusNotImplemented:
		given.prepare = func(b *consoletest.Bench) { b.Cloud.Engine.Cannot.Store(true) }
	case http.StatusServiceUnavailable:
		given.prepare = func(b *consoletest.Bench) { b.Cloud.Fail(errors.New("asked to fail")) }
	}
	return given
}

// isUpstream reports whether a route is one of upstream's scheduler whose answers askUpstream
// gets.
func isUpstream(r app.Route) bool {
	for _, prefix := range []string{"/api/app", "/api/operate", "/api/job"} {
		if r.Path == prefix || strings.HasPrefix(r.Path, prefix+"/") {
			return r.Touches == 0
		}
	}
	return false
}

// askUpstream is the request that gets one of upstream's routes to answer with a status.
func askUpstream(r app.Route, status int) (ask, bool) {
	end := r.Path[strings.LastIndex(r.Path, "/")+1:]
	switch status {
	case http.StatusNotFound:
		return ask{prepare: func(b *consoletest.Bench) { b.Console.Options().Cloud = nil }}, true
	case http.StatusServiceUnavailable:
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Fail(errors.New("asked to fail")) }}, true
	case http.StatusTooManyRequests:
		return ask{prepare: func(b *consoletest.Bench) { b.Call(b.T, http.MethodPost, r.Path, "") }}, true
	case http.StatusNotImplemented:
		cannot := func(b *consoletest.Bench) { b.Cloud.Engine.Cannot.Store(true) }
		switch end {
		case "register":
			return ask{body: strings.Replace(r.Operation().Example, "TRANSIENT", "DAEMON", 1), prepare: cannot}, true
		case "update":
			return ask{body: `{"jobName":"invoices","jobExecutionType":"DAEMON","cron":"0 0 2 * * ?"}`, prepare: func(b *consoletest.Bench) {
				cannot(b)
				b.Call(b.T, http.MethodPost, "/api/job/invoices/disable", "")
			}}, true
		}
		return ask{path: consoletest.Filled(r.Path) + "?running=suspend", prepare: cannot}, true
	case http.StatusConflict:
		switch {
		case end == "trigger":
			return ask{body: `{"jobName":"invoices"}`, prepare: func(b *consoletest.Bench) { b.Call(b.T, http.MethodPost, "/api/job/invoices/disable", "") }}, true
		case end == "register" && strings.HasPrefix(r.Path, "/api/job"):
			return ask{body: strings.Replace(r.Operation().Example, "foo_job", "invoices", 1)}, true
		case r.Method == http.MethodPost && end != "update":
			return ask{body: strings.Replace(r.Operation().Example, `"foo"`, `"billing"`, 1)}, true
		}
		return ask{prepare: func(b *consoletest.Bench) { b.Cloud.Fail(fmt.Errorf("asked to fail: %w", cloud.ErrConflict)) }}, true
	case http.StatusUnprocessableEntity:
		switch end {
		case "disable":
			return ask{path: consoletest.Filled(r.Path) + "?running=perhaps"}, true
		case "trigger":
			return ask{body: `{"jobName":"invoices","items":[7]}`}, true
		}
		return ask{body: `{"cpuCount":0}`}, true
	}
	return ask{}, false
}

// reported is the text of a report with so many runs of the first shard.
func reported(n int) string {
	var report event.Report
	ended := consoletest.Noon.Add(-time.Second)
	for i := range n {
		report.Executions = append(report.Executions, event.Execution{
			ID: fmt.Sprintf("2b0f62d4-4f0a-4c1e-9c49-%012d", i), TaskID: "invoices@-@0@-@READY@-@node@-@uid-9",
			Scheduled: consoletest.Noon.Add(-7 * time.Second), Started: consoletest.Noon.Add(-6 * time.Second), Ended: &ended,
		})
	}
	text, err := json.Marshal(report)
	if err != nil {
		panic(err)
	}
	return string(text)
}
