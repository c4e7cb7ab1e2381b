package run

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Rearm follows the clock after it was set back.
func (w *Worker) Rearm(since time.Time) {
	w.Fires.Rearm(since, w.serves())
}

// OnFire takes the fire time that has come. It runs on the timer goroutine.
func (w *Worker) OnFire(time.Time) {
	f, come := w.takeFire()
	switch {
	case !come:
	case f.suppressed:
		w.suppress(f.at)
	case !f.executing:
		w.enqueue(func(q *queue) { q.fire, q.early = f.at, f.early })
	default:
		// The fire time passes while the previous run still works. That may be the
		// nature of the job, so it is logged less and less often.
		if f.overruns&(f.overruns-1) == 0 && w.Host.Client.State() == zk.Connected {
			w.Log.Warn("a fire time passed while the previous run still works", "scheduled", f.at, "times", f.overruns, "running", w.Calls.Running())
		}
		w.NoteMissed(f.view, f.missed)
	}
}

// comingFire is a fire time for which the cron timer went off.
type comingFire struct {
	at        time.Time
	early     bool // it has yet to come
	executing bool // a run works
	view      *view.View
	missed    []int // shards that a run that works keeps from it
	overruns  int
	// suppressed says that the schedule is held.
	suppressed bool
}

// takeFire sets the cron timer for the next fire time. It reports false if the
// present one is still to be waited for.
func (w *Worker) takeFire() (comingFire, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	latest, _ := w.Latest.Get()
	f := comingFire{executing: w.queue.executing, view: latest}
	f.suppressed = f.view != nil && f.view.Hold.Schedule()
	taken := false
	if f.at, f.early, taken = w.Fires.Take(f.executing || f.suppressed); !taken {
		return f, false // Whether it is missed, or held, shows when it comes.
	}
	if f.suppressed {
		return f, true
	}
	if f.view != nil && f.view.Enabled {
		w.observe(host.Observation{Event: host.Fired})
	}
	f.missed = w.Latest.Shards()
	if running := w.queue.runningView(); running != nil {
		// The present view may have no shards: a resharding waits for this run,
		// or a failover runs, whose view need not be settled. Or it has others,
		// that came here during the run.
		f.view, f.missed = running, append(f.missed, running.EnabledShards()...)
	}
	f.missed = slices.DeleteFunc(f.missed, latest.SwitchedOff)
	if f.executing {
		w.queue.overruns++
		w.queue.passed = f.at
		f.overruns = w.queue.overruns
	}
	return f, true
}
