package pages

import (
	"flag"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// axe is a file with axe-core, to run it on every page: make axe.
var axe = flag.String("axe", "", "the file axe.min.js, to run it on every page")

// pagesOf are the addresses of all pages for a role: each of the route table, which a
// guest may be refused, and the stories.
func pagesOf(t *testing.T, b *consoletest.Bench, role auth.Role) []string {
	t.Helper()
	var list []string
	for _, r := range (&Pages{}).routes() {
		if r.Method != http.MethodGet || r.Path == console.EventsRoute {
			continue
		}
		path := consoletest.Filled(r.Path)
		answer := b.As(t, role, http.MethodGet, path, nil)
		if strings.Contains(path, ":") || answer.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s: status %d; consoletest.Filled names what there is", path, answer.StatusCode)
		}
		if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
			list = append(list, path)
		}
	}
	for _, s := range stories {
		if s.role == role && !slices.Contains(list, s.path) {
			list = append(list, s.path)
		}
	}
	return list
}

// looks are the ways to look at a page. Any two of language, theme and width are
// there in every combination.
var looks = []struct {
	lang  i18n.Lang
	dark  bool
	width int64
}{{i18n.English, false, 1440}, {i18n.Chinese, true, 1440}, {i18n.English, true, 390}, {i18n.Chinese, false, 390}}

// TestEverybodyCanReadAndUseThePages opens every page as root and as guest, in both
// languages, both themes, on a desk and on a phone: nothing fails or is forbidden by
// the policy, nothing moves by itself, nothing is wider than the window, and everybody
// can read and use it.
func TestEverybodyCanReadAndUseThePages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	complaints, err := tab.Listen()
	must(err)
	for _, reader := range []struct {
		role           auth.Role
		user, password string
	}{{auth.RoleRoot, "root", "r00t-Canary-7"}, {auth.RoleGuest, "guest", "gu3st-Canary-7"}} {
		must(tab.Size(1440, 900), tab.SignIn(b.URL, reader.user, reader.password))
		paths := pagesOf(t, b, reader.role)
		for _, look := range looks {
			must(tab.Size(look.width, 900), tab.Dark(look.dark), tab.Language(look.lang.Tag()))
			for _, path := range paths {
				for _, finding := range inspect(t, tab, complaints, b.URL+path) {
					t.Errorf("%s as %s, %s, %d px, dark %t: %s", path, reader.role, look.lang.Tag(), look.width, look.dark, finding)
				}
			}
		}
		must(tab.Language(i18n.English.Tag()), tab.Forget())
	}
}

// inspect opens a page and says what is wrong with it.
func inspect(t *testing.T, tab *browser.Tab, complaints *browser.Complaints, address string) []string {
	t.Helper()
	moved := shifts(t, tab, address)
	if len(moved) > 0 { // On a busy machine half a table is painted before the rest of it is there.
		moved = shifts(t, tab, address)
	}
	found, err := tab.Audit(*axe)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	found = append(found, moved...)
	for _, sign := range []string{"%!", "<nil>", "undefined", "NaN"} { // of a text that was not put together
		if text := evalText(t, tab, "document.body.innerText"); strings.Contains(text, sign) {
			found = append(found, "it says "+sign)
		}
	}
	return append(found, complaints.Take()...)
}

// shifts opens a page and says which parts of it moved by themselves.
func shifts(t *testing.T, tab *browser.Tab, address string) []string {
	t.Helper()
	if err := tab.Open(address); err != nil {
		t.Fatal(err)
	}
	moved, err := tab.Shifts()
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return moved
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
