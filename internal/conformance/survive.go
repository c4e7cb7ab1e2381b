package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The second list of this program is that of the faults which users of job
// schedulers report: docs/must-survive.md. It is made from the sources alone;
// that the tests pass is what `make test` says.

// fault is a case of that list: what happens, and what must hold then.
type fault struct {
	number, title, holds string
	also                 []string // tests that bear no number
}

// proof is a test of a fault, and how it proves it.
type proof struct {
	folder, name string
	virtual      bool // in virtual time
	servers      bool // on the in-process server and on ZooKeeper 3.8
	processes    bool // agents in processes of their own
	databases    bool // on real databases
	browser      bool // in a browser
	console      bool // the console's handlers, by HTTP
}

func (p proof) String() string {
	var how []string
	if p.virtual {
		how = append(how, "virtual time")
	}
	if p.servers {
		how = append(how, "both servers")
	}
	if p.processes {
		how = append(how, "processes")
	}
	if p.databases {
		how = append(how, "databases")
	}
	if p.browser {
		how = append(how, "browser")
	}
	if path.Base(p.folder) == "interop" {
		how = append(how, "beside Java")
	}
	if p.console && len(how) == 0 {
		how = append(how, "console")
	}
	if len(how) == 0 {
		how = append(how, "no server")
	}
	return fmt.Sprintf("`%s` in `%s` (%s)", p.name, p.folder, strings.Join(how, ", "))
}

var (
	faultTest   = regexp.MustCompile(`^Test(?:Sim)?((?:(?:K|MS)[0-9]{2})+)`)
	faultNumber = regexp.MustCompile(`MS[0-9]{2}`)
)

// proofsOf finds the tests of each case of a list: their names match bears, with
// the numbers in what it captures.
func proofsOf(root string, list []fault, bears, number *regexp.Regexp) (map[string][]proof, error) {
	folders, err := testFunctions(root)
	if err != nil {
		return nil, err
	}
	found := map[string][]proof{}
	for folder, functions := range folders {
		for name := range functions {
			p := proof{folder: folder, name: name}
			p.look(functions, name, map[string]bool{})
			if match := bears.FindStringSubmatch(name); match != nil {
				for _, number := range number.FindAllString(match[1], -1) {
					found[number] = append(found[number], p)
				}
			}
			for _, sub := range subtests(functions[name], number) {
				if !slices.Contains(found[sub], p) {
					found[sub] = append(found[sub], p)
				}
			}
			for _, f := range list {
				if slices.Contains(f.also, name) {
					found[f.number] = append(found[f.number], p)
				}
			}
		}
	}
	for _, list := range found {
		slices.SortFunc(list, func(a, b proof) int { return strings.Compare(a.name+a.folder, b.name+b.folder) })
	}
	return found, nil
}

// subtests are the numbers by which a test function names its subtests, as in
// t.Run("R16 the handler returns nil", …).
func subtests(f *ast.FuncDecl, number *regexp.Regexp) []string {
	var numbers []string
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		run, _ := call.Fun.(*ast.SelectorExpr)
		name, _ := call.Args[0].(*ast.BasicLit)
		if run == nil || run.Sel.Name != "Run" || name == nil || name.Kind != token.STRING {
			return true
		}
		first, _, _ := strings.Cut(strings.Trim(name.Value, "`\""), " ")
		if number.FindString(first) == first && first != "" {
			numbers = append(numbers, first)
		}
		return true
	})
	return numbers
}

// look finds how a function proves what it proves, by what it calls.
func (p *proof) look(functions map[string]*ast.FuncDecl, name string, seen map[string]bool) {
	f := functions[name]
	if f == nil || seen[name] {
		return
	}
	seen[name] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			p.look(functions, fun.Name, seen)
		case *ast.SelectorExpr:
			pkg, _ := fun.X.(*ast.Ident)
			switch {
			case pkg != nil && pkg.Name == "synctest" && fun.Sel.Name == "Test":
				p.virtual = true
			case pkg != nil && pkg.Name == "zktest" && slices.Contains([]string{"Each", "EachOwn", "OnReal", "OnOwnReal", "Real", "StartZooKeeper", "StartZooKeeperWith"}, fun.Sel.Name):
				p.servers = true
			case pkg != nil && pkg.Name == "storetest":
				p.databases = true
			case pkg != nil && pkg.Name == "browser" && fun.Sel.Name == "Start":
				p.browser = true
			case pkg != nil && pkg.Name == "consoletest":
				p.console = true
			case fun.Sel.Name == "process":
				p.processes = true
			}
		}
		return true
	})
}

// surviveHeading is above the table.
const surviveHeading = `# What must survive

Faults that users of job schedulers report, each with what must hold then and the
tests that prove it. ` + "`go run ./internal/conformance -survive`" + ` writes this file from
the sources; a fast test fails when a case has no test, or when this file names one
that no longer exists.
The tests run with ` + "`make test-all`" + `, those called Sim in bulk with ` + "`make sim`" + `.

*Virtual time*: whole agents and the in-process server in a bubble of
` + "`testing/synctest`" + `, where a deadline is exact and no machine too slow. *Both
servers*: the same scenario on the in-process server and on a real ZooKeeper 3.8.
*Processes*: agents in processes of their own, which are killed, stopped or
terminated. *Databases*: MariaDB and PostgreSQL servers and SQLite files.

`

// surviveDocument is docs/must-survive.md.
func surviveDocument(found map[string][]proof) string {
	return surviveHeading + surveyTable("What happens", faults, found) + surveyGaps(shortfalls)
}

// surveyGaps is what follows a list: where less holds than it says.
func surveyGaps(list []departure) string {
	var b strings.Builder
	b.WriteString("\n## Where less holds, or something else\n\n")
	for _, d := range list {
		fmt.Fprintf(&b, "- %s: %s\n", strings.Join(d.cases, ", "), d.text)
	}
	return b.String()
}

// surveyTable is the table of a list.
func surveyTable(what string, list []fault, found map[string][]proof) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| Case | %s | What must hold | Tests |\n|---|---|---|---|\n", what)
	for _, f := range list {
		var tests []string
		for _, p := range found[f.number] {
			tests = append(tests, p.String())
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.number, f.title, f.holds, strings.Join(tests, "; "))
	}
	return b.String()
}

// unproved lists the cases that no test bears.
func unproved(list []fault, found map[string][]proof) []string {
	var missing []string
	for _, f := range list {
		if len(found[f.number]) == 0 {
			missing = append(missing, f.number)
		}
	}
	return missing
}
