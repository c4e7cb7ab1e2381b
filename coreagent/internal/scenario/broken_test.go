package scenario_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// startPlanted starts the agent with panics planted into the activities of jobs.
func (m *member) startPlanted(plant func(job, activity string)) *member {
	m.fixture.Helper()
	m.fixture.must(m.Start(host.WithPlant(m.fixture.ctx(), plant)))
	m.fixture.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = m.Stop(ctx)
	})
	return m
}

// once panics the first time that an activity of a job begins, if it's armed.
type once struct {
	job, activity string
	armed         atomic.Bool
}

func (o *once) plant(job, activity string) {
	if job == o.job && activity == o.activity && o.armed.CompareAndSwap(true, false) {
		panic("planted: " + activity)
	}
}

// TestV17PanicIsOneJobs: a panic anywhere in the engine shouldn't end the process. Only the job
// should be broken, with the stack in the log. Another instance should run its shards until it
// joins again, and the other jobs of the process shouldn't be affected.
func TestV17PanicIsOneJobs(t *testing.T) {
	t.Parallel()
	for _, activity := range []string{"control", "run", "resharding", "cron timer", "audit timer", "watch", "session"} {
		t.Run(activity, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				hit := &once{job: "victim", activity: activity}
				victim := coreagent.Job{Name: "victim", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true, ReconcileInterval: time.Minute}
				fine := coreagent.Job{Name: "fine", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}
				one := b.agent(1).serve(victim, nil).serve(fine, nil).startPlanted(hit.plant)
				b.awaitOwners("fine", one.id)
				two := b.agent(2).serve(victim, nil).start()
				b.awaitOwners("victim", two.id, one.id)
				sleepUntilNext(time.Second)
				hit.armed.Store(true)
				b.provoke(activity, one, hit)
				from := sleepUntilNext(time.Second)
				b.await("the panic", func() bool { return !hit.armed.Load() })
				time.Sleep(2 * time.Second)
				b.awaitOwners("victim", two.id, two.id)
				b.awaitOwners("victim", two.id, one.id) // It has joined again.
				after := sleepUntilNext(time.Second)
				time.Sleep(5 * time.Second)
				for shard, n := range b.runs.completions("victim", 2, after, after.Add(5*time.Second)) {
					if n != 5 {
						b.Errorf("shard %d ran %d times in 5 s after the job rejoined", shard, n)
					}
				}
				if found := b.runs.overlaps("victim", 2); len(found) > 0 {
					b.Errorf("runs overlap: %s", found)
				}
				if n := b.runs.starts("fine", 1, from, after)[0]; activity != "session" && n < int(after.Sub(from)/time.Second) {
					b.Errorf("the other job ran %d times in %v", n, after.Sub(from))
				}
				b.reportsPanic("victim", "planted: "+activity, "broken_test.go")
			})
		})
	}
}

// provoke triggers an activity that wouldn't happen otherwise.
func (b *fixture) provoke(activity string, m *member, hit *once) {
	b.Helper()
	switch activity {
	case "control", "resharding", "watch":
		b.put(b.tree.Job("victim").Necessary(), "")
	case "session":
		m.cut()
		time.Sleep(100 * time.Millisecond)
		m.reconnect()
	case "audit timer":
		for hit.armed.Load() {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// reportsPanic checks the log message.
func (b *fixture) reportsPanic(job string, want ...string) {
	b.Helper()
	for line := range strings.Lines(b.log.String()) {
		if !strings.Contains(line, engine.PanicMessage) || !strings.Contains(line, "job="+job) {
			continue
		}
		for _, w := range want {
			if !strings.Contains(line, w) {
				b.Errorf("no %q in %.300s", w, line)
			}
		}
		return
	}
	b.Error("the log does not report the panic")
}

// panicking is a recorder that panics if it's armed.
type panicking struct {
	tracing.Recorder
	armed atomic.Int32 // the number of panics left
	after atomic.Bool  // not before an execution has ended
}

func (p *panicking) RecordExecution(e tracing.Execution) {
	if (!p.after.Load() || !e.CompleteTime.IsZero()) && p.armed.Add(-1) >= 0 {
		panic("planted: recorder")
	}
	p.Recorder.RecordExecution(e)
}

// TestV17PanicInTheMidstOfARun: the run panics after its markers were made and while its handlers
// run. The others should take over the shards, and no runs of a shard should overlap.
func TestV17PanicInTheMidstOfARun(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"before the handler": false, "after the handler": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				recorder := &panicking{Recorder: tracing.Discard}
				recorder.after.Store(after)
				victim := coreagent.Job{Name: "victim", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 4, Failover: true}
				one := b.agent(1, func(c *coreagent.Config) { c.Tracing = recorder })
				one.serve(victim, one.work(time.Second)).start()
				two := b.agent(2)
				two.serve(victim, two.work(time.Second)).start()
				b.awaitOwners("victim", two.id, two.id, one.id, one.id)
				recorder.armed.Store(1)
				at := sleepUntilNext(10 * time.Second)
				time.Sleep(8 * time.Second)
				for shard, n := range b.runs.completions("victim", 4, at, at.Add(8*time.Second)) {
					if n < 1 {
						b.Errorf("shard %d did not complete the fire time of the panic", shard)
					}
				}
				b.awaitOwners("victim", two.id, two.id, one.id, one.id)
				b.awaitTidy("victim")
				at = sleepUntilNext(10 * time.Second)
				time.Sleep(8 * time.Second)
				for shard, n := range b.runs.completions("victim", 4, at, at.Add(8*time.Second)) {
					if n != 1 {
						b.Errorf("shard %d completed %d times at the next fire time", shard, n)
					}
				}
				if found := b.runs.overlaps("victim", 4); len(found) > 0 {
					b.Errorf("runs overlap: %s", found)
				}
				b.reportsPanic("victim", "planted: recorder", "RecordExecution")
			})
		})
	}
}

// TestV17PanicsWithoutEnd: if a job panics on each attempt, the pauses should grow, and the agent
// should still stop in time.
func TestV17PanicsWithoutEnd(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var panics atomic.Int32
		fine := coreagent.Job{Name: "fine", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}
		one := b.agent(1).serve(coreagent.Job{Name: "victim", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).serve(fine, nil).startPlanted(func(job, activity string) {
			if job == "victim" && activity == "run" {
				panics.Add(1)
				panic("planted: always")
			}
		})
		b.awaitOwners("fine", one.id)
		from := sleepUntilNext(time.Second)
		time.Sleep(time.Hour)
		if n := panics.Load(); n < 10 || n > 30 {
			b.Errorf("%d panics in an hour, want a try every five minutes in the end", n)
		}
		if n := b.runs.starts("fine", 1, from, from.Add(time.Hour))[0]; n != 3600 {
			b.Errorf("the other job ran %d times in an hour", n)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		b.must(one.Stop(ctx))
	})
}
