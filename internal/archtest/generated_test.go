package archtest

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedFilesAreFresh generates the components from a copy of their
// sources and compares, so that a forgotten `make generate` is found here and
// not by a user who looks at yesterday's page.
func TestGeneratedFilesAreFresh(t *testing.T) {
	t.Parallel()
	copied := t.TempDir()
	committed := map[string][]byte{}
	components := 0
	err := filepath.WalkDir(filepath.Join(root, templates), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(filepath.Join(root, templates), path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(rel, "_templ.go") {
			committed[rel] = text
			return nil
		}
		if strings.HasSuffix(rel, ".templ") {
			components++
		}
		to := filepath.Join(copied, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if components == 0 {
		t.Fatal("no component found: the test looks at the wrong folder")
	}

	regenerate(t, copied, committed)
}

// TestCataloguesAreFresh writes the messages of the pages again and compares.
func TestCataloguesAreFresh(t *testing.T) {
	t.Parallel()
	const folder = "internal/i18n"
	fresh := t.TempDir()
	cmd := exec.Command("go", "run", "./generate", "-out", fresh)
	cmd.Dir = filepath.Join(root, folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("generate: %v\n%s", err, out)
	}
	seen := map[string]bool{}
	for _, dir := range []string{fresh, filepath.Join(root, folder)} {
		files, err := filepath.Glob(filepath.Join(dir, "*_gen.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no messages in %s: %v", dir, err)
		}
		for _, path := range files {
			seen[filepath.Base(path)] = true
		}
	}
	for name := range seen {
		want, missing := os.ReadFile(filepath.Join(fresh, name))
		got, err := os.ReadFile(filepath.Join(root, folder, name))
		if missing != nil || err != nil || !bytes.Equal(want, got) {
			t.Errorf("%s/%s is stale: run make generate", folder, name)
		}
	}
}

const (
	templates = "web/templates"
	templ     = "github.com/a-h/templ/cmd/templ" // the tool of go.mod
)

// regenerate generates a copy of the components and compares.
func regenerate(t *testing.T, copied string, committed map[string][]byte) {
	t.Helper()
	cmd := exec.Command("go", "run", templ, "generate", "-path", copied)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("templ generate: %v\n%s", err, out)
	}
	err := filepath.WalkDir(copied, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_templ.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(copied, path)
		if err != nil {
			return err
		}
		if !bytes.Equal(text, committed[rel]) {
			t.Errorf("%s/%s is stale: run make generate", templates, rel)
		}
		delete(committed, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for rel := range committed {
		t.Errorf("%s/%s has lost its component: delete it", templates, rel)
	}
}

// TestReadmeShowsTheExample: the quick start of the README is the package
// example of coreagent, word for word, so that it compiles for ever.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Parallel()
	body := func(path, begin string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, ok := strings.Cut(string(text), begin+" {\n")
		code, _, closed := strings.Cut(rest, "\n}\n")
		if !ok || !closed {
			t.Fatalf("%s has no %s", path, begin)
		}
		return code
	}
	if readme, example := body("README.md", "func main()"), body("coreagent/example_test.go", "func Example()"); readme != example {
		t.Errorf("the README shows\n%s\n\nand the example of coreagent is\n%s", readme, example)
	}
}
