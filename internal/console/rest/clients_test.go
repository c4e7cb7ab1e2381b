//go:build servers

package rest

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW53Clients generates a TypeScript and a Python client from the document that a console
// serves, and makes a call with each. The generators come from PyPI and npm, in the versions of
// .ci/clients.
func TestW53Clients(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	document := b.Call(t, http.MethodGet, "/api/openapi.json", "")
	consoletest.WantStatus(t, document, http.StatusOK)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../.ci/clients")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "openapi.json"), []byte(document.Body), 0o600); err != nil {
		t.Fatal(err)
	}
	// run runs a command in the folder, with the tools of its Python environment first.
	run := func(t *testing.T, command string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "tools", "bin")+":"+os.Getenv("PATH"), "CONSOLE="+b.URL,
			"TOKEN="+b.Token(t, auth.RoleGuest, auth.ForAPI), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run(t, "python3 -m venv tools && pip install --quiet --no-compile --no-deps -r requirements.txt")
	for name, commands := range map[string][]string{
		"TypeScript": {
			"npm ci --silent --no-audit --no-fund", "npx openapi-typescript openapi.json -o schema.ts",
			"npx tsc --noEmit --strict --module nodenext --target es2022 --allowImportingTsExtensions call.ts", "node call.ts",
		},
		"Python": {"openapi-python-client generate --path openapi.json --meta none --output-path client", "python call.py"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out string
			for _, command := range commands {
				out = run(t, command)
				if strings.Contains(strings.ToLower(out), "warning") {
					t.Errorf("%s: %s", command, out)
				}
			}
			if out != "invoices 4" {
				t.Errorf("the client shows %q", out)
			}
		})
	}
}
