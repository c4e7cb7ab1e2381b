// Package schedule has the schedule of a job in force and the timer of its fire times.
//
//	none ──Set──▶ armed ──timer──▶ Take: taken ─▶ armed for the next one
//	  ▲             │  ▲              └─ Take(keep): the same again
//	  │             │  └── Keep: a run was given up before its fire time
//	  ├── Set(nil) ─┘
//	  └── Stop ──▶ stopped ──Resume──▶ none, until Set
//
// So that handlers start at their fire time, a run gets ready a [HeadStart] earlier if [Early]
// allows it: it looks for its shards, marks them, and waits for the rest of the time.
//
// # Guarantees
//
//   - A fire time is taken once. Several that passed while the process stood still, or that the
//     clock was set past, are taken as the newest one.
//   - After the clock was set back the timer goes off at the next fire time by the new time, and
//     once more for the newest one that has come since.
//   - A run that got ready for a fire time that's still to come is known with its shards, so a
//     shard that comes here later can be made up for.
package schedule

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// HeadStart is how much earlier a run gets ready.
const HeadStart = 250 * time.Millisecond

// Early reports whether runs of a job may get ready before their fire time. Misfire must be on,
// because a shard that comes here after a run has looked for its shards is made up for as a
// misfire. A shard that rotates belongs to the instance that is next at the fire time, and
// listeners are the user's code, which must not be called too early.
func Early(c *jobconfig.Config) bool {
	return c.Cron != "" && (c.Misfire || !c.MonitorExecution) && !view.Rotates(c) && len(c.ListenerTypes) == 0
}

// Schedule is the schedule of one job. Its methods may be called from any goroutine.
type Schedule struct {
	queue *timers.Queue
	timer *timers.Timer
	log   *slog.Logger

	mu      sync.Mutex
	cron    *quartz.Expression // nil if the job doesn't fire by itself
	zone    *time.Location
	stopped bool
	early   bool      // runs may get ready before their fire time
	next    time.Time // the fire time for which the timer is set
	taken   time.Time // the newest fire time for which a run was asked

	readied time.Time // the newest fire time for which a run got ready before it came
	shards  []int     // of that run
}

// New returns a schedule without fire times. fires is called when the timer goes off, and clockSet
// after the clock was set back, with the time that it shows then. They should call Take and Rearm.
func New(queue *timers.Queue, log *slog.Logger, fires, clockSet func(time.Time)) *Schedule {
	return &Schedule{queue: queue, log: log, timer: timers.NewCalendarTimer(fires, clockSet)}
}

// Set replaces the schedule, nil for none, and arms the timer.
func (s *Schedule) Set(cron *quartz.Expression, zone *time.Location) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cron, s.zone = cron, zone
	s.arm()
}

// AllowEarly sets whether runs may get ready early, from the next fire time on.
func (s *Schedule) AllowEarly(may bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early = may
}

// Stop ends the fire times until Resume and Set are called.
func (s *Schedule) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.queue.Stop(s.timer)
}

// Resume undoes Stop.
func (s *Schedule) Resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = false
}

// Current is the schedule as last read, nil if there is none or it can't be served.
func (s *Schedule) Current() (*quartz.Expression, *time.Location) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cron, s.zone
}

// Fires reports whether a time is one of the present schedule's.
func (s *Schedule) Fires(at time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fires(at)
}

func (s *Schedule) fires(at time.Time) bool {
	if s.cron == nil {
		return false
	}
	next, ok := s.cron.Next(at.Add(-time.Millisecond), s.zone)
	return ok && next.Equal(at)
}

// Come is the moment up to which the fire times have come for this instance: now, or the newest
// one for which the timer went off. That one has yet to come while a run waits for it, or again,
// if the clock was set back by less than what counts as set: no other run will be for it.
func (s *Schedule) Come() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.come()
}

func (s *Schedule) come() time.Time {
	now := s.queue.Now()
	if s.taken.After(now) && mayHaveCome(s.taken, now) {
		return s.taken
	}
	return now
}

// mayHaveCome reports whether a run may have got ready for a fire time by the clock as it is now.
// One further ahead came by a clock that was set back since, perhaps while the job couldn't be
// served and had no timer to notice.
func mayHaveCome(fire, now time.Time) bool {
	return !fire.After(now.Add(HeadStart + timers.ClockSet))
}

// arm sets the timer for the fire time after now, or after the one for which a run gets ready.
func (s *Schedule) arm() {
	if s.cron == nil || s.stopped {
		s.queue.Stop(s.timer)
		return
	}
	next, ok := s.cron.Next(s.come(), s.zone)
	if !ok {
		s.queue.Stop(s.timer)
		if _, until := s.cron.Window(); !until.IsZero() {
			s.log.Info("the schedule ends and has no further fire time", "cron", s.cron.String(), "until", until)
			return
		}
		s.log.Warn("the cron expression has no further fire time", "cron", s.cron.String())
		return
	}
	s.next = next
	if s.early {
		next = next.Add(-HeadStart)
	}
	s.queue.Set(s.timer, next)
}

// Rearm sets the timer again after the clock was set back. If serves, it also sets it for the
// newest fire time that has come since then: most likely a run was for it by the old time, but a
// shard that came here since then has missed it.
func (s *Schedule) Rearm(since time.Time, serves bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = time.Time{} // By the new time it may have yet to come.
	s.arm()
	if s.cron == nil || s.stopped || !serves {
		return
	}
	if at, come := firetime.Missed(s.cron, s.zone, s.queue.Now(), since); come {
		s.next = at
		s.queue.Set(s.timer, at)
	}
}

// Take takes the fire time for which the timer went off and arms it for the next one; early is
// set if the fire time has yet to come. If keep, such a fire time is kept until it comes, and
// taken is false.
func (s *Schedule) Take(keep bool) (at time.Time, early, taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at = s.next
	now := s.queue.Now()
	if early = now.Before(at); early && keep {
		s.queue.Set(s.timer, at)
		return at, true, false
	}
	if s.cron != nil && !early {
		if newest, come := firetime.Missed(s.cron, s.zone, now, at); come {
			at = newest // The clock was set forward, or the process stood still: one run serves for all.
		}
	}
	s.taken = at
	s.arm()
	return at, early, true
}

// Taken is the newest fire time that was taken.
func (s *Schedule) Taken() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// Keep sets the timer for a fire time whose run was given up before it came, most likely with the
// session. Another session may be there in time, and have the shards. Or the schedule is held,
// and may be released by then. It reports false if the time has come, or is none of the schedule
// any more.
func (s *Schedule) Keep(at time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.cron == nil || !s.queue.Now().Before(at) || !s.next.After(at) || !s.fires(at) {
		return false
	}
	s.next, s.taken = at, time.Time{} // No run is for it until then.
	s.queue.Set(s.timer, at)
	return true
}

// Ready notes that a run with these shards got ready for a fire time before it came.
func (s *Schedule) Ready(at time.Time, shards []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readied, s.shards = at, shards
}

// Overlooked returns those of the shards that a run has missed: it got ready before they were
// looked for, and its fire time was still to come then.
func (s *Schedule) Overlooked(shards []int, lookedAt time.Time) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !lookedAt.Before(s.readied) || !mayHaveCome(s.readied, s.queue.Now()) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(shards), func(n int) bool { return slices.Contains(s.shards, n) })
}
