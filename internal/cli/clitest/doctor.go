package clitest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/doctor"
)

// Examined runs the doctor and returns its findings.
func Examined(t *testing.T, g cli.Program, flags cli.Flags, env cli.Lookup, code int, args ...string) (list []doctor.Finding, text string) {
	t.Helper()
	p := Start(t, g, flags, env, append([]string{"doctor"}, args...)...)
	if got := p.Wait(); got != code {
		t.Errorf("exit code %d, want %d:\n%s%s", got, code, p.Stdout.String(), p.Stderr.String())
	}
	text = p.Stdout.String()
	p = Start(t, g, flags, env, append([]string{"doctor", "--json"}, args...)...)
	if got := p.Wait(); got != code && code != cli.ExitUsage {
		t.Errorf("with --json exit code %d, want %d", got, code)
	}
	if err := json.Unmarshal([]byte(p.Stdout.String()), &list); err != nil && code != cli.ExitUsage {
		t.Errorf("%v:\n%s", err, p.Stdout.String())
	}
	if lines := strings.Count(text, "\n"); lines != len(list) {
		t.Errorf("%d lines for %d findings:\n%s", lines, len(list), text)
	}
	for _, f := range list {
		if f.Problem == "" || f.Where == "" || f.Why == "" || f.Fix == "" || !strings.Contains(text, f.String()) {
			t.Errorf("%+v is incomplete, or isn't a line of\n%s", f, text)
		}
	}
	return list, text
}

// WantFindings compares findings with beginnings of their lines, in any order. A note may be missing in want.
func WantFindings(t *testing.T, list []doctor.Finding, want ...string) {
	t.Helper()
	for _, beginning := range want {
		found := false
		for _, f := range list {
			found = found || strings.Contains(f.String(), beginning)
		}
		if !found {
			t.Errorf("lacks %q: %v", beginning, list)
		}
	}
	for _, f := range list {
		expected := f.Severity == doctor.Note
		for _, beginning := range want {
			expected = expected || strings.Contains(f.String(), beginning)
		}
		if !expected {
			t.Errorf("didn't expect %s", f)
		}
	}
}
