package settings

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// bulkResult is the part of an answer about several jobs that the tests look at.
type bulkResult struct {
	Done    int
	Results []struct{ Code string }
}

// made creates a token over the REST interface and returns it, as a header and as the answer.
func made(t *testing.T, b *consoletest.Bench, body string, headers ...string) (header string, answer api.NewToken) {
	t.Helper()
	r := b.Call(t, http.MethodPost, api.TokensPath, body, headers...)
	consoletest.WantStatus(t, r, http.StatusCreated)
	r.Into(t, &answer)
	return "Authorization: Bearer " + answer.Text, answer
}

// as is the header with the login token of a role.
func as(t *testing.T, b *consoletest.Bench, role auth.Role) string {
	t.Helper()
	return "Authorization: Bearer " + b.Token(t, role, auth.ForAPI)
}

// wantProblem checks an answer's status and code, and that its message has some words.
func wantProblem(t *testing.T, r consoletest.Reply, status int, code, words string) {
	t.Helper()
	var body api.ErrorBody
	consoletest.WantStatus(t, r, status)
	r.Into(t, &body)
	if body.Code != code || !strings.Contains(body.Message, words) {
		t.Errorf("%s %s: %s %q, want %s with %q", r.Request.Method, r.Request.URL.Path, body.Code, body.Message, code, words)
	}
}

// The routes that tokens for some jobs may call although no job is in their address.
var (
	checksEachJob = []string{"POST /api/bulk", "GET /api/jobs", "GET /api/jobs/count", "GET /api/jobs/getAllJobsBriefInfo", "POST /api/jobs/config", "PUT /api/jobs/config"}
	aboutNoJob    = []string{"GET /api/me", "GET /api/version", "GET /api/openapi.json", "GET /api/openapi-legacy.json"}
)

// TestEveryRouteForEveryToken walks the route table with each scope and with patterns that
// fit the sample's job and that don't. Each refusal names the missing scope or job, and
// nothing else is refused.
func TestEveryRouteForEveryToken(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	needed := map[app.Access]auth.Scope{app.SignedIn: auth.ScopeRead, app.Operates: auth.ScopeOperate, app.Configures: auth.ScopeConfigure}
	for _, scope := range auth.Scopes {
		for _, jobs := range []string{"*", "invo*", "mail-*"} {
			header, _ := made(t, b, fmt.Sprintf(`{"name":"%s %s","scope":%q,"jobs":%q}`, scope, jobs[:1], scope, jobs))
			for _, r := range b.Console.Routes() {
				if app.SurfaceOf(r.Path) != app.API || strings.HasPrefix(r.Path, api.TokensPath) && !r.IsInPerson() {
					continue
				}
				where := r.Method + " " + r.Path
				words := "" // of the refusal
				switch hasJob := strings.Contains(r.Path, ":job"); {
				case r.Access == app.Anyone:
				case r.IsInPerson():
					words = "can't be used here"
				case !scope.Role().Includes(needed[r.Access].Role()):
					words = fmt.Sprintf("has the scope %s; this needs %s", scope, needed[r.Access])
				case jobs == "*" || slices.Contains(checksEachJob, where) || slices.Contains(aboutNoJob, where):
				case !hasJob:
					words = "isn't about one of them"
				case jobs == "mail-*":
					words = `is for the jobs mail-*, and "invoices" isn't one of them`
				}
				// A real request is not needed: a refusal comes before the body is read.
				got := b.Call(t, r.Method, consoletest.Filled(r.Path), "", header)
				refused := got.StatusCode == http.StatusForbidden && strings.Contains(got.Body, `"token_scope"`)
				switch {
				case got.StatusCode == http.StatusUnauthorized && r.Access != app.Anyone || got.StatusCode == http.StatusInternalServerError:
					t.Errorf("%s with %s %s: %d %s", where, scope, jobs, got.StatusCode, view.Clip(got.Body, 200))
				case refused != (words != "") || refused && !strings.Contains(strings.ReplaceAll(got.Body, `\"`, `"`), words):
					t.Errorf("%s with %s %s: %d %s, want a refusal with %q", where, scope, jobs, got.StatusCode, view.Clip(got.Body, 200), words)
				}
			}
		}
	}
	if b.Settings.Rows("program_token") != 10 {
		t.Errorf("%d tokens, so a token has made or revoked one", b.Settings.Rows("program_token"))
	}
}

// TestATokenIsRefused: why it is refused has a code and a sentence of its own, and a database
// that is away is no reason to call a token wrong.
func TestATokenIsRefused(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	header, answer := made(t, b, `{"name":"deploy","scope":"read"}`)
	if want := consoletest.Noon.Add(auth.ProgramLifetime); answer.ExpiresAt != view.IsoTime(want) || answer.Jobs != "*" || answer.User != "root" || answer.Warning != "" {
		t.Errorf("created %+v", answer)
	}
	get := func(header string) consoletest.Reply { return b.Call(t, http.MethodGet, "/api/jobs/count", "", header) }
	consoletest.WantStatus(t, get(header), http.StatusOK)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs/count", "", "Authorization: ", "Access-Token: "+answer.Text), http.StatusOK)
	wantProblem(t, get(header[:len(header)-1]), http.StatusUnauthorized, "token_invalid", "no such token for programs")
	wantProblem(t, get("Authorization: Bearer ejt_x"), http.StatusUnauthorized, "token_invalid", "no such token for programs")
	wantProblem(t, get("Authorization: Bearer ejt_aaaaaaaaaaaaaaaa_x"), http.StatusUnauthorized, "token_invalid", "no such token for programs")
	page := b.Call(t, http.MethodGet, "/jobs", "", header)
	if consoletest.WantStatus(t, page, http.StatusSeeOther); page.Header.Get("Location") != "/login?next=%2Fjobs" {
		t.Errorf("a token opens a page: %s", page.Header.Get("Location"))
	}

	b.Settings.Fail(errors.New("asked to fail"))
	r := get(header)
	wantProblem(t, r, http.StatusServiceUnavailable, "settings_unavailable", "")
	if r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After while the database is away")
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, api.TokensPath, `{"name":"x","scope":"read"}`), http.StatusServiceUnavailable)
	b.Settings.Fail(nil)
	consoletest.WantStatus(t, get(header), http.StatusOK)

	b.Pass(auth.ProgramLifetime)
	wantProblem(t, get(header), http.StatusUnauthorized, "token_expired", "token for programs has expired")
	consoletest.WantStatus(t, b.Call(t, http.MethodDelete, api.TokensPath+"/"+answer.ID, ""), http.StatusNoContent)
	wantProblem(t, get(header), http.StatusUnauthorized, "token_revoked", "token for programs was revoked")
	wantProblem(t, b.Call(t, http.MethodDelete, api.TokensPath+"/"+answer.ID, ""), http.StatusNotFound, "not_found", "no such token")
	if strings.Contains(b.Log.String(), strings.SplitN(answer.Text, "_", 3)[2]) {
		t.Error("the log has the secret")
	}
}

// TestATokenIsRevokedEverywhere: two consoles of one database, without a pause between a
// revocation and the next request.
func TestATokenIsRevokedEverywhere(t *testing.T) {
	t.Parallel()
	own := consoletest.OwnDatabase(t, storetest.SQLiteDSN(t))
	one, other := consoletest.New(t, own), consoletest.New(t, own)
	header, answer := made(t, one, `{"name":"deploy","scope":"operate"}`)
	trigger := func() consoletest.Reply {
		return other.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", header)
	}
	consoletest.WantStatus(t, trigger(), http.StatusOK)
	var list []api.Token
	if one.Call(t, http.MethodGet, api.TokensPath, "").Into(t, &list); len(list) != 1 || list[0].LastUsedAt != view.IsoTime(consoletest.Noon) || list[0].ID != answer.ID {
		t.Errorf("listed: %+v", list)
	}
	consoletest.WantStatus(t, one.Call(t, http.MethodDelete, api.TokensPath+"/"+answer.ID, ""), http.StatusNoContent)
	wantProblem(t, trigger(), http.StatusUnauthorized, "token_revoked", "was revoked")
	if given := other.Registry.Given(); len(given) != 1 {
		t.Errorf("carried out: %q", given)
	}
}

// TestTheAuditNamesTheToken: with its account, in the database and in the log, also if the
// request was refused.
func TestTheAuditNamesTheToken(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)))
	header, _ := made(t, b, `{"name":"deploy pipeline","scope":"operate"}`, as(t, b, auth.RoleOperator))
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", header), http.StatusOK)
	consoletest.WantStatus(t, b.Call(t, http.MethodDelete, "/api/jobs/config/invoices", "", header), http.StatusForbidden)
	page := b.Audit(t, "")
	var got []string
	for _, r := range page.Rows {
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s|%s", r.User, r.Role, r.Action, r.Target, r.Outcome, r.Detail))
	}
	want := []string{
		"operator|operator|DELETE /api/jobs/config/:job|invoices|token_scope|via=deploy pipeline",
		"operator|operator|POST /api/jobs/:job/trigger|invoices|done|via=deploy pipeline order=trigger affected=0 skipped=0",
		"operator|operator|POST /api/tokens|deploy pipeline|done|order=create token scope=operate jobs=",
	}
	if !slices.Equal(got, want) {
		t.Errorf("records:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if log := b.Log.String(); !strings.Contains(log, `user=operator role=operator remote=127.0.0.1 action="POST /api/jobs/:job/trigger" via="deploy pipeline"`) {
		t.Error("the log lacks the token")
	}
}

// TestATokenForSomeJobs: actions on many jobs and configurations are refused for the others,
// and lists leave them out.
func TestATokenForSomeJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	header, answer := made(t, b, `{"name":"billing","scope":"configure","jobs":"invo*"}`)
	if answer.Warning != "" {
		t.Errorf("warning %q", answer.Warning)
	}
	var jobs []api.Job
	if b.Call(t, http.MethodGet, "/api/jobs", "", header).Into(t, &jobs); len(jobs) != 1 || jobs[0].JobName != "invoices" {
		t.Errorf("listed: %+v", jobs)
	}
	if r := b.Call(t, http.MethodGet, "/api/jobs/count", "", header); strings.TrimSpace(r.Body) != "1" {
		t.Errorf("count %s", r.Body)
	}
	for _, preview := range []bool{true, false} {
		var result bulkResult
		r := b.Call(t, http.MethodPost, "/api/bulk", fmt.Sprintf(`{"order":"trigger","jobs":["reindex","invoices"],"preview":%t}`, preview), header)
		if r.Into(t, &result); result.Done != 1 || result.Results[0].Code != "token_scope" || result.Results[1].Code != "" {
			t.Errorf("preview %t: %s", preview, r.Body)
		}
	}
	if given := b.Registry.Given(); !slices.Equal(given, []string{"trigger invoices"}) {
		t.Errorf("carried out: %q", given)
	}
	for _, method := range []string{http.MethodPut, http.MethodPost} {
		wantProblem(t, b.Call(t, method, "/api/jobs/config", `{"jobName":"reindex","shardingTotalCount":3}`, header), http.StatusForbidden, "token_scope", `"reindex" isn't one of them`)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"invoices","description":"x"}`, header), http.StatusNoContent)
	// There is no detour by an escaped name, and other addresses are closed.
	wantProblem(t, b.Call(t, http.MethodGet, "/api/jobs/%72eindex", "", header), http.StatusForbidden, "token_scope", `"reindex"`)
	wantProblem(t, b.Call(t, http.MethodPost, "/api/servers/10.2.0.14/shutdown", "", header), http.StatusForbidden, "token_scope", "isn't about one")

	_, nothing := made(t, b, `{"name":"later","scope":"read","jobs":"nothing-*"}`)
	if !strings.Contains(nothing.Warning, "No job matches nothing-* now") {
		t.Errorf("warning %q", nothing.Warning)
	}
}

// TestATokenIsBoundByItsAccount: operators can't make a token for configurations, and an
// account that may do less than before has tokens that may do less.
func TestATokenIsBoundByItsAccount(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	operator := as(t, b, auth.RoleOperator)
	r := b.Call(t, http.MethodPost, api.TokensPath, `{"name":"deploy","scope":"configure"}`, operator)
	if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Body, "at most operate, because the account can't do more") {
		t.Errorf("%s", r.Body)
	}
	wantProblem(t, b.Call(t, http.MethodPost, api.TokensPath, `{"name":"x","scope":"read"}`, as(t, b, auth.RoleGuest)), http.StatusForbidden, "forbidden", "operator")
	header, answer := made(t, b, `{"name":"deploy","scope":"operate"}`, operator)
	_, roots := made(t, b, `{"name":"root's","scope":"read"}`)

	var list []api.Token
	if b.Call(t, http.MethodGet, api.TokensPath, "", operator).Into(t, &list); len(list) != 1 || list[0].ID != answer.ID {
		t.Errorf("an operator sees %+v", list)
	}
	if b.Call(t, http.MethodGet, api.TokensPath, "").Into(t, &list); len(list) != 3 {
		t.Errorf("an admin sees %+v", list)
	}
	wantProblem(t, b.Call(t, http.MethodDelete, api.TokensPath+"/"+roots.ID, "", operator), http.StatusNotFound, "not_found", "no such token")

	trigger := func() consoletest.Reply { return b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", header) }
	consoletest.WantStatus(t, trigger(), http.StatusOK)
	change := func(from, to string) {
		accounts, err := auth.ParseAccounts([]byte(strings.Replace(consoletest.TestAccounts, from, to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		b.Console.SetAccounts(accounts)
	}
	change("role=operator", "role=viewer")
	wantProblem(t, trigger(), http.StatusForbidden, "token_scope", "operator has the role viewer now")
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs", "", header), http.StatusOK)
	change("account.operator.role=operator\naccount.operator.password=0perator-Canary-7\n", "")
	wantProblem(t, trigger(), http.StatusUnauthorized, "token_revoked", "account that made this token")
}

// TestOperatorsDoNotConfigure: operators run jobs, but change and delete nothing, also
// where the verb is in the body.
func TestOperatorsDoNotConfigure(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	operator := as(t, b, auth.RoleOperator)
	for _, ask := range []struct {
		method, path, body string
		status             int
	}{
		{http.MethodPost, "/api/jobs/invoices/disable", "", 200},
		{http.MethodPost, "/api/jobs/invoices/disable?persistent=true", "", 403},
		{http.MethodPost, "/api/jobs/invoices/enable?persistent=true", "", 403},
		{http.MethodPost, "/api/jobs/invoices/shutdown", "", 200},
		{http.MethodDelete, "/api/jobs/config/invoices", "", 403},
		{http.MethodPut, "/api/jobs/config", `{"jobName":"invoices","description":"x"}`, 403},
		{http.MethodGet, "/api/audit", "", 403},
		{http.MethodDelete, "/api/servers/10.2.0.14", "", 403},
		{http.MethodPost, "/api/servers/10.2.0.14/shutdown", "", 200},
	} {
		r := b.Call(t, ask.method, ask.path, ask.body, operator)
		if r.StatusCode != ask.status {
			t.Errorf("%s %s: %d, want %d: %s", ask.method, ask.path, r.StatusCode, ask.status, view.Clip(r.Body, 200))
		}
	}
	var result bulkResult
	for order, code := range map[string]string{`"trigger"`: "", `"remove"`: "forbidden", `"label","label":"x"`: "forbidden"} {
		r := b.Call(t, http.MethodPost, "/api/bulk", `{"order":`+order+`,"jobs":["invoices"],"preview":false}`, operator)
		result = bulkResult{}
		if r.Into(t, &result); len(result.Results) != 1 || result.Results[0].Code != code {
			t.Errorf("bulk %s: %s", order, r.Body)
		}
	}
	for _, verb := range b.Registry.Given() {
		if strings.Contains(verb, "remove") || strings.Contains(verb, "for good") || strings.Contains(verb, "configure") {
			t.Errorf("an operator has done: %s", verb)
		}
	}
	var me api.Me
	if b.Call(t, http.MethodGet, "/api/me", "", operator).Into(t, &me); me.Role != "operator" || me.Username != "operator" {
		t.Errorf("%+v", me)
	}
}

// TestWrongTokens: every problem of a request is named, and nothing is stored.
func TestWrongTokens(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	at := func(d time.Duration) string { return view.IsoTime(consoletest.Noon.Add(d)) }
	for body, fields := range map[string]string{
		`{}`:                            "name scope",
		`{"name":" ","scope":"read"}`:   "name",
		`{"name":"a/b","scope":"read"}`: "name",
		`{"name":"` + strings.Repeat("名", settings.MaxProgramTokenName+1) + `","scope":"read"}`: "name",
		`{"name":"x","scope":"write"}`:             "scope",
		`{"name":"x","scope":"Read"}`:              "scope",
		`{"name":"x","scope":"read","jobs":"a/b"}`: "jobs",
		`{"name":"x","scope":"read","jobs":"` + strings.Repeat("*", settings.MaxJobsPattern+1) + `"}`:     "jobs",
		`{"name":"x","scope":"read","expiresAt":"tomorrow"}`:                                              "expiresAt",
		`{"name":"x","scope":"read","expiresAt":"` + at(0) + `"}`:                                         "expiresAt",
		`{"name":"x","scope":"read","expiresAt":"` + at(-time.Hour) + `"}`:                                "expiresAt",
		`{"name":"x","scope":"read","expiresAt":"` + at(auth.MaxProgramLifetime+time.Second) + `"}`:       "expiresAt",
		`{"name":"","scope":"root","jobs":"\n","expiresAt":"0001-01-01T00:00:00Z"}`:                       "name scope expiresAt",
		`{"name":"x","scope":"read","jobs":"a\u0000b","expiresAt":"` + at(auth.MaxProgramLifetime) + `"}`: "jobs",
	} {
		r := b.Call(t, http.MethodPost, api.TokensPath, body)
		var problem api.ErrorBody
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		r.Into(t, &problem)
		var got []string
		for _, f := range problem.Fields {
			got = append(got, f.Field)
		}
		if strings.Join(got, " ") != fields {
			t.Errorf("%s: %s, want %s", view.Clip(body, 100), got, fields)
		}
	}
	wantProblem(t, b.Call(t, http.MethodPost, api.TokensPath, `{"name":"nightly-report","scope":"read"}`), http.StatusConflict, "exists", `"nightly-report"`)
	wantProblem(t, b.Call(t, http.MethodPost, api.TokensPath, `[]`), http.StatusBadRequest, "malformed", "")
	if b.Settings.Rows("program_token") != 1 {
		t.Errorf("%d tokens are stored", b.Settings.Rows("program_token"))
	}
	_, edge := made(t, b, `{"name":" edge ","scope":"read","jobs":" ","expiresAt":"`+at(auth.MaxProgramLifetime)+`"}`)
	if edge.Name != "edge" || edge.Jobs != "*" || edge.ExpiresAt != at(auth.MaxProgramLifetime) {
		t.Errorf("created %+v", edge)
	}

	none := consoletest.New(t, func(o *app.Options) { o.Settings = nil })
	wantProblem(t, none.Call(t, http.MethodPost, api.TokensPath, `{"name":"x","scope":"read"}`), http.StatusServiceUnavailable, "no_settings", "")
	wantProblem(t, none.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer ejt_aaaaaaaaaaaaaaaa_x"), http.StatusUnauthorized, "token_invalid", "")
}
