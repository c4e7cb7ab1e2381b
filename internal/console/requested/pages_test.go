package requested

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/requested/params"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// requestFormOf is the form of a job as it is shown, with some fields changed.
func requestFormOf(t *testing.T, b *consoletest.Bench, path string, change ...string) url.Values {
	t.Helper()
	form := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, path, nil), "request-form")
	form.Set("unit", "m") // a select
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

// TestR56TheFormSaysWhatIsWrong: without a script the form is shown again, with each
// problem beside its field and what was typed.
func TestR56TheFormSaysWhatIsWrong(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		path := app.RequestedPath("j")
		large := `{"a":"` + strings.Repeat("x", 65_537-len(`{"a":""}`)) + `"}`
		for _, test := range []struct {
			change []string
			status int
			errors map[string]string
		}{
			{[]string{"params", `{"a":1,"a":2}`, "when", "in", "in", "soon", "note", strings.Repeat("n", 201)}, 422, map[string]string{
				"params-error": "a: is given twice.", "when-error": "Write a whole number from 1, such as 5.", "note-error": "201 characters; at most 200.",
			}},
			{[]string{"params", `[1]`}, 422, map[string]string{"params-error": "want a JSON object, not a list."}},
			{[]string{"params", `{"a":1} x`}, 422, map[string]string{"params-error": "parameters aren't valid JSON: text after the end, at byte 9."}},
			{[]string{"params", large}, 413, map[string]string{"params-error": "parameters have 65537 bytes; at most 65536 are allowed."}},
			{[]string{"when", "in", "in", "400", "unit", "d"}, 422, map[string]string{"when-error": "At most 365 days ahead."}},
			{[]string{"when", "at", "at", "2020-01-01T00:00"}, 422, map[string]string{"when-error": "Write a date and a time to come, such as 2026-11-22 02:30."}},
			{[]string{"shard", ""}, 422, map[string]string{"shards-error": "Choose at least one shard."}},
		} {
			form := requestFormOf(t, b.Bench, "/jobs/j/run", test.change...)
			r := b.As(t, auth.RoleRoot, http.MethodPost, path, form)
			consoletest.WantStatus(t, r, test.status)
			got := map[string]string{}
			r.Doc(t).Find(".field-error[id]").Each(func(_ int, s *goquery.Selection) { got[s.AttrOr("id", "")] = s.Text() })
			if diff := cmp.Diff(test.errors, got); diff != "" {
				t.Errorf("%.80q (-want +got):\n%s", test.change, diff)
			}
			again := consoletest.Fields(t, r, "request-form")
			for _, name := range []string{"params", "when", "in", "at", "note", "overlap"} {
				if again.Get(name) != form.Get(name) {
					t.Errorf("%.80q: %s is %.80q after the form was sent, not %.80q", test.change, name, again.Get(name), form.Get(name))
				}
			}
		}
		// In Chinese, too.
		form := requestFormOf(t, b.Bench, "/jobs/j/run", "params", `{"a":1,"a":2}`)
		r := b.As(t, auth.RoleRoot, http.MethodPost, path, form, func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") })
		if got := r.Text(t, "params-error"); got != "a: 出现了两次。" {
			t.Errorf("in Chinese: %q", got)
		}
	})
}

// TestARunIsRequestedCancelledAndRepeated goes the whole way through the pages.
func TestARunIsRequestedCancelledAndRepeated(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		path := app.RequestedPath("j")
		get := func(path string) consoletest.Reply { return b.As(t, auth.RoleRoot, http.MethodGet, path, nil) }
		form := requestFormOf(t, b.Bench, "/jobs/j/run", "params", "{\r\n  \"month\": \"2026-10\"\r\n}", "when", "in", "in", "2", "unit", "h", "shard", "1", "overlap", "one", "note", "INC-4821")
		r := b.As(t, auth.RoleRoot, http.MethodPost, path, form)
		consoletest.WantStatus(t, r, http.StatusSeeOther)
		run := r.Header.Get("Location")
		if second := b.As(t, auth.RoleRoot, http.MethodPost, path, form); second.Header.Get("Location") != run { // pressed twice
			t.Errorf("the form sent twice leads to %s and %s", run, second.Header.Get("Location"))
		}
		page := get(run)
		consoletest.WantStatus(t, page, http.StatusOK)
		if got := page.Doc(t).Find(`[data-testid="requested-params"]`).Text(); got != "{\n  \"month\": \"2026-10\"\n}" {
			t.Errorf("parameters %q", got)
		}
		if got := page.Text(t, "requested-state"); got != "Scheduled" {
			t.Errorf("state %q", got)
		}
		if live := page.Doc(t).Find("body").AttrOr("data-live", ""); live != "1" {
			t.Errorf("the page is read again every %q seconds", live)
		}
		list, err := lifecycle.NewOperator(b.Tree.Registry()).Runs(t.Context(), "j", 10)
		if err != nil || len(list.Waiting) != 1 || list.Waiting[0].Note != "INC-4821" || list.Waiting[0].By.Kind != "page" || list.Waiting[0].By.Name != "root" {
			t.Fatalf("%v %+v", err, list)
		}
		data := b.Node(t, strings.TrimPrefix(waitingNode(t, b), b.Tree.NS.Root()+"/"))
		for _, want := range []string{`"manual":true`, `"items":"1"`, `"overlap":"one"`, `"params":{"month":"2026-10"}`} {
			if !strings.Contains(data, want) {
				t.Errorf("%s is not in %s", want, data)
			}
		}

		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/start", url.Values{}), http.StatusSeeOther)
		if got := get(run).Text(t, "requested-waits"); !strings.Contains(got, "an agent decides about it next") {
			t.Errorf("a queued run waits for %q", got)
		}
		consoletest.WantStatus(t, get(run+"/cancel"), http.StatusOK)
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/cancel", url.Values{"reason": {"wrong month"}}), http.StatusUnprocessableEntity) // not confirmed
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, run+"/cancel", url.Values{"reason": {"wrong month"}, "confirm": {"yes"}}), http.StatusSeeOther)
		page = get(run)
		if got := page.Text(t, "requested-reason"); got != "Cancelled cancelled by root: wrong month" {
			t.Errorf("reason %q", got)
		}
		if live := page.Doc(t).Find("body").AttrOr("data-live", ""); live != "0" || page.Doc(t).Find("[data-live-end]").Length() != 1 {
			t.Errorf("a page that never changes is read again every %q seconds", live)
		}
		again := page.Doc(t).Find(`[data-testid="again-run"]`).AttrOr("href", "")
		repeat := get(again)
		if fields := consoletest.Fields(t, repeat, "request-form"); fields.Get("note") != "INC-4821" || !strings.HasSuffix(run, fields.Get("again")) || !strings.Contains(fields.Get("params"), "2026-10") || !slices.Equal(fields["shard"], []string{"1"}) {
			t.Errorf("the form of a run that is repeated: %v", fields)
		}
	})
}

func waitingNode(t *testing.T, b consoletest.TreeBench) string {
	t.Helper()
	tree := b.Tree.NS.Job("j")
	buckets, _, err := b.Tree.Client.Children(t.Context(), tree.RunsDue())
	if err != nil {
		t.Fatal(err)
	}
	for _, bucket := range buckets {
		names, _, err := b.Tree.Client.Children(t.Context(), tree.RunsDue()+"/"+bucket)
		if err == nil && len(names) > 0 {
			return tree.RunsDue() + "/" + bucket + "/" + names[0]
		}
	}
	t.Fatal("no run waits")
	return ""
}

// TestR57GuestsSeeNoButtons: guests read, without parameters, and are refused what they
// do all the same.
func TestR57GuestsSeeNoButtons(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	path := app.RequestedPath("invoices")
	for _, page := range []string{path, path + "/" + consoletest.SampleActive, path + "/" + consoletest.SampleRequest, path + "/" + consoletest.SampleEnded} {
		r := b.As(t, auth.RoleGuest, http.MethodGet, page, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if n := r.Doc(t).Find(`main form[method="post"], main .btn:not([data-copy-of]):not(form[method="get"] .btn), [data-testid="actions"] a, [data-testid="actions"] button`).Length(); n > 0 {
			t.Errorf("%s has %d buttons for a guest", page, n)
		}
		if strings.Contains(r.Body, "Munich") || strings.Contains(r.Body, "118000118000") {
			t.Errorf("%s shows a guest parameters or results", page)
		}
	}
	if got := b.As(t, auth.RoleGuest, http.MethodGet, path+"/"+consoletest.SampleActive, nil).Text(t, "requested-params"); !strings.Contains(got, `"2026-10"`) || strings.Count(got, `"***"`) != 2 {
		t.Errorf("a guest sees the parameters %q: the schema says that tenants are secret", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Schemas = nil })
	if got := b.As(t, auth.RoleGuest, http.MethodGet, path+"/"+consoletest.SampleActive, nil).Text(t, "requested-params"); got != `"***"` {
		t.Errorf("a guest sees the parameters %q of a job without a schema", got)
	}
	for _, action := range []string{"", "/" + consoletest.SampleRequest + "/cancel", "/" + consoletest.SampleRequest + "/start"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, path+action, url.Values{"confirm": {"yes"}}), http.StatusForbidden)
		r := b.As(t, auth.RoleRoot, http.MethodPost, path+action, url.Values{"confirm": {"yes"}}, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") })
		consoletest.WantStatus(t, r, http.StatusForbidden)
	}
	for _, form := range []string{"/jobs/invoices/run", path + "/" + consoletest.SampleRequest + "/cancel"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, form, nil), http.StatusForbidden)
	}
}

func TestR59AnyTextIsShownAsText(t *testing.T) {
	const params = `{"html":"<script>alert(1)</script> & more","rtl":"שלום","slash":"\\u003c","wide":"😀𝄞"}`
	var tree strings.Builder
	names := []string{"a b", "作业", "50%"}
	for _, name := range names {
		tree.WriteString(consoletest.TakingRuns(name))
	}
	consoletest.EachTree(t, tree.String(), func(t *testing.T, b consoletest.TreeBench) {
		for _, name := range names {
			path := app.RequestedPath(name)
			r := b.As(t, auth.RoleRoot, http.MethodPost, path, requestFormOf(t, b.Bench, pageui.AskRunPath(name), "params", params, "note", "<b>שלום</b> 😀"))
			consoletest.WantStatus(t, r, http.StatusSeeOther)
			page := b.As(t, auth.RoleRoot, http.MethodGet, r.Header.Get("Location"), nil)
			consoletest.WantStatus(t, page, http.StatusOK)
			doc := page.Doc(t)
			if got := compact(doc.Find(`[data-testid="requested-params"]`).Text()); got != params {
				t.Errorf("%s: the page shows %q, not %q", name, got, params)
			}
			if doc.Find("main script, main b:contains('שלום')").Length() > 0 || !strings.Contains(page.Text(t, "requested-facts"), "<b>שלום</b> 😀") {
				t.Errorf("%s: a text is not shown as one: %s", name, page.Text(t, "requested-facts"))
			}
			list := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
			if rows := list.Doc(t).Find(`[data-testid="requested-run"]`); rows.Length() != 1 || !strings.Contains(rows.Text(), "<b>שלום</b> 😀") {
				t.Errorf("%s: the list has %d runs: %s", name, rows.Length(), rows.Text())
			}
		}
	})
}

func TestTheListOfRequestedRuns(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	path := app.RequestedPath("invoices")
	rows := func(path string) (list []string) {
		b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t).Find(`[data-testid="requested-run"]`).Each(func(_ int, row *goquery.Selection) {
			list = append(list, consoletest.Words(row))
		})
		return list
	}
	want := []string{
		"5f2a9c31d0e5 Running billing, from code 11:59:47 UTC 1.0 s 19 s 4/8 Cancel " + consoletest.SampleActive,
		"5f2a9c31d0e4 Scheduled root, on a page 12:04:07 UTC INC-4821 resolved, book again Start now " + consoletest.SampleRequest + " Cancel " + consoletest.SampleRequest,
		"5f2a9c31d0e6 Failed root, over REST 11:00:07 UTC 40 ms 2 min 59 s 6/8",
		"5f2a9c31d0d1 Failed billing, from code 21 Sep 12:00 UTC 1.0 s 1 min 29 s 7/8", // from the trace database
	}
	if diff := cmp.Diff(want, rows(path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[2:], rows(path+"?state=failed")); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, path+"?state=skipped", nil).Text(t, "requested-empty"); got != "No run is in this state." {
		t.Errorf("none is skipped: %q", got)
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, app.RequestedPath("reindex"), nil).Text(t, "requested-empty"); !strings.HasPrefix(got, "Nobody has requested a run") {
		t.Errorf("nobody has requested one: %q", got)
	}
	tabs := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices", nil).Doc(t)
	if tabs.Find(`[data-testid="tab-requested"]`).AttrOr("href", "") != path || tabs.Find(`[data-testid="do-run"]`).AttrOr("href", "") != "/jobs/invoices/run" {
		t.Error("the page of the job leads neither to its requested runs nor to the form")
	}
}

// TestReasonsAreSaidInChinese: agents say in English why a run ended.
func TestReasonsAreSaidInChinese(t *testing.T) {
	t.Parallel()
	for english, want := range map[string]string{
		"2 of 8 shards failed": "8 个分片中有 2 个失败", "no shard had anything to do": "所有分片都无事可做", "every shard of the run is disabled": "此运行的分片均已禁用",
		"cancelled by root: wrong month": "取消者：root: wrong month", "it did not begin until 2026-11-22T00:00:00Z": "截至 2026-11-22T00:00:00Z 仍未开始",
		"it did not begin again until 2026-11-22T00:00:00Z":   "截至 2026-11-22T00:00:00Z 仍未开始",
		"lost: 10.0.0.7@-@17 lost its session during the run": "丢失：10.0.0.7@-@17 在运行期间丢失会话",
		"lost: 10.0.0.7@-@17 ended during the run":            "丢失：10.0.0.7@-@17 在运行期间丢失会话", // by an earlier version
		"anything else": "anything else",
	} {
		if got := reasonIn(i18n.Chinese, english); got != want {
			t.Errorf("%s: %s, want %s", english, got, want)
		}
		if got := reasonIn(i18n.English, english); got != english {
			t.Errorf("%s: %s", english, got)
		}
	}
}

// TestR60ThePagesSayThatTheRegistryIsAway, and what was typed is kept.
func TestR60ThePagesSayThatTheRegistryIsAway(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	path := app.RequestedPath("invoices")
	form := requestFormOf(t, b, "/jobs/invoices/run", "p.month", "2026-10")
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.ActionErr = &lifecycle.Error{Op: "run", Job: "invoices", Kind: lifecycle.ErrUnavailable}
	})
	r := b.As(t, auth.RoleRoot, http.MethodPost, path, form)
	consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
	if consoletest.Fields(t, r, "request-form").Get("p.month") != "2026-10" || r.Text(t, "request-refused") == "" {
		t.Error("what was typed is lost")
	}
	for _, page := range []string{path, path + "/" + consoletest.SampleActive} {
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, page, nil), http.StatusServiceUnavailable)
	}
	if outcomes := b.Settings.Written; !slices.ContainsFunc(outcomes, func(r settings.Record) bool { return r.Outcome == app.CodeRegistryDown }) {
		t.Error("the audit does not have that it failed")
	}
}

func compact(text string) string { return string(params.Compact(text)) }
