package enginetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// Fixture is an empty engine, with helpers for the cases.
type Fixture struct {
	Engine cloud.Engine
	// App has tasks that run until Finish.
	App cloud.App
	// Finish ends the newest task of a shard, successfully or with a non-zero exit code.
	Finish func(run string, shard int, well bool)
}

// Run runs all cases. fresh is called once for each.
func Run(t *testing.T, fresh func(t *testing.T) Fixture) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := &fixture{T: t, Fixture: fresh(t)}
			defer f.watch()()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("reported are runs %+v and tasks %+v", f.watched.runs, f.watched.tasks)
				}
			})
			f.until("the current state is reported", func(w *watch) bool { return w.synced > 0 })
			c.run(f)
		})
	}
}

var cases = []struct {
	name string
	run  func(*fixture)
}{
	{"a run ends well", runEndsWell},
	{"CL06: launched twice", launchedTwice},
	{"launched twenty times at once", launchedByMany},
	{"a name in use by another job", nameInUse},
	{"some shards only", someShards},
	{"CL31: a shard fails, the others go on", shardFails},
	{"CL32: a shard is retried", shardTriedAgain},
	{"a run is killed", runKilled},
	{"a shard is killed", shardKilled},
	{"suspended and resumed", suspended},
	{"forgotten", forgotten},
	{"a watch restarts", watchAnew},
	{"logs", logs},
	{"unknown runs", unknownRuns},
	{"a context that has ended", endedContext},
	{"the processes of a DAEMON job", daemon},
}

type fixture struct {
	*testing.T
	Fixture
	watched *watch
}

type watch struct {
	mu      sync.Mutex
	resets  int
	synced  int
	runs    map[string]cloud.RunStatus
	tasks   map[string]cloud.Task // by UID
	history []cloud.TaskEvent
}

// watch starts another watch, which the cases then look at.
func (f *fixture) watch() (end func()) {
	w := &watch{runs: make(map[string]cloud.RunStatus), tasks: make(map[string]cloud.Task)}
	f.watched = w
	return waittest.Watch(f, func(ctx context.Context) error { return f.Engine.Watch(ctx, w.take) })
}

func (w *watch) take(e cloud.TaskEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.history = append(w.history, e); {
	case e.Event == cloud.EventReset:
		w.resets++
		clear(w.runs)
		clear(w.tasks)
	case e.Event == cloud.EventSynced:
		w.synced++
	case e.Event == cloud.EventRemoved && e.Task.UID == "":
		delete(w.runs, e.Run.Name)
	case e.Event == cloud.EventRemoved:
		delete(w.tasks, e.Task.UID)
	case e.Task.UID == "":
		w.runs[e.Run.Name] = e.Run
	default:
		w.runs[e.Run.Name] = e.Run
		w.tasks[e.Task.UID] = e.Task
	}
}

func (w *watch) tasksOf(run string) []cloud.Task {
	tasks := slices.DeleteFunc(slices.Collect(maps.Values(w.tasks)), func(t cloud.Task) bool { return t.Run != run })
	slices.SortFunc(tasks, func(a, b cloud.Task) int {
		if a.Shard != b.Shard {
			return a.Shard - b.Shard
		}
		return a.Attempt - b.Attempt
	})
	return tasks
}

func (f *fixture) until(what string, holds func(*watch) bool) {
	f.Helper()
	watched := f.watched
	waittest.Until(f, what, func() bool {
		watched.mu.Lock()
		defer watched.mu.Unlock()
		return holds(watched)
	})
}

// state waits for a run to be in a state and returns it.
func (f *fixture) state(run string, want cloud.RunState) (r cloud.RunStatus) {
	f.Helper()
	f.until(fmt.Sprintf("run %s is %s", run, want), func(w *watch) bool {
		r = w.runs[run]
		return r.State == want
	})
	return r
}

// working waits until the given number of tasks of a run are running.
func (f *fixture) working(run string, count int) (tasks []cloud.Task) {
	f.Helper()
	f.until(fmt.Sprintf("%d tasks of run %s are running", count, run), func(w *watch) bool {
		tasks = slices.DeleteFunc(w.tasksOf(run), func(t cloud.Task) bool { return t.Started.IsZero() || cloud.Ended(t.State) })
		return len(tasks) == count
	})
	return tasks
}

func (f *fixture) run(change ...func(*cloud.Run)) cloud.Run {
	fire := time.Unix(1795344540, 0).UTC()
	r := cloud.Run{Name: cloud.RunName("settlement", fire), Job: cloud.NewJob("settlement", f.App.Name, 3), App: f.App, Owner: "owner-1", Fire: fire, Origin: cloud.OriginCron}
	r.Job.CPU, r.Job.MemoryMB = 0.01, 32
	for _, c := range change {
		c(&r)
	}
	return r
}

func (f *fixture) launch(r cloud.Run) cloud.Run {
	f.Helper()
	if created, err := f.Engine.Launch(f.Context(), r); err != nil || !created {
		f.Fatalf("Launch(%s) = %v, %v; want true", r.Name, created, err)
	}
	return r
}
