package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestV03EnvelopeNamesTheFields: a client of 3.x shows errorMsg and nothing
// else, so it names what cannot be taken.
func TestV03EnvelopeNamesTheFields(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	token := b.Token(t, auth.RoleRoot, auth.ForAPI)
	for _, step := range []struct {
		method, path, body string
		says               []string
	}{
		{http.MethodPut, configRoute, `{"jobName":"","shardingTotalCount":"x","cron":"often","misfire":7}`, []string{`shardingTotalCount is "\"x\"", want a whole number from 1 to 100000`, `misfire is "7"`, `jobName`}},
		{http.MethodPost, api.RegistriesPath + "/add", `{"name":"","zkAddressList":"no:where","namespace":"/"}`, []string{`name`, `zkAddressList is "no:where", want host:port`, `namespace is "/"`}},
		{http.MethodPost, api.DataSourcesPath + "/add", `{"name":"x","url":"jdbc:oracle:thin"}`, []string{"url"}},
		{http.MethodPost, api.DataSourcesPath + "/connectTest", `{"name":"","url":"jdbc:oracle:thin"}`, []string{"name", "url"}},
	} {
		e, r := as3x[any](t, b, token, step.method, step.path, step.body)
		if *e.ErrorCode != http.StatusBadRequest {
			t.Errorf("%s: %s", step.path, r.Body)
			continue
		}
		for _, says := range step.says {
			if !strings.Contains(*e.ErrorMsg, says) {
				t.Errorf("%s: %q is not in %q", step.path, says, *e.ErrorMsg)
			}
		}
	}
	many := make([]app.FieldBody, 12)
	for i := range many {
		many[i] = app.FieldBody{Field: fmt.Sprint("f", i), Want: "less"}
	}
	if got := app.FieldsText(i18n.English, many); !strings.HasSuffix(got, "f4 want less. And 7 fields more.") {
		t.Errorf("many fields: %q", got)
	}
	// A secret that is refused is not quoted.
	e, _ := as3x[any](t, b, token, http.MethodPost, api.RegistriesPath+"/add", `{"name":"x","zkAddressList":"zk:2181","namespace":"n","digest":"Canary-5"}`)
	if strings.Contains(*e.ErrorMsg, "Canary") || !strings.Contains(*e.ErrorMsg, "digest want user:password") {
		t.Errorf("digest: %q", *e.ErrorMsg)
	}
}

// frontend3x are all requests of the frontend of ElasticJob's UI 3.0.2, and the
// dump that came after it, as they are in its files api.js, with the bodies that
// its forms send. The button for Casdoor, which no release has, is not among
// them.
var frontend3x = []string{
	`POST /api/login {"username":"root","password":"r00t-Canary-7"}`,
	`GET /api/registry-center/load`,
	`GET /api/registry-center/activated`,
	`POST /api/registry-center/add {"name":"orders","zkAddressList":"zk1:2181","namespace":"orders","digest":""}`,
	`POST /api/registry-center/connect {"name":"default"}`,
	`DELETE /api/registry-center {"name":"orders"}`,
	`GET /api/data-source/drivers`,
	`GET /api/data-source/load`,
	`GET /api/data-source/activated`,
	`POST /api/data-source/add {"name":"more","driver":"com.mysql.cj.jdbc.Driver","url":"jdbc:mysql://db1:3306/elasticjob","username":"u","password":"p"}`,
	`POST /api/data-source/connectTest {"name":"more","driver":"com.mysql.cj.jdbc.Driver","url":"jdbc:mysql://db1:3306/elasticjob","username":"u","password":"p"}`,
	`POST /api/data-source/connect {"name":"default"}`,
	`DELETE /api/data-source {"name":"more"}`,
	`GET /api/jobs/count`,
	`GET /api/jobs/getAllJobsBriefInfo`,
	`POST /api/jobs/invoices/trigger`,
	`POST /api/jobs/invoices/disable`,
	`POST /api/jobs/invoices/enable`,
	`POST /api/jobs/invoices/shutdown`,
	`GET /api/jobs/invoices/sharding`,
	`POST /api/jobs/invoices/sharding/0/disable`,
	`POST /api/jobs/invoices/sharding/0/enable`,
	`GET /api/jobs/config/invoices`,
	`PUT /api/jobs/config {"jobName":"invoices","description":"by the dialog","props":{},"jobExtraConfigurations":null}`,
	`DELETE /api/jobs/config/invoices`,
	`GET /api/servers/count`,
	`GET /api/servers/getAllServersBriefInfo`,
	`POST /api/servers/10.2.0.14/disable`,
	`POST /api/servers/10.2.0.14/enable`,
	`POST /api/servers/10.2.0.14/shutdown`,
	`DELETE /api/servers/10.2.0.14`,
	`GET /api/servers/10.2.0.14/jobs`,
	`POST /api/servers/10.2.0.14/jobs/invoices/disable`,
	`POST /api/servers/10.2.0.14/jobs/invoices/enable`,
	`POST /api/servers/10.2.0.14/jobs/invoices/shutdown`,
	`POST /api/servers/10.2.0.14/9888/jobs/invoices/dump`,
	`DELETE /api/servers/10.2.0.14/jobs/invoices`,
	`POST /api/event-trace/execution {"jobName":null,"ip":null,"startTimeFrom":null,"startTimeTo":null,"isSuccess":""}`,
	`POST /api/event-trace/execution {"jobName":"invoices","ip":null,"startTimeFrom":"2026-11-20T16:00:00.000Z","startTimeTo":"2026-11-21T15:59:59.000Z","isSuccess":true,"pageSize":10,"pageNumber":2}`,
	`GET /api/event-trace/execution/jobNames/`,
	`GET /api/event-trace/execution/jobNames/inv`,
	`GET /api/event-trace/execution/ip/`,
	`GET /api/event-trace/execution/ip/10.2`,
	`POST /api/event-trace/status {"jobName":null,"state":null,"creationTimeFrom":null,"creationTimeTo":null}`,
	`POST /api/event-trace/status {"jobName":"invoices","state":"TASK_FINISHED","creationTimeFrom":"2026-11-20T16:00:00.000Z","creationTimeTo":"2026-11-21T15:59:59.000Z","pageSize":10,"pageNumber":1}`,
	`GET /api/event-trace/status/jobNames/`,
	`GET /api/event-trace/status/jobNames/inv`,
}

// console2x are the requests of the pages of ElasticJob 2.1.5.
var console2x = []string{
	`GET /api/jobs/count`,
	`GET /api/jobs?order=asc&offset=0&limit=10&_=1700000000000`,
	`POST /api/jobs/invoices/trigger`,
	`POST /api/jobs/invoices/disable`,
	`DELETE /api/jobs/invoices/disable`,
	`POST /api/jobs/invoices/shutdown`,
	`GET /api/jobs/invoices/sharding`,
	`POST /api/jobs/invoices/sharding/0/disable`,
	`DELETE /api/jobs/invoices/sharding/0/disable`,
	`GET /api/jobs/config/invoices`,
	`PUT /api/jobs/config {"jobName":"invoices","description":"by the page"}`,
	`DELETE /api/jobs/config/invoices`,
	`GET /api/servers/count`,
	`GET /api/servers`,
	`POST /api/servers/10.2.0.14/disable`,
	`DELETE /api/servers/10.2.0.14/disable`,
	`POST /api/servers/10.2.0.14/shutdown`,
	`DELETE /api/servers/10.2.0.14`,
	`GET /api/servers/10.2.0.14/jobs`,
	`POST /api/servers/10.2.0.14/jobs/invoices/disable`,
	`DELETE /api/servers/10.2.0.14/jobs/invoices/disable`,
	`POST /api/servers/10.2.0.14/jobs/invoices/shutdown`,
	`DELETE /api/servers/10.2.0.14/jobs/invoices`,
	`GET /api/registry-center/activated`,
	`GET /api/registry-center`,
	`POST /api/registry-center {"name":"orders","zkAddressList":"zk1:2181","namespace":"orders","digest":""}`,
	`POST /api/registry-center/connect {"name":"default"}`,
	`DELETE /api/registry-center {"name":"orders"}`,
	`GET /api/data-source/activated`,
	`GET /api/data-source`,
	`POST /api/data-source {"name":"more","driver":"com.mysql.jdbc.Driver","url":"jdbc:mysql://db1:3306/elasticjob","username":"u","password":"p"}`,
	`POST /api/data-source/connectTest {"name":"more","driver":"com.mysql.jdbc.Driver","url":"jdbc:mysql://db1:3306/elasticjob","username":"u","password":"p"}`,
	`POST /api/data-source/connect {"name":"default"}`,
	`DELETE /api/data-source {"name":"more"}`,
	`GET /api/event-trace/execution?per_page=10&page=1&jobName=invoices&startTime=2026-11-20+16:00:00&endTime=2026-11-21+16:00:00&ip=&isSuccess=true`,
	`GET /api/event-trace/status?per_page=10&page=1&jobName=invoices&startTime=&endTime=&state=TASK_FINISHED`,
}

// TestV06UpstreamsPages: everything that the pages of ElasticJob's two consoles
// ask for is there, and what they do first of all succeeds.
func TestV06UpstreamsPages(t *testing.T) {
	t.Parallel()
	t.Run("3.x", func(t *testing.T) {
		t.Parallel()
		b := consoletest.New(t)
		bare := map[string]bool{"/api/jobs/count": true, "/api/servers/count": true, "/api/data-source/activated": true}
		token := ""
		for _, request := range frontend3x {
			method, path, body := cutRequest(request)
			r := b.Call(t, method, path, body, "Authorization: ", "Access-Token: "+token)
			consoletest.WantStatus(t, r, http.StatusOK)
			if bare[path] {
				continue
			}
			var e envelopeOf[json.RawMessage]
			r.Into(t, &e)
			if e.Success == nil || !*e.Success {
				t.Errorf("%s: %s", request, r.Body)
			}
			if path == "/api/login" {
				var login loginModel
				if err := json.Unmarshal(e.Model, &login); err != nil {
					t.Fatal(err)
				}
				token = login.AccessToken
			}
		}
	})
	t.Run("2.x", func(t *testing.T) {
		t.Parallel()
		b := consoletest.New(t)
		for _, request := range console2x {
			method, path, body := cutRequest(request)
			if r := b.Call(t, method, path, body); r.StatusCode >= 300 {
				t.Errorf("%s: %d %s", request, r.StatusCode, r.Body)
			}
		}
	})
	t.Run("slashes", askWithSlashes)
}

// cutRequest cuts a request of the lists in this file.
func cutRequest(request string) (method, path, body string) {
	method, rest, _ := strings.Cut(request, " ")
	path, body, _ = strings.Cut(rest, " ")
	return method, path, body
}

// askWithSlashes: a slash at the end is forgiven to those who read.
func askWithSlashes(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, want := range map[string]int{
		"/api/jobs/": 200, "/api/jobs/invoices/": 200, "/api/jobs//": 404, "/api/": 404, "/api//": 404, "/jobs/": 404,
	} {
		if r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil); r.StatusCode != want {
			t.Errorf("GET %s: %d, want %d", path, r.StatusCode, want)
		}
	}
	// An action has one exact address only: one whose last part came
	// out empty must not be taken for another.
	for _, order := range []string{"DELETE /api/servers/10.2.0.14/jobs/", "DELETE /api/servers/10.2.0.14/", "POST /api/jobs/invoices/trigger/"} {
		method, path, _ := cutRequest(order)
		if r := b.Call(t, method, path, ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", order, r.StatusCode)
		}
	}
	if len(b.Registry.Actions) > 0 {
		t.Errorf("actions %v", b.Registry.Actions)
	}
}

// TestV10TimesOfTraceRequests: Jackson reads an instant as text and as a number
// of milliseconds.
func TestV10TimesOfTraceRequests(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	want := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for text, ok := range map[string]bool{
		`1795255200000`: true, `"1795255200000"`: true, `"2026-11-21T10:00:00.000Z"`: true, `"2026-11-21T18:00:00.000+0800"`: true, `"2026-11-21T18:00:00.000+08:00"`: true,
		`null`: true, `""`: true, `true`: false, `{}`: false, `[1]`: false, `1e400`: false, `9223372036854775807`: false, `"soon"`: false,
	} {
		for path, key := range map[string]string{"execution": "startTimeFrom", "status": "creationTimeFrom"} {
			r := b.Call(t, http.MethodPost, "/api/event-trace/"+path, fmt.Sprintf(`{%q:%s}`, key, text))
			switch {
			case !ok && r.StatusCode != http.StatusUnprocessableEntity:
				t.Errorf("%s %s: %d %s", path, text, r.StatusCode, r.Body)
			case ok && r.StatusCode != http.StatusOK:
				t.Errorf("%s %s: %d %s", path, text, r.StatusCode, r.Body)
			case ok && path == "execution":
				from := b.History.Filters[len(b.History.Filters)-1].From
				if none := text == `null` || text == `""`; none != from.IsZero() || !none && !from.Equal(want.Add(time.Millisecond)) { // exclusive
					t.Errorf("%s: from %v", text, from)
				}
			}
		}
	}
}

// TestV10NullsOf3x: in the envelope there is null where ElasticJob has it, and
// every key that it has; other clients get the empty text as before.
func TestV10NullsOf3x(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", "jobName: j\nshardingTotalCount: 2\ndescription: d\n")+"j/sharding/1/instance = \"\"\n", func(t *testing.T, b consoletest.TreeBench) {
		b.History.Rows = []tracing.Execution{{ID: "1", JobName: "j", StartTime: consoletest.Noon, Success: true}, {ID: "2", JobName: "j", StartTime: consoletest.Noon, CompleteTime: consoletest.Noon, FailureCause: "boom"}}
		b.History.Steps = []tracing.Status{{ID: "s", JobName: "j", Items: []int{0, 3}, State: tracing.StateFinished, CreationTime: consoletest.Noon}, {ID: "t", State: tracing.StateRunning}}
		token := b.Token(t, auth.RoleRoot, auth.ForAPI)
		model := func(method, path, body string) any {
			e, _ := as3x[any](t, b.Bench, token, method, path, body)
			return e.Model
		}
		list := func(of any, i int) map[string]any { return of.([]any)[i].(map[string]any) }
		check := func(what string, got map[string]any, want map[string]any) {
			t.Helper()
			for key, value := range want {
				have, there := got[key]
				if diff := cmp.Diff(value, have); diff != "" || !there {
					t.Errorf("%s: %s is there: %t (-want +got)\n%s", what, key, there, diff)
				}
			}
		}
		check("job", list(model("GET", "/api/jobs/getAllJobsBriefInfo", ""), 0), map[string]any{"cron": nil, "description": "d", "shardingTotalCount": 2.0})
		check("job of a server", list(model("GET", "/api/servers/10.0.0.1/jobs", ""), 0), map[string]any{
			"jobName": "j", "cron": nil, "description": "d", "shardingTotalCount": 2.0, "instanceCount": 1.0, "status": "OK",
		})
		check("shard", list(model("GET", "/api/jobs/j/sharding", ""), 1), map[string]any{"serverIp": nil, "instanceId": nil, "item": 1.0})
		check("configuration", model("GET", "/api/jobs/config/j", "").(map[string]any), map[string]any{
			"cron": nil, "timeZone": nil, "jobShardingStrategyType": nil, "jobExecutorServiceHandlerType": nil, "jobErrorHandlerType": nil, "label": nil,
			"jobExtraConfigurations": nil, "jobParameter": "", "shardingItemParameters": "", "description": "d",
		})
		runs := model("POST", "/api/event-trace/execution", "{}").(map[string]any)["rows"]
		check("run", list(runs, 0), map[string]any{"failureCause": nil, "completeTime": nil})
		check("failed run", list(runs, 1), map[string]any{"failureCause": "boom", "completeTime": float64(consoletest.Noon.UnixMilli())})
		steps := model("POST", "/api/event-trace/status", "{}").(map[string]any)["rows"]
		check("step", list(steps, 0), map[string]any{"shardingItems": "[0, 3]", "message": ""})
		check("step without shards", list(steps, 1), map[string]any{"shardingItems": "[]"})

		var bare []map[string]any
		b.Call(t, http.MethodGet, "/api/jobs", "").Into(t, &bare)
		check("for others", bare[0], map[string]any{"cron": ""})
		// What was answered can be sent back as it is.
		body, err := json.Marshal(model("GET", "/api/jobs/config/j", ""))
		if err != nil {
			t.Fatal(err)
		}
		before := b.Node(t, "j/config")
		if model("PUT", "/api/jobs/config", string(body)) != true || b.Node(t, "j/config") != before {
			t.Errorf("the configuration became %s", b.Node(t, "j/config"))
		}
	})
}

// TestV14ListsAreBounded: nodes of 50 KB do not make an answer of megabytes, and
// nothing of a name that is meant is cut off.
func TestV14ListsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 50<<10)
	owners := ""
	for item := range 40 {
		owners += fmt.Sprintf("j/sharding/%d/instance = %[2]s\nj/sharding/%[1]d/running = %[2]s\nj/sharding/%[1]d/failover = %[2]s\n", item, long)
	}
	config := fmt.Sprintf("jobName: j\nshardingTotalCount: 40\ncron: 0/5 * * * * ?\ndescription: %[1]s\ntimeZone: %[1]s\n", long)
	consoletest.EachTree(t, consoletest.PlantedJob("j", config)+"j/leader/election/instance [E] = "+long+"\n"+owners+consoletest.Plain("ok"), func(t *testing.T, b consoletest.TreeBench) {
		for path, most := range map[string]int{
			"/api/jobs": 10, "/api/jobs/j/sharding": 100, "/api/jobs/j/explain": 200, "/api/servers/10.0.0.1/jobs": 10, "/api/servers": 10,
			"/jobs": 200, "/": 200, "/servers": 200, "/jobs/j/explain": 400,
			"/api/jobs/j": 350, "/jobs/j": 700, // with the configuration as it is stored
		} {
			r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
			consoletest.WantStatus(t, r, http.StatusOK)
			if len(r.Body) > most<<10 {
				t.Errorf("%s: %d KB, want at most %d", path, len(r.Body)>>10, most)
			}
		}
		var shards []api.Shard
		b.Call(t, http.MethodGet, "/api/jobs/ok/sharding", "").Into(t, &shards)
		if shards[0].InstanceID != "10.0.0.1@-@7" {
			t.Errorf("owner %q", shards[0].InstanceID)
		}
	})
}

// TestV14JobWithASeparatorInItsName: what is listed can be looked at, changed
// and removed.
func TestV14JobWithASeparatorInItsName(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("a@-@b"), func(t *testing.T, b consoletest.TreeBench) {
		var list []api.Job
		b.Call(t, http.MethodGet, "/api/jobs", "").Into(t, &list)
		if len(list) != 1 || list[0].JobName != "a@-@b" {
			t.Fatalf("jobs %+v", list)
		}
		href, _ := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil).Doc(t).Find(`tr[data-job] a`).First().Attr("href")
		for _, path := range []string{href, href + "/explain", "/api" + href, "/api" + href + "/sharding", "/api" + href + "/explain", "/api" + href + "/reshard-plan", app.JobPath(configRoute, "a@-@b")} {
			consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), http.StatusOK)
		}
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api"+href+"/disable", ""), http.StatusOK)
		consoletest.WantStatus(t, b.Call(t, http.MethodDelete, app.JobPath(configRoute, "a@-@b")+"?force=true", ""), http.StatusNoContent)
		b.WantDump(t, "")
	})
}
