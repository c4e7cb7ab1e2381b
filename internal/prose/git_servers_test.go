//go:build servers && !race

package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestOnlyTrackedFiles: git decides which files count, and the complaint names the lines that are
// newer than the numbers.
func TestOnlyTrackedFiles(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = r.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".gitignore", "a", "b", "internal")
	r.want(0, []string{"stored 3 findings"}, "--update")
	git("add", "internal")
	git("commit", "-q", "-m", "x")
	r.put("a/new.go", "package a\n\n// Nobody says why.\n")
	r.put("a/node_modules/x.go", "package a\n\n// Nobody says why.\n")
	r.want(0, []string{"3 findings, 3 stored"})
	git("add", "a/new.go")
	code, out := r.prose()
	if code != 1 || !strings.Contains(out, "a/new.go:3:") || strings.Contains(out, "a/a.go:3") {
		t.Errorf("exit code %d, want a complaint about a/new.go alone:\n%s", code, out)
	}
}
