package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestC11EveryMutationIsAudited carries out every action of every route as everybody, and
// wants one record each, in the log and in the database, which names who was
// refused and why; also of actions that fail.
func TestC11EveryMutationIsAudited(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for i, r := range slices.Concat(b.Console.Routes(), b.Console.Routes()) {
		if i == len(b.Console.Routes()) { // the second time everything fails
			b.Down()
			b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ActionErr = errors.New("asked to fail") })
		}
		if r.Method == http.MethodGet || strings.HasPrefix(r.Path, "/api/event-trace/") || strings.HasPrefix(r.Path, "/api/job/events/") {
			continue
		}
		for _, who := range consoletest.EveryCaller {
			req, err := http.NewRequestWithContext(t.Context(), r.Method, b.URL+consoletest.Filled(r.Path), nil)
			if err != nil {
				t.Fatal(err)
			}
			kind := app.SurfaceOf(r.Path)
			if token := consoletest.CallerToken(t, b, who, kind); token != "" && kind == app.API {
				req.Header.Set("Authorization", "Bearer "+token)
			} else if token != "" {
				req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: token})
			}
			b.Pass(time.Minute) // what strangers are refused is recorded at a bounded rate
			from, rows := len(b.Log.String()), len(b.Settings.Written)
			answer := b.Do(t, req)
			lines := b.AuditLines(from)
			previews := strings.HasSuffix(r.Path, "/preview") && who == consoletest.AsRoot
			if changesNothing := previews || r.Path == event.Path || r.Path == "/theme" || r.Path == app.LanguageRoute || r.Path == app.ZoneRoute || r.Path == "/logout" && !slices.Contains([]string{consoletest.AsRoot, consoletest.AsOperator, consoletest.AsGuest}, who); changesNothing {
				if len(lines) > 0 || len(b.Settings.Written) > rows {
					t.Errorf("%s %s as %s changes nothing, but %q", r.Method, r.Path, who, lines)
				}
				continue
			}
			if added := b.Settings.Written[rows:]; len(added) != 1 || added[0].Action != r.Method+" "+r.Path || added[0].Status != answer.StatusCode || added[0].RequestID != answer.Header.Get("X-Request-Id") {
				t.Errorf("%s %s as %s: rows %+v", r.Method, r.Path, who, added)
			}
			if len(lines) != 1 {
				t.Errorf("%s %s as %s: %d records: %q", r.Method, r.Path, who, len(lines), lines)
				continue
			}
			want := []string{fmt.Sprintf("status=%d", answer.StatusCode), "remote=127.0.0.1", "request_id=" + answer.Header.Get("X-Request-Id"), fmt.Sprintf("action=%q", r.Method+" "+r.Path)}
			switch refusedWith := map[string]string{consoletest.AsNobody: "token_missing", consoletest.AsExpired: "token_expired", consoletest.AsForged: "token_invalid", consoletest.AsLoggedOut: "token_revoked"}[who]; {
			case r.Access == app.Anyone:
			case refusedWith != "":
				want = append(want, "outcome="+refusedWith, `user=""`)
			case who == consoletest.AsGuest && r.Access >= app.Operates, who == consoletest.AsOperator && r.Access == app.Configures:
				want = append(want, "outcome=forbidden", "user="+who, "role="+who)
			default:
				want = append(want, "user="+who)
			}
			for _, part := range want {
				if !strings.Contains(lines[0], part) {
					t.Errorf("%s %s as %s: the record lacks %q: %s", r.Method, r.Path, who, part, lines[0])
				}
			}
		}
	}
}

func TestAuditOfOtherRefusals(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for name, give := range map[string]func(){
		"cross_origin":  func() { b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", "Origin: https://evil.example") },
		"not_confirmed": func() { b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/shutdown", url.Values{}) },
		"malformed":     func() { b.Call(t, http.MethodPut, "/api/jobs/config", "{") },
		"invalid":       func() { b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":""}`) },
		"not_found":     func() { b.Call(t, http.MethodPost, "/api/jobs/a%2Fb/trigger", "") },
		"wrong_password": func() {
			b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"wrong-Canary"}`, "Authorization: ")
		},
	} {
		from := len(b.Log.String())
		give()
		if lines := b.AuditLines(from); len(lines) != 1 || !strings.Contains(lines[0], "outcome="+name) {
			t.Errorf("%s: %q", name, lines)
		}
	}
	from := len(b.Log.String())
	b.Call(t, http.MethodGet, "/api/jobs/invoices/trigger", "")
	b.Call(t, http.MethodPost, "/api/nowhere", "")
	if lines := b.AuditLines(from); len(lines) != 0 {
		t.Errorf("nothing could change, but %q", lines)
	}
	if strings.Contains(b.Log.String(), "wrong-Canary") {
		t.Error("a password is in the log")
	}
}

func TestA38C04TenWrongPasswords(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	try := func(password string) consoletest.Reply {
		return b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"`+password+`"}`, "Authorization: ")
	}
	for range auth.AccountBurst {
		consoletest.WantStatus(t, try("wrong"), http.StatusUnauthorized)
	}
	r := try("r00t-Canary-7")
	consoletest.WantStatus(t, r, http.StatusTooManyRequests)
	if r.Header.Get("Retry-After") == "" {
		t.Error("nothing says how long to wait")
	}
	lines := b.AuditLines(0)
	if len(lines) != auth.AccountBurst+1 || !strings.Contains(lines[0], "outcome=wrong_password") || !strings.Contains(lines[0], "account=root") || !strings.Contains(lines[auth.AccountBurst], "outcome=too_many_attempts") {
		t.Errorf("records %q", lines)
	}
}

func TestA39Tokens(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var login struct{ AccessToken string }
	b.Call(t, http.MethodPost, "/api/login", `{"username":"root","password":"r00t-Canary-7"}`, "Authorization: ").Into(t, &login)
	with := func(token string) consoletest.Reply {
		return b.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token)
	}
	consoletest.WantStatus(t, with(login.AccessToken), http.StatusOK)
	for i, part := range strings.Split(login.AccessToken, ".") {
		if strings.Contains(part, "Canary") {
			t.Error("the password is in the token")
		}
		for _, at := range []int{0, len(part) / 2} {
			altered := []byte(part)
			altered[at] = map[bool]byte{true: 'B', false: 'A'}[altered[at] == 'A']
			parts := strings.Split(login.AccessToken, ".")
			parts[i] = string(altered)
			consoletest.WantStatus(t, with(strings.Join(parts, ".")), http.StatusUnauthorized)
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/logout", "", "Authorization: Bearer "+login.AccessToken), http.StatusNoContent)
	consoletest.WantStatus(t, with(login.AccessToken), http.StatusUnauthorized)
}

func TestA45WrongPagesAndSorting(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{"/api/jobs", "/api/jobs/getAllJobsBriefInfo", "/api/event-trace/execution", "/api/event-trace/status"} {
		for _, query := range []string{"sort=xyz", "order=sideways", "pageSize=100000", "page=0", "page=-1", "page=99999999999999999999", "limit=0", "limit=100000", "cursor=x", "from=soon", "state=x", "status=x", "took=-1", "took=NaN", "took=1e99", "match=x"} {
			if r := b.Call(t, http.MethodGet, path+"?"+query, ""); r.StatusCode != http.StatusOK && r.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s?%s: status %d", path, query, r.StatusCode)
			}
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs?sort=xyz", ""), http.StatusUnprocessableEntity)
	for _, query := range []string{"sort=xyz", "order=sideways", "page=0", "page=x", "page=201", "took=NaN", "match=x", "limit=100000"} {
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/event-trace/execution?"+query, ""), http.StatusUnprocessableEntity)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/event-trace/execution?limit=100000", ""), http.StatusUnprocessableEntity)
}

func TestA48HistoryThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Err = fmt.Errorf("dial tcp 10.3.3.3:3306: refused")
	for _, r := range []consoletest.Reply{
		b.Call(t, http.MethodGet, "/api/event-trace/execution", ""), b.Call(t, http.MethodGet, "/api/event-trace/status", ""),
		b.Call(t, http.MethodPost, "/api/event-trace/execution", "{}"), b.Call(t, http.MethodPost, "/api/event-trace/status", "{}"),
	} {
		consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
		if strings.Contains(r.Body, "10.3.3.3") || !strings.Contains(r.Body, "database_unavailable") {
			t.Errorf("%s", r.Body)
		}
	}
}
