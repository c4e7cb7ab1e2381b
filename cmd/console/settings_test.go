//go:build unix

package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestA37C01C10NoDefaultPasswordForOthers: without any configuration nobody but
// this machine can reach the console with a password that everybody knows, however
// the address is written.
func TestA37C01C10NoDefaultPasswordForOthers(t *testing.T) {
	t.Parallel()
	var line commandLine
	parser, err := kong.New(&line, kong.Name("console"))
	if err != nil {
		t.Fatal(err)
	}
	listeners := 0
	for _, c := range parser.Model.Children {
		for _, f := range c.Flags {
			if f.Name != "listen" {
				continue
			}
			listeners++
			if host, _, err := net.SplitHostPort(f.Default); err != nil || !cli.Loopback(host) {
				t.Errorf("console %s listens on %s by default", c.Name, f.Default)
			}
		}
	}
	if listeners < 2 {
		t.Errorf("%d commands that listen: serve and demo do", listeners)
	}
	for _, listen := range []string{"0.0.0.0:0", ":0", "[::]:0", "example.invalid:0"} {
		p := start(t, noEnv, "serve", "--zookeeper=127.0.0.1:1", "--namespace=n", "--listen="+listen, "--data="+t.TempDir())
		if code := p.Wait(); code != cli.ExitFailure || !strings.Contains(p.Stderr.String(), "shipped password") {
			t.Errorf("--listen %s: exit code %d\n%s", listen, code, p.Stderr.String())
		}
	}
	for _, accounts := range []string{
		"root.username=root\nroot.password=my own\nguest.username=guest\nguest.password=guest\n", "root.username=ada\nroot.password=change-me\n",
	} {
		half := filepath.Join(t.TempDir(), "auth.properties")
		if err := os.WriteFile(half, []byte(accounts), 0o600); err != nil {
			t.Fatal(err)
		}
		p := start(t, noEnv, "serve", "--zookeeper=127.0.0.1:1", "--namespace=n", "--listen=0.0.0.0:0", "--auth="+half, "--data="+t.TempDir())
		if code := p.Wait(); code != cli.ExitFailure {
			t.Errorf("%q: exit code %d", accounts, code)
		}
	}
}

// TestA41ServeWithoutTheProvider: a console whose provider is away starts, and
// its login page has the button.
func TestA41ServeWithoutTheProvider(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, site := startServe(t, "--zookeeper=127.0.0.1:1", "--namespace=n", "--data="+t.TempDir(), "--oidc-issuer=http://127.0.0.1:1",
		"--oidc-client-id=c", "--oidc-client-secret-file="+file, "--oidc-redirect-url=http://localhost:8899/login/oidc/callback", "--oidc-guest-group=staff", "--oidc-name=Acme")
	for address, want := range map[string]int{"/login": http.StatusOK, "/login/oidc": http.StatusServiceUnavailable} {
		r, err := http.Get(site + address)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != want || !strings.Contains(string(body), "Sign in with Acme") {
			t.Errorf("%s: %d, %v", address, r.StatusCode, err)
		}
	}
	if code := p.Stop(); code != cli.ExitOK || strings.Contains(p.Stderr.String(), "hunter2") {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
}

// TestA39LogoutOutlivesARestart, and so do the registries that were
// entered; with another key for their secrets the console does not start.
func TestA39LogoutOutlivesARestart(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		data := t.TempDir()
		key := filepath.Join(data, "session.key")
		if err := os.WriteFile(key, []byte("f3dc426d8b565130e6c463f0c58f9454a3e5d842"), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"--zookeeper=" + srv.Addr, "--namespace=" + zktest.Namespace(t), "--session-key=" + key, "--data=" + data}
		p, site := startServe(t, args...)
		f := fleet{site: site}
		kept, given := f.signIn(t, "root"), f.signIn(t, "root")
		entry := map[string]string{"name": "other", "zkAddressList": srv.Addr, "namespace": zktest.Namespace(t), "digest": "ops:hunter2"}
		if got := kept.call(t, http.MethodPost, "/api/registry-center", entry, nil); got != http.StatusCreated {
			t.Fatalf("enter a registry: %d", got)
		}
		if got := given.call(t, http.MethodPost, "/api/logout", nil, nil); got != http.StatusNoContent {
			t.Fatalf("sign out: %d", got)
		}
		if code := p.Stop(); code != cli.ExitOK {
			t.Fatalf("exit code %d:\n%s", code, p.Stderr.String())
		}

		p, site = startServe(t, args...)
		kept.site, given.site = site, site
		if got := given.call(t, http.MethodGet, "/api/me", nil, nil); got != http.StatusUnauthorized {
			t.Errorf("signed out before the restart: %d", got)
		}
		if got := kept.call(t, http.MethodGet, "/api/me", nil, nil); got != http.StatusOK {
			t.Errorf("not signed out: %d", got)
		}
		if got := kept.call(t, http.MethodGet, "/api/jobs?registry=other", nil, nil); got != http.StatusOK {
			t.Errorf("the entered registry: %d", got)
		}
		if strings.Contains(p.Stderr.String(), "hunter2") {
			t.Error("the digest is in the log")
		}
		if code := p.Stop(); code != cli.ExitOK {
			t.Fatalf("exit code %d:\n%s", code, p.Stderr.String())
		}
		stranger := start(t, noEnv, append([]string{"serve", "--listen=127.0.0.1:0", "--settings-key=1a32d45717a0fee41f9d2421b4069ea4710a3e6ea35268bbe631b42234ea8883"}, args...)...)
		if code := stranger.Wait(); code != cli.ExitFailure || !strings.Contains(stranger.Stderr.String(), "--settings-key-file") {
			t.Errorf("with another key: exit code %d\n%s", code, stranger.Stderr.String())
		}
	})
}
