package pages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// inChinese asks for a page as a browser does that prefers Chinese.
func inChinese(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN,zh;q=0.9") }

// english finds what was left untranslated: a capitalized word or two words alone,
// or three of them in a row within Chinese.
var (
	english      = regexp.MustCompile(`^[A-Z][a-z]+…?$|^[A-Za-z]{2,}[,;:]? [a-z]{2,}`)
	englishAmong = regexp.MustCompile(`[A-Za-z]{2,}( [a-z]{2,}){2,}`)
	han          = regexp.MustCompile(`\p{Han}`)
	// asItIs is not translated: names, what jobs say of themselves, and what a parser, a network or the tree says.
	asItIs = regexp.MustCompile(`^(ElasticJob( for Go .*)?|ZooKeeper|English|Digest|Cron|line 4: mapping values are.*|Send the invoices .*|Settle all .*|Digest for .*|/sharding/7/instance .*|dial tcp .*|.*：/(config|sharding/7/instance) .*)$`)
)

// TestPagesInChinese: what the templates and the handlers of a page say is Chinese.
// What stands in code, and what the jobs themselves say, is as it is.
func TestPagesInChinese(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{"/", "/jobs", "/jobs?state=late", "/jobs?q=nothing-like-it", "/jobs/invoices", "/jobs/settlement.daily", "/jobs/settlement.daily/shards", "/jobs/settlement.daily/activity", "/jobs/legacy-import", "/jobs/mail-digest", "/jobs/settlement.daily/shutdown", "/jobs/warehouse-sync/remove", "/jobs/invoices/remove", "/jobs/invoices/explain", "/jobs/settlement.daily/explain", "/jobs/warehouse-sync/explain", "/jobs/legacy-import/explain"} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, inChinese)
		consoletest.WantStatus(t, r, http.StatusOK)
		doc := r.Doc(t)
		if lang := doc.Find("html").AttrOr("lang", ""); lang != "zh-CN" {
			t.Errorf("%s: lang %q", path, lang)
		}
		for _, words := range spokenEnglish(doc) {
			t.Errorf("%s says %q", path, words)
		}
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
		if sentence, advice := findingIn(i18n.English, f); sentence != f.Sentence || advice != f.Advice {
			t.Errorf("%s in English: %q, %q", code, sentence, advice)
		}
		if code == statistics.CodeFailing || code == statistics.CodeLate { // health says them
			return true
		}
		if sentence, _ := findingIn(i18n.Chinese, f); !han.MatchString(sentence) || strings.Contains(sentence, "configuration") {
			t.Errorf("%s in Chinese: %q", code, sentence)
		}
		f.More = 3
		if sentence, _ := findingIn(i18n.Chinese, f); sentence != "另有 3 个同类发现。" {
			t.Errorf("%s, summed up, in Chinese: %q", code, sentence)
		}
		return true
	})
	if codes < 30 {
		t.Errorf("only %d codes found", codes)
	}
}
