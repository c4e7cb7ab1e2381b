package scenario_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// turnsSession is long, because hours have many pings.
const turnsSession = 30 * time.Second

// hourlyTurns is a rotating job with a fire time at each full hour.
func hourlyTurns() coreagent.Job {
	job := balanced()
	job.Schedule.Cron, job.Schedule.Zone = "0 0 * * * ?", "GMT"
	return job
}

// runsFor returns the runs of the only shard from a given time on.
func (b *fixture) runsFor(from time.Time) []run { return b.runs.between("job", from, time.Now()) }

// TestW99DisabledOverAFireTime: all servers of a rotating job are disabled over a fire time and
// enabled again. Nothing should run, even if another server joins.
func TestW99DisabledOverAFireTime(t *testing.T) {
	t.Parallel()
	const enabled = 15 * time.Minute
	for _, joins := range []time.Duration{time.Minute, enabled - time.Second, enabled + time.Second, 50 * time.Minute} {
		t.Run(fmt.Sprintf("another one joins after %v", joins), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				b.session = turnsSession
				b.agent(1).serve(hourlyTurns(), nil).start()
				b.agent(2).serve(hourlyTurns(), nil).start()
				sleepUntilNext(time.Hour)
				at := sleepUntilNext(time.Hour).Add(time.Hour)
				set := func(status string) {
					for _, ip := range []string{"10.0.0.1", "10.0.0.2"} {
						b.put(b.tree.Job("job").Server(ip), status)
					}
				}
				time.Sleep(time.Until(at.Add(-10 * time.Minute)))
				set(jobtree.ServerDisabled)
				time.AfterFunc(time.Until(at.Add(enabled)), func() { set(jobtree.ServerEnabled) })
				time.Sleep(time.Until(at.Add(joins)))
				b.agent(3).serve(hourlyTurns(), nil).start()
				time.Sleep(time.Until(at.Add(59 * time.Minute)))
				if runs := b.runsFor(at.Add(-10 * time.Minute)); len(runs) > 0 {
					t.Errorf("want no run: %s", story(runs))
				}
				time.Sleep(time.Until(at.Add(61 * time.Minute)))
				if runs := b.runsFor(at); len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(at.Add(time.Hour)) {
					t.Errorf("want one run for the next fire time: %s", story(runs))
				}
			})
		})
	}
}

// TestW99ReplacedOverAFireTime: a rotating job's instances die before a fire time, and pods with
// new or the same addresses start after it. They should make up for it.
func TestW99ReplacedOverAFireTime(t *testing.T) {
	t.Parallel()
	for _, address := range []int{11, 1} {
		for _, pods := range []int{1, 2} {
			replacedOverAFireTime(t, address, pods)
		}
	}
}

func replacedOverAFireTime(t *testing.T, address, pods int) {
	t.Helper()
	for _, after := range []time.Duration{time.Second, 40 * time.Minute} {
		for _, kept := range []bool{true, false} { // Java 3.0.5 removes servers that have no instance.
			t.Run(fmt.Sprintf("pods %d from %d, after %v, old servers stay %v", pods, address, after, kept), func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					b.session = turnsSession
					old := []*member{b.agent(1).serve(hourlyTurns(), nil).start(), b.agent(2).serve(hourlyTurns(), nil).start()}
					sleepUntilNext(time.Hour)
					at := sleepUntilNext(time.Hour).Add(time.Hour)
					time.Sleep(time.Until(at.Add(-time.Minute)))
					for _, m := range old {
						m.kill()
					}
					time.Sleep(time.Until(at.Add(after)))
					if !kept {
						b.delete(b.tree.Job("job").Server("10.0.0.1"))
						b.delete(b.tree.Job("job").Server("10.0.0.2"))
					}
					for n := range pods {
						b.host(address+n, "new").serve(hourlyTurns(), nil).start()
					}
					time.Sleep(time.Until(at.Add(50 * time.Minute)))
					if runs := b.runsFor(at); len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(at) {
						t.Errorf("want one run for the missed fire time: %s", story(runs))
					}
				})
			})
		}
	}
}

// TestW99CutOffOverAFireTime: some or all instances of a rotating job are cut off over a fire time,
// in some cases for longer than their sessions. It should run once.
func TestW99CutOffOverAFireTime(t *testing.T) {
	t.Parallel()
	for _, cut := range [][]int{{0}, {1}, {0, 1}} {
		for _, before := range []time.Duration{time.Second, 10 * time.Minute} {
			for _, after := range []time.Duration{time.Minute, 20 * time.Minute} {
				t.Run(fmt.Sprintf("instances %v, from %v before to %v after", cut, before, after), func(t *testing.T) {
					t.Parallel()
					bubble(t, func(b *fixture, _ *zkfake.Server) {
						b.session = turnsSession
						fleet := []*member{b.agent(1).serve(hourlyTurns(), nil).start(), b.agent(2).serve(hourlyTurns(), nil).start()}
						sleepUntilNext(time.Hour)
						at := sleepUntilNext(time.Hour).Add(time.Hour)
						time.Sleep(time.Until(at.Add(-before)))
						for _, n := range cut {
							fleet[n].cut()
						}
						time.Sleep(time.Until(at.Add(after)))
						for _, n := range cut {
							fleet[n].reconnect()
						}
						time.Sleep(time.Until(at.Add(50 * time.Minute)))
						if runs := b.runsFor(at); len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(at) {
							t.Errorf("want one run for the fire time: %s", story(runs))
						}
					})
				})
			}
		}
	}
}

// TestW99SweptOverAFireTime: all servers of a rotating job are disabled over a fire time while some
// instances are away. They return after the servers were enabled and the leader has removed the
// server nodes without an instance. They should create these nodes again and not run the fire time.
func TestW99SweptOverAFireTime(t *testing.T) {
	t.Parallel()
	for _, cut := range [][]int{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}} {
		for _, away := range []time.Duration{0, time.Minute} {
			t.Run(fmt.Sprintf("instances %v, from %v before", cut, away), func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					b.session = turnsSession
					var fleet []*member
					for n := range 3 {
						fleet = append(fleet, b.agent(1+n).serve(hourlyTurns(), nil).start())
					}
					at := sleepUntilNext(time.Hour).Add(5 * time.Hour)
					set := func(status string) {
						for n := range 3 {
							b.put(b.tree.Job("job").Server(fmt.Sprint("10.0.0.", 1+n)), status)
						}
					}
					time.Sleep(time.Until(at.Add(-5 * time.Minute)))
					set(jobtree.ServerDisabled)
					time.Sleep(time.Until(at.Add(-away)))
					for _, n := range cut {
						fleet[n].cut()
					}
					time.Sleep(time.Until(at.Add(12 * time.Second)))
					set(jobtree.ServerEnabled)
					for k, n := range cut {
						server := b.tree.Job("job").Server(fmt.Sprint("10.0.0.", 1+n))
						time.Sleep(time.Until(at.Add(time.Duration(35+10*k) * time.Minute)))
						if b.exists(server) {
							b.Fatalf("%s was not removed: the test proves nothing", server)
						}
						fleet[n].reconnect()
					}
					time.Sleep(time.Until(at.Add(59 * time.Minute)))
					if runs := b.runsFor(at.Add(-time.Minute)); len(runs) > 0 {
						t.Errorf("want no run: %s", story(runs))
					}
					time.Sleep(time.Until(at.Add(61 * time.Minute)))
					if runs := b.runsFor(at); len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(at.Add(time.Hour)) {
						t.Errorf("want one run for the next fire time: %s", story(runs))
					}
				})
			})
		}
	}
}

// TestW73FailoverOfAFireTimeToCome: the instance with the turn has a fast clock and runs a fire
// time that's still in the future for some or all of the others. It dies, or loses its session and
// its clock is corrected. The others should run that fire time once.
func TestW73FailoverOfAFireTimeToCome(t *testing.T) {
	t.Parallel()
	const ahead = 30 * time.Second
	for _, dies := range []bool{true, false} {
		for _, others := range [][]time.Duration{nil, {0}, {0, 0}, {ahead, 0}, {0, ahead}, {ahead, 0, ahead, 0}} {
			if dies && len(others) == 0 {
				continue // No instance is left.
			}
			t.Run(fmt.Sprintf("dies %v, others ahead by %v", dies, others), func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, srv *zkfake.Server) { interruptedAhead(b, srv, dies, ahead, others) })
			})
		}
	}
}

func interruptedAhead(b *fixture, srv *zkfake.Server, dies bool, ahead time.Duration, others []time.Duration) {
	job := hourlyTurns()
	job.Failover = true
	one := b.agent(1)
	var takes atomic.Int64
	clock := one.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
		return one.work(time.Duration(takes.Load()))(ctx, s)
	}).startBy(ahead)
	for n, off := range others {
		b.agent(2+n).serve(job, nil).startBy(off)
	}
	at := sleepUntilNext(time.Hour).Add(time.Hour)
	time.Sleep(time.Until(at.Add(-time.Minute)))
	takes.Store(int64(time.Hour)) // Until its next turn.
	running := func() bool {
		runs := b.runsFor(at.Add(-time.Minute))
		return len(runs) == 1 && runs[0].end.IsZero()
	}
	for at = at.Add(-time.Hour); !running(); {
		at = at.Add(time.Hour)
		time.Sleep(time.Until(at.Add(-25 * time.Second)))
	}
	takes.Store(0)
	if dies {
		one.kill()
	} else {
		clock.set(0)
		srv.ExpireSession(one.session("job"))
	}
	time.Sleep(time.Until(at.Add(30 * time.Minute)))
	runs := b.runsFor(at.Add(-time.Minute))
	if len(runs) != 2 || !runs[1].shard.ScheduledAt.Equal(at) || runs[1].start.Before(at) && !slices.Contains(others, ahead) || runs[1].err != nil {
		b.Errorf("want one run for the fire time after the interrupted one: %s", story(runs))
	}
	b.awaitTidy("job")
}

// TestW73FailoverOfATriggerInTurns: a trigger of a rotating job is interrupted, and so is its
// failover. It should be completed once, and fire times shouldn't be mistaken for triggers.
func TestW73FailoverOfATriggerInTurns(t *testing.T) {
	t.Parallel()
	for _, deaths := range []int{1, 2} {
		for _, before := range []bool{true, false} {
			t.Run(fmt.Sprintf("deaths %d, another trigger before %v", deaths, before), func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) { interruptedTrigger(b, deaths, before) })
			})
		}
	}
}

func interruptedTrigger(b *fixture, deaths int, before bool) {
	job := hourlyTurns()
	job.Failover = true
	var kills atomic.Int64
	var fleet []*member
	for n := range 4 {
		m := b.agent(1 + n)
		fleet = append(fleet, m.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if kills.Add(-1) < 0 {
				return nil
			}
			time.AfterFunc(time.Second, m.kill)
			return m.work(time.Hour)(ctx, s)
		}).start())
	}
	sleepUntilNext(time.Hour)
	time.Sleep(10 * time.Minute)
	if before {
		b.must(fleet[3].Trigger(b.ctx(), "job"))
		time.Sleep(time.Minute)
	}
	from := time.Now()
	kills.Store(int64(deaths))
	b.must(fleet[3].Trigger(b.ctx(), "job"))
	time.Sleep(20 * time.Minute)
	runs := b.runsFor(from)
	if len(runs) != 1+deaths || runs[deaths].err != nil {
		b.Errorf("want one run for the trigger after %d interrupted ones: %s", deaths, story(runs))
	}
	for _, r := range runs {
		if !r.shard.ScheduledAt.Truncate(time.Millisecond).Equal(runs[0].shard.ScheduledAt.Truncate(time.Millisecond)) {
			b.Errorf("all of them are for the trigger: %s", story(runs))
		}
	}
	at := time.Now().Truncate(time.Hour).Add(time.Hour)
	time.Sleep(time.Until(at.Add(-time.Second)))
	kills.Store(1) // It's interrupted as well, but it isn't a trigger.
	time.Sleep(20 * time.Minute)
	if runs := b.runsFor(at.Add(-time.Second)); len(runs) != 2 || runs[1].err != nil || !runs[1].shard.ScheduledAt.Equal(at) {
		b.Errorf("want the fire time and its failover: %s", story(runs))
	}
	b.awaitTidy("job")
}

// TestFailoverInTurnsAfterAHeldFireTime: fire times of a rotating job have passed while the
// schedule was held, or before the job's first run. The instance that runs the next fire time loses
// its session, and by the others' clocks that fire time comes later. It should be completed once,
// without running earlier fire times.
func TestFailoverInTurnsAfterAHeldFireTime(t *testing.T) {
	t.Parallel()
	for _, held := range []time.Duration{0, time.Hour, 3 * time.Hour} {
		for _, ahead := range []time.Duration{0, 5 * time.Second} {
			for _, others := range []int{1, 3} {
				t.Run(fmt.Sprintf("held for %v, ahead by %v, %d others", held, ahead, others), func(t *testing.T) {
					t.Parallel()
					bubble(t, func(b *fixture, srv *zkfake.Server) { interruptedAfterAHold(b, srv, held, ahead, others) })
				})
			}
		}
	}
}

func interruptedAfterAHold(b *fixture, srv *zkfake.Server, held, ahead time.Duration, others int) {
	b.session = turnsSession
	job := hourlyTurns()
	job.Failover = true
	var dies atomic.Bool
	fleet := make([]*member, 1+others)
	for n := range fleet {
		m := b.agent(1 + n)
		fleet[n] = m.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
			if dies.CompareAndSwap(true, false) {
				time.AfterFunc(time.Second, func() { srv.ExpireSession(m.session("job")) })
				return m.work(time.Hour)(ctx, s)
			}
			return nil
		})
	}
	clocks := []*wallClock{fleet[0].startBy(ahead)}
	for _, m := range fleet[1:] {
		clocks = append(clocks, m.startBy(0))
	}
	if held > 0 {
		at := sleepUntilNext(time.Hour).Add(time.Hour)
		time.Sleep(time.Until(at.Add(time.Minute)))
		store := runs.Store{Client: b.client, Tree: b.tree.Job("job"), Now: time.Now}
		b.must(store.Hold(b.ctx(), jobtree.Hold{What: jobrun.HeldSchedule, By: "root"}))
		time.Sleep(held)
		b.must(store.Release(b.ctx()))
	}
	at := time.Now().Truncate(time.Hour).Add(time.Hour)
	time.Sleep(time.Until(at.Add(-time.Minute)))
	for n, clock := range clocks { // The clock of the instance with the turn is ahead.
		clock.set(0)
		if b.hasTurn(fleet[n]) {
			clock.set(ahead)
		}
	}
	from := time.Now()
	dies.Store(true)
	time.Sleep(time.Until(at.Add(30 * time.Minute)))
	list := b.runsFor(from)
	if len(list) != 2 || !list[0].shard.ScheduledAt.Equal(at) || !list[1].shard.ScheduledAt.Equal(at) || list[1].err != nil {
		b.Errorf("want the fire time %v, interrupted and then to its end:%s", at, story(list))
	}
	b.awaitTidy("job")
}

// hasTurn reports whether a rotating job's next run is on an instance.
func (b *fixture) hasTurn(m *member) bool {
	tree := b.tree.Job("job")
	address, named := b.get(tree.NextInstanceIP())
	if !named {
		id, _ := b.get(tree.ItemInstance(0))
		address = jobtree.InstanceIP(id)
	}
	return address == jobtree.InstanceIP(m.id)
}
