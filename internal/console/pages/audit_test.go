package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestAuditSearch: the page asks for changes unless another kind is wanted; words are
// found in what the reader's language calls an action; the form, the tabs and the export
// keep the rest of the filter.
func TestAuditSearch(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", nil)
	get := func(path string) (settings.AuditFilter, consoletest.Reply) {
		t.Helper()
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		return b.Settings.AuditFilters()[len(b.Settings.AuditFilters())-1], r
	}
	f, r := get("/audit")
	if f.Ended != settings.EndedDone || len(f.Except) == 0 {
		t.Errorf("without a kind: %+v", f)
	}
	doc := r.Doc(t)
	if text := consoletest.Words(doc.Find(`[data-testid="audit-row"]`).First()); !strings.Contains(text, "Triggered invoices Done") || !strings.Contains(text, "0 done, 0 skipped") || strings.Contains(text, "affected=") {
		t.Errorf("row %q", text)
	}
	if kind := doc.Find(`[data-testid="kind-changes"]`).AttrOr("aria-current", ""); kind == "" || doc.Find(`details.filter-more[open]`).Length() > 0 {
		t.Error("changes are not chosen, or all filters are open")
	}
	f, r = get("/audit?q=TRIGGER&kind=all&user=root&last=7d")
	if diff := cmp.Diff([]settings.ActionLike{{Method: "POST", End: "/trigger"}, {Method: "POST", End: "/rerun"}}, f.Meant); diff != "" || f.Text != "TRIGGER" || f.Ended != "" {
		t.Errorf("words for an action: %+v %s", f, diff)
	}
	doc = r.Doc(t)
	if href := doc.Find(`[data-testid="kind-refused"]`).AttrOr("href", ""); href != "/audit?kind=refused&last=7d&q=TRIGGER&user=root" {
		t.Errorf("another kind is at %q", href)
	}
	if href := doc.Find(`[data-testid="export-csv"]`).AttrOr("href", ""); href != "/audit/export?format=csv&kind=all&last=7d&q=TRIGGER&user=root" {
		t.Errorf("the export is at %q", href)
	}
	f, _ = get("/audit?action=" + url.QueryEscape("POST /disable"))
	if want := actionsOf(i18n.English, func(words string) bool { return words == "Disabled" }); len(want) != 1 || len(want[0].But) == 0 || cmp.Diff(want, f.Actions) != "" || f.Ended != "" {
		t.Errorf("an action: %+v", f)
	}
	if _, r = get("/audit?action=nonsense&kind=odd"); !strings.Contains(r.Text(t, "query-hint"), "nonsense") || !strings.Contains(r.Text(t, "query-hint"), "odd") {
		t.Errorf("hint %q", r.Text(t, "query-hint"))
	}
}

// TestAuditExport: the records of a filter as a file whose cells no spreadsheet runs,
// for operators alone.
func TestAuditExport(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", nil)
	b.Settings.Write(settings.Record{At: consoletest.Noon, User: "root", Action: "POST /jobs/:job/disable", Target: "mail", Outcome: "done", Detail: "=1+1"})
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/audit/export?kind=all", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	if lines := strings.Split(strings.TrimSpace(r.Body), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "id,at,user") || !strings.Contains(lines[1], ",'=1+1") || r.Header.Get("X-Complete") != "true" {
		t.Errorf("%q", r.Body)
	}
	if disposition := r.Header.Get("Content-Disposition"); disposition != `attachment; filename="audit.csv"` {
		t.Errorf("disposition %q", disposition)
	}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/audit/export?format=json", nil); !strings.HasPrefix(r.Body, "[{") {
		t.Errorf("as JSON: %q", r.Body)
	}
	for _, wrong := range []string{"?format=xml", "?kind=odd"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/audit/export"+wrong, nil), http.StatusUnprocessableEntity)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/audit/export", nil), http.StatusForbidden)
}

// TestAuditDetail: notes are said in words, a reason apart; a text that is none of
// them stays.
func TestAuditDetail(t *testing.T) {
	t.Parallel()
	for detail, want := range map[string][2]string{
		"order=disable affected=2 skipped=0":                  {"2 done, 0 skipped", ""},
		"order=x reason=mail answers 503, see a=b affected=1": {"", "mail answers 503, see a=b"},
		"order=configure before=12 after=13 changed=cron":     {"version 12 → 13 · cron", ""},
		"shards=3,4 instances=10.0.0.1@-@7 reason=try":        {"shards 3,4 · on 10.0.0.1@-@7", "try"},
		"odd=7 account=admin":                                 {"odd=7 account=admin", ""},
		"account=admin field=cron":                            {"as admin · field=cron", ""},
		"in words alone":                                      {"in words alone", ""},
		"":                                                    {"", ""},
	} {
		if words, reason := auditDetail(i18n.English, detail); words != want[0] || reason != want[1] {
			t.Errorf("%q: %q, %q", detail, words, reason)
		}
	}
}
