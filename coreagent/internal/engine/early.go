package engine

import (
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The markers of a run take a transaction, and with a thousand jobs at one second
// the last of them many. So that handlers start at their fire time and not when the
// markers are made, a run gets ready a little earlier: it looks for its shards,
// marks them, and waits for the rest of the time. Whoever is marked running is
// left alone by leaders, so nothing else changes hands meanwhile.
//
// Without monitorExecution there are no markers, and nothing holds the shards of a
// run that is ready. It gets ready all the same, because looking for the shards of
// a thousand jobs takes its time, too, but whatever changes until the fire time
// makes it begin again: the view that holds at the fire time decides.

// headStart is how much earlier a run gets ready.
const headStart = 250 * time.Millisecond

// fireTimes has the next fire time of a job and the one it gets ready for, guarded by Job.mu.
type fireTimes struct {
	early bool      // runs of the job may get ready before their fire time
	next  time.Time // the fire time that the cron timer is set for
	taken time.Time // the newest fire time that a run was asked for

	// readied is the newest fire time that a run got ready for before it came, and
	// shards are those it knew of.
	readied time.Time
	shards  []int
}

// mayHaveCome reports whether a run may have got ready for a fire time by the clock
// as it is now. One further ahead came by a clock that was set back since, perhaps
// while the job could not be served and no timer of it was there to notice.
func mayHaveCome(fire, now time.Time) bool {
	return !fire.After(now.Add(headStart + timers.ClockSet))
}

// mayStartAhead reports whether runs of a job may get ready before their fire
// time. A shard that comes here after a marked run has looked for its shards is
// made up for as a misfire, so misfire must be on; a shard that rotates belongs
// to whoever is next at the fire time; and listeners are the user's code, which
// must not be called too early.
func mayStartAhead(c *jobconfig.Config) bool {
	return c.Cron != "" && (c.Misfire || !c.MonitorExecution) && !view.Rotates(c) && len(c.ListenerTypes) == 0
}

// allowHeadStart says whether runs may get ready early, from the next fire time on.
func (j *Job) allowHeadStart(may bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ahead.early = may
}

// headStart is how much before the fire time the cron timer goes off.
func (f *fireTimes) headStart() time.Duration {
	if f.early {
		return headStart
	}
	return 0
}

// reaches is the newest fire time that a run was asked for if it has yet to come, else
// now.
func (f *fireTimes) reaches(now time.Time) time.Time {
	if f.taken.After(now) && mayHaveCome(f.taken, now) {
		return f.taken
	}
	return now
}

// errOutdated says that something has changed while a run without markers waited
// for its fire time: it is to begin again.
var errOutdated = errors.New("the view changed before the fire time")

// awaitFireTime waits until the fire time of a run that is ready. It fails with
// errLeft if the run must not begin any more, because others run the shards then,
// and with errOutdated if it must get ready again.
func (b *batch) awaitFireTime() error {
	j := b.job
	if !b.early {
		return nil
	}
	shards := b.view.EnabledShards()
	if err := b.restUntilFireTime(); err != nil || !b.view.Config.MonitorExecution {
		return err
	}
	// A process that was frozen meanwhile finds out by the clock that the shards are
	// no longer its own, and before anybody has notified it.
	if !j.env.Client.MayHold(b.view.Epoch) {
		return errLeft
	}
	if !b.view.Settled || !b.view.Enabled {
		return nil // It runs nothing, on purpose.
	}
	// Who brought a shard here after the run had looked found the fire time still
	// to come, and the run does not know of the shard.
	j.mu.Lock()
	j.ahead.readied, j.ahead.shards = b.at, shards
	var missed []int // None, nearly always, and a thousand runs look at this moment.
	for _, owned := range [][]int{j.ownShards, j.coming} {
		for _, n := range owned {
			if !slices.Contains(shards, n) {
				missed = append(missed, n)
			}
		}
	}
	j.mu.Unlock()
	if missed != nil {
		j.noteMissedFireTime(b.view, missed)
	}
	return nil
}

// restUntilFireTime is the waiting of awaitFireTime.
func (b *batch) restUntilFireTime() error {
	b.place = b.job.env.gates.Enter(b.at, headStart)
	for waiting := true; ; {
		changed, err := b.stillReady(waiting)
		if err != nil || !waiting {
			return err
		}
		select {
		case <-b.place.Opened():
			b.place.Await()
			waiting = false
		case <-changed:
		case <-b.ctx.Done():
			if b.view.Config.MonitorExecution || b.job.life.Err() != nil {
				return errLeft
			}
			return errOutdated
		}
	}
}

// stillReady reports whether what a run got ready by still holds, and what closes when
// that may change. It ends the waiting of a run that goes on or is given up. A thousand
// runs ask at their fire time, so it takes each lock once.
func (b *batch) stillReady(waiting bool) (changed <-chan struct{}, err error) {
	j := b.job
	bare := !b.view.Config.MonitorExecution
	present := !bare || j.present(b.view)
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.phase != serving:
		err = errLeft
	case bare && (j.view != b.view || !present):
		err = errOutdated
	}
	j.queue.ahead = waiting || err != nil
	return j.viewChanged, err
}

// fires reports whether a time is one of the present schedule's.
func (j *Job) fires(at time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.schedule == nil {
		return false
	}
	next, ok := j.schedule.Next(at.Add(-time.Millisecond), j.zone)
	return ok && next.Equal(at)
}

// keepFireTime sets the cron timer for a fire time whose run was given up before
// it came, with the session most likely. Another session may be there in time,
// and have the shards. Or the schedule is held, and may be released by then. It reports
// false if the time has come, or is none of the schedule any more.
func (j *Job) keepFireTime(at time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.phase != serving || j.schedule == nil || !j.env.timers.Now().Before(at) || !j.ahead.next.After(at) {
		return false
	}
	if next, ok := j.schedule.Next(at.Add(-time.Millisecond), j.zone); !ok || !next.Equal(at) {
		return false // There is another schedule now.
	}
	j.ahead.next = at
	j.ahead.taken = time.Time{} // Nobody runs for it until then.
	j.env.timers.Set(j.cron, at)
	return true
}

// overlooked are the shards of a view that came here in this step, when a fire
// time was still to come for which a run had looked for its shards already.
func (j *Job) overlooked(v *view.View) []int {
	c := &j.control
	arrived := c.arrived
	c.arrived = nil
	j.mu.Lock()
	defer j.mu.Unlock()
	if readied := j.ahead.readied; len(arrived) == 0 || !v.Settled || !c.lookedAt.Before(readied) || !mayHaveCome(readied, j.env.timers.Now()) {
		return nil
	}
	came := slices.DeleteFunc(v.EnabledShards(), func(n int) bool { return !slices.Contains(arrived, n) })
	return without(came, j.ahead.shards)
}

// without returns what is in list and not in others.
func without(list, others []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return slices.Contains(others, n) })
}

func (j *Job) serves() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.phase == serving
}
