package zkstore_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// candidate is a scheduler in the election.
type candidate struct {
	client  *zk.Client
	leading atomic.Bool
	terms   atomic.Int32
	cause   atomic.Pointer[error]
	stop    func()
}

// runCandidate lets a scheduler lead until its term ends, again and again.
func runCandidate(t *testing.T, client *zk.Client, ns jobtree.Namespace, together *atomic.Int32) *candidate {
	t.Helper()
	return runCandidateWith(t, client, ns, together, nil)
}

func runCandidateWith(t *testing.T, client *zk.Client, ns jobtree.Namespace, together *atomic.Int32, handOver func(context.Context)) *candidate {
	t.Helper()
	c := &candidate{client: client}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	l := zkstore.NewLeadership(client, ns, "me", slog.New(slog.DiscardHandler))
	l.HandOver = handOver
	go func() {
		done <- l.Run(ctx, func(ctx context.Context) {
			if together.Add(1) != 1 {
				t.Error("two lead at once")
			}
			c.terms.Add(1)
			c.leading.Store(true)
			<-ctx.Done()
			cause := context.Cause(ctx)
			c.cause.Store(&cause)
			c.leading.Store(false)
			together.Add(-1)
		})
	}()
	stopped := false
	c.stop = func() {
		if cancel(); !stopped {
			stopped = true
			if err := <-done; err == nil {
				t.Error("Run ended without an error")
			}
		}
	}
	t.Cleanup(c.stop)
	return c
}

// TestW44HandOver: a leader that stops keeps its place until it has handed over, if another one
// waits. A single leader hands nothing over.
func TestW44HandOver(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		ns := namespace(t, zktest.Namespace(t))
		cfg := zk.Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second}
		var together, handed atomic.Int32
		begun, finish := make(chan struct{}), make(chan struct{})
		a := runCandidateWith(t, connect(t, cfg), ns, &together, func(context.Context) {
			handed.Add(1)
			close(begun)
			<-finish
		})
		waittest.Until(t, "the first leads", a.leading.Load)
		b := runCandidateWith(t, connect(t, cfg), ns, &together, func(context.Context) { t.Error("the last one hands over") })
		waittest.Until(t, "two candidates take part", func() bool {
			names, _, err := a.client.Children(t.Context(), jobtree.NewCloud(ns).Election())
			return err == nil && len(names) == 2
		})
		left := make(chan struct{})
		go func() {
			defer close(left)
			a.stop()
		}()
		<-begun
		names, _, err := a.client.Children(t.Context(), jobtree.NewCloud(ns).Election())
		if err != nil || len(names) != 2 || b.leading.Load() {
			t.Errorf("while the first hands over: %v, %v, the second leads: %t", names, err, b.leading.Load())
		}
		close(finish)
		<-left
		waittest.Until(t, "the second leads", b.leading.Load)
		b.stop()
		if handed.Load() != 1 {
			t.Errorf("handed over %d times", handed.Load())
		}
	})
}

// TestOneLeads: the next one should lead when the first ends cleanly.
func TestOneLeads(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		ns := namespace(t, zktest.Namespace(t))
		cfg := zk.Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second}
		var together atomic.Int32
		a := runCandidate(t, connect(t, cfg), ns, &together)
		waittest.Until(t, "the first leads", a.leading.Load)
		b := runCandidate(t, connect(t, cfg), ns, &together)
		names := func() []string {
			names, _, err := a.client.Children(t.Context(), jobtree.NewCloud(ns).Election())
			if err != nil {
				t.Error(err)
			}
			return names
		}
		waittest.Until(t, "the second candidate takes part", func() bool { return len(names()) == 2 })
		a.stop()
		waittest.Until(t, "the second leads", b.leading.Load)
		b.stop()
		if got := names(); len(got) != 0 {
			t.Errorf("left behind: %q", got)
		}
	})
}

// TestNeverBesideUpstreamsScheduler: the queue is the same as Curator's LeaderSelector uses, with
// nodes that end with lock- and a number.
func TestNeverBesideUpstreamsScheduler(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		ns := namespace(t, zktest.Namespace(t))
		cfg := zk.Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second}
		java := connect(t, cfg)
		election := jobtree.NewCloud(ns).Election()
		own, err := java.CreateAll(t.Context(), election+"/_c_0b1d3f4a-0000-4000-8000-000000000000-lock-", []byte("10.0.0.1:8899"), zk.EphemeralSequential)
		if err != nil {
			t.Fatal(err)
		}
		var together atomic.Int32
		us := runCandidate(t, connect(t, cfg), ns, &together)
		waittest.Until(t, "our candidate takes part", func() bool {
			names, _, err := java.Children(t.Context(), election)
			return err == nil && len(names) == 2
		})
		if us.leading.Load() {
			t.Error("we lead at the same time as upstream's scheduler")
		}
		if err := java.Delete(t.Context(), own, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "we lead", us.leading.Load)
		names, _, err := java.Children(t.Context(), election)
		if err != nil || len(names) != 1 || !strings.Contains(names[0], "-lock-") {
			t.Errorf("%q, %v", names, err)
		}
	})
}

func connectFake(t *testing.T, srv *zkfake.Server) *zk.Client {
	t.Helper()
	return connect(t, zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial, SessionTimeout: 9 * time.Second})
}

// TestLeaderEndsBeforeItsSession: a leader without contact to ZooKeeper stops at two thirds of the
// session, before the server lets another one lead, and tries again.
func TestLeaderEndsBeforeItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		ns := namespace(t, "cloud")
		var together atomic.Int32
		a := runCandidate(t, connectFake(t, srv), ns, &together)
		waittest.Until(t, "the first leads", a.leading.Load)
		b := runCandidate(t, connectFake(t, srv), ns, &together)
		time.Sleep(time.Second)
		session := a.client.Session().ID
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == session {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		from := time.Now()
		waittest.Until(t, "the first has ended", func() bool { return !a.leading.Load() })
		if took := time.Since(from); took > 7*time.Second {
			t.Errorf("it ended after %v, sessions end after 9 s", took)
		}
		if b.leading.Load() {
			t.Error("the second leads too early")
		}
		if cause := *a.cause.Load(); !errors.Is(cause, zkstore.ErrLeadershipLost) {
			t.Errorf("the cause is %v", cause)
		}
		waittest.Until(t, "the second leads", b.leading.Load)
		srv.SetFault(nil)
		b.stop()
		waittest.Until(t, "the first leads again", a.leading.Load)
	})
}

// TestTermEndsWithItsSession: when the session expires, the term and its derived contexts end with the cause.
func TestTermEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		client := connectFake(t, srv)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		l := zkstore.NewLeadership(client, namespace(t, "cloud"), "me", slog.New(slog.DiscardHandler))
		err := l.Run(ctx, func(ctx context.Context) {
			if err := ctx.Err(); err != nil {
				t.Errorf("a new term: %v", err)
			}
			child, endChild := context.WithCancel(ctx)
			defer endChild()
			srv.ExpireSession(client.Session().ID)
			<-child.Done()
			if cause := context.Cause(child); !errors.Is(cause, zkstore.ErrLeadershipLost) {
				t.Errorf("the cause is %v", cause)
			}
			if ctx.Err() == nil {
				t.Error("the term goes on")
			}
			cancel()
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
	})
}

// TestWatchSurvivesTheSession: changes and removals while the watcher had no session are reported
// afterwards, and nothing else.
func TestWatchSurvivesTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		ns := namespace(t, "cloud")
		client := connectFake(t, srv)
		store, other := newStore(t, client, ns), newStore(t, connectFake(t, srv), ns)
		for _, name := range []string{"goes", "stays", "changes"} {
			if err := second(other.Create(t.Context(), wholeJob(name))); err != nil {
				t.Fatal(err)
			}
		}
		w := watch(t, store)
		session := client.Session().ID
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == session {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		srv.ExpireSession(session)
		if err := other.Delete(t.Context(), cloud.KindJob, "goes", cloud.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := second(other.Change(t.Context(), "changes", func(d *cloud.Definition) error { d.Job.Shards = 9; return nil })); err != nil {
			t.Fatal(err)
		}
		w.mu.Lock()
		before := len(w.events)
		w.mu.Unlock()
		srv.SetFault(nil)
		w.until(t, "both changes", func() bool { _, ok := w.jobs["goes"]; return !ok && w.jobs["changes"].Job.Shards == 9 })
		synctest.Wait()
		if n := len(w.events) - before; n != 2 {
			t.Errorf("%d events, want 2: %+v", n, w.events[before:])
		}
		if err := second(other.Create(t.Context(), wholeJob("comes"))); err != nil {
			t.Fatal(err)
		}
		w.until(t, "a job that comes afterwards", func() bool { _, ok := w.jobs["comes"]; return ok })
	})
}
