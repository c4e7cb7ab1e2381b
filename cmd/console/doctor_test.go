//go:build unix

package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func examined(t *testing.T, env cli.Lookup, code int, args ...string) ([]doctor.Finding, string) {
	t.Helper()
	return clitest.Examined(t, program, &commandLine{}, env, code, args...)
}

var wants = clitest.WantFindings

// TestDoctorOfAConsole: accounts, keys, TLS and hosts, for this machine alone and for others. It
// leaves no file behind.
func TestDoctorOfAConsole(t *testing.T) {
	t.Parallel()
	registry := startFake(t)
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--zookeeper=" + registry, "--namespace=test", "--zookeeper-acl=open", "--data=" + data}
	const noNamespace = "warning: namespace test: it doesn't exist in ZooKeeper"
	list, _ := examined(t, noEnv, cli.ExitFailure, flags...)
	wants(t, list, noNamespace, "note: --auth: an account has its shipped password",
		"note: --session-key: there is no key file",
		"note: sqlite://"+filepath.Join(data, "console.db")+": the file doesn't exist yet")
	if _, err := os.Stat(data); err == nil {
		t.Error("the doctor made the data folder")
	}

	key := filepath.Join(t.TempDir(), "session.key")
	if err := os.WriteFile(key, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, _ = examined(t, envOf(map[string]string{"ELASTICJOB_LISTEN": "0.0.0.0:8899"}), cli.ExitFailure,
		append(flags, "--session-key="+key, "--api-basic-auth", "--allow-hosts=*")...)
	wants(t, list, noNamespace, "error: --auth: an account has its shipped password",
		"error: --session-key: console: signing key",
		"warning: --listen 0.0.0.0:8899: neither the console nor a known proxy speaks TLS",
		"warning: --api-basic-auth: ",
		"note: --allowed-hosts: the console answers to every name",
		"note: --allow-hosts: the console may connect to every address")

	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	list, _ = examined(t, noEnv, cli.ExitFailure, append(flags, "--tls-cert="+key, "--tls-key="+key)...)
	wants(t, list, noNamespace, "error: serve: --tls-key "+key+" can be read by every user of this machine")
	examined(t, noEnv, cli.ExitUsage, "--zookeeper="+registry)
	examined(t, noEnv, cli.ExitUsage, append(flags, "--allow-hosts=http://x")...)
}

// TestDoctorOfCertificates: a warning before a certificate ends, and an error after that.
func TestDoctorOfCertificates(t *testing.T) {
	t.Parallel()
	cert, key := zktest.NewAuthority(t).Issue(t, "console", "127.0.0.1")
	folder := t.TempDir()
	files := []string{filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")}
	for i, text := range [][]byte{cert, key} {
		if err := os.WriteFile(files[i], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	encrypted, err := serverTLS(files[0], files[1], slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	pair, err := encrypted.GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	end := pair.Leaf.NotAfter
	for now, want := range map[time.Time]doctor.Severity{
		end.Add(-renewBefore - time.Hour): "", end.Add(-time.Hour): doctor.Warning, end.Add(time.Hour): doctor.Error,
	} {
		var got doctor.Severity
		for _, f := range consoleFindings(siteOptions{listen: "127.0.0.1:0", tls: encrypted}, now) {
			if f.Where == "--tls-cert" {
				got = f.Severity
			}
		}
		if got != want {
			t.Errorf("at %v: %q, want %q", now, got, want)
		}
	}
}

// TestDoctorOfACleanConsole: exit code 0 and notes alone after a console and an agent have run.
func TestDoctorOfACleanConsole(t *testing.T) {
	t.Parallel()
	registry, data := startFake(t), t.TempDir()
	startAgent(t, oneScript(registry, "SCRIPT")).Await("serving 1 jobs")
	flags := []string{"--zookeeper=" + registry, "--namespace=test", "--zookeeper-acl=open", "--data=" + data}
	p := start(t, noEnv, append([]string{"serve", "--listen=127.0.0.1:0", "--log-level=debug"}, flags...)...)
	if said := p.AwaitText("doctor: done"); strings.Contains(said, "the doctor found a fault") {
		t.Errorf("a warning:\n%s", said)
	}
	p.Stop()
	list, _ := examined(t, noEnv, cli.ExitOK, flags...)
	wants(t, list, "note: --session-key: ")

	if err := os.WriteFile(filepath.Join(data, "settings.key"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, _ = examined(t, noEnv, cli.ExitFailure, flags...)
	wants(t, list, "error: --settings-key-file: ")
}

// TestDoctorOfMissingTables: a database that wasn't migrated stays as it is.
func TestDoctorOfMissingTables(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	storetest.Open(t, dsn)
	flags := []string{"--zookeeper=" + startFake(t), "--namespace=test", "--zookeeper-acl=open",
		"--data=" + t.TempDir(), "--dsn=" + dsn}
	list, _ := examined(t, noEnv, cli.ExitFailure, flags...)
	wants(t, list, "migrations are missing. Why: ", "it doesn't exist in ZooKeeper")

	list, _ = examined(t, noEnv, cli.ExitFailure, append(flags, "--dsn="+filepath.Join(t.TempDir(), "none.db"))...)
	wants(t, list, "none.db: the file doesn't exist yet", "it doesn't exist in ZooKeeper")
	list, _ = examined(t, noEnv, cli.ExitFailure, append(flags, "--dsn=mysql://user:password@127.0.0.1:1/none")...)
	wants(t, list, "error: trace database: ", "it doesn't exist in ZooKeeper")
	if got := store.ReadOnly("mysql://h/d"); got != "mysql://h/d" {
		t.Error(got)
	}
}

// TestDoctorAtStart: serve and agent log each finding once.
func TestDoctorAtStart(t *testing.T) {
	t.Parallel()
	registry := startFake(t)
	p, _ := startServe(t, "--zookeeper="+registry, "--namespace=absent", "--log-level=debug")
	said := p.AwaitText("doctor: done")
	for _, want := range []string{"it doesn't exist in ZooKeeper", "new nodes are open to every user"} {
		if strings.Count(said, want) != 1 {
			t.Errorf("%q isn't logged once:\n%s", want, said)
		}
	}
	file := strings.Replace(oneScript(registry, "SCRIPT"), "/bin/true", "/nowhere/job.sh", 1)
	a := startAgent(t, file, "--log-level=debug")
	a.Await("doctor: done")
	for _, want := range []string{"its program can't be started", "world:anyone"} {
		if strings.Count(a.Said.String(), want) != 1 {
			t.Errorf("%q isn't logged once:\n%s", want, a.Said.String())
		}
	}
}
