package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestServeRefusesToStartPrograms: serve starts programs only below a given folder, and only if it may.
func TestServeRefusesToStartPrograms(t *testing.T) {
	t.Parallel()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	const document = `{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],"users":[{"name":"u","user":{"token":"t"}}]}`
	if err := os.WriteFile(kubeconfig, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"no folder of programs is named": {"--cloud=local"},
		"no such file or directory":      {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir() + "/none"},
		"--cloud-local-user doesn't nam": {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir()}, // W62
		"--cloud-local-user nosuch: ":    {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-local-user=nosuch"},
		"--cloud-local-user x:y: ":       {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-local-user=x:y"},
		"the right to change what is":    {"--cloud=local", "--cloud-local-apps=" + t.TempDir()},
		"are about --cloud local":        {"--cloud-local-apps=" + t.TempDir()},
		"--cloud-local-cpu -1 is out of": {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-local-cpu=-1"},
		"--cloud-local-memory -1 is out": {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-local-memory=-1"},
		`must be one of "","local"`:      {"--cloud=mesos"},
		"are about --cloud kubernetes":   {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-namespace=jobs"},
		"is not in a cluster":            {"--cloud=kubernetes"}, // W64
		"no such file":                   {"--cloud=kubernetes", "--cloud-kubeconfig=" + t.TempDir() + "/none"},
		`--cloud-namespace "A_B"`:        {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-namespace=A_B"},
		`--cloud-namespaces "A_B"`:       {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-namespaces=a,A_B"},
		`--cloud-namespaces "*"`:         {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-namespaces=*"},
		"--cloud-namespaces has 51 name": {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-namespaces=a" + strings.Repeat(",b", 50)},
		"--cloud-namespaces, --cloud-se": {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-namespaces=jobs"},
		`--cloud-service-accounts "A_B"`: {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-service-accounts=a,A_B"},
		`--cloud-secrets "A_B"`:          {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-secrets=a,A_B"}, // W64
		"--cloud-events-url is no addre": {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-events-url=http://console/events"},
		"--cloud-registry-servers and -": {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-registry-servers=zk:2181"},
		"--cloud-registry-servers: ":     {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-registry-servers=:", "--cloud-registry-namespace=shop"},
		"--cloud-registry-namespace: ":   {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-registry-servers=zk:2181", "--cloud-registry-namespace=a//b"},
		"--cloud-time-zone, --cloud-f":   {"--cloud-time-zone=UTC"},
		"are about --cloud":              {"--cloud-fetch-hosts=repo.example"},
		"--cloud-time-zone, --cloud-fet": {"--cloud-notify-hosts=mail.example"},
		`--cloud-notify-hosts: "http://`: {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-notify-hosts=http://chat.example"},
		`--cloud-fetch-hosts: "*.exampl`: {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-fetch-hosts=*.example"},
		"and no image that fetches":      {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-fetch-hosts=repo.example"},
		"--cloud-runtime-image is no im": {"--cloud=kubernetes", "--cloud-kubeconfig=" + kubeconfig, "--cloud-runtime-image=a b"},
		"--cloud-fetch-image and --clou": {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-fetch-image=console:1"},
		"--cloud-time-zone: ":            {"--cloud=local", "--allow-command-changes", "--cloud-local-apps=" + t.TempDir(), "--cloud-time-zone=Nowhere"},
	} {
		p := start(t, noEnv, append([]string{"serve", "--zookeeper=127.0.0.1:1", "--namespace=x", "--listen=127.0.0.1:0", "--data=" + t.TempDir()}, args...)...)
		if code := p.Wait(); code != cli.ExitUsage || !strings.Contains(p.Stderr.String(), want) {
			t.Errorf("%v: exit code %d, %s", args, code, p.Stderr.String())
		}
	}
}

// TestCL31AddressOfTheConsole: messages about failed runs have a link if the redirect URL of
// OpenID Connect shows the console's address.
func TestCL31AddressOfTheConsole(t *testing.T) {
	t.Parallel()
	for redirect, want := range map[string]string{"": "", "https://jobs.example/console/login/oidc/callback": "https://jobs.example/console", "https://jobs.example/other": ""} {
		if got := (&oidcFlags{RedirectURL: redirect}).site(); got != want {
			t.Errorf("%q: %q, want %q", redirect, got, want)
		}
	}
}
