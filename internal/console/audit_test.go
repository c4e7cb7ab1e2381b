package console

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

// auditLines are the audit records in the log, from the given length on.
func (b *bench) auditLines(from int) []string {
	var lines []string
	for _, line := range strings.Split(b.log.String()[from:], "\n") {
		if strings.Contains(line, "msg=audit ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestC11EveryMutationIsAudited gives every order of every route as everybody, and
// wants one record each, in the log and in the database, which names who was
// refused and why; also of orders that fail.
func TestC11EveryMutationIsAudited(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, r := range slices.Concat(b.console.routes(), b.console.routes()) {
		if i == len(b.console.routes()) { // the second time everything fails
			b.down()
			b.registry.set(func(f *fakeRegistry) { f.orderErr = errors.New("told to") })
		}
		if r.method == http.MethodGet || strings.HasPrefix(r.path, "/api/event-trace/") {
			continue
		}
		for _, who := range everyCaller {
			req, err := http.NewRequestWithContext(t.Context(), r.method, b.URL+filled(r.path), nil)
			if err != nil {
				t.Fatal(err)
			}
			kind := surfaceOf(r.path)
			if token := callerToken(t, b, who, kind); token != "" && kind == api {
				req.Header.Set("Authorization", "Bearer "+token)
			} else if token != "" {
				req.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: token})
			}
			b.pass(time.Minute) // what strangers are refused is recorded at a bounded rate
			from, rows := len(b.log.String()), len(b.settings.records)
			answer := b.do(t, req)
			lines := b.auditLines(from)
			if changesNothing := r.path == "/theme" || r.path == "/logout" && who != asRoot && who != asGuest; changesNothing {
				if len(lines) > 0 || len(b.settings.records) > rows {
					t.Errorf("%s %s as %s changes nothing, but %q", r.method, r.path, who, lines)
				}
				continue
			}
			if added := b.settings.records[rows:]; len(added) != 1 || added[0].Action != r.method+" "+r.path || added[0].Status != answer.StatusCode || added[0].RequestID != answer.Header.Get("X-Request-Id") {
				t.Errorf("%s %s as %s: rows %+v", r.method, r.path, who, added)
			}
			if len(lines) != 1 {
				t.Errorf("%s %s as %s: %d records: %q", r.method, r.path, who, len(lines), lines)
				continue
			}
			want := []string{fmt.Sprintf("status=%d", answer.StatusCode), "remote=127.0.0.1", "request_id=" + answer.Header.Get("X-Request-Id"), fmt.Sprintf("action=%q", r.method+" "+r.path)}
			switch refusedWith := map[string]string{asNobody: "token_missing", asExpired: "token_expired", asForged: "token_invalid", asLoggedOut: "token_revoked"}[who]; {
			case r.access == anyone:
			case refusedWith != "":
				want = append(want, "outcome="+refusedWith, `user=""`)
			case who == asGuest && r.access == operator:
				want = append(want, "outcome=forbidden", "user=guest", "role=guest")
			default:
				want = append(want, "user="+who)
			}
			for _, part := range want {
				if !strings.Contains(lines[0], part) {
					t.Errorf("%s %s as %s: the record lacks %q: %s", r.method, r.path, who, part, lines[0])
				}
			}
		}
	}
}

func TestAuditOfOtherRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, give := range map[string]func(){
		"cross_origin":  func() { b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", "", "Origin: https://evil.example") },
		"not_confirmed": func() { b.as(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/shutdown", url.Values{}) },
		"malformed":     func() { b.call(t, http.MethodPut, configRoute, "{") },
		"invalid":       func() { b.call(t, http.MethodPut, configRoute, `{"jobName":""}`) },
		"not_found":     func() { b.call(t, http.MethodPost, "/api/jobs/a%2Fb/trigger", "") },
		"wrong_password": func() {
			b.call(t, http.MethodPost, "/api/login", `{"username":"root","password":"wrong-Canary"}`, "Authorization: ")
		},
	} {
		from := len(b.log.String())
		give()
		if lines := b.auditLines(from); len(lines) != 1 || !strings.Contains(lines[0], "outcome="+name) {
			t.Errorf("%s: %q", name, lines)
		}
	}
	from := len(b.log.String())
	b.call(t, http.MethodGet, "/api/jobs/invoices/trigger", "")
	b.call(t, http.MethodPost, "/api/nowhere", "")
	if lines := b.auditLines(from); len(lines) != 0 {
		t.Errorf("nothing could change, but %q", lines)
	}
	if strings.Contains(b.log.String(), "wrong-Canary") {
		t.Error("a password is in the log")
	}
}

func TestA38C04TenWrongPasswords(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	try := func(password string) reply {
		return b.call(t, http.MethodPost, "/api/login", `{"username":"root","password":"`+password+`"}`, "Authorization: ")
	}
	for range auth.AccountBurst {
		wantStatus(t, try("wrong"), http.StatusUnauthorized)
	}
	r := try("r00t-Canary-7")
	wantStatus(t, r, http.StatusTooManyRequests)
	if r.Header.Get("Retry-After") == "" {
		t.Error("nothing says how long to wait")
	}
	lines := b.auditLines(0)
	if len(lines) != auth.AccountBurst+1 || !strings.Contains(lines[0], "outcome=wrong_password") || !strings.Contains(lines[0], "account=root") || !strings.Contains(lines[auth.AccountBurst], "outcome=too_many_attempts") {
		t.Errorf("records %q", lines)
	}
}

func TestA39Tokens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var login loginResponse
	b.call(t, http.MethodPost, "/api/login", `{"username":"root","password":"r00t-Canary-7"}`, "Authorization: ").into(t, &login)
	with := func(token string) reply {
		return b.call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token)
	}
	wantStatus(t, with(login.AccessToken), http.StatusOK)
	for i, part := range strings.Split(login.AccessToken, ".") {
		if strings.Contains(part, "Canary") {
			t.Error("the password is in the token")
		}
		for _, at := range []int{0, len(part) / 2} {
			altered := []byte(part)
			altered[at] = map[bool]byte{true: 'B', false: 'A'}[altered[at] == 'A']
			parts := strings.Split(login.AccessToken, ".")
			parts[i] = string(altered)
			wantStatus(t, with(strings.Join(parts, ".")), http.StatusUnauthorized)
		}
	}
	wantStatus(t, b.call(t, http.MethodPost, "/api/logout", "", "Authorization: Bearer "+login.AccessToken), http.StatusNoContent)
	wantStatus(t, with(login.AccessToken), http.StatusUnauthorized)
}

func TestA45WrongPagesAndOrders(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, path := range []string{"/api/jobs", "/api/jobs/getAllJobsBriefInfo", "/api/event-trace/execution", "/api/event-trace/status"} {
		for _, query := range []string{"sort=xyz", "order=sideways", "pageSize=100000", "page=0", "page=-1", "page=99999999999999999999", "limit=0", "limit=100000", "cursor=x", "from=soon", "state=x", "status=x", "took=-1", "took=NaN", "took=1e99", "match=x"} {
			if r := b.call(t, http.MethodGet, path+"?"+query, ""); r.StatusCode != http.StatusOK && r.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s?%s: status %d", path, query, r.StatusCode)
			}
		}
	}
	wantStatus(t, b.call(t, http.MethodGet, "/api/jobs?sort=xyz", ""), http.StatusUnprocessableEntity)
	for _, query := range []string{"sort=xyz", "order=sideways", "page=0", "page=x", "page=201", "took=NaN", "match=x", "limit=100000"} {
		wantStatus(t, b.call(t, http.MethodGet, "/api/event-trace/execution?"+query, ""), http.StatusUnprocessableEntity)
	}
	wantStatus(t, b.call(t, http.MethodGet, "/api/event-trace/execution?limit=100000", ""), http.StatusUnprocessableEntity)
}

func TestA48HistoryThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.history.err = fmt.Errorf("dial tcp 10.3.3.3:3306: refused")
	for _, r := range []reply{
		b.call(t, http.MethodGet, "/api/event-trace/execution", ""), b.call(t, http.MethodGet, "/api/event-trace/status", ""),
		b.call(t, http.MethodPost, "/api/event-trace/execution", "{}"), b.call(t, http.MethodPost, "/api/event-trace/status", "{}"),
	} {
		wantStatus(t, r, http.StatusServiceUnavailable)
		if strings.Contains(r.body, "10.3.3.3") || !strings.Contains(r.body, "database_unavailable") {
			t.Errorf("%s", r.body)
		}
	}
}
