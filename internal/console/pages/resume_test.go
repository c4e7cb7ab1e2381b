package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// signInAgain follows a form that was refused for want of a session to the page that
// comes after the sign-in.
func signInAgain(t *testing.T, b *consoletest.Bench, refused consoletest.Reply) consoletest.Reply {
	t.Helper()
	consoletest.WantStatus(t, refused, http.StatusSeeOther)
	login, err := url.Parse(refused.Header.Get("Location"))
	if err != nil || login.Path != "/login" {
		t.Fatalf("to %q, %v", refused.Header.Get("Location"), err)
	}
	signed := b.As(t, "", http.MethodPost, "/login", consoletest.LoginForm("root", "r00t-Canary-7", login.Query().Get("next")))
	consoletest.WantStatus(t, signed, http.StatusSeeOther)
	return b.As(t, auth.RoleRoot, http.MethodGet, signed.Header.Get("Location"), nil)
}

// TestFormsAreShownAgainAfterASignIn: what was typed is there again, secrets are not, and
// nothing was done.
func TestFormsAreShownAgainAfterASignIn(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	config := consoletest.FormOf(b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/config", nil).Doc(t).Find(`[data-testid="config-form"]`))
	config.Set("cron", "0 0/7 * * * ?")
	for target, form := range map[string]url.Values{
		"/jobs/bulk":                    {"do": {"disable"}, "job": {"invoices", "reindex"}, "reason": {"INC-4821 typed"}, "return": {"/jobs"}},
		"/jobs/invoices/shards/disable": {"item": {"1", "2"}, "reason": {"INC-4821 typed"}},
		"/jobs/invoices/trigger":        {"item": {"1"}, "instance": {"10.2.0.15@-@918"}, "reason": {"INC-4821 typed"}},
		"/registries":                   {"name": {"typed"}, "zkAddressList": {"INC-4821 typed"}, "namespace": {"n"}, "digest": {"u:s3cret-typed"}},
		"/sources":                      {"name": {"typed"}, "type": {"mysql"}, "host": {"INC-4821 typed"}, "password": {"s3cret-typed"}},
		"/servers/10.2.0.14/disable":    {"confirm": {"yes"}, "reason": {"INC-4821 typed"}},
		"/servers/cleanup":              {"confirm": {"yes"}, "ip": {"10.2.0.17"}, "reason": {"INC-4821 typed"}},
		"/jobs/invoices/config/preview": config,
		"/jobs/invoices/config":         config,
		"/registry/nope/jobs/bulk":      nil,
	} {
		if form == nil {
			continue
		}
		records := len(b.Recorded(0))
		back := signInAgain(t, b, b.As(t, "", http.MethodPost, target, form))
		consoletest.WantStatus(t, back, http.StatusOK)
		if got := back.Text(t, "flash"); !strings.HasPrefix(got, "Your session had ended. Nothing was done") {
			t.Errorf("%s: %q", target, got)
		}
		want := "INC-4821 typed"
		if strings.Contains(target, "config") {
			want = "0 0/7 * * * ?"
		}
		if !strings.Contains(back.Body, want) || strings.Contains(back.Body, "s3cret-typed") {
			t.Errorf("%s came back as %s", target, back.Body)
		}
		for _, r := range b.Recorded(records) {
			if r.Action == "POST "+target && r.Outcome == "done" {
				t.Errorf("%s: the audit says %+v", target, r)
			}
		}
	}
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions %q", got)
	}
	// The form that came back can be sent.
	back := signInAgain(t, b, b.As(t, "", http.MethodPost, "/jobs/bulk", url.Values{"do": {"disable"}, "job": {"invoices"}, "reason": {"typed"}}))
	form := consoletest.FormOf(back.Doc(t).Find(`[data-testid="bulk-form"]`))
	form.Set("reason", back.Doc(t).Find(`[data-testid="bulk-reason"]`).AttrOr("value", ""))
	b.Follow(t, "/jobs/bulk", form)
	if diff := cmp.Diff([]string{"disable invoices"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// TestFormsThatAreNotKept: buttons lead back to their page, an address does not keep
// without end, and a guest does not get at the pages of root.
func TestFormsThatAreNotKept(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, "", http.MethodPost, "/jobs/invoices/release", url.Values{"return": {"/jobs"}})
	if got := r.Header.Get("Location"); strings.Contains(got, "resume") {
		t.Errorf("a button leads to %q", got)
	}
	form := url.Values{"do": {"disable"}, "job": {"invoices"}, "reason": {"typed"}}
	var places []string
	for range 12 {
		login, err := url.Parse(b.As(t, "", http.MethodPost, "/jobs/bulk", form).Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, login.Query().Get("next"))
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, places[0], nil), http.StatusNotFound)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, places[11], nil), http.StatusOK)
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, places[11], nil), http.StatusForbidden)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, app.ResumeRoute, nil), http.StatusNotFound)
	if got := b.Registry.Given(); len(got) > 0 {
		t.Errorf("actions %q", got)
	}
}

// TestFormsAreCarriedOutOnce: a form that is sent twice at the same time is carried out
// once, and both get the same answer; one that was refused can be sent again; the
// form of another page is another one.
func TestFormsAreCarriedOutOnce(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Outcome.Affected = []string{"10.2.0.14"} })
	b.Registry.Set(consoletest.JavaAgents)
	doc := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil).Doc(t)
	id := doc.Find(`form[action="/jobs/invoices/trigger"] input[name="form"]`).AttrOr("value", "")
	if !ui.IsFormID(id) {
		t.Fatalf("the button's form is called %q", id)
	}
	form := url.Values{"form": {id}, "return": {"/jobs/invoices"}}
	answers := make(chan string, 2)
	for range 2 {
		go func() {
			r := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", form)
			answers <- r.Header.Get("Location") + " " + flashOf(r)
		}()
	}
	if one, other := <-answers, <-answers; one != other || !strings.HasPrefix(one, "/jobs/invoices ") {
		t.Errorf("answers %q and %q", one, other)
	}
	if diff := cmp.Diff([]string{"trigger invoices"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
	b.Pass(time.Minute)
	if _, later := b.Follow(t, "/jobs/invoices/trigger", form); !strings.HasPrefix(later.Text(t, "flash"), "The form was sent twice") {
		t.Errorf("a minute later: %q", later.Text(t, "flash"))
	}
	b.Follow(t, "/jobs/reindex/trigger", form)
	form.Set("form", ui.NewFormID())
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ActionErr = errors.New("no right") })
	b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", form)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ActionErr = nil })
	b.Follow(t, "/jobs/invoices/trigger", form)
	if diff := cmp.Diff([]string{"trigger invoices", "trigger reindex", "trigger invoices", "trigger invoices"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// flashOf is the message that an answer leaves for the next page.
func flashOf(r consoletest.Reply) string {
	if c := r.Cookie(app.FlashCookie); c != nil {
		return c.Value
	}
	return ""
}
