package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// TestC11EveryActionIsARow: given or refused, by whom, from where, about what, with
// what outcome; and nothing else is.
func TestC11EveryActionIsARow(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)))
	guest := "Authorization: Bearer " + b.Token(t, auth.RoleGuest, auth.ForAPI)
	for _, s := range [][]string{
		{"POST", "/api/jobs/invoices/trigger", ""},
		{"POST", "/api/jobs/invoices/trigger", "", guest},
		{"POST", "/api/jobs/a%20b/disable", "", "Authorization: "},
		{"PUT", "/api/jobs/config", "{"},
		{"POST", "/api/bulk", `{"order":"disable","jobs":["invoices","reindex"],"preview":false}`},
		{"GET", "/api/jobs", ""},
		{"GET", "/api/jobs/invoices/trigger", ""},
		{"POST", "/api/jobs/invoices/trigger", "", "Origin: https://evil.example"},
		{"POST", "/api/servers/10.2.0.14/jobs/invoices/disable", ""},
		{"POST", "/api/login", `{"username":"root","password":"wrong-Canary"}`, "Authorization: "},
	} {
		b.Call(t, s[0], s[1], s[2], s[3:]...)
	}
	var got []string
	page := b.Audit(t, "")
	for _, r := range page.Rows {
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%d", r.User, r.Action, r.Target, r.Outcome, r.Status))
		if r.Remote != "127.0.0.1" || r.RequestID == "" || r.At != "2026-11-21T12:00:07Z" {
			t.Errorf("%+v", r)
		}
	}
	want := []string{
		"|POST /api/login||wrong_password|401",
		"root|POST /api/servers/:ip/jobs/:job/disable|invoices on 10.2.0.14|done|200",
		"|POST /api/jobs/:job/trigger|invoices|cross_origin|403",
		"root|POST /api/bulk|invoices, reindex|done|200",
		"root|PUT /api/jobs/config||malformed|400",
		"|POST /api/jobs/:job/disable|a b|token_missing|401",
		"guest|POST /api/jobs/:job/trigger|invoices|forbidden|403",
		"root|POST /api/jobs/:job/trigger|invoices|done|200",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(page.Rows[0].Detail, "account=root") || strings.Contains(fmt.Sprint(page), "wrong-Canary") {
		t.Errorf("the record of a wrong password: %+v", page.Rows[0])
	}

	first := b.Audit(t, "?user=root&limit=3")
	second := b.Audit(t, "?user=root&limit=3&cursor="+first.NextCursor)
	if len(first.Rows) != 3 || len(second.Rows) != 1 || second.NextCursor != "" || second.Rows[0].Target != "invoices" {
		t.Errorf("two pages: %+v, %+v", first, second)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/audit?cursor=x", ""), http.StatusUnprocessableEntity)
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/audit", "", guest), http.StatusForbidden)
	wantTriggersAlone(t, b, len(page.Rows))
}

// wantTriggersAlone asks for triggers among so many rows, and for an action that there
// is not.
func wantTriggersAlone(t *testing.T, b *consoletest.Bench, all int) {
	t.Helper()
	triggers := b.Audit(t, "?action=POST%20/trigger")
	for _, row := range triggers.Rows {
		if row.Action != "POST /api/jobs/:job/trigger" {
			t.Errorf("the action does not narrow the audit: %+v", row)
		}
	}
	if len(triggers.Rows) == 0 || len(triggers.Rows) >= all {
		t.Errorf("%d of %d rows are triggers", len(triggers.Rows), all)
	}
	r := b.Call(t, http.MethodGet, "/api/audit?action=nonsense", "")
	consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	if !strings.Contains(r.Body, "nonsense") {
		t.Errorf("an action that there is not: %s", r.Body)
	}
}

// TestAuditPageIsForRoot: with the rows, a way to older ones and every filter in
// the address.
func TestAuditPageIsForRoot(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for range query.DefaultPageSize + 1 {
		b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "")
	}
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/audit?user=root", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	rows := r.Doc(t).Find(`[data-testid="audit-row"]`)
	if rows.Length() != query.DefaultPageSize || !strings.Contains(consoletest.Words(rows.First()), "root Triggered invoices") {
		t.Errorf("%d rows, first %q", rows.Length(), consoletest.Words(rows.First()))
	}
	if !strings.Contains(r.Body, "/audit?cursor=older&amp;kind=changes&amp;user=root") {
		t.Error("no way to the older ones")
	}
	if !strings.Contains(r.Body, `href="/audit"`) || strings.Contains(b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil).Body, `href="/audit"`) {
		t.Error("the way to the page is for root and not for guests")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/audit", nil), http.StatusForbidden)
	consoletest.WantStatus(t, consoletest.New(t, func(o *app.Options) { o.Settings = nil }).As(t, auth.RoleRoot, http.MethodGet, "/audit", nil), http.StatusServiceUnavailable)
}

// TestA39SignedOutIsSignedOutEverywhere: on another console of the same
// database, with the same key, and on one that starts later. On every kind of
// database.
func TestA39SignedOutIsSignedOutEverywhere(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		key := []byte(strings.Repeat("k", auth.MinKey))
		start := func() *consoletest.Bench {
			return consoletest.New(t, consoletest.OwnDatabase(t, dsn), func(o *app.Options) { o.Key = key })
		}
		one, other := start(), start()
		token, kept, page := one.Token(t, auth.RoleRoot, auth.ForAPI), one.Token(t, auth.RoleRoot, auth.ForAPI), one.Token(t, auth.RoleRoot, auth.ForPages)
		try := func(b *consoletest.Bench, token string) int {
			return b.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token).StatusCode
		}
		tryPage := func(b *consoletest.Bench) int {
			return b.As(t, "", http.MethodGet, "/jobs", nil, func(r *http.Request) {
				r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: page})
			}).StatusCode
		}
		if a, b, c := try(one, token), try(other, token), tryPage(other); a != 200 || b != 200 || c != 200 {
			t.Fatalf("before: %d, %d, %d", a, b, c)
		}
		consoletest.WantStatus(t, one.Call(t, http.MethodPost, "/api/logout", "", "Authorization: Bearer "+token), http.StatusNoContent)
		one.As(t, "", http.MethodPost, "/logout", nil, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: page})
		})
		later := start()
		for name, b := range map[string]*consoletest.Bench{"here": one, "beside": other, "later": later} {
			if a, k, p := try(b, token), try(b, kept), tryPage(b); a != 401 || k != 200 || p != 303 {
				t.Errorf("%s: given up %d, kept %d, page %d", name, a, k, p)
			}
		}
		// A refreshed token ends the old one everywhere too.
		consoletest.WantStatus(t, other.Call(t, http.MethodPost, "/api/refresh", "", "Authorization: Bearer "+kept), http.StatusOK)
		if got := try(one, kept); got != 401 {
			t.Errorf("after the refresh on the other console: %d", got)
		}
	})
}

// TestOwnDatabaseAway: nobody is let in, no action is carried out, the reason is
// reported, and it ends by itself.
func TestOwnDatabaseAway(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.Fail(errors.New("asked to fail"))
	for _, path := range []string{"/api/jobs", "/jobs"} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
		if !strings.Contains(r.Body, "own database") || strings.Contains(r.Body, "asked to fail") {
			t.Errorf("%s: %s", path, view.Clip(r.Body, 300))
		}
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""), http.StatusServiceUnavailable)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/logout", ""), http.StatusServiceUnavailable)
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/readyz", nil), http.StatusServiceUnavailable)
	metrics := httptest.NewRecorder()
	b.Console.Options().Metrics.Handler(b.Console.Log).ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if !strings.Contains(metrics.Body.String(), "elasticjob_console_settings_up 0\n") {
		t.Error("the metrics don't show that the own database is away")
	}
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions: %q", got)
	}
	if !strings.Contains(b.Log.String(), "an audit record is in the log only") {
		t.Error("the log does not say that records are missing")
	}
	b.Settings.Fail(nil)
	b.Pass(2 * app.ReadyFor)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""), http.StatusOK)
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/readyz", nil), http.StatusOK)
}
