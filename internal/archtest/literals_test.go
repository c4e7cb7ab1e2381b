package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const templates = "web/templates"

// untranslated are the components whose words still stand in them and not in the
// catalogues of internal/i18n. The list only gets shorter.
var untranslated = []string{}

// sameEverywhere are words that are the same in every language.
var sameEverywhere = regexp.MustCompile(`\b(ElasticJob|for Go|UTC|ZooKeeper|TLS|ACL|PEM|JSON|YAML)\b|&[a-z]+;`)

// TestPagesAreTranslated: a component has no words of its own; they are messages
// of internal/i18n. A component that is translated leaves the list.
func TestPagesAreTranslated(t *testing.T) {
	t.Parallel()
	waiting := map[string]bool{}
	for _, name := range untranslated {
		waiting[name] = true
	}
	seen := 0
	err := filepath.WalkDir(filepath.Join(root, templates), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_templ.go") {
			return err
		}
		rel, err := filepath.Rel(filepath.Join(root, templates), path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.ToSlash(rel), "_templ.go") + ".templ"
		words := literals(t, path)
		seen++
		switch {
		case waiting[name] && len(words) == 0:
			t.Errorf("%s/%s is translated: take it off the list untranslated", templates, name)
		case !waiting[name] && len(words) > 0:
			t.Errorf("%s/%s has words of its own, write them in internal/i18n: %q", templates, name, words)
		}
		delete(waiting, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Errorf("only %d components found: the test looks at the wrong folder", seen)
	}
	for name := range waiting {
		t.Errorf("%s no longer exists: take it off the list untranslated", name)
	}
}

// literals are the words that a generated component has of its own: in its HTML,
// in attributes that are read out or shown, and in strings between braces.
func literals(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
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
