package ui

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// TestDiffLines: the lines that differ, with two around them; nothing for the same.
func TestDiffLines(t *testing.T) {
	t.Parallel()
	show := func(before, after string) string {
		var all []string
		for _, l := range DiffLines(strings.ReplaceAll(before, " ", "\n"), strings.ReplaceAll(after, " ", "\n")) {
			all = append(all, map[ui.DiffKind]string{ui.DiffAdded: "+", ui.DiffRemoved: "-"}[l.Kind]+l.No+l.Text)
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct{ before, after, want string }{
		{"a b c", "a b c", ""},
		{"a b c d e f g h", "a b c d X f g h", "… 3c 4d -5e +5X 6f 7g …"},
		{"", "a b", "+1a +2b"},
		{"a b", "", "-1a -2b"},
		{"a b c d", "b c d e", "-1a 1b 2c 3d +4e"},
	} {
		if got := show(c.before, c.after); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.before, c.after, got, c.want)
		}
	}
	long := strings.Repeat("x\n", 3000)
	if got := DiffLines(long+"a", strings.Repeat("y\n", 3000)+"b"); len(got) != 6002 {
		t.Errorf("texts too long to compare have %d lines", len(got))
	}
}
