//go:build servers && !race

package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPreCommitHook commits to a small repository that has the hook. The hook must check the
// staged files, not the files in the folder.
func TestPreCommitHook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hook, err := os.ReadFile(filepath.Join(root, ".githooks", "pre-commit"))
	if err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		t.Helper()
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GOWORK=off",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		// Those of a hook that runs this test would be about another repository.
		for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX"} {
			cmd.Env = withoutVariable(cmd.Env, name)
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	commit := func() (string, error) { return run("git", "commit", "-q", "-m", "x") }
	put("go.mod", "module example.com/x\n\ngo 1.26\n")
	put(".githooks/pre-commit", string(hook))
	put(".ci/fresh", "#!/bin/sh\n! test -e stale || { echo 'is stale' >&2; exit 1; }\n")
	for _, args := range [][]string{{"init", "-q"}, {"config", "core.hooksPath", ".githooks"}} {
		if out, err := run("git", args...); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	for _, c := range []struct{ name, staged, refused string }{
		{"not formatted", "package x\n\nfunc  F() {}\n", "a/x.go"},
		{"does not parse", "package x\n\nfunc F( {}\n", "a/x.go (does not parse)"},
		{"found by vet", "package x\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"one\") }\n", "Printf"},
		{"good", "package x\n\nfunc F() {}\n", ""},
	} {
		put("a/x.go", c.staged)
		if out, err := run("git", "add", "-A"); err != nil {
			t.Fatalf("git add: %v\n%s", err, out)
		}
		out, err := commit()
		if refused := err != nil; refused != (c.refused != "") || !strings.Contains(out, c.refused) {
			t.Errorf("%s: %v, want a refusal with %q:\n%s", c.name, err, c.refused, out)
		}
	}
	hookLooksAtWhatIsStaged(t, put, run, commit)
}

// hookLooksAtWhatIsStaged, and only at commits with Go.
func hookLooksAtWhatIsStaged(t *testing.T, put func(path string, text string), run func(name string, args ...string) (string, error), commit func() (string, error)) {
	put("a/y.go", "package x\n")
	put("b.txt", "no Go\n")
	if out, err := run("git", "add", "a/y.go", "b.txt"); err != nil {
		t.Fatalf("git add: %v\n%s", err, out)
	}
	put("a/y.go", "package  x\n") // not staged
	put("stale", "")
	if out, err := commit(); err == nil || !strings.Contains(out, "is stale") || strings.Contains(out, "y.go") {
		t.Errorf("stale files: %v\n%s", err, out)
	}
	if out, err := run("git", "reset", "-q", "a/y.go"); err != nil {
		t.Fatalf("git reset: %v\n%s", err, out)
	}
	if out, err := commit(); err != nil {
		t.Errorf("a commit without Go is looked at: %v\n%s", err, out)
	}
}

func withoutVariable(env []string, name string) []string {
	var kept []string
	for _, v := range env {
		if !strings.HasPrefix(v, name+"=") {
			kept = append(kept, v)
		}
	}
	return kept
}
