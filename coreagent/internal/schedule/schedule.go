// Package schedule holds the current schedule of a job and the timer of its fire times.
//
//	none ──Set──▶ armed ──timer──▶ Take: taken ─▶ armed for the next one
//	  ▲             │  ▲              └─ Take(keep): the same again
//	  │             │  └── Keep: a run was given up before its fire time
//	  ├── Set(nil) ─┘
//	  └── Stop ──▶ stopped ──Resume──▶ none, until Set
//
// A run gets ready a [HeadStart] early if [Early] allows it, so that handlers start at their fire
// time: it looks up its shards, marks them, and waits for the rest of the time.
//
// # Guarantees
//
//   - A fire time is taken once. If several passed while the process was suspended or because the
//     clock was set forward, only the newest is taken.
//   - After the clock was set back, the timer fires at the next fire time by the new time, and
//     once more for the newest one that has come since.
//   - If a run got ready for a future fire time, its shards are known, so a shard that comes here
//     later can be made up for.
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

// HeadStart is how early a run gets ready.
const HeadStart = 250 * time.Millisecond

// Early reports whether runs of a job may get ready before their fire time. Misfire must be on,
// because a shard that comes here after the run has looked up its shards is made up for as a
// misfire. A rotating shard belongs to the instance that is next at the fire time. Listeners are
// user code that must not be called early.
func Early(c *jobconfig.Config) bool {
	return c.Cron != "" && (c.Misfire || !c.MonitorExecution) && !view.Rotates(c) && len(c.ListenerTypes) == 0
}

// Schedule is the schedule of one job. It's safe for concurrent use.
type Schedule struct {
	queue *timers.Queue
	timer *timers.Timer
	log   *slog.Logger

	mu      sync.Mutex
	cron    *quartz.Expression // nil if the job has no schedule
	zone    *time.Location
	stopped bool
	early   bool      // runs may get ready before their fire time
	next    time.Time // the fire time that the timer is set for
	taken   time.Time // the newest fire time that was taken

	readied time.Time // the newest fire time for which a run got ready early
	shards  []int     // of that run
}

// New returns a schedule without fire times. fires is called when the timer fires, and clockSet
// after the clock was set back, with the new time. They should call Take and Rearm.
func New(queue *timers.Queue, log *slog.Logger, fires, clockSet func(time.Time)) *Schedule {
	return &Schedule{queue: queue, log: log, timer: timers.NewCalendarTimer(fires, clockSet)}
}

// Set replaces the schedule and arms the timer. A nil cron means no schedule.
func (s *Schedule) Set(cron *quartz.Expression, zone *time.Location) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cron, s.zone = cron, zone
	s.arm()
}

// AllowEarly sets whether runs may get ready early from the next fire time on.
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

// Current returns the schedule as last read, or nil if there is none or it's invalid.
func (s *Schedule) Current() (*quartz.Expression, *time.Location) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cron, s.zone
}

// Fires reports whether a time is a fire time of the current schedule.
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

// Come returns the time up to which fire times have come for this instance: now, or the newest one
// for which the timer has fired. That one can be in the future while a run waits for it, or if the
// clock was set back slightly. No other run will be made for it.
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

// mayHaveCome reports whether a run may have got ready for a fire time, given the current time. If
// it's further ahead, the clock was set back, perhaps while the job wasn't served and had no timer
// to notice.
func mayHaveCome(fire, now time.Time) bool {
	return !fire.After(now.Add(HeadStart + timers.ClockSet))
}

// arm sets the timer for the next fire time after now, or after the fire time that a run is ready
// for.
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
// newest fire time since then. Most likely it already ran by the old time, but a shard that came
// here since has missed it.
func (s *Schedule) Rearm(since time.Time, serves bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = time.Time{} // It may be in the future again.
	s.arm()
	if s.cron == nil || s.stopped || !serves {
		return
	}
	if at, come := firetime.Missed(s.cron, s.zone, s.queue.Now(), since); come {
		s.next = at
		s.queue.Set(s.timer, at)
	}
}

// Take takes the fire time for which the timer has fired, and arms the timer for the next one.
// early is set if the fire time is in the future. If keep is set, such a fire time stays until it
// comes, and taken is false.
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
			at = newest // The clock was set forward or the process was suspended, so one run covers all.
		}
	}
	s.taken = at
	s.arm()
	return at, early, true
}

// Taken returns the newest fire time that was taken.
func (s *Schedule) Taken() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// Keep sets the timer for a fire time after its run was given up early, usually with the session. A
// new session may be ready in time and hold the shards, or a hold may be released by then. It
// reports false if the fire time has passed or is no longer in the schedule.
func (s *Schedule) Keep(at time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.cron == nil || !s.queue.Now().Before(at) || !s.next.After(at) || !s.fires(at) {
		return false
	}
	s.next, s.taken = at, time.Time{} // until then no run is made for it
	s.queue.Set(s.timer, at)
	return true
}

// Ready records that a run with these shards got ready for a future fire time.
func (s *Schedule) Ready(at time.Time, shards []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readied, s.shards = at, shards
}

// Overlooked returns the given shards that a run has missed, because it got ready before lookedAt,
// when its fire time was still in the future.
func (s *Schedule) Overlooked(shards []int, lookedAt time.Time) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !lookedAt.Before(s.readied) || !mayHaveCome(s.readied, s.queue.Now()) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(shards), func(n int) bool { return slices.Contains(s.shards, n) })
}
