//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// Without a digest and without a word about it, console and agent say once that
// the tree is open; with --zookeeper-acl=open they take it as meant.
func TestV30OpenTreesAreReportedOnce(t *testing.T) {
	addr := startFake(t)
	a := startAgent(t, oneScript(addr, "SCRIPT"))
	a.Await("serving 1 jobs")
	if n := strings.Count(a.Said.String(), "world:anyone"); n != 1 {
		t.Errorf("the agent says it %d times:\n%s", n, a.Said.String())
	}
	for flag, want := range map[string]int{"--session-timeout=30s": 1, "--zookeeper-acl=open": 0, "--digest=a:b": 0} {
		p, _ := startServe(t, "--zookeeper="+addr, "--namespace=x", "--log-level=debug", flag)
		p.AwaitText("doctor: done")
		if n := strings.Count(p.Stderr.String(), "world:anyone"); n != want {
			t.Errorf("with %s the console says it %d times, want %d", flag, n, want)
		}
		p.Stop()
	}
}

func TestV30FlagsThatDoNotFit(t *testing.T) {
	folder := t.TempDir()
	cert, _ := zktest.NewAuthority(t).Issue(t, "x")
	file := filepath.Join(folder, "cert.pem")
	if err := os.WriteFile(file, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, flags := range map[string][]string{
		"--zookeeper-tls-ca: open /no/such": {"--zookeeper-tls-ca=/no/such"},
		"one of the two is missing":         {"--zookeeper-tls-cert=" + file},
		"x509 needs TLS with a client":      {"--zookeeper-acl=x509"},
		"digest needs a Digest":             {"--zookeeper-acl=digest"},
		"must be one of":                    {"--zookeeper-acl=all"},
	} {
		var out clitest.Output
		args := append([]string{"serve", "--zookeeper=127.0.0.1:1", "--namespace=x", "--listen=127.0.0.1:0", "--data=" + folder}, flags...)
		ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
		if code := program.Run(ctx, &commandLine{}, args, &out, &out, noEnv); code != cli.ExitUsage || !strings.Contains(out.String(), want) {
			t.Errorf("%v: %d %s", flags, code, out.String())
		}
		cancel()
	}
}
