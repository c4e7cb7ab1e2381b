package settings

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// tokenForm is the form about a token with other values for some fields.
func tokenForm(change map[string]string) url.Values {
	form := url.Values{"name": {"deploy"}, "scope": {"operate"}, "jobs": {"nothing-*"}, "days": {"30"}}
	for field, value := range change {
		form.Set(field, value)
	}
	return form
}

// TestATokenIsShownOnce: on the page that answers the form, with a warning if it fits no job,
// and never again; it works, and its use is on the list.
func TestATokenIsShownOnce(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	r := b.As(t, auth.RoleRoot, http.MethodPost, app.TokensRoute, tokenForm(nil))
	consoletest.WantStatus(t, r, http.StatusOK)
	token := r.Text(t, "new-token")
	if !strings.HasPrefix(token, auth.ProgramPrefix) || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("shown: %q, Cache-Control %q", token, r.Header.Get("Cache-Control"))
	}
	if got := r.Text(t, "token-warning"); !strings.Contains(got, "No job matches nothing-*") {
		t.Errorf("warning %q", got)
	}
	if got := r.Doc(t).Find(`[data-testid="made"] [data-testid="copy"]`).AttrOr("data-copy-of", ""); got != "new-token" {
		t.Errorf("the button copies %q", got)
	}
	me := b.Call(t, http.MethodGet, "/api/me", "", "Authorization: Bearer "+token)
	if consoletest.WantStatus(t, me, http.StatusOK); !strings.Contains(me.Body, `"role":"operator"`) {
		t.Errorf("%s", me.Body)
	}
	list := b.As(t, auth.RoleRoot, http.MethodGet, app.TokensRoute, nil)
	if strings.Contains(list.Body, auth.ProgramPrefix) {
		t.Error("the list has the token")
	}
	rows := list.Doc(t).Find(`[data-testid="token"]`)
	if rows.Length() != 2 {
		t.Fatalf("%d rows", rows.Length())
	}
	all := consoletest.Words(rows)
	for _, want := range []string{"nightly-report read all jobs root", "never", "deploy operate nothing-* root", "just now"} {
		if !strings.Contains(all, want) {
			t.Errorf("the list lacks %q: %s", want, all)
		}
	}
	if got := list.Text(t, "tab-tokens"); got != "Tokens 2" {
		t.Errorf("tab %q", got)
	}
}

// TestTokenFormSaysWhatIsWrong also keeps the values that were typed, in both languages.
func TestTokenFormSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, l := range i18n.Languages {
		for _, test := range []struct {
			change map[string]string
			status int
			want   string
		}{
			{map[string]string{"name": ""}, http.StatusUnprocessableEntity, l.WantName()},
			{map[string]string{"scope": "root"}, http.StatusUnprocessableEntity, l.WantScope()},
			{map[string]string{"jobs": "a/b"}, http.StatusUnprocessableEntity, l.WantPrintable()},
			{map[string]string{"days": "0"}, http.StatusUnprocessableEntity, "2027-02-19T12:00:07Z"},
			{map[string]string{"days": "367"}, http.StatusUnprocessableEntity, "366"},
			{map[string]string{"days": "soon"}, http.StatusUnprocessableEntity, "366"},
			{map[string]string{"name": "nightly-report"}, http.StatusConflict, "nightly-report"},
		} {
			r := b.As(t, auth.RoleRoot, http.MethodPost, app.TokensRoute, tokenForm(test.change), func(r *http.Request) { r.Header.Set("Accept-Language", l.Tag()) })
			if r.StatusCode != test.status || !strings.Contains(r.Text(t, "token-refused"), test.want) {
				t.Errorf("%s %v: %d %q, want %d with %q", l.Tag(), test.change, r.StatusCode, r.Text(t, "token-refused"), test.status, test.want)
			}
			if got := r.Doc(t).Find("input[name=jobs]").AttrOr("value", ""); got != tokenForm(test.change).Get("jobs") {
				t.Errorf("%v: jobs %q is left", test.change, got)
			}
		}
	}
	if b.Settings.Rows("program_token") != 1 {
		t.Errorf("%d tokens are stored", b.Settings.Rows("program_token"))
	}
}

// TestRevokingATokenAsks: a page names the consequences, and only its button revokes.
func TestRevokingATokenAsks(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	path := pageui.NamedPath(app.TokensRoute, consoletest.SampleToken, "revoke")
	ask := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
	if consoletest.WantStatus(t, ask, http.StatusOK); !strings.Contains(ask.Text(t, "effects"), "never used") {
		t.Errorf("effects %q", ask.Text(t, "effects"))
	}
	again := b.As(t, auth.RoleRoot, http.MethodPost, path, url.Values{})
	if consoletest.WantStatus(t, again, http.StatusOK); again.Doc(t).Find(`[data-testid="confirm-form"]`).Length() != 1 {
		t.Error("without a confirmation it is not asked again")
	}
	if sampleRevoked(t, b) {
		t.Fatal("revoked without a confirmation")
	}
	for _, refused := range []struct {
		role auth.Role
		want int
	}{{auth.RoleOperator, http.StatusNotFound}, {auth.RoleGuest, http.StatusForbidden}} {
		consoletest.WantStatus(t, b.As(t, refused.role, http.MethodPost, path, url.Values{"confirm": {"yes"}}), refused.want)
	}
	done := b.As(t, auth.RoleRoot, http.MethodPost, path, url.Values{"confirm": {"yes"}})
	if consoletest.WantStatus(t, done, http.StatusSeeOther); !sampleRevoked(t, b) {
		t.Error("not revoked")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), http.StatusNotFound)
	if got := b.As(t, auth.RoleRoot, http.MethodGet, app.TokensRoute, nil).Text(t, "tokens-empty"); !strings.Contains(got, "No tokens") {
		t.Errorf("the empty list: %q", got)
	}
}

// TestTokensOfRoles: operators have tokens of their own with smaller scopes, viewers have
// none, and a console without a database of its own keeps none.
func TestTokensOfRoles(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	operator := b.As(t, auth.RoleOperator, http.MethodGet, app.TokensRoute, nil)
	consoletest.WantStatus(t, operator, http.StatusOK)
	if doc := operator.Doc(t); doc.Find(`[data-testid="token"]`).Length() != 0 || doc.Find("select[name=scope] option").Length() != 2 {
		t.Error("an operator sees tokens of others, or may choose configure")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, app.TokensRoute, nil), http.StatusForbidden)
	if tabs := b.As(t, auth.RoleGuest, http.MethodGet, app.RegistriesRoute, nil).Doc(t).Find(`[data-testid="tab-tokens"]`); tabs.Length() != 0 {
		t.Error("a viewer is led to the tokens")
	}
	b.Settings.Fail(errors.New("asked to fail"))
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, app.TokensRoute, nil), http.StatusServiceUnavailable)
	none := consoletest.New(t, func(o *app.Options) { o.Settings = nil })
	r := none.As(t, auth.RoleRoot, http.MethodGet, app.TokensRoute, nil)
	if consoletest.WantStatus(t, r, http.StatusOK); r.Text(t, "tokens-off") == "" || r.Doc(t).Find(`[data-testid="create-token"]`).Length() != 0 {
		t.Error("without a database a token can be asked for")
	}
}

// TestOperatorsSeeTheirActions: what an operator may not do isn't offered.
func TestOperatorsSeeTheirActions(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, test := range map[string]struct{ there, absent []string }{
		"/jobs":               {[]string{"bulk-trigger", "do-disable", "do-shutdown"}, []string{"new-job", "do-remove"}},
		"/jobs/invoices":      {[]string{"do-run", "do-disable", "ask-hold"}, []string{"do-remove"}},
		"/servers/10.2.0.14":  {[]string{"do-disable"}, []string{"do-remove"}},
		"/cloud/jobs":         {[]string{"trigger-job"}, []string{"new-job"}},
		"/cloud/apps":         {nil, []string{"new-app"}},
		app.SourcesRoute:      {[]string{"tab-tokens"}, []string{"edit", "remove"}},
		"/jobs/invoices/runs": {},
	} {
		doc := b.As(t, auth.RoleOperator, http.MethodGet, path, nil).Doc(t)
		for _, id := range test.there {
			if doc.Find(`[data-testid="`+id+`"]`).Length() == 0 {
				t.Errorf("%s: %s is not offered", path, id)
			}
		}
		for _, id := range append(test.absent, "nav-audit") {
			if doc.Find(`[data-testid="`+id+`"]`).Length() > 0 {
				t.Errorf("%s: %s is offered", path, id)
			}
		}
	}
	edit := b.As(t, auth.RoleOperator, http.MethodGet, "/jobs/invoices/config", nil)
	if consoletest.WantStatus(t, edit, http.StatusOK); edit.Doc(t).Find("form[action$='/config/preview']").Length() > 0 {
		t.Error("an operator may edit a configuration")
	}
}

func sampleRevoked(t *testing.T, b *consoletest.Bench) bool {
	t.Helper()
	token, err := b.Settings.ProgramToken(t.Context(), consoletest.SampleToken)
	if err != nil {
		t.Fatal(err)
	}
	return !token.RevokedAt.IsZero()
}
