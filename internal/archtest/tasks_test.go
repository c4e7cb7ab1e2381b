//go:build !race

package archtest

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeLine is a line of code that isn't only a comment.
var codeLine = regexp.MustCompile(`(?m)^\s*[^\s/].*$`)

// TestFiveTasks counts the lines of code in docs/five-tasks.md. Our code must have the fewest in each
// task, and the table must have the counts. Code that isn't formatted or has long lines would make
// the counts meaningless.
func TestFiveTasks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "five-tasks.md"))
	if err != nil {
		t.Fatal(err)
	}
	tasks := strings.Split(string(text), "\n## ")[1:]
	if len(tasks) != 5 {
		t.Fatalf("%d tasks, want 5", len(tasks))
	}
	examples := regexp.MustCompile("(?ms)^\\*\\*(coreagent|River|asynq|Temporal)\\*\\*\n\n```(?:go|text)\n(.*?)^```$")
	for _, task := range tasks {
		title, _, _ := strings.Cut(task, "\n")
		var lines []int
		for _, m := range examples.FindAllStringSubmatch(task, -1) {
			lines = append(lines, len(codeLine.FindAllString(m[2], -1)))
			if formatted, err := format.Source([]byte(m[2])); err != nil || string(formatted) != m[2] {
				t.Errorf("%s: the code for %s isn't formatted: %v", title, m[1], err)
			}
			if long := regexp.MustCompile(`(?m)^.{120,}$`).FindString(m[2]); long != "" {
				t.Errorf("%s: the code for %s has a line of 120 columns or more: %s", title, m[1], long)
			}
		}
		if len(lines) != 4 {
			t.Fatalf("%s: %d examples, want 4", title, len(lines))
		}
		if least := slices.Min(lines[1:]); lines[0] >= least {
			t.Errorf("%s: ours has %d lines, and the shortest of the others has %d", title, lines[0], least)
		}
		row := fmt.Sprintf("| %s | %d | %d | %d | %d |\n", title, lines[0], lines[1], lines[2], lines[3])
		if !strings.Contains(string(text), row) {
			t.Errorf("the table of docs/five-tasks.md should have the row\n%s", row)
		}
	}
}
