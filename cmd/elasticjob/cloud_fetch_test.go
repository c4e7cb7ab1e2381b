package main

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestCL30FetchCommand: the exit code says whether trying again is useless, standard error and
// the termination message say why, and nothing stays.
func TestCL30FetchCommand(t *testing.T) {
	t.Parallel()
	const program = "#!/bin/sh\necho well\n"
	served := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away.sh" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = w.Write([]byte(program))
	}))
	t.Cleanup(served.Close) // Later than those who are parallel.
	bytes := sha256.Sum256([]byte(program))
	sum, host := hex.EncodeToString(bytes[:]), strings.TrimPrefix(served.URL, "https://")
	for name, tt := range map[string]struct {
		path, sum, hosts string
		code             int
		words            []string
	}{
		"well":      {"/run.sh", sum, host, cli.ExitOK, nil},
		"wrong sum": {"/run.sh", strings.Repeat("0", 64), host, exitRefused, []string{sum, strings.Repeat("0", 64)}},
		"no host":   {"/run.sh", sum, "", exitRefused, []string{"--cloud-fetch-hosts"}},
		"not it":    {"/run.sh", sum, "elsewhere.example", exitRefused, []string{host, "elsewhere.example"}},
		"no list":   {"/run.sh", sum, "*.example", cli.ExitUsage, []string{"--hosts", "*.example"}},
		"no tar":    {"/run.tar", sum, host, exitRefused, []string{"run.tar", "cannot be read"}},
		"away":      {"/away.sh", sum, host, cli.ExitFailure, []string{"answers 503"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, message := filepath.Join(t.TempDir(), "app"), filepath.Join(t.TempDir(), "message")
			env := func(name string) (string, bool) { return message, name == "ELASTICJOB_TERMINATION_MESSAGE_PATH" }
			c := &cloudFetchCommand{URL: served.URL + tt.path, SHA256: tt.sum, To: dir, transport: served.Client().Transport, pause: time.Millisecond}
			if tt.hosts != "" {
				c.Hosts = []string{tt.hosts}
			}
			err := c.Run(&cli.Process{Ctx: t.Context(), Env: env, Log: slog.New(slog.DiscardHandler)})
			if code := codeOf(err); code != tt.code {
				t.Fatalf("exit code %d, want %d: %v", code, tt.code, err)
			}
			text, _ := os.ReadFile(message)
			for _, word := range tt.words {
				if !strings.Contains(err.Error(), word) || tt.code != cli.ExitUsage && !strings.Contains(string(text), word) {
					t.Errorf("the error is %v, the message %q; want %q", err, text, word)
				}
			}
			if _, err := os.Lstat(dir); (err == nil) != (tt.code == cli.ExitOK) {
				t.Errorf("the folder: %v", err)
			}
		})
	}
}

// codeOf is the exit code of an error.
func codeOf(err error) int {
	f, ok := err.(*cli.Failure) //nolint:errorlint // As run returns it.
	switch {
	case err == nil:
		return cli.ExitOK
	case ok:
		return f.Code
	}
	return cli.ExitFailure
}

// TestFetchCommandLine: as a pod calls it, with a real command line.
func TestFetchCommandLine(t *testing.T) {
	t.Parallel()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close()
	sum, dir := "--sha256="+strings.Repeat("0", 64), "--to="+filepath.Join(t.TempDir(), "app")
	for words, tt := range map[string]struct {
		code int
		args []string
	}{
		"host repo.example:443 is not allowed, only a.example, b.example:8443": {exitRefused, []string{"--url=https://repo.example/shop.tar.gz", sum, "--hosts=a.example,b.example:8443", dir}},
		"archives must be fetched by https":                                    {exitRefused, []string{"--url=http://repo.example/shop.tar.gz", sum, "--hosts=repo.example", dir}},
		"64 hexadecimal digits":                                                {exitRefused, []string{"--url=https://repo.example/shop.tar.gz", "--sha256=none", "--hosts=repo.example", dir}},
		"took longer than 1ns":                                                 {cli.ExitFailure, []string{"--timeout=1ns", "--url=https://" + nobody.Addr().String() + "/shop.tar.gz", sum, "--hosts=127.0.0.1", dir}},
		"missing flags: --to=DIR":                                              {cli.ExitUsage, []string{"--url=https://repo.example/shop.tar.gz", sum}},
	} {
		p := start(t, noEnv, append([]string{"cloud", "fetch"}, tt.args...)...)
		if code := p.Wait(); code != tt.code || !strings.Contains(p.Stderr.String(), words) {
			t.Errorf("%v: exit code %d, %s", tt.args, code, p.Stderr.String())
		}
	}
}
