package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
)

// signing is a console that knows root with the password hunter2.
func signing(t *testing.T) *consoleDouble {
	t.Helper()
	return answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/login":
			fmt.Fprint(w, `{"accessToken":"s3ssion"}`)
		case r.Header.Get("Authorization") != "Bearer s3ssion" && r.Header.Get("Authorization") != "Bearer t0ken":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"code":"no_token","message":"Nobody is signed in.","requestId":"r"}`)
		case r.URL.Path == "/api/me":
			fmt.Fprint(w, `{"username":"root","role":"root","expiresAt":"2026-11-22T10:30:00Z"}`)
		case r.URL.Path == "/api/logout":
			w.WriteHeader(http.StatusNoContent)
		default:
			fmt.Fprint(w, `[]`)
		}
	})
}

// TestContexts: login remembers a console and its token in a file that others can't read. The token
// goes to that console only, and logout forgets it.
func TestContexts(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := envOf(map[string]string{"XDG_CONFIG_HOME": home})
	password := filepath.Join(home, "password")
	if err := os.WriteFile(password, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	does := func(code int, want string, args ...string) {
		t.Helper()
		p := start(t, env, args...)
		if got, said := p.Wait(), p.Stdout.String()+p.Stderr.String(); got != code || !strings.Contains(said, want) || strings.Contains(said, "hunter2") {
			t.Errorf("%v: exit code %d, want %d and %q:\n%s", args, got, code, want, said)
		}
	}
	first, other := signing(t), signing(t)
	does(cli.ExitUsage, "elasticjob login", "job", "list", "--console="+first.URL)
	does(0, "signed in to "+first.URL+" as root: context default\n", "login", "--console="+first.URL+"/", "--user=root", "--password-file="+password)
	does(0, "signed in to "+other.URL+" as root: context prod\n", "login", "--context=prod", "--console="+other.URL, "--token-file="+tokenFile(t))
	file := filepath.Join(home, "elasticjob", "contexts.json")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, mode %v", err, info.Mode())
	}
	does(0, "root (root) at "+other.URL, "whoami")
	does(0, first.URL, "whoami", "--context=default")
	does(cli.ExitUsage, `Did you mean "prod"?`, "job", "list", "--context=prd")
	does(cli.ExitUsage, "no user and no token for "+first.URL, "whoami", "--console="+first.URL) // The token is for the other console.
	does(0, "", "context", "default")
	does(0, "*        default  "+first.URL, "context")
	does(0, "default\nprod\n", "context", "-o", "name")
	does(0, `[{"name":"default","current":true,"console":"`+first.URL+`","user":"root","signedIn":true},{"name":"prod","current":false`, "context", "-o", "json")
	does(0, "signed out of "+first.URL, "logout")
	does(cli.ExitFailure, "the context has no token", "logout")
	does(cli.ExitUsage, "elasticjob login", "job", "list")
	does(0, "root", "whoami", "--context=prod")
	does(0, "", "context", "prod", "--remove")
	for _, d := range []*consoleDouble{first, other} {
		for _, asked := range d.requests() {
			if d == other && asked.Auth == "Bearer s3ssion" || d == first && asked.Auth == "Bearer t0ken" {
				t.Errorf("a console got the token of the other one: %+v", asked)
			}
		}
	}
	text, err := os.ReadFile(file)
	var left contexts
	if err != nil || json.Unmarshal(text, &left) != nil || len(left.Contexts) != 1 || left.Contexts["default"].Token != "" || left.Contexts["default"].User != "root" {
		t.Errorf("%v: %s", err, text)
	}

	if err := os.WriteFile(file, []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	does(cli.ExitFailure, "Remove the file", "job", "list")
}

// TestLoginAsks: without flags login asks for the user and the password.
func TestLoginAsks(t *testing.T) {
	t.Parallel()
	d := signing(t)
	var said clitest.Output
	login := loginCommand{access: access{Console: d.URL}}
	p := &cli.Process{Ctx: t.Context(), Stdin: strings.NewReader("root\nhunter2\n"), Stdout: &said, Stderr: &said, Env: envOf(map[string]string{"HOME": t.TempDir()})}
	if err := login.Run(p); err != nil || !strings.HasPrefix(said.String(), "User: Password of root: signed in") {
		t.Errorf("%v: %s", err, said.String())
	}
	if body := d.requests()[0].Body; body != `{"password":"hunter2","username":"root"}` {
		t.Error(body)
	}
	if err := (&loginCommand{access: access{Console: d.URL}}).Run(&cli.Process{Ctx: t.Context(), Stdin: strings.NewReader(""), Stderr: &said, Env: noEnv}); err == nil {
		t.Error("it signed in nobody")
	}
}
