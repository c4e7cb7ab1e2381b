//go:build servers

package pages

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestUpdatesAreHeldInABrowser: what changes is shown at once, but not where the
// reader is at work; what waits is counted, and shown when asked for.
func TestUpdatesAreHeldInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const description = `document.querySelector('[data-region="jobs"]').innerHTML.includes("changed by hand") + ""`
	change := func(text string) {
		t.Helper()
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.List = slices.Clone(f.List)
			f.List[0].Description = text
		})
		eval(`document.dispatchEvent(new Event("visibilitychange")); ""`) // the tab is looked at again: refresh now
	}
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs"), tab.Wait(`[data-live-toggle]`))

	change("changed by hand")
	waittest.Until(t, "the change to be shown", func() bool { return readText(t, tab, description) == "true" })

	eval(`document.querySelector('[data-region="jobs"] tr[data-job] a').focus(); ""`)
	change("and back")
	must(tab.Wait(`[data-live-held]`))
	if eval(description) != "true" {
		t.Error("the change was shown where the reader is at work")
	}
	must(tab.Click(`[data-live-held]`))
	waittest.Until(t, "what waited to be shown", func() bool { return readText(t, tab, description) == "false" })
	if hidden := eval(`document.querySelector('[data-live-held]').hidden + ""`); hidden != "true" {
		t.Error("nothing waits, and the page says that something does")
	}
}

// TestTheListStaysInABrowser: what is read again changes in place. Rows keep their
// order, one that left the view stays, and the new order comes when asked for.
func TestTheListStaysInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	eval := func(script string) string { t.Helper(); return evalText(t, tab, script) }
	const order = `[...document.querySelectorAll("[data-job]")].map((row) => row.dataset.job).join()`
	const places = `JSON.stringify([...document.querySelectorAll(".grid-jobs th")].map((cell) => cell.getBoundingClientRect().x))`
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs?pageSize=50"), tab.Wait(`[data-live-toggle]`))
	before, columns := eval(order), eval(places)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { // the last becomes one of the worst, with much to say
		f.List = slices.Clone(f.List)
		i := slices.IndexFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == "token-rotation" })
		f.List[i].Status, f.List[i].ConfigError = statistics.StatusBroken, "an unreasonably long description of it"
	})
	eval(`document.dispatchEvent(new Event("visibilitychange")); ""`)
	must(tab.Wait(`[data-testid="moved"]`))
	if after := eval(order); after != before {
		t.Errorf("the rows moved by themselves:\n%s\n%s", before, after)
	}
	if after := eval(places); after != columns {
		t.Errorf("the columns moved: %s, %s", columns, after)
	}
	if state := eval(`document.querySelector('[data-job="token-rotation"] .st').textContent.trim()`); !strings.HasPrefix(state, "Unreadable") {
		t.Errorf("the row says %q", state)
	}
	must(tab.Click(`[data-testid="moved"] a`))
	waittest.Until(t, "the new order", func() bool {
		after := readText(t, tab, order)
		return after != "" && after != before
	})
}

// TestAChangeReachesTheScreenInABrowser by the stream of the page: one without a stream asks
// every ten seconds.
func TestAChangeReachesTheScreenInABrowser(t *testing.T) {
	t.Parallel()
	bundle := treetest.New(t, zktest.Real(t).Addr)
	bundle.Plant(t, consoletest.Plain("mail"))
	reader := statistics.NewWatchingReader(bundle.Registry())
	t.Cleanup(reader.Close)
	b := consoletest.New(t, func(o *app.Options) { o.Jobs, o.Changes, o.Known = reader, reader.OnChange, reader.Known })
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	for _, path := range []string{"/jobs", "/jobs/mail"} {
		const status = `document.querySelector('td.status, [data-testid="status"]')`
		must(tab.Open(b.URL+path), tab.Wait(`td.status, [data-testid="status"]`))
		waittest.Until(t, "the page's stream", func() bool { return b.Console.Streams() == 1 })
		evalText(t, tab, `window.tinted = 0;
			new MutationObserver(() => { tinted += document.querySelectorAll(".changed").length; })
				.observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true, attributes: true }); ""`)
		for _, change := range [][2]string{{"DISABLED", "Disabled"}, {"ENABLED", "Healthy"}} {
			for _, ip := range []string{"10.0.0.1", "10.0.0.10"} {
				if _, err := bundle.Client.Set(t.Context(), bundle.NS.Root()+"/mail/servers/"+ip, []byte(change[0]), -1); err != nil {
					t.Fatal(err)
				}
			}
			waittest.Until(t, "the page to say "+change[1], func() bool {
				return strings.HasPrefix(readText(t, tab, status+`.textContent.trim()`), change[1])
			})
		}
		if n := b.Console.Streams(); n != 1 {
			t.Errorf("%s: %d streams", path, n)
		}
		if tinted := evalText(t, tab, `String(tinted > 0)`); tinted != "true" && path == "/jobs" {
			t.Errorf("%s: what changed was not tinted", path)
		}
	}
}

// TestOnlyAVisibleTabHasAStream: a hidden one ends its stream, and asks first when it
// is looked at again. Without a stream the page asks by itself.
func TestOnlyAVisibleTabHasAStreamInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	describe := func(text string) {
		t.Helper()
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.List = slices.Clone(f.List)
			f.List[0].Description = text
		})
	}
	shows := func(text string) func() bool {
		return func() bool {
			return evalText(t, tab, `document.querySelector('[data-region="jobs"]').innerHTML.includes("`+text+`") + ""`) == "true"
		}
	}
	must(tab.SignIn(b.URL, "root", "r00t-Canary-7"), tab.Open(b.URL+"/jobs"), tab.Wait(`[data-live-toggle]`))
	waittest.Until(t, "the stream of the page", func() bool { return b.Console.Streams() == 1 })
	hide := func(hidden string) {
		evalText(t, tab, `Object.defineProperty(document, "hidden", { value: `+hidden+`, configurable: true }); document.dispatchEvent(new Event("visibilitychange")); ""`)
	}
	hide("true")
	waittest.Until(t, "the stream of a hidden tab to end", func() bool {
		b.Registry.Announce(statistics.News{}) // a server notices by writing that the browser went away
		return b.Console.Streams() == 0
	})
	describe("changed while hidden")
	hide("false")
	waittest.Until(t, "what changed meanwhile", shows("changed while hidden"))
	waittest.Until(t, "a stream again", func() bool { return b.Console.Streams() == 1 })

	b.Console.EndStreams() // as when there are too many
	describe("asked for")
	waittest.Until(t, "the page to ask by itself", shows("asked for"))
}

// TestNewRunsWaitInABrowser: the list of runs stays as it is; what is new is counted.
func TestNewRunsWaitInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	const rows = `[...document.querySelectorAll('[data-testid="run"]')].map((row) => row.dataset.row).join()`
	must(tab.SignIn(b.URL, "guest", "gu3st-Canary-7"), tab.Open(b.URL+"/runs?last=all"), tab.Wait(`[data-live-toggle]`))
	before := evalText(t, tab, rows)
	b.History.Add(tracing.Execution{ID: "new-1", JobName: "invoices", TaskID: "invoices@-@0@-@READY@-@10.0.0.1@-@99", RunID: "new-1", IP: "10.0.0.1", StartTime: consoletest.Noon.Add(-time.Second)})
	evalText(t, tab, `document.dispatchEvent(new Event("visibilitychange")); ""`)
	must(tab.Wait(`[data-live-held]`))
	if now := evalText(t, tab, rows); now != before {
		t.Errorf("the rows moved by themselves: %s, %s", before, now)
	}
	if text, err := tab.Text(`[data-live-held]`); err != nil || text != "1 new · Show" {
		t.Errorf("the page says %q, %v", text, err)
	}
	must(tab.Click(`[data-live-held]`))
	waittest.Until(t, "the new run", func() bool { return readText(t, tab, rows) != before })
}

// TestW33AnOpenTabIsFrugalInABrowser: the overview of a console in which jobs change all the time
// transfers at most 60 kB in 30 s, both directions and the page itself included.
func TestW33AnOpenTabIsFrugalInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var asked, transferred atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(app.RegionHeader) != "" {
			asked.Add(1)
		}
		b.Console.ServeHTTP(w, r)
	}))
	server.Listener = countingListener{server.Listener, &transferred}
	server.Start()
	t.Cleanup(server.Close)
	tab, must := startBrowser(t)
	must(tab.SignIn(server.URL, "root", "r00t-Canary-7"), tab.Open(server.URL+"/"), tab.Wait(`[data-live-toggle]`))
	before := transferred.Load()
	must(tab.Open(server.URL+"/"), tab.Wait(`[data-live-toggle]`))
	waittest.Until(t, "the page to ask ten times", func() bool {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.List = slices.Clone(f.List)
			i := slices.IndexFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == "invoices" })
			f.List[i].Status = map[bool]statistics.Status{true: statistics.StatusDisabled, false: statistics.StatusOK}[f.List[i].Status == statistics.StatusOK]
		})
		b.Registry.Announce(statistics.News{})
		return asked.Load() >= 10
	})
	// After its burst, live.js waits a millisecond per byte, so 30 s are 30 kB more.
	const page, ask = 30_000, 1_000
	asks := asked.Load()
	got := transferred.Load() - before
	t.Logf("%d bytes for the page and %d requests", got, asks)
	if most := page + ask*asks; got > most {
		t.Errorf("%d bytes for the page and %d requests, want at most %d", got, asks, most)
	}
}

// countingListener counts the bytes of its connections.
type countingListener struct {
	net.Listener
	bytes *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return countedConn{conn, l.bytes}, err
}

type countedConn struct {
	net.Conn
	bytes *atomic.Int64
}

func (c countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

func (c countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.bytes.Add(int64(n))
	return n, err
}
