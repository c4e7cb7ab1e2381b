package jobs

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

func TestOrderTellsItsOutcome(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Outcome = lifecycle.Outcome{Affected: []string{"10.2.0.14@-@2211", "10.2.0.15@-@918"}, Skipped: []lifecycle.Skip{{Target: "10.2.0.16@-@40551", Reason: "a trigger is waiting already"}}}
	})
	location, page := b.Follow(t, "/jobs/invoices/trigger", url.Values{"return": {"/jobs?q=inv&page=2"}})
	if location != "/jobs?q=inv&page=2" {
		t.Errorf("back to %q", location)
	}
	if got := page.Text(t, "flash"); got != "Triggered invoices on 2 instances: 10.2.0.14@-@2211, 10.2.0.15@-@918. Skipped 10.2.0.16@-@40551: a trigger is waiting already Runs of invoices" {
		t.Errorf("message %q", got)
	}
	if c := page.Cookie(app.FlashCookie); c == nil || c.MaxAge >= 0 {
		t.Error("the message stays for the next page")
	}

	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome = lifecycle.Outcome{} })
	location, page = b.Follow(t, "/jobs/invoices/disable", url.Values{"return": {"https://evil.example"}})
	if location != "/" {
		t.Errorf("back to %q", location)
	}
	if got := page.Text(t, "flash"); got != "invoices: Disable found nothing to do." {
		t.Errorf("message %q", got)
	}
	if location, _ := b.Follow(t, "/jobs/invoices/enable", url.Values{}); location != "/jobs/invoices" {
		t.Errorf("without a page to return to: %q", location)
	}
	if diff := cmp.Diff([]string{"trigger invoices", "disable invoices", "enable invoices"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	if log := b.Log.String(); strings.Count(log, "msg=audit") != 3 || !strings.Contains(log, "order=trigger target=invoices affected=2 skipped=1") || !strings.Contains(log, "user=root") {
		t.Error("the log lacks the actions")
	}
}

func TestLongOutcomesAreCut(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for range 300 {
			f.Outcome.Affected = append(f.Outcome.Affected, strings.Repeat("x", 50))
			f.Outcome.Skipped = append(f.Outcome.Skipped, lifecycle.Skip{Target: strings.Repeat("作", 400), Reason: "r"})
		}
	})
	r := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{})
	if n := len(r.Cookie(app.FlashCookie).Value); n > 3900 {
		t.Errorf("the cookie has %d bytes", n)
	}
	_, page := b.Follow(t, "/jobs/invoices/trigger", url.Values{})
	if got := page.Text(t, "flash"); !strings.Contains(got, "on 300 instances") || !strings.Contains(got, "and 295 more") {
		t.Errorf("message %q", got)
	}
}

func TestForgedMessagesAreIgnored(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	good := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{}).Cookie(app.FlashCookie).Value
	mac, _, _ := strings.Cut(good, ".")
	for _, value := range []string{"", ".", "x.y", mac + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"t":"ok","m":"Send your password to eve"}`)), base64.RawURLEncoding.EncodeToString([]byte(`{"m":"x"}`))} {
		page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(&http.Cookie{Name: app.FlashCookie, Value: value}) })
		if page.Doc(t).Find(`[data-testid="flash"]`).Length() > 0 {
			t.Errorf("%q is shown", value)
		}
	}
}

// The script that exchanges parts of a page must not eat the message.
func TestLiveRefreshLeavesTheMessage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	flash := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{}).Cookie(app.FlashCookie)
	live := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil, func(r *http.Request) { r.AddCookie(flash); r.Header.Set(app.RegionHeader, "jobs") })
	if live.Cookie(app.FlashCookie) != nil {
		t.Error("the cookie is removed")
	}
}

func TestRefusedActions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err     error
		status  int
		code    string
		message string
	}{
		"not found":    {&lifecycle.Error{Op: "trigger", Job: "invoices", Kind: lifecycle.ErrNotFound}, 404, "not_found", `There is no job "invoices".`},
		"no instances": {&lifecycle.Error{Op: "trigger", Job: "invoices", Kind: lifecycle.ErrNoInstances}, 409, "no_instances", "invoices has no live instance."},
		"conflict":     {&lifecycle.Error{Op: "trigger", Job: "invoices", Kind: lifecycle.ErrConflict, Err: errors.New("3 are alive"), Hint: "look again"}, 409, "conflict", "The command to trigger invoices was refused: 3 are alive. Look again."},
		"invalid":      {&lifecycle.Error{Op: "trigger", Job: "invoices", Kind: lifecycle.ErrInvalid}, 422, "invalid", "is not valid"},
		"forbidden":    {&lifecycle.Error{Op: "trigger", Job: "invoices", Kind: lifecycle.ErrForbidden}, 403, "registry_forbidden", "digest"},
		"unavailable":  {&lifecycle.Error{Op: "trigger", Job: "invoices", Kind: lifecycle.ErrUnavailable}, 503, "registry_unavailable", "is not known"},
		"anything":     {errors.New("secret detail"), 500, "internal", "inside the console"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := consoletest.New(t)
			b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ActionErr = c.err })
			api := b.As(t, auth.RoleRoot, http.MethodPost, "/api/jobs/invoices/trigger", nil)
			consoletest.WantStatus(t, api, c.status)
			if !strings.Contains(api.Body, `"code":"`+c.code+`"`) || strings.Contains(api.Body, "secret detail") {
				t.Errorf("API: %s", api.Body)
			}
			_, page := b.Follow(t, "/jobs/invoices/trigger", url.Values{})
			if got := page.Text(t, "flash"); !strings.Contains(got, c.message) || strings.Contains(got, "secret detail") {
				t.Errorf("page: %q, want %q", got, c.message)
			}
			if page.Doc(t).Find(".tone-bad.flash").Length() != 1 {
				t.Error("the message does not look like a refusal")
			}
		})
	}
}

func TestShutdownAsks(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily/shutdown", nil)
	consoletest.WantStatus(t, r, 200)
	doc := r.Doc(t)
	if got := doc.Find("h1").Text(); got != "Stop the instances of settlement.daily?" {
		t.Errorf("the page is headed %q", got)
	}
	for _, want := range []string{"3 instances", "cannot be undone", "2 shards are running now", "10.2.0.16@-@40551"} {
		if !strings.Contains(r.Text(t, "confirm"), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if curl := r.Text(t, "curl"); !strings.Contains(curl, "curl -X POST '"+b.URL+"/api/jobs/settlement.daily/shutdown'") {
		t.Errorf("curl %q", curl)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/settlement.daily/shutdown", url.Values{}), http.StatusUnprocessableEntity)
	if len(b.Registry.Given()) > 0 {
		t.Fatal("shut down without being asked")
	}
	form := url.Values{}
	for _, input := range doc.Find(`[data-testid="confirm-form"] input`).EachIter() {
		form.Set(input.AttrOr("name", ""), input.AttrOr("value", ""))
	}
	location, _ := b.Follow(t, doc.Find(`[data-testid="confirm-form"]`).AttrOr("action", ""), form)
	if location != "/jobs/settlement.daily" || !slices.Equal(b.Registry.Given(), []string{"shutdown settlement.daily"}) {
		t.Errorf("to %q after %q", location, b.Registry.Given())
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/warehouse-sync/shutdown", nil).Text(t, "confirm-refused"); !strings.Contains(got, "nothing to stop") {
		t.Errorf("without instances: %q", got)
	}
}

func TestRemoveWantsTheName(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/warehouse-sync/remove", nil)
	if got := page.Text(t, "confirm"); !strings.Contains(got, "There is no undo") || !strings.Contains(got, "type the name: warehouse-sync") {
		t.Errorf("page %q", got)
	}
	if curl := page.Text(t, "curl"); !strings.Contains(curl, "curl -X DELETE '"+b.URL+"/api/jobs/config/warehouse-sync'") {
		t.Errorf("curl %q", curl)
	}
	for _, typed := range []string{"", "warehouse", "WAREHOUSE-SYNC", "warehouse-sync "} {
		r := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/warehouse-sync/remove", url.Values{"confirm": {"yes"}, "name": {typed}})
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		if got := r.Text(t, "confirm-error"); !strings.Contains(got, "Nothing was changed") {
			t.Errorf("typed %q: %q", typed, got)
		}
		if got := r.Doc(t).Find("input[name=name]").AttrOr("value", "?"); got != typed {
			t.Errorf("what was typed is lost: %q", got)
		}
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatal("removed all the same")
	}
	location, after := b.Follow(t, "/jobs/warehouse-sync/remove", url.Values{"confirm": {"yes"}, "name": {"warehouse-sync"}})
	if location != "/jobs" || after.Text(t, "flash") != "Deleted warehouse-sync." || !slices.Equal(b.Registry.Given(), []string{"remove warehouse-sync"}) {
		t.Errorf("to %q, message %q, actions %q", location, after.Text(t, "flash"), b.Registry.Given())
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/remove", nil).Text(t, "confirm-refused"); !strings.Contains(got, "3 instances are alive") {
		t.Errorf("with instances: %q", got)
	}
}

func TestActionsOverTheAPI(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome.Affected = []string{"10.2.0.14@-@2211"} })
	for _, c := range []struct {
		method, target, order string
		status                int
	}{
		{http.MethodPost, "/api/jobs/invoices/trigger", "trigger invoices", 200},
		{http.MethodPost, "/api/jobs/invoices/disable", "disable invoices", 200},
		{http.MethodDelete, "/api/jobs/invoices/disable", "enable invoices", 200},
		{http.MethodPost, "/api/jobs/invoices/enable", "enable invoices", 200},
		{http.MethodPost, "/api/jobs/invoices/shutdown", "shutdown invoices", 200},
		{http.MethodDelete, "/api/jobs/config/invoices", "remove invoices", 204},
	} {
		r := b.As(t, auth.RoleRoot, c.method, c.target, nil)
		consoletest.WantStatus(t, r, c.status)
		given := b.Registry.Given()
		if got := given[len(given)-1]; got != c.order {
			t.Errorf("%s %s: action %q, want %q", c.method, c.target, got, c.order)
		}
		if want := `{"job":"invoices","affected":["10.2.0.14@-@2211"],"skipped":[]}`; c.status == 200 && strings.TrimSpace(r.Body) != want {
			t.Errorf("%s %s: %s, want %s", c.method, c.target, r.Body, want)
		}
	}
}
