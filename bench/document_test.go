package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWriteDocument: the tables of groups that were not measured stay as they are, in the
// order of the groups, and so does what stands around the tables.
func TestWriteDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "figures.md")
	old := "# Head\n\n" + tableBegin + "\n\n### late\n\nold late\n\n### fire\n\nold fire\n\n" + tableEnd + "\n\nfoot\n"
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	measured := result{group: group{name: "fire", about: "What a fire asks"}, load: "0.10", figures: []figure{{name: "requests", values: []float64{2}, target: 2}}}
	if err := writeDocument(path, []result{measured}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(got), "### late\n\nold late\n\n"+tableEnd+"\n\nfoot\n")
	if !ok || after != "" || !strings.HasPrefix(before, "# Head\n\n"+tableBegin+"\n\n### fire\n\nWhat a fire asks. Measured on ") ||
		!strings.Contains(before, "| `requests` | 2 | 2 | ok |") || strings.Contains(before, "old fire") {
		t.Errorf("%s", got)
	}
}
