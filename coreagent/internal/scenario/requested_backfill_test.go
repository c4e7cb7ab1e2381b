package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// backfill starts a backfill of the last n times of the job's cron expression.
func (w *workshop) backfill(n int, every time.Duration, back jobrun.Backfill) (jobrun.BackfillProgress, []time.Time) {
	w.Helper()
	back.To = time.Now().UTC().Truncate(time.Hour).Add(-time.Hour)
	back.From = back.To.Add(-time.Duration(n-1) * every)
	config, err := w.store.Config(w.ctx())
	w.must(err)
	plan, err := runs.PlanBackfill("invoices", config, back, time.Now())
	w.must(err)
	if len(plan.Times) != n || plan.RefusedCount != 0 {
		w.Fatalf("%d fire times, %d refused", len(plan.Times), plan.RefusedCount)
	}
	p, err := w.store.StartBackfill(w.ctx(), plan.Times, back)
	w.must(err)
	return p, plan.Times
}

func (w *workshop) progress(id string) jobrun.BackfillProgress {
	w.Helper()
	p, err := w.store.Backfill(w.ctx(), id)
	w.must(err)
	return p
}

// requestedOnly handles requested runs with handle, and does nothing at fire times.
func requestedOnly(handle coreagent.HandlerFunc) coreagent.HandlerFunc {
	return func(ctx context.Context, s *coreagent.Shard) error {
		if s.Run.Requested {
			return handle(ctx, s)
		}
		return nil
	}
}

// TestR39BackfillOfADay: an hourly job should get a run for each hour of a day, in order and with
// the hour as fire time. None should run twice, although the requesting process stops after ten of
// them. The job's schedule has jitter, but these times shouldn't.
func TestR39BackfillOfADay(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var fires fireLog
		w := newWorkshop(b, requestedOnly(func(ctx context.Context, s *coreagent.Shard) error {
			time.Sleep(time.Second)
			return fires.handle(ctx, s)
		}))
		job := coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 0 * * * ?", Zone: "GMT", Jitter: time.Minute}, Requests: coreagent.Requests{Overlap: coreagent.OverlapSkip}}
		members := []*member{w.open(1, job, nil), w.open(2, job, nil)}
		p, times := w.backfill(24, time.Hour, jobrun.Backfill{Parallel: 4, Params: json.RawMessage(`{"a": 1}`)})
		var taken []time.Time
		took := func(n int) func() bool {
			return func() bool { taken = append(taken, fires.taken()...); return len(taken) >= n }
		}
		b.await("ten have run", took(10))
		steward, _ := b.get(w.job.RunsSteward())
		i := slices.IndexFunc(members, func(m *member) bool { return m.id == steward })
		b.must(members[i].Stop(b.ctx()))
		b.await("all have run", took(24))
		time.Sleep(time.Minute)
		if took(24); !slices.EqualFunc(taken, times, time.Time.Equal) {
			t.Errorf("run for %v\nwant %v", taken, times)
		}
		if p := w.progress(p.ID); p.State != jobrun.Succeeded || p.Runs[jobrun.Succeeded] != 24 || p.Ended.IsZero() {
			t.Errorf("at the end: %+v", p)
		}
	})
}

// TestW07BackfillOf5000: a backfill has more runs than the registry keeps outcomes. All runs should
// be counted, and at most 100 unfinished ones should be in the registry at a time.
func TestW07BackfillOf5000(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var fires fireLog
		w := newWorkshop(b, requestedOnly(func(ctx context.Context, s *coreagent.Shard) error {
			if s.ScheduledAt.Minute() == 7 {
				return errors.Join(fires.handle(ctx, s), errors.New("minute seven"))
			}
			return fires.handle(ctx, s)
		}))
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 * * * * ?", Zone: "GMT"}}, map[string]string{runs.PropKeep: "50"})
		p, times := w.backfill(5000, time.Minute, jobrun.Backfill{})
		b.await("it has ended", func() bool {
			if live, err := w.store.Live(b.ctx(), 0); err != nil || live.WaitingCount+len(live.Active) > jobrun.MostBackfillParallel+1 {
				t.Errorf("%d wait and %d run, %v", live.WaitingCount, len(live.Active), err)
			}
			p = w.progress(p.ID)
			return p.State.Ended() && !p.Ended.IsZero()
		})
		time.Sleep(30 * time.Minute) // By then the outcomes are removed.
		p = w.progress(p.ID)
		failed := 0
		for _, at := range times {
			if at.Minute() == 7 {
				failed++
			}
		}
		if taken := fires.taken(); !slices.EqualFunc(taken, times, time.Time.Equal) {
			t.Errorf("%d runs, not one for each fire time in order", len(taken))
		}
		if p.State != jobrun.Failed || p.Runs[jobrun.Failed] != failed || p.Runs[jobrun.Succeeded] != 5000-failed {
			t.Errorf("at the end: %+v", p)
		}
		if kept := len(w.children(w.job.RunsDone())); kept > 60 {
			t.Errorf("%d outcomes are kept", kept)
		}
	})
}

// TestW07BackfillParallel: with Parallel 1, only one run of a backfill should wait or run at a
// time, so another request can run in between. A cancel should end the handler's context and stop
// the backfill.
func TestW07BackfillParallel(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, requestedOnly(func(ctx context.Context, _ *coreagent.Shard) error {
			select {
			case <-time.After(10 * time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}))
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 0 * * * ?", Zone: "GMT"}, Shards: 2}, nil)
		p, _ := w.backfill(100, time.Hour, jobrun.Backfill{Parallel: 1})
		b.await("three have ended", func() bool {
			live, err := w.store.Live(b.ctx(), 10)
			if b.must(err); live.WaitingCount+len(live.Active) > 1 {
				t.Errorf("%d wait and %d run", live.WaitingCount, len(live.Active))
			}
			return w.progress(p.ID).Runs[jobrun.Succeeded] == 3
		})
		asked := time.Now()
		id := w.submit(jobrun.Request{Manual: true})
		w.awaitState(id, jobrun.Succeeded)
		if waited := time.Since(asked); waited > 45*time.Second {
			t.Errorf("another request ended after %v", waited)
		}
		b.await("the next one runs", func() bool { return w.progress(p.ID).Runs[jobrun.Running] == 1 })
		done := w.progress(p.ID).Runs[jobrun.Succeeded]
		_, err := w.store.CancelBackfill(b.ctx(), p.ID, jobtree.RunCancel{By: "root"})
		b.must(err)
		b.await("it is cancelled", func() bool { p = w.progress(p.ID); return p.State == jobrun.Cancelled && !p.Ended.IsZero() })
		if p.Runs[jobrun.Succeeded] != done || p.Runs[jobrun.Cancelled] != 100-done {
			t.Errorf("at the end: %+v", p)
		}
	})
}
