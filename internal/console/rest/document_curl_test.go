//go:build servers

package rest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestCurlLines runs every command of the document with curl itself.
func TestCurlLines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(apiDocument)
	if err != nil {
		t.Fatal(err)
	}
	b := consoletest.New(t)
	wants := make(map[string]int)
	for _, r := range documented(b.Console.Routes()) {
		op := operationOf(r)
		wants[curlLine(r, op)] = op.Success()
	}
	seen := 0
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		seen++
		b.Settings.Reset()
		b := b
		if strings.Contains(line, "/requested-runs/") && (strings.Contains(line, "/start") || strings.Contains(line, "/cancel")) {
			b = consoletest.New(t) // A line before has ended the run.
		}
		if strings.Contains(line, "/api/app") || strings.Contains(line, "/api/job/") || strings.Contains(line, "/api/operate") {
			b = consoletest.New(t) // Upstream's addresses are about the same jobs as ours.
		}
		if strings.Contains(line, "/api/cloud/runs/") {
			if b = consoletest.New(t); strings.Contains(line, "/rerun") {
				killed(b)
			}
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", line+` -o /dev/null -w '%{http_code}'`)
		// Each has a token of its own: one of the operations ends it.
		cmd.Env = append(os.Environ(), "CONSOLE="+b.URL, "TOKEN="+b.Token(t, auth.RoleRoot, auth.ForAPI), "TASK_TOKEN="+cloudfake.Token("invoices", 0), "PASSWORD=r00t-Canary-7", "no_proxy=*")
		out, err := cmd.CombinedOutput()
		if want := fmt.Sprint(wants[line]); err != nil || string(out) != want {
			t.Errorf("%s\n%s, %v, want %s", line, out, err, want)
		}
	}
	if seen != len(wants) {
		t.Errorf("%d commands, %d operations", seen, len(wants))
	}
}
