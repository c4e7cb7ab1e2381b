package scheduler

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCL13SilentWatch: changes that a silent watch missed should be found when it restarts.
func TestCL13SilentWatch(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		f.job("settlement", "0 * * * * ?")
		f.begin()
		f.passes(50 * time.Second)
		f.engine.FreezeWatches(true)
		f.store.FreezeWatches(true)
		f.passes(12 * time.Minute)
		f.job("new", "0 * * * * ?")
		stuck := len(f.fired("settlement"))
		if stuck > 2 {
			t.Fatalf("fired %d times although the end of the first run was not reported", stuck)
		}
		f.engine.FreezeWatches(false)
		f.store.FreezeWatches(false)
		f.passes(61 * time.Second)
		if len(f.fired("settlement")) <= stuck || len(f.fired("new")) == 0 {
			t.Errorf("fired at %v and %v", f.fired("settlement"), f.fired("new"))
		}
	})
}

// TestCL12WatchesCut: watches that end repeatedly and repeat events should change nothing: one run
// per fire time, one row per state.
func TestCL12WatchesCut(t *testing.T) {
	inBubble(t, 300*time.Millisecond, func(f *fixture) {
		f.job("settlement", "* * * * * ?")
		f.engine.RepeatEvents()
		f.store.RepeatEvents()
		f.begin()
		for range 6 {
			f.engine.CutWatches()
			f.store.CutWatches()
			f.passes(10 * time.Second)
		}
		f.passes(10*time.Second + 500*time.Millisecond)
		if got := len(f.fired("settlement")); got != 70 {
			t.Errorf("%d runs: %v", got, f.fired("settlement"))
		}
		if s := f.rows.states(); s[tracing.StateFinished] != 70 || s[tracing.StateStaging] != 70 {
			t.Errorf("rows %v", s)
		}
	})
}

// TestCL19WrongDocuments: a job that can't fire should have a reason, and others should fire.
func TestCL19WrongDocuments(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		f.job("wrong", "every day")
		f.job("settlement", "0/10 * * * * ?")
		f.begin()
		f.passes(21 * time.Second)
		f.want("settlement", 10, 20)
		c, _ := f.status("wrong").Condition(cloud.ConditionAccepted)
		if c.OK || c.Reason != cloud.ReasonInvalid || !strings.Contains(c.Message, `cron: "every day"`) {
			t.Errorf("the condition is %+v", c)
		}
		f.change("wrong", func(d *cloud.Definition) { d.Job.Cron = "0/10 * * * * ?" })
		f.passes(20 * time.Second)
		f.want("wrong", 30, 40)
		if c, _ := f.status("wrong").Condition(cloud.ConditionAccepted); !c.OK {
			t.Errorf("the condition is %+v", c)
		}
	})
}

// TestCL20NoApplication: a job should fire from the moment its application exists.
func TestCL20NoApplication(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?", func(j *cloud.Job) { j.AppName = "mall" })
		f.begin()
		f.passes(35 * time.Second)
		if c, _ := f.status("settlement").Condition(cloud.ConditionAccepted); c.Reason != cloud.ReasonAppMissing {
			t.Errorf("the condition is %+v", c)
		}
		if _, err := f.store.CreateApp(t.Context(), cloud.NewApp("mall")); err != nil {
			t.Fatal(err)
		}
		f.passes(16 * time.Second)
		f.want("settlement", 40, 50)
	})
}

// TestCL22NameTakenByOthers: a run should get another name if its name is taken, and we should not touch
// the other run.
func TestCL22NameTakenByOthers(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		theirs := cloud.Run{Name: cloud.RunName("settlement", f.start.Add(10*time.Second)), Job: cloud.NewJob("theirs", "shop", 1), Owner: "them"}
		if _, err := f.engine.Launch(t.Context(), theirs); err != nil {
			t.Fatal(err)
		}
		f.job("settlement", "0/10 * * * * ?")
		f.begin()
		f.passes(21 * time.Second)
		var names []string
		for _, r := range f.engine.Runs() {
			if r.JobName == "settlement" {
				names = append(names, r.Name)
			}
		}
		if want := cloud.CollisionName(theirs.Name); len(names) != 2 || names[1] != want {
			t.Errorf("runs %v, want %s among two", names, want)
		}
		if c, _ := f.status("settlement").Condition(cloud.ConditionFires); c.Reason != cloud.ReasonNameCollision {
			t.Errorf("the condition is %+v", c)
		}
	})
}

// TestCL24RunDeletedByOthers: the fire time is not repeated, its row shows that the end is unknown,
// and pending fire times run.
func TestCL24RunDeletedByOthers(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?")
		f.begin()
		f.passes(21 * time.Second)
		f.want("settlement", 10)
		f.engine.Vanish(cloud.RunName("settlement", f.start.Add(10*time.Second)))
		f.passes(time.Second)
		f.want("settlement", 10, 20)
		if s := f.rows.states(); s[tracing.StateUnknown] != 1 {
			t.Errorf("rows %v", s)
		}
	})
}

// TestCL25JobDeleted: its runs end, and a recreated job starts from scratch.
func TestCL25JobDeleted(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?")
		f.begin()
		f.passes(15 * time.Second)
		if err := f.store.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		f.passes(20 * time.Second)
		if runs := f.engine.Runs(); len(runs) != 1 || runs[0].State != cloud.RunKilled {
			t.Errorf("runs %+v", runs)
		}
		if s := f.rows.states(); s[tracing.StateKilled] != 1 {
			t.Errorf("rows %v", s)
		}
		f.job("settlement", "0/10 * * * * ?")
		f.passes(10 * time.Second)
		f.want("settlement", 10, 40)
		f.passes(20 * time.Minute)
		if runs := f.engine.Runs(); len(runs) == 0 || runs[0].Fire.Sub(f.start) < 40*time.Second {
			t.Errorf("the run of the job that was deleted is kept: %+v", runs)
		}
	})
}

// garbled is a store with a job that can't be read for a while.
type garbled struct {
	cloud.Store
	is atomic.Bool
}

func (g *garbled) Watch(ctx context.Context, report func(cloud.StoreEvent)) error {
	return g.Store.Watch(ctx, func(e cloud.StoreEvent) {
		if e.Event == cloud.EventChanged && e.Kind == cloud.KindJob && g.is.Load() {
			e.Definition, e.Err = cloud.Definition{Job: cloud.Job{Name: e.Name}}, errors.New("cpuCount: want a number")
		}
		report(e)
	})
}

// TestJobThatCannotBeRead: its runs continue, because the job wasn't deleted. When it's readable
// again it fires as before.
func TestJobThatCannotBeRead(t *testing.T) {
	inBubble(t, 50*time.Second, func(f *fixture) {
		store := &garbled{Store: f.store}
		f.job("settlement", "0 * * * * ?")
		f.begin(func(c *Config) { c.Store = store })
		f.passes(65 * time.Second)
		store.is.Store(true)
		f.change("settlement", func(d *cloud.Definition) { d.Job.Description = "garbled" })
		f.passes(100 * time.Second)
		if runs := f.engine.Runs(); len(runs) != 1 || runs[0].State != cloud.RunSucceeded {
			t.Errorf("the run of a job that cannot be read: %+v", runs)
		}
		store.is.Store(false)
		f.change("settlement", func(d *cloud.Definition) { d.Job.Description = "mended" })
		f.passes(60 * time.Second)
		f.want("settlement", 60, 120, 180)
	})
}

// TestCL26Refused: a refused call should be repeated once a minute, and at once after a change.
func TestCL26Refused(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?")
		f.job("other", "0/10 * * * * ?")
		f.begin()
		var calls atomic.Int32
		f.engine.Faults(func(verb, name string) cloudfake.Fault {
			if verb == "launch" && strings.HasPrefix(name, "settlement-") && time.Since(f.start) < 150*time.Second {
				calls.Add(1)
				return cloudfake.Fault{Err: fmt.Errorf("denied by the policy restricted: %w", cloud.ErrForbidden)}
			}
			return cloudfake.Fault{}
		})
		f.passes(141 * time.Second)
		if n := calls.Load(); n != 3 {
			t.Errorf("asked %d times in 130 seconds", n)
		}
		c, _ := f.status("settlement").Condition(cloud.ConditionFires)
		if c.OK || c.Reason != cloud.ReasonForbidden || !strings.Contains(c.Message, "denied by the policy restricted") {
			t.Errorf("the condition is %+v", c)
		}
		f.want("other", every(10, 10, 140)...)
		f.passes(20 * time.Second)
		f.change("settlement", func(d *cloud.Definition) { d.Job.Parameter = "another" })
		f.passes(30 * time.Second)
		if c, _ := f.status("settlement").Condition(cloud.ConditionFires); !c.OK || len(f.fired("settlement")) == 0 {
			t.Errorf("the condition is %+v, fired at %v", c, f.fired("settlement"))
		}
	})
}

// TestCL29NeverStarts: a task that can't start should end as an error at its deadline.
func TestCL29NeverStarts(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0 0 * * * ?", func(j *cloud.Job) { j.Props[cloud.PropStartDeadline] = "30s" })
		f.begin()
		f.passes(time.Hour)
		name := f.engine.Created()[0]
		f.engine.SetTask(name, 0, func(task *cloud.Task) {
			task.State, task.Started, task.Stuck, task.Message = tracing.StateStaging, time.Time{}, time.Now(), "ErrImagePull: no such image"
		})
		f.passes(29 * time.Second)
		if r := f.engine.Runs()[0]; r.State.Ended() {
			t.Fatalf("ended before its time: %+v", r)
		}
		f.passes(2 * time.Second)
		if r := f.engine.Runs()[0]; r.State != cloud.RunFailed {
			t.Errorf("the run is %+v", r)
		}
		if s := f.rows.states(); s[tracing.StateError] != 1 {
			t.Errorf("rows %v", s)
		}
	})
}

// TestCL40Overlap: each kind of overlap, with runs longer than the period.
func TestCL40Overlap(t *testing.T) {
	for overlap, want := range map[cloud.Overlap][]int{
		cloud.OverlapQueueOne: {10, 20, 40, 60, 80},
		cloud.OverlapQueueAll: {10, 20, 30, 40, 50},
		cloud.OverlapSkip:     {10, 40, 70, 100},
		cloud.OverlapAllow:    every(10, 10, 110),
	} {
		t.Run(string(overlap), func(t *testing.T) {
			inBubble(t, 21*time.Second, func(f *fixture) {
				f.job("settlement", "0/10 * * * * ?", func(j *cloud.Job) { j.Props[cloud.PropOverlap] = string(overlap) })
				f.begin()
				f.passes(111 * time.Second)
				f.want("settlement", want...)
				if s := f.status("settlement"); overlap == cloud.OverlapSkip && s.Merged < 6 {
					t.Errorf("%d were skipped", s.Merged)
				}
			})
		})
	}
}

// TestCL41Priority: jobs with the same fire time should be launched by priority, then by name.
func TestCL41Priority(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		for i := range 200 {
			f.job(fmt.Sprintf("job-%03d", i), "0 * * * * ?", func(j *cloud.Job) { j.Props[cloud.PropFirePriority] = fmt.Sprint(i % 2) })
		}
		f.engine.Faults(func(verb, _ string) cloudfake.Fault {
			if verb == "launch" {
				return cloudfake.Fault{Delay: 10 * time.Millisecond}
			}
			return cloudfake.Fault{}
		})
		f.begin(func(c *Config) { c.launches = 1 })
		f.passes(63 * time.Second)
		created := f.engine.Created()
		if len(created) != 200 {
			t.Fatalf("%d runs", len(created))
		}
		for i, name := range created {
			want := fmt.Sprintf("job-%03d-", 2*(i%100)+1)
			if i >= 100 {
				want = fmt.Sprintf("job-%03d-", 2*(i-100))
			}
			if !strings.HasPrefix(name, want) {
				t.Fatalf("run %d is %s, want %s", i, name, want)
			}
		}
	})
}

// TestCL45DatabaseAway: no run should be forgotten before its rows are safe.
func TestCL45DatabaseAway(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0 * * * * ?")
		var safe atomic.Bool
		f.begin(func(c *Config) { c.Recorded = safe.Load })
		f.passes(time.Hour + time.Second)
		if runs := f.engine.Runs(); len(runs) != 60 {
			t.Errorf("%d of 60 runs exist while the database is away", len(runs))
		}
		safe.Store(true)
		f.passes(3 * time.Minute)
		if runs := f.engine.Runs(); len(runs) > 18 || len(runs) < 15 {
			t.Errorf("%d runs exist when all rows are safe", len(runs))
		}
		if s := f.rows.states(); s[tracing.StateFinished] != 63 {
			t.Errorf("rows %v", s)
		}
	})
}

// TestCL46RowsOfTwoLeaders: a new leader records everything again, but each row should exist once.
func TestCL46RowsOfTwoLeaders(t *testing.T) {
	inBubble(t, 100*time.Millisecond, func(f *fixture) {
		f.job("settlement", "0/10 * * * * ?")
		f.begin()
		f.begin()
		f.passes(61 * time.Second)
		before := f.rows.calls
		f.election.depose(time.Second)
		f.passes(5 * time.Second)
		if s := f.rows.states(); f.rows.calls < before+24 || s[tracing.StateFinished] != 6 || s[tracing.StateRunning] != 6 {
			t.Errorf("%d calls after %d, rows %v", f.rows.calls, before, s)
		}
	})
}

// TestRequests: a manual run is launched once, with its shards and parameters.
func TestRequests(t *testing.T) {
	inBubble(t, time.Second, func(f *fixture) {
		f.job("settlement", "", func(j *cloud.Job) { j.Shards = 5 })
		f.begin()
		for range 2 {
			f.change("settlement", func(d *cloud.Definition) {
				if _, err := d.Ask(cloud.Request{Key: "k", Asked: time.Now(), Shards: []int{1, 3}, Parameters: []byte(`{"month":"11"}`)}); err != nil {
					t.Error(err)
				}
			})
			f.passes(10 * time.Second)
		}
		runs := f.engine.Runs()
		if len(runs) != 1 || runs[0].Origin != cloud.OriginManual || runs[0].Count != 2 || len(f.status("settlement").Requests) != 0 {
			t.Errorf("runs %+v, status %+v", runs, f.status("settlement"))
		}
	})
}
