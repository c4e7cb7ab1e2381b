//go:build !race

package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// placed is the first line of a code block that shows a part of a file of ours.
var placed = regexp.MustCompile(`\A// ([\w./-]+\.(?:go|templ))\n`)

// TestFirstChanges: the code of docs/first.md that names its file is in that file, so it compiles
// and its tests pass. A line with "// …" stands for code that the page leaves out.
func TestFirstChanges(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "first.md"))
	if err != nil {
		t.Fatal(err)
	}
	left := regexp.MustCompile(`(?m)^\s*// …\n`)
	shown := 0
	for _, m := range regexp.MustCompile("(?ms)^```(?:go|templ)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		name := placed.FindStringSubmatch(m[1])
		if name == nil {
			continue // A user's code: see TestSnippetsOfTheDocuments.
		}
		shown++
		source, err := os.ReadFile(filepath.Join(root, name[1]))
		if err != nil {
			t.Error(err)
			continue
		}
		rest := string(source)
		for _, part := range left.Split(strings.TrimPrefix(m[1], name[0]), -1) {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("docs/first.md shows code that %s doesn't have, or not in this order. Copy it again:\n%s", name[1], part)
				break
			}
			rest = after
		}
	}
	if shown < 10 {
		t.Errorf("docs/first.md shows only %d parts of files: the test looks at the wrong place", shown)
	}
}
