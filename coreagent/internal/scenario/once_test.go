package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// phases is a once-per-run listener that records the fire times of its calls.
type phases struct {
	deadline time.Duration

	mu                 sync.Mutex
	started, completed []time.Time
}

func (p *phases) Started(_ context.Context, r *coreagent.LocalRun) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started = append(p.started, r.ScheduledAt)
	return nil
}

func (p *phases) Completed(_ context.Context, r *coreagent.LocalRun) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.completed = append(p.completed, r.ScheduledAt)
	return nil
}

// since counts the fire times of each phase from a given time on.
func (p *phases) since(from time.Time) (started, completed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	count := func(list []time.Time) (n int) {
		for _, at := range list {
			if !at.Before(from) {
				n++
			}
		}
		return n
	}
	return count(p.started), count(p.completed)
}

// ends counts the calls at the end of one fire time.
func (p *phases) ends(at time.Time) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.completed {
		if one.Equal(at) {
			n++
		}
	}
	return n
}

// repeated returns the fire times with more than one call in the same phase.
func (p *phases) repeated() (again []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for phase, list := range map[string][]time.Time{"started": p.started, "completed": p.completed} {
		seen := make(map[int64]bool)
		for _, at := range list {
			if seen[at.UnixMilli()] {
				again = append(again, phase+" "+at.Format(time.TimeOnly))
			}
			seen[at.UnixMilli()] = true
		}
	}
	return again
}

func (p *phases) listens(cfg *coreagent.Config) {
	cfg.Listeners = []coreagent.Listener{{
		Name: "once", Before: p.Started, After: p.Completed, Once: true, BeforeTimeout: p.deadline, AfterTimeout: p.deadline,
	}}
}

// TestW103ShardEnabledWhileItsRunWaits: a shard is disabled over a fire time and enabled while the
// run waits at the listener's barrier. It shouldn't run for that fire time.
func TestW103ShardEnabledWhileItsRunWaits(t *testing.T) {
	t.Parallel()
	for _, agents := range []int{1, 2} {
		for _, after := range []time.Duration{time.Second, time.Minute, 5 * time.Minute} {
			t.Run(fmt.Sprintf("agents %d, enabled after %v", agents, after), func(t *testing.T) {
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					p := &phases{deadline: 4 * time.Minute}
					job := onceJob("job", false)
					job.Schedule.Cron, job.Schedule.Zone = "0 0 * * * ?", "GMT"
					for n := range agents {
						b.agent(n+1, p.listens).serve(job, nil).start()
					}
					at := sleepUntilNext(time.Hour).Add(time.Hour)
					time.Sleep(time.Until(at.Add(-time.Minute)))
					disabled := b.tree.Job("job").ItemDisabled(1)
					b.put(disabled, "")
					time.Sleep(time.Until(at.Add(after)))
					b.delete(disabled)
					time.Sleep(time.Until(at.Add(20 * time.Minute)))
					if starts := b.runs.starts("job", 3, at, time.Now()); !slices.Equal(starts, []int{1, 0, 1}) {
						t.Errorf("runs by shard: %v, want shard 1 left out: %s", starts, story(b.runs.between("job", at, time.Now())))
					}
					next := at.Add(time.Hour)
					time.Sleep(time.Until(next.Add(time.Minute)))
					if starts := b.runs.starts("job", 3, next, time.Now()); !slices.Equal(starts, times(3, 1)) {
						t.Errorf("runs by shard at the next fire time: %v", starts)
					}
					if started, completed := p.since(next); started != 1 || completed != 1 {
						t.Errorf("the listener was notified of %d starts and %d ends", started, completed)
					}
				})
			})
		}
	}
}

// TestRunWaitsWithoutACompletedShard: a run is late at the listener's barrier, and the record of
// one of its shards shows the fire time as completed. The run should wait there without that shard,
// and not keep asking ZooKeeper (fleet 17959203580372). At the next fire time it should run all
// shards.
func TestRunWaitsWithoutACompletedShard(t *testing.T) {
	t.Parallel()
	for deadline, want := range map[time.Duration][]int{4 * time.Minute: {2, 2, 1}, 2 * time.Hour: {1, 1, 1}} {
		t.Run(deadline.String(), func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				p := &phases{deadline: deadline}
				job := onceJob("job", false)
				job.Schedule.Cron, job.Schedule.Zone = "0 0/10 * * * ?", "GMT"
				m := b.agent(1, p.listens, enduring).serve(job, nil).start()
				at := sleepUntilNext(10 * time.Minute).Add(10 * time.Minute)
				time.Sleep(time.Until(at.Add(-time.Second)))
				m.cut()
				record := jobtree.FireRecord{Completed: at, Through: at, Owner: m.id}
				b.put(b.tree.Job("job").FireRecord(2), string(record.Encode()))
				time.Sleep(3 * time.Second)
				var requests atomic.Int64
				srv.SetFault(func(zkfake.Request) zkfake.Fault {
					if requests.Add(1) > 2000 {
						return zkfake.DelayRequest(time.Second)
					}
					return zkfake.None
				})
				m.reconnect()
				time.Sleep(time.Until(at.Add(11 * time.Minute)))
				if n := requests.Load(); n > 1000 {
					t.Errorf("%d requests", n)
				}
				if starts := b.runs.starts("job", 3, at, time.Now()); !slices.Equal(starts, want) {
					t.Errorf("runs by shard: %v, want %v: %s", starts, want, story(b.runs.between("job", at, time.Now())))
				}
			})
		})
	}
}
