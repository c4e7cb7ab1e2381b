package engine

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// rearm sets the cron timer anew after the clock was set back, for the newest
// fire time that has come since then if one has. Most likely it was run for by
// the old time; but a shard that came here since has missed it.
func (j *Job) rearm(since time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ahead.taken = time.Time{} // By the new time it may have yet to come.
	j.armCron()
	if j.schedule == nil || j.phase != serving {
		return
	}
	if at, come := firetime.Missed(j.schedule, j.zone, j.env.timers.Now(), since); come {
		j.ahead.next = at
		j.env.timers.Set(j.cron, at)
	}
}

// come is the moment up to which the fire times have come for this instance: now, or the
// newest one that the cron timer went off for. That one has yet to come while a run waits
// for it, or again, if the clock was set back by less than what counts as set: no other
// run will be for it.
func (j *Job) come() time.Time {
	now := j.env.now()
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.ahead.reaches(now)
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
	f := comingFire{at: j.ahead.next, executing: j.queue.executing, view: j.view}
	now := j.env.timers.Now()
	f.early = now.Before(f.at)
	f.suppressed = f.view != nil && f.view.Hold.Schedule()
	if f.early && (f.executing || f.suppressed) {
		j.env.timers.Set(j.cron, f.at) // Whether it is missed, or held, shows when it comes.
		return f, false
	}
	if j.schedule != nil && !f.early {
		if newest, come := firetime.Missed(j.schedule, j.zone, now, f.at); come {
			f.at = newest // The clock was set forward, or the process stood still: one run serves for all.
		}
	}
	j.ahead.taken = f.at
	j.armCron()
	if f.suppressed {
		return f, true
	}
	if f.view != nil && f.view.Enabled {
		j.observe(Observation{Event: Fired})
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

// reschedule replaces the schedule, nil for none, and arms the cron timer.
func (j *Job) reschedule(schedule *quartz.Expression, zone *time.Location) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.schedule, j.zone = schedule, zone
	j.armCron()
}

// currentSchedule is the schedule as last read, nil if there is none, or none
// that can be served.
func (j *Job) currentSchedule() (*quartz.Expression, *time.Location) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.schedule, j.zone
}

// armCron sets the cron timer for the fire time after now, or after the one that
// a run gets ready for, with j.mu held.
func (j *Job) armCron() {
	if j.schedule == nil || j.phase == broken || j.phase == leaving || j.phase == departed {
		j.env.timers.Stop(j.cron)
		return
	}
	after := j.ahead.reaches(j.env.timers.Now())
	next, ok := j.schedule.Next(after, j.zone)
	if !ok {
		j.env.timers.Stop(j.cron)
		if _, until := j.schedule.Window(); !until.IsZero() {
			j.log.Info("the schedule ends and has no further fire time", "cron", j.schedule.String(), "until", until)
			return
		}
		j.log.Warn("the cron expression has no further fire time", "cron", j.schedule.String())
		return
	}
	j.ahead.next = next
	j.env.timers.Set(j.cron, next.Add(-j.ahead.headStart()))
}
