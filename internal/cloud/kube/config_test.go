package kube

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoadConfig: the server, the user and the namespace of a file are used, and its errors are reported.
func TestLoadConfig(t *testing.T) {
	const document = `
apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: one, user: me, namespace: jobs}}]
clusters: [{name: one, cluster: {server: "https://api.example:6443"}}]
users: [{name: me, user: {token: abc}}]
`
	file := func(t *testing.T, text string) string {
		path := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Run("a file", func(t *testing.T) {
		cfg, namespace, err := LoadConfig(file(t, document), "console/1")
		if err != nil || namespace != "jobs" || cfg.Host != "https://api.example:6443" || cfg.BearerToken != "abc" || cfg.UserAgent != "console/1" {
			t.Errorf("%+v, %q, %v", cfg, namespace, err)
		}
	})
	t.Run("a file without a namespace", func(t *testing.T) {
		if _, namespace, err := LoadConfig(file(t, strings.Replace(document, ", namespace: jobs", "", 1)), ""); err != nil || namespace != "default" {
			t.Errorf("%q, %v", namespace, err)
		}
	})
	for name, c := range map[string]struct{ path, want string }{
		"a file that is not there": {filepath.Join(t.TempDir(), "none"), "no such file"},
		"a file of another kind":   {file(t, "kind: [nonsense"), "kubeconfig: "},
		"an empty file":            {file(t, ""), "kubeconfig: "},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := LoadConfig(c.path, ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	t.Run("no file and no cluster", func(t *testing.T) {
		t.Setenv("KUBERNETES_SERVICE_HOST", "")
		if _, _, err := LoadConfig("", ""); err == nil || !strings.Contains(err.Error(), "not in a cluster") {
			t.Error(err)
		}
	})
}
