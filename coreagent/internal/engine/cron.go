package engine

import "time"

// rearm sets the cron timer anew after the clock was set back, for the newest
// fire time that has come since then if one has. Most likely it was run for by
// the old time; but an item that came here since owes it.
func (j *Job) rearm(since time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ahead.taken = time.Time{} // By the new time it may have yet to come.
	j.armCron()
	if j.schedule == nil || j.phase != serving {
		return
	}
	if at, come := due(j.schedule, j.zone, since, j.env.timers.now()); come {
		j.ahead.fire = at
		j.env.timers.set(j.cron, at)
	}
}

// newestSince is the newest fire time that came after another one, with j.mu
// held.
func (j *Job) newestSince(at time.Time) (time.Time, bool) {
	if j.schedule == nil {
		return at, false
	}
	return due(j.schedule, j.zone, at, j.env.timers.now())
}
