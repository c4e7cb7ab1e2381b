//go:build !race

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRunCasesAgree: docs/runs-cases.md says what the sources give it to say, and says of
// no case that it has no test when it has one.
func TestRunCasesAgree(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(repository, "docs", "runs-cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := proofsOf(repository, runCases, runCaseTest, runCaseNumber)
	if err != nil {
		t.Fatal(err)
	}
	const remedy = "run `go run ./internal/conformance -runs`"
	agrees(t, string(data), runsDocument(found), runsHeading, remedy, runCases, found)
	for line := range strings.Lines(string(data)) {
		if number := runCaseNumber.FindString(line); strings.HasSuffix(line, " | "+noRunTest+" |\n") && len(found[number]) > 0 {
			t.Errorf("%s has a test by now: %s", number, remedy)
		}
	}
}

// TestRunCasesAreR01ToR68, once each and in order, and no test bears the number of none.
func TestRunCasesAreR01ToR68(t *testing.T) {
	t.Parallel()
	found, err := proofsOf(repository, runCases, runCaseTest, runCaseNumber)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []string
	for _, c := range runCases {
		numbers = append(numbers, c.number)
	}
	if !slices.IsSorted(numbers) || len(slices.Compact(slices.Clone(numbers))) != 68 || numbers[0] != "R01" || numbers[67] != "R68" {
		t.Errorf("%d cases: %v", len(numbers), numbers)
	}
	for number, tests := range found {
		if !slices.Contains(numbers, number) {
			t.Errorf("%v bear the number %s, which is no case", tests, number)
		}
	}
	for _, d := range runShortfalls {
		for _, number := range d.cases {
			if !slices.Contains(numbers, number) {
				t.Errorf("a shortfall of %s, which is no case", number)
			}
		}
	}
}

// TestSubtestsBearNumbers as functions do.
func TestSubtestsBearNumbers(t *testing.T) {
	t.Parallel()
	const source = "package x\nfunc TestX(t *testing.T) {\n\tt.Run(\"R16 nil\", f)\n\tt.Run(`R17`, f)\n\tt.Run(\"R180\", f)\n\tt.Run(name, f)\n\tt.Log(\"R18\")\n}\n"
	file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := subtests(file.Decls[0].(*ast.FuncDecl), runCaseNumber); !slices.Equal(got, []string{"R16", "R17"}) {
		t.Errorf("%v", got)
	}
}
