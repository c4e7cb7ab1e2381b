//go:build !race

package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// nodeNames are the names of the nodes of a job's tree, but for numbers and ids.
var nodeNames = strings.Fields(`
	config servers instances leader election latch instance sharding necessary processing
	failover items failovering running misfire disabled trigger systemTime current
	guarantee started started-latch completed completed-latch next-job-instance-ip
	extension agents fired dealt`)

// maySpellNodes: who spells the tree besides internal/jobtree, and why.
var maySpellNodes = []struct {
	folder, why string
}{
	{"internal/jobtree", "spells it for all the others"},
	{"internal/archtest", "looks for it"},
	{"internal/zk/zktest", "holds the recipes to paths as Java's clients make them"},
	{"internal/console/consoletest", "plants trees, and repeats the sentences of statistics, for tests of pages"},
	{"internal/judge", "judges trees without trusting what it judges"},
}

// sameWordElsewhere: where a word is compared that is something else than a node.
// "file: word" has its meaning there.
var sameWordElsewhere = map[string]string{
	"internal/console/query/select.go: instances":    "what a list is sorted by",
	"internal/console/query/terms.go: running":       "how a run ended that a search asks for",
	"internal/console/api/address.go: config":        "the segment of a route",
	"internal/runparams/parse.go: items":             "a keyword of JSON Schema",
	"internal/console/query/runs_search.go: trigger": "a filter of a search, by why a run was started",
}

// TestNodesHaveOneSpeller: the paths of the job tree and the names of its nodes
// are written in internal/jobtree and nowhere else, so that writer and listener
// cannot drift apart.
func TestNodesHaveOneSpeller(t *testing.T) {
	t.Parallel()
	used := make(map[string]bool)
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		exempt := false
		for _, e := range maySpellNodes {
			if s.pkg.within(e.folder) {
				exempt = true
				used[e.folder] = true
			}
		}
		if exempt {
			continue
		}
		tree := s.pkg.within("coreagent", "lifecycle", "statistics", "registry", "internal/zk", "internal/demo")
		for _, found := range spelledNodes(s.file, tree) {
			key := s.path + ": " + found.value
			if _, other := sameWordElsewhere[key]; other {
				used[key] = true
				continue
			}
			t.Errorf("%s: %q is a node of the job tree, or looks like one; internal/jobtree spells those", s.at(found.node), found.value)
		}
	}
	for _, e := range maySpellNodes {
		if !used[e.folder] {
			t.Errorf("%s is exempt and does not exist", e.folder)
		}
	}
	for key, meaning := range sameWordElsewhere {
		if !used[key] {
			t.Errorf("%s (%s) is an exception that nothing needs", key, meaning)
		}
	}
}

// spelled is a literal that spells a node.
type spelled struct {
	node  ast.Node
	value string
}

var (
	// Pieces of a path that occur in no other context, also within a sentence.
	treePath = regexp.MustCompile(`leader/(election|sharding|failover)|sharding/(%d|[0-9]+)|(^|[^a-z])servers/%s|^/(failovering|misfire|necessary|processing|systemTime|guarantee|fired|dealt)(/|$)|^(failovering|misfire|necessary|processing|systemTime|guarantee)/`)
	// Words that are only suspicious where paths are built: the console has pages
	// and routes called so.
	besidePaths = regexp.MustCompile(`^/(` + strings.Join(nodeNames, "|") + `)\b|^(` + strings.Join(nodeNames, "|") + `)/`)
	// Names that mean nothing but a node, wherever they stand alone.
	onlyNodes = regexp.MustCompile(`^(failovering|necessary|systemTime|next-job-instance-ip|started-latch|completed-latch|TRIGGER)$`)
)

// spelledNodes finds the literals of a file that spell a path or a node's name: by
// their text, or because the name of a node is compared with something, cut off or
// appended. tree tells that the file belongs to those that work on the tree.
func spelledNodes(file *ast.File, tree bool) []spelled {
	names := make(map[string]bool)
	for _, name := range nodeNames {
		names[name] = true
	}
	var found []spelled
	seen := make(map[*ast.BasicLit]bool)
	note := func(lit *ast.BasicLit, value string) {
		if !seen[lit] {
			seen[lit] = true
			found = append(found, spelled{lit, value})
		}
	}
	// The name of a node, in a place where names of nodes are told apart.
	compared := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if lit, value, ok := literal(e); ok && names[strings.Trim(value, "/")] {
				note(lit, value)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field: // Struct tags are not paths.
			seen[n.Tag] = true
		case *ast.BasicLit:
			_, value, ok := literal(n)
			if !ok || seen[n] || isRoute(value) {
				return true
			}
			word := !strings.Contains(value, " ")
			if treePath.MatchString(value) || onlyNodes.MatchString(value) || tree && word && besidePaths.MatchString(value) {
				note(n, value)
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				compared(n.X, n.Y)
			}
		case *ast.CaseClause:
			compared(n.List...)
		case *ast.CallExpr:
			if cutsOrLooks(n.Fun) && len(n.Args) > 1 {
				compared(n.Args[1:]...)
			}
		}
		return true
	})
	return found
}

// isRoute tells addresses of the console, which have words in common with the tree.
func isRoute(value string) bool {
	return strings.Contains(value, "/api/") || strings.Contains(value, "/:") || strings.HasPrefix(value, "/jobs/")
}

// cutsOrLooks reports whether a call compares a text or a list with its arguments
// but the first: of package strings, slices or path.
func cutsOrLooks(fun ast.Expr) bool {
	for _, name := range []string{"HasPrefix", "HasSuffix", "TrimPrefix", "TrimSuffix", "CutPrefix", "CutSuffix", "Cut", "Contains", "EqualFold", "Index"} {
		if selects(fun, "strings", name) || selects(fun, "slices", name) {
			return true
		}
	}
	return selects(fun, "path", "Join")
}

func literal(e ast.Expr) (*ast.BasicLit, string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil, "", false
	}
	value, err := strconv.Unquote(lit.Value)
	return lit, value, err == nil
}

// TestSpelledNodes: what the rule finds, and what it must leave alone.
func TestSpelledNodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		`slices.Contains(names, "misfire")`:                 1,
		`name == "config"`:                                  1,
		`strings.HasSuffix(path, "/running")`:               1,
		`func() { switch name { case "instance": } }`:       1,
		`job.Item(3) + "/disabled"`:                         1,
		`j.Extension() + "/fired"`:                          1,
		`string(data) == "TRIGGER"`:                         1,
		`fmt.Sprintf("sharding/%d/instance is absent", n)`:  1,
		`"look below leader/election/latch"`:                1,
		`map[string]int{"failovering": 1}`:                  1,
		`path.Join(root, "sharding", "3")`:                  1,
		`log.Info("done", "items", n, "instance", id)`:      0,
		`get("/api/jobs/:job/sharding", s.shards)`:          0,
		`"DELETE /api/jobs/%s/sharding/%d/running"`:         0,
		`fail("trigger", job)`:                              0,
		`map[string]bool{"failover": true}`:                 0,
		`"the job is disabled, and sharding/leader differ"`: 0,
		`state == "stopped"`:                                0,
		`Code("TRIGGER_WAITING")`:                           0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nvar _ = "+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if found := spelledNodes(file, true); len(found) != want {
			t.Errorf("%s: %+v, want %d", code, found, want)
		}
	}
}
