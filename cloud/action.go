package cloud

import (
	"fmt"
	"slices"
	"time"
)

// Do is the kind of an [Action].
type Do string

const (
	DoLaunch   Do = "launch"   // launch Run
	DoPostpone Do = "postpone" // Times become pending
	DoMiss     Do = "miss"     // Count fire times from First to Last are missed
	DoMerge    Do = "merge"    // Count fire times are merged into a pending one, or skipped
	DoForget   Do = "forget"   // Times and Keys are no longer pending
	DoAdvance  Do = "advance"  // only move the cursor
	DoBegin    Do = "begin"    // start a new schedule at Cursor
	DoEnd      Do = "end"      // end Run by Way
	DoSuspends Do = "suspends" // runs will be suspended until the application is enabled
	DoResume   Do = "resume"   // resume Run
	DoSettled  Do = "settled"  // the change in Status.Running is done
)

// Action is one step for a job. A scheduler carries it out and then applies it to the job's status.
type Action struct {
	Do Do
	// Run is the name of the run for DoLaunch, DoEnd and DoResume.
	Run string
	// Fire and Origin are for DoLaunch. Request is nil unless it's a manual run.
	Fire    time.Time
	Origin  Origin
	Request *Request
	// Way is for DoEnd.
	Way Way
	// Times and Keys are the fire times and requests of DoPostpone and DoForget.
	Times []time.Time
	Keys  []string
	// Count, First and Last are for DoMiss and DoMerge. If AtLeast is set, there may be more than Count.
	Count       int
	First, Last time.Time
	AtLeast     bool
	// Until is the new Status.MakingUp for DoPostpone, zero to keep it.
	Until time.Time
	// Certain means for DoBegin that the stored data determine the cursor, so another scheduler
	// would choose the same. Otherwise the cursor starts now.
	Certain bool
	// Cursor is the new cursor, zero to keep it. Schedule produced the fire times up to it.
	Cursor   time.Time
	Schedule string

	Why string
}

// Durable reports whether the action must be stored before the next one is carried out. Any other
// action can be found again after a crash: a run by its name, the rest by planning again. Only the
// number of merged fire times may be too low, if a later one was launched first, because that run
// marks them as handled. We let a new job that begins at its creation fire without waiting for a
// write, because writing thousands of new jobs takes minutes.
func (a Action) Durable() bool {
	return a.Do == DoPostpone || a.Do == DoMiss || a.Do == DoForget || a.Do == DoBegin && !a.Certain || a.Do == DoSuspends || a.Do == DoSettled
}

// Apply updates a status for an action that was carried out. Applying it twice has no further
// effect, because the cursor shows which fire times were counted.
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
			s.MakingUp = time.Time{} // A run without waiting means that the job has caught up.
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
		s.Running = wayResume
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

// String returns one line for a log.
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
