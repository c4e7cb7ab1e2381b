//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

var startedAt = regexp.MustCompile(`msg="console started" address=(http://\S+)`)

// startServe runs `console serve` in this process and returns where it is.
func startServe(t *testing.T, args ...string) (*clitest.Running, string) {
	t.Helper()
	p := start(t, noEnv, append([]string{"serve", "--listen=127.0.0.1:0", "--data=" + t.TempDir()}, args...)...)
	printed := p.AwaitText("console started")
	m := startedAt.FindStringSubmatch(printed)
	if m == nil {
		t.Fatalf("the console did not say where it listens:\n%s", printed)
	}
	return p, m[1]
}

// readyState is the status in the answer of the readiness probe, which must be 200.
func readyState(t *testing.T, site string) string {
	t.Helper()
	resp, err := http.Get(site + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body struct{ Status string }
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("/readyz: %s, %v", resp.Status, err)
	}
	return body.Status
}

// TestA24ServeOutlivesItsRegistry starts while ZooKeeper is down, sees it come,
// stop and start again: pages say so each time and recover by themselves. Kubernetes
// must not take them away for it (W34).
func TestA24ServeOutlivesItsRegistry(t *testing.T) {
	t.Parallel()
	registry := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond})
	t.Cleanup(func() { registry.Close() })
	addr, err := registry.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	registry.Stop()

	p, site := startServe(t, "--zookeeper="+addr.String(), "--namespace=outage", "--session-timeout=4s")
	f := fleet{site: site}
	a := f.signIn(t, "root")
	check := func(when, ready string, jobs int) {
		t.Helper()
		eventually(t, when, func() bool {
			return readyState(t, site) == ready && a.call(t, http.MethodGet, "/api/jobs", nil, nil) == jobs
		})
		if got := status(t, site+"/healthz"); got != http.StatusOK {
			t.Errorf("%s: /healthz answers %d: a restart would not help", when, got)
		}
		health := start(t, noEnv, "health", "--path=/readyz", "--listen="+strings.TrimPrefix(site, "http://"))
		if code := health.Wait(); code != cli.ExitOK {
			t.Errorf("%s: console health ends with %d: %s", when, code, health.Stderr.String())
		}
	}
	check("down at the start", "degraded", http.StatusServiceUnavailable)
	for range 2 {
		if err := registry.Start(); err != nil {
			t.Fatal(err)
		}
		check("the registry is there", "ok", http.StatusOK)
		registry.Stop()
		check("the registry is away", "degraded", http.StatusServiceUnavailable)
	}
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d while the registry is away:\n%s", code, p.Stderr.String())
	}
}

// TestC12AccountsAreReadAgain: a changed file counts after a hangup signal, also
// for who is signed in already; one with a mistake does not.
func TestC12AccountsAreReadAgain(t *testing.T) {
	// Not parallel: the signal reaches every console of this process.
	file := filepath.Join(t.TempDir(), "auth.properties")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("root.username=ada\nroot.password=ada\n")
	p, site := startServe(t, "--zookeeper=127.0.0.1:1", "--namespace=x", "--auth="+file)
	f := fleet{site: site}
	ada := f.signIn(t, "ada")

	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	hangup := func() {
		t.Helper()
		if err := self.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	write("root.username=grace\nroot.password=grace\nnonsense=1\n")
	hangup()
	p.AwaitText("accounts not reloaded")
	f.signIn(t, "ada")
	session := func(who string, a restClient, want int) {
		t.Helper()
		if code := a.call(t, http.MethodGet, "/api/me", nil, nil); code != want {
			t.Errorf("%s's session: status %d, want %d", who, code, want)
		}
	}
	session("ada", ada, http.StatusOK)
	write("root.username=grace\nroot.password=grace\n")
	hangup()
	p.AwaitText("accounts=\"grace (root)\"")
	grace := f.signIn(t, "grace")
	session("the removed ada", ada, http.StatusUnauthorized)
	session("grace", grace, http.StatusOK)
	if code := (restClient{site: site}).call(t, http.MethodPost, "/api/login", map[string]string{"username": "ada", "password": "ada"}, nil); code != http.StatusUnauthorized {
		t.Errorf("the old account signs in with status %d", code)
	}
	write("root.username=grace\nroot.password=another\nguest.username=ada\nguest.password=ada\n")
	hangup()
	p.AwaitText("ada (guest)")
	session("grace with the old password", grace, http.StatusUnauthorized)
	session("ada, who is guest now,", ada, http.StatusUnauthorized)
}

// ownDatabase is a console's own database and its name.
type ownDatabase struct {
	*settings.Store
	dsn string
}

func settingsDatabase(t *testing.T) ownDatabase {
	t.Helper()
	dsn := storetest.SQLiteDSN(t)
	db := storetest.Open(t, dsn)
	if err := db.MigrateConsole(t.Context()); err != nil {
		t.Fatal(err)
	}
	return ownDatabase{settings.New(db, settings.Key{}), dsn}
}

// TestPrune deletes by command what is older than a day, and by `serve` all
// but a row, and both leave a line in the log.
func TestPrune(t *testing.T) {
	t.Parallel()
	dsn := storetest.SQLiteDSN(t)
	db := storetest.Open(t, dsn)
	pruned := func(code int, want string, args ...string) {
		t.Helper()
		p := start(t, noEnv, append([]string{"prune", "--dsn=" + dsn}, args...)...)
		got := p.Wait()
		if text := p.Stdout.String() + p.Stderr.String(); got != code || !strings.Contains(text, want) {
			t.Errorf("%v: exit code %d, want %d, and %q in:\n%s", args, got, code, want, text)
		}
	}
	pruned(cli.ExitUsage, "nothing says what to delete")
	pruned(cli.ExitUsage, "must not be negative", "--keep-days=-1")
	pruned(cli.ExitUsage, "--keep-log-days -1 must not be negative", "--keep-log-days=-1")
	pruned(cli.ExitFailure, "console migrate up", "--keep-days=1")
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	writeOld(t, db)
	pruned(cli.ExitOK, "0 requested runs with 0 steps, and 1 lines of logs", "--keep-log-days=2")
	pruned(cli.ExitOK, "3 executions and 0 steps deleted, 3 requested runs with 0 steps, and 2 lines of logs", "--keep-days=1")
	pruned(cli.ExitOK, "0 executions", "--keep-days=1")
	pruned(cli.ExitOK, "audit: old trace rows deleted", "--keep-rows=2")

	own := settingsDatabase(t)
	for i := range 3 {
		if _, err := own.AddRecord(t.Context(), settings.Record{At: time.Now().Add(-time.Duration(i) * 300 * 24 * time.Hour), Action: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	p := start(t, noEnv, "serve", "--zookeeper=127.0.0.1:1", "--namespace=x", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--dsn="+dsn, "--keep-rows=1", "--settings-dsn="+own.dsn)
	left := func() (n int) {
		if err := db.Raw("SELECT COUNT(*) FROM JOB_EXECUTION_LOG").Scan(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	eventually(t, "one row is left", func() bool { return left() == 1 })
	p.AwaitText("old audit records deleted") // one is older than 400 days
	if page, err := own.Records(t.Context(), settings.AuditFilter{}); err != nil || len(page.Records) != 3 || page.Records[0].Action != settings.PruneAction {
		t.Errorf("%+v, %v", page, err)
	}
	p.Stop()
	if code := p.Wait(); code != cli.ExitOK || !strings.Contains(p.Stderr.String(), "keep_rows=1") {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
}

// writeOld writes six executions and requested runs, ten hours apart.
func writeOld(t *testing.T, db *store.DB) {
	var list []tracing.Event
	for i := range 6 {
		at := time.Now().Add(-time.Duration(i) * 10 * time.Hour)
		list = append(list, tracing.Event{Execution: &tracing.Execution{ID: fmt.Sprint(i), JobName: "j", StartTime: at, CompleteTime: at, Success: true}},
			tracing.Event{Run: &tracing.RunRecord{ID: fmt.Sprint(i), JobName: "j", State: "succeeded", Submitted: at, Ended: at}},
			tracing.Event{Log: &tracing.LogLine{ExecutionID: fmt.Sprint(i), Seq: 1, RunID: fmt.Sprint(i), JobName: "j", At: at, Level: "INFO"}})
	}
	if err := rdb.NewSink(db.Database).Write(t.Context(), list); err != nil {
		t.Fatal(err)
	}
}
