//go:build unix

package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// examined runs the doctor and returns its findings.
func examined(t *testing.T, env lookup, code int, args ...string) (list []doctor.Finding, text string) {
	t.Helper()
	p := start(t, env, append([]string{"doctor"}, args...)...)
	if got := p.wait(); got != code {
		t.Errorf("exit code %d, want %d:\n%s%s", got, code, p.stdout.String(), p.stderr.String())
	}
	text = p.stdout.String()
	p = start(t, env, append([]string{"doctor", "--json"}, args...)...)
	if got := p.wait(); got != code && code != exitUsage {
		t.Errorf("with --json exit code %d, want %d", got, code)
	}
	if err := json.Unmarshal([]byte(p.stdout.String()), &list); err != nil && code != exitUsage {
		t.Errorf("%v:\n%s", err, p.stdout.String())
	}
	if lines := strings.Count(text, "\n"); lines != len(list) {
		t.Errorf("%d lines for %d findings:\n%s", lines, len(list), text)
	}
	for _, f := range list {
		if f.Problem == "" || f.Where == "" || f.Why == "" || f.Fix == "" || !strings.Contains(text, f.String()) {
			t.Errorf("%+v is incomplete, or isn't a line of\n%s", f, text)
		}
	}
	return list, text
}

// wants compares findings with beginnings of their lines, in any order. A note may be missing in want.
func wants(t *testing.T, list []doctor.Finding, want ...string) {
	t.Helper()
	for _, beginning := range want {
		found := false
		for _, f := range list {
			found = found || strings.Contains(f.String(), beginning)
		}
		if !found {
			t.Errorf("lacks %q: %v", beginning, list)
		}
	}
	for _, f := range list {
		expected := f.Severity == doctor.Note
		for _, beginning := range want {
			expected = expected || strings.Contains(f.String(), beginning)
		}
		if !expected {
			t.Errorf("didn't expect %s", f)
		}
	}
}

// TestW17DoctorOfAJobFile: the doctor finds what --check finds, without a --zookeeper.
func TestW17DoctorOfAJobFile(t *testing.T) {
	t.Parallel()
	file := jobsFile(t, `elasticjob:
  regCenter: {serverLists: "`+startFake(t)+`", namespace: test, digest: "${PW}"}
  jobs:
    shell: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: "/bin/echo a | mail ops"}}
    absent: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: "/nowhere/job.sh --password=hunter2"}}
    past: {elasticJobType: SCRIPT, shardingTotalCount: 1, cron: "0 0 0 1 1 ? 2020", props: {script.command.line: "/bin/echo"}}
    wide: {elasticJobType: HTTP, shardingTotalCount: 1, props: {http.uri: "http://a/x？y", http.method: GET}}
    code: {elasticJobClass: com.acme.Nightly, shardingTotalCount: 1}
`)
	list, text := examined(t, envOf(map[string]string{"PW": "ops:hunter2"}), exitFailure, "--config="+file)
	wants(t, list, `warning: line 4: job shell: there is no shell, so the program gets "|" as an argument`,
		"warning: line 5: job absent: its program can't be started on this machine",
		"warning: line 6: job past: its cron never fires again", `warning: line 7: job wide: its address is probably misspelled`,
		"warning: namespace test: it doesn't exist in ZooKeeper")
	if strings.Contains(text, "hunter2") {
		t.Errorf("a secret is printed:\n%s", text)
	}

	list, _ = examined(t, noEnv, exitFailure, "--config="+jobsFile(t, "elasticjob: {jbos: 1}\n"))
	if len(list) != 3 || list[0].Severity != doctor.Error || list[0].Where != "line 1: elasticjob.jbos" {
		t.Errorf("%+v", list)
	}
	examined(t, noEnv, exitUsage, "--config=/nowhere/jobs.yaml")
	examined(t, noEnv, exitUsage)
}

// TestDoctorOfAConsole: accounts, keys, TLS and hosts, for this machine alone and for others. It
// leaves no file behind.
func TestDoctorOfAConsole(t *testing.T) {
	t.Parallel()
	registry := startFake(t)
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--zookeeper=" + registry, "--namespace=test", "--zookeeper-acl=open", "--data=" + data}
	const noNamespace = "warning: namespace test: it doesn't exist in ZooKeeper"
	list, _ := examined(t, noEnv, exitFailure, flags...)
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
	list, _ = examined(t, envOf(map[string]string{"ELASTICJOB_LISTEN": "0.0.0.0:8899"}), exitFailure,
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
	list, _ = examined(t, noEnv, exitFailure, append(flags, "--tls-cert="+key, "--tls-key="+key)...)
	wants(t, list, noNamespace, "error: serve: --tls-key "+key+" can be read by every user of this machine")
	examined(t, noEnv, exitUsage, "--zookeeper="+registry)
	examined(t, noEnv, exitUsage, append(flags, "--allow-hosts=http://x")...)
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
	startAgent(t, oneScript(registry, "SCRIPT")).await("serving 1 jobs")
	flags := []string{"--zookeeper=" + registry, "--namespace=test", "--zookeeper-acl=open", "--data=" + data}
	p := start(t, noEnv, append([]string{"serve", "--listen=127.0.0.1:0", "--log-level=debug"}, flags...)...)
	if said := p.awaitText("doctor: done"); strings.Contains(said, "the doctor found a fault") {
		t.Errorf("a warning:\n%s", said)
	}
	p.stop()
	list, _ := examined(t, noEnv, exitOK, flags...)
	wants(t, list, "note: --session-key: ")

	if err := os.WriteFile(filepath.Join(data, "settings.key"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, _ = examined(t, noEnv, exitFailure, flags...)
	wants(t, list, "error: --settings-key-file: ")
}

// TestDoctorOfMissingTables: a database that wasn't migrated stays as it is.
func TestDoctorOfMissingTables(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	storetest.Open(t, dsn)
	flags := []string{"--zookeeper=" + startFake(t), "--namespace=test", "--zookeeper-acl=open",
		"--data=" + t.TempDir(), "--dsn=" + dsn}
	list, _ := examined(t, noEnv, exitFailure, flags...)
	wants(t, list, "migrations are missing. Why: ", "it doesn't exist in ZooKeeper")

	list, _ = examined(t, noEnv, exitFailure, append(flags, "--dsn="+filepath.Join(t.TempDir(), "none.db"))...)
	wants(t, list, "none.db: the file doesn't exist yet", "it doesn't exist in ZooKeeper")
	list, _ = examined(t, noEnv, exitFailure, append(flags, "--dsn=mysql://user:password@127.0.0.1:1/none")...)
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
	said := p.awaitText("doctor: done")
	for _, want := range []string{"it doesn't exist in ZooKeeper", "new nodes are open to every user"} {
		if strings.Count(said, want) != 1 {
			t.Errorf("%q isn't logged once:\n%s", want, said)
		}
	}
	file := strings.Replace(oneScript(registry, "SCRIPT"), "/bin/true", "/nowhere/job.sh", 1)
	a := startAgent(t, file, "--log-level=debug")
	a.await("doctor: done")
	for _, want := range []string{"its program can't be started", "world:anyone"} {
		if strings.Count(a.said.String(), want) != 1 {
			t.Errorf("%q isn't logged once:\n%s", want, a.said.String())
		}
	}
}
