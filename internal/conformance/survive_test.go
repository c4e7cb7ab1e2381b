//go:build !race

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryFaultHasATest, and no test bears the number of none.
func TestEveryFaultHasATest(t *testing.T) {
	t.Parallel()
	found, err := proofsOf(repository, faults, faultTest, faultNumber)
	if err != nil {
		t.Fatal(err)
	}
	if missing := unproved(faults, found); len(missing) > 0 {
		t.Errorf("no test bears the number of %s", strings.Join(missing, ", "))
	}
	known := func(number string) bool {
		return slices.ContainsFunc(faults, func(f fault) bool { return f.number == number })
	}
	for number := range found {
		if !known(number) {
			t.Errorf("%v bear the number %s, which is no case", found[number], number)
		}
	}
	for _, d := range shortfalls {
		for _, number := range d.cases {
			if !known(number) {
				t.Errorf("a shortfall of %s, which is no case", number)
			}
		}
	}
	if len(faults) != 52 {
		t.Errorf("%d cases, want MS01 to MS52", len(faults))
	}
}

// TestMustSurviveAgrees: docs/must-survive.md says what the sources give it to
// say. A test may be newer than the file; those that it names exist.
func TestMustSurviveAgrees(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(repository, "docs", "must-survive.md"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := proofsOf(repository, faults, faultTest, faultNumber)
	if err != nil {
		t.Fatal(err)
	}
	const remedy = "run `go run ./internal/conformance -survive`"
	agrees(t, string(data), surviveDocument(found), surviveHeading, remedy, faults, found)
}

// agrees holds a document to what it would be now.
func agrees(t *testing.T, text, fresh, heading, remedy string, list []fault, found map[string][]proof) {
	t.Helper()
	_, shortfalls, _ := strings.Cut(fresh, "\n## Where less holds")
	if !strings.HasPrefix(text, heading) || !strings.HasSuffix(text, shortfalls) {
		t.Errorf("heading or shortfalls are out of date: %s", remedy)
	}
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
	for _, f := range list {
		var line string
		for l := range strings.Lines(text) {
			if strings.HasPrefix(l, "| "+f.number+" | ") {
				line = l
			}
		}
		if !strings.HasPrefix(line, "| "+f.number+" | "+f.title+" | "+f.holds+" | ") {
			t.Errorf("%s is out of date: %s", f.number, remedy)
		}
		for _, name := range named.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(f.also, name[1]) && !slices.ContainsFunc(found[f.number], func(p proof) bool { return p.name == name[1] }) {
				t.Errorf("%s: there is no test %s any more: %s", f.number, name[1], remedy)
			}
		}
	}
}

// TestHowItIsProved is read off what a test calls, through its helpers.
func TestHowItIsProved(t *testing.T) {
	t.Parallel()
	found, err := proofsOf(repository, faults, faultTest, faultNumber)
	if err != nil {
		t.Fatal(err)
	}
	how := map[string]string{}
	for _, list := range found {
		for _, p := range list {
			_, what, _ := strings.Cut(p.String(), "(")
			how[p.name] = "(" + what
		}
	}
	for name, want := range map[string]string{
		"TestMS08MS09LeaderDiesAtEachStep":          "(virtual time)",
		"TestMS10StaleRunningMarkerIsCleared":       "(virtual time, both servers)",
		"TestMS18FrozenOwnerIsCancelled":            "(both servers, processes)",
		"TestMS38SearchesThatHangInQuartz":          "(no server)",
		"TestMS48RetentionUnderLoad":                "(databases)",
		"TestMS05LatchWithLostRepliesLeavesNothing": "(virtual time)",
	} {
		if how[name] != want {
			t.Errorf("%s: %s, want %s", name, how[name], want)
		}
	}
}
