package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TestWhoMayIsSaidByRole: a viewer reads which role is needed and that nothing was changed,
// but not whose accounts have it.
func TestWhoMayIsSaidByRole(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, l := range i18n.Languages {
		for _, ask := range []struct {
			method, path string
			form         url.Values
			says         []string
		}{
			{http.MethodGet, "/audit", nil, []string{l.ProblemForbiddenPage(l.FrameAdmin()), l.ProblemForbiddenPageHint("guest", l.FrameRoleViewer(), l.FrameAdmin())}},
			{http.MethodPost, "/jobs/invoices/disable", url.Values{}, []string{l.ProblemForbidden(l.FrameOperator()), l.ProblemForbiddenHint("guest", l.FrameRoleViewer(), l.FrameOperator())}},
		} {
			r := b.As(t, auth.RoleGuest, ask.method, ask.path, ask.form, func(r *http.Request) { r.Header.Set("Accept-Language", l.Tag()) })
			consoletest.WantStatus(t, r, http.StatusForbidden)
			said := consoletest.Fold(r.Doc(t).Find(`[data-testid="problem"]`).Text())
			for _, want := range append(ask.says, ask.method+" "+ask.path, l.ProblemWhen()) {
				if !strings.Contains(said, want) {
					t.Errorf("%s %s, %s: %q lacks %q", ask.method, ask.path, l.Tag(), said, want)
				}
			}
			if strings.Contains(said, "root") {
				t.Errorf("%s: %q names an account", ask.path, said)
			}
		}
	}
}

// TestAnErrorNamesThePathOnly: what follows it may be secret, and characters that turn a
// text around are seen as what they are.
func TestAnErrorNamesThePathOnly(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, want := range map[string]string{
		"/no-such-page?code=s3cret":         "GET /no-such-page",
		"/jobs/%E2%80%AEecilpmoc":           "GET /jobs/%E2%80%AEecilpmoc",
		"/jobs/%E8%AE%A2%E5%8D%95":          "GET /jobs/订单",
		"/jobs/" + strings.Repeat("x", 300): "GET /jobs/" + strings.Repeat("x", 193) + "…",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		if got := r.Doc(t).Find(`[data-testid="problem-facts"] dd`).First().Text(); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if strings.Contains(r.Doc(t).Find(`[data-testid="problem"]`).Text(), "s3cret") {
			t.Errorf("%s: the query is shown", path)
		}
	}
}

// TestTheWayToDataSources: where the history would be, operators find the page that says
// how to have one; viewers can do nothing there.
func TestTheWayToDataSources(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.History = nil })
	for _, target := range []string{"/runs", "/executions", "/jobs/invoices"} {
		for role, want := range map[auth.Role]string{auth.RoleRoot: "Data sources", auth.RoleGuest: ""} {
			doc := b.As(t, role, http.MethodGet, target, nil).Doc(t)
			if got := consoletest.Fold(doc.Find(`.empty a[href$="/sources"]`).Text()); got != want {
				t.Errorf("%s at %s: %q, want %q in %s", role, target, got, want, consoletest.Fold(doc.Find("main").Text()))
			}
		}
	}
}
