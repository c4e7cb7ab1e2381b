//go:build !race

package archtest

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents returns what people read first, as paths seen from this package.
func documents(t *testing.T) []string {
	t.Helper()
	paths := []string{filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "CHANGELOG.md")}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// Code in a document, which isn't prose: a type parameter looks like a link, for example.
var (
	fence    = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	codeSpan = regexp.MustCompile("`[^`]+`")
)

// link is a link of a document: its text, where it points to, and the anchor.
var link = regexp.MustCompile(`\[([^\]]*)\]\(([^)#]+)(#[^)]*)?\)`)

// TestLinksOfTheDocuments: what a document points to is there.
func TestLinksOfTheDocuments(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		prose := codeSpan.ReplaceAll(fence.ReplaceAll(text, nil), []byte("code"))
		for _, m := range link.FindAllStringSubmatch(string(prose), -1) {
			if strings.Contains(m[2], "://") {
				continue
			}
			checked++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[2])); err != nil {
				t.Errorf("%s points to %s: %v", path, m[2], err)
			}
		}
	}
	if checked == 0 {
		t.Error("no link found: the test checks nothing")
	}
}

// TestNamesOfTheDocuments: where the text of a link to a Go file is code, such as
// `Job.run`, the file declares that name.
func TestNamesOfTheDocuments(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile("^`(?:([A-Za-z]+)\\.)?([A-Za-z]+)`$")
	checked := 0
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			name := code.FindStringSubmatch(m[1])
			if name == nil || !strings.HasSuffix(m[2], ".go") {
				continue
			}
			checked++
			source, err := os.ReadFile(filepath.Join(filepath.Dir(path), m[2]))
			if err != nil {
				t.Error(err)
				continue
			}
			declared := regexp.MustCompile(`(?m)^(func|type|var|const|\t) ?` + name[2] + `\b`)
			if name[1] != "" {
				declared = regexp.MustCompile(`(?m)^func \(\w* ?\*?` + name[1] + `\) ` + name[2] + `\b`)
			}
			if !declared.Match(source) {
				t.Errorf("%s says that %s declares %s, and it does not: correct the page", path, m[2], m[1])
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d names found: the test looks at the wrong place", checked)
	}
}

// TestArchitectureListsTheEngine: each file of the engine stands in the table of
// duties, and no other.
func TestArchitectureListsTheEngine(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Inside the engine\n")
	_, table, _ = strings.Cut(table, "|---|---|\n")
	var listed, there []string
	for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(table, -1) {
		listed = append(listed, m[1])
	}
	files, err := filepath.Glob(filepath.Join(root, "coreagent", "internal", "engine", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".go")
		if name != "doc" && !strings.HasSuffix(name, "_test") {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		t.Fatal("the engine has no files: the test looks at the wrong folder")
	}
	for _, name := range there {
		if !slices.Contains(listed, name) {
			t.Errorf("docs/architecture.md does not say what the engine's %s.go is for", name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(there, name) {
			t.Errorf("docs/architecture.md lists %s.go, which the engine does not have", name)
		}
	}
}

// TestTestsOfTheDocuments: the tests that the pages for contributors name, and those
// that their commands run, are there.
func TestTestsOfTheDocuments(t *testing.T) {
	t.Parallel()
	var there []string
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && s.test() && f.Recv == nil {
				there = append(there, f.Name.Name)
			}
		}
	}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	named := regexp.MustCompile("`(Test\\w+)`|-run '?(\\w+)")
	checked := 0
	for _, name := range []string{"CONTRIBUTING.md", "docs/first.md", "docs/testing.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		own := declared.FindAllStringSubmatch(string(text), -1)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			checked++
			if !slices.ContainsFunc(there, func(test string) bool { return test == m[1] || m[2] != "" && strings.Contains(test, m[2]) }) &&
				!slices.ContainsFunc(own, func(test []string) bool { return test[1] == m[1] }) {
				t.Errorf("%s names the test %s%s, which is not there: correct the page", name, m[1], m[2])
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d tests found: the test looks at the wrong place", checked)
	}
}
