package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	zkwire "github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// misfortune is a fault of the n-th transaction on runs.
type misfortune struct {
	n     int
	fault zkfake.Fault
	kill  bool // kill the sender if it's an agent
}

func (m misfortune) String() string {
	return fmt.Sprintf("transaction %d, fault %v, kill %t", m.n, m.fault, m.kill)
}

// strike sets up the fault. The returned function reports how many such transactions there were so
// far, and whether an agent was killed.
func (w *workshop) strike(srv *zkfake.Server, m misfortune, members map[int64]*member) func() (seen int, killed bool) {
	var mu sync.Mutex
	seen, killed := 0, false
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op != "multi" || !slices.ContainsFunc(r.Paths, func(p string) bool { return strings.HasPrefix(p, w.job.Runs()+"/") }) {
			return zkfake.None
		}
		mu.Lock()
		defer mu.Unlock()
		if seen++; seen != m.n {
			return zkfake.None
		}
		if victim := members[r.Session]; m.kill && victim != nil {
			killed = true
			victim.killHandlers()
		}
		return m.fault
	})
	return func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		return seen, killed
	}
}

// TestR18R21R22EveryTransactionOfARun: one transaction of a run is lost, or its answer is, and its
// sender may die. The run should succeed, no shard should run twice at once or more often than it
// was lost, and nothing should be left.
func TestR18R21R22EveryTransactionOfARun(t *testing.T) {
	t.Parallel()
	for _, kill := range []bool{false, true} {
		for _, fault := range []zkfake.Fault{zkfake.LoseRequest, zkfake.LoseReply} {
			for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
				t.Run(fmt.Sprintf("%s/kill=%t/fault=%v", name, kill, fault), func(t *testing.T) {
					t.Parallel()
					tried := 0
					for n, more := 1, true; more; n++ {
						bubble(t, func(b *fixture, srv *zkfake.Server) {
							more = misfortuneOfARun(b, srv, misfortune{n, fault, kill}, props)
						})
						if n > 60 {
							t.Fatal("a run takes more than 60 transactions")
						}
						tried = n
					}
					if tried < 3 {
						t.Errorf("only %d transactions were tried", tried)
					}
					t.Logf("%d transactions tried", tried)
				})
			}
		}
	}
}

// misfortuneOfARun returns false if a run has fewer transactions.
func misfortuneOfARun(b *fixture, srv *zkfake.Server, m misfortune, props map[string]string) bool {
	members := make(map[int64]*member)
	w := newWorkshop(b, nil)
	w.handle = func(ctx context.Context, s *coreagent.Shard) error {
		select {
		case <-time.After(time.Second):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for n := 1; n <= 3; n++ {
		one := w.open(n, coreagent.Job{Shards: 3}, props)
		members[one.session("invoices")] = one
	}
	b.await("the shards are shared", func() bool {
		return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 3 && len(b.leftovers("invoices")) == 0
	})
	count := w.strike(srv, m, members)
	id := w.submit(jobrun.Request{Key: "once"})
	w.awaitState(id, jobrun.Succeeded)
	w.awaitNoRuns()
	seen, killed := count()
	most := 1
	if killed {
		most = 2
	}
	byShard := make(map[int]int)
	for _, e := range w.executions(id) {
		byShard[e.shard]++
	}
	total := 0
	for shard, n := range byShard {
		if total += n; n > most {
			b.Errorf("%v: shard %d was run %d times", m, shard, n)
		}
	}
	if want := 3; props == nil && len(byShard) != want || props != nil && (total == 0 || total > most) {
		b.Errorf("%v: executed %v", m, byShard)
	}
	if w.overlap {
		b.Errorf("%v: two of one shard at once", m)
	}
	if again := w.submit(jobrun.Request{Key: "once"}); again != id {
		b.Errorf("%v: the key names run %s, want %s", m, again, id)
	}
	return seen >= m.n
}

// countRequests counts the requests of all sessions.
func countRequests(srv *zkfake.Server) func() int {
	var mu sync.Mutex
	n := 0
	srv.SetFault(func(zkfake.Request) zkfake.Fault {
		mu.Lock()
		defer mu.Unlock()
		n++
		return zkfake.None
	})
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return n
	}
}

// TestStewardAfterALostEvent: the event that a request has left its bucket is lost. The steward
// should check again, but with a pause.
func TestStewardAfterALostEvent(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, nil)
		w.open(2, coreagent.Job{}, nil)
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		for bucket := range jobtree.RunBuckets { // Otherwise the request's bucket might be created with it.
			if path := w.job.RunsBucket(bucket); !b.exists(path) {
				b.put(path, "")
			}
		}
		time.Sleep(time.Second)
		var seen atomic.Int32
		srv.SetWatchFault(func(e zkfake.WatchEvent) bool {
			if strings.HasPrefix(e.Path, w.job.RunsDue()+"/") && e.Type == zkwire.NodeChildrenChanged {
				return seen.Add(1) > 1 // Only let the first event pass: the new request.
			}
			return false
		})
		id := w.submit(jobrun.Request{Delay: 2 * time.Second})
		asked := countRequests(srv)
		w.awaitState(id, jobrun.Succeeded)
		time.Sleep(5 * time.Second)
		if n := asked(); n > 300 {
			t.Errorf("%d requests for one run and some seconds after it", n)
		}
		if n := seen.Load(); n < 2 {
			t.Errorf("%d events of the bucket; the second was to be lost", n)
		}
		w.awaitNoRuns()
	})
}

// TestRequestsThatCannotBeRead: there are foreign nodes that look like requests. The steward should
// ignore them, log them once and not wait for them, and other runs should continue.
func TestRequestsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, nil)
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		later := w.submit(jobrun.Request{Delay: time.Second})
		name := jobtree.RunName(time.Now().Add(-time.Minute), "00dc6ac0-0000-7000-8000-000000000000")
		bucket := w.job.RunsBucket(jobtree.RunBucket(later, 0)) // The bucket exists.
		w.must(w.client.Multi(w.ctx(), zk.CreateOp(bucket+"/"+name, []byte("{"), zk.Persistent), zk.CreateOp(w.job.RunsQueued(name), []byte("[]"), zk.Persistent)))
		asked := countRequests(srv)
		w.awaitState(later, jobrun.Succeeded)
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		time.Sleep(5 * time.Second)
		if n := asked(); n > 300 {
			t.Errorf("%d requests for two runs and some seconds after them", n)
		}
		if n := strings.Count(w.log.String(), "ignored an unreadable"); n != 2 {
			t.Errorf("%d lines of the log tell of two nodes", n)
		}
	})
}
