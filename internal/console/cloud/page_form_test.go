package cloud

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
)

// typedIn are the values of the form on a page, as a browser would send them.
func typedIn(t *testing.T, page consoletest.Reply, change ...string) url.Values {
	t.Helper()
	values := url.Values{}
	page.Doc(t).Find(`[data-testid="doc-form"] input, [data-testid="doc-form"] textarea, [data-testid="doc-form"] select`).Each(func(_ int, s *goquery.Selection) {
		name, _ := s.Attr("name")
		value, _ := s.Attr("value")
		_, checked := s.Attr("checked")
		switch {
		case s.Is("textarea"):
			value = strings.TrimPrefix(s.Text(), "\n")
		case s.Is("select"):
			value, _ = s.Find("option[selected]").Attr("value")
		case s.Is(`[type="checkbox"]`) && !checked:
			return
		}
		values.Set(name, value)
	})
	for i := 0; i < len(change); i += 2 {
		values.Set(change[i], change[i+1])
	}
	return values
}

// jobNamed is a job of the store; nil if there is none.
func jobNamed(b *consoletest.Bench, name string) *cloud.Job {
	jobs := b.Cloud.Jobs()
	if i := slices.IndexFunc(jobs, func(d cloud.Definition) bool { return d.Job.Name == name }); i >= 0 {
		return &jobs[i].Job
	}
	return nil
}

// TestCloudJobIsMadeOnAPage: what is wrong stands beside its field, and what will be made is
// asked before it is saved.
func TestCloudJobIsMadeOnAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, addJobRoute, nil), http.StatusForbidden)
	form := b.As(t, auth.RoleRoot, http.MethodGet, addJobRoute, nil)
	consoletest.WantStatus(t, form, http.StatusOK)

	wrong := b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, form, "jobName", "", "shardingTotalCount", "many", "cpuCount", "-1", "cron", "soon", "props", "nonsense"))
	consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
	for _, field := range []string{"shardingTotalCount", "props"} { // The others once these can be read.
		if wrong.Text(t, "f-"+field+"-error") == "" {
			t.Errorf("%s is wrong and nothing says so", field)
		}
	}
	wrong = b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, wrong, "shardingTotalCount", "0", "props", "cloud.timeout=never"))
	consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
	for field, want := range map[string]string{"jobName": "1 to 100 characters", "shardingTotalCount": "from 1 to", "cpuCount": "a number from", "cron": "Quartz", "props": "cloud.timeout: a duration"} {
		if said := wrong.Text(t, "f-"+field+"-error"); !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", field, said, want)
		}
	}

	typed := typedIn(t, wrong, "jobName", "reports", "shardingTotalCount", "2", "cpuCount", "0.5", "cron", "0 0 3 * * ?", "props", "cloud.timeout=10m\nregion=eu = west", "misfire", "")
	review := b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typed)
	consoletest.WantStatus(t, review, http.StatusOK)
	if changes := review.Text(t, "form-changes"); !strings.Contains(changes, "reports") || !strings.Contains(changes, "cloud.timeout=10m") || strings.Contains(changes, "misfire") {
		t.Errorf("the changes are %q", changes)
	}
	if jobNamed(b, "reports") != nil {
		t.Fatal("it is saved before anybody was asked")
	}
	again := b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, review, "again", "yes"))
	if back := typedIn(t, again); again.StatusCode != http.StatusOK || back.Get("jobName") != "reports" || back.Get("misfire") != "" || back.Get("confirm") != "" {
		t.Errorf("back to the form it says %v", back)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, review)), http.StatusSeeOther)
	made := jobNamed(b, "reports")
	if made == nil || made.Shards != 2 || made.CPU != 0.5 || made.Misfire || made.AppName != "billing" || !maps.Equal(made.Props, map[string]string{"cloud.timeout": "10m", "region": "eu = west"}) {
		t.Fatalf("made is %+v", made)
	}
	review = b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, b.As(t, auth.RoleRoot, http.MethodGet, addJobRoute, nil), "jobName", "reports"))
	if twice := b.As(t, auth.RoleRoot, http.MethodPost, addJobRoute, typedIn(t, review)); twice.StatusCode != http.StatusUnprocessableEntity || twice.Text(t, "form-problem") == "" {
		t.Errorf("a name that is in use: status %d, %q", twice.StatusCode, twice.Text(t, "form-problem"))
	}
}

// TestCloudJobIsChangedOnAPage: nothing is saved over somebody else's change.
func TestCloudJobIsChangedOnAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	reports := cloud.NewJob("reports", "billing", 2)
	reports.Cron = "0 0 3 * * ?"
	if _, err := b.Cloud.Store.Create(t.Context(), reports); err != nil {
		t.Fatal(err)
	}
	const edit = "/cloud/jobs/reports/edit"
	form := b.As(t, auth.RoleRoot, http.MethodGet, edit, nil)
	if same := b.As(t, auth.RoleRoot, http.MethodPost, edit, typedIn(t, form)); same.Text(t, "form-problem") == "" {
		t.Error("nothing has changed, and nothing says so")
	}
	review := b.As(t, auth.RoleRoot, http.MethodPost, edit, typedIn(t, form, "jobName", "other", "cron", ""))
	if _, err := b.Cloud.Store.Change(t.Context(), "reports", func(d *cloud.Definition) error { d.Job.Parameter = "by somebody"; return nil }); err != nil {
		t.Fatal(err)
	}
	late := b.As(t, auth.RoleRoot, http.MethodPost, edit, typedIn(t, review))
	if late.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(late.Text(t, "form-problem"), "Somebody else") || jobNamed(b, "reports").Cron == "" {
		t.Errorf("over somebody's change: status %d, %q, %+v", late.StatusCode, late.Text(t, "form-problem"), jobNamed(b, "reports"))
	}
	review = b.As(t, auth.RoleRoot, http.MethodPost, edit, typedIn(t, late))
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, edit, typedIn(t, review, "jobParameter", "by somebody")), http.StatusSeeOther)
	if j := jobNamed(b, "reports"); j == nil || j.Cron != "" || j.Parameter != "by somebody" || j.MaxTimeDiff != -1 {
		t.Errorf("changed is %+v", j)
	}
}

// TestCloudAppIsMadeOnAPage: before it is saved, the page says what will be started.
func TestCloudAppIsMadeOnAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	form := b.As(t, auth.RoleRoot, http.MethodGet, addAppRoute, nil)
	consoletest.WantStatus(t, form, http.StatusOK)
	odd := `{"A":"two\nlines"}`
	review := b.As(t, auth.RoleRoot, http.MethodPost, addAppRoute, typedIn(t, form, "appName", "shop", "image", "registry.example/shop:1", "command", "settle\n--fast", "env", odd))
	consoletest.WantStatus(t, review, http.StatusOK)
	if said := review.Text(t, "form-effects"); !strings.Contains(said, "registry.example/shop:1") || !strings.Contains(said, "settle --fast") {
		t.Errorf("the page says %q", said)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, addAppRoute, typedIn(t, review)), http.StatusSeeOther)
	app, err := b.Cloud.Store.ChangeApp(t.Context(), "shop", unchanged)
	if err != nil || !slices.Equal(app.Command, []string{"settle", "--fast"}) || app.Env["A"] != "two\nlines" || !app.CacheEnable {
		t.Errorf("%+v, %v", app, err)
	}
	form = b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/apps/shop/edit", nil)
	if typed := typedIn(t, form); !strings.Contains(typed.Get("env"), `two\nlines`) || typed.Get("command") != "settle\n--fast" {
		t.Errorf("the form says %v", typed)
	}
	wrong := b.As(t, auth.RoleRoot, http.MethodPost, "/cloud/apps/shop/edit", typedIn(t, form, "env", "ELASTICJOB_ITEM=1", "image", "two words", "terminationGracePeriodSeconds", "x"))
	consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
	wrong = b.As(t, auth.RoleRoot, http.MethodPost, "/cloud/apps/shop/edit", typedIn(t, wrong, "terminationGracePeriodSeconds", "5"))
	for _, field := range []string{"env", "image"} {
		if wrong.Text(t, "f-"+field+"-error") == "" {
			t.Errorf("%s is wrong and nothing says so: %s", field, consoletest.Fold(wrong.Doc(t).Find("main").Text()))
		}
	}
}

// TestCloudShardIsKilledOnAPage, and what did not succeed is offered to be run again.
func TestCloudShardIsKilledOnAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	shard := cloudui.ShardPath(consoletest.SampleRun, 1)
	if n := b.As(t, auth.RoleGuest, http.MethodGet, shard, nil).Doc(t).Find(`[data-testid="kill-shard"]`).Length(); n > 0 {
		t.Error("a guest is offered to kill a shard")
	}
	kill, _ := b.As(t, auth.RoleRoot, http.MethodGet, shard, nil).Doc(t).Find(`[data-testid="kill-shard"]`).Attr("href")
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, kill, nil), http.StatusOK)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, kill, url.Values{}), http.StatusUnprocessableEntity)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, kill, confirmedForm()), http.StatusSeeOther)
	if page := b.As(t, auth.RoleRoot, http.MethodGet, shard, nil); page.Text(t, "shard-state") != "Killed" || page.Doc(t).Find(`[data-testid="kill-shard"]`).Length() > 0 {
		t.Errorf("the shard is %q", page.Text(t, "shard-state"))
	}
	b.Cloud.Engine.Finish(consoletest.SampleRun, 0, tracing.StateFinished, "")
	b.Cloud.Engine.Finish(consoletest.SampleRun, 2, tracing.StateFinished, "")
	again, _ := b.As(t, auth.RoleRoot, http.MethodGet, cloudui.Path("runs", consoletest.SampleRun), nil).Doc(t).Find(`[data-testid="rerun-run"]`).Attr("href")
	form := b.As(t, auth.RoleRoot, http.MethodGet, again, nil)
	consoletest.WantStatus(t, form, http.StatusOK)
	if value, _ := form.Doc(t).Find(`[name="shards"]`).Attr("value"); value != "1" {
		t.Errorf("%s asks for shards %q", again, value)
	}
}

// TestCL31SaysThatNobodyIsNotified: the page of a job says why nobody is notified of its failed
// runs, in both languages, and so does its form before it is saved.
func TestCL31SaysThatNobodyIsNotified(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs/invoices", nil)
	if page.Doc(t).Find(`[data-testid="cloud-warning"]`).Length() != 0 {
		t.Error("a job that asks for nobody is warned of")
	}
	form := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/invoices/edit", nil)
	values := typedIn(t, form, "jobErrorHandlerType", "EMAIL")
	review := b.As(t, auth.RoleRoot, http.MethodPost, "/cloud/jobs/invoices/edit", values)
	if !strings.Contains(review.Body, "this console sends no notifications") {
		t.Errorf("before it is saved: %d %s", review.StatusCode, consoletest.Fold(review.Doc(t).Find("main").Text()))
	}
	if _, err := b.Cloud.Store.Change(t.Context(), "invoices", func(d *cloud.Definition) error {
		d.Job.ErrorHandlerType = "EMAIL"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	english, chinese := b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs/invoices", nil), b.As(t, auth.RoleGuest, http.MethodGet, "/cloud/jobs/invoices", nil, consoletest.InChinese)
	if !strings.Contains(english.Text(t, "cloud-warning"), "EMAIL needs --cloud-notify-hosts") || !strings.Contains(chinese.Text(t, "cloud-warning"), "本控制台不发送通知") {
		t.Errorf("the page says %q and %q", english.Text(t, "cloud-warning"), chinese.Text(t, "cloud-warning"))
	}
}

// TestW39PagesNameUnusedFields: the pages of a job and of an application name the fields without an
// effect, in both languages, and the form of a script job shows its command line.
func TestW39PagesNameUnusedFields(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	if _, err := b.Cloud.Store.Change(t.Context(), "invoices", func(d *cloud.Definition) error {
		d.Job.Compat = map[string]string{"jobClass": "org.example.Bill", "jobType": "SCRIPT", "scriptCommandLine": "bill.sh --all"}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Cloud.Store.ChangeApp(t.Context(), "billing", func(a *cloud.App) error { a.URL = "file:///srv/x"; return nil }); err != nil {
		t.Fatal(err)
	}
	for path, field := range map[string]string{"/cloud/jobs/invoices": "jobClass", "/cloud/apps/billing": "appURL"} {
		english, chinese := b.As(t, auth.RoleGuest, http.MethodGet, path, nil), b.As(t, auth.RoleGuest, http.MethodGet, path, nil, consoletest.InChinese)
		if got, zh := english.Text(t, "cloud-warning"), chinese.Text(t, "cloud-warning"); !strings.Contains(got, "without effect here: "+field+".") || !strings.Contains(zh, "不起作用："+field) {
			t.Errorf("%s: %q, %q", path, got, zh)
		}
	}
	form := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/jobs/invoices/edit", nil)
	review := b.As(t, auth.RoleRoot, http.MethodPost, "/cloud/jobs/invoices/edit", typedIn(t, form, "description", "x"))
	if got := consoletest.Fold(review.Doc(t).Find("main").Text()); !strings.Contains(got, "Each shard starts this program: bill.sh --all") || !strings.Contains(got, "jobClass") {
		t.Errorf("the form says %s", got)
	}
}
