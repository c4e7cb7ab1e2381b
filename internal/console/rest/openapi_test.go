package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestEveryRouteIsDocumented: every route has a documentation, and each one is about a route.
func TestEveryRouteIsDocumented(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, r := range documented(consoletest.New(t).Console.Routes()) {
		key := r.Method + " " + r.Path
		known[key] = true
		if operationOf(r).Summary == "" {
			t.Errorf("%s is not documented: it needs an entry in operations", key)
		}
	}
	for key := range operations {
		if !known[key] {
			t.Errorf("%s is documented and not a route", key)
		}
	}
}

// ask is a request that gets a route to answer with one status.
type ask struct {
	path, body string
	headers    []string
	prepare    func(*consoletest.Bench)
}

// odd are the answers that need a request of their own: route, status, request.
var odd = map[string]map[int]ask{
	"DELETE /api/jobs/:job/sharding/:item/running": {422: {prepare: func(b *consoletest.Bench) {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.ActionErr = &lifecycle.Error{Op: "x", Kind: lifecycle.ErrInvalid, Err: errors.New("asked to fail")}
		})
	}}},
	"POST /api/login": {
		200: {body: `{"username":"guest","password":"gu3st-Canary-7"}`}, 401: {body: `{"username":"guest","password":"wrong"}`},
		429: {body: `{"username":"guest","password":"wrong"}`, prepare: func(b *consoletest.Bench) {
			for range auth.AccountBurst {
				b.Console.Auth.Check(context.Background(), "guest", "wrong", "127.0.0.1")
			}
		}},
	},
	"GET /api/search": {422: {path: "/api/search?limit=0"}},
	"POST /api/refresh": {429: {prepare: func(b *consoletest.Bench) {
		for range auth.SessionBurst {
			b.Console.Auth.Admit("root")
		}
	}}},
	"GET /api/jobs":                     {422: {path: "/api/jobs?page=0"}},
	"GET /api/jobs/getAllJobsBriefInfo": {422: {path: "/api/jobs/getAllJobsBriefInfo?page=0"}},
	"GET /api/jobs/:job/sharding":       {422: {path: "/api/jobs/invoices/sharding?page=0"}},
	"GET /api/jobs/:job/reshard-plan": {
		422: {path: "/api/jobs/invoices/reshard-plan?x=y"},
		429: {prepare: func(b *consoletest.Bench) { keepPlanning(b) }},
	},
	"GET /api/jobs/config/:job":          {409: {path: "/api/jobs/config/legacy-import"}},
	"POST /api/jobs/:job/config/preview": {422: {body: `{"cron":"x"}`}},
	"POST " + configRoute:                {422: {body: `{"jobName":""}`}},
	"PUT " + configRoute: {
		404: {body: `{"jobName":"nope"}`}, 409: {body: `{"jobName":"legacy-import"}`}, 422: {body: `{"jobName":""}`},
		412: {body: `{"jobName":"invoices"}`, headers: []string{`If-Match: "old"`}},
	},
	"POST /api/jobs/:job/requested-runs": {
		200: {headers: []string{"Idempotency-Key: " + consoletest.SampleKey}}, 413: {body: `{"note":"` + strings.Repeat("x", 96<<10) + `"}`},
		422: {body: `{"delay":"soon"}`}, 429: refusing(lifecycle.ErrConflict, jobrun.ErrQueueFull),
	},
	"GET /api/jobs/:job/parameters": {204: {path: "/api/jobs/geo-update/parameters"}},
	"POST /api/jobs/:job/hold":      {409: {prepare: held}, 422: {body: `{"what":"x"}`}},
	"POST /api/jobs/:job/release":   {200: {prepare: held}, 409: {}},
	"POST /api/jobs/:job/requested-runs/batch": {
		200: {body: `{"runs":[{"key":"` + consoletest.SampleKey + `"}]}`}, 422: {body: `{"runs":[]}`},
		413: {body: `{"runs":[{"note":"` + strings.Repeat("x", 1<<20) + `"}]}`},
	},
	"GET /api/requested-runs": {
		422: {path: "/api/requested-runs?limit=0"},
		503: {prepare: func(b *consoletest.Bench) {
			b.Down()
			b.History.Change(func() { b.History.RunErr = errors.New("asked to fail") })
		}},
	},
	"GET /api/jobs/:job/requested-runs": {422: {path: "/api/jobs/invoices/requested-runs?limit=0"}},
	"GET /api/jobs/:job/requested-runs/:request/log": {
		422: {path: "/api/jobs/invoices/requested-runs/" + consoletest.SampleActive + "/log?limit=0"},
	},
	"POST /api/jobs/:job/backfill": {
		200: {}, 202: {body: `{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T01:00:00Z"}`},
		413: {body: `{"from":"` + strings.Repeat("x", 96<<10) + `"}`}, 422: {body: `{"from":"x","to":"y"}`},
	},
	"POST /api/jobs/:job/backfills/:backfill/cancel": {202: {path: "/api/jobs/invoices/backfills/" + consoletest.SampleActive + "/cancel"}, 422: {body: `{"reason":"` + strings.Repeat("x", 201) + `"}`}},
	"POST /api/jobs/:job/requested-runs/:request/cancel": {
		202: {path: "/api/jobs/invoices/requested-runs/" + consoletest.SampleActive + "/cancel"}, 422: {body: `{"reason":"` + strings.Repeat("x", 201) + `"}`},
	},
	"POST /api/jobs/:job/requested-runs/:request/again": {
		201: {path: againPath}, 413: {path: againPath, body: `{"note":"` + strings.Repeat("x", 96<<10) + `"}`}, 422: {path: againPath, body: `{"params":[]}`},
		429: {path: againPath, prepare: refusing(lifecycle.ErrConflict, jobrun.ErrQueueFull).prepare},
	},
	"POST /api/losses/acknowledge":                  {422: {body: `{}`}},
	"POST /api/jobs/:job/trigger":                   {422: {body: `{"instances":["a"],"reason":"` + strings.Repeat("x", 201) + `"}`}},
	"POST /api/bulk":                                {422: {body: `{}`}, 503: {body: `{"order":"trigger","jobs":["invoices"],"preview":false}`}},
	"POST " + api.TokensPath:                        {409: {body: `{"name":"nightly-report","scope":"read"}`}, 422: {body: `{"name":"x","scope":"all"}`}},
	"DELETE " + api.TokensPath + "/:token":          {404: {path: api.TokensPath + "/nope"}},
	"POST /api/views":                               {409: {body: `{"area":"jobs","name":"billing","query":""}`}, 422: {body: `{"name":"x"}`}},
	"DELETE /api/views/:area/:name":                 {422: {path: "/api/views/jobs/billing?shared=x"}},
	"POST " + api.RegistriesPath:                    {409: {body: strings.Replace(aRegistry, "orders", "billing", 1)}, 422: {body: `{"name":"x"}`}},
	"POST " + api.RegistriesPath + "/add":           {409: {body: strings.Replace(aRegistry, "orders", "billing", 1)}, 422: {body: `{"name":"x"}`}},
	"POST " + api.RegistriesPath + "/connectTest":   {422: {body: `{"name":"x"}`}},
	"POST " + api.RegistriesPath + "/connect":       {422: {body: `{}`}},
	"DELETE /api/servers/:ip":                       {422: {path: "/api/servers/10.2.0.14?offline=x"}},
	"DELETE /api/servers/:ip/jobs/:job":             {422: {path: "/api/servers/10.2.0.14/jobs/invoices?offline=x"}},
	"POST /api/servers/:ip/:port/jobs/:job/dump":    {422: {path: "/api/servers/10.2.0.14/x/jobs/invoices/dump"}},
	"POST " + api.DataSourcesPath:                   {409: {body: strings.Replace(aSource, "orders", "billing", 1)}, 422: {body: `{"name":"x"}`}},
	"POST " + api.DataSourcesPath + "/add":          {409: {body: strings.Replace(aSource, "orders", "billing", 1)}, 422: {body: `{"name":"x"}`}},
	"POST " + api.DataSourcesPath + "/connectTest":  {422: {body: `{"name":"x"}`}},
	"POST " + api.DataSourcesPath + "/connect":      {422: {body: `{}`}},
	"PUT " + api.DataSourcesPath + "/:name":         {409: {path: api.DataSourcesPath + "/default"}, 422: {body: `{}`}},
	"DELETE " + api.DataSourcesPath:                 {409: {body: `{"name":"default"}`}, 422: {body: `{}`}},
	"DELETE " + api.DataSourcesPath + "/:name":      {409: {path: api.DataSourcesPath + "/default"}},
	"POST " + api.ImportPath:                        {422: {body: `{"preview":true,"xml":"<x/>"}`}},
	"PUT " + api.RegistriesPath + "/:name":          {409: {path: api.RegistriesPath + "/default"}, 422: {body: `{}`}},
	"DELETE " + api.RegistriesPath:                  {409: {body: `{"name":"default"}`}, 422: {body: `{}`}},
	"DELETE " + api.RegistriesPath + "/:name":       {409: {path: api.RegistriesPath + "/default"}},
	"POST /api/jobs/:job/sharding/:item/disable":    {422: {path: "/api/jobs/invoices/sharding/x/disable"}},
	"DELETE /api/jobs/:job/sharding/:item/disable":  {422: {path: "/api/jobs/invoices/sharding/x/disable"}},
	"POST /api/jobs/:job/sharding/:item/enable":     {422: {path: "/api/jobs/invoices/sharding/x/enable"}},
	"GET /api/event-trace/execution":                {422: {path: "/api/event-trace/execution?limit=0"}},
	"GET /api/event-trace/status":                   {422: {path: "/api/event-trace/status?limit=0"}},
	"POST /api/event-trace/execution":               {422: {body: `{"pageNumber":0}`}},
	"POST /api/event-trace/status":                  {422: {body: `{"pageNumber":0}`}},
	"POST /api/job/events/executions":               {422: {body: `{"per_page":0}`}},
	"POST /api/job/events/statusTraces":             {422: {body: `{"page":"x"}`}},
	"GET /readyz":                                   {503: {prepare: func(b *consoletest.Bench) { b.Settings.Fail(errors.New("asked to fail")) }}}, // W34
	"GET /api/job/statistics/tasks/results/:period": {422: {path: "/api/job/statistics/tasks/results/lastYear"}},
}

// held has the job stand still.
func held(b *consoletest.Bench) {
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for i := range f.List {
			if f.List[i].Name == "invoices" {
				f.List[i].Held = jobrun.Hold{What: "all", By: "root", At: consoletest.Noon}
			}
		}
	})
}

// againPath repeats the run of the sample that has ended.
const againPath = "/api/jobs/invoices/requested-runs/" + consoletest.SampleEnded + "/again"

// refusing has actions fail with an error of a kind.
func refusing(kind, why error) ask {
	return ask{prepare: func(b *consoletest.Bench) {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.SubmitErr = &lifecycle.Error{Op: "run", Job: "invoices", Kind: kind, Err: why}
		})
	}}
}

// keepPlanning has a plan be made for root until the test ends.
func keepPlanning(b *consoletest.Bench) {
	begun := make(chan chan struct{})
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.PlanGate = begun })
	answered := make(chan int)
	go func() {
		answered <- b.Call(b.T, http.MethodGet, "/api/jobs/invoices/reshard-plan", "").StatusCode
	}()
	gate := <-begun
	b.T.Cleanup(func() {
		close(gate)
		if status := <-answered; status != http.StatusOK {
			b.T.Errorf("the plan that was being made: status %d", status)
		}
	})
}

// askFor is the request for an answer.
func askFor(r app.Route, op operation, status int) ask {
	s := ask{path: consoletest.Filled(r.Path), body: op.Example}
	refuse := func(kind error) {
		s.prepare = func(b *consoletest.Bench) {
			b.Registry.Set(func(f *consoletest.FakeRegistry) {
				f.ActionErr = &lifecycle.Error{Op: "x", Job: "invoices", Kind: kind, Err: errors.New("asked to fail")}
			})
		}
	}
	switch status {
	case http.StatusBadRequest:
		s.body = "{"
	case http.StatusUnauthorized:
		s.headers = []string{"Authorization: "}
	case http.StatusForbidden:
		s.headers = []string{"guest"}
	case http.StatusNotFound:
		s.path = strings.NewReplacer("invoices", "nope", "10.2.0.14", "9.9.9.9").Replace(s.path)
		switch {
		case r.Touches == app.TheHistory:
			s.path += "?dataSource=nope"
		case r.Touches.Any(app.TheRegistry) && !slices.Contains(op.Refusals, status):
			s.path += "?registry=nope"
		case r.Access >= app.Operates:
			refuse(lifecycle.ErrNotFound)
		}
		if r.Touches.Any(app.TheSettings) {
			s.path, s.body = strings.Replace(s.path, "billing", "nope", 1), strings.Replace(s.body, `"name":"billing"`, `"name":"nope"`, 1)
		}
	case http.StatusGatewayTimeout:
		refuse(lifecycle.ErrNoAnswer)
	case http.StatusConflict:
		refuse(lifecycle.ErrConflict)
	case http.StatusRequestEntityTooLarge:
		s.body = `{"jobName":"` + strings.Repeat("x", 1<<20) + `"}`
	case http.StatusUnprocessableEntity:
		if len(op.Query) > 0 {
			s.path += "?" + op.Query[0][0] + "=perhaps"
		}
	case http.StatusServiceUnavailable:
		s.prepare = func(b *consoletest.Bench) {
			b.Down()
			b.Registry.Set(func(f *consoletest.FakeRegistry) {
				f.ActionErr = &lifecycle.Error{Op: "x", Kind: lifecycle.ErrUnavailable}
			})
			b.History.Mu.Lock()
			defer b.History.Mu.Unlock()
			b.History.Err = errors.New("asked to fail")
			if r.Touches.Any(app.TheSettings) {
				b.Settings.Fail(errors.New("asked to fail"))
			}
		}
	}
	given, ok := oddOf(r, status)
	if !ok {
		return s
	}
	return given.over(s, r, op, status)
}

// send sends the request to a console.
func (given ask) send(t *testing.T, b *consoletest.Bench, method string) consoletest.Reply {
	headers := given.headers
	if slices.Contains(headers, "guest") {
		headers = []string{"Authorization: Bearer " + b.Token(t, auth.RoleGuest, auth.ForAPI)}
	}
	if given.prepare != nil {
		given.prepare(b)
	}
	return b.Call(t, method, given.path, given.body, headers...)
}

// oddOf is the request of its own that an answer needs, if it does.
func oddOf(r app.Route, status int) (given ask, ok bool) {
	switch {
	case strings.HasPrefix(r.Path, "/api/cloud"):
		return askCloud(r, status)
	case isUpstream(r):
		return askUpstream(r, status)
	}
	given, ok = odd[r.Method+" "+r.Path][status]
	return given, ok
}

// over is a request with what its route needs, as given, to be answered so.
func (given ask) over(s ask, r app.Route, op operation, status int) ask {
	if given.path != "" {
		s.path = given.path
	}
	if given.body != "" {
		s.body, s.prepare = given.body, nil
		if status == http.StatusServiceUnavailable {
			s.prepare = askFor(app.Route{Method: "x", Touches: r.Touches}, op, status).prepare
		}
	}
	if strings.HasPrefix(r.Path, configRoute) && status == http.StatusConflict {
		s.prepare = nil // the job's configuration is broken, which is enough
	}
	if given.prepare != nil {
		s.prepare = given.prepare
	}
	if op.Reporter {
		s.headers = nil // Its own, whatever others need for that answer.
	}
	s.headers = append(s.headers, given.headers...)
	return s
}

// TestEveryDocumentedAnswer gets every route to give every answer that its
// documentation has, and reads each with the type that is documented.
func TestEveryDocumentedAnswer(t *testing.T) {
	t.Parallel()
	for _, r := range documented(consoletest.New(t).Console.Routes()) {
		t.Run(r.Method+strings.ReplaceAll(r.Path, "/", "|"), func(t *testing.T) {
			t.Parallel()
			for status, body := range answersOf(r) {
				s := askFor(r, operationOf(r), status)
				got := s.send(t, consoletest.New(t), r.Method)
				if got.StatusCode != status {
					t.Errorf("%s %s: status %d, want %d: %s", r.Method, s.path, got.StatusCode, status, view.Clip(got.Body, 300))
					continue
				}
				if status == http.StatusNoContent && got.Body == "" {
					continue
				}
				checkBody(t, got, body)
				checkSchema(t, got, body)
			}
		})
	}
}

// checkBody reads an answer with the type it is documented to have.
func checkBody(t *testing.T, r consoletest.Reply, body any) {
	t.Helper()
	_, text := body.(string)
	switch {
	case body == nil:
		if r.Body != "" {
			t.Errorf("%s %s: a body: %s", r.Request.Method, r.Request.URL, r.Body)
		}
	case text:
	default:
		v := reflect.New(reflect.TypeOf(body))
		d := json.NewDecoder(bytes.NewReader([]byte(r.Body)))
		d.DisallowUnknownFields()
		if err := d.Decode(v.Interface()); err != nil {
			t.Errorf("%s %s: %v in %s", r.Request.Method, r.Request.URL, err, view.Clip(r.Body, 300))
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			t.Errorf("%s %s: more than one value", r.Request.Method, r.Request.URL)
		}
	}
}

// TestSchemasFitTheBodies: what is required is there, and what is there is in
// the schema, for one body that has everything.
func TestSchemasFitTheBodies(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	s := schemas{}
	s.of(reflect.TypeFor[api.JobDetail]())
	s.of(reflect.TypeFor[api.Total[api.ExecutionEvent]]())
	detail := s["jobDetail"].(map[string]any)
	var body map[string]any
	b.Call(t, http.MethodGet, "/api/jobs/invoices", "").Into(t, &body)
	for _, name := range detail["required"].([]string) {
		if _, ok := body[name]; !ok {
			t.Errorf("%s is required and absent", name)
		}
	}
	for name := range body {
		if detail["properties"].(map[string]any)[name] == nil {
			t.Errorf("%s is not in the schema", name)
		}
	}
	event := s["executionEvent"].(map[string]any)["properties"].(map[string]any)
	if got := event["startTime"].(map[string]any)["type"]; got != "integer" {
		t.Errorf("the outer field's type does not win: %s", got)
	}
	if s["executionEventTotal"] == nil {
		t.Errorf("schemas %v", view.SortedKeys(s))
	}
}

// configRoute is where configurations are written to.
const configRoute = "/api/jobs/config"
