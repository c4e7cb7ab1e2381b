package cloud

import (
	"fmt"
	"slices"
	"time"
)

// Do says what an action does.
type Do string

// What there is to do for a job.
const (
	DoLaunch   Do = "launch"   // a run
	DoPostpone Do = "postpone" // Times become pending
	DoMiss     Do = "miss"     // Count fire times from First to Last are made up for by nobody
	DoMerge    Do = "merge"    // Count fire times are merged into a pending one, or skipped
	DoForget   Do = "forget"   // Times and Keys are pending no more
	DoAdvance  Do = "advance"  // the cursor alone
	DoBegin    Do = "begin"    // fire times of a new schedule count from Cursor on
	DoEnd      Do = "end"      // Run ends by Way
	DoSuspends Do = "suspends" // runs are about to be suspended that go on when the application is enabled
	DoResume   Do = "resume"   // Run goes on
	DoSettled  Do = "settled"  // what Status.Running says is done
)

// Action is one thing to do for a job. A scheduler carries it out and then applies it to
// the status that it keeps.
type Action struct {
	Do Do
	// Run is the name of the run that DoLaunch, DoEnd and DoResume are about.
	Run string
	// Fire and Origin are those of DoLaunch. Request is what was asked for, nil if it is no
	// manual run.
	Fire    time.Time
	Origin  Origin
	Request *Request
	// Way is that of DoEnd.
	Way Way
	// Times and Keys are fire times and requests of DoPostpone and DoForget.
	Times []time.Time
	Keys  []string
	// Count, First and Last are those of DoMiss and DoMerge; AtLeast says that nobody
	// counted all of them.
	Count       int
	First, Last time.Time
	AtLeast     bool
	// Until is Status.MakingUp of DoPostpone, zero if it stays.
	Until time.Time
	// Certain says of DoBegin that its cursor follows from what is stored: another scheduler
	// would begin at the same time. Else it begins now.
	Certain bool
	// Cursor is where the cursor stands afterwards, zero if it stays. Schedule is what
	// made the fire times up to it.
	Cursor   time.Time
	Schedule string
	// Why says more, for people.
	Why string
}

// Durable reports whether the action must be in the store before the next one is carried
// out. Of all others, what is lost with the process is found again: a run by its name, the
// rest by planning again. Only the number of fire times that were merged comes out too low
// if a later one was launched before it was stored: its run says that they were judged.
// A new job that begins when it was made fires without waiting for a write: of thousands that
// are made at once, writing takes minutes.
func (a Action) Durable() bool {
	return a.Do == DoPostpone || a.Do == DoMiss || a.Do == DoForget || a.Do == DoBegin && !a.Certain || a.Do == DoSuspends || a.Do == DoSettled
}

// Apply makes of a status what it is once the action is carried out. Applying twice is
// applying once: what was counted has moved the cursor.
func (a Action) Apply(s *Status) {
	counted := !a.Cursor.After(s.LastFire)
	switch a.Do {
	case DoLaunch:
		if a.Request != nil {
			s.dropRequests(a.Request.Key)
		} else {
			s.dropPending(a.Fire)
		}
		if a.Origin == OriginCron {
			s.MakingUp = time.Time{} // It had not to wait: all are made up for.
		}
	case DoPostpone:
		for _, t := range a.Times {
			if !slices.ContainsFunc(s.Pending, t.Equal) {
				s.Pending = append(s.Pending, t)
			}
		}
		slices.SortFunc(s.Pending, time.Time.Compare)
		if !a.Until.IsZero() {
			s.MakingUp = a.Until
		}
	case DoMiss:
		if counted {
			break
		}
		s.Missed += int64(a.Count)
		s.MissedFirst, s.MissedLast = a.First, a.Last
	case DoMerge:
		if !counted {
			s.Merged += int64(a.Count)
		}
	case DoForget:
		s.dropPending(a.Times...)
		s.dropRequests(a.Keys...)
	case DoSuspends:
		s.Running = endResume
	case DoSettled:
		s.Running = ""
	}
	if a.Cursor.After(s.LastFire) {
		s.LastFire = a.Cursor
	}
	if !a.Cursor.IsZero() {
		s.Schedule = a.Schedule
	}
}

func (s *Status) dropPending(times ...time.Time) {
	s.Pending = slices.DeleteFunc(s.Pending, func(t time.Time) bool { return slices.ContainsFunc(times, t.Equal) })
}

func (s *Status) dropRequests(keys ...string) {
	s.Requests = slices.DeleteFunc(s.Requests, func(r Request) bool { return slices.Contains(keys, r.Key) })
}

// String is one line for a log.
func (a Action) String() string {
	text := string(a.Do)
	if a.Run != "" {
		text += " " + a.Run
	}
	if len(a.Times)+len(a.Keys) > 0 {
		text += fmt.Sprintf(" %d fire times, %d requests", len(a.Times), len(a.Keys))
	}
	if a.Count > 0 {
		text += fmt.Sprintf(" %d from %s to %s", a.Count, a.First.Format(time.RFC3339), a.Last.Format(time.RFC3339))
	}
	if a.Why != "" {
		text += ": " + a.Why
	}
	return text
}
