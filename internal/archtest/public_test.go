//go:build !race

package archtest

import (
	"go/doc"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// privateFolders have what nobody outside imports: programs, what they are made
// of, and what measures them.
var privateFolders = []string{"bench", "chaos", "cmd", "conf", "deploy", "docs", "examples", "internal", "interop", "migrations", "web"}

// public lists the packages that programs outside this repository may import.
func public(t *testing.T) []goPackage {
	t.Helper()
	var found []goPackage
	for _, p := range list(t) {
		if !p.within(privateFolders...) && !strings.Contains(p.ImportPath, "/internal/") {
			found = append(found, p)
		}
	}
	if len(found) < 10 {
		t.Fatalf("%d public packages: the rules look at the wrong place", len(found))
	}
	return found
}

// TestPublicPackagesIntroduceThemselves: each has a doc.go with a picture of its
// flow, an Example that go test runs, and a line in docs/packages.md.
func TestPublicPackagesIntroduceThemselves(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "packages.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := make(map[string]int)
	for _, s := range sources(t) {
		if !s.test() {
			continue
		}
		for _, e := range doc.Examples(s.file) {
			if e.Output != "" || e.EmptyOutput {
				examples[s.pkg.ImportPath]++
			}
		}
	}
	for _, p := range public(t) {
		introduction := packageDoc(t, p)
		if !strings.ContainsAny(introduction, "─▶◀") {
			t.Errorf("%s: doc.go has no picture of the flow", p.rel())
		}
		if examples[p.ImportPath] == 0 {
			t.Errorf("%s: no Example with an Output, which go test would run", p.rel())
		}
		if !strings.Contains(string(page), "| `"+p.rel()+"` |") {
			t.Errorf("%s: has no line in docs/packages.md", p.rel())
		}
	}
}

// packageDoc is the comment of a package's doc.go.
func packageDoc(t *testing.T, p goPackage) string {
	t.Helper()
	for _, s := range sources(t) {
		if s.path == p.rel()+"/doc.go" && s.file.Doc != nil {
			return s.file.Doc.Text()
		}
	}
	t.Errorf("%s: no doc.go", p.rel())
	return ""
}
