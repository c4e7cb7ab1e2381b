//go:build servers

package pages

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// TestRunsInABrowser follows a failure from the list to its run in a real browser, at
// two widths, and looks for what runs over the edge.
func TestRunsInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	rows, steps := consoletest.TheRun()
	b.History.Rows, b.History.Steps = rows, steps
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.Console.ServeHTTP(w, r) }))
	defer server.Close()
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(server.URL, "root", "r00t-Canary-7"))
	for _, path := range []string{"/runs", "/runs?level=status", "/jobs/invoices/runs/" + rows[0].RunID} {
		for _, width := range []int64{1440, 390, 360} {
			must(tab.Size(width, 900), tab.Open(server.URL+path))
			if over, err := browser.Eval[int](tab, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); err != nil || over > 0 {
				t.Errorf("%s is %d px too wide at %d (%v)", path, over, width, err)
			}
			if path == "/runs" {
				staysWithoutFacets(t, tab, width)
			}
		}
	}
	must(tab.Size(1440, 900), tab.Open(server.URL+"/runs"), tab.Click(`[data-testid="to-run"]`), tab.Wait(`[data-testid="lanes"]`))
	if text, err := tab.Text(`[data-testid="cause"]`); err != nil || !strings.HasPrefix(text, "POST https://mail.internal") {
		t.Errorf("the failed shard says %q (%v)", text, err)
	}
	// The bars have the lengths that the server gave them.
	width, err := browser.Eval[int](tab, `Math.round(document.querySelector('.tl-row .mark-bad').getBoundingClientRect().width)`)
	if must(err); width < 50 {
		t.Errorf("an attempt of 40 s is %d px wide", width)
	}
	must(tab.Click(`[data-testid="lane"]:nth-of-type(4)`), tab.Wait(`[data-testid="shard"]`))
	address, err := tab.Address()
	must(err)
	if at, err := url.Parse(address); err != nil || at.Query().Get("shard") == "" || at.Fragment != "shard" {
		t.Errorf("a lane leads to %s", address)
	}
}

// TestBrushInABrowser: bars that the pointer is drawn across, or shift and an arrow
// selects, become from and to in the address; a click alone opens one bar; without
// the script there are two fields.
func TestBrushInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "guest", "gu3st-Canary-7"), tab.Open(b.URL+"/runs?state=failed"), tab.Wait(`svg[data-brush]`))
	type column struct {
		X, Y     float64
		From, To string
	}
	columns := func() []column {
		t.Helper()
		list, err := browser.Eval[[]column](tab, `[...document.querySelectorAll("svg[data-brush] a")].map((a) => {
			const box = a.getBoundingClientRect(), v = new URL(a.getAttribute("href"), location.href).searchParams;
			return { X: box.x + box.width / 2, Y: box.y + box.height / 2, From: v.get("from"), To: v.get("to") };
		})`)
		if must(err); len(list) != 48 {
			t.Fatalf("%d bars", len(list))
		}
		return list
	}
	chosen := func(what, from, to string) {
		t.Helper()
		waittest.Until(t, what, func() bool {
			at, err := tab.Address()
			must(err)
			address, err := url.Parse(at)
			must(err)
			return address.Query().Get("from") == from && address.Query().Get("to") == to && address.Query().Get("state") == "failed"
		})
		must(tab.Wait(`svg[data-brush]`))
	}
	bars := columns()
	must(tab.Draw(bars[30].X, bars[30].Y, bars[12].X, bars[12].Y))
	chosen("what was drawn across", bars[12].From, bars[30].To)

	bars = columns()
	must(tab.Draw(bars[5].X, bars[5].Y, bars[5].X+1, bars[5].Y))
	chosen("a click", bars[5].From, bars[5].To)

	must(tab.Open(b.URL+"/runs?state=failed"), tab.Wait(`svg[data-brush]`))
	bars = columns()
	_, err := browser.Eval[string](tab, `(() => {
		const press = (key, shiftKey) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
		document.querySelectorAll("svg[data-brush] a")[7].focus();
		press("ArrowRight", true); press("ArrowRight", true); press("Enter", false);
		return "";
	})()`)
	must(err)
	chosen("what shift and the arrows select", bars[7].From, bars[9].To)

	must(tab.Scripts(false), tab.Open(b.URL+"/runs?state=failed"), tab.Click(".filter-more summary"), tab.Fill("input[name=from]", "2026-11-21T10:00"), tab.Fill("input[name=to]", "2026-11-21T11:00"), tab.Click(`[data-testid="filter"] button`))
	chosen("the two fields", "2026-11-21T10:00", "2026-11-21T11:00")
}

// staysWithoutFacets checks that the list doesn't move when the facets arrive after it. They
// are left of the list on a wide screen and below it on a phone.
func staysWithoutFacets(t *testing.T, tab *browser.Tab, width int64) {
	t.Helper()
	got := evalText(t, tab, `(() => {
		const facets = document.querySelector(".facets"), main = facets.previousElementSibling;
		const at = (e) => e.getBoundingClientRect();
		const side = at(facets).right <= at(main).left ? "left" : at(facets).top >= at(main).bottom ? "below" : "over it";
		const place = () => [at(main).x, at(main).y, at(main).width].join();
		const before = place();
		facets.remove();
		return side + (place() === before ? "" : ", and the list moves from " + before + " to " + place());
	})()`)
	if want := map[bool]string{true: "left", false: "below"}[width > 1180]; got != want {
		t.Errorf("at %d px the facets are %s, want %s", width, got, want)
	}
}
