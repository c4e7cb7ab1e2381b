package scenario_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// dropped counts the rows for suppressed fire times.
func (m *member) dropped() int {
	n := 0
	m.trace.mu.Lock()
	defer m.trace.mu.Unlock()
	for _, s := range m.trace.statuses {
		if s.State == tracing.StateDropped && strings.Contains(s.Message, "the schedule is held by root: migration") {
			n++
		}
	}
	return n
}

// TestR34HeldSchedule: no fire time should run, with only a few rows about that. A person's request
// should run, and after the release there should be no make-up run.
func TestR34HeldSchedule(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		m := w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Failover: true}, nil)
		time.Sleep(5 * time.Second)
		b.must(w.store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldSchedule, By: "root", Reason: "migration"}))
		time.Sleep(2 * time.Second)
		before := len(w.executions(""))
		time.Sleep(10 * time.Minute)
		if again := len(w.executions("")); again != before {
			t.Errorf("%d executions while the schedule is held", again-before)
		}
		if n := m.dropped(); n < 9 || n > 12 {
			t.Errorf("%d rows in ten minutes", n)
		}
		w.awaitState(w.submit(jobrun.Request{Manual: true}), jobrun.Succeeded)
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		if err := w.store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldAll, By: "guest"}); !errors.Is(err, jobrun.ErrHeld) {
			t.Errorf("held again: %v", err)
		}
		// The session is lost during the hold, and another process starts. Held fire times
		// shouldn't be made up for.
		m.cut()
		time.Sleep(time.Minute)
		m.reconnect()
		w.open(2, coreagent.Job{Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Failover: true}, nil)
		time.Sleep(time.Minute)
		if again := len(w.executions("")); again != before {
			t.Errorf("%d executions while the schedule is held, after a session was lost", again-before)
		}
		sleepUntilNext(time.Second)
		time.Sleep(500 * time.Millisecond)
		b.must(w.store.Release(b.ctx()))
		if err := w.store.Release(b.ctx()); !errors.Is(err, jobrun.ErrHeld) {
			t.Errorf("released again: %v", err)
		}
		time.Sleep(10 * time.Second)
		if again := len(w.executions("")) - before; again != 10 {
			t.Errorf("%d executions in the ten seconds after the release", again)
		}
		w.awaitNoRuns()
	})
}

// TestV53ReleaseOfRequests: releasing requests shouldn't forget missed fire times, but releasing
// the schedule should.
func TestV53ReleaseOfRequests(t *testing.T) {
	t.Parallel()
	for what, forgets := range map[jobrun.Held]bool{jobrun.HeldRequests: false, jobrun.HeldSchedule: true} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, nil)
			w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}}, nil)
			w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
			time.Sleep(time.Minute)
			era := func() string {
				data, _, err := w.store.Client.Get(b.ctx(), w.job.FireRecords())
				b.must(err)
				return string(data)
			}
			b.must(w.store.Hold(b.ctx(), jobtree.Hold{What: what, By: "root"}))
			before := era()
			b.must(w.store.Release(b.ctx()))
			if after := era(); (after != before) != forgets {
				b.Errorf("%s: the era was %s, and is %s", what, before, after)
			}
		})
	}
}

// TestR34HeldRequests: requests by programs should wait, but a person's request should overtake
// them.
func TestR34HeldRequests(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, props)
		b.must(w.store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldRequests, By: "root"}))
		var programs []string
		for range 70 { // That's more than the queue's limit.
			programs = append(programs, w.submit(jobrun.Request{}))
		}
		delayed := w.submit(jobrun.Request{Delay: 10 * time.Second})
		w.awaitState(w.submit(jobrun.Request{Manual: true}), jobrun.Succeeded)
		w.awaitState(w.submit(jobrun.Request{Manual: true, Delay: time.Second}), jobrun.Succeeded)
		time.Sleep(time.Minute)
		for _, id := range append(programs, delayed) {
			if got := w.status(id); got.State != jobrun.Queued {
				b.Fatalf("%+v", got)
			}
		}
		b.must(w.store.Release(b.ctx()))
		for _, id := range append(programs, delayed) {
			w.awaitState(id, jobrun.Succeeded)
		}
		w.awaitNoRuns()
	})
}

// TestR35Debug: a process in debug mode holds all runs for itself. It should run a person's
// requests and nothing else.
func TestR35Debug(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, nil)
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.Debug = coreagent.DebugAll })
		job := coreagent.Job{Name: "invoices", Shards: 1, Props: props}
		if props == nil {
			job.Schedule.Cron = "* * * * * ?"
		}
		m.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error { return w.work(ctx, m.id, s) })
		m.start()
		program := w.submit(jobrun.Request{})
		person := w.submit(jobrun.Request{Manual: true})
		w.awaitState(person, jobrun.Succeeded)
		time.Sleep(time.Minute)
		if got := w.doneAll(); len(got) != 1 || w.status(program).State != jobrun.Queued {
			b.Errorf("executed %+v; %+v", got, w.status(program))
		}
	})
}

// TestR36PauseAfterFailures: the third failed run in a row should hold the job. After the release
// we count from zero.
func TestR36PauseAfterFailures(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { return errPaper })
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropPause: "3"}))
		for round := range 2 {
			for n := range 3 {
				if _, held, err := w.store.Held(b.ctx()); err != nil || held {
					b.Errorf("round %d: held after %d failures, %v", round, n, err)
				}
				w.awaitState(w.submit(jobrun.Request{}), jobrun.Failed)
			}
			b.await("the job is held", func() bool { return b.exists(w.job.Held()) })
			held, _, err := w.store.Held(b.ctx())
			b.must(err)
			if held.What != jobrun.HeldAll || !strings.Contains(held.Reason, "3 runs failed in a row") {
				b.Errorf("%+v", held)
			}
			waits := w.submit(jobrun.Request{})
			time.Sleep(10 * time.Second)
			if got := w.status(waits).State; got != jobrun.Queued {
				b.Errorf("a run is %s while the job is held", got)
			}
			_, err = w.store.Cancel(b.ctx(), waits, jobtree.RunCancel{By: "root"})
			b.must(err)
			b.must(w.store.Release(b.ctx()))
			time.Sleep(time.Second)
		}
	})
}

// TestHoldBeforeARequest: a hold should keep a request back even if it came just before it.
func TestHoldBeforeARequest(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := newWorkshop(b, nil)
				for n := range 3 {
					w.open(n+1, coreagent.Job{Shards: 3}, props)
				}
				w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
				for range 40 {
					w.must(w.store.Hold(w.ctx(), jobtree.Hold{What: jobrun.HeldRequests, By: "root"}))
					id := w.submit(jobrun.Request{})
					time.Sleep(time.Second)
					if s := w.status(id); s.State != jobrun.Queued {
						t.Fatalf("a request after a hold is %s", s.State)
					}
					w.must(w.store.Release(w.ctx()))
					w.awaitState(id, jobrun.Succeeded)
				}
			})
		})
	}
}

// TestReleaseOfRunsThatCannotBegin: if all shards of a run are disabled, the run should end at once
// and not block the runs behind it.
func TestReleaseOfRunsThatCannotBegin(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 2}, nil)
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		w.must(w.store.Hold(w.ctx(), jobtree.Hold{What: jobrun.HeldRequests, By: "root"}))
		_, err := w.store.Client.Create(w.ctx(), w.job.ItemDisabled(0), nil, zk.Persistent)
		w.must(err)
		var skipped []string
		for range 3 {
			skipped = append(skipped, w.submit(jobrun.Request{Shards: []int{0}}))
		}
		runs := w.submit(jobrun.Request{})
		w.must(w.store.Release(w.ctx()))
		time.Sleep(time.Second)
		for _, id := range skipped {
			if s := w.status(id); s.State != jobrun.Skipped {
				t.Errorf("a run of a disabled shard is %s", s.State)
			}
		}
		if s := w.status(runs); s.State != jobrun.Succeeded {
			t.Errorf("the run behind them is %s", s.State)
		}
	})
}

// TestHoldBeforeAMisfire: a missed fire time waits for the previous run to end. If the schedule is
// held, it shouldn't be made up for, not even after the release.
func TestHoldBeforeAMisfire(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
			if len(s.Run.Params) > 0 {
				time.Sleep(3 * time.Minute)
			}
			return nil
		})
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}}, nil)
		sleepUntilNext(time.Minute)
		time.Sleep(30 * time.Second)
		id := w.submit(jobrun.Request{Params: []byte(`{"long":true}`)})
		time.Sleep(2 * time.Minute) // Two fire times pass.
		b.must(w.store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldSchedule, By: "root"}))
		before := len(w.executions(""))
		time.Sleep(5*time.Minute + 10*time.Second)
		w.awaitState(id, jobrun.Succeeded)
		if again := len(w.executions("")); again != before {
			t.Errorf("%d executions while the schedule is held", again-before)
		}
		b.must(w.store.Release(b.ctx()))
		time.Sleep(10 * time.Second)
		if again := len(w.executions("")); again != before {
			t.Errorf("%d executions after the release and before the next fire time", again-before)
		}
		w.awaitNoRuns()
	})
}

// TestReleaseBeforeTheReturn: an instance is cut off during a whole hold and still has the newest
// fire time in memory. It shouldn't run it when it returns.
func TestReleaseBeforeTheReturn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ held, unmonitored, edited bool }{
		"held": {held: true}, "not held": {}, "held, nothing is monitored": {held: true, unmonitored: true},
		"not held, nothing is monitored": {unmonitored: true}, "held, and edited since": {held: true, edited: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				held := tt.held
				w := newWorkshop(b, nil)
				m := w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Unmonitored: tt.unmonitored}, nil)
				w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
				sleepUntilNext(time.Minute)
				time.Sleep(50 * time.Second)
				m.cut()
				if held {
					b.must(w.store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldSchedule, By: "root"}))
				}
				before := len(w.executions(""))
				time.Sleep(14 * time.Second) // A fire time passes.
				if held {
					b.must(w.store.Release(b.ctx()))
				}
				if tt.edited {
					stored, _ := b.get(w.store.Tree.Config())
					b.put(w.store.Tree.Config(), stored+"\n") // An edit that changes nothing also counts.
				}
				m.reconnect()
				time.Sleep(20 * time.Second)
				if again := len(w.executions("")) - before; (again > 0) == held {
					t.Errorf("%d executions after the return", again)
				}
			})
		})
	}
}
