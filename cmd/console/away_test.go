//go:build servers && unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// reader is somebody signed in who reads pages.
type reader struct {
	site   string
	client *http.Client
}

// readPages signs in on the pages as root.
func readPages(t *testing.T, site string) reader {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := reader{site, &http.Client{Jar: jar, Timeout: time.Minute}}
	// Whoever signs in comes to the overview, which a busy machine may have to wait for.
	eventually(t, "the overview, signed in", func() bool {
		return r.send(t, "/login", url.Values{"username": {"root"}, "password": {"root"}}).status == http.StatusOK
	})
	return r
}

// page is an answer as its reader sees it.
type page struct {
	status int
	doc    *goquery.Document // nil for a file
	text   string            // of its main part, or of the file
}

func (r reader) get(t *testing.T, path string) page {
	t.Helper()
	answer, err := r.client.Get(r.site + path)
	return readPage(t, answer, err)
}

func (r reader) send(t *testing.T, path string, form url.Values) page {
	t.Helper()
	answer, err := r.client.PostForm(r.site+path, form)
	return readPage(t, answer, err)
}

func readPage(t *testing.T, answer *http.Response, err error) page {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	p := page{status: answer.StatusCode}
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		p.text = string(body)
		return p
	}
	if p.doc, err = goquery.NewDocumentFromReader(answer.Body); err != nil {
		t.Fatal(err)
	}
	p.text = consoletest.Words(p.doc.Find("main"))
	return p
}

// age is what a page says of how old it is.
func (p page) age() string { return consoletest.Words(p.doc.Find(`[data-testid="age"]`)) }

// wrong says what is wrong with a page whatever is away: a failure that nobody explains.
func (p page) wrong() string {
	switch {
	case p.status >= 500 && p.status != http.StatusServiceUnavailable:
		return fmt.Sprintf("status %d: %s", p.status, p.text)
	case p.status == http.StatusServiceUnavailable && len(p.text) < 40:
		return fmt.Sprintf("no words: %q", p.text)
	case p.doc != nil && (p.doc.Find("h1").Length() != 1 || p.text == ""):
		return "it is empty"
	}
	return ""
}

// everyPage is each address of the route table that is read, with things that exist.
func everyPage(t *testing.T, change, token string) (list []app.Route) {
	t.Helper()
	for _, r := range consoletest.New(t).Console.Routes() {
		if r.Method != http.MethodGet || app.SurfaceOf(r.Path) != app.Page || r.Path == app.EventsRoute || r.Path == app.StaticRoute || r.Path == app.OIDCRoute || r.Path == app.OIDCCallback {
			continue
		}
		if r.Path == "/jobs/bulk" {
			r.Path += "?do=trigger&job=:job"
		}
		r.Path = strings.NewReplacer(":job", "invoices", ":ip", "10.0.0.1", ":run", "run-1", ":id", change, ":token", token, ":name", "other", ":request", requestedRun, ":operation", "getJobsJob", ":backfill", requestedRun).Replace(r.Path)
		list = append(list, r)
	}
	return list
}

// tokenOf is the id of the first token of a list.
func tokenOf(list page) string {
	href := list.doc.Find(`[data-testid="revoke"]`).AttrOr("href", "")
	return strings.TrimSuffix(strings.TrimPrefix(href, "/tokens/"), "/revoke")
}

// requestedRun waits in the registry. A backfill has the same id.
const requestedRun = "0193a5b0-7c11-7000-8000-5f2a9c31d0e4"

// tour goes to every page again and again.
type tour struct {
	*testing.T
	reader
	routes []app.Route
	whole  map[string]int // the status of each page while nothing is away
}

// walk looks at every page: none fails without words.
func (w tour) walk(when string, check func(r app.Route, p page)) {
	w.Helper()
	for _, r := range w.routes {
		p := w.get(w.T, r.Path)
		if wrong := p.wrong(); wrong != "" {
			w.Errorf("%s: %s: %s", when, r.Path, wrong)
			continue
		}
		check(r, p)
	}
}

// first looks at a page while nothing is away.
func (w tour) first(r app.Route, p page) {
	off := strings.HasPrefix(r.Path, "/cloud") && p.status == http.StatusNotFound // This console has no ElasticJob-Cloud.
	if w.whole[r.Path] = p.status; p.status != http.StatusOK && r.Path != app.ResumeRoute && !off {
		w.Errorf("%s: status %d: %s", r.Path, p.status, p.text)
	}
	w.asBefore(r, p)
}

// asBefore wants a page as it was, without a word of an outage.
func (w tour) asBefore(r app.Route, p page) {
	if p.status != w.whole[r.Path] {
		w.Errorf("%s: status %d, it was %d: %s", r.Path, p.status, w.whole[r.Path], p.text)
	}
	if p.doc != nil && (p.doc.Find(`[data-testid="outage"], [data-testid="history-notice"]`).Length() > 0 || strings.Contains(p.age(), "Snapshot")) {
		w.Errorf("%s still speaks of an outage: %s", r.Path, p.text)
	}
}

// withoutZooKeeper wants the snapshot of what the registry says, with its age and nothing
// to press, and of everything else that it says so and is as it was.
func (w tour) withoutZooKeeper(r app.Route, p page) {
	fromHistory := []string{"/jobs/invoices/runs/run-1", "/runs", "/runs/export", "/executions"}
	registry := r.Touches.Any(app.TheRegistry)
	switch {
	case !registry && p.status != w.whole[r.Path] && !r.Touches.Any(app.TheHistory):
		w.Errorf("%s: status %d, and it needs no ZooKeeper: %s", r.Path, p.status, p.text)
	case !registry || p.doc == nil:
	case p.doc.Find(`[data-testid="outage"]`).Length() == 0:
		w.Errorf("%s does not say that ZooKeeper is away: %s", r.Path, p.text)
	case strings.Contains(r.Path, "/requested-runs"): // which no snapshot has
		if p.status != http.StatusServiceUnavailable && r.Access == app.SignedIn {
			w.Errorf("%s: status %d: %s", r.Path, p.status, p.text)
		}
	case slices.Contains(fromHistory, r.Path): // which is as it is
		if p.status != w.whole[r.Path] && p.status != http.StatusServiceUnavailable {
			w.Errorf("%s: status %d: %s", r.Path, p.status, p.text)
		}
	case r.Access == app.SignedIn:
		if !strings.Contains(p.age(), "Snapshot of ") || !strings.Contains(p.age(), "read-only") {
			w.Errorf("%s: status %d, age %q", r.Path, p.status, p.age())
		}
		if n := p.doc.Find(`main form[method="post"]:not([action="/theme"]) button:not([disabled]), .actions form button:not([disabled])`).Length(); n > 0 {
			w.Errorf("%s: %d things can be pressed", r.Path, n)
		}
	}
}

// withoutHistory wants pages of the history to say that it is away, and all others as
// they were.
func (w tour) withoutHistory(r app.Route, p page) {
	alone := []string{"/jobs/invoices/runs/run-1", "/servers/10.0.0.1", "/runs", "/runs/export", "/executions"}
	if tells := slices.Concat(alone, []string{"/", "/jobs", "/jobs/invoices"}); slices.Contains(tells, r.Path) && !strings.Contains(p.text, "trace database could not be read") {
		w.Errorf("%s does not say that the history is away: status %d: %s", r.Path, p.status, p.text)
	}
	if p.status != w.whole[r.Path] && !slices.Contains(alone, r.Path) {
		w.Errorf("%s: status %d, and it has more than the history: %s", r.Path, p.status, p.text)
	}
}

// TestEveryPageWithoutItsServers takes a real ZooKeeper, the database of the history and
// both away and brings them back. No page fails without words. Without ZooKeeper those
// that read show the snapshot, with its age and nothing to press; without the history
// they show the jobs. Afterwards each is as it was.
func TestEveryPageWithoutItsServers(t *testing.T) {
	t.Parallel()
	registry, database := zktest.StartZooKeeper(t), storetest.NewMariaDB(t)
	bundle := treetest.New(t, registry.Addr())
	bundle.Plant(t, consoletest.Plain("invoices"))
	bundle.Plant(t, "invoices/extension/runs = 1\ninvoices/extension/runs/queue/5-1795338000000-"+requestedRun+
		` = {"v":1,"id":"`+requestedRun+`","at":1795338000000,"due":1795338000000,"deal":"each","attempt":1}`)
	bundle.Plant(t, "invoices/extension/runs/backfills/"+requestedRun+` = {"v":1,"id":"`+requestedRun+`","at":1795338000000,"parallel":1,"total":1}`)
	dsn := database.DSN(database.NewDatabase(t))
	_, site := startServe(t, "--zookeeper="+registry.Addr(), "--namespace="+strings.TrimPrefix(bundle.NS.Root(), "/"), "--session-timeout=10s", "--dsn="+dsn, "--allow-hosts=127.0.0.0/8")
	recordRun(t, dsn)
	root, change := readPages(t, site), ui.NewFormID()
	root.send(t, "/jobs/bulk", url.Values{"do": {"enable"}, "job": {"invoices"}, "once": {change}})
	root.send(t, "/tokens", url.Values{"name": {"deploy"}, "scope": {"read"}})
	root.send(t, "/registries", url.Values{"name": {"other"}, "zkAddressList": {registry.Addr()}, "namespace": {"other"}})
	root.send(t, "/sources", url.Values{"name": {"other"}, "type": {"sqlite"}, "database": {"other.db"}, "anyway": {"yes"}})
	eventually(t, "the job and its run are there", func() bool {
		return strings.Contains(root.get(t, "/jobs").text, "invoices") && strings.Contains(root.get(t, "/runs").text, "invoices")
	})
	zooKeeperAway := func() bool { return strings.Contains(root.get(t, "/jobs").age(), "Snapshot of ") }
	historyAway := func() bool { return root.get(t, "/executions").status == http.StatusServiceUnavailable }
	back := func() bool { return !zooKeeperAway() && !historyAway() && readyState(t, site) == "ok" }
	w := tour{t, root, everyPage(t, change, tokenOf(root.get(t, "/tokens"))), map[string]int{}}
	w.walk("whole", w.first)

	registry.Stop()
	eventually(t, "pages to notice that ZooKeeper is away", zooKeeperAway)
	w.walk("without ZooKeeper", w.withoutZooKeeper)
	registry.Restart(t)
	eventually(t, "ZooKeeper to be back", back)
	w.walk("with ZooKeeper again", w.asBefore)

	database.Kill()
	eventually(t, "pages to notice that the history is away", historyAway)
	w.walk("without the history", w.withoutHistory)
	registry.Stop()
	eventually(t, "pages to notice that both are away", zooKeeperAway)
	w.walk("without both", w.withoutZooKeeper)
	database.Restart(t)
	registry.Restart(t)
	eventually(t, "both to be back", back)
	w.walk("with both again", w.asBefore)
}

// recordRun puts a run of the job invoices into a history.
func recordRun(t *testing.T, dsn string) {
	t.Helper()
	db := storetest.Open(t, dsn)
	at := time.Now().UTC().Add(-time.Minute).Truncate(time.Millisecond)
	var list []tracing.Event
	for item := range 2 {
		list = append(list, tracing.Event{Execution: &tracing.Execution{
			ID: fmt.Sprint("e-", item), RunID: "run-1", JobName: "invoices", Item: item, IP: "10.0.0.1", Hostname: "worker-1",
			TaskID: fmt.Sprintf("invoices@-@%d@-@READY@-@10.0.0.1@-@7", item), StartTime: at, CompleteTime: at.Add(time.Second), Success: true,
		}})
	}
	if err := rdb.NewSink(db.Database).Write(t.Context(), list); err != nil {
		t.Fatal(err)
	}
}
