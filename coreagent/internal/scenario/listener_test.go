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

// witness is a listener of both kinds that keeps what it was told.
type witness struct {
	start, complete time.Duration
	answer          map[string]error                  // by what is told
	hook            map[string]func(r *coreagent.Run) // called first, by what is told

	mu   sync.Mutex
	told []string
	runs []coreagent.Run // in the same order
}

func (w *witness) hear(what string, r *coreagent.Run) error {
	w.mu.Lock()
	w.told, w.runs = append(w.told, what), append(w.runs, *r)
	w.mu.Unlock()
	if hook := w.hook[what]; hook != nil {
		hook(r)
	}
	return w.answer[what]
}

func (w *witness) Before(_ context.Context, r *coreagent.Run) error    { return w.hear("before", r) }
func (w *witness) After(_ context.Context, r *coreagent.Run) error     { return w.hear("after", r) }
func (w *witness) Started(_ context.Context, r *coreagent.Run) error   { return w.hear("started", r) }
func (w *witness) Completed(_ context.Context, r *coreagent.Run) error { return w.hear("completed", r) }
func (w *witness) Deadlines() (start, complete time.Duration)          { return w.start, w.complete }

func (w *witness) heard() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.told)
}

func (w *witness) run(i int) coreagent.Run {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs[i]
}

func (w *witness) listens(cfg *coreagent.Config) {
	cfg.Listeners = map[string]coreagent.Listener{"each": w}
	cfg.OnceListeners = map[string]coreagent.OnceListener{"once": w}
}

// TestListenerPerInstance: before and after each run, with what runs and what
// failed; also for a run without items, as in ElasticJob.
func TestListenerPerInstance(t *testing.T) {
	both(t, func(b *bed) {
		w := &witness{}
		job := coreagent.Job{Name: "job", Shards: 3, ShardParameters: "1=b,2=c", Parameter: "p", Props: map[string]string{"k": "v"}, Listeners: []string{"each"}}
		m := b.agent(1, w.listens).serve(job, fails(2)).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		m.order("job")
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
		m.order("job")
		b.await("a run without items", func() bool { return len(w.heard()) == 4 })
		if items := w.run(2).Items; len(items) != 0 {
			b.Errorf("items %v", items)
		}
		if b.runs.count("job", -1) != 3 {
			b.Error("a disabled item ran")
		}
	})
}

// TestListenerErrors go to the error handler; LOG lets the run go on, THROW
// stops it before the items, and a name nobody knows stops this job only.
func TestListenerErrors(t *testing.T) {
	both(t, func(b *bed) {
		w := &witness{answer: map[string]error{"before": errBoom, "after": errBoom}}
		m := b.agent(1, w.listens).serve(coreagent.Job{Name: "job", Shards: 1, Listeners: []string{"each"}}, nil).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		b.awaitOwners("other", m.id)
		m.order("job")
		b.await("both errors", func() bool {
			return b.log.count("listener each: before: "+errBoom.Error()) == 1 && b.log.count("listener each: after: "+errBoom.Error()) == 1
		})
		if b.runs.count("job", 0) != 1 {
			b.Error("the item did not run")
		}
		b.configure("job", func(c *jobconfig.Config) { c.ErrorHandlerType = "THROW" })
		m.orderUntil("job", "the failed run", func() bool { return b.log.count("run failed") == 1 })
		b.awaitTidy("job")
		if told := w.heard(); b.runs.count("job", 0) != 1 || !slices.Equal(told, []string{"before", "after", "before"}) {
			b.Errorf("%d runs, told %q", b.runs.count("job", 0), told)
		}
		if states := m.trace.states("job"); !strings.HasPrefix(states[len(states)-1], "TASK_ERROR") {
			b.Errorf("states %q", states)
		}
		b.configure("job", func(c *jobconfig.Config) { c.ListenerTypes = []string{"spy"} })
		m.orderUntil("job", "the refusal", func() bool {
			return b.log.count("Cannot find job listener type 'spy'. Allowed types: each, once.") == 1
		})
		m.order("other")
		b.await("the other job", func() bool { return b.runs.count("other", 0) == 1 })
	})
}

// onceJob is a job of three items whose listener is told once.
func onceJob(name string, failover bool) coreagent.Job {
	return coreagent.Job{Name: name, Shards: 3, Failover: failover, Listeners: []string{"once"}}
}

// dyingSession is for tests of barriers in which somebody dies: who waits for that
// waits so long, and before it dies it must not lose the session by itself, which a
// shorter one makes possible on machines under load.
const dyingSession = 5 * time.Second

// twoWithOnce are two agents of an onceJob: the first has item 1, and lasts.
func (b *bed) twoWithOnce(w *witness, job coreagent.Job, body func(context.Context, *coreagent.Shard) error) (first, second *member) {
	b.Helper()
	first = b.agent(1, w.listens, lasting).serve(job, nil).start()
	second = b.agent(2, w.listens).serve(job, body).start()
	b.awaitOwners(job.Name, second.id, first.id, second.id)
	return first, second
}

func (b *bed) awaitAtBarrier(dir string, items ...string) {
	b.Helper()
	b.await(fmt.Sprintf("%q at the barrier", items), func() bool { return slices.Equal(b.children(dir), items) })
}

func (b *bed) awaitHeard(w *witness, want ...string) {
	b.Helper()
	b.await("the listener", func() bool { return len(w.heard()) >= len(want) })
	if told := w.heard(); !slices.Equal(told, want) {
		b.Errorf("told %q, want %q", told, want)
	}
}

func (b *bed) awaitNoBarrier(job string) {
	b.Helper()
	tree := b.tree.Job(job)
	b.await("no barrier", func() bool {
		return !b.exists(tree.GuaranteeStarted()) && !b.exists(tree.GuaranteeCompleted()) &&
			len(b.children(tree.GuaranteeStartedLatch()))+len(b.children(tree.GuaranteeCompletedLatch())) == 0
	})
}

// bury ends an agent that cannot say goodbye, and one that can.
func (b *bed) bury(dead, living *member) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
	defer cancel()
	_ = dead.Stop(ctx) // Whatever it says: no server hears it.
	b.must(living.Stop(b.ctx()))
}

// phaseHooks check what must hold at the moment at which a phase is told.
func (b *bed) phaseHooks() map[string]func(*coreagent.Run) {
	tree := b.tree.Job("job")
	return map[string]func(*coreagent.Run){
		"started": func(*coreagent.Run) {
			if n := b.runs.count("job", -1); n%3 != 0 {
				b.Errorf("%d items ran before the start was told", n)
			}
			for n := range 3 {
				if b.exists(tree.ItemRunning(n)) {
					b.Errorf("item %d is marked before the start was told", n)
				}
			}
			if len(b.children(tree.GuaranteeStartedLatch())) == 0 {
				b.Error("told without the latch")
			}
		},
		"completed": func(*coreagent.Run) {
			for _, r := range b.runs.of("job", -1) {
				if r.end.IsZero() {
					b.Error("told before an item completed")
				}
			}
		},
	}
}

// wantPhases checks the order of the nodes of one run.
func (b *bed) wantPhases() {
	b.Helper()
	for phase, mode := range map[string]string{"started": "+e ", "completed": "+ "} {
		dir := "guarantee/" + phase
		for n := range 3 { // The item, and which nodes come after it.
			b.wantOrder("job", mode+dir+"/"+strconv.Itoa(n), "+e "+dir+"-latch/*",
				"- "+dir+"/0, - "+dir+"/1, - "+dir+"/2, - "+dir, "- "+dir+"-latch/*")
		}
	}
	for _, items := range []string{"sharding/1/running", "sharding/0/running, ? sharding/2/running"} {
		marks := func(sign string) string { return sign + strings.ReplaceAll(items, "? ", sign) }
		b.wantOrder("job", "- guarantee/started", marks("+e "), marks("- "), "+e guarantee/completed-latch/*")
	}
}

// TestK53OncePerRun: two agents with the items {0,2} and {1}; the listener is
// told once when all are about to start, before any has, and once when all have
// completed.
func TestK53OncePerRun(t *testing.T) {
	both(t, func(b *bed) {
		tree := b.tree.Job("job")
		w := &witness{start: patience, complete: patience, hook: b.phaseHooks()}
		first, second := b.twoWithOnce(w, onceJob("job", false), nil)
		var want []string
		for round := range 3 {
			if round%2 == 0 { // The order of arrival does not matter.
				first.order("job")
				b.awaitAtBarrier(tree.GuaranteeStarted(), "1")
				second.order("job")
			} else {
				second.order("job")
				b.awaitAtBarrier(tree.GuaranteeStarted(), "0", "2")
				first.order("job")
			}
			want = append(want, "started", "completed")
			b.awaitHeard(w, want...)
			b.awaitNoBarrier("job")
			b.awaitTidy("job")
			b.await("the latches are let go", func() bool { // After all have heard, by whoever told them.
				return b.counts("job", "- guarantee/started-latch/*") > 0 && b.counts("job", "- guarantee/completed-latch/*") > 0
			})
			b.wantPhases()
			b.wire.forget()
		}
		for n := range 3 {
			if runs := b.runs.count("job", n); runs != 3 {
				b.Errorf("item %d ran %d times", n, runs)
			}
		}
	})
}

// TestK54OnceDeadline: where an item is disabled nobody can be told; the wait
// ends with an error, the barrier goes, and the items run.
func TestK54OnceDeadline(t *testing.T) {
	both(t, func(b *bed) {
		w := &witness{start: 600 * time.Millisecond, complete: 500 * time.Millisecond}
		m := b.agent(1, w.listens).serve(onceJob("job", false), nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		b.put(b.tree.Job("job").ItemDisabled(1), "")
		m.order("job")
		b.await("the report", func() bool {
			return b.log.count("listener once: started: Job timeout. timeout mills is 600.") == 1 &&
				b.log.count("listener once: completed: Job timeout. timeout mills is 500.") == 1
		})
		b.awaitNoBarrier("job")
		if runs := b.runs.of("job", -1); len(runs) != 2 || len(w.heard()) != 0 {
			b.Errorf("%d items ran, told %q", len(runs), w.heard())
		}
	})
}

// TestOnceListenerErrors are reported once, and the run goes on.
func TestOnceListenerErrors(t *testing.T) {
	both(t, func(b *bed) {
		w := &witness{
			start: patience, complete: patience, answer: map[string]error{"started": errBoom},
			hook: map[string]func(*coreagent.Run){"completed": func(*coreagent.Run) { panic("out of paper") }},
		}
		m := b.agent(1, w.listens).serve(onceJob("job", false), nil).start()
		b.awaitOwners("job", m.id, m.id, m.id)
		m.order("job")
		b.await("both errors", func() bool {
			return b.log.count("listener once: started: "+errBoom.Error()) == 1 && b.log.count("listener once: completed: panic: out of paper") == 1
		})
		b.awaitNoBarrier("job")
		b.awaitHeard(w, "started", "completed")
		if b.runs.count("job", -1) != 3 {
			b.Error("the items did not run")
		}
	})
}

// TestMS42OwnerDiesBeforeTheStart: who waits to start takes the dead owner's
// items along, and the listener is told once; whether the owner had come to the
// barrier or not.
func TestMS42OwnerDiesBeforeTheStart(t *testing.T) {
	both(t, func(b *bed) {
		b.session = dyingSession
		for _, arrived := range []bool{false, true} {
			name := fmt.Sprintf("job-%v", arrived)
			started := b.tree.Job(name).GuaranteeStarted()
			w := &witness{start: patience, complete: patience}
			first, second := b.twoWithOnce(w, onceJob(name, false), nil)
			if arrived {
				second.order(name)
				b.awaitAtBarrier(started, "0", "2")
				second.cut()
				b.await("its end", func() bool { return !b.exists(b.tree.Job(name).Instance(second.id)) })
				first.order(name)
			} else {
				first.order(name)
				b.awaitAtBarrier(started, "1")
				second.cut()
			}
			b.awaitHeard(w, "started", "completed")
			b.awaitNoBarrier(name)
			for n := range 3 {
				if runs := b.runs.of(name, n); len(runs) != 1 || runs[0].agent != first.id {
					b.Errorf("%s: runs of item %d: %+v", name, n, runs)
				}
			}
			b.bury(second, first)
		}
	})
}

// TestMS42OwnerDiesBeforeTheEnd: with failover the taker completes the dead
// owner's items, and the listener is told once; without it the wait ends with
// an error.
func TestMS42OwnerDiesBeforeTheEnd(t *testing.T) {
	both(t, func(b *bed) {
		b.session = dyingSession
		for _, failover := range []bool{true, false} {
			name := fmt.Sprintf("job-%v", failover)
			w := &witness{start: patience, complete: patience}
			if !failover {
				w.complete = dyingSession + 2*time.Second
			}
			first, second := b.twoWithOnce(w, onceJob(name, failover), make(gate).body)
			first.order(name)
			second.order(name)
			b.await("the items of who dies", func() bool { return b.runs.count(name, 0)+b.runs.count(name, 2) == 2 })
			b.awaitAtBarrier(b.tree.Job(name).GuaranteeCompleted(), "1")
			second.cut()
			if failover {
				b.awaitHeard(w, "started", "completed")
				for _, n := range []int{0, 2} {
					if runs := b.runs.of(name, n); len(runs) != 2 || runs[1].agent != first.id || runs[1].shard.Source != tracing.SourceFailover {
						b.Errorf("runs of item %d: %+v", n, runs)
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

// TestMS42TellerDies: who dies while it tells the listener is not repeated; the
// others report it and go on.
func TestMS42TellerDies(t *testing.T) {
	both(t, func(b *bed) {
		b.session = dyingSession
		buried := make(chan struct{})
		var second *member
		w := &witness{start: patience, complete: patience}
		w.hook = map[string]func(*coreagent.Run){"started": func(r *coreagent.Run) {
			if !strings.Contains(r.TaskID, second.id) {
				b.Errorf("told by %s, which did not come last", r.TaskID)
			}
			second.cut()
			<-buried
		}}
		first := b.agent(1, w.listens, lasting).serve(onceJob("job", false), nil).start()
		second = b.agent(2, w.listens).serve(onceJob("job", false), nil).start()
		b.awaitOwners("job", second.id, first.id, second.id)
		first.order("job")
		b.awaitAtBarrier(b.tree.Job("job").GuaranteeStarted(), "1")
		second.order("job")
		b.await("the report", func() bool {
			return b.log.count("listener once: started: instance "+second.id+" was lost while it notified the listener; nobody is notified again") == 1
		})
		close(buried)
		b.awaitHeard(w, "started", "completed")
		b.awaitNoBarrier("job")
		for n := range 3 {
			if runs := b.runs.of("job", n); len(runs) != 1 || runs[0].agent != first.id {
				b.Errorf("runs of item %d: %+v", n, runs)
			}
		}
	})
}

// TestStopAtABarrier: who waits to start leaves at once, and who stays takes the
// items and is told.
func TestStopAtABarrier(t *testing.T) {
	both(t, func(b *bed) {
		w := &witness{start: patience, complete: patience}
		first, second := b.twoWithOnce(w, onceJob("job", false), nil)
		second.order("job")
		b.awaitAtBarrier(b.tree.Job("job").GuaranteeStarted(), "0", "2")
		b.must(second.Stop(b.ctx()))
		if left := b.children(b.tree.Job("job").GuaranteeStarted()); len(left) > 0 {
			b.Errorf("left at the barrier: %q", left)
		}
		b.awaitOwners("job", first.id, first.id, first.id)
		first.order("job")
		b.awaitHeard(w, "started", "completed")
		if runs := b.runs.of("job", -1); len(runs) != 3 {
			b.Errorf("%d items ran", len(runs))
		}
	})
}

// TestV38CompletedIsToldOnce: the instance that has told that everything has
// completed loses the request that takes the barrier down. It waited at the
// barrier itself, and has told for the items that it took from a dead instance:
// it must not tell again.
func TestV38CompletedIsToldOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]zkfake.Fault{"request lost": zkfake.LoseRequest, "reply lost": zkfake.LoseReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *bed, srv *zkfake.Server) {
				tree := b.tree.Job("job")
				w := &witness{start: patience, complete: patience}
				first, second := b.twoWithOnce(w, onceJob("job", true), make(gate).body)
				first.order("job")
				second.order("job")
				b.await("the items of who dies", func() bool { return b.runs.count("job", 0)+b.runs.count("job", 2) == 2 })
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
				first.order("job")
				b.awaitHeard(w, "started", "completed", "started", "completed")
				b.awaitNoBarrier("job")
				b.bury(second, first)
			})
		})
	}
}

// TestV38ToldMarkOfAnEarlierRound: what a round of long ago has left at the
// barrier, with the mark that it was told, is no reason to tell the next one too
// early, nor not to tell it.
func TestV38ToldMarkOfAnEarlierRound(t *testing.T) {
	for teller := range 2 {
		t.Run("told by agent "+strconv.Itoa(teller+1), func(t *testing.T) {
			both(t, func(b *bed) {
				tree := b.tree.Job("job")
				w := &witness{start: patience, complete: patience}
				first, second := b.twoWithOnce(w, onceJob("job", false), nil)
				b.put(tree.GuaranteeCompleted(), []*member{first, second}[teller].id)
				for n := range 3 {
					b.put(tree.GuaranteeCompletedItem(n), "")
				}
				first.order("job")
				second.order("job")
				b.await("all items", func() bool { return b.runs.count("job", -1) == 3 })
				b.awaitHeard(w, "started", "completed")
				b.awaitNoBarrier("job")
			})
		})
	}
}
