package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// takes returns a handler that takes d, or ends with its context.
func takes(d time.Duration) func(ctx context.Context, s *coreagent.Shard) error {
	return func(ctx context.Context, _ *coreagent.Shard) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func with(props ...map[string]string) map[string]string {
	all := make(map[string]string)
	for _, some := range props {
		for k, v := range some {
			all[k] = v
		}
	}
	return all
}

// TestR07SecondRunIsSkipped: the reason should name the current run. For a run on all shards, a
// fire time that's still running should count, too.
func TestR07SecondRunIsSkipped(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, takes(5*time.Second))
			w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropOverlap: "skip"}))
			first := w.submit(jobrun.Request{})
			w.awaitState(first, jobrun.Running)
			second := w.submit(jobrun.Request{})
			got := w.awaitState(second, jobrun.Skipped)
			if want := "the job is running (run " + first + ")"; got.Reason != want {
				t.Errorf("%s: %q, want %q", name, got.Reason, want)
			}
			w.awaitState(first, jobrun.Succeeded)
			w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
			w.awaitNoRuns()
		})
	}
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, takes(5*time.Second))
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0/30 * * * * ?"}}, map[string]string{runs.PropOverlap: "skip"})
		sleepUntilNext(30 * time.Second)
		time.Sleep(time.Second)
		got := w.awaitState(w.submit(jobrun.Request{}), jobrun.Skipped)
		if got.Reason != "the job is running" {
			t.Errorf("beside a fire: %q", got.Reason)
		}
	})
}

// TestR08OverlapPolicies: either one run waits and further ones are skipped, or the first is
// cancelled and the second follows, or all run in order.
func TestR08OverlapPolicies(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, takes(5*time.Second))
			w.open(1, coreagent.Job{}, props)
			policy := func(o jobrun.Overlap) []string {
				var ids []string
				for range 3 {
					ids = append(ids, w.submit(jobrun.Request{Overlap: o}))
					time.Sleep(time.Second)
				}
				return ids
			}
			expect := func(o jobrun.Overlap, want ...jobrun.State) {
				for i, id := range policy(o) {
					w.awaitState(id, want[i])
				}
				w.awaitNoRuns()
			}
			expect(jobrun.OverlapQueue, jobrun.Succeeded, jobrun.Succeeded, jobrun.Succeeded)
			expect(jobrun.OverlapOne, jobrun.Succeeded, jobrun.Succeeded, jobrun.Skipped)
			expect(jobrun.OverlapCancel, jobrun.Cancelled, jobrun.Cancelled, jobrun.Succeeded)
			if w.overlap {
				t.Errorf("%s: two at once", name)
			}
		})
	}
}

// TestR23SessionLostAndNobodyElse: interrupted shards should run again under the next session.
// Finished shards should be recorded and not run again.
func TestR23SessionLostAndNobodyElse(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		for _, deaf := range []bool{true, false} {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				b.session = 4 * time.Second
				w := newWorkshop(b, takes(3*time.Second))
				if deaf { // It finishes no matter what its context does.
					w.handle = func(context.Context, *coreagent.Shard) error { time.Sleep(20 * time.Second); return nil }
				}
				m := w.open(1, coreagent.Job{}, props)
				id := w.submit(jobrun.Request{})
				w.awaitState(id, jobrun.Running)
				m.cut()
				time.Sleep(10 * time.Second)
				m.reconnect()
				done := w.awaitState(id, jobrun.Succeeded)
				w.awaitNoRuns()
				if got := w.executions(id); w.overlap || done.Losses > 1 || len(got) > 2 {
					t.Errorf("%s, deaf %t: %d losses, executed %+v", name, deaf, done.Losses, got)
				}
			})
		}
	}
}

// TestR24R25AnotherIsFaster: the owner is cut off for longer than its session, and another instance
// runs the shard again with a larger token. Later writes of the first one should have no effect.
func TestR24R25AnotherIsFaster(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			b.session = 4 * time.Second
			w := newWorkshop(b, takes(15*time.Second))
			m := w.open(1, coreagent.Job{}, props)
			id := w.submit(jobrun.Request{})
			w.awaitAttempt(id)
			w.open(2, coreagent.Job{}, props)
			m.cut()
			time.Sleep(12 * time.Second)
			m.reconnect()
			done := w.awaitState(id, jobrun.Succeeded)
			w.awaitNoRuns()
			time.Sleep(time.Minute)
			got := w.executions(id)
			if len(got) != 2 || got[0].token >= got[1].token || got[0].on == got[1].on || w.overlap || done.Losses != 1 {
				t.Errorf("%s: %d losses, executed %+v", name, done.Losses, got)
			}
			if again := w.status(id); again.Ended != done.Ended {
				t.Errorf("%s: it ended a second time: %+v", name, again)
			}
		})
	}
}

// TestR26AgentStopsWhileItRuns: if a run ends in time, it should succeed. If the stop cancels it,
// it should wait again without counting as an attempt or a loss.
func TestR26AgentStopsWhileItRuns(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		for _, drain := range []time.Duration{10 * time.Second, time.Second} {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := newWorkshop(b, takes(5*time.Second))
				m := w.open(1, coreagent.Job{}, props)
				id := w.submit(jobrun.Request{})
				w.awaitState(id, jobrun.Running)
				ctx, cancel := context.WithTimeout(context.Background(), drain)
				defer cancel()
				b.must(m.Stop(ctx))
				if drain > 5*time.Second {
					if got := w.status(id).State; got != jobrun.Succeeded {
						t.Errorf("%s: it is %s after a stop that waited", name, got)
					}
					return
				}
				w.open(2, coreagent.Job{}, props)
				done := w.awaitState(id, jobrun.Succeeded)
				if got := w.executions(id); len(got) != 2 || done.Attempt != 1 || done.Losses != 0 {
					t.Errorf("%s: %+v, executed %+v", name, done, got)
				}
				w.awaitNoRuns()
			})
		}
	}
}

// TestR27NobodyThereForAnHour: no instance lives for an hour. Requests that expired in that time
// should end as expired, and the rest should run.
func TestR27NobodyThereForAnHour(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		m := w.open(1, coreagent.Job{}, nil)
		b.must(m.Stop(b.ctx()))
		var ids []string
		for i := range 20 {
			expiry := time.Duration(0)
			if i%4 == 0 {
				expiry = 10 * time.Minute
			}
			ticket, err := w.store.Submit(b.ctx(), jobrun.Request{Delay: time.Duration(i) * time.Minute, Expiry: expiry})
			b.must(err)
			if ticket.Wait != jobrun.WaitNoProcess {
				t.Error("nobody is there, and the answer does not say so")
			}
			ids = append(ids, ticket.ID)
		}
		time.Sleep(time.Hour)
		w.open(2, coreagent.Job{}, nil)
		for i, id := range ids {
			want := jobrun.Succeeded
			if i%4 == 0 {
				want = jobrun.Expired
			}
			w.awaitState(id, want)
		}
		w.awaitNoRuns()
	})
}

// TestR28InstancesComeAndLeave: instances join and leave in the middle of a run. Each shard should
// run once, and the waiting shards should run on their new owner.
func TestR28InstancesComeAndLeave(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, takes(5*time.Second))
		job := coreagent.Job{Shards: 6, Executor: coreagent.SingleThread}
		w.open(1, job, nil)
		second := w.open(2, job, nil)
		b.await("both have shards", func() bool {
			return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 2 && len(b.leftovers("invoices")) == 0
		})
		second.triggerHere("invoices") // This keeps it busy for fifteen seconds, so its shards of the run wait.
		time.Sleep(time.Second)
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Running)
		w.open(3, job, nil)
		time.Sleep(3 * time.Second)
		b.must(second.Stop(b.ctx()))
		w.awaitState(id, jobrun.Succeeded)
		var shards []int
		for _, e := range w.executions(id) {
			shards = append(shards, e.shard)
		}
		if slices.Sort(shards); !slices.Equal(shards, []int{0, 1, 2, 3, 4, 5}) || w.overlap {
			t.Errorf("shards %v ran, two at once: %t", shards, w.overlap)
		}
		w.awaitNoRuns()
	})
}

// TestR29FewerShards: if a run was opened with more shards, it should fail with a reason. The next
// one should use the new number.
func TestR29FewerShards(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, takes(5*time.Second))
		w.open(1, coreagent.Job{Shards: 2}, nil)
		m := w.open(2, coreagent.Job{Shards: 2}, nil)
		b.await("both own a shard", func() bool {
			return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 2 && len(b.leftovers("invoices")) == 0
		})
		m.triggerHere("invoices") // Its shard is busy, so the run waits for it.
		time.Sleep(time.Second)
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Running)
		b.configure("invoices", func(c *jobconfig.Config) { c.Shards = 1 })
		got := w.awaitState(id, jobrun.Failed)
		if !strings.Contains(fmt.Sprint(got.Errors), "the job has 1 shards now, the run was opened with 2") {
			t.Errorf("%+v", got)
		}
		next := w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		if next.CountOK != 1 {
			t.Errorf("%+v", next)
		}
		w.awaitNoRuns()
	})
}

// TestR30DisabledShards: disabled shards should be left out of a run. If all are disabled, the run
// should be skipped.
func TestR30DisabledShards(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 3}, nil)
		b.put(w.job.ItemDisabled(1), "")
		got := w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		if got.CountOK != 2 || got.CountSkipped != 1 {
			t.Errorf("%+v", got)
		}
		b.put(w.job.ItemDisabled(0), "")
		b.put(w.job.ItemDisabled(2), "")
		got = w.awaitState(w.submit(jobrun.Request{}), jobrun.Skipped)
		if got.Reason != "every shard of the run is disabled" {
			t.Errorf("%+v", got)
		}
		w.awaitNoRuns()
	})
}

// TestR31ServersDisabled: a run should wait until a server is enabled.
func TestR31ServersDisabled(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, nil)
			w.open(1, coreagent.Job{}, props)
			b.put(w.job.Server("10.0.0.1"), jobtree.ServerDisabled)
			time.Sleep(5 * time.Second)
			id := w.submit(jobrun.Request{})
			time.Sleep(time.Minute)
			if got := w.executions(id); len(got) > 0 || w.status(id).State.Ended() {
				t.Errorf("%s: executed %+v, %+v", name, got, w.status(id))
			}
			b.put(w.job.Server("10.0.0.1"), jobtree.ServerEnabled)
			w.awaitState(id, jobrun.Succeeded)
			w.awaitNoRuns()
		})
	}
}

// TestR32FiresAndRuns: a run should never wait for more than one run and one fire time. Fire times
// that it delayed should have a single make-up run.
func TestR32FiresAndRuns(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.handle = func(_ context.Context, s *coreagent.Shard) error {
			if s.Run.Requested {
				time.Sleep(3 * time.Second)
			} else {
				time.Sleep(900 * time.Millisecond)
			}
			return nil
		}
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}, nil)
		time.Sleep(10 * time.Second)
		var ids []string
		begin := time.Now()
		for range 10 {
			ids = append(ids, w.submit(jobrun.Request{}))
		}
		for _, id := range ids {
			w.awaitState(id, jobrun.Succeeded)
		}
		if took := time.Since(begin); took > 10*(3+2)*time.Second {
			t.Errorf("ten runs took %v", took)
		}
		fires := len(w.executions(""))
		time.Sleep(10 * time.Second)
		if again := len(w.executions("")); again-fires < 8 || fires < 10+8 {
			t.Errorf("%d fires until the runs had ended, %d until ten seconds later", fires, again)
		}
	})
}

// TestR45JobsThatNeverUseRuns: a job without requested runs should only cost one watch, which is
// set together with others.
func TestR45JobsThatNeverUseRuns(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		m := b.agent(1)
		for i := range 100 {
			m.serve(coreagent.Job{Name: fmt.Sprintf("job-%03d", i), Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1}, nil)
		}
		m.start()
		time.Sleep(3 * time.Minute)
		srv.ResetStats()
		sleepUntilNext(time.Minute)
		time.Sleep(30 * time.Second)
		if stats := srv.Stats(); stats.Reads > 0 || stats.Writes > 2*100 {
			t.Errorf("%d reads and %d writes for a fire of a hundred jobs: %v", stats.Reads, stats.Writes, stats.Ops)
		}
	})
}

// TestR46RemovedJob: no node of a removed job should be created again.
func TestR46RemovedJob(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, takes(5*time.Second))
		w.open(1, coreagent.Job{}, nil)
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Running)
		for range 100 {
			w.submit(jobrun.Request{Delay: time.Minute})
		}
		b.must(b.client.DeleteAll(b.ctx(), w.job.Root()))
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if b.exists(w.job.Root()) {
			t.Errorf("it is there again:\n%s", b.dump(w.job.Root()))
		}
		if got := w.executions(id); len(got) != 1 {
			t.Errorf("executed %+v", got)
		}
	})
}

// TestR47AgentOfBefore: an agent that takes no runs owns a shard. The run should wait until a newer
// agent replaces it.
func TestR47AgentOfBefore(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 2}, nil)
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		m := w.open(2, coreagent.Job{Shards: 2}, nil)
		b.await("both own a shard", func() bool {
			return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 2 && len(b.leftovers("invoices")) == 0
		})
		b.put(w.job.Agent(m.id), "go")
		_, err := w.store.Submit(b.ctx(), jobrun.Request{})
		if err == nil || !strings.Contains(err.Error(), "belong to agents that don't support parameters: "+m.id) {
			t.Errorf("%v", err)
		}
	})
}
