//go:build !race

package archtest

import (
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackageNames: a name that says nothing collects everything.
func TestPackageNames(t *testing.T) {
	t.Parallel()
	banned := []string{"util", "utils", "common", "helper", "helpers", "manager", "base", "misc", "shared"}
	for _, p := range list(t) {
		if slices.Contains(banned, p.Name) {
			t.Errorf("%s: package %s says nothing about what is in it", p.rel(), p.Name)
		}
		if p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no package comment", p.rel())
		}
	}
}

// TestRecipeLayerIsGeneric: internal/zk knows sessions, elections and caches;
// what they are used for is other packages' business.
func TestRecipeLayerIsGeneric(t *testing.T) {
	t.Parallel()
	words := regexp.MustCompile(`(?i)\b(jobs?|shards?|sharding|jobtree|elasticjob)\b`)
	for _, s := range sources(t) {
		if s.test() || !s.pkg.within("internal/zk") {
			continue
		}
		text, err := os.ReadFile(root + "/" + s.path)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(text), "\n") {
			if strings.Contains(line, module) {
				continue // An import names the module.
			}
			if word := words.FindString(line); word != "" {
				t.Errorf("%s:%d speaks of %q", s.path, n+1, word)
			}
		}
	}
}

// TestNoRealTimeInTests: a test waits for a condition, and compares no elapsed time, because
// that measures the machine. Inside a synctest bubble time is virtual and exact, so both are
// allowed there: in a function that opens a bubble, by synctest.Test or a function named
// after bubbles, and in the functions of the package's tests that are called from there.
func TestNoRealTimeInTests(t *testing.T) {
	t.Parallel()
	byFolder := map[string][]source{}
	for _, s := range sources(t) {
		if s.test() { // A harness polls in its one waiting helper.
			byFolder[s.pkg.rel()] = append(byFolder[s.pkg.rel()], s)
		}
	}
	for _, files := range byFolder {
		functions := bodies(files)
		virtual := map[ast.Node]bool{} // calls inside bubbles
		visited := map[string]bool{}
		var inBubble func(n ast.Node)
		inBubble = func(n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					virtual[n] = true
				case *ast.Ident: // a call, or a function handed on
					if !visited[n.Name] {
						visited[n.Name] = true
						for _, body := range functions[n.Name] {
							inBubble(body)
						}
					}
				}
				return true
			})
		}
		for _, s := range files {
			ast.Inspect(s.file, func(n ast.Node) bool {
				if f, ok := n.(*ast.FuncDecl); ok && f.Body != nil && opensBubble(f.Body) {
					inBubble(f.Body)
				}
				return true
			})
		}
		for _, s := range files {
			ast.Inspect(s.file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && selects(call.Fun, "time", "Sleep") && !virtual[call] {
					t.Errorf("%s: time.Sleep in a test; wait for a condition with a deadline", s.at(call))
				}
				for _, call := range comparedTimes(n) {
					if !virtual[call] {
						t.Errorf("%s: compares elapsed time, which measures the machine; count something, or use a bubble", s.at(call))
					}
				}
				return true
			})
		}
	}
}

// asksForVirtual reports whether a condition holds in virtual time only.
func asksForVirtual(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		found = found || ok && sel.Sel.Name == "virtual"
		return !found
	})
	return found
}

// comparedTimes are the calls of time.Since that an if or a comparison looks at. A lower
// bound is no measure of the machine.
func comparedTimes(n ast.Node) (calls []ast.Node) {
	var parts []ast.Node
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Init != nil && !asksForVirtual(n.Cond) {
			parts = append(parts, n.Init)
		}
	case *ast.BinaryExpr:
		if n.Op == token.GTR || n.Op == token.GEQ || n.Op == token.EQL || n.Op == token.NEQ {
			parts = append(parts, n.X, n.Y)
		}
	}
	for _, part := range parts {
		ast.Inspect(part, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && selects(call.Fun, "time", "Since") {
				calls = append(calls, call)
			}
			return true
		})
	}
	return calls
}

// bodies are the functions of some files by their bare names, methods too, and the
// tables of cases, which have functions.
func bodies(files []source) map[string][]ast.Node {
	functions := map[string][]ast.Node{}
	for _, s := range files {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					functions[d.Name.Name] = append(functions[d.Name.Name], d.Body)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) > 0 {
						functions[v.Names[0].Name] = append(functions[v.Names[0].Name], v)
					}
				}
			}
		}
	}
	return functions
}

func opensBubble(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && (selects(call.Fun, "synctest", "Test") || named(call.Fun, "bubble"))
		return !found
	})
	return found
}

// named reports whether the called function's name contains the word.
func named(fun ast.Expr, word string) bool {
	id, ok := fun.(*ast.Ident)
	return ok && strings.Contains(strings.ToLower(id.Name), word)
}

func selects(fun ast.Expr, pkg, name string) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg && sel.Sel.Name == name
}

// TestNothingIsSkippedOrLeftOpen: no test skips itself, because every server
// it may need is installed by the test command, and nothing is left for later
// in a comment.
func TestNothingIsSkippedOrLeftOpen(t *testing.T) {
	t.Parallel()
	later := regexp.MustCompile(`\b(` + "TO" + `DO|FIX` + `ME|XX` + `X)\b`)
	for _, s := range sources(t) {
		for _, group := range s.file.Comments {
			if word := later.FindString(group.Text()); word != "" {
				t.Errorf("%s: %s in a comment; do it or open an issue", s.at(group), word)
			}
		}
		if !s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				if id, ok := sel.X.(*ast.Ident); ok && slices.Contains([]string{"t", "tb", "b"}, id.Name) {
					t.Errorf("%s: %s.%s; a test that needs a server fails with what to install", s.at(n), id.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}
