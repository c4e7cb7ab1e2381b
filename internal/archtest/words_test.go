package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A wording is a row of the glossary: a word of our own that a stranger to
// this code would not understand, and the field's word for it.
type wording struct {
	goes  string // a regular expression; between words stands one space
	stays string
	fine  string // where the word means something else, or is a name on the wire
	names bool   // also in what Go code declares: "awaitDealt" is "await dealt"
}

var glossary = []wording{
	{goes: `items?`, stays: "shard",
		// Names: of fields, of API parameters, of constants; of flexbox. Java's messages.
		fine: `(align|justify|place)-items|[:/{&?]items?|item[=}]|\A\s*Items? (is|are)|references? to Items|(?-i:ITEMS?)|name="item"|{ \w+(\.\w+)*\.Item }|` +
			`Sharding item parameters ('|key)|Sharding item for job`},
	{goes: `(an|every|one) order|orders|(bulk|refused) order`, stays: "action, command, trigger", names: true,
		fine: `\b\w+ orders (\w+|\w+ \w+) (by|as|when)\b|in every order|it is an order\.|database has an order|order of events|in one order|that has one order|long an order|orders (effects|plans|rows|the)|comparison orders|[":]+orders"`},
	{goes: `centres?|registry centers?`, stays: "registry", names: true,
		fine: `/api/registry-center(/\w+)*`}, // An address of ElasticJob's console.
	{goes: `(job|user|handler)('s)? bod(y|ies)`, stays: "handler",
		fine: `job body`},
	{goes: `keepers?`, stays: "cache, record holder", names: true},
	{goes: `test ?beds?|bed`, stays: "fixture", names: true},
	{goes: `happenings?`, stays: "event", names: true},
	{goes: `ceremon(y|ies)`, stays: "handshake, protocol, barrier", names: true},
	{goes: `houses?|walls|rooms`, stays: "layout, packages, import rules", names: true},
	{goes: `go(es|ing)? round`, stays: "rotate", names: true},
	{goes: `mend(s|ed|ing)?`, stays: "fix, repair", names: true},
	{goes: `(give|gives|giving|gave|given|hand|hands|handing|handed) (over|up) (leadership|the lead|its lead)`, stays: "resign", names: true},
	{goes: `(give|gives|giving|gave|given) back|let(s|ting)? go`, stays: "release", names: true},
	{goes: `(give|gives|giving|gave|given|place|places|placing|placed) (an|the) order`, stays: "submit, issue a command", names: true},
	{goes: `(agents?|process(es)?|instances?|servers?|leaders?|nodes?|zookeeper|connections?|databases?|machines?|sessions?|one that|goes and) (that )?(come|comes|coming|came) back|come back`, stays: "rejoin, reconnect", names: true,
		fine: `(to|will|can) come back`}, // A person, to a page.
	{goes: `owed|owing|owes?`, stays: "missed, pending", names: true},
	{goes: `(take|takes|taking|took|taken) over`, stays: "fail over", names: true},
	{goes: `thaw(s|ed|ing)?`, stays: "resume", names: true},
	{goes: `foret(ell|ells|elling|old)`, stays: "predict, plan", names: true},
	{goes: `stir(s|red|ring)?`, stays: "change membership", names: true},
	{goes: `signs? of life`, stays: "heartbeat, ping", names: true},
	{goes: `in its own manner`, stays: "what it does", names: true},
	{goes: `deals?|dealt|dealing`, stays: "assign, reshard", names: true,
		fine: `deal(s|ing)? with|dealt with|(great|good) deal|code nothing dealt`}, // NOTHING_DEALT stands in the API.
	{goes: `told`, stays: "notified, reported, shown", names: true, fine: `told apart`},
	{goes: `(the|running|misfire|failover|disabled|stale|its|their|old|of|no|a) marks?|marks (of|are|were|and)`, stays: "marker", names: true,
		fine: `(question|exclamation|quotation) marks?|the marks? (of (a|\*|"\*")|in a line|go before|itself)|Its mark`},
	{goes: `gone`, stays: "offline (server), has left (instance), no longer exists (node)", names: true,
		fine: `(leader|owner|state) gone|/gone|gone@`}, // LEADER_GONE, ITEM_OWNER_GONE, TASK_GONE: codes.
}

// otherMeaning lists the files in which a word has a meaning of its own.
var otherMeaning = map[string][]string{
	"internal/demo/shop.go":                      {"item", "orders"}, // those of the bookshop
	"internal/demo/shop_test.go":                 {"item", "orders"},
	"internal/demo/jobs.go":                      {"orders"},
	"coreagent/job.go":                           {"deal"}, // a property's name
	"docs/tree.md":                               {"deal"},
	"docs/runs.md":                               {"deal", "items"},
	"examples/service/jobs.go":                   {"orders"},
	"internal/runparams/parse_test.go":           {"items"}, // a keyword of JSON Schema
	"internal/console/pages/params_form_test.go": {"items"},
	"internal/archtest/nodes_test.go":            {"item", "dealt"}, // names of nodes
	"examples/service/service_test.go":           {"orders"},
	"coreagent/example_test.go":                  {"orders"},
	"coreagent/example_names_test.go":            {"orders"},
	"coreagent/internal/engine/span.go":          {"item"}, // the name of a span, which is documented
	"coreagent/internal/scenario/span_test.go":   {"item"},
	"coreagent/internal/scenario/log_test.go":    {"orders"}, // a table
	"tracing/rdb/requested.go":                   {"item"},   // a column
	"internal/store/migrate_test.go":             {"item"},
	// A keyword of OpenAPI, and the columns that the specification names.
	"deploy/crds/elasticjobs.yaml":                    {"items", "owed"},
	"deploy/crds/elasticjobapps.yaml":                 {"items"},
	"deploy/helm/elasticjob/crds/elasticjobs.yaml":    {"items", "owed"}, // copies
	"deploy/helm/elasticjob/crds/elasticjobapps.yaml": {"items"},
	"internal/cloud/kubetest/resources_cases_test.go": {"items", "owed"},
}

// TestGlossary: one word per thing, the field's word, in comments, messages, pages,
// documents and names.
func TestGlossary(t *testing.T) {
	t.Parallel()
	type rule struct {
		wording
		goes, fine *regexp.Regexp
	}
	var rules []rule
	compile := func(words string) *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(` + strings.ReplaceAll(words, " ", `[\s-]+`) + `)\b`)
	}
	for _, w := range glossary {
		r := rule{wording: w, goes: compile(w.goes)}
		if w.fine != "" {
			r.fine = regexp.MustCompile(`(?i)` + strings.ReplaceAll(w.fine, " ", `[\s-]+`))
		}
		rules = append(rules, r)
	}
	var all []string
	for _, w := range glossary {
		all = append(all, w.goes)
	}
	any := compile(strings.Join(all, "|")) // Most texts have none of the words.
	pieces := 0
	for _, path := range texts(t) {
		for _, p := range prose(t, path) {
			pieces++
			if !any.MatchString(p.text) {
				continue
			}
			for _, r := range rules {
				if p.name && !r.names {
					continue
				}
				if slices.ContainsFunc(otherMeaning[path], r.goes.MatchString) {
					continue
				}
				text := p.text
				if r.fine != nil {
					text = r.fine.ReplaceAllStringFunc(text, blank)
				}
				for _, at := range r.goes.FindAllStringIndex(text, -1) {
					line, col := p.position(at[0])
					t.Errorf("%s:%d:%d: %q: say %s (%s)", path, line, col, text[at[0]:at[1]], r.stays, p.around(at))
				}
			}
		}
	}
	if pieces < 10000 {
		t.Errorf("only %d pieces of text found: the test looks at the wrong folder", pieces)
	}
}

// texts returns the files that hold text of ours, with their paths in the repository.
func texts(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor" || name == "node_modules" || name == "target") {
			return filepath.SkipDir
		}
		switch filepath.Ext(name) {
		case ".go", ".md", ".templ", ".js", ".css", ".yaml":
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			if !strings.HasSuffix(rel, "_templ.go") && rel != "internal/archtest/words_test.go" {
				paths = append(paths, rel)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// A piece is text that a person reads, or a declared name as words.
type piece struct {
	line, col int // where it begins, from 1
	text      string
	name      bool
}

// position returns line and column of an offset.
func (p piece) position(offset int) (line, col int) {
	before := p.text[:offset]
	if n := strings.Count(before, "\n"); n > 0 {
		return p.line + n, offset - strings.LastIndex(before, "\n")
	}
	return p.line, p.col + offset
}

// around is the line of the text in which a finding stands.
func (p piece) around(at []int) string {
	from := strings.LastIndex(p.text[:at[0]], "\n") + 1
	to := strings.Index(p.text[at[1]:], "\n")
	if to < 0 {
		return strings.TrimSpace(p.text[from:])
	}
	return strings.TrimSpace(p.text[from : at[1]+to])
}

// spaces keeps the length of a text, so that what follows it stays where it is.
func spaces(text string) string { return strings.Repeat(" ", len(text)) }

// blank keeps the length and the lines of a text and nothing else.
func blank(text string) string {
	kept := []byte(text)
	for i, b := range kept {
		if b != '\n' {
			kept[i] = '.'
		}
	}
	return string(kept)
}

var (
	fence    = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	codeSpan = regexp.MustCompile("`[^`]+`")
	target   = regexp.MustCompile(`\]\([^)]*\)`)
	slashes  = regexp.MustCompile(`(?m)^\s*//[ \t]?`)
)

func prose(t *testing.T, path string) []piece {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	switch filepath.Ext(path) {
	case ".go":
		return goProse(t, path, content)
	case ".md":
		for _, code := range []*regexp.Regexp{fence, codeSpan, target} {
			text = code.ReplaceAllStringFunc(text, blank)
		}
	}
	return []piece{{line: 1, col: 1, text: text}}
}

// goProse returns the comments, the strings that hold more than one word, and the
// names that a file declares.
func goProse(t *testing.T, path string, content []byte) []piece {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var pieces []piece
	add := func(at token.Pos, text string, name bool) {
		pos := fset.Position(at)
		pieces = append(pieces, piece{line: pos.Line, col: pos.Column, text: text, name: name})
	}
	for _, group := range file.Comments {
		from, to := fset.Position(group.Pos()).Offset, fset.Position(group.End()).Offset
		text := slashes.ReplaceAllStringFunc(string(content[from:to]), spaces)
		add(group.Pos(), codeSpan.ReplaceAllStringFunc(text, blank), false)
	}
	named := func(ids ...*ast.Ident) {
		for _, id := range ids {
			add(id.Pos(), words(id.Name), true)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			named(n.Names...)
			if n.Tag != nil { // Names on the wire, and the help of a flag.
				add(n.Tag.Pos(), reflect.StructTag(strings.Trim(n.Tag.Value, "`")).Get("help"), false)
				n.Tag = nil
			}
		case *ast.FuncDecl:
			named(n.Name)
		case *ast.TypeSpec:
			named(n.Name)
		case *ast.ValueSpec:
			named(n.Names...)
		case *ast.BasicLit:
			if n.Kind == token.STRING && strings.Contains(n.Value, " ") {
				add(n.Pos(), n.Value, false)
			}
		}
		return true
	})
	return pieces
}

// words splits a Go name into its words.
func words(name string) string {
	var out strings.Builder
	for i, r := range name {
		if i > 0 && (unicode.IsUpper(r) || r == '_') {
			out.WriteByte(' ')
		}
		if r != '_' {
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.ReplaceAll(out.String(), "zoo keeper", "zookeeper")
}
