package enginetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func runEndsWell(f *fixture) {
	r := f.launch(f.run())
	for i, t := range f.working(r.Name, 3) {
		if t.Shard != i || t.Attempt != 1 || t.UID == "" || t.Node == "" || t.Created.IsZero() || t.Started.Before(t.Created.Truncate(time.Second)) || t.State != tracing.StateRunning {
			f.Errorf("task %+v", t)
		}
	}
	status := f.state(r.Name, cloud.RunRunning)
	want := cloud.StatusOf(r, status.Created)
	want.State, want.Started, want.Message, want.Namespace = cloud.RunRunning, status.Started, status.Message, status.Namespace
	if !status.Fire.Equal(want.Fire) {
		f.Errorf("the run fires at %v, want %v", status.Fire, want.Fire)
	}
	if status.Fire = want.Fire; status != want || status.Created.IsZero() || status.Started.IsZero() {
		f.Errorf("the run is %+v, want %+v", status, want)
	}
	for shard := range 3 {
		f.Finish(r.Name, shard, true)
	}
	if ended := f.state(r.Name, cloud.RunSucceeded); ended.Ended.Before(ended.Started) {
		f.Errorf("the run is %+v", ended)
	}
	f.until("all tasks are finished", func(w *watch) bool {
		return !slices.ContainsFunc(w.tasksOf(r.Name), func(t cloud.Task) bool { return t.State != tracing.StateFinished || t.Ended.Before(t.Started) })
	})
}

func launchedTwice(f *fixture) {
	r := f.launch(f.run())
	f.working(r.Name, 3)
	for _, when := range []string{"while it goes on", "when it has ended"} {
		if created, err := f.Engine.Launch(f.Context(), r); err != nil || created {
			f.Errorf("launched again %s: %v, %v; want false and no error", when, created, err)
		}
		for shard := range 3 {
			f.Finish(r.Name, shard, true)
		}
		f.state(r.Name, cloud.RunSucceeded)
	}
	f.until("there are three tasks", func(w *watch) bool { return len(w.tasksOf(r.Name)) == 3 })
}

func launchedByMany(f *fixture) {
	var made atomic.Int32
	var wg sync.WaitGroup
	r := f.run()
	for range 20 {
		wg.Go(func() {
			created, err := f.Engine.Launch(f.Context(), r)
			if err != nil {
				f.Errorf("Launch: %v", err)
			}
			if created {
				made.Add(1)
			}
		})
	}
	wg.Wait()
	if n := made.Load(); n != 1 {
		f.Errorf("%d of 20 made the run", n)
	}
	f.working(r.Name, 3)
}

func nameInUse(f *fixture) {
	r := f.launch(f.run())
	r.Owner = "owner-2"
	if created, err := f.Engine.Launch(f.Context(), r); !errors.Is(err, cloud.ErrForeign) || created {
		f.Errorf("Launch for another owner: %v, %v; want ErrForeign", created, err)
	}
	f.working(r.Name, 3)
}

func someShards(f *fixture) {
	r := f.launch(f.run(func(r *cloud.Run) {
		r.Name, r.Origin, r.Shards = cloud.ManualRunName("settlement", "key"), cloud.OriginManual, []int{0, 2}
	}))
	tasks := f.working(r.Name, 2)
	if tasks[0].Shard != 0 || tasks[1].Shard != 2 {
		f.Errorf("tasks %+v, want shards 0 and 2", tasks)
	}
	if status := f.state(r.Name, cloud.RunRunning); status.Count != 2 || status.Shards != 3 {
		f.Errorf("the run is %+v", status)
	}
	f.Finish(r.Name, 0, true)
	f.Finish(r.Name, 2, true)
	f.state(r.Name, cloud.RunSucceeded)
}

func shardFails(f *fixture) {
	r := f.launch(f.run())
	f.working(r.Name, 3)
	f.Finish(r.Name, 1, false)
	f.working(r.Name, 2)
	f.Finish(r.Name, 0, true)
	f.Finish(r.Name, 2, true)
	f.state(r.Name, cloud.RunFailed)
	f.until("one task failed with a cause", func(w *watch) bool {
		t := w.tasksOf(r.Name)
		return len(t) == 3 && t[1].State == tracing.StateFailed && t[1].Message != "" && t[0].State == tracing.StateFinished
	})
}

func shardTriedAgain(f *fixture) {
	r := f.launch(f.run(func(r *cloud.Run) {
		r.Job.Shards, r.Job.Failover, r.Job.Props = 1, true, map[string]string{cloud.PropFailoverMax: "1"}
	}))
	first := f.working(r.Name, 1)[0]
	f.Finish(r.Name, 0, false)
	var second cloud.Task
	f.until("the second attempt is running", func(w *watch) bool {
		t := w.tasksOf(r.Name)
		second = t[len(t)-1]
		return second.Attempt == 2 && !second.Started.IsZero()
	})
	if second.UID == first.UID || second.FirstUID != first.UID || second.Type() != cloud.TaskFailover || second.OriginalID("settlement") != first.ID("settlement") {
		f.Errorf("the second attempt is %+v after %+v", second, first)
	}
	f.Finish(r.Name, 0, false)
	f.state(r.Name, cloud.RunFailed)
	f.until("there are two tasks", func(w *watch) bool { return len(w.tasksOf(r.Name)) == 2 })
}

func runKilled(f *fixture) {
	r := f.launch(f.run())
	f.working(r.Name, 3)
	how := cloud.Ending{Way: cloud.EndKill, By: "root", Reason: "by mistake"}
	for range 2 {
		if err := f.Engine.End(f.Context(), r.Name, -1, how); err != nil {
			f.Fatalf("End: %v", err)
		}
		f.state(r.Name, cloud.RunKilled)
	}
	f.until("all tasks are killed, and report by whom", func(w *watch) bool {
		return !slices.ContainsFunc(w.tasksOf(r.Name), func(t cloud.Task) bool { return t.State != tracing.StateKilled || t.Message == "" || t.Ended.IsZero() })
	})
}

func shardKilled(f *fixture) {
	r := f.launch(f.run())
	f.working(r.Name, 3)
	if err := f.Engine.End(f.Context(), r.Name, 1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		f.Fatalf("End: %v", err)
	}
	f.until("the second task is killed", func(w *watch) bool { return w.tasksOf(r.Name)[1].State == tracing.StateKilled })
	f.working(r.Name, 2)
}

func suspended(f *fixture) {
	r := f.launch(f.run())
	f.working(r.Name, 3)
	if !f.Engine.Capabilities().Suspend {
		if err := f.Engine.End(f.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndSuspend}); !errors.Is(err, cloud.ErrUnsupported) {
			f.Errorf("End by suspending: %v; want ErrUnsupported, like its capabilities", err)
		}
		return
	}
	if err := f.Engine.Resume(f.Context(), r.Name); err != nil {
		f.Errorf("Resume of a run that goes on: %v", err)
	}
	f.Finish(r.Name, 0, true)
	f.working(r.Name, 2)
	if err := f.Engine.End(f.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndSuspend, By: "root"}); err != nil {
		f.Fatalf("End by suspending: %v", err)
	}
	f.state(r.Name, cloud.RunSuspended)
	f.working(r.Name, 0)
	if err := f.Engine.Resume(f.Context(), r.Name); err != nil {
		f.Fatalf("Resume: %v", err)
	}
	f.working(r.Name, 2)
	f.Finish(r.Name, 1, true)
	f.Finish(r.Name, 2, true)
	f.state(r.Name, cloud.RunSucceeded)
}

func forgotten(f *fixture) {
	r := f.launch(f.run(func(r *cloud.Run) { r.Job.Shards = 1 }))
	f.working(r.Name, 1)
	if err := f.Engine.Forget(f.Context(), r.Name); !errors.Is(err, cloud.ErrRefused) {
		f.Errorf("Forget of a run that goes on: %v; want ErrRefused", err)
	}
	f.Finish(r.Name, 0, true)
	f.state(r.Name, cloud.RunSucceeded)
	if err := f.Engine.Forget(f.Context(), r.Name); err != nil {
		f.Fatalf("Forget: %v", err)
	}
	f.until("nothing is left of the run", func(w *watch) bool { return len(w.runs) == 0 && len(w.tasks) == 0 })
	if err := f.Engine.Forget(f.Context(), r.Name); !errors.Is(err, cloud.ErrNotFound) {
		f.Errorf("Forget once more: %v; want ErrNotFound", err)
	}
	f.launch(r)
	f.working(r.Name, 1)
}

func watchAnew(f *fixture) {
	r := f.launch(f.run())
	f.working(r.Name, 3)
	first := f.watched
	end := f.watch()
	second := f.watched
	f.until("the current state is reported to a second watch", func(w *watch) bool { return w.synced > 0 })
	second.mu.Lock()
	if second.history[0].Event != cloud.EventReset || second.resets != 1 || len(second.tasksOf(r.Name)) != 3 || second.runs[r.Name].State != cloud.RunRunning {
		f.Errorf("reported were %+v", second.history)
	}
	if at := slices.IndexFunc(second.history, func(e cloud.TaskEvent) bool { return e.Run.Name == r.Name }); second.history[at].Task.UID != "" {
		f.Errorf("a task was reported before its run: %+v", second.history[at])
	}
	second.mu.Unlock()
	end()
	f.watched = first
	f.Finish(r.Name, 0, true)
	f.working(r.Name, 2)
}

func logs(f *fixture) {
	r := f.launch(f.run())
	task := f.working(r.Name, 3)[1]
	log, err := f.Engine.Logs(f.Context(), task.TaskRef, cloud.LogOptions{Tail: 10})
	if !f.Engine.Capabilities().Logs {
		if !errors.Is(err, cloud.ErrUnsupported) {
			f.Errorf("Logs: %v; want ErrUnsupported, like its capabilities", err)
		}
		return
	}
	if err != nil {
		f.Fatalf("Logs: %v", err)
	}
	if _, err := io.Copy(io.Discard, log); err != nil {
		f.Errorf("read the log: %v", err)
	}
	if err := log.Close(); err != nil {
		f.Errorf("close the log: %v", err)
	}
	unknown := cloud.TaskRef{Run: r.Name, Shard: 1, UID: "nobody", Attempt: 7}
	if _, err := f.Engine.Logs(f.Context(), unknown, cloud.LogOptions{}); !errors.Is(err, cloud.ErrNotFound) {
		f.Errorf("Logs of an unknown task: %v; want ErrNotFound", err)
	}
}

func unknownRuns(f *fixture) {
	name := f.run().Name
	if err := f.Engine.End(f.Context(), name, -1, cloud.Ending{Way: cloud.EndKill}); !errors.Is(err, cloud.ErrNotFound) {
		f.Errorf("End: %v; want ErrNotFound", err)
	}
	if f.Engine.Capabilities().Suspend {
		if err := f.Engine.Resume(f.Context(), name); !errors.Is(err, cloud.ErrNotFound) {
			f.Errorf("Resume: %v; want ErrNotFound", err)
		}
	}
	if _, err := f.Engine.Explain(f.Context(), name); !errors.Is(err, cloud.ErrNotFound) {
		f.Errorf("Explain: %v; want ErrNotFound", err)
	}
	r := f.launch(f.run())
	f.working(r.Name, 3)
	if _, err := f.Engine.Explain(f.Context(), r.Name); err != nil {
		f.Errorf("Explain of a run that goes on: %v", err)
	}
	if c := f.Engine.Capabilities(); c.Engine == "" || c.MaxShards < 1 || c.MaxShards > cloud.MaxShards {
		f.Errorf("capabilities %+v", c)
	}
}

func endedContext(f *fixture) {
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	if created, err := f.Engine.Launch(ctx, f.run()); err == nil || created {
		f.Errorf("Launch = %v, %v although its context has ended", created, err)
	}
	// As with a lost reply, it may have taken effect, so launching again must succeed.
	if _, err := f.Engine.Launch(f.Context(), f.run()); err != nil {
		f.Errorf("Launch again: %v", err)
	}
	f.working(f.run().Name, 3)
}

// daemon: one run with processes that are restarted when they end, until the engine stops them.
func daemon(f *fixture) {
	d := cloud.Daemon{Name: cloud.Slug("feed"), Job: cloud.NewJob("feed", f.App.Name, 2), App: f.App, Owner: "owner-1", Count: 2}
	d.Job.Type, d.Job.Cron, d.Job.CPU, d.Job.MemoryMB = cloud.TypeDaemon, "0/5 * * * * ?", 0.01, 32
	if !f.Engine.Capabilities().Daemons {
		if err := f.Engine.Daemon(f.Context(), d); !errors.Is(err, cloud.ErrUnsupported) {
			f.Errorf("Daemon: %v; want ErrUnsupported, like its capabilities", err)
		}
		return
	}
	run := cloud.DaemonRunName("feed")
	for range 2 {
		f.daemon(d)
		first := f.working(run, 2)
		for shard, t := range first {
			if t.Shard != shard || t.Attempt < 1 || t.UID == "" || t.Node == "" {
				f.Errorf("process %+v", t)
			}
		}
		r := f.state(run, cloud.RunRunning)
		if r.Origin != cloud.OriginDaemon || !r.Fire.IsZero() || r.JobName != "feed" || r.Owner != "owner-1" || r.Shards != 2 || r.Count != 2 || !r.Ended.IsZero() {
			f.Errorf("the run is %+v", r)
		}
		f.daemon(d) // Again: nothing happens.
		for _, well := range []bool{true, false} {
			f.Finish(run, 0, well)
			first = append(first[:0], f.again(run, first[0]), first[1])
		}
		if err := f.Engine.End(f.Context(), run, 1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
			f.Errorf("End of one process: %v", err)
		}
		f.again(run, first[1])
		if err := f.Engine.Forget(f.Context(), run); !errors.Is(err, cloud.ErrRefused) {
			f.Errorf("Forget of a daemon that works: %v; want ErrRefused", err)
		}
		stop := d
		stop.Count = 0
		for range 2 {
			f.daemon(stop)
			f.until("the daemon has stopped", func(w *watch) bool {
				r, there := w.runs[run]
				return !there || r.State.Ended()
			})
			f.working(run, 0)
		}
	}
}

func (f *fixture) daemon(d cloud.Daemon) {
	f.Helper()
	if err := f.Engine.Daemon(f.Context(), d); err != nil {
		f.Fatalf("Daemon with %d processes: %v", d.Count, err)
	}
}

// again waits until a process was replaced by another running one.
func (f *fixture) again(run string, before cloud.Task) (next cloud.Task) {
	f.Helper()
	f.until(fmt.Sprintf("shard %d of %s is started again after attempt %d", before.Shard, run, before.Attempt), func(w *watch) bool {
		for _, t := range w.tasksOf(run) {
			if t.Shard == before.Shard && t.Attempt > before.Attempt && t.UID != before.UID && !t.Started.IsZero() && !cloud.Ended(t.State) {
				next = t
				return true
			}
		}
		return false
	})
	return next
}
