package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestSearchPage: the palette without a script, for who may act and who may not.
func TestSearchPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	find := func(role auth.Role, text string) *goquery.Document {
		t.Helper()
		r := b.As(t, role, http.MethodGet, "/search?q="+url.QueryEscape(text), nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		return r.Doc(t)
	}
	for text, want := range map[string]string{"inv": "/jobs/invoices", "@10.2.0.14": "/servers/10.2.0.14", "#invoices": "/jobs/", ">job": "/jobs", "": "/"} {
		first := find(auth.RoleGuest, text).Find(`[data-testid="found"]`).First()
		if href := first.AttrOr("href", ""); !strings.HasPrefix(href, want) || want == "/" && href != "/" {
			t.Errorf("%q leads to %q, want %q", text, href, want)
		}
	}
	if mark := find(auth.RoleGuest, "inv").Find("mark").First().Text(); mark != "inv" {
		t.Errorf("marked is %q", mark)
	}
	// Why a job fails takes the room of its name on a phone: it is said on its page.
	failing := consoletest.New(t)
	failing.As(t, auth.RoleGuest, http.MethodGet, "/", nil) // reads how all jobs are
	if state := failing.As(t, auth.RoleGuest, http.MethodGet, "/search?q=thumbnails", nil).Doc(t).Find(`[data-pal-job="thumbnails"] .st`).First(); strings.TrimSpace(state.Text()) != "Failing" || state.AttrOr("title", "") == "" {
		t.Errorf("the state of a failing job: %q, %q", state.Text(), state.AttrOr("title", ""))
	}
	if n := find(auth.RoleGuest, "inv").Find(`[data-testid="found-actions"], main form[method="post"]`).Length(); n > 0 {
		t.Errorf("a guest is offered %d actions", n)
	}
	if n := find(auth.RoleRoot, "inv").Find(`[data-testid="found-actions"] .btn`).Length(); n < 2 {
		t.Errorf("root is offered %d actions", n)
	}
	for _, text := range []string{"no such job", "@nowhere", ">nothing", strings.Repeat("<b>&", 80), "\xff\x00"} {
		doc := find(auth.RoleRoot, text)
		if doc.Find(`[data-testid="search-empty"]`).Length() != 1 || doc.Find(`[data-testid="found"]`).Length() > 0 {
			t.Errorf("%q finds %d", text, doc.Find(`[data-testid="found"]`).Length())
		}
	}
	b.History.Mu.Lock()
	asked := b.History.RunFilters[len(b.History.RunFilters)-1]
	b.History.Mu.Unlock()
	if asked.JobPrefix != "invoices" || asked.Limit != mostFound {
		t.Errorf("#invoices asks for %+v", asked)
	}
	b.Down()
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/search?q=inv", nil); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("without the registry: %d", r.StatusCode)
	}
}

// TestKeysCanBeSwitchedOff: the page says what they do, and the script is not loaded
// any more.
func TestKeysCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/keys", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if n := page.Doc(t).Find(`[data-testid="keys"] tbody tr`).Length(); n < 10 || !strings.Contains(page.Body, "/keys.") {
		t.Errorf("%d lines about keys", n)
	}
	off := b.As(t, auth.RoleGuest, http.MethodPost, "/theme", url.Values{"keys": {"off"}, "return": {"/keys"}})
	cookie := off.Cookie(app.KeysCookie)
	if cookie == nil || off.Header.Get("Location") != "/keys" {
		t.Fatalf("cookie %v, to %q", cookie, off.Header.Get("Location"))
	}
	without := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(cookie) })
	if strings.Contains(without.Body, "/keys.") || !strings.Contains(without.Body, "/palette.") {
		t.Error("keys are off and their script is loaded, or the palette's is not")
	}
	if on := b.As(t, auth.RoleGuest, http.MethodPost, "/theme", url.Values{"keys": {"on"}}).Cookie(app.KeysCookie); on == nil || on.MaxAge >= 0 {
		t.Errorf("switched on again: %v", on)
	}
}

// press sends a key to the element in focus.
const press = `(key, more = {}) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }))`
