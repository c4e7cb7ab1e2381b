package scenario_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// watcher records an observer's calls.
type watcher struct {
	mu   sync.Mutex
	list []coreagent.Observation
}

func (w *watcher) Observe(o coreagent.Observation) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, o)
}

func observations[T coreagent.Observation](w *watcher) []T {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []T
	for _, o := range w.list {
		if one, ok := o.(T); ok {
			list = append(list, one)
		}
	}
	return list
}

func observed(w coreagent.Observer) func(*coreagent.Config) {
	return func(cfg *coreagent.Config) { cfg.Observer = w }
}

// TestObserverIsNotifiedOfRuns: the observer should get fire times, runs with their results, delay
// and length, and the requests to ZooKeeper.
func TestObserverIsNotifiedOfRuns(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := new(watcher)
		m := b.agent(1, observed(w))
		broken := errors.New("broken")
		m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 3}, func(_ context.Context, s *coreagent.Shard) error {
			time.Sleep(2 * time.Second)
			if s.Item == 1 && s.ScheduledAt.Second() == 10 {
				return broken
			}
			return nil
		})
		sleepUntilNext(time.Minute)
		m.start()
		time.Sleep(25 * time.Second)
		b.must(m.Stop(b.ctx()))
		synctest.Wait()

		ends := observations[coreagent.RunEnded](w)
		if len(ends) != 2 {
			t.Fatalf("notified of %d runs, want 2: %+v", len(ends), ends)
		}
		for i, want := range []coreagent.RunEnded{
			{Job: "job", Result: coreagent.RunFailed, Source: tracing.SourceNormal, Scheduled: true, Items: 3, Failed: 1, Took: 2 * time.Second, At: ends[0].At},
			{Job: "job", Result: coreagent.RunSucceeded, Source: tracing.SourceNormal, Scheduled: true, Items: 3, Took: 2 * time.Second, At: ends[1].At},
		} {
			if ends[i] != want {
				t.Errorf("run %d: %+v, want %+v", i, ends[i], want)
			}
		}
		if starts := observations[coreagent.RunStarted](w); len(starts) != 2 || starts[0] != (coreagent.RunStarted{Job: "job", Items: 3}) {
			t.Errorf("starts: %+v", starts)
		}
		if fires := observations[coreagent.Fired](w); len(fires) != 2 || fires[0].Job != "job" {
			t.Errorf("fires: %+v", fires)
		}
		if served := observations[coreagent.JobServed](w); len(served) != 1 || served[0] != (coreagent.JobServed{Job: "job"}) {
			t.Errorf("served: %+v", served)
		}
		if states := observations[coreagent.SessionChanged](w); len(states) < 2 || states[0].State != coreagent.SessionConnected || states[len(states)-1].State != coreagent.SessionClosed {
			t.Errorf("session: %+v", states)
		}
		byOperation := make(map[string]int)
		for _, r := range observations[coreagent.Requested](w) {
			if r.Unanswered {
				t.Errorf("unanswered: %+v", r)
			}
			byOperation[r.Operation]++
		}
		if byOperation["multi"] < 4 || byOperation["get"] == 0 {
			t.Errorf("requests: %v", byOperation)
		}
	})
}

// TestObserverIsNotifiedOfALostSession: the interrupted run should count as cancelled.
func TestObserverIsNotifiedOfALostSession(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := new(watcher)
		m := b.agent(1, observed(w))
		m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1}, m.work(time.Hour))
		m.start()
		sleepUntilNext(time.Minute)
		b.await("the run", func() bool { return len(observations[coreagent.RunStarted](w)) == 1 })
		m.cut()
		b.await("the end of the run", func() bool { return len(observations[coreagent.RunEnded](w)) == 1 })
		if end := observations[coreagent.RunEnded](w)[0]; end.Result != coreagent.RunCancelled || end.Failed != 1 {
			t.Errorf("the run ended as %+v", end)
		}
		states := observations[coreagent.SessionChanged](w)
		if !slices.Contains(states, coreagent.SessionChanged{State: coreagent.SessionSuspended}) || !slices.Contains(states, coreagent.SessionChanged{State: coreagent.SessionLost}) {
			t.Errorf("session: %+v", states)
		}
		m.reconnect()
		b.await("the session", func() bool {
			states := observations[coreagent.SessionChanged](w)
			return states[len(states)-1].State == coreagent.SessionConnected
		})
	})
}

// TestObserverIsNotifiedOfShardsWithoutOwner: the leader should report shards without an owner
// until they're assigned, and how long that took.
func TestObserverIsNotifiedOfShardsWithoutOwner(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := new(watcher)
		one := b.agent(1, observed(w))
		one.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 0 1 1 ?"}, Shards: 4}, nil)
		one.start()
		two := b.agent(2).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 0 1 1 ?"}, Shards: 4}, nil)
		two.start()
		b.awaitOwners("job", two.id, two.id, one.id, one.id)
		if assigned := observations[coreagent.Resharded](w); len(assigned) == 0 || assigned[0].Job != "job" || assigned[0].Err != nil {
			t.Errorf("resharding: %+v", assigned)
		}
		b.configure("job", func(c *jobconfig.Config) { c.StrategyType = "NOBODY_KNOWS" })
		two.kill()
		b.await("two shards missed", func() bool {
			return slices.Contains(observations[coreagent.ItemsUnassigned](w), coreagent.ItemsUnassigned{Job: "job", Items: 2})
		})
		b.await("a resharding that failed", func() bool {
			assigned := observations[coreagent.Resharded](w)
			return assigned[len(assigned)-1].Err != nil
		})
		b.configure("job", func(c *jobconfig.Config) { c.StrategyType = "" })
		b.await("none missed", func() bool {
			missed := observations[coreagent.ItemsUnassigned](w)
			return missed[len(missed)-1].Items == 0
		})
		b.awaitOwners("job", one.id, one.id, one.id, one.id)
	})
}

// TestObserverCannotHoldUpRuns: if an observer hangs, it should delay no run. If it panics, it
// should be called again. The log should name both.
func TestObserverCannotHoldUpRuns(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		hang := make(chan struct{})
		calls := 0
		m := b.agent(1, observed(observerFunc(func(o coreagent.Observation) {
			if _, run := o.(coreagent.RunEnded); !run {
				return
			}
			if calls++; calls == 2 {
				<-hang
			}
			panic("the observer is broken")
		})))
		m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 1}, nil)
		m.start()
		from := sleepUntilNext(time.Minute)
		time.Sleep(65 * time.Second)
		if got := b.runs.between("job", from, from.Add(time.Minute)); len(got) != 6 {
			t.Errorf("%d runs in a minute, want 6", len(got))
		}
		if !strings.Contains(b.log.String(), "the observer panicked") {
			t.Error("the panic is not in the log")
		}
		began := time.Now()
		b.must(m.Stop(b.ctx()))
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("Stop took %v with an observer that hangs", took)
		}
		if !strings.Contains(b.log.String(), "the observer did not return in time") {
			t.Error("the observer that hangs is not in the log")
		}
		close(hang)
		synctest.Wait()
		if calls < 6 {
			t.Errorf("called %d times, want once for each run", calls)
		}
	})
}

type observerFunc func(coreagent.Observation)

func (f observerFunc) Observe(o coreagent.Observation) { f(o) }
