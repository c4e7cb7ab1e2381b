package settings

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestSourcesPage: the list with what the database of the command line has and lacks;
// a guest is offered nothing.
func TestSourcesPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Mu.Lock()
	b.History.Lacking = []string{"run_id", "attempt"}
	b.History.Mu.Unlock()
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/sources", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	if got := r.Text(t, "described"); !strings.Contains(got, "absent: run_id, attempt") || !strings.Contains(got, "console migrate") {
		t.Errorf("described %q", got)
	}
	if rows := r.Doc(t).Find(`[data-testid="source"]`); rows.Length() != 2 || !strings.Contains(consoletest.Words(rows.Last()), "billing mysql mysql://db.example.com:3306/traces reader yes") {
		t.Errorf("%d rows, last %q", rows.Length(), consoletest.Words(rows.Last()))
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/sources", nil)
	if consoletest.WantStatus(t, guest, http.StatusOK); guest.Doc(t).Find(`[data-testid="source"]`).Length() != 2 || guest.Doc(t).Find("form[action^='/sources']").Length() > 0 {
		t.Error("a guest is offered what he may not do")
	}

	b.History.Mu.Lock()
	b.History.Err = errors.New("asked to fail")
	b.History.Mu.Unlock()
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/sources", nil); r.StatusCode != http.StatusOK || r.Text(t, "part-problem") == "" {
		t.Errorf("without the history: status %d", r.StatusCode)
	}
}

// sourceFormOf is what the form about a data source sends.
func sourceFormOf(host string) url.Values {
	return url.Values{"name": {"eu"}, "type": {"postgres"}, "host": {host}, "database": {"jobs"}, "username": {"reader"}, "password": {"s3cret-Canary"}, "options": {"sslmode=require"}}
}

// TestSourceIsTestedBeforeItIsAdded: what the test found is said in numbers, what
// cannot be used is not stored, and no answer has the password.
func TestSourceIsTestedBeforeItIsAdded(t *testing.T) {
	t.Parallel()
	b, form := consoletest.New(t), sourceFormOf
	for host, want := range map[string]string{
		"db1": "Connected; round trip 1.2 ms. More than 10,000 executions.", "db-old": "It lacks run_id, EXECUTION_RUN_INDEX", "db-away": "It cannot be used. connect: no answer.",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodPost, "/sources/test", form(host))
		if consoletest.WantStatus(t, r, http.StatusOK); !strings.Contains(r.Text(t, "verdict"), want) || strings.Contains(r.Body, "Canary") {
			t.Errorf("%s: %q", host, r.Text(t, "verdict"))
		}
	}
	if len(b.Settings.Sources()) != 1 {
		t.Error("a test stored something")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/sources", form("db-away")), http.StatusUnprocessableEntity)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/sources", form("evil")), http.StatusForbidden)
	for field, bad := range map[string]string{"port": "x", "options": "sslmode", "database": "", "name": "default"} {
		wrong := form("db1")
		wrong.Set(field, bad)
		if r := b.As(t, auth.RoleRoot, http.MethodPost, "/sources", wrong); r.StatusCode != http.StatusUnprocessableEntity && r.StatusCode != http.StatusConflict || r.Text(t, "source-refused") == "" {
			t.Errorf("%s %q: status %d", field, bad, r.StatusCode)
		}
	}
	_, page := b.Follow(t, "/sources", form("db1"))
	if got := b.Settings.Sources()["eu"]; got.Password != "s3cret-Canary" || got.Options["sslmode"] != "require" || got.Port != 5432 || !strings.HasPrefix(page.Text(t, "flash"), "Added eu. Connected") {
		t.Errorf("stored %+v; %q", got, page.Text(t, "flash"))
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/sources", form("db1")), http.StatusConflict)
}

// TestSourceIsChangedAndRemoved: a password that is not typed stays, unless the address
// changes; the removal wants the name.
func TestSourceIsChangedAndRemoved(t *testing.T) {
	t.Parallel()
	b, form := consoletest.New(t), sourceFormOf
	b.Follow(t, "/sources", form("db1"))
	edit := b.As(t, auth.RoleRoot, http.MethodGet, "/sources/eu/edit", nil)
	if strings.Contains(edit.Body, "Canary") || edit.Doc(t).Find("[name=options]").AttrOr("value", "") != "sslmode=require" {
		t.Errorf("form %s", edit.Text(t, "enter"))
	}
	change := form("db1")
	change.Set("password", "")
	change.Set("database", "jobs2")
	b.Follow(t, "/sources/eu/edit", change)
	if got := b.Settings.Sources()["eu"]; got.Password != "s3cret-Canary" || got.Database != "jobs2" {
		t.Errorf("changed to %+v", got)
	}
	change.Set("host", "db2")
	if r := b.As(t, auth.RoleRoot, http.MethodPost, "/sources/eu/edit", change); !strings.Contains(r.Text(t, "source-refused"), "given again") {
		t.Errorf("another address gets the stored password: %q", r.Text(t, "source-refused"))
	}
	_, page := b.Follow(t, "/sources/eu/test", url.Values{})
	if got := page.Text(t, "flash"); !strings.HasPrefix(got, "eu: Connected") {
		t.Errorf("test of a row: %q", got)
	}

	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/sources/eu/remove", nil).Text(t, "effects"); !strings.Contains(got, "Nothing in the database is touched") {
		t.Errorf("effects %q", got)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/sources/eu/remove", url.Values{"confirm": {"yes"}, "name": {"us"}}), http.StatusUnprocessableEntity)
	b.Follow(t, "/sources/eu/remove", url.Values{"confirm": {"yes"}, "name": {"eu"}})
	if len(b.Settings.Sources()) != 1 {
		t.Error("not removed")
	}
}
