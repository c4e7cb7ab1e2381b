package rest

import (
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
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

type envelopeOf[T any] struct {
	Success   *bool   `json:"success"`
	ErrorCode *int    `json:"errorCode"`
	ErrorMsg  *string `json:"errorMsg"`
	Model     T       `json:"model"`
}

// as3x sends a request as a client of ElasticJob's 3.x console does.
func as3x[T any](t *testing.T, b *consoletest.Bench, token, method, target, body string) (envelopeOf[T], consoletest.Reply) {
	t.Helper()
	r := b.Call(t, method, target, body, "Authorization: ", "Access-Token: "+token)
	consoletest.WantStatus(t, r, http.StatusOK)
	var e envelopeOf[T]
	r.Into(t, &e)
	if e.Success == nil || e.ErrorCode == nil || *e.Success != (*e.ErrorCode == 0) || *e.Success != (e.ErrorMsg == nil) || !strings.Contains(r.Body, `"model":`) {
		t.Errorf("%s %s: no envelope: %s", method, target, r.Body)
	}
	return e, r
}

func TestA28ClientOf3x(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		r := b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"r00t-Canary-7"}`, "Authorization: ")
		var login envelopeOf[loginModel]
		r.Into(t, &login)
		if login.Success == nil || !*login.Success || login.Model.Username != "root" || login.Model.IsGuest {
			t.Fatalf("login %s", r.Body)
		}
		token := login.Model.AccessToken
		list, _ := as3x[[]api.Job](t, b.Bench, token, http.MethodGet, "/api/jobs/getAllJobsBriefInfo", "")
		if len(list.Model) != 1 || list.Model[0].JobName != "j" {
			t.Errorf("jobs %+v", list)
		}
		for _, step := range []string{
			"POST /api/jobs/j/trigger", "POST /api/jobs/j/disable", "POST /api/jobs/j/enable",
			"POST /api/jobs/j/sharding/0/disable", "POST /api/jobs/j/sharding/0/enable",
			"POST /api/servers/10.0.0.1/disable", "POST /api/servers/10.0.0.1/enable",
			"POST /api/servers/10.0.0.1/jobs/j/disable", "POST /api/servers/10.0.0.1/jobs/j/enable", "POST /api/servers/10.0.0.1/jobs/j/shutdown",
			"DELETE /api/servers/10.0.0.1/jobs/j", "POST /api/servers/10.0.0.10/shutdown", "DELETE /api/servers/10.0.0.10",
		} {
			method, path, _ := strings.Cut(step, " ")
			if e, r := as3x[bool](t, b.Bench, token, method, path, ""); !e.Model {
				t.Errorf("%s: %s", step, r.Body)
			}
		}
		config, r := as3x[map[string]any](t, b.Bench, token, http.MethodGet, "/api/jobs/config/j", "")
		if config.Model["jobName"] != "j" || r.Header.Get("ETag") == "" {
			t.Errorf("configuration %s", r.Body)
		}
		if e, _ := as3x[bool](t, b.Bench, token, http.MethodPut, "/api/jobs/config", `{"jobName":"j","description":"3x","jobExtraConfigurations":null}`); !e.Model {
			t.Error("the configuration was not taken")
		}
		if shards, _ := as3x[[]api.Shard](t, b.Bench, token, http.MethodGet, "/api/jobs/j/sharding", ""); len(shards.Model) != 2 {
			t.Errorf("shards %+v", shards)
		}
		if e, _ := as3x[bool](t, b.Bench, token, http.MethodDelete, "/api/jobs/config/j", ""); !e.Model {
			t.Error("the job was not removed")
		}
		if servers, _ := as3x[[]api.Server](t, b.Bench, token, http.MethodGet, "/api/servers/getAllServersBriefInfo", ""); len(servers.Model) != 0 {
			t.Errorf("servers %+v", servers)
		}
		for _, path := range []string{"/api/jobs/count", "/api/servers/count"} {
			if r := b.Call(t, http.MethodGet, path, "", "Authorization: ", "Access-Token: "+token); strings.TrimSpace(r.Body) != "0" {
				t.Errorf("%s is not bare: %s", path, r.Body)
			}
		}

		refusalsOf3x(t, b, token)
	})
}

// refusalsOf3x come in the envelope, with the codes of 3.x.
func refusalsOf3x(t *testing.T, b consoletest.TreeBench, token string) {
	guest := b.Token(t, auth.RoleGuest, auth.ForAPI)
	for request, want := range map[string]int{
		"GET /api/jobs/nope": 404, "POST /api/jobs/nope/trigger": 404, "POST /api/jobs/nope/sharding/x/disable": 400, "PUT /api/jobs/config": 400, "PATCH /api/jobs/config": 405,
	} {
		method, path, _ := strings.Cut(request, " ")
		if e, r := as3x[any](t, b.Bench, token, method, path, ""); *e.ErrorCode != want || e.Model != nil {
			t.Errorf("%s: %s", request, r.Body)
		}
	}
	if e, r := as3x[any](t, b.Bench, guest, http.MethodPost, "/api/jobs/j/trigger", ""); *e.ErrorCode != 500 {
		t.Errorf("a guest's action: %s", r.Body)
	}
	for _, bad := range []string{"forged", ""} {
		if e, r := as3x[any](t, b.Bench, bad+" ", http.MethodGet, "/api/jobs", ""); *e.ErrorCode != 403 {
			t.Errorf("token %q: %s", bad, r.Body)
		}
	}
}

func TestEnvelopeByMediaType(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"wrong"}`, "Authorization: ", "Accept: "+app.EnvelopeType)
	consoletest.WantStatus(t, r, http.StatusOK)
	if !strings.Contains(r.Body, `"success":false,"errorCode":403`) {
		t.Errorf("login %s", r.Body)
	}
	// Whoever sends a bearer token gets true status codes, whatever else he says.
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs/nope", "", "Access-Token: x"), http.StatusNotFound)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/healthz", "", "Authorization: ", "Access-Token: x"), http.StatusOK)
}

func TestHistoryOf3x(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = nil
	for i := range 25 {
		b.History.Rows = append(b.History.Rows, tracing.Execution{ID: fmt.Sprint(i), JobName: "j", StartTime: consoletest.Noon, CompleteTime: consoletest.Noon.Add(time.Second), Success: true})
	}
	b.History.Rows[0].CompleteTime = time.Time{}
	b.History.Steps = []tracing.Status{{ID: "s", JobName: "j", Items: []int{0, 1}, State: tracing.StateRunning, CreationTime: consoletest.Noon}}
	token := b.Token(t, auth.RoleGuest, auth.ForAPI)
	page := func(body string) api.Total[api.ExecutionEvent] {
		e, _ := as3x[api.Total[api.ExecutionEvent]](t, b, token, http.MethodPost, "/api/event-trace/execution", body)
		return e.Model
	}
	first := page(`{"pageSize":10,"pageNumber":1,"jobName":null,"isSuccess":null,"startTimeFrom":"2026-11-21T00:00:00.000Z"}`)
	if first.Total != 25 || len(first.Rows) != 10 || first.Rows[0].StartTime != consoletest.Noon.UnixMilli() || first.Rows[0].CompleteTime != nil || *first.Rows[1].CompleteTime != consoletest.Noon.UnixMilli()+1000 {
		t.Errorf("first page %+v", first)
	}
	if last := page(`{"pageSize":10,"pageNumber":3,"sort":"startTime","order":"desc"}`); last.Total != 25 || len(last.Rows) != 5 || last.Rows[0].ID != "20" {
		t.Errorf("last page %+v", last)
	}
	if beyond := page(`{"pageSize":10,"pageNumber":9}`); beyond.Total != 25 || len(beyond.Rows) != 0 || beyond.Rows == nil {
		t.Errorf("beyond %+v", beyond)
	}
	if got := page(`{}`); len(got.Rows) != 10 {
		t.Errorf("by default %d rows", len(got.Rows))
	}
	steps, r := as3x[api.Total[api.StatusEvent]](t, b, token, http.MethodPost, "/api/event-trace/status", `{"pageSize":10,"pageNumber":1,"creationTimeTo":"2026-11-22T00:00:00.000Z"}`)
	if steps.Model.Total != 1 || steps.Model.Rows[0].ShardingItems != "[0, 1]" || steps.Model.Rows[0].CreationTime != consoletest.Noon.UnixMilli() {
		t.Errorf("steps %s", r.Body)
	}
	for _, bad := range []string{`{"pageSize":100000}`, `{"pageNumber":0}`, `{"pageNumber":1001}`, `{"sort":"taskId"}`, `{"order":"sideways"}`, `{"isSuccess":"perhaps"}`, `{"startTimeFrom":"soon"}`} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/event-trace/execution", bad), http.StatusUnprocessableEntity)
	}
	page(`{"sort":"jobName","order":"asc"}`)
	if f := b.History.Filters[len(b.History.Filters)-1]; f.Sort != rdb.SortJob || !f.Ascending {
		t.Errorf("filter %+v", f)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/event-trace/status", `{"order":"ASC"}`), http.StatusUnprocessableEntity)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/event-trace/status", `{"state":"FINE"}`), http.StatusUnprocessableEntity)
	if strings.Contains(b.Log.String(), "msg=audit") {
		t.Error("reading is in the audit record")
	}
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var token string
	renew := func() (loginResponse, consoletest.Reply) {
		r := b.Call(t, http.MethodPost, "/api/refresh", "", "Authorization: Bearer "+token)
		var body loginResponse
		if r.StatusCode == http.StatusOK {
			r.Into(t, &body)
		}
		return body, r
	}
	token = b.Token(t, auth.RoleGuest, auth.ForAPI)
	old := token
	b.Pass(7 * time.Hour)
	fresh, r := renew()
	consoletest.WantStatus(t, r, http.StatusOK)
	if fresh.Username != "guest" || fresh.AccessToken == old || fresh.ExpiresAt != "2026-11-22T03:00:07Z" {
		t.Errorf("fresh %+v", fresh)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+old), http.StatusUnauthorized)
	token = fresh.AccessToken
	var me api.Me
	b.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token).Into(t, &me)
	if diff := cmp.Diff(api.Me{Username: "guest", Role: "guest", ExpiresAt: "2026-11-22T03:00:07Z"}, me); diff != "" {
		t.Errorf("me (-want +got):\n%s", diff)
	}
	for range 30 { // seven hours each: the week ends
		b.Pass(7 * time.Hour)
		if fresh, r = renew(); r.StatusCode != http.StatusOK {
			break
		}
		token = fresh.AccessToken
	}
	if r.StatusCode != http.StatusUnauthorized || !strings.Contains(r.Body, "token_expired") || b.Clock().Sub(consoletest.Noon) < auth.MaxSession {
		t.Errorf("after %s: %d %s", b.Clock().Sub(consoletest.Noon), r.StatusCode, r.Body)
	}
}

func TestBulkActions(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("i")+consoletest.Plain("j")+"\nlonely/config = \"jobName: lonely\\nshardingTotalCount: 1\\n\"\n", func(t *testing.T, b consoletest.TreeBench) {
		ask := func(order string, preview bool, jobs ...string) api.Bulk {
			r := b.Call(t, http.MethodPost, "/api/bulk", fmt.Sprintf(`{"order":%q,"preview":%t,"jobs":["%s"]}`, order, preview, strings.Join(jobs, `","`)))
			consoletest.WantStatus(t, r, 200)
			var body api.Bulk
			r.Into(t, &body)
			return body
		}
		// Each preview says what then happens.
		for _, order := range []string{"trigger", "disable", "trigger", "disable", "enable", "remove", "shutdown", "shutdown", "remove"} {
			before := b.Tree.Dump(t, "")
			foreseen := ask(order, true, "j", "nope", "lonely", "i", "a/b")
			if b.Tree.Dump(t, "") != before {
				t.Fatalf("the preview of %s changed the tree", order)
			}
			happened := ask(order, false, "j", "nope", "lonely", "i", "a/b")
			if foreseen.Done != happened.Done || foreseen.Refused != happened.Refused {
				t.Errorf("%s: foreseen %+v, happened %+v", order, foreseen, happened)
			}
			for k, f := range foreseen.Results {
				h := happened.Results[k]
				if f.Job != h.Job || f.Code != h.Code || !cmp.Equal(sorted(f.Affected), sorted(h.Affected)) {
					t.Errorf("%s: foreseen %+v, happened %+v", order, f, h)
				}
			}
		}
		b.WantDump(t, "")
		for _, bad := range []string{`{}`, `{"order":"trigger","jobs":["j"]}`, `{"order":"trigger","jobs":[],"preview":true}`, `{"order":"explode","jobs":["j"],"preview":true}`, `{"order":"trigger","jobs":["j","j"],"preview":true}`} {
			consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/bulk", bad), http.StatusUnprocessableEntity)
		}
	})
}

func sorted(list []string) []string {
	m := make(map[string]bool)
	for _, s := range list {
		m[s] = true
	}
	return view.SortedKeys(m)
}

func TestBulkWithoutARegistry(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Down()
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/bulk", `{"order":"trigger","jobs":["invoices"],"preview":true}`), http.StatusServiceUnavailable)
}
