package scenario_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var errPaper = errors.New("no paper")

// begun returns when the executions of a run began, relative to the first.
func (w *workshop) begun(id string) []time.Duration {
	var list []time.Duration
	all := w.executions(id)
	for _, e := range all {
		list = append(list, e.began.Sub(all[0].began))
	}
	return list
}

// bubbleForBoth runs fn for a job with runs on all shards, and for a job with runs on one shard
// each.
func bubbleForBoth(t *testing.T, fn func(b *fixture, props map[string]string)) {
	t.Helper()
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) { fn(b, props) })
		})
	}
}

// TestR09Retries: there should be three attempts without a pause, and the error handler should be
// called for the last one.
func TestR09Retries(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { return errPaper })
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropRetries: "2"}))
		id := w.submit(jobrun.Request{})
		got := w.awaitState(id, jobrun.Failed)
		if n := len(w.executions(id)); n != 3 || got.Attempt != 3 || got.Errors[0] != "no paper" || got.Reason != "1 of 1 shards failed" {
			b.Errorf("%d executions, %+v", n, got)
		}
		if took := w.begun(id)[2]; took > 100*time.Millisecond {
			b.Errorf("the last attempt began %v after the first", took)
		}
		if n := b.log.count("exception occur in job processing"); n != 1 {
			b.Errorf("the error handler was called %d times", n)
		}
		w.awaitNoRuns()
	})
}

// TestR10Backoff: the pauses should be 1, 2, 3, 3 and 3 minutes, plus or minus a fifth.
func TestR10Backoff(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { return errPaper })
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropRetries: "5", runs.PropBackoff: "1m", runs.PropMost: "3m"}))
		id := w.submit(jobrun.Request{})
		time.Sleep(20 * time.Minute)
		w.awaitState(id, jobrun.Failed)
		begun := w.begun(id)
		if len(begun) != 6 {
			b.Fatalf("%d attempts", len(begun))
		}
		for i, want := range []time.Duration{time.Minute, 2 * time.Minute, 3 * time.Minute, 3 * time.Minute, 3 * time.Minute} {
			wait := begun[i+1] - begun[i]
			if wait < want*8/10 || wait > want*12/10 {
				b.Errorf("attempt %d came after %v, want %v", i+2, wait, want)
			}
		}
		w.awaitNoRuns()
	})
}

// TestR11OnlyWhatFailed: only the failed shards should be retried.
func TestR11OnlyWhatFailed(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var calls atomic.Int64
		w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
			if s.Item == 2 && calls.Add(1) == 1 {
				return errPaper
			}
			return nil
		})
		w.open(1, coreagent.Job{Shards: 4}, map[string]string{runs.PropRetries: "3", runs.PropBackoff: "10s"})
		id := w.submit(jobrun.Request{})
		waits := w.awaitState(id, jobrun.Scheduled)
		if waits.Attempt != 2 || len(waits.OK) > 0 {
			t.Errorf("it waits as %+v", waits)
		}
		got := w.awaitState(id, jobrun.Succeeded)
		all := w.executions(id)
		if len(all) != 5 || all[4].shard != 2 || got.CountOK != 4 || got.Attempt != 2 {
			t.Errorf("%+v, executed %+v", got, all)
		}
		w.awaitNoRuns()
	})
}

// TestR12WhatAHandlerSays: the handler's error should decide the result of its run.
func TestR12WhatAHandlerSays(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		var say func(attempt int) error
		calls := 0
		w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error { calls++; return say(calls) })
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropRetries: "5", runs.PropBackoff: "1h"}))
		for name, c := range map[string]struct {
			say      func(call int) error
			state    jobrun.State
			attempt  int
			snoozes  int
			executed int
			between  time.Duration
		}{
			"permanent":    {func(int) error { return coreagent.Permanent(errPaper) }, jobrun.Failed, 1, 0, 1, 0},
			"nothing":      {func(int) error { return coreagent.SkipRun("no invoices") }, jobrun.Skipped, 1, 0, 1, 0},
			"far too long": {func(int) error { return errors.Join(coreagent.Permanent(errPaper), coreagent.Snooze(800*time.Hour)) }, jobrun.Failed, 1, 0, 1, 0},
			"retry after": {func(call int) error {
				if call == 1 {
					return coreagent.RetryAfter(errPaper, 10*time.Second)
				}
				return nil
			}, jobrun.Succeeded, 2, 0, 2, 10 * time.Second},
			"snooze": {func(call int) error {
				if call < 4 {
					return coreagent.Snooze(10 * time.Second)
				}
				return nil
			}, jobrun.Succeeded, 1, 3, 4, 10 * time.Second},
		} {
			say, calls = c.say, 0
			id := w.submit(jobrun.Request{})
			got := w.awaitState(id, c.state)
			begun := w.begun(id)
			if got.Attempt != c.attempt || got.Snoozes != c.snoozes || len(begun) != c.executed {
				b.Errorf("%s: %d executions, %+v", name, len(begun), got)
			}
			if c.between > 0 && (begun[1] < c.between || begun[1] > c.between+100*time.Millisecond) {
				b.Errorf("%s: it ran again after %v", name, begun[1])
			}
			w.awaitNoRuns()
		}
	})
}

// TestR13Timeout: if a handler ends at its timeout, its attempt should fail.
func TestR13Timeout(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, takes(10*time.Second))
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropTimeout: "1s"}))
		id := w.submit(jobrun.Request{})
		got := w.awaitState(id, jobrun.Failed)
		if took := got.Ended.Sub(got.Began); took != time.Second || got.Errors[0] != coreagent.ErrTimeout.Error() {
			b.Errorf("it took %v: %+v", took, got)
		}
		w.awaitNoRuns()
	})
}

// TestR14TimeoutIgnored: if a handler ignores its timeout, the run should go on, the log should
// name the handler, and no other run should start next to it.
func TestR14TimeoutIgnored(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { time.Sleep(20 * time.Second); return nil })
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropTimeout: "1s"}))
		first := w.submit(jobrun.Request{})
		time.Sleep(time.Millisecond)
		second := w.submit(jobrun.Request{})
		time.Sleep(10 * time.Second)
		if got := w.status(first).State; got != jobrun.Running {
			b.Errorf("it is %s", got)
		}
		if got := w.status(second).State; got != jobrun.Queued {
			b.Errorf("the one behind it is %s", got)
		}
		if b.log.count("a call ignores its context") == 0 {
			b.Error("the log does not name the handler")
		}
		w.awaitState(second, jobrun.Succeeded)
		if w.overlap {
			b.Error("two at once")
		}
		w.awaitNoRuns()
	})
}

// TestR19LostFails: the owner dies, and the job doesn't allow lost shards to run again.
func TestR19LostFails(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		b.session = 4 * time.Second
		w := newWorkshop(b, nil)
		props = with(props, map[string]string{runs.PropLost: "fail", runs.PropRetries: "3"})
		m := w.open(1, coreagent.Job{}, props)
		w.handle = m.work(10 * time.Second)
		id := w.submit(jobrun.Request{})
		w.awaitAttempt(id)
		w.open(2, coreagent.Job{}, props)
		m.kill()
		got := w.awaitState(id, jobrun.Failed)
		if got.Reason != "lost: "+m.id+" lost its session during the run" || got.Losses != 1 {
			b.Errorf("%+v", got)
		}
		time.Sleep(time.Minute)
		if again := w.executions(id); len(again) > 1 {
			b.Errorf("executed %+v", again)
		}
		w.awaitNoRuns()
	})
}

// TestR20HandlerThatKillsItsProcess: the run should fail at the third loss.
func TestR20HandlerThatKillsItsProcess(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		b.session = 4 * time.Second
		w := newWorkshop(b, nil)
		fleet := make(map[string]*member)
		w.handle = func(ctx context.Context, s *coreagent.Shard) error { <-ctx.Done(); return context.Cause(ctx) }
		next := 0
		open := func() {
			next++
			m := w.open(next, coreagent.Job{}, props)
			fleet[m.id] = m
		}
		open()
		id := w.submit(jobrun.Request{})
		for range 3 {
			w.awaitState(id, jobrun.Running)
			open()
			b.await("somebody runs it", func() bool { return b.exists(w.job.ItemRunning(0)) })
			owner, _ := b.get(w.job.ItemRunning(0))
			fleet[owner].kill()
			b.await("its session has ended", func() bool { return !b.exists(w.job.Instance(owner)) })
			time.Sleep(time.Second)
		}
		got := w.awaitState(id, jobrun.Failed)
		if got.Losses != 3 {
			b.Errorf("%+v", got)
		}
		w.awaitNoRuns()
	})
}

// TestCancelledShardThatWaitsForAPlace: its handler should never be called.
func TestCancelledShardThatWaitsForAPlace(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error { <-ctx.Done(); return context.Cause(ctx) })
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.MaxParallel = 1 })
		m.HandleFunc(coreagent.Job{Name: "invoices", Shards: 2}, func(ctx context.Context, s *coreagent.Shard) error {
			if ctx.Err() != nil {
				t.Errorf("the handler of shard %d is called with a context that has ended: %v", s.Item, context.Cause(ctx))
			}
			return w.work(ctx, m.id, s)
		})
		m.start()
		id := w.submit(jobrun.Request{})
		w.awaitAttempt(id)
		time.Sleep(10 * time.Second)
		_, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"})
		b.must(err)
		w.awaitState(id, jobrun.Cancelled)
		w.awaitNoRuns()
		if got := w.executions(id); len(got) != 1 {
			t.Errorf("executed %+v, want the shard alone that had the place", got)
		}
	})
}

// TestR40MaxParallel: a process should never run more handlers at once than its limit. Runs on one
// shard should go to another process in that case.
func TestR40MaxParallel(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, nil)
		var under, most atomic.Int64
		limited := b.agent(1, func(cfg *coreagent.Config) { cfg.MaxParallel = 2 })
		for _, name := range []string{"invoices", "letters"} {
			job := coreagent.Job{Name: name, Shards: 10, Props: props, Executor: coreagent.CPU}
			if name == "letters" {
				job.Schedule.Cron, job.Props = "0/5 * * * * ?", nil
			}
			limited.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error {
				n := under.Add(1)
				defer under.Add(-1)
				for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
				}
				if s.Job == "letters" {
					time.Sleep(100 * time.Millisecond)
					return nil
				}
				return w.work(ctx, limited.id, s)
			})
		}
		w.handle = takes(300 * time.Millisecond)
		limited.start()
		var ids []string
		for range 20 {
			ids = append(ids, w.submit(jobrun.Request{}))
		}
		if props != nil {
			w.open(2, coreagent.Job{Shards: 10}, props)
		}
		for _, id := range ids {
			w.awaitState(id, jobrun.Succeeded)
		}
		if most.Load() != 2 {
			b.Errorf("%d handlers at once, want 2", most.Load())
		}
		elsewhere := 0
		for _, e := range w.doneAll() {
			if e.on != limited.id {
				elsewhere++
			}
		}
		if props != nil && elsewhere == 0 {
			b.Error("no run went to the other process")
		}
		w.awaitNoRuns()
	})
}

// TestW06PlaceBeforeTheClaim: two processes have one place each, and two runs are due at the same
// time. Each process should take one run.
func TestW06PlaceBeforeTheClaim(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, takes(time.Minute))
		for n := range 2 {
			m := b.agent(n+1, func(cfg *coreagent.Config) { cfg.MaxParallel = 1 })
			m.HandleFunc(coreagent.Job{Name: "invoices", Shards: 8, Props: oneEach}, func(ctx context.Context, s *coreagent.Shard) error {
				return w.work(ctx, m.id, s)
			})
			m.start()
		}
		b.awaitAssigned("invoices", 8)
		for range 10 {
			first, second := w.submit(jobrun.Request{Delay: 5 * time.Second}), w.submit(jobrun.Request{Delay: 5 * time.Second})
			time.Sleep(20 * time.Second)
			for _, id := range []string{first, second} {
				if state := w.status(id).State; state != jobrun.Running {
					b.Errorf("run %s is %s", id, state)
				}
			}
			w.awaitState(first, jobrun.Succeeded)
			w.awaitState(second, jobrun.Succeeded)
			if one, two := w.executions(first), w.executions(second); len(one) != 1 || len(two) != 1 || one[0].on == two[0].on {
				b.Errorf("executed %+v and %+v, want one by each process", one, two)
			}
		}
	})
}

// TestW04AgentsAnnounceWhatTheyDo: if a run waits because every process is in debug mode or has no
// free place, that should be visible from outside.
func TestW04AgentsAnnounceWhatTheyDo(t *testing.T) {
	t.Parallel()
	for code, change := range map[jobrun.WaitCode]func(*coreagent.Config){
		jobrun.WaitPlaces: func(c *coreagent.Config) { c.MaxParallel = 1 },
		jobrun.WaitDebug:  func(c *coreagent.Config) { c.Debug = coreagent.DebugRequests },
	} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, takes(time.Hour))
			m := b.agent(1, change)
			m.HandleFunc(coreagent.Job{Name: "invoices", Shards: 4, Props: oneEach}, func(ctx context.Context, s *coreagent.Shard) error {
				return w.work(ctx, m.id, s)
			})
			m.start()
			b.awaitAssigned("invoices", 4)
			w.submit(jobrun.Request{})
			time.Sleep(time.Minute)
			waiting := w.submit(jobrun.Request{})
			time.Sleep(time.Minute)
			status, err := m.RunStatus(b.ctx(), "invoices", waiting)
			b.must(err)
			if status.Wait.Code != code || !strings.Contains(status.Wait.Sentence, m.id) {
				b.Errorf("%+v, want %s", status.Wait, code)
			}
			found, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Explain(b.ctx(), "invoices")
			b.must(err)
			if !slices.ContainsFunc(found.Findings, func(f statistics.Finding) bool {
				return f.Code == statistics.CodeRunWaits && f.Wait.Code == code && strings.Contains(f.Sentence, status.Wait.Sentence)
			}) {
				b.Errorf("%+v", found.Findings)
			}
		})
	}
}

// TestR33FireThatFails: the failed shards of a fire time should be retried after the back-off,
// unless the next fire time comes first.
func TestR33FireThatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		backoff string
		again   bool
	}{{"10s", true}, {"2m", false}} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			var broken atomic.Bool
			w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
				if broken.Load() && s.Item == 1 && s.Run.Attempt < 2 {
					return errPaper
				}
				return nil
			})
			w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 3}, map[string]string{runs.PropRetries: "1", runs.PropBackoff: c.backoff})
			broken.Store(true)
			at := sleepUntilNext(time.Minute)
			time.Sleep(time.Second)
			broken.Store(false)
			time.Sleep(48 * time.Second)
			var again []execution
			for _, e := range w.doneAll() {
				if e.run != "" {
					again = append(again, e)
				}
			}
			switch {
			case !c.again && len(again) > 0:
				t.Errorf("tried again after the next fire time: %+v", again)
			case c.again && (len(again) != 1 || again[0].shard != 1 || again[0].began.Sub(at) < 9*time.Second || again[0].began.Sub(at) > 12*time.Second):
				t.Errorf("tried again: %+v", again)
			}
			if n := b.log.count("exception occur in job processing"); (n == 0) != c.again {
				t.Errorf("back-off %s: the error handler was called %d times", c.backoff, n)
			}
			w.awaitNoRuns()
		})
	}
}

// TestR33RetriesEndAtTheNextFireTime: a shard that keeps failing should be retried until the next
// fire time, not after it. Its rows should have the trigger retry, and the error handler should be
// called once.
func TestR33RetriesEndAtTheNextFireTime(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var broken atomic.Bool
		w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
			if s.Item == 1 && (broken.Load() || s.Run.Requested) {
				return errPaper
			}
			return nil
		})
		m := w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 3}, map[string]string{runs.PropRetries: "5", runs.PropBackoff: "10s"})
		broken.Store(true)
		at := sleepUntilNext(time.Minute)
		time.Sleep(time.Second)
		broken.Store(false)
		time.Sleep(3 * time.Minute)
		tries := 0
		for _, e := range finished(m) {
			if e.Trigger != tracing.TriggerRetry {
				continue
			}
			if tries++; e.Item != 1 || e.Attempt != tries+1 || !e.ScheduledAt.Equal(at) || e.StartTime.Sub(at) >= time.Minute {
				t.Errorf("tried again: %+v", e)
			}
		}
		if tries != 2 { // after 10 s and 30 s; the next one would be after 70 s
			t.Errorf("tried again %d times", tries)
		}
		if n := b.log.count("exception occur in job processing"); n != 1 {
			t.Errorf("the error handler was called %d times", n)
		}
		w.awaitNoRuns()
	})
}
