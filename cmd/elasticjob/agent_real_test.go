//go:build servers && unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestK66AgentServesAFile runs the built program with a file and no code against a
// real ZooKeeper: a script runs, an endpoint is called, rows appear, a changed
// file is taken up. A signal while a script runs lets it end (K66).
func TestK66AgentServesAFile(t *testing.T) {
	t.Parallel()
	registry := zktest.StartZooKeeper(t)
	script := newGatedScript(t)
	var calls atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("shardingContext"), `"jobName":"ping"`) && r.Method == http.MethodPut {
			calls.Add(1)
		}
		fmt.Fprint(w, "pong")
	}))
	t.Cleanup(endpoint.Close)
	dsn := storetest.SQLiteDSN(t)

	jobs := fmt.Sprintf(`elasticjob:
  reg-center: {server-lists: %q, namespace: %s, sessionTimeoutMilliseconds: 10000}
  jobs:
    long:
      elasticJobType: SCRIPT
      cron: 0/1 * * * * ?
      shardingTotalCount: 1
      misfire: false
      props: {script.command.line: %s}
    ping:
      elasticJobType: HTTP
      cron: 0/1 * * * * ?
      shardingTotalCount: 2
      props: {http: {uri: %s, method: PUT}}
  tracing: {type: RDB, dataSource: {url: "jdbc:%s"}}
  dump: {port: 0}
`, registry.Addr(), zktest.Namespace(t), script.path, endpoint.URL, dsn)
	a := startAgent(t, jobs, "--health=127.0.0.1:0")
	a.Await("serving 2 jobs of jobs.yaml")
	site := strings.Fields(after(a.Said.String(), "http://"))[0]
	if got := status(t, "http://"+site+"/readyz"); got != http.StatusOK {
		t.Errorf("/readyz answers %d while jobs are served", got)
	}

	script.awaitStart()
	if text, err := os.ReadFile(script.started); err != nil || !strings.Contains(string(text), `"shardingItem":0`) {
		t.Errorf("the script was given %q, %v", text, err)
	}
	db, err := store.Open(t.Context(), dsn, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	eventually(t, "calls are made and recorded", func() bool {
		good, _ := shardsOf(t, db, "ping")
		return calls.Load() >= 2 && good >= 2
	})

	// A changed file counts after a hangup; one with a mistake does not.
	readsAgain(t, a, jobs, db)

	drains(t, a, site, script, db)
}

// TestAgentRunsWithoutItsDatabase: jobs run while the database is unreachable, and
// the agent writes their runs when the database is back.
func TestAgentRunsWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	database := storetest.NewMariaDB(t)
	dsn := database.DSN(database.NewDatabase(t))
	database.Kill()
	var calls atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(endpoint.Close)
	p := start(t, noEnv, "agent", "--config="+jobsFile(t, fmt.Sprintf(`elasticjob:
  regCenter: {serverLists: %q, namespace: test}
  jobs:
    ping: {elasticJobType: HTTP, cron: "0/1 * * * * ?", shardingTotalCount: 1, props: {http.uri: %s, http.method: GET}}
  tracing: {type: RDB, dataSource: {url: "jdbc:%s"}}
`, startFake(t), endpoint.URL, dsn)))
	eventually(t, "the job runs", func() bool { return calls.Load() >= 2 })
	p.AwaitText("can't be stored")
	database.Restart(t)
	p.AwaitText("recording runs")
	db := storetest.Open(t, dsn)
	eventually(t, "the runs are recorded, those before too", func() bool {
		good, _ := shardsOf(t, db, "ping")
		return good >= 3
	})
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d: %s", code, p.Stderr.String())
	}
	said := p.Stdout.String() + p.Stderr.String()
	if strings.Contains(said, storetest.Password) || strings.Contains(said, url.QueryEscape(storetest.Password)) {
		t.Errorf("the database's password is in the log:\n%s", said)
	}
}

// TestAgentKeepsEventsInItsSpool: an agent that starts and ends while the
// database is away leaves its runs to the next one.
func TestAgentKeepsEventsInItsSpool(t *testing.T) {
	t.Parallel()
	database := storetest.NewPostgres(t)
	dsn := database.DSN(database.NewDatabase(t))
	database.Kill()
	var calls atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(endpoint.Close)
	file := jobsFile(t, fmt.Sprintf(`elasticjob:
  regCenter: {serverLists: %q, namespace: test}
  jobs:
    ping: {elasticJobType: HTTP, cron: "0/1 * * * * ?", shardingTotalCount: 1, props: {http.uri: %s, http.method: GET}}
  tracing: {type: RDB, dataSource: {url: %q}}
`, startFake(t), endpoint.URL, dsn))
	spool := filepath.Join(t.TempDir(), "spool")
	p := start(t, noEnv, "agent", "--config="+file, "--spool="+spool)
	eventually(t, "the job runs", func() bool { return calls.Load() >= 2 })
	p.AwaitText("wait in files")
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d: %s", code, p.Stderr.String())
	}
	before := int(calls.Load())

	database.Restart(t)
	p = start(t, noEnv, "agent", "--config="+file, "--spool="+spool)
	p.AwaitText("trace events of an earlier run wait to be stored")
	p.AwaitText("recording runs")
	db := storetest.Open(t, dsn)
	eventually(t, "the runs of both are recorded", func() bool {
		good, _ := shardsOf(t, db, "ping")
		return good > before
	})
	second := start(t, noEnv, "agent", "--config="+file, "--spool="+spool)
	if code := second.Wait(); code != cli.ExitFailure || !strings.Contains(second.Stderr.String(), "another process uses it") {
		t.Errorf("a second process with the same spool: exit code %d: %s", code, second.Stderr.String())
	}
	p.Stop()
}

// TestAgentCancelsWhatOutlivesTheDrain: a script that does not end in time is
// killed, its run is recorded as failed, and the process still ends in order.
func TestAgentCancelsWhatOutlivesTheDrain(t *testing.T) {
	t.Parallel()
	registry := startFake(t)
	script := newGatedScript(t)
	dsn := storetest.SQLiteDSN(t)
	a := startAgent(t, fmt.Sprintf(`elasticjob:
  regCenter: {serverLists: %q, namespace: drain}
  jobs:
    long: {elasticJobType: SCRIPT, cron: "0/1 * * * * ?", shardingTotalCount: 1, props: {script.command.line: %s}}
`, registry, script.path), "--drain=100ms", "--dsn="+dsn)
	script.awaitStart()
	a.Signal(os.Interrupt)
	if code := a.Code(); code != cli.ExitOK {
		t.Errorf("exit code %d", code)
	}
	if exists(script.finished) {
		t.Error("the script ended by itself: the test proves nothing")
	}
	db, err := store.Open(t.Context(), dsn, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if good, bad := shardsOf(t, db, "long"); good != 0 || bad != 1 {
		t.Errorf("the cancelled run is recorded as %d good and %d bad", good, bad)
	}
}
