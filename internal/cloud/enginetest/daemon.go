package enginetest

import (
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/cloud"
)

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
