package coreagenttest_test

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// startAgent starts an agent with one job that counts its runs.
func startAgent(t *testing.T, zookeeper registry.ZooKeeper, job coreagent.Job) (runs *atomic.Int64) {
	t.Helper()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "test",
		ZooKeeper: zookeeper,
		Address:   "10.0.0.1", InstanceSuffix: "1",
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	runs = new(atomic.Int64)
	agent.HandleFunc(job, func(context.Context, *coreagent.Shard) error {
		runs.Add(1)
		return nil
	})
	if err := agent.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := agent.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return runs
}

const instance = "/test/report/instances/10.0.0.1@-@1"

func TestWeekOfNightlyRunsInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := coreagenttest.NewPipeServer(t)
		runs := startAgent(t, server.ZooKeeper(), coreagent.Job{Name: "report", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?", Zone: "GMT"}, Shards: 2})
		time.Sleep(7 * 24 * time.Hour)
		if n := runs.Load(); n != 14 {
			t.Errorf("%d runs, want 2 shards × 7 nights", n)
		}
		if server.Addr() == "" {
			t.Error("no address")
		}
	})
}

func TestAgentSurvivesWhatTheServerDoesToIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := coreagenttest.NewPipeServer(t)
		runs := startAgent(t, server.ZooKeeper(), coreagent.Job{Name: "report", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1})
		runsAgain := func(after string) {
			t.Helper()
			before := runs.Load()
			time.Sleep(3 * time.Minute)
			if runs.Load() < before+2 {
				t.Errorf("after %s: %d runs in 3 minutes", after, runs.Load()-before)
			}
		}
		runsAgain("start")

		session := server.SessionOf(instance)
		if ids := server.Sessions(); len(ids) != 1 || ids[0] != session {
			t.Fatalf("sessions %v, the instance belongs to %d", ids, session)
		}
		if n := server.DropConnections(); n != 1 {
			t.Errorf("dropped %d connections", n)
		}
		runsAgain("a dropped connection")
		if now := server.SessionOf(instance); now != session {
			t.Errorf("a dropped connection cost the session")
		}

		if !server.ExpireSession(session) {
			t.Fatal("no such session")
		}
		if server.SessionOf(instance) == session {
			t.Error("the registration outlived its session")
		}
		runsAgain("an expired session")
		if now := server.SessionOf(instance); now == 0 || now == session {
			t.Errorf("session %d after the expiry of %d", now, session)
		}

		server.Stop()
		time.Sleep(10 * time.Minute)
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		runsAgain("a restart")

		if n := server.ExpireSessions(); n < 1 {
			t.Errorf("expired %d sessions", n)
		}
		if server.ExpireSession(session) {
			t.Error("a session expired twice")
		}
		runsAgain("another expiry")
	})
}

func TestServerOnLoopback(t *testing.T) {
	server := coreagenttest.NewServer(t)
	runs := startAgent(t, registry.ZooKeeper{Servers: []string{server.Addr()}}, coreagent.Job{Name: "report", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1})
	for deadline := time.Now().Add(time.Minute); runs.Load() == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the job did not run")
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-t.Context().Done():
		}
	}
	tree := server.Tree("/test")
	for _, want := range []string{instance + " [ephemeral] = ", "/test/report/servers/10.0.0.1 = ENABLED\n"} {
		if !strings.Contains(tree, want) {
			t.Errorf("no %q in\n%s", want, tree)
		}
	}
}

func TestStopAndStartOnLoopback(t *testing.T) {
	t.Parallel()
	server := coreagenttest.NewServer(t)
	reachable := func() bool {
		nc, err := net.Dial("tcp", server.Addr())
		if err == nil {
			nc.Close()
		}
		return err == nil
	}
	server.Stop()
	if reachable() {
		t.Error("a stopped server accepts connections")
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if !reachable() {
		t.Error("a restarted server accepts no connections")
	}
}

func TestSessionOfNothing(t *testing.T) {
	t.Parallel()
	server := coreagenttest.NewServer(t)
	if id := server.SessionOf("/missing"); id != 0 {
		t.Errorf("session %d", id)
	}
	server.Close()
	server.Close()
	if err := server.Start(); err == nil {
		t.Error("a closed server starts")
	}
}
