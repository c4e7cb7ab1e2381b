package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// edited opens the editor of job j, sets fields and asks for the review.
func edited(t *testing.T, b consoletest.TreeBench, change map[string]string) consoletest.Reply {
	t.Helper()
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil)
	consoletest.WantStatus(t, page, 200)
	form := consoletest.Fields(t, page, "config-form")
	for name, value := range change {
		if form.Set(name, value); value == "" && (name == "failover" || name == "misfire") {
			form.Del(name) // a switch that is off
		}
	}
	form.Set("go", "review")
	return b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)
}

// save presses the button of a review.
func save(t *testing.T, b consoletest.TreeBench, review consoletest.Reply) consoletest.Reply {
	t.Helper()
	form := consoletest.Fields(t, review, "config-save-form")
	form.Set("go", "save")
	return b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config", form)
}

// TestConfigIsEditedAsAForm: what was typed is reviewed and then stored, and nothing
// but that changes in the document.
func TestConfigIsEditedAsAForm(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		review := edited(t, b, map[string]string{"cron": "0/7 * * * * ?", "shardingTotalCount": "3"})
		consoletest.WantStatus(t, review, 200)
		if b.Node(t, "j/config") != consoletest.Stored3x {
			t.Fatal("the review has stored something")
		}
		diff := consoletest.Words(review.Doc(t).Find(".diff"))
		for _, want := range []string{"0/5 * * * * ?", "0/7 * * * * ?"} {
			if !strings.Contains(diff, want) {
				t.Errorf("the difference lacks %q: %s", want, diff)
			}
		}
		codes := review.Doc(t).Find(`[data-testid="effects"] li`).Map(func(_ int, li *goquery.Selection) string { return li.AttrOr("data-code", "") })
		if got := strings.Join(codes, " "); !strings.Contains(got, "reschedules") || !strings.Contains(got, "reshards") || !strings.Contains(got, "shards_new") || !strings.Contains(got, "readable_from_305") {
			t.Errorf("effects: %s", got)
		}
		if curl := review.Text(t, "curl"); !strings.Contains(curl, "PUT") || !strings.Contains(curl, "If-Match") || !strings.Contains(curl, `"shardingTotalCount":3`) || strings.Contains(curl, "jobParameter") {
			t.Errorf("curl: %s", curl)
		}
		done := save(t, b, review)
		consoletest.WantStatus(t, done, http.StatusSeeOther)
		want := strings.Replace(strings.Replace(consoletest.Stored3x, "0/5 *", "0/7 *", 1), "shardingTotalCount: 2", "shardingTotalCount: 3", 1)
		if diff := cmp.Diff(want, b.Node(t, "j/config")); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		// The same once more has no other effect.
		again := save(t, b, review)
		consoletest.WantStatus(t, again, http.StatusSeeOther)
		if b.Node(t, "j/config") != want {
			t.Error("the second press has changed something")
		}
		if r := b.LastRecord(t); r.Action != "POST /jobs/:job/config" || r.Target != "j" {
			t.Errorf("record %+v", r)
		}
	})
}

// TestConfigIsEditedAsText: the document is the other view of the same; what the
// console does not know cannot be changed there.
func TestConfigIsEditedAsText(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config?view=yaml", nil)
		form := consoletest.Fields(t, page, "config-form")
		if form.Get("text") != consoletest.Stored3x {
			t.Fatalf("the text is %q", form.Get("text"))
		}
		changed := strings.Replace(consoletest.Stored3x, "0/5 *", "0/9 *", 1)
		form.Set("text", strings.ReplaceAll(changed, "\n", "\r\n")) // as browsers send it
		form.Set("go", "form")
		asForm := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)
		consoletest.WantStatus(t, asForm, 200)
		if got := consoletest.Fields(t, asForm, "config-form").Get("cron"); got != "0/9 * * * * ?" {
			t.Errorf("the form has the cron %q", got)
		}
		form.Set("go", "review")
		review := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)
		consoletest.WantStatus(t, save(t, b, review), http.StatusSeeOther)
		if got := b.Node(t, "j/config"); got != changed {
			t.Errorf("stored %q", got)
		}
		for name, bad := range map[string]string{
			"unreadable": "jobName: j\ncron: [", "renamed": strings.Replace(changed, "jobName: j", "jobName: k", 1),
			"a key nobody knows": changed + "evil: !!javax.script.ScriptEngineManager []\n",
		} {
			form := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config?view=yaml", nil), "config-form")
			form.Set("text", bad)
			form.Set("go", "review")
			refused := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)
			consoletest.WantStatus(t, refused, http.StatusUnprocessableEntity)
			if refused.Text(t, "error-document") == "" || consoletest.Fields(t, refused, "config-form").Get("text") != bad {
				t.Errorf("%s: what was typed is lost, or nobody says what is wrong", name)
			}
		}
	})
}

// TestConfigErrorsStandBesideTheirField: with the limit and the value, and what was
// typed elsewhere stays.
func TestConfigErrorsStandBesideTheirField(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		page := edited(t, b, map[string]string{"cron": "0 0 0 * *", "shardingTotalCount": "100001", "maxTimeDiffSeconds": "soon", "jobParameter": "typed <b>"})
		consoletest.WantStatus(t, page, http.StatusUnprocessableEntity)
		for field, want := range map[string]string{"cron": "0 0 0 * *", "shardingTotalCount": "from 1 to 100000", "maxTimeDiffSeconds": "soon"} {
			if got := page.Text(t, "error-"+field); !strings.Contains(got, want) {
				t.Errorf("beside %s: %q", field, got)
			}
		}
		form := consoletest.Fields(t, page, "config-form")
		for name, want := range map[string]string{"cron": "0 0 0 * *", "shardingTotalCount": "100001", "maxTimeDiffSeconds": "soon", "jobParameter": "typed <b>"} {
			if got := form.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}

// TestConfigConflict: what two editors have changed apart is merged; for what both
// have changed the page asks. Nothing of either is lost.
func TestConfigConflict(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		mine, theirs := edited(t, b, map[string]string{"cron": "0/7 * * * * ?", "description": "mine"}), edited(t, b, map[string]string{"jobParameter": "theirs"})
		consoletest.WantStatus(t, save(t, b, theirs), http.StatusSeeOther)
		merged := save(t, b, mine)
		consoletest.WantStatus(t, merged, http.StatusPreconditionFailed)
		if got := merged.Text(t, "config-merged"); !strings.Contains(got, "jobParameter") {
			t.Errorf("the note says %q", got)
		}
		both := edited(t, b, map[string]string{"cron": "0/9 * * * * ?", "failover": "true"})
		consoletest.WantStatus(t, save(t, b, merged), http.StatusSeeOther)
		if got := b.Node(t, "j/config"); !strings.Contains(got, "theirs") || !strings.Contains(got, "0/7 ") || !strings.Contains(got, "description: mine") {
			t.Fatalf("stored %q", got)
		}
		conflict := save(t, b, both)
		consoletest.WantStatus(t, conflict, http.StatusPreconditionFailed)
		if row := consoletest.Words(conflict.Doc(t).Find(`[data-testid="conflicts"] tbody`)); row != "cron 0/5 * * * * ? 0/9 * * * * ? 0/7 * * * * ?" {
			t.Errorf("the conflict reads %q", row)
		}
		form := consoletest.Fields(t, conflict, "conflict-form")
		form.Set("pick.cron", "theirs")
		form.Set("go", "review")
		consoletest.WantStatus(t, save(t, b, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)), http.StatusSeeOther)
		if got := b.Node(t, "j/config"); !strings.Contains(got, "0/7 ") || !strings.Contains(got, "failover: true") || !strings.Contains(got, "theirs") {
			t.Errorf("stored %q", got)
		}
	})
}

// TestGuestsReadTheConfig: as a form and as text, without secrets and without a
// button.
func TestGuestsReadTheConfig(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, view := range []string{"", "?view=yaml"} {
		page := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/config"+view, nil)
		consoletest.WantStatus(t, page, 200)
		if strings.Contains(page.Body, "Canary") {
			t.Errorf("%q shows a secret", view)
		}
		if n := page.Doc(t).Find("main form, main button").Length(); n > 0 {
			t.Errorf("%q has %d forms and buttons", view, n)
		}
	}
	for _, target := range []string{"/jobs/invoices/config", "/jobs/invoices/config/preview"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, target, url.Values{"go": {"save"}}), http.StatusForbidden)
	}
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/config?view=xml", nil).Text(t, "query-hint"); !strings.Contains(got, "xml") {
		t.Errorf("an unknown view is answered with %q", got)
	}
}

// TestConfigPreviewsBesideTheForm: what would change and what saving does stand beside
// the form: after a press of Preview without a script, and as a region alone with one.
// Nothing is stored.
func TestConfigPreviewsBesideTheForm(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil)
		if got := page.Text(t, "config-nothing"); got == "" || page.Doc(t).Find(`[data-testid="effects"]`).Length() > 0 {
			t.Errorf("before anything was typed: %q", got)
		}
		form := consoletest.Fields(t, page, "config-form")
		form.Set("cron", "0/7 * * * * ?")
		form.Set("shardingTotalCount", "3")
		for _, how := range []string{"preview", "beside"} {
			form.Set("go", how)
			r := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)
			consoletest.WantStatus(t, r, http.StatusOK)
			if alone := !strings.Contains(r.Body, "<html"); alone != (how == "beside") {
				t.Errorf("%s: alone is %v", how, alone)
			}
			doc := r.Doc(t)
			if diff := consoletest.Words(doc.Find(".diff")); !strings.Contains(diff, "0/7 *") || !strings.Contains(diff, "shardingTotalCount: 3") {
				t.Errorf("%s: difference %q", how, diff)
			}
			if doc.Find(`[data-testid="effects"] [data-code="reschedules"]`).Length() != 1 || !strings.Contains(r.Text(t, "config-changes"), "2 changes") {
				t.Errorf("%s: effects %q, %q", how, r.Text(t, "effects"), r.Text(t, "config-changes"))
			}
			if how == "preview" && consoletest.Fields(t, r, "config-form").Get("cron") != "0/7 * * * * ?" {
				t.Error("what was typed is lost")
			}
		}
		text := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config?view=yaml", nil), "config-form")
		text.Set("text", strings.Replace(consoletest.Stored3x, "0/5 *", "0/9 *", 1))
		text.Set("go", "preview")
		if r := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", text); !strings.Contains(consoletest.Words(r.Doc(t).Find(".diff")), "0/9 *") || r.Doc(t).Find(`textarea[name="text"]`).Length() != 1 {
			t.Errorf("as text: %s", consoletest.Words(r.Doc(t).Find(".diff")))
		}
		form.Set("shardingTotalCount", "many")
		form.Set("go", "beside")
		if got := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form).Text(t, "config-wrong"); got == "" {
			t.Error("a field that cannot be taken is not counted")
		}
		if b.Node(t, "j/config") != consoletest.Stored3x {
			t.Error("a preview has stored something")
		}
		// Somebody else saves meanwhile.
		consoletest.WantStatus(t, save(t, b, edited(t, b, map[string]string{"jobParameter": "theirs"})), http.StatusSeeOther)
		form.Set("shardingTotalCount", "3")
		waittest.Until(t, "the page to say so", func() bool {
			return strings.Contains(b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form).Text(t, "config-stale"), "root saved another version")
		})
		form.Set("go", "preview")
		merged := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)
		if got := consoletest.Fields(t, merged, "config-form"); got.Get("jobParameter") != "theirs" || got.Get("cron") != "0/7 * * * * ?" || merged.Text(t, "config-merged") == "" {
			t.Errorf("merged: %v", got)
		}
	})
}

// TestCronAssistant: what a schedule means stands beside its field, and the region
// alone answers while somebody types.
func TestCronAssistant(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily/config", nil)
	if got := page.Text(t, "cron-fires"); !strings.Contains(got, "02:30:00") || !strings.Contains(got, "18:30:00") {
		t.Errorf("next fires: %q", got)
	}
	if got := page.Text(t, "cron-words"); !strings.Contains(got, "02:30") {
		t.Errorf("in words: %q", got)
	}
	if got := page.Text(t, "cron-day"); !strings.Contains(got, "all jobs, per 15 min, UTC") || !strings.Contains(got, "18:30 this job") || !strings.Contains(got, "Peak:") {
		t.Errorf("the day of all jobs: %q", got)
	}
	if got := page.Text(t, "cron-clock"); !strings.Contains(got, "none in this zone") {
		t.Errorf("changes of the clock: %q", got)
	}
	form := consoletest.Fields(t, page, "config-form")
	form.Set("cron", "0 0/5 * * * ?")
	region := func() consoletest.Reply {
		form.Set("go", "beside")
		return b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/settlement.daily/config/preview", form)
	}
	live := region()
	consoletest.WantStatus(t, live, 200)
	if strings.Contains(live.Body, "<html") {
		t.Error("the region comes with its page")
	}
	if got := live.Text(t, "cron-herd"); !strings.Contains(got, "together with") || !strings.Contains(got, "Use second") {
		t.Errorf("herd: %q", got)
	}
	form.Set("cron", "0 0 * * *")
	if got := region().Text(t, "cron-error"); got == "" {
		t.Error("an unreadable expression is not said to be one")
	}
	form.Set("use", "17 30 2 * * ?")
	form.Set("go", "form")
	if got := consoletest.Fields(t, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/settlement.daily/config/preview", form), "config-form").Get("cron"); got != "17 30 2 * * ?" {
		t.Errorf("the suggestion is not taken: %q", got)
	}
}

// TestConfigVersions: each save is kept with who, when, why and what, also what was
// there before; going back is another save, reviewed like any.
func TestConfigVersions(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		first := b.Node(t, "j/config")
		review := edited(t, b, map[string]string{"cron": "0 0 3 * * ?"})
		form := consoletest.Fields(t, review, "config-save-form")
		form.Set("reason", "INC-4821")
		form.Set("go", "save")
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config", form), http.StatusSeeOther)
		consoletest.WantStatus(t, b.Call(t, http.MethodPut, "/api/jobs/config?reason=by+hand", `{"jobName":"j","shardingTotalCount":5}`), http.StatusNoContent)
		if r := b.LastRecord(t); !strings.Contains(r.Detail, "reason=by hand") {
			t.Errorf("record %+v", r)
		}
		if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil).Text(t, "config-revision"); !strings.Contains(got, "by root,") {
			t.Errorf("the editor says %q", got)
		}
		page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config/versions", nil)
		rows := page.Doc(t).Find(`[data-testid="config-version"]`)
		if rows.Length() != 3 {
			t.Fatalf("%d versions:\n%s", rows.Length(), consoletest.Words(rows))
		}
		for i, want := range []string{"root", "root", "not saved here"} {
			if text := consoletest.Words(rows.Eq(i)); !strings.Contains(text, want) {
				t.Errorf("version %d: %q without %q", i, text, want)
			}
		}
		if text := consoletest.Words(rows.Eq(1)); !strings.Contains(text, "INC-4821") || !strings.Contains(text, "0 0 3 * * ?") {
			t.Errorf("the second reads %q", text)
		}
		guest := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/j/config/versions", nil)
		consoletest.WantStatus(t, guest, 200)
		if n := guest.Doc(t).Find(`[data-testid="restore"]`).Length(); n > 0 {
			t.Error("a guest may go back")
		}
		back := b.As(t, auth.RoleRoot, http.MethodGet, rows.Eq(2).Find(`[data-testid="restore"]`).AttrOr("href", ""), nil)
		consoletest.WantStatus(t, back, 200)
		if back.Text(t, "version-restored") == "" || back.Text(t, "config-changes") != "2 changes" {
			t.Errorf("the editor says %q, %q", back.Text(t, "version-restored"), back.Text(t, "config-changes"))
		}
		form = consoletest.Fields(t, back, "config-form")
		form.Set("go", "review")
		consoletest.WantStatus(t, save(t, b, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/j/config/preview", form)), http.StatusSeeOther)
		if got := b.Node(t, "j/config"); got != first {
			t.Errorf("stored %q, want %q", got, first)
		}
	})
}

// TestCreateAJob: the same form and the same review; a job without an instance is
// shown as one. A duplicate begins with what the other job says.
func TestCreateAJob(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("j", consoletest.Stored3x), func(t *testing.T, b consoletest.TreeBench) {
		editor := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/j/config", nil)
		blank := b.As(t, auth.RoleRoot, http.MethodGet, editor.Doc(t).Find(`[data-testid="duplicate"]`).AttrOr("href", ""), nil)
		consoletest.WantStatus(t, blank, 200)
		form := consoletest.Fields(t, blank, "config-form")
		if form.Get("cron") != "0/5 * * * * ?" || form.Get("jobName") != "" {
			t.Errorf("the form has %q, %q", form.Get("cron"), form.Get("jobName"))
		}
		form.Set("go", "review")
		nameless := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new/preview", form)
		consoletest.WantStatus(t, nameless, http.StatusUnprocessableEntity)
		if nameless.Text(t, "error-jobName") == "" {
			t.Error("nobody says that the name is missing")
		}
		form.Set("jobName", "k")
		form.Set("class", "com.example.K")
		review := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new/preview", form)
		consoletest.WantStatus(t, review, 200)
		if text := review.Text(t, "effects"); !strings.Contains(text, "Down") {
			t.Errorf("effects: %q", text)
		}
		create := consoletest.Fields(t, review, "config-save-form")
		done := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new", create)
		consoletest.WantStatus(t, done, http.StatusSeeOther)
		if got := b.Node(t, "k/config"); !strings.Contains(got, "jobName: k") || b.Node(t, "k") != "com.example.K" {
			t.Errorf("stored %q as %q", got, b.Node(t, "k"))
		}
		page := b.As(t, auth.RoleRoot, http.MethodGet, done.Header.Get("Location"), nil)
		consoletest.WantStatus(t, page, 200)
		if state := page.Text(t, "status"); state != "Down" {
			t.Errorf("the new job is %q", state)
		}
		// The button once more has the same answer.
		twice := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new", create)
		consoletest.WantStatus(t, twice, http.StatusSeeOther)
		if got, want := twice.Header.Get("Location"), done.Header.Get("Location"); got != want {
			t.Errorf("sent twice it leads to %q, not to %q", got, want)
		}
		// Another form creates no other, and what was typed is still there.
		create.Set("form", ui.NewFormID())
		again := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new", create)
		consoletest.WantStatus(t, again, http.StatusConflict)
		if got := consoletest.Fields(t, again, "config-form").Get("jobName"); got != "k" {
			t.Errorf("the form has the name %q", got)
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/new", nil), http.StatusForbidden)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/config?class=com.example.L", `{"jobName":"l","shardingTotalCount":2}`), http.StatusCreated)
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/config", `{"jobName":"l","shardingTotalCount":2}`), http.StatusConflict)
	})
}
