//go:build servers && unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// V30, and V08 with it: `elasticjob agent` and `console serve` reach a ZooKeeper
// over TLS, in a chroot, with x509 ACLs. Other clients can't read the nodes that they create,
// and a renewed certificate needs no restart.
func TestV30FlagsOverTLS(t *testing.T) {
	authority := zktest.NewAuthority(t)
	srv := zktest.StartZooKeeperWith(t, zktest.Options{TLS: authority})
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cert, key := authority.Issue(t, "fleet")
	flags := []string{
		"--zookeeper-tls-ca=" + write("ca.pem", authority.PEM), "--zookeeper-tls-cert=" + write("cert.pem", cert),
		"--zookeeper-tls-key=" + write("key.pem", key), "--zookeeper-acl=x509",
	}
	stranger, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr()}})
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if _, err := stranger.Create(t.Context(), "/elastic", nil, zk.Persistent); err != nil {
		t.Fatal(err)
	}

	a := startAgent(t, oneScript(srv.SecureAddr()+"/elastic", "SCRIPT"), flags...)
	a.Await("serving 1 jobs")
	names, _, err := stranger.Children(t.Context(), "/elastic")
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if _, _, err := stranger.Children(t.Context(), "/elastic/"+names[0]); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("a stranger sees the jobs: %v", err)
	}

	p, site := startServe(t, append([]string{"--zookeeper=" + srv.SecureAddr() + "/elastic", "--namespace=" + names[0]}, flags...)...)
	eventually(t, "the console is ready", func() bool { return readyState(t, site) == "ok" })
	for who, printed := range map[string]string{"agent": a.Said.String(), "console": p.Stderr.String()} {
		if strings.Contains(printed, "world:anyone") {
			t.Errorf("the %s warns although nothing is open:\n%s", who, printed)
		}
	}

	// Renewed, and the old one forgotten by everybody: only who reads the files
	// again gets a connection.
	cert, key = authority.Issue(t, "fleet")
	write("cert.pem", []byte("half written"))
	write("key.pem", key)
	srv.Restart(t)
	write("cert.pem", cert)
	eventually(t, "the console is ready again", func() bool { return readyState(t, site) == "ok" })
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d", code)
	}
}
