package scenario_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestHandlersAreContained: if the handler of one shard panics, exits or times out, the other shards should
// run, the failure should have a clear name, and the job should run again.
func TestHandlersAreContained(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 4, Timeout: 200 * time.Millisecond}, func(ctx context.Context, s *coreagent.Shard) error {
			switch s.Item {
			case 0:
				panic("out of paper")
			case 1:
				runtime.Goexit()
			case 2:
				<-ctx.Done()
				return context.Cause(ctx)
			}
			return nil
		}).start()
		b.awaitOwners("job", m.id, m.id, m.id, m.id)
		for round := 1; round <= 2; round++ {
			m.triggerHere("job")
			b.await("the end of the run", func() bool { return len(m.trace.states("job")) == 3*round })
			b.awaitTidy("job")
			last := m.trace.states("job")[3*round-1]
			for _, want := range []string{"TASK_ERROR", "0=panic: out of paper", "1=the call ended its goroutine", "2=" + coreagent.ErrTimeout.Error()} {
				if !strings.Contains(last, want) {
					b.Errorf("no %q in %q", want, last)
				}
			}
			if strings.Contains(last, "3=") {
				b.Errorf("shard 3 failed: %q", last)
			}
			for _, e := range m.trace.executed("job") {
				if e.CompleteTime.IsZero() != (e.FailureCause == "" && !e.Success) {
					b.Errorf("event %+v", e)
				}
			}
		}
	})
}

// TestHandlerThatEndsTheGoroutineOfItsJob: the handler of a run that waits for its fire time has no
// goroutine of its own. If it ends the goroutine, the failure should have a clear name and nothing
// should be left behind. Pending work and the next fire time should run.
func TestHandlerThatEndsTheGoroutineOfItsJob(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var calls atomic.Int32
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 1}, func(context.Context, *coreagent.Shard) error {
			if calls.Add(1) == 2 {
				b.put(b.tree.Job("job").ItemMisfire(0), "") // Checked during the run, and again after it.
				time.Sleep(time.Second)
				runtime.Goexit()
			}
			return nil
		}).start()
		b.await("the second call", func() bool { return calls.Load() == 2 })
		time.Sleep(2 * time.Second)
		b.awaitTidy("job")
		if states := m.trace.states("job"); len(states) < 6 || !strings.Contains(states[5], "TASK_ERROR") || !strings.Contains(states[5], "0=the call ended its goroutine") {
			t.Errorf("states: %q", states)
		}
		if b.exists(b.tree.Job("job").ItemMisfire(0)) {
			t.Error("the marker of the run is still there")
		}
		b.await("the next fire time", func() bool { return calls.Load() == 3 })
	})
}

// TestMS44DeafHandlerIsNamed: if a handler ignores its context, a report should name the job, the
// shard and since when, while it's still running. Stop should return at its deadline and name it,
// too.
func TestMS44DeafHandlerIsNamed(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		release := make(chan struct{})
		b.Cleanup(func() { close(release) })
		m := b.agent(1).serve(coreagent.Job{Name: "deaf", Shards: 2, Timeout: 50 * time.Millisecond}, func(_ context.Context, s *coreagent.Shard) error {
			if s.Item == 1 {
				<-release
			}
			return nil
		}).serve(coreagent.Job{Name: "fine", Shards: 1}, nil).start()
		b.awaitOwners("deaf", m.id, m.id)
		b.awaitOwners("fine", m.id)
		m.triggerHere("deaf")
		b.await("the report", func() bool {
			for _, line := range strings.Split(b.log.String(), "\n") {
				if strings.Contains(line, "a call ignores its context") && strings.Contains(line, "job=deaf") &&
					strings.Contains(line, "handler of shard 1") && strings.Contains(line, "since=") {
					return true
				}
			}
			return false
		})
		m.triggerHere("fine")
		b.await("the other job", func() bool { return b.runs.count("fine", 0) == 1 })
		ctx, cancel := context.WithTimeout(b.Context(), 50*time.Millisecond)
		defer cancel()
		err := m.Stop(ctx)
		if err == nil || !strings.Contains(err.Error(), "job deaf: still running") || !strings.Contains(err.Error(), "handler of shard 1 since ") || strings.Contains(err.Error(), "shard 0") {
			b.Errorf("stop: %v", err)
		}
	})
}

// TestMS44BlockedHandlerIsNoticed: if a handler without a timeout never returns, each passing fire
// time should report the shard and since when it's running.
func TestMS44BlockedHandlerIsNoticed(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "stuck", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Item == 1 {
				<-ctx.Done()
			}
			return nil
		}).start()
		b.awaitOwners("stuck", m.id, m.id)
		b.await("the warning", func() bool {
			for _, line := range strings.Split(b.log.String(), "\n") {
				if strings.Contains(line, "a fire time passed during the previous run") && strings.Contains(line, "job=stuck") && strings.Contains(line, `running="handler of shard 1 since `) {
					return true
				}
			}
			return false
		})
		ctx, cancel := context.WithTimeout(b.Context(), 50*time.Millisecond)
		defer cancel()
		b.must(m.Stop(ctx)) // It obeys its context.
	})
}

// TestExecutorFollowsTheConfiguration: the next run should use the pool from the stored
// configuration.
func TestExecutorFollowsTheConfiguration(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		var meetings atomic.Int32
		var limit time.Duration // How long two shards wait for each other.
		pair := make(chan struct{})
		together := func(context.Context, *coreagent.Shard) error {
			select {
			case pair <- struct{}{}:
				meetings.Add(1)
			case <-pair:
			case <-time.After(limit):
			}
			return nil
		}
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2, Executor: coreagent.SingleThread}, together).start()
		b.awaitOwners("job", m.id, m.id)
		meet := func(patient time.Duration) bool {
			b.Helper()
			limit = patient
			met, before := meetings.Load(), len(m.trace.states("job"))
			m.triggerHere("job")
			b.await("a run", func() bool { return len(m.trace.states("job")) == before+3 })
			return meetings.Load() > met
		}
		if meet(300 * time.Millisecond) {
			b.Error("SINGLE_THREAD: two shards run side by side")
		}
		b.configure("job", func(c *jobconfig.Config) { c.ExecutorType = "CPU" })
		if !meet(patience / 4) {
			b.Error("CPU: one shard runs after the other")
		}
		b.configure("job", func(c *jobconfig.Config) { c.ExecutorType = "GPU" })
		m.triggerHere("job")
		b.await("the refusal", func() bool { return b.log.count("Cannot find executor service handler using type 'GPU'.") == 1 })
		b.configure("job", func(c *jobconfig.Config) { c.ExecutorType = "SINGLE_THREAD" })
		if meet(300 * time.Millisecond) {
			b.Error("SINGLE_THREAD again: two shards run side by side")
		}
	})
}

// TestW17Executors: each job should have its executor's places for itself, even if two jobs name
// the same executor. If the process doesn't know the name, runs should fail with a list of the
// known names.
func TestW17Executors(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var mu sync.Mutex
		under, most := make(map[string]int), make(map[string]int)
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.Executors = []coreagent.Executor{{Name: "three", Parallel: 3}} })
		count := func(_ context.Context, s *coreagent.Shard) error {
			change := func(n int) {
				mu.Lock()
				defer mu.Unlock()
				for _, name := range []string{s.Job, "both"} {
					under[name] += n
					most[name] = max(most[name], under[name])
				}
			}
			change(1)
			defer change(-1)
			time.Sleep(time.Second)
			return nil
		}
		for _, job := range []string{"first", "second"} {
			m.serve(coreagent.Job{Name: job, Shards: 8, Executor: coreagent.Executor{Name: "three"}}, count)
		}
		m.start()
		m.triggerHere("first")
		m.triggerHere("second")
		b.await("both runs", func() bool { return len(m.trace.states("first")) == 3 && len(m.trace.states("second")) == 3 })
		mu.Lock()
		if most["first"] != 3 || most["second"] != 3 || most["both"] != 6 {
			t.Errorf("shards at once: %v, want 3 of each job", most)
		}
		mu.Unlock()
		b.configure("first", func(c *jobconfig.Config) { c.ExecutorType = "four" })
		m.triggerHere("first")
		b.await("the refusal", func() bool {
			return b.log.count("using type 'four'. Allowed types: CPU, SINGLE_THREAD, three (empty means CPU).") == 1
		})
	})
}

// TestUserStrategy: the leader should call the user's strategy and check its result. If the result
// becomes valid, the leader should notice that without help, even while fire times fail.
func TestUserStrategy(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		var wrong atomic.Bool
		last := func(instances []string, _ string, total int) map[string][]int {
			if wrong.Load() {
				return map[string][]int{instances[0]: {0, 0}}
			}
			shards := make([]int, total)
			for n := range shards {
				shards[n] = n
			}
			return map[string][]int{instances[len(instances)-1]: shards}
		}
		own := func(cfg *coreagent.Config) { cfg.Strategies = []coreagent.Strategy{{Name: "LAST", Assign: last}} }
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 3, Strategy: coreagent.Strategy{Name: "LAST"}}
		second := b.agent(2, own).serve(job, nil).start()
		b.awaitOwners("job", second.id, second.id, second.id)
		first := b.agent(1, own).serve(job, nil).start()
		b.awaitOwners("job", first.id, first.id, first.id)
		wrong.Store(true)
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 2 })
		b.await("the refusal", func() bool {
			return b.log.count("sharding strategy LAST: shard 0 was assigned to both 10.0.0.2@-@2 and 10.0.0.2@-@2") > 0
		})
		b.await("runs that fail", func() bool { return b.log.count(`msg="run failed"`) >= 2 })
		wrong.Store(false)
		b.awaitOwners("job", first.id, first.id)
	})
}

// TestRemoveWhileServing: one job should drain and leave the tree without affecting the others, and
// its name can be used again.
func TestRemoveWhileServing(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		g := make(gate)
		job := coreagent.Job{Name: "job", Shards: 2}
		first := b.agent(1).serve(job, nil).start()
		second := b.agent(2).serve(job, g.handle).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("job", second.id, first.id)
		second.triggerHere("job")
		b.await("the run", func() bool { return b.runs.count("job", 0) == 1 })
		removed := make(chan error, 1)
		go func() { removed <- second.Remove(b.ctx(), "job") }()
		b.await("the goodbye", func() bool { return !b.exists(b.tree.Job("job").Instance(second.id)) })
		if err := second.Add(job, b.runs.handler(second.id, nil)); err == nil {
			b.Error("the name is free before the job has drained")
		}
		close(g)
		b.must(<-removed)
		b.awaitOwners("job", first.id, first.id)
		if r := b.runs.of("job", 0); r[0].cause != nil || r[0].end.IsZero() {
			b.Errorf("the run was cut off: %+v", r[0])
		}
		second.triggerHere("other")
		b.await("the other job", func() bool { return b.runs.count("other", 0) == 1 })
		b.must(second.Add(job, b.runs.handler(second.id, nil)))
		b.awaitOwners("job", second.id, first.id)
	})
}

// TestTypedJob: a job with a type needs no handler, and its class should be the type.
func TestTypedJob(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1, func(cfg *coreagent.Config) {
			cfg.Types = map[string]coreagent.Handler{"EXPORT": b.runs.handler("", nil)}
		})
		b.must(m.Add(coreagent.Job{Name: "job", Shards: 1, Type: "EXPORT", Props: map[string]string{"format": "csv"}}, nil))
		m.start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("a run", func() bool { return b.runs.count("job", 0) == 1 })
		if r := b.nthRun("job", 0, 0); r.shard.Props["format"] != "csv" {
			b.Errorf("props %v", r.shard.Props)
		}
		if class, _ := b.get(b.tree.Job("job").Root()); class != "EXPORT" {
			b.Errorf("class %q", class)
		}
	})
}
