package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// witness is a listener of both kinds that records its calls.
type witness struct {
	start, complete time.Duration
	answer          map[string]error                       // by event
	hook            map[string]func(r *coreagent.LocalRun) // called first, by event

	mu      sync.Mutex
	heardOf []string
	runs    []coreagent.LocalRun // in the same order
}

func (w *witness) hear(what string, r *coreagent.LocalRun) error {
	w.mu.Lock()
	w.heardOf, w.runs = append(w.heardOf, what), append(w.runs, *r)
	w.mu.Unlock()
	if hook := w.hook[what]; hook != nil {
		hook(r)
	}
	return w.answer[what]
}

func (w *witness) Before(_ context.Context, r *coreagent.LocalRun) error { return w.hear("before", r) }
func (w *witness) After(_ context.Context, r *coreagent.LocalRun) error  { return w.hear("after", r) }
func (w *witness) Started(_ context.Context, r *coreagent.LocalRun) error {
	return w.hear("started", r)
}
func (w *witness) Completed(_ context.Context, r *coreagent.LocalRun) error {
	return w.hear("completed", r)
}

func (w *witness) heard() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.heardOf)
}

func (w *witness) run(i int) coreagent.LocalRun {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs[i]
}

func (w *witness) listens(cfg *coreagent.Config) {
	cfg.Listeners = []coreagent.Listener{
		{Name: "each", Before: w.Before, After: w.After},
		{Name: "once", Before: w.Started, After: w.Completed, Once: true, BeforeTimeout: w.start, AfterTimeout: w.complete},
	}
}

// TestListenersOfTwoJobs: two jobs have different listeners with the same name, which should take
// precedence over the agent's. A name that only the agent has can be stored later.
func TestListenersOfTwoJobs(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var mu sync.Mutex
		var heard []string
		named := func(name, of string) coreagent.Listener {
			return coreagent.Listener{Name: name, Before: func(_ context.Context, r *coreagent.LocalRun) error {
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, r.Job+" by "+of)
				return nil
			}}
		}
		m := b.agent(1, func(cfg *coreagent.Config) {
			cfg.Listeners = []coreagent.Listener{named("each", "the agent"), named("later", "the agent")}
		})
		m.serve(coreagent.Job{Name: "one", Shards: 1, Listeners: []coreagent.Listener{named("each", "one")}}, nil)
		m.serve(coreagent.Job{Name: "two", Shards: 1, Listeners: []coreagent.Listener{named("each", "two")}}, nil)
		m.serve(coreagent.Job{Name: "three", Shards: 1, Listeners: []coreagent.Listener{{Name: "each"}}}, nil).start()
		fired := func(job, want string) {
			b.awaitOwners(job, m.id)
			m.triggerHere(job)
			b.await(want, func() bool {
				mu.Lock()
				defer mu.Unlock()
				return slices.Contains(heard, want)
			})
		}
		fired("one", "one by one")
		fired("two", "two by two")
		fired("three", "three by the agent")
		b.configure("one", func(c *jobconfig.Config) { c.ListenerTypes = []string{"later"} })
		fired("one", "one by the agent")
	})
}

// TestListenerPerInstance: the listener should be called before and after each run, with its shards
// and failures. That includes runs without shards, as in ElasticJob.
func TestListenerPerInstance(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		w := &witness{}
		job := coreagent.Job{Name: "job", Shards: 3, ShardParameters: "1=b,2=c", Parameter: "p", Props: map[string]string{"k": "v"}, Listeners: []coreagent.Listener{{Name: "each"}}}
		m := b.agent(1, w.listens).serve(job, fails(2)).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		m.triggerHere("job")
		b.await("after", func() bool { return len(w.heard()) == 2 })
		before, after := w.run(0), w.run(1)
		if before.Job != "job" || before.Total != 3 || !slices.Equal(before.Items, []int{0, 1, 2}) || before.JobParameter != "p" ||
			len(before.Parameters) != 2 || before.Parameters[2] != "c" || before.Props["k"] != "v" || before.Failures != nil ||
			before.Source != tracing.SourceNormal || before.TaskID != b.nthRun("job", 0, 0).shard.TaskID {
			b.Errorf("before %+v", before)
		}
		if len(after.Failures) != 1 || !errors.Is(after.Failures[2], errBoom) || after.TaskID != before.TaskID {
			b.Errorf("after %+v", after)
		}
		for n := range 3 {
			b.put(b.tree.Job("job").ItemDisabled(n), "")
		}
		m.triggerHere("job")
		b.await("a run without shards", func() bool { return len(w.heard()) == 4 })
		if shards := w.run(2).Items; len(shards) != 0 {
			b.Errorf("shards %v", shards)
		}
		if b.runs.count("job", -1) != 3 {
			b.Error("a disabled shard ran")
		}
	})
}

// TestListenerErrors: errors should go to the error handler. LOG continues the run, THROW stops it
// before the shards, and an unknown name stops only this job.
func TestListenerErrors(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		w := &witness{answer: map[string]error{"before": errBoom, "after": errBoom}}
		m := b.agent(1, w.listens).serve(coreagent.Job{Name: "job", Shards: 1, Listeners: []coreagent.Listener{{Name: "each"}}}, nil).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		b.awaitOwners("other", m.id)
		m.triggerHere("job")
		b.await("both errors", func() bool {
			return b.log.count("listener each: before: "+errBoom.Error()) == 1 && b.log.count("listener each: after: "+errBoom.Error()) == 1
		})
		if b.runs.count("job", 0) != 1 {
			b.Error("the shard did not run")
		}
		b.configure("job", func(c *jobconfig.Config) { c.ErrorHandlerType = "THROW" })
		m.triggerHereUntil("job", "the failed run", func() bool { return b.log.count("run failed") == 1 })
		b.awaitTidy("job")
		if heard := w.heard(); b.runs.count("job", 0) != 1 || !slices.Equal(heard, []string{"before", "after", "before"}) {
			b.Errorf("%d runs, notified of %q", b.runs.count("job", 0), heard)
		}
		if states := m.trace.states("job"); !strings.HasPrefix(states[len(states)-1], "TASK_ERROR") {
			b.Errorf("states %q", states)
		}
		b.configure("job", func(c *jobconfig.Config) { c.ListenerTypes = []string{"spy"} })
		m.triggerHereUntil("job", "the refusal", func() bool {
			return b.log.count("Cannot find job listener type 'spy'. Allowed types: each, once.") == 1
		})
		m.triggerHere("other")
		b.await("the other job", func() bool { return b.runs.count("other", 0) == 1 })
	})
}

// onceJob is a job with three shards and a once-per-run listener.
func onceJob(name string, failover bool) coreagent.Job {
	return coreagent.Job{Name: name, Shards: 3, Failover: failover, Listeners: []coreagent.Listener{{Name: "once"}}}
}

// dyingSession is for tests of barriers in which an agent dies, because the others must wait for
// that long. It mustn't be shorter, or the agent could lose its session earlier on a loaded
// machine.
const dyingSession = 5 * time.Second

// twoWithOnce starts two agents of an onceJob. The first gets shard 1 and stays alive.
func (b *fixture) twoWithOnce(w *witness, job coreagent.Job, handle func(context.Context, *coreagent.Shard) error) (first, second *member) {
	b.Helper()
	first = b.agent(1, w.listens, lasting).serve(job, nil).start()
	second = b.agent(2, w.listens).serve(job, handle).start()
	b.awaitOwners(job.Name, second.id, first.id, second.id)
	return first, second
}

func (b *fixture) awaitAtBarrier(dir string, shards ...string) {
	b.Helper()
	b.await(fmt.Sprintf("%q at the barrier", shards), func() bool { return slices.Equal(b.children(dir), shards) })
}

func (b *fixture) awaitHeard(w *witness, want ...string) {
	b.Helper()
	b.await("the listener", func() bool { return len(w.heard()) >= len(want) })
	if heard := w.heard(); !slices.Equal(heard, want) {
		b.Errorf("notified of %q, want %q", heard, want)
	}
}

func (b *fixture) awaitNoBarrier(job string) {
	b.Helper()
	tree := b.tree.Job(job)
	b.await("no barrier", func() bool {
		return !b.exists(tree.GuaranteeStarted()) && !b.exists(tree.GuaranteeCompleted()) &&
			len(b.children(tree.GuaranteeStartedLatch()))+len(b.children(tree.GuaranteeCompletedLatch())) == 0
	})
}

// bury stops two agents: a killed one, which can't deregister, and a living one.
func (b *fixture) bury(dead, living *member) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
	defer cancel()
	_ = dead.Stop(ctx) // Ignore the error, because no server is reachable.
	b.must(living.Stop(b.ctx()))
}

// phaseHooks check the conditions that must hold when the listener is called.
func (b *fixture) phaseHooks() map[string]func(*coreagent.LocalRun) {
	tree := b.tree.Job("job")
	return map[string]func(*coreagent.LocalRun){
		"started": func(*coreagent.LocalRun) {
			if n := b.runs.count("job", -1); n%3 != 0 {
				b.Errorf("%d shards ran before the listener was notified of the start", n)
			}
			for n := range 3 {
				if b.exists(tree.ItemRunning(n)) {
					b.Errorf("shard %d is marked before the listener was notified of the start", n)
				}
			}
			if len(b.children(tree.GuaranteeStartedLatch())) == 0 {
				b.Error("notified without the latch")
			}
		},
		"completed": func(*coreagent.LocalRun) {
			for _, r := range b.runs.of("job", -1) {
				if r.end.IsZero() {
					b.Error("notified before a shard completed")
				}
			}
		},
	}
}

// wantPhases checks the order of the nodes of one run.
func (b *fixture) wantPhases() {
	b.Helper()
	for phase, mode := range map[string]string{"started": "+e ", "completed": "+ "} {
		dir := "guarantee/" + phase
		for n := range 3 { // Each shard, and the nodes that should come after it.
			b.wantOrder("job", mode+dir+"/"+strconv.Itoa(n), "+e "+dir+"-latch/*",
				"- "+dir+"/0, - "+dir+"/1, - "+dir+"/2, - "+dir, "- "+dir+"-latch/*")
		}
	}
	for _, shards := range []string{"sharding/1/running", "sharding/0/running, ? sharding/2/running"} {
		marks := func(sign string) string { return sign + strings.ReplaceAll(shards, "? ", sign) }
		b.wantOrder("job", "- guarantee/started", marks("+e "), marks("- "), "+e guarantee/completed-latch/*")
	}
}

// TestK53OncePerRun: two agents have the shards {0,2} and {1}. The listener should be called once
// when all are about to start and none has, and once when all have completed.
func TestK53OncePerRun(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		w := &witness{start: patience, complete: patience, hook: b.phaseHooks()}
		first, second := b.twoWithOnce(w, onceJob("job", false), nil)
		var want []string
		for round := range 3 {
			if round%2 == 0 { // The order of arrival shouldn't matter.
				first.triggerHere("job")
				b.awaitAtBarrier(tree.GuaranteeStarted(), "1")
				second.triggerHere("job")
			} else {
				second.triggerHere("job")
				b.awaitAtBarrier(tree.GuaranteeStarted(), "0", "2")
				first.triggerHere("job")
			}
			want = append(want, "started", "completed")
			b.awaitHeard(w, want...)
			b.awaitNoBarrier("job")
			b.awaitTidy("job")
			b.await("the latches are released", func() bool { // When all instances have been notified.
				return b.counts("job", "- guarantee/started-latch/*") > 0 && b.counts("job", "- guarantee/completed-latch/*") > 0
			})
			b.wantPhases()
			b.wire.forget()
		}
		for n := range 3 {
			if runs := b.runs.count("job", n); runs != 3 {
				b.Errorf("shard %d ran %d times", n, runs)
			}
		}
	})
}

// TestK54OnceDeadline: if a shard is disabled, the barrier is never complete. The wait should end
// with an error, the barrier should be removed, and the shards should run.
func TestK54OnceDeadline(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		w := &witness{start: 600 * time.Millisecond, complete: 500 * time.Millisecond}
		m := b.agent(1, w.listens).serve(onceJob("job", false), nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		b.put(b.tree.Job("job").ItemDisabled(1), "")
		m.triggerHere("job")
		b.await("the report", func() bool {
			return b.log.count("listener once: started: Job timeout. timeout mills is 600.") == 1 &&
				b.log.count("listener once: completed: Job timeout. timeout mills is 500.") == 1
		})
		b.awaitNoBarrier("job")
		if runs := b.runs.of("job", -1); len(runs) != 2 || len(w.heard()) != 0 {
			b.Errorf("%d shards ran, notified of %q", len(runs), w.heard())
		}
	})
}

// TestOnceListenerErrors: errors should be reported once, and the run should continue.
func TestOnceListenerErrors(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		w := &witness{
			start: patience, complete: patience, answer: map[string]error{"started": errBoom},
			hook: map[string]func(*coreagent.LocalRun){"completed": func(*coreagent.LocalRun) { panic("out of paper") }},
		}
		m := b.agent(1, w.listens).serve(onceJob("job", false), nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		m.triggerHere("job")
		b.await("both errors", func() bool {
			return b.log.count("listener once: started: "+errBoom.Error()) == 1 && b.log.count("listener once: completed: panic: out of paper") == 1
		})
		b.awaitNoBarrier("job")
		b.awaitHeard(w, "started", "completed")
		if b.runs.count("job", -1) != 3 {
			b.Error("the shards did not run")
		}
	})
}

// TestMS42OwnerDiesBeforeTheStart: an owner dies before the start, at the barrier or before it. An
// instance that waits to start should take over its shards, and the listener should be called once.
func TestMS42OwnerDiesBeforeTheStart(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = dyingSession
		for _, arrived := range []bool{false, true} {
			name := fmt.Sprintf("job-%v", arrived)
			started := b.tree.Job(name).GuaranteeStarted()
			w := &witness{start: patience, complete: patience}
			first, second := b.twoWithOnce(w, onceJob(name, false), nil)
			if arrived {
				second.triggerHere(name)
				b.awaitAtBarrier(started, "0", "2")
				second.cut()
				b.await("its end", func() bool { return !b.exists(b.tree.Job(name).Instance(second.id)) })
				first.triggerHere(name)
			} else {
				first.triggerHere(name)
				b.awaitAtBarrier(started, "1")
				second.cut()
			}
			b.awaitHeard(w, "started", "completed")
			b.awaitNoBarrier(name)
			for n := range 3 {
				if runs := b.runs.of(name, n); len(runs) != 1 || runs[0].agent != first.id {
					b.Errorf("%s: runs of shard %d: %+v", name, n, runs)
				}
			}
			b.bury(second, first)
		}
	})
}

// TestMS42OwnerDiesBeforeTheEnd: with failover another instance should complete the dead owner's
// shards and the listener should be called once. Without failover the wait should end with an
// error.
func TestMS42OwnerDiesBeforeTheEnd(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = dyingSession
		for _, failover := range []bool{true, false} {
			name := fmt.Sprintf("job-%v", failover)
			w := &witness{start: patience, complete: patience}
			if !failover {
				w.complete = dyingSession + 2*time.Second
			}
			first, second := b.twoWithOnce(w, onceJob(name, failover), make(gate).handle)
			first.triggerHere(name)
			second.triggerHere(name)
			b.await("the shards of who dies", func() bool { return b.runs.count(name, 0)+b.runs.count(name, 2) == 2 })
			b.awaitAtBarrier(b.tree.Job(name).GuaranteeCompleted(), "1")
			second.cut()
			if failover {
				b.awaitHeard(w, "started", "completed")
				for _, n := range []int{0, 2} {
					if runs := b.runs.of(name, n); len(runs) != 2 || runs[1].agent != first.id || runs[1].shard.Source != tracing.SourceFailover {
						b.Errorf("runs of shard %d: %+v", n, runs)
					}
				}
			} else {
				b.await("the report", func() bool { return b.log.count("listener once: completed: Job timeout. timeout mills is 7000.") == 1 })
				b.awaitHeard(w, "started")
			}
			b.awaitNoBarrier(name)
			b.bury(second, first)
		}
	})
}

// TestMS42NotifierDies: if an instance dies while calling the listener, the call shouldn't be
// repeated. The others should report that and continue.
func TestMS42NotifierDies(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = dyingSession
		buried := make(chan struct{})
		var second *member
		w := &witness{start: patience, complete: patience}
		w.hook = map[string]func(*coreagent.LocalRun){"started": func(r *coreagent.LocalRun) {
			if !strings.Contains(r.TaskID, second.id) {
				b.Errorf("notified by %s, which did not come last", r.TaskID)
			}
			second.cut()
			<-buried
		}}
		first := b.agent(1, w.listens, lasting).serve(onceJob("job", false), nil).start()
		second = b.agent(2, w.listens).serve(onceJob("job", false), nil).start()
		b.awaitOwners("job", second.id, first.id, second.id)
		first.triggerHere("job")
		b.awaitAtBarrier(b.tree.Job("job").GuaranteeStarted(), "1")
		second.triggerHere("job")
		b.await("the report", func() bool {
			return b.log.count("listener once: started: instance "+second.id+" was lost while it notified the listener, which isn't called again") == 1
		})
		close(buried)
		b.awaitHeard(w, "started", "completed")
		b.awaitNoBarrier("job")
		for n := range 3 {
			if runs := b.runs.of("job", n); len(runs) != 1 || runs[0].agent != first.id {
				b.Errorf("runs of shard %d: %+v", n, runs)
			}
		}
	})
}

// TestStopAtABarrier: if an agent stops while it waits to start, it should leave at once. The
// remaining one should take its shards, and its listener should be called.
func TestStopAtABarrier(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		w := &witness{start: patience, complete: patience}
		first, second := b.twoWithOnce(w, onceJob("job", false), nil)
		second.triggerHere("job")
		b.awaitAtBarrier(b.tree.Job("job").GuaranteeStarted(), "0", "2")
		b.must(second.Stop(b.ctx()))
		if left := b.children(b.tree.Job("job").GuaranteeStarted()); len(left) > 0 {
			b.Errorf("left at the barrier: %q", left)
		}
		b.awaitOwners("job", first.id, first.id, first.id)
		first.triggerHere("job")
		b.awaitHeard(w, "started", "completed")
		if runs := b.runs.of("job", -1); len(runs) != 3 {
			b.Errorf("%d shards ran", len(runs))
		}
	})
}

// TestV38CompletedIsNotifiedOnce: an instance calls the listener at the end of the run, but its
// request that removes the barrier is lost. It was waiting at the barrier itself, and it had called
// the listener for the shards that it took from a dead instance. It must not call the listener
// again.
func TestV38CompletedIsNotifiedOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]zkfake.Fault{"request lost": zkfake.LoseRequest, "reply lost": zkfake.LoseReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				tree := b.tree.Job("job")
				w := &witness{start: patience, complete: patience}
				first, second := b.twoWithOnce(w, onceJob("job", true), make(gate).handle)
				first.triggerHere("job")
				second.triggerHere("job")
				b.await("the shards of who dies", func() bool { return b.runs.count("job", 0)+b.runs.count("job", 2) == 2 })
				b.awaitAtBarrier(tree.GuaranteeCompleted(), "1")
				var lost atomic.Bool
				srv.SetFault(func(r zkfake.Request) zkfake.Fault {
					if r.Op == "multi" && slices.Contains(r.Paths, tree.GuaranteeCompleted()) && len(r.Paths) > 1 && slices.Contains(w.heard(), "completed") && lost.CompareAndSwap(false, true) {
						return fault
					}
					return zkfake.None
				})
				second.cut()
				b.await("the request to be lost", lost.Load)
				time.Sleep(30 * time.Second)
				b.awaitHeard(w, "started", "completed")
				b.awaitNoBarrier("job")
				b.awaitOwners("job", first.id, first.id, first.id)
				first.triggerHere("job")
				b.awaitHeard(w, "started", "completed", "started", "completed")
				b.awaitNoBarrier("job")
				b.bury(second, first)
			})
		})
	}
}

// TestV38MarkerOfAnEarlierRound: nodes of an old round are left at the barrier, including the
// marker of a call. In the next round the listener should still be called, and not too early.
func TestV38MarkerOfAnEarlierRound(t *testing.T) {
	for notifier := range 2 {
		t.Run("notified by agent "+strconv.Itoa(notifier+1), func(t *testing.T) {
			onBothServers(t, func(b *fixture) {
				tree := b.tree.Job("job")
				w := &witness{start: patience, complete: patience}
				first, second := b.twoWithOnce(w, onceJob("job", false), nil)
				b.put(tree.GuaranteeCompleted(), []*member{first, second}[notifier].id)
				for n := range 3 {
					b.put(tree.GuaranteeCompletedItem(n), "")
				}
				first.triggerHere("job")
				second.triggerHere("job")
				b.await("all shards", func() bool { return b.runs.count("job", -1) == 3 })
				b.awaitHeard(w, "started", "completed")
				b.awaitNoBarrier("job")
			})
		})
	}
}
