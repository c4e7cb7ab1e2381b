//go:build !race

package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// sameEverywhere are words that are the same in every language.
var sameEverywhere = regexp.MustCompile(`\b(ElasticJob|for Go|UTC|ZooKeeper|TLS|ACL|PEM|JSON|YAML)\b|&[a-z]+;`)

// TestPagesAreTranslated: a component has no words of its own; its words are messages of
// internal/i18n.
func TestPagesAreTranslated(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, s := range sources(t) {
		name, component := strings.CutSuffix(s.path, "_templ.go")
		if !component {
			continue
		}
		seen++
		if words := literals(t, s.file); len(words) > 0 {
			t.Errorf("%s.templ has words of its own, write them in internal/i18n: %q", name, words)
		}
	}
	if seen < 10 {
		t.Errorf("only %d components found: the test looks at the wrong folder", seen)
	}
}

// literals are the words that a generated component has of its own: in its HTML,
// in attributes that are read out or shown, and in strings between braces.
func literals(t *testing.T, file *ast.File) []string {
	t.Helper()
	var page strings.Builder
	var words []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		literal := func(i int) string {
			if i >= len(call.Args) {
				return ""
			}
			lit, ok := call.Args[i].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return ""
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		switch {
		case selects(call.Fun, "templruntime", "WriteString"):
			page.WriteString(literal(2))
		case selects(call.Fun, "templ", "JoinStringErrs") && speaks(literal(0)):
			words = append(words, literal(0))
		}
		return true
	})
	return append(words, spoken(page.String())...)
}

// spoken are the words of a page that a reader sees or hears.
func spoken(page string) []string {
	var words []string
	for tokens := html.NewTokenizer(strings.NewReader(page)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return words
		case html.TextToken:
			if text := strings.TrimSpace(string(tokens.Text())); speaks(text) {
				words = append(words, text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range tokens.Token().Attr {
				switch a.Key {
				case "title", "aria-label", "placeholder", "alt", "data-label":
					if speaks(a.Val) {
						words = append(words, a.Val)
					}
				}
			}
		}
	}
}

var letters = regexp.MustCompile(`\p{L}{2,}`)

func speaks(text string) bool { return letters.MatchString(sameEverywhere.ReplaceAllString(text, "")) }
