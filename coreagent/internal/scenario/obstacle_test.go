package scenario_test

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// hourlyJob fires at every full hour.
var hourlyJob = coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}

// firstOf returns Explain's first finding about a job, using a client's credentials; it's empty if
// there is none.
func (b *fixture) firstOf(client *zk.Client, job string) statistics.Finding {
	b.Helper()
	why, err := statistics.NewReader(treetest.Registry(client, b.tree)).Explain(b.ctx(), job)
	b.must(err)
	if len(why.Findings) == 0 {
		return statistics.Finding{}
	}
	return why.Findings[0]
}

// obstacle returns the obstacle that an agent announces, or the zero value.
func (b *fixture) obstacle(m *member) jobtree.Obstacle {
	b.Helper()
	data, exists := b.get(b.tree.Job("job").Refusal(m.id))
	if !exists {
		return jobtree.Obstacle{}
	}
	return jobtree.DecodeObstacle([]byte(data))
}

// TestW86EditsNobodyCanRun: an edit needs something that the program lacks. The agent should
// announce that at once, Explain should list it first, and nothing should be written again while it
// lasts. If the edit is reverted, the obstacle should be removed and the job should run.
func TestW86EditsNobodyCanRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit, back func(c *jobconfig.Config)
		code       jobtree.ObstacleCode
		names      string
	}{
		"executor": {
			func(c *jobconfig.Config) { c.ExecutorType = "TURBO" }, func(c *jobconfig.Config) { c.ExecutorType = "" },
			jobtree.ObstacleExecutorUnknown, "TURBO",
		},
		"listener": {
			func(c *jobconfig.Config) { c.ListenerTypes = []string{"ear"} }, func(c *jobconfig.Config) { c.ListenerTypes = nil },
			jobtree.ObstacleListenerUnknown, "ear",
		},
		"error handler": {
			func(c *jobconfig.Config) { c.ErrorHandlerType = "PIGEON" }, func(c *jobconfig.Config) { c.ErrorHandlerType = "" },
			jobtree.ObstacleErrorHandlerUnknown, "PIGEON",
		},
		"error handler without its properties": {
			func(c *jobconfig.Config) { c.ErrorHandlerType = "DINGTALK" }, func(c *jobconfig.Config) { c.ErrorHandlerType = "" },
			jobtree.ObstacleNotBegun, "webhook",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				m := b.agent(1).serve(hourlyJob, nil).start()
				b.awaitOwners("job", m.id, m.id)
				b.configure("job", c.edit)
				b.await("the agent to say so", func() bool { return b.obstacle(m).Code == c.code })
				if text := b.obstacle(m).Text; !strings.Contains(text, c.names) {
					b.Errorf("the agent says %q, which lacks %q", text, c.names)
				}
				f := b.firstOf(b.client, "job")
				if f.Code != statistics.CodeAgentObstacle || f.Obstacle != string(c.code) || f.Effect != statistics.EffectJob || f.Instance != m.id || f.Advice == "" || !strings.Contains(f.Sentence, c.names) {
					b.Errorf("explained first as %+v", f)
				}
				sleepUntilNext(time.Hour)
				before := b.stat(b.tree.Job("job").Refusal(m.id))
				time.Sleep(5 * time.Hour)
				if n := b.runs.count("job", -1); n != 0 {
					b.Errorf("%d runs", n)
				}
				if after := b.stat(b.tree.Job("job").Refusal(m.id)); after.Mzxid != before.Mzxid {
					b.Errorf("the node was written again: version %d became %d", before.Version, after.Version)
				}
				b.configure("job", c.back)
				b.await("the agent to say nothing any more", func() bool { return b.obstacle(m).Code == "" })
				if f := b.firstOf(b.client, "job"); f.Effect.HoldsUp() {
					b.Errorf("explained as %+v", f)
				}
				n := b.runs.count("job", -1)
				sleepUntilNext(time.Hour)
				b.await("the job to run", func() bool { return b.runs.count("job", -1) >= n+2 })
			})
		})
	}
}

// TestW86NoSuchStrategy: the leader should announce why it can't assign the shards.
func TestW86NoSuchStrategy(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		first := b.agent(1).serve(hourlyJob, nil).start()
		b.awaitOwners("job", first.id, first.id)
		b.configure("job", func(c *jobconfig.Config) { c.StrategyType = "DICE" })
		b.agent(2).serve(hourlyJob, nil).start()
		b.await("the leader to say so", func() bool { return b.obstacle(first).Code == jobtree.ObstacleStrategyUnknown })
		if f := b.firstOf(b.client, "job"); f.Code != statistics.CodeAgentObstacle || f.Effect != statistics.EffectJob || !strings.Contains(f.Sentence, "DICE") {
			b.Errorf("explained first as %+v", f)
		}
		b.configure("job", func(c *jobconfig.Config) { c.StrategyType = "" })
		b.await("the leader to say nothing any more", func() bool { return b.obstacle(first).Code == "" })
		sleepUntilNext(time.Hour)
		b.await("the job to run", func() bool { return b.runs.count("job", -1) >= 2 })
	})
}

// licence is a listener that returns err.
type licence struct{ err error }

func (l *licence) Before(context.Context, *coreagent.LocalRun) error { return l.err }

// TestW86ListenerFails: a failing listener before each run and an error handler that throws keep
// the job from running. The agent should announce that until a run gets to its handlers.
func TestW86ListenerFails(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		listener := &licence{errors.New("no licence")}
		m := b.agent(1, func(cfg *coreagent.Config) {
			cfg.Listeners = []coreagent.Listener{{Name: "licence", Before: listener.Before}}
		})
		job := hourlyJob
		job.Listeners, job.ErrorHandler = []coreagent.Listener{{Name: "licence"}}, coreagent.Throw
		m.serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		sleepUntilNext(time.Hour)
		b.await("the agent to say so", func() bool { return b.obstacle(m).Code == jobtree.ObstacleNotBegun })
		if f := b.firstOf(b.client, "job"); f.Code != statistics.CodeAgentObstacle || !strings.Contains(f.Sentence, "no licence") {
			b.Errorf("explained first as %+v", f)
		}
		time.Sleep(time.Minute)
		listener.err = nil
		sleepUntilNext(time.Hour)
		b.await("the job to run", func() bool { return b.runs.count("job", -1) >= 2 })
		b.await("the agent to say nothing any more", func() bool { return b.obstacle(m).Code == "" })
	})
}

// expired is a listener that panics before each run if set.
type expired struct{ set bool }

func (l *expired) Before(context.Context, *coreagent.LocalRun) error {
	if l.set {
		panic("no licence")
	}
	return nil
}

// TestW86ListenerPanics: a listener panics before each run, but the runs continue. The agent should
// announce that with a single write, Explain should report it, and it should be removed after a run
// without the panic.
func TestW86ListenerPanics(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		listener := &expired{true}
		m := b.agent(1, func(cfg *coreagent.Config) {
			cfg.Listeners = []coreagent.Listener{{Name: "licence", Before: listener.Before}}
		})
		job := hourlyJob
		job.Listeners = []coreagent.Listener{{Name: "licence"}}
		m.serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		sleepUntilNext(time.Hour)
		b.await("the agent to say so", func() bool { return b.obstacle(m).Code == jobtree.ObstacleListenerFails })
		f := b.firstOf(b.client, "job")
		for _, part := range []string{m.id, "listener licence: ", "no licence"} {
			if f.Code != statistics.CodeAgentObstacle || f.Effect != statistics.EffectNothing || f.Advice == "" || !strings.Contains(f.Sentence, part) {
				b.Errorf("%q isn't in the first finding, %+v", part, f)
			}
		}
		before := b.stat(b.tree.Job("job").Refusal(m.id))
		time.Sleep(5 * time.Hour)
		if n := b.runs.count("job", -1); n < 10 {
			b.Errorf("%d runs, although a listener holds up nothing", n)
		}
		if after := b.stat(b.tree.Job("job").Refusal(m.id)); after.Mzxid != before.Mzxid {
			b.Errorf("the node was written again: version %d became %d", before.Version, after.Version)
		}
		listener.set = false
		sleepUntilNext(time.Hour)
		b.await("the agent to say nothing any more", func() bool { return b.obstacle(m).Code == "" })
	})
}

// TestW86Debug: a process in debug mode should announce that it runs no fire times, until its
// session ends or the job is removed from the agent.
func TestW86Debug(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.Debug = coreagent.DebugAll })
		m.serve(hourlyJob, nil).start()
		b.await("the agent to say so", func() bool { return b.obstacle(m).Code == jobtree.ObstacleDebug })
		if f := b.firstOf(b.client, "job"); f.Code != statistics.CodeAgentObstacle || f.Obstacle != "DEBUG" || f.Effect != statistics.EffectJob {
			b.Errorf("explained first as %+v", f)
		}
		m.cut()
		b.await("the session to end", func() bool { return b.obstacle(m).Code == "" })
		m.reconnect()
		b.await("the agent to say so again", func() bool { return b.obstacle(m).Code == jobtree.ObstacleDebug })
		b.must(m.Remove(b.ctx(), "job"))
		if b.exists(b.tree.Job("job").Refusal(m.id)) {
			b.Error("the job was removed from the agent, and its obstacle stayed")
		}
	})
}

// TestW89NoPlace: if a shard waits for long because of MaxParallel, its agent should announce that.
func TestW89NoPlace(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.MaxParallel = 1 })
		m.serve(coreagent.Job{Name: "long", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, m.work(10*time.Minute))
		job := hourlyJob
		job.Schedule.Cron = "1 0 * * * ?"
		m.serve(job, m.work(time.Second)).start()
		b.awaitOwners("job", m.id, m.id)
		time.Sleep(time.Minute)
		n := b.runs.count("job", -1)
		sleepUntilNext(time.Hour)
		time.Sleep(5 * time.Second)
		if o := b.obstacle(m); o.Code != "" {
			b.Errorf("the agent says %+v after some seconds", o)
		}
		b.await("the agent to say so", func() bool { return b.obstacle(m).Code == jobtree.ObstacleNoPlace })
		if f := b.firstOf(b.client, "job"); f.Code != statistics.CodeAgentObstacle || f.Obstacle != "NO_PLACE" || f.Effect != statistics.EffectJob || !strings.Contains(f.Sentence, "where these jobs run: long") {
			b.Errorf("explained first as %+v", f)
		}
		time.Sleep(15 * time.Minute)
		if o := b.obstacle(m); o.Code != "" || b.runs.count("job", -1) != n+2 {
			b.Errorf("the agent says %+v after %d more runs", o, b.runs.count("job", -1)-n)
		}
	})
}

// TestW89RequestsWithoutAPlace: a requested run waits because another job takes up all places. The
// agent should announce that with the names of the jobs, until the run begins or is cancelled.
func TestW89RequestsWithoutAPlace(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.MaxParallel = 1 })
		m.serve(coreagent.Job{Name: "long", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, m.work(50*time.Minute))
		m.serve(coreagent.Job{Name: "job", Shards: 2, Props: oneEach}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		sleepUntilNext(time.Hour)
		time.Sleep(time.Minute)
		submit := func() string {
			ticket, err := m.Submit(b.ctx(), "job", nil, coreagent.RunOptions{})
			b.must(err)
			return ticket.ID
		}
		waiting := submit()
		time.Sleep(5 * time.Second)
		if o := b.obstacle(m); o.Code != "" {
			b.Errorf("the agent says %+v after some seconds", o)
		}
		b.await("the agent to say so", func() bool { return b.obstacle(m).Code == jobtree.ObstacleNoPlace })
		if f := b.firstOf(b.client, "job"); f.Obstacle != "NO_PLACE" || f.Effect != statistics.EffectJob || !strings.Contains(f.Sentence, "where these jobs run: long") {
			b.Errorf("explained first as %+v", f)
		}
		before := b.stat(b.tree.Job("job").Refusal(m.id))
		time.Sleep(20 * time.Minute)
		if after := b.stat(b.tree.Job("job").Refusal(m.id)); after.Mzxid != before.Mzxid {
			b.Errorf("the node was written again: version %d became %d", before.Version, after.Version)
		}
		_, err := m.CancelRun(b.ctx(), "job", waiting, "too late")
		b.must(err)
		time.Sleep(2 * time.Minute)
		if o := b.obstacle(m); o.Code != "" {
			b.Errorf("nobody waits any more, and the agent says %+v", o)
		}
		submit()
		b.await("the agent to say so again", func() bool { return b.obstacle(m).Code == jobtree.ObstacleNoPlace })
		time.Sleep(40 * time.Minute)
		if o := b.obstacle(m); o.Code != "" || b.runs.count("job", -1) != 1 {
			b.Errorf("the agent says %+v after %d runs", o, b.runs.count("job", -1))
		}
	})
}

// hanging hangs in the named call until on is closed.
type hanging struct {
	in string
	on chan struct{}
}

func (h *hanging) call(what string) error {
	if what == h.in {
		<-h.on
	}
	return nil
}

func (h *hanging) Before(context.Context, *coreagent.LocalRun) error    { return h.call("before") }
func (h *hanging) After(context.Context, *coreagent.LocalRun) error     { return h.call("after") }
func (h *hanging) HandleError(context.Context, coreagent.Failure) error { return h.call("handle") }
func (h *hanging) Started(context.Context, *coreagent.LocalRun) error   { return h.call("started") }
func (h *hanging) Completed(context.Context, *coreagent.LocalRun) error { return h.call("completed") }

// TestW86HandlerHangs: a handler that ignores the end of its context blocks its shards, even if
// their running markers were removed with a lost session. The agent should announce that, and the
// shards should stay blocked, until the handler returns.
func TestW86HandlerHangs(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]bool{"timeout": false, "session": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				on := make(chan struct{})
				m := b.agent(1)
				job := hourlyJob
				if !lost {
					job.Timeout = 10 * time.Second
				}
				m.serve(job, func(context.Context, *coreagent.Shard) error { <-on; return nil }).start()
				b.awaitOwners("job", m.id, m.id)
				sleepUntilNext(time.Hour)
				if lost {
					time.Sleep(5 * time.Second)
					m.cut()
					b.await("the session to end", func() bool { return !b.exists(b.tree.Job("job").Instance(m.id)) })
					m.reconnect()
				}
				b.await("the agent to announce it", func() bool { return b.obstacle(m).Code == jobtree.ObstacleHandlerHangs })
				reader := statistics.NewReader(treetest.Registry(b.client, b.tree))
				if f := b.firstOf(b.client, "job"); f.Obstacle != "HANDLER_HANGS" || f.Effect != statistics.EffectJob || f.Instance != m.id {
					b.Errorf("explained first as %+v", f)
				}
				detail, err := reader.Job(b.ctx(), "job")
				b.must(err)
				for _, shard := range detail.Shards {
					if shard.Status == statistics.ShardPending || lost && shard.Status != statistics.ShardBlocked {
						b.Errorf("shard %d is %s: %s", shard.Item, shard.Status, shard.Reason)
					}
				}
				close(on)
				b.await("the obstacle to go", func() bool { return b.obstacle(m).Code == "" })
				n := b.runs.count("job", -1)
				sleepUntilNext(time.Hour)
				b.await("the job to run", func() bool { return b.runs.count("job", -1) >= n+2 })
			})
		})
	}
}

// TestW86BrokenJob: if the agent panics in a job, the agent should leave the job and announce why.
// Otherwise Explain would report a process that was never started. The announcement should be
// removed when the job runs again.
func TestW86BrokenJob(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		recorder := &panicking{Recorder: tracing.Discard}
		m := b.agent(1, func(c *coreagent.Config) { c.Tracing = recorder })
		m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 2}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		recorder.armed.Store(1000)
		for range 10 { // The pause gets longer than the minute until a departure is checked again.
			sleepUntilNext(time.Minute)
		}
		b.await("the agent to announce it", func() bool { return b.obstacle(m).Code == jobtree.ObstacleBroken })
		f := b.firstOf(b.client, "job")
		if f.Obstacle != "BROKEN" || f.Effect != statistics.EffectJob || !strings.Contains(f.Sentence, "planted: recorder") {
			b.Errorf("explained first as %+v", f)
		}
		b.while(2*time.Minute, "it stays announced", func() bool {
			return b.obstacle(m).Code == jobtree.ObstacleBroken || b.exists(b.tree.Job("job").Instance(m.id))
		})
		recorder.armed.Store(0)
		for range 5 {
			sleepUntilNext(time.Minute)
		}
		b.await("the obstacle to go", func() bool { return b.obstacle(m).Code == "" })
	})
}

// TestW86UserCodeHangs: a listener or an error handler that doesn't return blocks the job. The
// agent should announce its name and since when, until it returns. Explain should list that first,
// and not report a run that takes too long.
func TestW86UserCodeHangs(t *testing.T) {
	t.Parallel()
	for in, code := range map[string]jobtree.ObstacleCode{
		"before": jobtree.ObstacleListenerHangs, "after": jobtree.ObstacleListenerHangs, "started": jobtree.ObstacleListenerHangs,
		"completed": jobtree.ObstacleListenerHangs, "handle": jobtree.ObstacleErrorHandlerHangs,
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				h := &hanging{in, make(chan struct{})}
				m := b.agent(1, func(cfg *coreagent.Config) {
					cfg.Listeners = []coreagent.Listener{
						{Name: "audit", Before: h.Before, After: h.After},
						{Name: "gate", Before: h.Started, After: h.Completed, Once: true},
					}
					cfg.ErrorHandlers = []coreagent.ErrorHandler{{Name: "PAGER", Handle: h.HandleError}}
				})
				job := hourlyJob
				job.Listeners, job.ErrorHandler = []coreagent.Listener{{Name: "audit"}, {Name: "gate"}}, coreagent.ErrorHandler{Name: "PAGER"}
				m.serve(job, func(context.Context, *coreagent.Shard) error { return errors.New("no paper") }).start()
				b.awaitOwners("job", m.id, m.id)
				sleepUntilNext(time.Hour)
				time.Sleep(20 * time.Second)
				if o := b.obstacle(m); o.Code != "" {
					b.Errorf("the agent says %+v at once", o)
				}
				b.await("the agent to say so", func() bool { return b.obstacle(m).Code == code })
				name := map[string]string{"handle": "error handler PAGER", "started": "listener gate", "completed": "listener gate"}[in]
				if text := b.obstacle(m).Text; !strings.Contains(text, cmp.Or(name, "listener audit")+" hasn't returned since 20") {
					b.Errorf("the agent says %q", text)
				}
				before := b.stat(b.tree.Job("job").Refusal(m.id))
				sleepUntilNext(time.Hour)
				time.Sleep(3*time.Hour + time.Minute)
				why, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Explain(b.ctx(), "job")
				b.must(err)
				if f := why.Findings[0]; f.Obstacle != string(code) || f.Effect != statistics.EffectJob || f.Instance != m.id {
					b.Errorf("explained first as %+v", f)
				} else if begun := f.Since.Sub(f.Since.Truncate(time.Hour)); begun > 10*time.Second {
					b.Errorf("explained since %v after the call began", begun)
				}
				for _, f := range why.Findings {
					if f.Code == statistics.CodeOverrun || f.Code == statistics.CodeRunning {
						b.Errorf("explained as %+v, too", f)
					}
				}
				if after := b.stat(b.tree.Job("job").Refusal(m.id)); after.Mzxid != before.Mzxid {
					b.Errorf("the node was written again: version %d became %d", before.Version, after.Version)
				}
				close(h.on)
				b.await("the agent to say nothing any more", func() bool { return b.obstacle(m).Code == "" })
				n := b.runs.count("job", -1)
				sleepUntilNext(time.Hour)
				b.await("the job to run", func() bool { return b.runs.count("job", -1) >= n+2 })
			})
		})
	}
}
