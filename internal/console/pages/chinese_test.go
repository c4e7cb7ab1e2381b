package pages

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// english finds what was left untranslated: a capitalized word or two words alone,
// or three of them in a row within Chinese.
var (
	english      = regexp.MustCompile(`^[A-Z][a-z]+…?$|^[A-Za-z]{2,}[,;:]? [a-z]{2,}`)
	englishAmong = regexp.MustCompile(`[A-Za-z]{2,}( [a-z]{2,}){2,}`)
	han          = regexp.MustCompile(`\p{Han}`)
	// asItIs is not translated: names, what jobs say of themselves, and what a parser, a network or the tree says.
	asItIs = regexp.MustCompile(`^(ElasticJob( for Go .*)?|ZooKeeper|English|Digest|Cron|line 4: mapping values are.*|Send the invoices .*|Settle all .*|Digest for .*|Runs on demand|Month|(无法读取 legacy-import 的配置：decode configuration|配置无法读取|配置无法使用)(: |：).*|/sharding/7/instance .*|dial tcp .*|.*：/(config|sharding/7/instance) .*)$`)
)

// TestPagesInChinese: what the templates and the handlers of a page say is Chinese,
// on every page that there is, for operators and for guests. What stands in code, and
// what the jobs themselves say, is as it is.
func TestPagesInChinese(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, role := range []auth.Role{auth.RoleRoot, auth.RoleGuest, ""} {
		paths := pagesOf(t, b, role)
		if role == auth.RoleRoot {
			for _, job := range []string{"settlement.daily", "legacy-import", "mail-digest", "warehouse-sync"} {
				for _, tab := range []string{"", "/shards", "/activity", "/explain", "/config", "/shutdown", "/remove"} {
					paths = append(paths, "/jobs/"+job+tab)
				}
			}
			paths = append(paths, "/jobs?state=late", "/jobs?q=nothing-like-it", "/jobs/bulk?do=trigger&job=invoices&job=warehouse-sync&job=no-such-job", "/jobs/bulk?do=juggle&job=invoices",
				"/jobs/no-such-job/explain", "/jobs/%25zz", "/servers/10.9.9.9", "/registries/nope/edit", "/sources/nope/edit", "/jobs/bulk/nope", "/jobs/invoices/runs/nope", "/login/oidc")
			paths = append(paths, misunderstood...)
		}
		for _, path := range paths {
			wantChinese(t, path+" as "+string(role), b.As(t, role, http.MethodGet, path, nil, consoletest.InChinese))
		}
	}
}

// misunderstood are addresses of which each page says what it ignores, or refuses.
var misunderstood = []string{
	"/jobs?q=state:purple+last:never+ran:soon+colour:red+stat:x+label:&status=x&state=x&order=up&page=0&pageSize=x&sort=x&select=x",
	"/runs?q=state:purple+trigger:luck+took:long+ran:soon+purple:x+server:&match=like&took=x&state=x&from=x&limit=0&trigger=luck&started=x&level=x&last=x",
	"/runs?level=status&took=1s&state=x", "/executions?sort=x&order=x&item=x&isSuccess=maybe&from=2026-01-02&to=2026-01-01",
	"/servers/10.2.0.14?at=x&span=x&page=0", "/audit?outcome=x&limit=0&to=x", "/jobs/invoices/shards?page=0&order=x&owner=x",
	"/jobs/bulk?do=disable&all=2", "/jobs/bulk?do=disable&all=1&state=purple", "/runs/export?format=xml&state=x",
}

// TestPastRefusalsInChinese: what an action on several jobs was refused for is said in
// the language of who looks at it later, whoever gave it. What was stored before reasons
// had languages is shown as it is.
func TestPastRefusalsInChinese(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	once := ui.NewFormID()
	b.As(t, auth.RoleRoot, http.MethodPost, pageui.BulkRoute, url.Values{"do": {"disable"}, "job": {"invoices", "a/b"}, "reason": {"r"}, "once": {once}})
	past := b.As(t, auth.RoleGuest, http.MethodGet, pageui.ChangePath(once), nil)
	consoletest.WantStatus(t, past, http.StatusForbidden)
	past = b.As(t, auth.RoleRoot, http.MethodGet, pageui.ChangePath(once), nil, consoletest.InChinese)
	wantChinese(t, "a past refusal", past)
	if !strings.Contains(past.Body, `不存在`) {
		t.Errorf("%s", consoletest.Fold(past.Doc(t).Find("main").Text()))
	}
	if past = b.As(t, auth.RoleRoot, http.MethodGet, pageui.ChangePath(once), nil); !strings.Contains(past.Text(t, "bulk-rows"), `There is no job "a/b".`) {
		t.Errorf("in English: %q", past.Text(t, "bulk-rows"))
	}
	if file := b.As(t, auth.RoleRoot, http.MethodGet, pageui.ChangePath(once)+"/result?format=json", nil, consoletest.InChinese); !strings.Contains(file.Body, "There is no job") || han.MatchString(file.Body) {
		t.Errorf("the file says %s", file.Body)
	}
	if err := b.Settings.FinishChange(t.Context(), once, []settings.ChangeResult{{Job: "nope", Code: "not_found", Message: "There was none."}}); err != nil {
		t.Fatal(err)
	}
	if past = b.As(t, auth.RoleRoot, http.MethodGet, pageui.ChangePath(once), nil, consoletest.InChinese); !strings.Contains(past.Text(t, "bulk-rows"), "There was none.") {
		t.Errorf("a row of before: %q", past.Text(t, "bulk-rows"))
	}
}

// wantChinese fails at each English text of a page.
func wantChinese(t *testing.T, what string, r consoletest.Reply) {
	t.Helper()
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") || r.StatusCode/100 == 3 {
		return
	}
	doc := r.Doc(t)
	if lang := doc.Find("html").AttrOr("lang", ""); lang != "zh-CN" {
		t.Errorf("%s: lang %q", what, lang)
	}
	doc.Find(`body [lang="en"]`).Remove() // the reference, which is in English
	for _, words := range spokenEnglish(doc) {
		t.Errorf("%s says %q", what, words)
	}
}

// TestRefusalsInChinese: what an action, a form or an address is refused for is said
// in Chinese, on the page that answers or on the one that it leads back to.
func TestRefusalsInChinese(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	refuse := func(kind error, hint string) {
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.ActionErr = &lifecycle.Error{Op: "trigger", Job: "invoices", Kind: kind, Hint: hint, Err: errors.New("the cause in English, with its values")}
		})
	}
	for _, c := range []struct {
		kind               error
		hint, path, answer string
		form               url.Values
	}{
		{lifecycle.ErrConflict, "enable the job or a server first", "/jobs/invoices/trigger", "触发", nil},
		{lifecycle.ErrNoInstances, "start a process that serves the job", "/jobs/invoices/trigger", "没有存活的实例", nil},
		{lifecycle.ErrNotFound, "check the name and the namespace", "/jobs/invoices/enable", "不存在", nil},
		{lifecycle.ErrForbidden, "the nodes belong to another digest; connect the registry with that one", "/jobs/invoices/enable", "Digest", nil},
		{lifecycle.ErrUnavailable, "check whether the action took effect before repeating it", "/jobs/invoices/enable", "是否已送达", nil},
		{lifecycle.ErrConflict, "shut the server down first", "/servers/10.2.0.15/remove", "移除", url.Values{"confirm": {"yes"}}},
		{lifecycle.ErrConflict, "enable the job or a server first", "/jobs/bulk", "请先启用作业或一台服务器", url.Values{"do": {"disable"}, "job": {"invoices", "mail-digest"}, "reason": {"r"}}},
		{nil, "", "/jobs/bulk", "未知的操作", url.Values{"do": {"juggle"}}},
		{nil, "", "/jobs/invoices/config", "表单", url.Values{"base": {"!"}}},
		{nil, "", "/registries", "字段", url.Values{"name": {"x/y"}, "servers": {"nowhere"}}},
		{nil, "", "/sources", "端口", url.Values{"name": {"x"}, "type": {"mysql"}, "port": {"many"}}},
		{nil, "", "/jobs/bulk/nope/undo", "操作", nil},
		{nil, "", "/jobs/invoices/stay-disabled", "定时", nil},
	} {
		b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ActionErr = nil })
		if c.kind != nil {
			refuse(c.kind, c.hint)
		}
		r := b.As(t, auth.RoleRoot, http.MethodPost, c.path, c.form, consoletest.InChinese)
		if flash := r.Cookie(app.FlashCookie); flash != nil {
			r = b.As(t, auth.RoleRoot, http.MethodGet, r.Header.Get("Location"), nil, consoletest.InChinese, func(r *http.Request) { r.AddCookie(flash) })
		}
		if !strings.Contains(r.Body, c.answer) {
			t.Errorf("%s, refused for %v: status %d, nothing of %q: %s", c.path, c.kind, r.StatusCode, c.answer, view.Clip(consoletest.Fold(r.Doc(t).Find("main").Text()), 300))
		}
		wantChinese(t, c.path+" refused", r)
	}
}

// TestEveryWantIsSaidInChinese: what a field must be is said in Chinese, whoever
// checks it.
func TestEveryWantIsSaidInChinese(t *testing.T) {
	t.Parallel()
	var fields []app.FieldBody
	for _, change := range []func(*jobconfig.Config){
		func(c *jobconfig.Config) { c.Name, c.Shards, c.MaxTimeDiffSeconds = "a/b", 0, -7 },
		func(c *jobconfig.Config) { c.ItemParameters, c.Cron = "0=a,nine", "every day" },
		func(c *jobconfig.Config) { c.ItemParameters, c.Cron = "0=a,9=b", "0 0 0 31 2 ?" },
		func(c *jobconfig.Config) { c.TimeZone, c.Description = "Mars", "two\nlines" },
		func(c *jobconfig.Config) { c.Description, c.ListenerTypes = "\xff", []string{""} },
		func(c *jobconfig.Config) { c.Props = map[string]string{"": "x", quartz.ClockChangeProp: "never"} },
		func(c *jobconfig.Config) { c.Props = wrongProps },
		func(c *jobconfig.Config) { c.Props = map[string]string{quartz.ZoneProp: "Mars"} },
		func(c *jobconfig.Config) {
			c.TimeZone, c.Props = "GMT+8", map[string]string{quartz.ZoneProp: "Asia/Shanghai"}
		},
		func(c *jobconfig.Config) {
			c.Props = map[string]string{quartz.FromProp: "2026-01-01T00:00:00Z", quartz.UntilProp: "2026-01-01T00:00:00Z", runs.PropAssign: "one"}
		},
		func(c *jobconfig.Config) {
			c.Props = map[string]string{quartz.FromProp: "soon", runs.PropAssign: "all"}
		},
		func(c *jobconfig.Config) {
			c.Props = map[string]string{quartz.ExcludeProp: "MON TUE WED THU FRI SAT SUN"}
		},
		func(c *jobconfig.Config) { c.Props = map[string]string{quartz.ExcludeProp: strings.Repeat(" ", 5000)} },
		func(c *jobconfig.Config) { c.Props = map[string]string{quartz.JitterProp: "2h"} },
		func(c *jobconfig.Config) { c.Props = map[string]string{quartz.JitterProp: "59m"} },
		func(c *jobconfig.Config) { c.Props = map[string]string{quartz.UntilProp: "1970-01-01T00:00:00Z"} },
		func(c *jobconfig.Config) { c.Cron, c.Props = "", map[string]string{runs.PropAssign: "one"} },
	} {
		c := jobconfig.Config{Name: "invoices", Cron: "0 * * * * ?", Shards: 2}
		change(&c)
		fields = append(fields, app.FieldBodies(lifecycle.FieldErrors(lifecycle.ValidateConfig(&c)))...)
	}
	for _, f := range []store.Fields{
		{Type: "oracle"}, {Type: "sqlite", Host: "h", Database: "../x"},
		{Type: "mysql", Host: "a b", Port: 70000, Database: "", User: "", Options: map[string]string{"nope": "1"}},
	} {
		for _, p := range f.Problems() {
			fields = append(fields, app.FieldBody{Field: p.Field, Want: p.Want})
		}
	}
	for _, name := range []string{"", strings.Repeat("x", 200), "a/b"} {
		fields = append(fields, app.FieldBody{Field: "name", Want: app.WrongName(name)})
	}
	if len(fields) < 20 {
		t.Errorf("only %d fields refused", len(fields))
	}
	for _, f := range fields {
		if said := app.WantIn(i18n.Chinese, f.Want); !han.MatchString(said) && f.Field != "props."+quartz.ClockChangeProp {
			t.Errorf("%s: %q has no Chinese; console.wants needs it", f.Field, said)
		}
		if said := app.WantIn(i18n.English, f.Want); said != f.Want {
			t.Errorf("%s: %q is %q in English", f.Field, f.Want, said)
		}
	}
}

// wrongProps are properties each of which is refused.
var wrongProps = map[string]string{
	quartz.ExcludeProp: "someday", runs.PropOverlap: "never", runs.PropLost: "perhaps", runs.PropExpiry: "0", runs.PropBackoff: "25h", runs.PropMost: "-1s",
	runs.PropTimeout: "soon", runs.PropKeep: "1001", runs.PropRetries: "-1", runs.PropPause: "x", runs.PropLog: "never",
}

// TestEveryAdviceIsSaidInChinese: each hint of the package lifecycle is said in
// either language, and its English stays what lifecycle says.
func TestEveryAdviceIsSaidInChinese(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../lifecycle/*.go")
	if err != nil {
		t.Fatal(err)
	}
	hint := regexp.MustCompile(`\.fail\(\w+, "([^"]+)"|Hint = "([^"]+)"`)
	known := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range hint.FindAllStringSubmatch(string(text), -1) {
			known++
			err := &lifecycle.Error{Kind: lifecycle.ErrConflict, Hint: m[1] + m[2]}
			p := (&app.Console{}).ActionProblem(nil, app.Disable, app.Target{Job: "invoices", IP: "10.2.0.15"}, err)
			if said, _ := p.In(i18n.Chinese); english.MatchString(said) || englishAmong.MatchString(said) {
				t.Errorf("%s: %q is %q in Chinese; console.advices needs it", file, m[1]+m[2], said)
			}
			if _, said := p.In(i18n.English); !strings.EqualFold(said, m[1]+m[2]+".") {
				t.Errorf("%s: %q is %q in English", file, m[1]+m[2], said)
			}
		}
	}
	if known < 25 {
		t.Errorf("only %d hints found", known)
	}
}

// spokenEnglish are the texts of a page that are not Chinese.
func spokenEnglish(doc *goquery.Document) []string {
	doc.Find("script, style, .mono, code, pre, kbd").Remove()
	var found []string
	check := func(text string) {
		text = consoletest.Fold(text)
		if asItIs.MatchString(text) {
			return
		}
		if !han.MatchString(text) && english.MatchString(text) || englishAmong.MatchString(text) {
			found = append(found, text)
		}
	}
	for _, node := range doc.Find("body *").EachIter() {
		for _, name := range []string{"aria-label", "placeholder", "data-label"} {
			check(node.AttrOr(name, ""))
		}
		if node.Children().Length() == 0 {
			check(node.Text())
		}
	}
	return found
}

// TestEveryFindingIsSaidInChinese: each code that statistics knows has words, and
// its English stays what statistics says.
func TestEveryFindingIsSaidInChinese(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "../../../statistics/explain.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Code") {
			return true
		}
		lit, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		code := statistics.Code(strings.Trim(lit.Value, `"`))
		codes++
		f := statistics.Finding{
			Code: code, Sentence: "The configuration cannot be read: line 3.", Advice: "Do it.", Items: []int{0, 1}, Instance: "10.0.0.1@-@7", Server: "10.0.0.1", Field: "cron", Value: "x",
		}
		if sentence, advice := health.Words(i18n.English, f); sentence != f.Sentence || advice != f.Advice {
			t.Errorf("%s in English: %q, %q", code, sentence, advice)
		}
		if sentence, _ := health.Words(i18n.Chinese, f); !han.MatchString(sentence) || strings.Contains(sentence, "configuration") {
			t.Errorf("%s in Chinese: %q", code, sentence)
		}
		f.More = 3
		if sentence, _ := health.Words(i18n.Chinese, f); sentence != "另有 3 个同类发现。" {
			t.Errorf("%s, summed up, in Chinese: %q", code, sentence)
		}
		return true
	})
	if codes < 30 {
		t.Errorf("only %d codes found", codes)
	}
}
