package scenario_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestR17CancelBesideEveryTransaction: a cancel arrives right after the n-th transaction of a run,
// for each n. The run should have one end, and nothing should be left.
func TestR17CancelBesideEveryTransaction(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n, more := 1, true; more; n++ {
				bubble(t, func(b *fixture, srv *zkfake.Server) { more = cancelAfter(b, srv, n, props) })
				if n > 60 {
					t.Fatal("a run takes more than 60 transactions")
				}
			}
		})
	}
}

// cancelAfter returns false if a run has fewer transactions.
func cancelAfter(b *fixture, srv *zkfake.Server, n int, props map[string]string) bool {
	w := newWorkshop(b, takes(time.Second))
	for n := 1; n <= 2; n++ {
		w.open(n, coreagent.Job{Shards: 2}, props)
	}
	b.await("the shards are shared", func() bool {
		return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 2 && len(b.leftovers("invoices")) == 0
	})
	w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
	var seen atomic.Int64
	came, come := context.WithCancel(context.Background())
	b.Cleanup(come)
	srv.SetObserver(func(c zkfake.Change) {
		if strings.HasPrefix(c.Path, w.job.Runs()+"/") && seen.Add(1) == int64(n) {
			come()
		}
	})
	ends := make(chan error, 1)
	ticket := make(chan string, 1)
	go func() {
		id := <-ticket
		<-came.Done()
		_, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"})
		ends <- err
	}()
	id := w.submit(jobrun.Request{})
	ticket <- id
	var last runs.Status
	b.await("it has ended", func() bool { last = w.status(id); return last.State.Ended() })
	if seen.Load() < int64(n) {
		come()
		<-ends
		return false
	}
	err := <-ends
	if err != nil && !errors.Is(err, jobrun.ErrRunEnded) {
		b.Errorf("cancelled after change %d: %v", n, err)
	}
	if last.State != jobrun.Cancelled && last.State != jobrun.Succeeded {
		b.Errorf("cancelled after change %d: it is %s", n, last.State)
	}
	w.awaitNoRuns()
	outcomes := 0
	for _, name := range b.children(w.job.RunsDone()) {
		if strings.HasSuffix(name, id) {
			outcomes++
		}
	}
	if outcomes != 1 {
		b.Errorf("cancelled after change %d: it has %d outcomes", n, outcomes)
	}
	return true
}

// TestR44EventsLost: three of ten watch events are lost, including the bell's. Every run should end
// within two reconcile intervals.
func TestR44EventsLost(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, srv *zkfake.Server) {
			w := newWorkshop(b, takes(time.Second))
			for n := 1; n <= 3; n++ {
				w.open(n, coreagent.Job{Shards: 3, ReconcileInterval: time.Minute}, props)
			}
			w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
			srv.SetWatchFault(func(zkfake.WatchEvent) bool { return rand.IntN(10) < 3 })
			for range 30 {
				asked := time.Now()
				id := w.submit(jobrun.Request{})
				for !w.status(id).State.Ended() && time.Since(asked) < 5*time.Minute {
					time.Sleep(time.Second)
				}
				if took := time.Since(asked); took > 2*time.Minute+10*time.Second {
					t.Errorf("%s: a run took %v", name, took)
				}
			}
			srv.SetWatchFault(nil)
			time.Sleep(3 * time.Minute)
			w.awaitNoRuns()
			if w.overlap {
				t.Errorf("%s: two of one shard at once", name)
			}
		})
	}
}

// TestR60ZooKeeperAway: requests should fail within their time without half-done work, and running
// shards should continue.
func TestR60ZooKeeperAway(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, takes(8*time.Second))
		w.open(1, coreagent.Job{}, nil)
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Running)
		srv.Stop()
		within := func() context.Context {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			t.Cleanup(cancel)
			return ctx
		}
		if _, err := w.store.Submit(within(), jobrun.Request{}); !errors.Is(err, zk.ErrUnavailable) {
			t.Errorf("submit: %v", err)
		}
		if _, err := w.store.Cancel(within(), id, jobtree.RunCancel{By: "root"}); !errors.Is(err, zk.ErrUnavailable) {
			t.Errorf("cancel: %v", err)
		}
		b.must(srv.Start())
		b.must(b.client.AwaitConnected(b.ctx()))
		w.awaitState(id, jobrun.Succeeded)
		if got := w.executions(id); len(got) != 1 {
			t.Errorf("executed %+v", got)
		}
		w.awaitNoRuns()
		if got := len(b.children(w.job.RunsDone())); got != 1 {
			t.Errorf("%d runs have ended, want 1", got)
		}
	})
}
