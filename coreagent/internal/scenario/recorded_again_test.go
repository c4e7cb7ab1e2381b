package scenario_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// deadBatch is the recorder of a process that's killed before it writes its last batch, which has
// the end of a run, or that the run waits again.
type deadBatch struct {
	*trace
	mu   sync.Mutex
	lost []jobrun.State // the states that are never stored
}

func (d *deadBatch) RecordRun(r tracing.RunRecord) {
	d.mu.Lock()
	dead := len(d.lost) > 0 || r.State != jobrun.Running && r.State != jobrun.Queued
	if dead {
		d.lost = append(d.lost, r.State)
	}
	d.mu.Unlock()
	if !dead {
		d.trace.RecordRun(r)
	}
}

func (d *deadBatch) RecordRunStep(s tracing.RunStep) {
	d.mu.Lock()
	dead := len(d.lost) > 0
	d.mu.Unlock()
	if !dead {
		d.trace.RecordRunStep(s)
	}
}

// doomed starts an agent that's killed before it writes its last batch.
func (w *workshop) doomed(n int, props map[string]string) *member {
	return w.openWith(n, props, func(cfg *coreagent.Config) { cfg.Tracing = &deadBatch{trace: &trace{requested: &w.requested}} })
}

func (w *workshop) openWith(n int, props map[string]string, change func(*coreagent.Config)) *member {
	m := w.agent(n, change)
	job := coreagent.Job{Name: "invoices", Shards: 1, Props: props}
	m.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error { return w.work(ctx, m.id, s) })
	m.start()
	return m
}

// TestW03KilledInTheMiddleOfABatch: the instance that ended a run is killed before it has recorded
// the end. The others should record it once without counting it again. If there are no others, the
// next instance should do that, even a day later, because the outcome is kept until then.
func TestW03KilledInTheMiddleOfABatch(t *testing.T) {
	t.Parallel()
	for name, alone := range map[string]bool{"others are there": false, "alone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				b.session = 4 * time.Second
				w := newWorkshop(b, nil)
				props := map[string]string{runs.PropKeep: "0"}
				m := w.doomed(2, props)
				var counted moveCounter
				next := func() { w.openWith(1, props, func(cfg *coreagent.Config) { cfg.Observer = &counted }) }
				if !alone {
					b.await("the first one has the shard", func() bool {
						owner, _ := b.get(w.job.ItemInstance(0))
						return owner == m.id
					})
					next()
				}
				later := w.submit(jobrun.Request{Delay: 48 * time.Hour})
				b.await("a steward", func() bool { return b.exists(w.job.RunsSteward()) })
				time.Sleep(time.Minute) // If its term had just begun, the steward would record the end at once.
				id := w.submit(jobrun.Request{})
				w.awaitState(id, jobrun.Succeeded)
				if got := b.requested.run(id).State; got != jobrun.Running {
					b.Fatalf("before the death the history has it as %s", got)
				}
				m.kill()
				if alone {
					time.Sleep(24 * time.Hour)
					_, err := w.store.Cancel(b.ctx(), later, jobtree.RunCancel{By: "root"})
					b.must(err)
					next()
				}
				b.await("its end is recorded", func() bool { return b.requested.run(id).State == jobrun.Succeeded })
				time.Sleep(time.Hour)
				if steps := strings.Join(b.requested.stepsOf(id), "\n"); strings.Count(steps, "succeeded") != 1 {
					t.Errorf("the steps are\n%s", steps)
				}
				counted.mu.Lock()
				defer counted.mu.Unlock()
				if strings.Contains(strings.Join(counted.moves, "\n"), "succeeded") {
					t.Errorf("the end is counted again: %q", counted.moves)
				}
			})
		})
	}
}

// TestW03KilledAfterAnAttempt: the run waits for its next attempt, and the instance with the last
// attempt is killed before it has recorded that.
func TestW03KilledAfterAnAttempt(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		b.session = 4 * time.Second
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { return coreagent.Snooze(time.Hour) })
		m := w.doomed(1, nil)
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Scheduled)
		m.kill()
		w.open(2, coreagent.Job{}, nil)
		b.await("the history has it as waiting", func() bool { return b.requested.run(id).State == jobrun.Scheduled })
	})
}

// TestW03AStoppedRunIsQueuedAgain: an orderly stop puts the run back into the queue. The history
// should show that, although the row "running" may arrive later.
func TestW03AStoppedRunIsQueuedAgain(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error { <-ctx.Done(); return context.Cause(ctx) })
		props := map[string]string{runs.PropAssign: string(jobrun.AssignOne)}
		m := w.open(1, coreagent.Job{}, props)
		id := w.submit(jobrun.Request{})
		w.awaitAttempt(id)
		running := b.requested.run(id)
		b.must(m.Stop(b.ctx()))
		w.awaitState(id, jobrun.Queued)
		b.requested.keep(running)
		if got := b.requested.run(id); got.State != jobrun.Queued {
			t.Errorf("the history has it as %s", got.State)
		}
		w.open(2, coreagent.Job{}, props)
		w.awaitAttempt(id)
		if got := b.requested.run(id); got.State != jobrun.Running {
			t.Errorf("when it runs again, the history has it as %s", got.State)
		}
	})
}
