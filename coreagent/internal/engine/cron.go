package engine

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// rearm follows the clock after it was set back.
func (j *Job) rearm(since time.Time) {
	j.schedule.Rearm(since, j.serves())
}

// onCron runs on the timer goroutine.
func (j *Job) onCron(time.Time) {
	f, come := j.takeFire()
	switch {
	case !come:
	case f.suppressed:
		j.suppressed.note(j, f.at)
	case !f.executing:
		j.enqueue(func(q *queue) { q.fire, q.early = f.at, f.early })
	default:
		// The fire time passes while the previous run still works. That may be the
		// nature of the job, so it is logged less and less often.
		if f.overruns&(f.overruns-1) == 0 && j.env.Client.State() == zk.Connected {
			j.log.Warn("a fire time passed while the previous run still works", "scheduled", f.at, "times", f.overruns, "running", j.calls.Running())
		}
		j.noteMissedFireTime(f.view, f.missed)
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
func (j *Job) takeFire() (comingFire, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f := comingFire{executing: j.queue.executing, view: j.view}
	f.suppressed = f.view != nil && f.view.Hold.Schedule()
	taken := false
	if f.at, f.early, taken = j.schedule.Take(f.executing || f.suppressed); !taken {
		return f, false // Whether it is missed, or held, shows when it comes.
	}
	if f.suppressed {
		return f, true
	}
	if f.view != nil && f.view.Enabled {
		j.observe(host.Observation{Event: host.Fired})
	}
	f.missed = slices.Concat(j.ownShards, j.coming)
	if running := j.queue.runningView(); running != nil {
		// The present view may have no shards: a resharding waits for this run,
		// or a failover runs, whose view need not be settled. Or it has others,
		// that came here during the run.
		f.view, f.missed = running, append(f.missed, running.EnabledShards()...)
	}
	f.missed = slices.DeleteFunc(f.missed, j.view.SwitchedOff)
	if f.executing {
		j.queue.overruns++
		j.queue.passed = f.at
		f.overruns = j.queue.overruns
	}
	return f, true
}
