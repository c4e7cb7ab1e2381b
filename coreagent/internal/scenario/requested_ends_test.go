package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestW75OneOutageDuringARun: while all instances work on a run, ZooKeeper is away once for longer
// than a session, or ends all sessions. No process ends, so each shard is lost once at most and the
// run should succeed.
func TestW75OneOutageDuringARun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agents, shards int
		props          map[string]string
	}{{1, 2, nil}, {3, 3, nil}, {5, 10, nil}, {8, 8, nil}, {4, 4, oneEach}} {
		for _, away := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d agents, %d shards, %v, away=%t", c.agents, c.shards, c.props, away), func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, srv *zkfake.Server) {
					b.session = 4 * time.Second
					w := newWorkshop(b, takes(20*time.Second))
					for n := 1; n <= c.agents; n++ {
						w.open(n, coreagent.Job{Shards: c.shards}, c.props)
					}
					b.await("the shards are shared", func() bool {
						return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == c.agents && len(b.leftovers("invoices")) == 0
					})
					id := w.submit(jobrun.Request{})
					w.awaitState(id, jobrun.Running)
					time.Sleep(5 * time.Second)
					if away {
						srv.Stop()
						time.Sleep(14 * time.Second)
						b.must(srv.Start())
					} else {
						for _, s := range srv.Sessions() {
							srv.ExpireSession(s.ID)
						}
					}
					time.Sleep(time.Minute)
					b.must(b.client.AwaitConnected(b.ctx()))
					got := w.awaitState(id, jobrun.Succeeded)
					if w.overlap || got.Losses < 1 || got.Losses > c.agents || len(w.executions(id)) > 2*got.Total {
						t.Errorf("%+v, executed %+v", got, w.executions(id))
					}
					w.awaitNoRuns()
				})
			})
		}
	}
}

// TestW76FailureOfAnEarlierAttemptStays: a shard has failed and waits for its next attempt. Then
// it's disabled, or the job gets fewer shards. The run should fail because the shard's work was
// never done.
func TestW76FailureOfAnEarlierAttemptStays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(w *workshop, id string)
		retries string
		state   jobrun.State
		want    jobrun.Counts
	}{
		"disabled":                {func(w *workshop, _ string) { w.put(w.job.ItemDisabled(2), "") }, "1", jobrun.Failed, jobrun.Counts{OK: 2, Failed: 1}},
		"disabled, attempts left": {func(w *workshop, _ string) { w.put(w.job.ItemDisabled(2), "") }, "5", jobrun.Failed, jobrun.Counts{OK: 2, Failed: 1}},
		"disabled for a moment": {func(w *workshop, _ string) {
			w.put(w.job.ItemDisabled(2), "")
			time.Sleep(time.Second)
			w.delete(w.job.ItemDisabled(2))
		}, "1", jobrun.Succeeded, jobrun.Counts{OK: 3}},
		"fewer shards": {func(w *workshop, _ string) {
			w.configure("invoices", func(c *jobconfig.Config) { c.Shards = 2 })
		}, "1", jobrun.Failed, jobrun.Counts{OK: 2, Failed: 1}},
		"cancelled": {func(w *workshop, id string) {
			_, err := w.store.Cancel(w.ctx(), id, jobtree.RunCancel{By: "root"})
			w.must(err)
		}, "1", jobrun.Cancelled, jobrun.Counts{OK: 2, Failed: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				failed := false
				w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
					if s.Item == 2 && !failed {
						failed = true
						return errPaper
					}
					return nil
				})
				w.open(1, coreagent.Job{Shards: 3}, map[string]string{runs.PropRetries: c.retries, runs.PropBackoff: "10s"})
				id := w.submit(jobrun.Request{})
				w.awaitState(id, jobrun.Scheduled)
				c.change(w, id)
				got := w.awaitState(id, c.state)
				if got.Counts() != c.want || got.Total != 3 || c.want.Failed > 0 && got.Errors[2] == "" {
					t.Errorf("%+v", got)
				}
				w.awaitNoRuns()
			})
		})
	}
}

// endings are the possible ends of a run with three shards.
var endings = map[string]struct {
	handle  func(ctx context.Context, s *coreagent.Shard) error
	props   map[string]string
	options coreagent.RunOptions
	during  func(w *workshop, m *member, id string)
	state   coreagent.RunState
	want    jobrun.Counts
}{
	"failed": {func(_ context.Context, s *coreagent.Shard) error {
		if s.Item > 0 {
			return errPaper
		}
		return nil
	}, nil, coreagent.RunOptions{}, nil, coreagent.StateFailed, jobrun.Counts{OK: 1, Failed: 2}},
	"timed out": {takes(time.Minute), map[string]string{runs.PropTimeout: "1s"}, coreagent.RunOptions{}, nil, coreagent.StateFailed, jobrun.Counts{Failed: 3}},
	"cancelled while it runs": {func(ctx context.Context, s *coreagent.Shard) error {
		if s.Item == 0 {
			return nil
		}
		return takes(time.Minute)(ctx, s)
	}, nil, coreagent.RunOptions{}, func(w *workshop, m *member, id string) {
		_, err := m.CancelRun(w.ctx(), "invoices", id, "")
		w.must(err)
	}, coreagent.StateCancelled, jobrun.Counts{OK: 1, Cancelled: 2}},
	"cancelled before": {nil, nil, coreagent.RunOptions{Delay: time.Hour}, func(w *workshop, m *member, id string) {
		_, err := m.CancelRun(w.ctx(), "invoices", id, "")
		w.must(err)
	}, coreagent.StateCancelled, jobrun.Counts{}},
	"one fails for good, one is put off": {func(_ context.Context, s *coreagent.Shard) error {
		switch s.Item {
		case 0:
			return coreagent.Permanent(errPaper)
		case 1:
			return coreagent.Snooze(time.Minute)
		}
		return coreagent.SkipRun("nothing")
	}, nil, coreagent.RunOptions{}, nil, coreagent.StateFailed, jobrun.Counts{Failed: 1, Skipped: 1, Cancelled: 1}},
	"lost": {takes(time.Minute), map[string]string{runs.PropLost: "fail"}, coreagent.RunOptions{}, func(w *workshop, m *member, _ string) {
		w.fake.ExpireSession(m.session("invoices"))
	}, coreagent.StateFailed, jobrun.Counts{Failed: 3}},
}

// TestW05FailedIsCounted: RunStatus should count the failed shards, and the counts of every end
// should add up.
func TestW05FailedIsCounted(t *testing.T) {
	t.Parallel()
	for name, c := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := newWorkshop(b, c.handle)
				m := w.open(1, coreagent.Job{Shards: 3}, c.props)
				ticket, err := m.Submit(b.ctx(), "invoices", nil, c.options)
				b.must(err)
				time.Sleep(2 * time.Second)
				if c.during != nil {
					c.during(w, m, ticket.ID)
				}
				var got jobrun.Run
				b.await("the run has ended", func() bool {
					got, err = m.RunStatus(b.ctx(), "invoices", ticket.ID)
					return err == nil && got.State.Ended()
				})
				if n := got.Counts(); got.State != c.state || n != c.want || got.Total != n.OK+n.Failed+n.Skipped+n.Cancelled {
					t.Errorf("%+v", got)
				}
				w.awaitNoRuns()
			})
		})
	}
}

// TestRunThatHasBegunDoesNotExpire: a run's handler takes longer than the run may wait in the
// queue. The run shouldn't expire: after a stop, a loss or a failure it should begin again at once.
func TestRunThatHasBegunDoesNotExpire(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *workshop, m *member){
		"failed":  nil,
		"lost":    func(w *workshop, m *member) { w.fake.ExpireSession(m.session("invoices")) },
		"stopped": func(w *workshop, m *member) { w.must(m.Stop(w.ctx())) },
	} {
		t.Run(name, func(t *testing.T) {
			bubbleForBoth(t, func(b *fixture, props map[string]string) {
				first := true
				w := newWorkshop(b, func(ctx context.Context, s *coreagent.Shard) error {
					if !first {
						return nil
					}
					first = false
					return errors.Join(takes(20*time.Second)(ctx, s), errPaper)
				})
				m := w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropRetries: "1"}))
				id := w.submit(jobrun.Request{Expiry: 10 * time.Second})
				w.awaitState(id, jobrun.Running)
				w.open(2, coreagent.Job{}, with(props, map[string]string{runs.PropRetries: "1"}))
				time.Sleep(15 * time.Second)
				if end != nil {
					end(w, m)
				}
				w.awaitState(id, jobrun.Succeeded)
				w.awaitNoRuns()
			})
		})
	}
}

// TestRunOnDisabledServersExpires: a run that no enabled server could begin waits in the queue and expires.
// If it still waits when a server is enabled, it begins then.
func TestRunOnDisabledServersExpires(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, takes(time.Second))
		w.open(1, coreagent.Job{}, with(props, nil))
		server := w.job.Server("10.0.0.1")
		w.put(server, jobtree.ServerDisabled)
		time.Sleep(3 * time.Second) // In virtual time, like the others: until all has settled.
		expires := w.submit(jobrun.Request{Expiry: 10 * time.Second})
		time.Sleep(11 * time.Second)
		w.awaitState(expires, jobrun.Expired)
		waits := w.submit(jobrun.Request{Expiry: time.Minute})
		time.Sleep(3 * time.Second)
		w.put(server, jobtree.ServerEnabled)
		w.awaitState(waits, jobrun.Succeeded)
		if n := len(w.executions(expires)); n > 0 {
			b.Errorf("%d executions of the run that expired", n)
		}
	})
}

// TestRunThatHasBegunIsNotSkipped: a snoozed run returns while another one is running. It should
// wait for that one with any overlap policy, because skipping it would discard the work of its
// shards.
func TestRunThatHasBegunIsNotSkipped(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		first := ""
		w := newWorkshop(b, func(ctx context.Context, s *coreagent.Shard) error {
			if first == "" {
				first = s.Run.ID
				return coreagent.Snooze(5 * time.Second)
			}
			return takes(20*time.Second)(ctx, s)
		})
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropOverlap: "skip"}))
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Scheduled)
		second := w.submit(jobrun.Request{})
		w.awaitState(second, jobrun.Succeeded)
		w.awaitState(id, jobrun.Succeeded)
		w.awaitNoRuns()
	})
}

// TestR12RowsOfRunsThatDidNotFail: the row of a skipped or snoozed shard should be a success with
// the reason. The row of a cancelled shard should name the cancel, even if its handler returned
// another error.
func TestR12RowsOfRunsThatDidNotFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ends    func(ctx context.Context) error
		cancel  bool
		state   jobrun.State
		success bool
		cause   string
	}{
		"skipped":              {func(context.Context) error { return coreagent.SkipRun("nothing to do") }, false, jobrun.Skipped, true, "skipped: nothing to do"},
		"put off":              {func(context.Context) error { return coreagent.Snooze(time.Hour) }, false, jobrun.Scheduled, true, "snoozed for 1h0m0s"},
		"put off for too long": {func(context.Context) error { return coreagent.Snooze(800 * time.Hour) }, false, jobrun.Failed, false, "snoozed for 800h0m0s"},
		"cancelled":            {func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }, true, jobrun.Cancelled, false, tracing.CauseCancelled},
		"cancelled, with another error": {func(ctx context.Context) error { <-ctx.Done(); return errPaper }, true, jobrun.Cancelled,
			false, tracing.CauseCancelled + ": " + errPaper.Error()},
	} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error { return c.ends(ctx) })
			m := w.open(1, coreagent.Job{}, nil)
			id := w.submit(jobrun.Request{})
			if c.cancel {
				w.awaitState(id, jobrun.Running)
				synctest.Wait()
				_, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"})
				b.must(err)
			}
			w.awaitState(id, c.state)
			rows := finished(m)
			if len(rows) != 1 || rows[0].Success != c.success || rows[0].FailureCause != c.cause || rows[0].Cancelled() != c.cancel {
				t.Errorf("%s: %+v", name, rows)
			}
		})
	}
}

// TestR12FireTimesThatDidNotFail: a shard that skips or snoozes at a fire time should be a success
// with the reason. No error handler or listener should get a failure, and such runs shouldn't hold
// the job.
func TestR12FireTimesThatDidNotFail(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		p, heard := &pager{}, 0
		m := b.agent(1, withPager(p), func(cfg *coreagent.Config) {
			cfg.Listeners = []coreagent.Listener{{Name: "failures", After: func(_ context.Context, r *coreagent.LocalRun) error {
				heard += len(r.Failures)
				return nil
			}}}
		})
		job := hourlyJob
		job.Listeners, job.ErrorHandler = []coreagent.Listener{{Name: "failures"}}, coreagent.ErrorHandler{Name: "PAGER"}
		job.Props = map[string]string{runs.PropPause: "1"}
		m.serve(job, func(_ context.Context, s *coreagent.Shard) error {
			if s.Item == 0 {
				return coreagent.SkipRun("nothing to do")
			}
			return coreagent.Snooze(time.Minute)
		}).start()
		b.awaitOwners("job", m.id, m.id)
		for range 2 {
			sleepUntilNext(time.Hour)
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		rows := finished(m)
		if len(rows) != 4 {
			t.Errorf("%d rows, want 4: %+v", len(rows), rows)
		}
		for _, row := range rows {
			if cause := []string{"skipped: nothing to do", "snoozed for 1m0s"}[row.Item]; !row.Success || row.FailureCause != cause {
				t.Errorf("shard %d: %v, %q", row.Item, row.Success, row.FailureCause)
			}
		}
		if reported := p.reported(); heard+len(reported) > 0 {
			t.Errorf("a listener heard of %d failures, the error handler of %+v", heard, reported)
		}
	})
}
