package scheduler

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func (f *fixture) daemonJob(name string) {
	f.Helper()
	f.job(name, "0 * * * * ?", func(j *cloud.Job) { j.Type, j.Shards = cloud.TypeDaemon, 3 })
}

// processes compares the last request to the engine, and its processes.
func (f *fixture) processes(want int) {
	f.Helper()
	f.passes(time.Second)
	if d, asked := f.engine.DaemonOf("feed"); !asked || d.Count != want {
		f.Errorf("the daemon is %+v, want %d processes", d, want)
	}
	works := false
	for _, r := range f.engine.Runs() {
		works = works || r.Name == cloud.DaemonRunName("feed") && !r.State.Ended()
	}
	if works != (want > 0) {
		f.Errorf("the run works: %v, want %d processes: %+v", works, want, f.engine.Runs())
	}
}

// TestDaemons: the engine matches the job. The processes of a disabled or deleted job stop.
func TestDaemons(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.daemonJob("feed")
		f.begin()
		f.processes(3)
		f.change("feed", func(d *cloud.Definition) { d.SetDisabled(true, cloud.EndKill, time.Now()) })
		f.processes(0)
		if s := f.status("feed"); !s.LastRun.Ended.IsZero() {
			t.Errorf("its end is a run's end: %+v", s.LastRun)
		}
		f.change("feed", func(d *cloud.Definition) { d.SetDisabled(false, "", time.Now()) })
		f.processes(3)
		f.change("feed", func(d *cloud.Definition) { d.Job.Shards = 4 })
		f.processes(4)
		if calls := f.engine.Calls("daemon"); calls != 4 {
			t.Errorf("%d calls", calls)
		}
		if err := f.store.Delete(t.Context(), cloud.KindJob, "feed", cloud.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		f.processes(0)
		f.passes(cloud.HistoryAtLeast + 2*time.Minute)
		if runs := f.engine.Runs(); len(runs) != 0 {
			t.Errorf("left are %+v", runs)
		}
	})
}

// TestDaemonIsNoRunOfThePlan: it has one run for days. Its processes have status rows and no
// executions, and no fire time is counted.
func TestDaemonIsNoRunOfThePlan(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		f.daemonJob("feed")
		f.begin()
		f.processes(3)
		f.engine.Finish(cloud.DaemonRunName("feed"), 1, tracing.StateFailed, "exit code 7")
		f.passes(time.Minute)
		f.passes(24 * time.Hour)
		f.processes(3)
		if created := f.engine.Created(); len(created) != 1 {
			t.Errorf("runs %v", created)
		}
		if states := f.rows.states(); states[tracing.StateRunning] != 4 || states[tracing.StateFailed] != 1 || len(f.rows.executions) != 0 {
			t.Errorf("rows %v and executions %v", states, f.rows.executions)
		}
		status := f.status("feed")
		if len(status.Pending) != 0 || status.Missed+status.Merged != 0 || !status.LastFire.IsZero() {
			t.Errorf("the status is %+v", status)
		}
		if c, _ := status.Condition(cloud.ConditionHealthy); !c.OK || c.Reason != cloud.ReasonProcesses {
			t.Errorf("%+v", status.Conditions)
		}
		if c, _ := status.Condition(cloud.ConditionFires); !c.OK {
			t.Errorf("%+v", status.Conditions)
		}
	})
}

// TestDaemonThatIsNoneAnyMore: a leader that missed the job's change or deletion should still stop
// the processes, and the job should fire.
func TestDaemonThatIsNoneAnyMore(t *testing.T) {
	for name, away := range map[string]func(f *fixture){
		"transient": func(f *fixture) {
			f.change("feed", func(d *cloud.Definition) { d.Job.Type = cloud.TypeTransient })
		},
		"deleted": func(f *fixture) {
			if err := f.store.Delete(f.Context(), cloud.KindJob, "feed", cloud.DeleteOptions{}); err != nil {
				f.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, time.Second, func(f *fixture) {
				f.daemonJob("feed")
				kill := f.begin()
				f.processes(3)
				kill()
				away(f)
				f.begin()
				f.passes(10 * time.Second)
				f.processes(0)
				f.passes(2 * time.Minute)
				if fired := len(f.fired("feed")); (fired > 0) != (name == "transient") {
					t.Errorf("%d runs: %v", fired, f.engine.Created())
				}
				f.passes(cloud.HistoryAtLeast + 2*time.Minute)
				for _, r := range f.engine.Runs() {
					if r.Origin == cloud.OriginDaemon {
						t.Errorf("left is %+v", r)
					}
				}
			})
		})
	}
}

// TestDaemonMadeAgain: a recreated job has its own processes.
func TestDaemonMadeAgain(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.daemonJob("feed")
		f.begin()
		f.processes(3)
		before := f.engine.Runs()[0].Owner
		if err := f.store.Delete(t.Context(), cloud.KindJob, "feed", cloud.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		f.daemonJob("feed")
		f.passes(time.Minute)
		f.processes(3)
		if runs := f.engine.Runs(); len(runs) != 1 || runs[0].Owner == before {
			t.Errorf("runs %+v, the owner before was %s", runs, before)
		}
	})
}

// TestDaemonThatVanishes: removed processes should be started again, and a failed call repeated.
func TestDaemonThatVanishes(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.daemonJob("feed")
		fails := 2
		f.engine.Faults(func(verb, _ string) (fault cloudfake.Fault) {
			if verb == "daemon" && fails > 0 {
				fails--
				fault.Err = &cloud.RetryAfterError{After: time.Second, Err: fmt.Errorf("earlier processes end")}
			}
			return fault
		})
		f.begin()
		f.passes(5 * time.Second)
		f.processes(3)
		f.engine.Vanish(cloud.DaemonRunName("feed"))
		f.passes(2 * repeatAfter)
		f.processes(3)
		// The engine's message about the run is the health of the job.
		f.engine.Faults(nil)
		f.engine.SetRun(cloud.DaemonRunName("feed"), func(r *cloud.RunStatus) { r.Message = "shard 1: exit code 7" })
		f.passes(10 * time.Second)
		status := f.status("feed")
		if c, _ := status.Condition(cloud.ConditionHealthy); c.OK || c.Message != "shard 1: exit code 7" {
			t.Errorf("%+v", status.Conditions)
		}
	})
}

// TestDaemonRefused: the engine's refusal is in the status.
func TestDaemonRefused(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.daemonJob("feed")
		f.engine.Faults(func(verb, _ string) (fault cloudfake.Fault) {
			if verb == "daemon" {
				fault.Err = fmt.Errorf("no such program: %w", cloud.ErrRefused)
			}
			return fault
		})
		f.begin()
		f.passes(10 * time.Second)
		status := f.status("feed")
		if c, _ := status.Condition(cloud.ConditionFires); c.OK || c.Reason != cloud.ReasonRefused || c.Message != "no such program: refused" {
			t.Errorf("%+v", status.Conditions)
		}
		if calls := f.engine.Calls("daemon"); calls != 1 {
			t.Errorf("%d calls", calls)
		}
		f.engine.Faults(nil)
		f.change("feed", func(d *cloud.Definition) { d.Job.Parameter = "right" })
		f.passes(10 * time.Second)
		f.processes(3)
		if c, _ := f.status("feed").Condition(cloud.ConditionFires); !c.OK {
			t.Errorf("%+v", c)
		}
	})
}
