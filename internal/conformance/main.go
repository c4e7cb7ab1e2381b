// Command conformance checks that each case of docs/conformance.md has a test, and prints the tests of
// cases. A test belongs to a case if its name starts with the case's number, as in TestK33Failover or
// TestK30K31K32RunningMarkers:
//
//	docs/conformance.md ── rows: the cases ──────┐
//	                                             ├──▶ problems, or the tests of each case
//	*_test.go ── numbers in the names of tests ──┘
//
//	go run ./internal/conformance           check, and print each case with its tests
//	go run ./internal/conformance K33 W15   print the tests of these numbers
//
// The exit code is 1 if a case has no test, if a test or the page has the number of no case, or if a given
// number has no test.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run(os.DirFS("."), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

const page = "docs/conformance.md"

// run works on the files of the module.
func run(module fs.FS, numbers []string, stdout io.Writer) error {
	cases, mentioned, err := readCases(module)
	if err != nil {
		return err
	}
	tests, err := findTests(module)
	if err != nil {
		return err
	}
	var problems []error
	if len(numbers) == 0 {
		numbers, problems = cases, check(cases, mentioned, tests)
	} else {
		for _, number := range numbers {
			if len(tests[number]) == 0 {
				problems = append(problems, fmt.Errorf("no test has the number %s", number))
			}
		}
	}
	for _, number := range numbers {
		for _, t := range tests[number] {
			fmt.Fprintf(stdout, "%-5s %s ./%s\n", number, t.name, t.folder)
		}
	}
	return errors.Join(problems...)
}

var caseRow = regexp.MustCompile(`(?m)^\| ([A-Z]{1,2}[0-9]{2,3}) \|`)

// readCases returns the numbers of the page's cases, and all numbers that the page mentions.
func readCases(module fs.FS) (cases, mentioned []string, err error) {
	text, err := fs.ReadFile(module, page)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range caseRow.FindAllStringSubmatch(string(text), -1) {
		cases = append(cases, row[1])
	}
	return cases, numbered.FindAllString(string(text), -1), nil
}

// test is a test function with numbers in its name.
type test struct{ folder, name string }

// besideJava reports whether the test needs agents of Java.
func (t test) besideJava() bool { return t.folder == "interop" }

var (
	testLine = regexp.MustCompile(`(?m)^func (Test(?:Real|Sim|Task)?((?:[A-Z]{1,2}[0-9]{2,3})+)\w*)\(`)
	numbered = regexp.MustCompile(`[A-Z]{1,2}[0-9]{2,3}`)
)

// findTests returns the tests of each number, in files with any build tags.
func findTests(module fs.FS) (map[string][]test, error) {
	tests := map[string][]test{}
	err := fs.WalkDir(module, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); file != "." && (name[0] == '.' || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(module, file)
		if err != nil {
			return err
		}
		for _, found := range testLine.FindAllSubmatch(source, -1) {
			for _, number := range numbered.FindAllString(string(found[2]), -1) {
				tests[number] = append(tests[number], test{path.Dir(file), string(found[1])})
			}
		}
		return nil
	})
	return tests, err
}

func kindOf(number string) string { return strings.TrimRight(number, "0123456789") }

// check compares the page with the tests. Tests need a row only for the kinds of numbers that the page
// has, such as K. The cases marked K also need a test without Java.
func check(cases, mentioned []string, tests map[string][]test) []error {
	var problems []error
	report := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	kinds := map[string]bool{}
	for i, number := range cases {
		kind := kindOf(number)
		if kinds[kind] && cases[i-1] >= number {
			report("%s: the row of %s must be before %s", page, number, cases[i-1])
		}
		kinds[kind] = true
		if !slices.ContainsFunc(tests[number], func(t test) bool { return kind != "K" || !t.besideJava() }) {
			report("%s has no test: name one Test%s…", number, number)
		}
	}
	for _, number := range mentioned {
		if kinds[kindOf(number)] && !slices.Contains(cases, number) {
			report("%s mentions %s, which has no row", page, number)
		}
	}
	for number, list := range tests {
		if kinds[kindOf(number)] && !slices.Contains(cases, number) {
			report("%s in %s has the number of no case: add a row to %s", list[0].name, list[0].folder, page)
		}
	}
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return problems
}
