package audit

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestAuditSearch: the page shows changes unless another kind is selected; a search also finds the
// names of actions in the reader's language; the form, the tabs and the export keep the rest of the
// filter.
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
	if href := doc.Find(`[data-testid="export-json"]`).AttrOr("href", ""); href != "/audit/export?format=json&kind=all&last=7d&q=TRIGGER&user=root" {
		t.Errorf("the export as JSON is at %q", href)
	}
	f, _ = get("/audit?action=" + url.QueryEscape("POST /disable"))
	if want := query.ActionsOf(func(word query.AuditWord) bool { return word(i18n.English) == "Disabled" }); len(want) != 1 || len(want[0].But) == 0 || cmp.Diff(want, f.Actions) != "" || f.Ended != "" {
		t.Errorf("an action: %+v", f)
	}
	if _, r = get("/audit?action=nonsense&kind=odd"); !strings.Contains(r.Text(t, "query-hint"), "nonsense") || !strings.Contains(r.Text(t, "query-hint"), "odd") {
		t.Errorf("hint %q", r.Text(t, "query-hint"))
	}
}

// TestAuditExport: the records of a filter are a file with cells that no spreadsheet runs, for
// admins only.
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

// TestW31ChangesInWords: a record is put into words, with a reason apart. No names of fields remain.
func TestW31ChangesInWords(t *testing.T) {
	t.Parallel()
	for detail, want := range map[string][2]string{
		"params_bytes=32 params_keys=month,pin note=again order=run affected=1 skipped=0 run=0193a5b0": {"1 done, 0 skipped · 32 bytes of parameters · parameters: month, pin · run 0193a5b0", "again"},
		"order=disable affected=2 skipped=0":                       {"2 done, 0 skipped", ""},
		"order=x reason=mail answers 503, see a=b affected=1":      {"1 done, 0 skipped", "mail answers 503, see a=b"},
		"order=configure before=12 after=13 changed=[cron props]":  {"version 12 → 13 · changed cron, props", ""},
		"shards=3,4 instances=10.0.0.1@-@7 reason=try":             {"shards 3, 4 · on 10.0.0.1@-@7", "try"},
		"account=admin field=cron":                                 {"as admin · field cron", ""},
		"order=save view shared=true":                              {"", ""},
		"preview=false added=3 present=2 refused=0":                {"3 added · 2 already there", ""},
		"via=deploy-pipeline order=enable affected=1 skipped=0":    {"with token deploy-pipeline · 1 done, 0 skipped", ""},
		"due=2026-11-23T12:00:00Z late=3m0s unrecorded_before=250": {"due 2026-11-23T12:00:00Z · 3m0s late · 250 earlier records were left out", ""},
		"in words alone": {"in words alone", ""},
		"":               {"", ""},
	} {
		if ch := ui.ChangeOf(i18n.English, settings.Record{Detail: detail}); ch.Notes != want[0] || ch.Reason != want[1] {
			t.Errorf("%q: %q, %q", detail, ch.Notes, ch.Reason)
		}
		if ch := ui.ChangeOf(i18n.Chinese, settings.Record{Detail: detail}); strings.Contains(ch.Notes, "=") {
			t.Errorf("%q in Chinese: %q", detail, ch.Notes)
		}
	}
}

// TestW31OneRenderer: the overview, the activity of a job and the audit put a change into the same
// words, in both languages and without names of fields.
func TestW31OneRenderer(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.Write(settings.Record{ID: 1, At: consoletest.Noon, User: "li.wei", Action: "POST /jobs/bulk", Target: "invoices, mail-digest", Outcome: settings.EndedDone, Detail: "order=bulk disable preview=false affected=2 skipped=0 reason=INC-4821"})
	for tag, want := range map[string][]string{"en": {"Disabled", "2 done, 0 skipped", "“INC-4821”"}, "zh-CN": {"禁用", "完成 2 项，跳过 0 项", "“INC-4821”"}} {
		for path, list := range map[string]string{"/": "happened", "/jobs/invoices/activity": "happened", "/audit": "audit"} {
			r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("Accept-Language", tag) })
			text := r.Text(t, list)
			for _, part := range append(want, "li.wei") {
				if !strings.Contains(text, part) {
					t.Errorf("%s in %s lacks %q: %s", path, tag, part, text)
				}
			}
			if strings.Contains(text, "=") || strings.Contains(text, "bulk") {
				t.Errorf("%s in %s shows machine fields: %s", path, tag, text)
			}
		}
	}
}

// TestW31EveryOutcomeHasAWord in both languages, not just the general one.
func TestW31EveryOutcomeHasAWord(t *testing.T) {
	t.Parallel()
	for _, l := range i18n.Languages {
		for _, outcome := range query.AuditOutcomes() {
			if word := query.OutcomeWords(outcome, l); word == "" || strings.Contains(word, "_") {
				t.Errorf("%s in %s: %q", outcome, l.Name(), word)
			}
		}
	}
}

// TestAuditDiff: a change of a configuration can be opened field by field and as lines if both
// versions are kept, with secrets masked; a reason can't name other versions.
func TestAuditDiff(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	document := func(cron, password string) string {
		return "jobName: mail\ncron: " + cron + "\nshardingTotalCount: 2\nprops:\n  db.password: " + password + "\n"
	}
	b.Settings.Mu.Lock()
	for revision, text := range map[string]string{"6-a": document("0 0 2 * * ?", "Canary-1"), "7-a": document("0 12 2 * * ?", "Canary-1"), "8-a": document("0 12 2 * * ?", "Canary-2"), "1-a": document("0 0 5 * * ?", "Canary-1")} {
		b.Settings.Versions = append(b.Settings.Versions, settings.ConfigVersion{Job: "mail", Revision: revision, Document: text})
	}
	b.Settings.Mu.Unlock()
	for id, detail := range []string{
		"order=configure reason=x before=1-a after=8-a changed=[cron] before=6-a after=7-a changed=[cron]",
		"order=configure before=7-a after=8-a changed=[props props.db.password]",
		"order=configure before=8-a after=9-a changed=[cron]",
	} {
		b.Settings.Write(settings.Record{ID: int64(id + 1), At: consoletest.Noon, User: "root", Action: "POST /jobs/:job/config", Target: "mail", Outcome: settings.EndedDone, Detail: detail})
	}
	r := b.As(t, auth.RoleRoot, http.MethodGet, "/audit", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	rows := r.Doc(t).Find(`[data-testid="audit-row"]`)
	if rows.Length() != 3 || rows.Eq(0).Find(`[data-testid="audit-diff"]`).Length() != 0 {
		t.Errorf("%d rows, or a version that is not kept has a difference", rows.Length())
	}
	if text := consoletest.Words(rows.Eq(1).Find(`[data-testid="audit-diff"]`)); !strings.Contains(text, "props.db.password before *** → after ***") || !strings.Contains(text, "Only masked values changed.") {
		t.Errorf("a secret: %q", text)
	}
	cron := rows.Eq(2).Find(`[data-testid="audit-diff"]`)
	if text := consoletest.Words(cron.Find("summary")); text != "What changed cron before 0 0 2 * * ? → after 0 12 2 * * ?" {
		t.Errorf("summary %q", text)
	}
	if added := cron.Find(".diff-add").Text(); !strings.Contains(added, "cron: 0 12 2") {
		t.Errorf("added %q", added)
	}
	if strings.Contains(r.Body, "Canary") {
		t.Error("a secret is on the page")
	}
	b.Settings.Mu.Lock()
	b.Settings.Versions = nil
	b.Settings.Mu.Unlock()
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/audit", nil); r.Doc(t).Find(`[data-testid="audit-diff"]`).Length() != 0 {
		t.Error("there are differences without versions")
	}
}
