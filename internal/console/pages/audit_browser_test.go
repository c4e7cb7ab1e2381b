//go:build servers

package pages

import (
	"flag"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// axe is a file with axe-core, to run it on every page: make axe.
var axe = flag.String("axe", "", "the file axe.min.js, to run it on every page")

// look is a way to look at a page.
type look struct {
	lang  i18n.Lang
	dark  bool
	width int64

	coloursOnly bool // of the rules of axe
}

func (l look) String() string {
	return l.lang.Tag() + " " + strconv.FormatInt(l.width, 10) + map[bool]string{false: " light", true: " dark"}[l.dark]
}

// looks are the ways to look at a page. Any two of language, theme and width are
// there in every combination.
var looks = []look{
	{lang: i18n.English, width: 1440}, {lang: i18n.Chinese, dark: true, width: 1440},
	{lang: i18n.English, dark: true, width: 390}, {lang: i18n.Chinese, width: 390},
}

// TestEverybodyCanReadAndUseThePages opens every page as root, as guest and as nobody,
// those behind forms and those of an outage too, in both languages, both themes, on a
// desk and on a phone: nothing fails or is forbidden by the policy, nothing moves by
// itself, nothing is wider than the window, and everybody can read and use it. Root's pages
// are looked at in four ways, the others in two of them; make axe has all.
func TestEverybodyCanReadAndUseThePages(t *testing.T) {
	t.Parallel()
	rules, err := browser.ReadAxe(*axe)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := startBrowser(t)
	for _, at := range placesOf(t) {
		for n, as := range looks {
			if *axe == "" && !slices.Contains(at.looks, n) {
				continue // make axe looks at everything in every way
			}
			as.coloursOnly = n%2 == 1 // the same width is looked at with all rules
			t.Run(at.name+" "+as.String(), func(t *testing.T) {
				t.Parallel()
				walk(t, first, rules, at, as)
			})
		}
	}
}

// walk looks at all pages of a place, in a tab of its own.
func walk(t *testing.T, first *browser.Tab, rules browser.Axe, at place, as look) {
	tab, end, err := first.Beside(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	must := mustOf(t)
	complaints, err := tab.Listen()
	must(err, tab.Size(1440, 900))
	if at.user == "" {
		must(tab.Open(at.bench.URL + "/login"))
	} else {
		must(tab.SignIn(at.bench.URL, at.user, at.password))
	}
	must(tab.Size(as.width, 900), tab.Dark(as.dark), tab.Language(as.lang.Tag()))
	for _, v := range at.visits {
		found, err := inspect(tab, rules, at.bench.URL, v, as)
		for again := 0; err != nil && again < 3; again++ { // Pages of an outage load themselves again.
			found, err = inspect(tab, rules, at.bench.URL, v, as)
		}
		must(err)
		for _, finding := range append(found, complaints.Take()...) {
			t.Errorf("%s: %s", v, finding)
		}
	}
}

// inspect opens a page and says what is wrong with it.
func inspect(tab *browser.Tab, rules browser.Axe, site string, v visit, as look) ([]string, error) {
	moved, err := open(tab, site, v)
	for again := 0; len(moved) > 0 && again < 3; again++ { // On a busy machine half a page is painted before the rest of it is there.
		moved, err = open(tab, site, v)
	}
	if err != nil {
		return nil, err
	}
	found, err := tab.Audit()
	if err != nil {
		return nil, err
	}
	text, err := browser.Eval[string](tab, "document.body.innerText")
	if err != nil {
		return nil, err
	}
	if often, err := browser.Eval[bool](tab, `performance.getEntriesByType("navigation")[0].responseStatus >= 400 && document.body.dataset.live > 0`); err != nil {
		return nil, err
	} else if often {
		found = append(found, "it failed and is kept up to date: it loads itself again at once, and again")
	}
	for _, sign := range []string{"%!", "<nil>", "undefined", "NaN"} { // of a text that was not put together
		if strings.Contains(text, sign) {
			found = append(found, "it says "+sign)
		}
	}
	more, err := tab.RunAxe(rules, as.coloursOnly)
	return slices.Concat(moved, found, more), err
}

// open opens a page and says which parts of it moved by themselves.
func open(tab *browser.Tab, site string, v visit) ([]string, error) {
	load := func() error { return tab.Open(site + v.path) }
	if v.form != nil {
		load = func() error { return tab.Post(site+v.path, v.form) }
	}
	if err := load(); err != nil {
		return nil, err
	}
	// As if something was written: a page of an outage stays.
	if _, err := browser.Eval[bool](tab, `dispatchEvent(new Event("input"))`); err != nil {
		return nil, err
	}
	return tab.Shifts()
}

// TestPagesWithoutScripts: without scripts every page shows the same, and every link
// and form that there is with them.
func TestPagesWithoutScripts(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(1440, 900), tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	const ways = `[...new Set([...document.querySelectorAll("main a[href], main form[action], main h1, main h2, main th")]
		.filter((e) => e.checkVisibility()).map((e) => e.getAttribute("href") ?? e.getAttribute("action") ?? e.textContent.trim()))].join("\n")`
	paths := pagesOf(t, b, auth.RoleRoot)
	with := make(map[string]string)
	for _, path := range paths {
		must(tab.Open(b.URL + path))
		with[path] = evalText(t, tab, ways)
	}
	must(tab.Scripts(false))
	for _, path := range paths {
		must(tab.Open(b.URL + path))
		without := strings.Split(evalText(t, tab, ways), "\n")
		for _, way := range strings.Split(with[path], "\n") {
			if !slices.Contains(without, way) {
				t.Errorf("%s: %q is there with scripts only", path, way)
			}
		}
	}
}
