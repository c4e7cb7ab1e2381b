package barrier_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// instance is one instance of the job in a test.
type instance struct {
	id       string
	nodes    *nodes.Nodes
	barriers *barrier.Barriers
	shards   []int
	stale    atomic.Bool
	awaits   []bool
	failures []string // passed to the error handler
	notified int
	done     chan error // of the newest call
}

// The methods of [barrier.Job]. Only the tree changes, so each look comes after a pause.

func (i *instance) Snapshot() (barrier.Standing, <-chan struct{}) {
	return barrier.Standing{Stale: func() bool { return i.stale.Load() }}, nil
}

func (i *instance) Watch(string) func() { return func() {} }

func (i *instance) Await(is bool) { i.awaits = append(i.awaits, is) }

func (i *instance) Contain(ctx context.Context, _ string, fn func(context.Context) error) error {
	return fn(ctx)
}

func (i *instance) Handle(_ context.Context, failure error) error {
	i.failures = append(i.failures, failure.Error())
	return nil
}

func (i *instance) run() barrier.Run {
	return barrier.Run{Job: i, Shards: i.shards, Total: 3, Instance: i.id, FireTime: time.Now()}
}

func (i *instance) listener(limit time.Duration) []barrier.Listener {
	return []barrier.Listener{{Name: "once", Limit: limit, Notify: func(context.Context) error { i.notified++; return nil }}}
}

// start begins a meeting before a run, complete one after it. done receives the result.
func (i *instance) start(ctx context.Context, limit time.Duration) {
	i.done = make(chan error, 1)
	go func() { i.done <- i.barriers.Start(ctx, i.run(), i.listener(limit), new(barrier.Meeting)) }()
}

func (i *instance) complete(ctx context.Context) {
	i.done = make(chan error, 1)
	go func() {
		_, err := i.barriers.Complete(ctx, i.run(), i.listener(0))
		i.done <- err
	}()
}

// completeUntil begins a meeting after a run for the current moment. The next fire time comes at
// next. overtaken is valid once done has the result.
func (i *instance) completeUntil(ctx context.Context, next time.Time) (overtaken *bool) {
	run := i.run()
	run.Newest = func() time.Time {
		if time.Now().Before(next) {
			return run.FireTime
		}
		return next
	}
	overtaken, i.done = new(bool), make(chan error, 1)
	go func() {
		var err error
		*overtaken, err = i.barriers.Complete(ctx, run, i.listener(10*time.Minute))
		i.done <- err
	}()
	return overtaken
}

// inBubble runs a test with two instances that share the three shards of a job.
func inBubble(t *testing.T, test func(t *testing.T, a, b *instance)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		member := func(id string, shards ...int) *instance {
			log := slog.New(slog.DiscardHandler)
			n := nodestest.Connect(t, srv, log)
			return &instance{id: id, nodes: n, barriers: barrier.New(n, log), shards: shards}
		}
		a, b := member("10.0.0.1@-@1", 0, 2), member("10.0.0.2@-@2", 1)
		if _, err := a.nodes.Client.CreateAll(t.Context(), a.nodes.Tree.Config(), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		test(t, a, b)
	})
}

func (i *instance) absent(t *testing.T, path string) {
	t.Helper()
	if _, exists, err := i.nodes.Client.Exists(t.Context(), path); exists || err != nil {
		t.Errorf("%s exists %v, %v", path, exists, err)
	}
}

// Both instances wait until all three shards are there. One listener is notified.
func TestLastToComeNotifiesOnce(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, a, b *instance) {
		for _, meet := range []func(*instance){
			func(i *instance) { i.start(t.Context(), 0) },
			func(i *instance) { i.complete(t.Context()) },
		} {
			a.notified, b.notified = 0, 0
			meet(a)
			time.Sleep(time.Minute)
			if len(a.done) != 0 || a.notified != 0 {
				t.Error("the first instance did not wait for the other one")
			}
			meet(b)
			if err := errors.Join(<-a.done, <-b.done); err != nil {
				t.Error(err)
			}
			if a.notified != 0 || b.notified != 1 {
				t.Errorf("the first one was notified %d times, the last to come %d times", a.notified, b.notified)
			}
		}
		if len(a.awaits) != 2 || !a.awaits[0] || a.awaits[1] {
			t.Errorf("the wait for completion was noted as %v", a.awaits)
		}
		a.absent(t, a.nodes.Tree.GuaranteeStarted())
		a.absent(t, a.nodes.Tree.GuaranteeCompleted())
	})
}

// A run with changed shards takes back its nodes and starts again.
func TestStaleRunStepsBack(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, a, _ *instance) {
		a.start(t.Context(), 0)
		time.Sleep(time.Minute)
		a.stale.Store(true)
		if err := <-a.done; !errors.Is(err, barrier.ErrStale) {
			t.Errorf("a stale run: %v", err)
		}
		for _, n := range a.shards {
			a.absent(t, a.nodes.Tree.GuaranteeStartedItem(n))
		}
		if len(a.failures) != 0 {
			t.Errorf("the error handler got %v", a.failures)
		}
	})
}

// At the deadline the error handler gets ElasticJob's message, the barrier is removed, and the run
// goes on.
func TestDeadlineRemovesTheBarrier(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, a, _ *instance) {
		began := time.Now()
		a.start(t.Context(), 7*time.Second)
		if err := <-a.done; err != nil || time.Since(began) != 7*time.Second {
			t.Errorf("the wait ended after %v: %v", time.Since(began), err)
		}
		if len(a.failures) != 1 || !strings.Contains(a.failures[0], "Job timeout. timeout mills is 7000.") {
			t.Errorf("the error handler got %q", a.failures)
		}
		a.absent(t, a.nodes.Tree.GuaranteeStarted())
	})
}

// If an instance dies while it notifies, that is reported, and the listener isn't notified again.
func TestLostNotifierIsReported(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, a, b *instance) {
		a.start(t.Context(), 0)
		time.Sleep(time.Second)
		notice := []byte("10.0.0.9@-@9 " + strings.Repeat("9", 13) + " abcdefgh")
		if _, err := a.nodes.Client.Set(t.Context(), a.nodes.Tree.GuaranteeStarted(), notice, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		b.start(t.Context(), 0)
		if err := errors.Join(<-a.done, <-b.done); err != nil {
			t.Error(err)
		}
		if a.notified+b.notified != 0 || len(a.failures)+len(b.failures) != 1 {
			t.Errorf("notified %d times, failures %q", a.notified+b.notified, append(a.failures, b.failures...))
		}
	})
}

// A run that waits for the others to complete gives up when they wait to start for a later fire
// time. Java's nodes don't show their fire time, so it keeps waiting for them.
func TestW77CompletedRunIsOvertaken(t *testing.T) {
	t.Parallel()
	for name, java := range map[string]bool{"by an agent of ours": false, "by Java's": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T, a, b *instance) {
				began := time.Now()
				next := began.Add(time.Minute)
				overtaken := a.completeUntil(t.Context(), next)
				time.Sleep(time.Minute)
				theirs := b.run()
				theirs.FireTime = next
				if !java {
					theirs.Newest = func() time.Time { return next }
				}
				b.done = make(chan error, 1)
				go func() {
					b.done <- b.barriers.Start(t.Context(), theirs, b.listener(20*time.Minute), new(barrier.Meeting))
				}()
				if err := <-a.done; err != nil || *overtaken == java || len(a.failures) != 1 {
					t.Errorf("overtaken %v, error handler %q, %v", *overtaken, a.failures, err)
				}
				if waited := time.Since(began); java != (waited == 10*time.Minute) {
					t.Errorf("waited for %v", waited)
				}
				for _, n := range a.shards {
					a.absent(t, a.nodes.Tree.GuaranteeCompletedItem(n))
				}
				if <-b.done; b.notified != 0 {
					t.Error("the listener was notified of a start without shards 0 and 2")
				}
			})
		})
	}
}

// A run that waits to start gives up when the others have completed its fire time without it.
func TestW77LateRunFollowsTheOthers(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, a, b *instance) {
		at := time.Now()
		scheduled := func(i *instance) barrier.Run {
			run := i.run()
			run.FireTime, run.Newest = at, func() time.Time { return at }
			return run
		}
		b.done = make(chan error, 1)
		go func() {
			_, err := b.barriers.Complete(t.Context(), scheduled(b), b.listener(0))
			b.done <- err
		}()
		time.Sleep(time.Minute)
		began := time.Now()
		var m barrier.Meeting
		if err := a.barriers.Start(t.Context(), scheduled(a), a.listener(0), &m); err != nil || !m.Unmet || time.Since(began) > 10*time.Second {
			t.Errorf("it waited for %v: met %v, %v", time.Since(began), !m.Unmet, err)
		}
		if len(a.failures) != 1 || !strings.Contains(a.failures[0], "ahead of this one") {
			t.Errorf("the error handler got %q", a.failures)
		}
		if _, err := a.barriers.Complete(t.Context(), scheduled(a), a.listener(0)); errors.Join(err, <-b.done) != nil || a.notified != 1 {
			t.Errorf("notified %d times of the end, %v", a.notified, err)
		}
	})
}

// A run waits for the others to complete. In that time, another instance gets all shards and starts for
// a later fire time. The waiting run finds its nodes gone, but doesn't take that for its release.
func TestW102SweptRunIsOvertaken(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, a, b *instance) {
		began := time.Now()
		next := began.Add(time.Minute)
		overtaken := a.completeUntil(t.Context(), next)
		time.Sleep(time.Minute + time.Second) // the next look is four seconds later
		b.shards = []int{0, 1, 2}
		theirs := b.run()
		theirs.FireTime, theirs.Newest = next, func() time.Time { return next }
		if err := b.barriers.Start(t.Context(), theirs, b.listener(0), new(barrier.Meeting)); err != nil || b.notified != 1 {
			t.Errorf("notified %d times of the later start, %v", b.notified, err)
		}
		if err := <-a.done; err != nil || !*overtaken || a.notified != 0 || len(a.failures) != 1 {
			t.Errorf("overtaken %v, notified %d times, error handler %q, %v", *overtaken, a.notified, a.failures, err)
		}
		if waited := time.Since(began); waited > 2*time.Minute {
			t.Errorf("waited for %v", waited)
		}
	})
}
