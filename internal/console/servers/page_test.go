package servers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestServerPage: the page has the jobs of a server with their shards there, its instances, and
// buttons for operators.
func TestServerPage(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("invoices")+consoletest.Plain("mail")+"mail/servers/10.0.0.1 = DISABLED\nold/config = \"jobName: old\\nshardingTotalCount: 1\\n\"\nold/servers/10.0.0.1 = ENABLED\n", func(t *testing.T, b consoletest.TreeBench) {
		r := b.As(t, auth.RoleRoot, http.MethodGet, "/servers/10.0.0.1", nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		rows := r.Doc(t).Find(`[data-testid="server-job"]`)
		if rows.Length() != 3 {
			t.Fatalf("%d jobs", rows.Length())
		}
		for i, want := range []string{"old Down", "mail part Disabled 1 of 2 1", "invoices Healthy Enabled 1 of 2 1"} {
			got := consoletest.Words(rows.Eq(i))
			for _, word := range strings.Fields(want) {
				if !strings.Contains(got, word) {
					t.Errorf("row %d is %q, want %q in it", i, got, word)
				}
			}
		}
		if got := r.Text(t, "server-line"); !strings.Contains(got, "Online 1 of 3 jobs disabled here") {
			t.Errorf("state %q", got)
		}
		if got := r.Text(t, "server-instance"); !strings.HasPrefix(got, "10.0.0.1@-@7 2 2") {
			t.Errorf("instance %q", got)
		}
		// A job with an instance here can be stopped, and another job can be removed.
		for i, want := range []string{"Disable… old Remove entry… old", "Enable… mail Stop instances… mail", "Disable… invoices Stop instances… invoices"} {
			if got := consoletest.Words(rows.Eq(i).Find(".acts")); got != want {
				t.Errorf("actions of row %d: %q, want %q", i, got, want)
			}
		}
		guest := b.As(t, auth.RoleGuest, http.MethodGet, "/servers/10.0.0.1", nil)
		consoletest.WantStatus(t, guest, http.StatusOK)
		if n := guest.Doc(t).Find(`[data-testid^="do-"]`).Length(); n > 0 || guest.Doc(t).Find(`[data-testid="server-job"]`).Length() != 3 {
			t.Errorf("a guest sees %d actions", n)
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/servers/10.9.9.9", nil), http.StatusNotFound)
	})
}

// TestServerActions: each action asks first, shows which jobs it reaches and which it skips, and its
// request, and is carried out like that.
func TestServerActions(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("invoices")+consoletest.Plain("mail")+"mail/servers/10.0.0.1 = DISABLED\nold/config = \"jobName: old\\nshardingTotalCount: 1\\n\"\nold/servers/10.0.0.1 = ENABLED\n", func(t *testing.T, b consoletest.TreeBench) {
		ask := func(path string) consoletest.Reply {
			t.Helper()
			r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
			consoletest.WantStatus(t, r, http.StatusOK)
			consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, path, url.Values{}), http.StatusUnprocessableEntity)
			consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, path, url.Values{"confirm": {"yes"}}), http.StatusForbidden)
			return r
		}
		yes := url.Values{"confirm": {"yes"}, "reason": {"kernel update"}}

		r := ask("/servers/10.0.0.1/disable")
		if got := r.Text(t, "effects"); !strings.Contains(got, "disabled in 2 jobs") || !strings.Contains(got, "1 shard is assigned here now") || !strings.Contains(got, "1 job has no other enabled server and will not run: old") {
			t.Errorf("effects %q", got)
		}
		if got := r.Text(t, "will") + " | " + r.Text(t, "skipped"); got != "Reaches 2 jobs old invoices | Skips 1 job: disabled here already mail" {
			t.Errorf("whom: %q", got)
		}
		if got := r.Text(t, "curl"); !strings.Contains(got, "POST '"+b.URL+"/api/servers/10.0.0.1/disable'") {
			t.Errorf("request %q", got)
		}
		_, page := b.Follow(t, "/servers/10.0.0.1/disable", yes)
		if got := page.Text(t, "flash"); !strings.HasPrefix(got, "Disabled 10.0.0.1: invoices, old.") || !strings.Contains(got, "Skipped mail") {
			t.Errorf("outcome %q", got)
		}
		if rec := b.LastRecord(t); rec.Target != "server 10.0.0.1" || !strings.Contains(rec.Detail, "kernel update") || rec.Outcome != "done" {
			t.Errorf("record %+v", rec)
		}
		if got := ask("/servers/10.0.0.1/disable").Text(t, "confirm-refused"); !strings.Contains(got, "nothing to do") {
			t.Errorf("twice: %q", got)
		}
		b.Follow(t, "/servers/10.0.0.1/jobs/mail/enable", yes)
		if got := b.Node(t, "mail/servers/10.0.0.1") + " " + b.Node(t, "invoices/servers/10.0.0.1"); got != "ENABLED DISABLED" {
			t.Errorf("servers hold %s", got)
		}
		if got := ask("/servers/10.0.0.1/remove").Text(t, "confirm-refused"); !strings.Contains(got, "1 instance is live here") {
			t.Errorf("removal of a live server: %q", got)
		}
		// However it is asked for, the entry of a live instance stays.
		_, page = b.Follow(t, "/servers/10.0.0.1/jobs/mail/remove", yes)
		if got := page.Text(t, "flash"); !strings.Contains(got, "refused") || b.Node(t, "mail/servers/10.0.0.1") != "ENABLED" {
			t.Errorf("removed: %q", got)
		}
		if got := ask("/servers/10.0.0.1/shutdown").Text(t, "effects"); !strings.Contains(got, "1 instance ends 2 jobs here") {
			t.Errorf("effects %q", got)
		}
		b.Follow(t, "/servers/10.0.0.1/shutdown", yes)
		r = ask("/servers/10.0.0.1/remove")
		if got := r.Text(t, "effects"); !strings.Contains(got, "deleted in 3 jobs") || !strings.Contains(got, "In 2 jobs the server is disabled") {
			t.Errorf("effects %q", got)
		}
		if got := r.Text(t, "curl"); !strings.Contains(got, "DELETE '"+b.URL+"/api/servers/10.0.0.1?offline=true'") {
			t.Errorf("request %q", got)
		}
		if location, page := b.Follow(t, "/servers/10.0.0.1/remove", yes); location != "/servers" || !strings.Contains(page.Text(t, "flash"), "Removed the entry of 10.0.0.1: invoices, mail, old.") {
			t.Errorf("to %s, %q", location, page.Text(t, "flash"))
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/servers/10.0.0.1", nil), http.StatusNotFound)
	})
}

// TestWhatRanOnAServer: from the list of servers two clicks lead to what ran
// there at a time: what had begun before and went on counts, what ended does not.
func TestWhatRanOnAServer(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	at := consoletest.Noon.Truncate(time.Hour) // 12:00:00
	row := func(id string, item int, ip string, from, to time.Duration) tracing.Execution {
		e := tracing.Execution{ID: id, JobName: "invoices", Item: item, IP: ip, StartTime: at.Add(from), Success: true}
		if to != 0 {
			e.CompleteTime = at.Add(to)
		}
		return e
	}
	b.History.Mu.Lock()
	b.History.Rows = []tracing.Execution{
		row("later", 5, "10.2.0.14", time.Second, 2*time.Second), row("elsewhere", 4, "10.2.0.15", -time.Minute, time.Minute),
		row("on", 3, "10.2.0.14", -time.Minute, time.Minute), row("runs", 2, "10.2.0.14", -2*time.Minute, 0), row("ended", 1, "10.2.0.14", -3*time.Minute, -time.Minute),
	}
	b.History.Mu.Unlock()
	list := b.As(t, auth.RoleGuest, http.MethodGet, "/servers", nil)
	href := list.Doc(t).Find(`[data-testid="server"] a:contains("10.2.0.14")`).AttrOr("href", "")
	page := b.As(t, auth.RoleGuest, http.MethodGet, href, nil) // the first click
	form := page.Doc(t).Find(`[data-testid="at-form"]`)
	target := form.AttrOr("action", "") + "?" + url.Values{"at": {"12:00"}, "span": {form.Find("[name=span]").AttrOr("value", "")}}.Encode()
	r := b.As(t, auth.RoleGuest, http.MethodGet, target, nil) // and the second
	consoletest.WantStatus(t, r, http.StatusOK)
	var shards []string
	for _, row := range r.Doc(t).Find(`[data-testid="at-row"]`).EachIter() {
		shards = append(shards, consoletest.Words(row.Find("td").Eq(1)))
	}
	if got := strings.Join(shards, " "); got != "3 2" {
		t.Errorf("at 12:00 ran shards %s, want 3 and 2", got)
	}
	if lanes := r.Doc(t).Find(`[data-testid="lanes"] .lane-label a`); lanes.Length() != 1 || r.Doc(t).Find(".lane-line").Length() == 0 {
		t.Errorf("%d lanes", lanes.Length())
	}
	if r := b.As(t, auth.RoleGuest, http.MethodGet, "/servers/10.2.0.14?at=noon&span=1y", nil); !strings.Contains(r.Text(t, "query-hint"), "noon") || !strings.Contains(r.Text(t, "query-hint"), "1y") {
		t.Errorf("hint %q", r.Text(t, "query-hint"))
	}
	b.History.Mu.Lock()
	b.History.Err = http.ErrServerClosed
	b.History.Mu.Unlock()
	r = b.As(t, auth.RoleGuest, http.MethodGet, "/servers/10.2.0.14", nil)
	if consoletest.WantStatus(t, r, http.StatusOK); r.Text(t, "part-problem") == "" || r.Doc(t).Find(`[data-testid="server-job"]`).Length() == 0 {
		t.Error("without its history the page shows no jobs, or no reason")
	}
}
