package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// editor is an environment with a script as the editor. $1 is the file.
func editor(t *testing.T, script string) cli.Lookup {
	t.Helper()
	file := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return envOf(map[string]string{"EDITOR": "sh " + file})
}

// TestConfigEdit stores what an editor writes, and keeps the text if that fails.
func TestConfigEdit(t *testing.T) {
	t.Parallel()
	c := configuredConsole(t)
	edit := func(code int, want string, script string, more ...string) string {
		t.Helper()
		return c.runs(editor(t, script), code, []string{want}, append([]string{"config", "edit", "invoices"}, more...)...)
	}
	kept := func(said, text string) {
		t.Helper()
		_, file, found := strings.Cut(said, "Your text is in ")
		file = strings.TrimSuffix(strings.TrimSpace(file), ".")
		stored, err := os.ReadFile(file)
		if !found || err != nil || !strings.Contains(string(stored), text) {
			t.Fatalf("the text is not kept: %v, %s\n%s", err, stored, said)
		}
		if err := os.RemoveAll(filepath.Dir(file)); err != nil {
			t.Fatal(err)
		}
	}
	five := `sed -i 's/shardingTotalCount: 2/shardingTotalCount: 5/' "$1"`
	edit(0, "nothing was changed", "true")
	kept(edit(cli.ExitFailure, "shardingTotalCount: 2 → 5", five), "shardingTotalCount: 5") // Without a yes.
	edit(0, `job "invoices" has the new configuration`, five, "--yes", "--reason=INC-1")
	c.does(0, []string{"shardingTotalCount: 5"}, "get", "invoices")
	c.does(0, []string{"root  INC-1"}, "history", "invoices")
	kept(edit(cli.ExitFailure, "exit status 3", `echo XYZ >"$1"; exit 3`), "XYZ")
	kept(edit(cli.ExitFailure, `did you mean cron?`, `sed -i 's/cron:/corn:/' "$1"`, "--yes"), "corn")
	kept(edit(cli.ExitFailure, "shardingTotalCount: \"0\": want", `sed -i 's/shardingTotalCount: 5/shardingTotalCount: 0/' "$1"`, "--yes"), "Count: 0")
	kept(edit(cli.ExitFailure, "isn't about job", `sed -i 's/ invoices:/ orders:/' "$1"`, "--yes"), "orders:")
	c.runs(editor(t, "true"), cli.ExitFailure, []string{"Did you mean invoices?"}, "config", "edit", "invoice")
	c.does(cli.ExitUsage, []string{"no terminal for an editor", "VISUAL or EDITOR"}, "edit", "invoices")
}

// TestTwoEditors: the second one to store is refused, and its text is kept.
func TestTwoEditors(t *testing.T) {
	t.Parallel()
	c := configuredConsole(t)
	folder := t.TempDir()
	opened, stored := filepath.Join(folder, "opened"), filepath.Join(folder, "stored")
	slow := start(t, editor(t, `echo open >`+opened+`; while [ ! -e `+stored+` ]; do sleep 0.05; done; sed -i 's/shardingTotalCount: 2/shardingTotalCount: 7/' "$1"`),
		append([]string{"config", "edit", "invoices", "--yes"}, c.flags...)...)
	eventually(t, "the first editor has the text", func() bool { _, err := os.Stat(opened); return err == nil })
	c.runs(editor(t, `sed -i 's/shardingTotalCount: 2/shardingTotalCount: 5/' "$1"`), 0, []string{"has the new configuration"}, "config", "edit", "invoices", "--yes")
	if err := os.WriteFile(stored, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code := slow.Wait(); code != cli.ExitFailure || !strings.Contains(slow.Stderr.String(), "Your text is in ") {
		t.Errorf("exit code %d:\n%s", code, slow.Stderr.String())
	}
	c.does(0, []string{"shardingTotalCount: 5"}, "get", "invoices")
	file := strings.TrimSuffix(strings.TrimSpace(after(slow.Stderr.String(), "Your text is in ")), ".")
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "shardingTotalCount: 7") {
		t.Errorf("%v: %s", err, text)
	}
	_ = os.RemoveAll(filepath.Dir(file)) // It's in the folder of temporary files.
}
