package console

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// ownDatabase gives a bench a real database of its own.
func ownDatabase(t *testing.T, dsn string) func(*Options) {
	t.Helper()
	db := storetest.Open(t, dsn)
	if err := db.MigrateConsole(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, err := settings.ParseKey(strings.Repeat("00112233445566778899aabbccddeeff", 2))
	if err != nil {
		t.Fatal(err)
	}
	return func(o *Options) { o.Settings = settings.New(db, key) }
}

func (b *bench) audit(t *testing.T, query string) pageBody[auditBody] {
	t.Helper()
	var page pageBody[auditBody]
	b.call(t, http.MethodGet, "/api/audit"+query, "").into(t, &page)
	return page
}

// TestC11EveryOrderIsARow: given or refused, by whom, from where, about what, with
// what outcome; and nothing else is.
func TestC11EveryOrderIsARow(t *testing.T) {
	t.Parallel()
	b := newBench(t, ownDatabase(t, storetest.SQLiteDSN(t)))
	guest := "Authorization: Bearer " + b.token(t, auth.RoleGuest, auth.ForAPI)
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
		b.call(t, s[0], s[1], s[2], s[3:]...)
	}
	var got []string
	page := b.audit(t, "")
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

	first := b.audit(t, "?user=root&limit=3")
	second := b.audit(t, "?user=root&limit=3&cursor="+first.NextCursor)
	if len(first.Rows) != 3 || len(second.Rows) != 1 || second.NextCursor != "" || second.Rows[0].Target != "invoices" {
		t.Errorf("two pages: %+v, %+v", first, second)
	}
	wantStatus(t, b.call(t, http.MethodGet, "/api/audit?cursor=x", ""), http.StatusUnprocessableEntity)
	wantStatus(t, b.call(t, http.MethodGet, "/api/audit", "", guest), http.StatusForbidden)
}

// TestAuditPageIsForRoot: with the rows, a way to older ones and every filter in
// the address.
func TestAuditPageIsForRoot(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range query.DefaultPageSize + 1 {
		b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", "")
	}
	r := b.as(t, auth.RoleRoot, http.MethodGet, "/audit?user=root", nil)
	wantStatus(t, r, http.StatusOK)
	rows := r.doc(t).Find(`[data-testid="audit-row"]`)
	if rows.Length() != query.DefaultPageSize || !strings.Contains(words(rows.First()), "root 127.0.0.1 POST /api/jobs/:job/trigger invoices") {
		t.Errorf("%d rows, first %q", rows.Length(), words(rows.First()))
	}
	if !strings.Contains(r.body, "/audit?cursor=older&amp;user=root") {
		t.Error("no way to the older ones")
	}
	if !strings.Contains(r.body, `href="/audit"`) || strings.Contains(b.as(t, auth.RoleGuest, http.MethodGet, "/jobs", nil).body, `href="/audit"`) {
		t.Error("the way to the page is for root and not for guests")
	}
	wantStatus(t, b.as(t, auth.RoleGuest, http.MethodGet, "/audit", nil), http.StatusForbidden)
	wantStatus(t, newBench(t, func(o *Options) { o.Settings = nil }).as(t, auth.RoleRoot, http.MethodGet, "/audit", nil), http.StatusServiceUnavailable)
}

// TestA39SignedOutIsSignedOutEverywhere: on another console of the same
// database, with the same key, and on one that starts later. On every kind of
// database.
func TestA39SignedOutIsSignedOutEverywhere(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		key := []byte(strings.Repeat("k", auth.MinKey))
		start := func() *bench {
			return newBench(t, ownDatabase(t, dsn), func(o *Options) { o.Key = key })
		}
		one, other := start(), start()
		token, kept, page := one.token(t, auth.RoleRoot, auth.ForAPI), one.token(t, auth.RoleRoot, auth.ForAPI), one.token(t, auth.RoleRoot, auth.ForPages)
		try := func(b *bench, token string) int {
			return b.call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token).StatusCode
		}
		tryPage := func(b *bench) int {
			return b.as(t, "", http.MethodGet, "/jobs", nil, func(r *http.Request) {
				r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: page})
			}).StatusCode
		}
		if a, b, c := try(one, token), try(other, token), tryPage(other); a != 200 || b != 200 || c != 200 {
			t.Fatalf("before: %d, %d, %d", a, b, c)
		}
		wantStatus(t, one.call(t, http.MethodPost, "/api/logout", "", "Authorization: Bearer "+token), http.StatusNoContent)
		one.as(t, "", http.MethodPost, "/logout", nil, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: page})
		})
		later := start()
		for name, b := range map[string]*bench{"here": one, "beside": other, "later": later} {
			if a, k, p := try(b, token), try(b, kept), tryPage(b); a != 401 || k != 200 || p != 303 {
				t.Errorf("%s: given up %d, kept %d, page %d", name, a, k, p)
			}
		}
		// A refreshed token ends the old one everywhere too.
		wantStatus(t, other.call(t, http.MethodPost, "/api/refresh", "", "Authorization: Bearer "+kept), http.StatusOK)
		if got := try(one, kept); got != 401 {
			t.Errorf("after the refresh on the other console: %d", got)
		}
	})
}

// TestOwnDatabaseAway: nobody is let in, orders are not given, the reason is
// told, and it ends by itself.
func TestOwnDatabaseAway(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settings.fail(errors.New("told to"))
	for _, path := range []string{"/api/jobs", "/jobs"} {
		r := b.as(t, auth.RoleRoot, http.MethodGet, path, nil)
		wantStatus(t, r, http.StatusServiceUnavailable)
		if !strings.Contains(r.body, "own database") || strings.Contains(r.body, "told to") {
			t.Errorf("%s: %s", path, view.Clip(r.body, 300))
		}
	}
	wantStatus(t, b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""), http.StatusServiceUnavailable)
	wantStatus(t, b.call(t, http.MethodPost, "/api/logout", ""), http.StatusServiceUnavailable)
	wantStatus(t, b.as(t, "", http.MethodGet, "/readyz", nil), http.StatusServiceUnavailable)
	if got := b.registry.given(); len(got) > 0 {
		t.Errorf("orders: %q", got)
	}
	if !strings.Contains(b.log.String(), "an audit record is in the log only") {
		t.Error("the log does not say that records are missing")
	}
	b.settings.fail(nil)
	b.pass(2 * readyFor)
	wantStatus(t, b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""), http.StatusOK)
	wantStatus(t, b.as(t, "", http.MethodGet, "/readyz", nil), http.StatusOK)
}
