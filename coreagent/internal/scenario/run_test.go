package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestK30K31K32RunningMarkers: running markers should be persistent with failover, ephemeral
// without it, and absent without monitorExecution. They should be removed after the run.
func TestK30K31K32RunningMarkers(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		open := make(gate)
		m := b.agent(1)
		for name, job := range map[string]coreagent.Job{
			"persistent": {Failover: true}, "ephemeral": {}, "none": {Unmonitored: true},
		} {
			job.Name, job.Shards = name, 2
			m.serve(job, open.handle)
		}
		m.start()
		for _, name := range []string{"persistent", "ephemeral", "none"} {
			tree := b.tree.Job(name)
			b.awaitOwners(name, m.id, m.id)
			m.triggerHere(name)
			b.await("both run", func() bool { return b.runs.count(name, -1) == 2 })
			for n := range 2 {
				data, exists := b.get(tree.ItemRunning(n))
				if exists != (name != "none") || exists && data != m.id {
					b.Errorf("%s: running of shard %d exists %v with %q", name, n, exists, data)
				}
				if owner := b.stat(tree.ItemRunning(n)).EphemeralOwner; (owner != 0) != (name == "ephemeral") {
					b.Errorf("%s: running of shard %d is owned by %d", name, n, owner)
				}
			}
		}
		close(open)
		for _, name := range []string{"persistent", "ephemeral", "none"} {
			b.awaitTidy(name)
		}
	})
}

// TestK40K41Trigger: a trigger should be taken at once and run the job once. A trigger during a run
// should be dropped.
func TestK40K41Trigger(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, open.handle).start()
		b.awaitOwners("job", m.id)
		asked := time.Now().Truncate(time.Millisecond)
		m.triggerHere("job")
		b.await("the job runs", func() bool { return b.runs.count("job", 0) == 1 })
		if b.exists(tree.Trigger(m.id)) {
			b.Error("the trigger is still there")
		}
		m.triggerHere("job")
		b.await("the second trigger is dropped", func() bool { return b.log.count("trigger dropped: the job is running") == 1 })
		if b.exists(tree.Trigger(m.id)) {
			b.Error("the second trigger is still there")
		}
		close(open)
		b.await("the run ends", func() bool { return !b.nthRun("job", 0, 0).end.IsZero() })
		b.while(time.Second, "no second run", func() bool { return b.runs.count("job", 0) == 1 })
		r := b.nthRun("job", 0, 0).shard
		if r.Source != tracing.SourceNormal || r.Total != 1 || r.ScheduledAt.Before(asked) || r.ScheduledAt.After(time.Now()) {
			b.Errorf("shard %+v", r)
		}
	})
}

// TestK42OneOffOverTwoAgents: each instance should run its shards once, and the parent node of the
// triggers should stay, empty.
func TestK42OneOffOverTwoAgents(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		job := coreagent.Job{Name: "job", Shards: 3, ShardParameters: "0=a,1=b,2=c", Parameter: "p", Props: map[string]string{"k": "v"}}
		one := b.agent(1).serve(job, nil).start()
		two := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", two.id, one.id, two.id)
		for round := 1; round <= 3; round++ {
			b.wire.forget()
			b.must(one.Trigger(b.ctx(), "job"))
			b.wantOrder("job", "+ trigger, + trigger/"+one.id+", + trigger/"+two.id)
			b.await("all ran", func() bool { return b.runs.count("job", -1) == 3*round })
			b.await("the triggers are taken, and the runs have ended", func() bool {
				return len(b.children(b.tree.Job("job").Triggers())) == 0 && len(one.trace.states("job")) == 3*round && len(two.trace.states("job")) == 3*round
			})
		}
		if data, exists := b.get(b.tree.Job("job").Triggers()); !exists || data != "" {
			b.Errorf("the trigger node exists %v with %q", exists, data)
		}
		for shard, want := range []string{"a", "b", "c"} {
			for _, r := range b.runs.of("job", shard) {
				s := r.shard
				owner := []string{two.id, one.id, two.id}[shard]
				task := jobtree.TaskID("job", map[string][]int{two.id: {0, 2}, one.id: {1}}[owner], owner, "")
				if s.Parameter != want || s.JobParameter != "p" || s.Total != 3 || s.Props["k"] != "v" || r.agent != owner || !strings.HasPrefix(s.TaskID, task) {
					b.Errorf("shard %d ran on %s as %+v", shard, r.agent, s)
				}
			}
		}
		b.awaitTidy("job")
	})
}

// TestTaskIDs: all rows of an instance's run should have the same task id, and each run its own.
func TestTaskIDs(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		ids := map[string]bool{}
		for round := 1; round <= 3; round++ {
			b.must(m.Trigger(b.ctx(), "job"))
			b.await("the run", func() bool { return len(m.trace.states("job")) == 3*round })
			executions := m.trace.executed("job")
			last := executions[len(executions)-1]
			ids[last.TaskID] = true
			for _, e := range executions[len(executions)-4:] {
				if e.TaskID != last.TaskID || e.Attempt != 1 {
					b.Errorf("round %d: execution %+v, another has task %s", round, e, last.TaskID)
				}
			}
			m.trace.mu.Lock()
			for _, s := range m.trace.statuses[3*(round-1):] {
				if s.TaskID != last.TaskID {
					b.Errorf("round %d: status %+v, the executions have task %s", round, s, last.TaskID)
				}
			}
			m.trace.mu.Unlock()
			parts, err := jobtree.ParseTaskID(last.TaskID)
			if err != nil || parts.InstanceID() != m.id || len(parts.Items) != 2 {
				b.Errorf("task %s: %+v, %v", last.TaskID, parts, err)
			}
		}
		if len(ids) != 3 {
			b.Errorf("three runs have the tasks %v", ids)
		}
	})
}

// TestK62TraceEvents checks the recorded events and their order.
func TestK62TraceEvents(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		boom := errors.New("boom")
		m := b.agent(1).
			serve(coreagent.Job{Name: "fine", Shards: 2}, nil).
			serve(coreagent.Job{Name: "bad", Shards: 3}, func(_ context.Context, s *coreagent.Shard) error {
				if s.Item == 1 {
					return boom
				}
				return nil
			}).start()
		b.awaitOwners("fine", m.id, m.id)
		b.awaitOwners("bad", m.id, m.id, m.id)
		for job, last := range map[string]string{"fine": "TASK_FINISHED ", "bad": "TASK_ERROR {1=boom}"} {
			b.must(m.Trigger(b.ctx(), job))
			b.await("three states of "+job, func() bool { return len(m.trace.states(job)) == 3 })
			want := []string{fmt.Sprintf("TASK_STAGING Job '%s' execute begin.", job), "TASK_RUNNING ", last}
			if diff := cmp.Diff(want, m.trace.states(job)); diff != "" {
				b.Errorf("%s: states (-want +got)\n%s", job, diff)
			}
		}
		for _, s := range m.trace.statuses {
			if s.ID == "" || s.SlaveID != "10.0.0.1" || s.Source != tracing.StatusSourceLite || s.ExecutionType != tracing.ExecutionTypeReady || s.CreationTime.IsZero() {
				b.Errorf("status %+v", s)
			}
		}
		byShard := make(map[int][]tracing.Execution)
		for _, e := range m.trace.executed("bad") {
			byShard[e.Item] = append(byShard[e.Item], e)
		}
		for shard := range 3 {
			events := byShard[shard]
			if len(events) != 2 {
				b.Fatalf("shard %d has %d execution events", shard, len(events))
			}
			start, end := events[0], events[1]
			if start.ID == "" || start.ID != end.ID || !start.StartTime.Equal(end.StartTime) || start.TaskID != end.TaskID {
				b.Errorf("start %+v, end %+v", start, end)
			}
			if !start.Running() || start.Success || end.Running() || end.Success != (shard != 1) || end.CompleteTime.Before(end.StartTime) {
				b.Errorf("start %+v, end %+v", start, end)
			}
			if end.IP != "10.0.0.1" || end.Hostname == "" || end.Source != tracing.SourceNormal || len(strings.Split(end.TaskID, "@-@")) != 5 {
				b.Errorf("end %+v", end)
			}
			if failed := strings.Contains(end.FailureCause, "boom"); failed != (shard == 1) {
				b.Errorf("shard %d: cause %q", shard, end.FailureCause)
			}
		}
	})
}

// TestPanicIsTraced: a panic should be recorded with its stack, and only fail the run.
func TestPanicIsTraced(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2}, func(_ context.Context, s *coreagent.Shard) error {
			if s.Item == 0 {
				explode()
			}
			return nil
		}).start()
		b.awaitOwners("job", m.id, m.id)
		for round := 1; round <= 2; round++ {
			b.must(m.Trigger(b.ctx(), "job"))
			b.await("both ran", func() bool { return len(m.trace.states("job")) == 3*round })
		}
		states := m.trace.states("job")
		for _, want := range []string{"TASK_ERROR {0=", "panic: the roof is on fire", "explode"} {
			if !strings.Contains(states[2], want) {
				b.Errorf("state %q lacks %q", states[2], want)
			}
		}
		for _, e := range m.trace.executed("job") {
			if e.Item == 0 && !e.Running() && (!strings.Contains(e.FailureCause, "explode") || e.Success) {
				b.Errorf("execution %+v", e)
			}
		}
		b.awaitTidy("job")
	})
}

func explode() { panic("the roof is on fire") }

// TestTimeout: a timeout should end the run's context with its own cause.
func TestTimeout(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Timeout: 100 * time.Millisecond}, make(gate).handle).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("the run ends", func() bool { return len(m.trace.states("job")) == 3 })
		r := b.nthRun("job", 0, 0)
		if took := r.end.Sub(r.start); !errors.Is(r.cause, coreagent.ErrTimeout) || b.virtual() && took != 100*time.Millisecond {
			b.Errorf("ended after %v with %v", took, r.cause)
		}
		if state := m.trace.states("job")[2]; !strings.HasPrefix(state, "TASK_ERROR") {
			b.Errorf("state %q", state)
		}
		b.awaitTidy("job")
	})
}

// TestK51MisfireIsMadeUpOnce: if several fire times pass during one run, there should be exactly
// one make-up run, right after it.
func TestK51MisfireIsMadeUpOnce(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		const period = 3 * time.Second
		open := make(gate)
		b.agent(1).
			serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/3 * * * * ?"}, Shards: 2}, open.handle).
			serve(coreagent.Job{Name: "off", Schedule: coreagent.Schedule{Cron: "0/3 * * * * ?", SkipMisfires: true}, Shards: 1}, open.handle).start()
		tree := b.tree.Job("job")
		b.await("misfire markers", func() bool {
			return b.exists(tree.ItemMisfire(0)) && b.exists(tree.ItemMisfire(1)) && b.runs.count("off", 0) == 1
		})
		began := b.nthRun("job", 0, 0).shard.ScheduledAt
		b.await("two fire times have passed", func() bool { return time.Now().After(began.Add(2*period + 200*time.Millisecond)) })
		if b.exists(b.tree.Job("off").ItemMisfire(0)) {
			b.Error("a job without misfire has a marker")
		}
		close(open)
		b.await("the next regular run", func() bool {
			return b.runs.count("job", 0) >= 3 && b.runs.count("job", 1) >= 3 && b.runs.count("off", 0) >= 2
		})
		b.awaitTidy("job")
		for shard := range 2 {
			var got []string
			var at []time.Duration
			runs := b.runs.of("job", shard)[:3]
			for i, r := range runs {
				got, at = append(got, string(r.shard.Source)), append(at, r.shard.ScheduledAt.Sub(began))
				if i > 0 && r.start.Before(runs[i-1].end) {
					b.Errorf("shard %d overlaps itself", shard)
				}
			}
			if diff := cmp.Diff([]string{"NORMAL_TRIGGER", "MISFIRE", "NORMAL_TRIGGER"}, got); diff != "" {
				b.Errorf("shard %d: runs (-want +got)\n%s", shard, diff)
			}
			if b.virtual() && !slices.Equal(at, []time.Duration{0, 2 * period, 3 * period}) {
				b.Errorf("shard %d ran for the fire times %v", shard, at)
			}
		}
		for _, r := range b.runs.of("off", 0) {
			if r.shard.Source != tracing.SourceNormal {
				b.Errorf("a job without misfire ran from %s", r.shard.Source)
			}
		}
	})
}

// awaitConfigSeen waits until an agent has read the current configuration of each job, so its next
// trigger uses it.
func (b *fixture) awaitConfigSeen(m *member, jobs ...string) {
	b.Helper()
	for _, job := range jobs {
		m.triggerHere(job)
		b.await("the trigger is taken, and what was changed before it is known", func() bool { return !b.exists(b.tree.Job(job).Trigger(m.id)) })
	}
}

// TestBrokenConfigStopsOnlyThatJob: the job should fire again when its configuration is fixed.
func TestBrokenConfigStopsOnlyThatJob(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).
			serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).
			serve(coreagent.Job{Name: "other", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).start()
		onBothServers := func(what string) {
			b.Helper()
			n, k := b.runs.count("job", 0), b.runs.count("other", 0)
			b.await(what, func() bool { return b.runs.count("job", 0) > n && b.runs.count("other", 0) > k })
		}
		onBothServers("both run")
		path := b.tree.Job("job").Config()
		sane, _ := b.get(path)
		for _, broken := range []string{
			"cron: [unclosed", "jobName: job\nshardingTotalCount: 0\n", strings.Replace(sane, "'* * * * * ?'", "'* * * *'", 1),
			strings.Replace(sane, "jobName: job", "jobName: ''", 1),
		} {
			if broken == sane {
				b.Fatal("the configuration was not broken")
			}
			failures := b.log.count("invalid job configuration")
			b.put(path, broken)
			b.await("the job is reported", func() bool { return b.log.count("invalid job configuration") > failures })
			n, k := b.runs.count("job", 0), b.runs.count("other", 0)
			b.await("the other job runs on", func() bool { return b.runs.count("other", 0) >= k+2 })
			if now := b.runs.count("job", 0); now > n+1 { // One run may have been under way.
				b.Errorf("the broken job ran %d times", now-n)
			}
			b.put(path, sane)
			onBothServers("both run again")
		}
		b.must(m.Stop(b.ctx()))
	})
}

// TestBrokenConfigAtStart: an invalid configuration shouldn't fail the agent's start.
func TestBrokenConfigAtStart(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.put(b.tree.Job("job").Config(), "]")
		b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}, nil).
			serve(coreagent.Job{Name: "other", Shards: 1, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}}, nil).start()
		b.await("the other job runs", func() bool { return b.runs.count("other", 0) > 0 })
		sane := jobconfig.New("job", 1)
		sane.Cron = "* * * * * ?"
		b.store(sane, "job")
		b.await("the fixed job runs", func() bool { return b.runs.count("job", 0) > 0 })
	})
}

// TestK46CronChange: the next fire time should follow the new expression. Writing the same text
// again should change nothing.
func TestK46CronChange(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		const never = "0 0 0 1 1 ? 2099"
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: never}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		// In virtual time this never begins at a full second, because of the 50 ms.
		b.while(1250*time.Millisecond, "nothing fires", func() bool { return b.runs.count("job", 0) == 0 })
		b.configure("job", func(c *jobconfig.Config) { c.Cron = "* * * * * ?" })
		b.await("three fires", func() bool { return b.runs.count("job", 0) >= 3 })
		text, _ := b.get(b.tree.Job("job").Config())
		b.put(b.tree.Job("job").Config(), text)
		n := b.runs.count("job", 0)
		b.await("two fires more", func() bool { return b.runs.count("job", 0) >= n+2 })
		for _, r := range b.runs.of("job", 0) {
			if r.shard.ScheduledAt.Nanosecond() != 0 {
				b.Errorf("fire time %v is no full second", r.shard.ScheduledAt)
			}
		}
		times := b.runs.of("job", 0)
		if slices.ContainsFunc(times[1:], func(r run) bool { return r.shard.ScheduledAt.Equal(times[0].shard.ScheduledAt) }) {
			b.Error("a fire time ran twice")
		}
		// Without a cron expression, only triggers run it.
		b.configure("job", func(c *jobconfig.Config) { c.Cron = "" })
		b.awaitConfigSeen(m, "job")
		b.await("the trigger ran", func() bool {
			return slices.ContainsFunc(b.runs.of("job", 0), func(r run) bool { return r.shard.ScheduledAt.Nanosecond() != 0 })
		})
		n = b.runs.count("job", 0)
		b.while(1200*time.Millisecond, "nothing fires", func() bool { return b.runs.count("job", 0) == n })
	})
}

// TestK46ZoneChange: changing only the time zone should move the fire times.
func TestK46ZoneChange(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		hour := time.Now().UTC().Hour()
		cron := fmt.Sprintf("* * %d,%d * * ?", hour, (hour+1)%24)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: cron, Zone: "GMT+05:00"}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		b.while(1200*time.Millisecond, "nothing fires at this hour of that zone", func() bool { return b.runs.count("job", 0) == 0 })
		b.configure("job", func(c *jobconfig.Config) { c.TimeZone = "GMT" })
		b.await("it fires", func() bool { return b.runs.count("job", 0) >= 2 })
	})
}

// TestK50ClockCheck: a difference of the clocks should go to the error handler. The shards should
// still run, unless the handler is THROW. This test allows no difference at all, so sooner or later
// there is one.
func TestK50ClockCheck(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		var mu sync.Mutex
		var reported []error
		mine := coreagent.ErrorHandler{Name: "MINE", Handle: func(_ context.Context, f coreagent.Failure) error {
			mu.Lock()
			defer mu.Unlock()
			reported = append(reported, f.Err)
			return nil
		}}
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.ErrorHandlers = []coreagent.ErrorHandler{mine} })
		for _, kind := range []string{"LOG", "THROW", "MINE"} {
			m.serve(coreagent.Job{Name: kind, Shards: 1, ErrorHandler: coreagent.ErrorHandler{Name: kind}}, nil)
		}
		m.start()
		const text = "Time different between job server and register center exceed '0' seconds, max time different is '0' seconds."
		for _, kind := range []string{"LOG", "THROW", "MINE"} {
			b.awaitOwners(kind, m.id)
			b.configure(kind, func(c *jobconfig.Config) { c.MaxTimeDiffSeconds = 0 })
			before := b.log.count(text)
			m.triggerHere(kind)
			if kind == "THROW" {
				b.await("the run is stopped", func() bool { return b.log.count(text) > before })
				b.while(500*time.Millisecond, "no shard runs", func() bool { return b.runs.count(kind, -1) == 0 })
			} else {
				b.await("a run", func() bool { return b.runs.count(kind, 0) == 1 })
			}
			if kind == "LOG" && b.log.count(text) == before {
				b.Error("the log does not say it")
			}
			path := b.tree.Job(kind).SystemTime()
			if data, exists := b.get(path); !exists || data != "" || b.stat(path).EphemeralOwner != 0 {
				b.Errorf("%s exists %v with %q", path, exists, data)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if len(reported) != 1 || !strings.Contains(reported[0].Error(), text) {
			b.Errorf("the handler was given %v", reported)
		}
	})
}
