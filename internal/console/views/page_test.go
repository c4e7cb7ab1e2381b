package views

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// savedTabs are the views on the page of a list, with the number of their jobs. A star marks the
// view that is shown.
func savedTabs(t *testing.T, r consoletest.Reply) []string {
	t.Helper()
	return r.Doc(t).Find(`[data-testid="tab-saved"]`).Map(func(_ int, s *goquery.Selection) string {
		star := ""
		if _, current := s.Attr("aria-current"); current {
			star = "*"
		}
		return star + consoletest.Words(s)
	})
}

// TestAViewIsSaved: a view is saved from the list, which then has it as a tab with the number of its
// jobs. All accounts see a shared view; only root saves and removes.
func TestAViewIsSaved(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.Empty("view")
	list := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs?q=report&state=failing&page=1", nil)
	href := list.Doc(t).Find(`[data-testid="save-view"]`).AttrOr("href", "")
	ask := b.As(t, auth.RoleRoot, http.MethodGet, href, nil)
	consoletest.WantStatus(t, ask, http.StatusOK)
	form := consoletest.FormOf(ask.Doc(t).Find(`[data-testid="save-view-form"]`))
	if form.Get("query") != "q=report&state=failing" || form.Get("area") != "jobs" {
		t.Fatalf("%s leads to the form %v", href, form)
	}
	if curl := ask.Text(t, "curl"); !strings.Contains(curl, "/api/views") || !strings.Contains(curl, `"query":"q=report\u0026state=failing"`) {
		t.Errorf("curl %q", curl)
	}
	form.Set("name", " Failing <b>reports 报表 ")
	form.Set("shared", "yes")
	location, page := b.Follow(t, pageui.ViewsRoute, form)
	if location != "/jobs?q=report&state=failing" || !strings.HasPrefix(page.Text(t, "flash"), "Saved the view Failing <b>reports 报表") {
		t.Fatalf("to %s with %q", location, page.Text(t, "flash"))
	}
	if got := strings.Join(savedTabs(t, page), ", "); got != "*Failing <b>reports 报表 1" {
		t.Errorf("views %q", got)
	}
	if current := page.Doc(t).Find(`[data-testid="tab-failing"][aria-current]`).Length(); current > 0 {
		t.Error("two views are shown as the current one")
	}
	if rec := b.LastRecord(t); !strings.Contains(rec.Target, "Failing") || !strings.Contains(rec.Detail, "order=save view shared=true") {
		t.Errorf("record %+v", rec)
	}

	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
	if got := strings.Join(savedTabs(t, guest), ", "); got != "Failing <b>reports 报表 1" || guest.Doc(t).Find(`[data-testid="save-view"]`).Length() > 0 {
		t.Errorf("a guest sees %q", got)
	}
	for _, r := range []consoletest.Reply{
		b.As(t, auth.RoleGuest, http.MethodGet, pageui.ViewsRoute, nil), b.As(t, auth.RoleGuest, http.MethodPost, pageui.ViewsRoute, form), b.As(t, auth.RoleGuest, http.MethodPost, pageui.ViewsRoute+"/remove", form),
	} {
		consoletest.WantStatus(t, r, http.StatusForbidden)
	}

	// The same name again: the form comes back with what was typed.
	form.Del(ui.FormField) // another form
	again := b.As(t, auth.RoleRoot, http.MethodPost, pageui.ViewsRoute, form)
	if consoletest.WantStatus(t, again, http.StatusConflict); !strings.Contains(again.Text(t, "view-refused"), "There is a view") {
		t.Errorf("a second of the name: %q", again.Text(t, "view-refused"))
	}
	if got := again.Doc(t).Find(`[data-testid="save-view-form"] [name="name"]`).AttrOr("value", ""); !strings.Contains(got, "报表") {
		t.Errorf("what was typed is lost: %q", got)
	}

	all := b.As(t, auth.RoleRoot, http.MethodGet, pageui.ViewsRoute, nil)
	row := all.Doc(t).Find(`[data-testid="saved-view"]`)
	if words := consoletest.Words(row); !strings.Contains(words, "everybody") || !strings.Contains(words, "q=report&state=failing") {
		t.Errorf("listed as %q", words)
	}
	location, page = b.Follow(t, pageui.ViewsRoute+"/remove", consoletest.FormOf(row.Find("form")))
	if location != pageui.ViewsRoute || !strings.HasPrefix(page.Text(t, "flash"), "Removed the view") || b.Settings.Rows("view") > 0 {
		t.Errorf("to %s with %q, left %d", location, page.Text(t, "flash"), b.Settings.Rows("view"))
	}
}

// TestAViewOfRuns: likewise, of the account alone; how many runs it has is not counted.
func TestAViewOfRuns(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := b.As(t, auth.RoleRoot, http.MethodGet, "/runs?state=failed&last=7d&cursor=", nil)
	ask := b.As(t, auth.RoleRoot, http.MethodGet, list.Doc(t).Find(`[data-testid="save-view"]`).AttrOr("href", ""), nil)
	form := consoletest.FormOf(ask.Doc(t).Find(`[data-testid="save-view-form"]`))
	form.Set("name", "week of failures")
	location, page := b.Follow(t, pageui.ViewsRoute, form)
	if location != "/runs?last=7d&state=failed" || strings.Join(savedTabs(t, page), ", ") != "*week of failures" {
		t.Errorf("to %s with %q", location, savedTabs(t, page))
	}
	if got := savedTabs(t, b.As(t, auth.RoleGuest, http.MethodGet, "/runs", nil)); len(got) > 0 {
		t.Errorf("others see %q", got)
	}
	if got := savedTabs(t, b.As(t, auth.RoleRoot, http.MethodGet, "/runs?level=status", nil)); strings.Join(got, ", ") != "week of failures" {
		t.Errorf("on the status trail %q", got)
	}
}

// TestViewsThatCannotBe: names, queries and lists that are none are refused with what
// would be right, and there are never more than there may be.
func TestViewsThatCannotBe(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.Empty("view")
	for name, form := range map[string]url.Values{
		"at most 40 characters": {"area": {"jobs"}, "name": {strings.Repeat("视", 41)}},
		"a name":                {"area": {"jobs"}, "name": {"  "}},
		"no slash":              {"area": {"jobs"}, "name": {"a\u202eb"}},
		"state:sad is unknown":  {"area": {"jobs"}, "name": {"x"}, "query": {"q=state:sad"}},
		"this page knows no":    {"area": {"runs"}, "name": {"x"}, "query": {"evil=1"}},
		"jobs or runs":          {"area": {"audit"}, "name": {"x"}},
		"at most 1000":          {"area": {"jobs"}, "name": {"x"}, "query": {"q=" + strings.Repeat("x", 2000)}},
	} {
		r := b.As(t, auth.RoleRoot, http.MethodPost, pageui.ViewsRoute, form)
		if consoletest.WantStatus(t, r, http.StatusUnprocessableEntity); !strings.Contains(r.Text(t, "view-refused"), name) {
			t.Errorf("%s: %q", name, r.Text(t, "view-refused"))
		}
	}
	for n := range settings.MaxViews + 1 {
		r := b.As(t, auth.RoleRoot, http.MethodPost, pageui.ViewsRoute, url.Values{"area": {"jobs"}, "name": {strings.Repeat("x", n+1)}, "query": {"q=server:10.2.0.14"}})
		if n == settings.MaxViews {
			if consoletest.WantStatus(t, r, http.StatusConflict); !strings.Contains(r.Text(t, "view-refused"), "12 views") {
				t.Errorf("one more: %q", r.Text(t, "view-refused"))
			}
		}
	}
	if got := savedTabs(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil)); len(got) != settings.MaxViews || got[0] != "x" {
		t.Errorf("views %q: those of a server are not counted", got)
	}
	if _, page := b.Follow(t, pageui.ViewsRoute+"/remove", url.Values{"area": {"jobs"}, "name": {"nothing"}}); !strings.Contains(page.Text(t, "flash"), "There is no view") {
		t.Errorf("removed: %q", page.Text(t, "flash"))
	}
}

// TestViewsWithoutADatabase: a console that has none of its own says so, and so does one
// whose database is read-only or not readable there; the lists are there without views.
func TestViewsWithoutADatabase(t *testing.T) {
	t.Parallel()
	without := consoletest.New(t, func(o *app.Options) { o.Settings, o.Registries, o.Sources = nil, nil, nil })
	consoletest.WantStatus(t, without.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil), http.StatusOK)
	r := without.As(t, auth.RoleRoot, http.MethodGet, pageui.ViewsRoute+"?area=jobs", nil)
	if consoletest.WantStatus(t, r, http.StatusServiceUnavailable); !strings.Contains(r.Body, "no database of its own") {
		t.Errorf("without a database: %s", r.Doc(t).Find("main").Text())
	}
	away := consoletest.New(t)
	away.Settings.ViewsErr = errors.New("attempt to write a readonly database")
	for _, path := range []string{"/jobs", "/runs"} {
		r := away.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		if consoletest.WantStatus(t, r, http.StatusOK); r.Text(t, "views-notice") == "" {
			t.Errorf("%s says nothing of the views", path)
		}
	}
	consoletest.WantStatus(t, away.As(t, auth.RoleRoot, http.MethodPost, pageui.ViewsRoute, url.Values{"area": {"jobs"}, "name": {"x"}}), http.StatusServiceUnavailable)
}
