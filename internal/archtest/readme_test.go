//go:build !race

package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
