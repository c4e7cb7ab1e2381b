//go:build !race

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAcceptanceAgrees: every case has a test, no test bears the number of none,
// and docs/acceptance.md says what the sources give it to say.
func TestAcceptanceAgrees(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(repository, "docs", "acceptance.md"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := proofsOf(repository, demands, acceptedTest, acceptedNumber)
	if err != nil {
		t.Fatal(err)
	}
	if missing := unproved(demands, found); len(missing) > 0 {
		t.Errorf("no test bears the number of %s", strings.Join(missing, ", "))
	}
	var want []string
	for i := range 51 {
		want = append(want, fmt.Sprintf("A%02d", i+1))
	}
	want = append(want, "A57")
	for i := range 14 {
		want = append(want, fmt.Sprintf("A%02d", i+64))
	}
	for i := range 12 {
		want = append(want, fmt.Sprintf("C%02d", i+1))
	}
	var got []string
	for _, d := range demands {
		got = append(got, d.number)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the cases are %v", got)
	}
	for number, list := range found {
		if !slices.Contains(want, number) {
			t.Errorf("%v bear the number %s, which is no case", list, number)
		}
	}
	for _, d := range concessions {
		for _, number := range d.cases {
			if !slices.Contains(want, number) {
				t.Errorf("a concession of %s, which is no case", number)
			}
		}
	}
	agrees(t, string(data), acceptDocument(found), acceptHeading, "run `go run ./internal/conformance -accept`", demands, found)
}
