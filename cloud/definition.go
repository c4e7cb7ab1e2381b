package cloud

import (
	"encoding/json"
	"slices"
	"time"
)

// Kind says what a store has under a name.
type Kind string

// The kinds.
const (
	KindApp Kind = "app"
	KindJob Kind = "job"
)

// Definition is a job as a store has it: what people have written, and what schedulers
// keep beside it.
type Definition struct {
	Job Job
	// UID is another one when the job was deleted and made again.
	UID string
	// Created is when it was made, Changed when Job last changed; zero if unknown.
	Created, Changed time.Time
	// Version is the store's, for the compare-and-set of a caller's own.
	Version string
	// Revision grows with every change of the job, its Status included, and over a deletion
	// and a new creation: of two reports the one with the greater Revision is the newer.
	Revision int64
	Status   Status
}

// Clone returns a deep copy.
func (d Definition) Clone() Definition {
	d.Job, d.Status = d.Job.Clone(), d.Status.Clone()
	return d
}

// SetDisabled switches the job off or on, and says what becomes of its runs that go on:
// EndKill, EndSuspend, or empty to let them finish. What was pending is forgotten when it
// is switched off, and nothing is made up for of what passed until it is switched on. A
// scheduler carries it out.
func (d *Definition) SetDisabled(disabled bool, running Way, now time.Time) {
	d.Status.Running = running
	if !disabled {
		d.Status.Running = endResume
	}
	if d.Job.Disabled == disabled {
		return
	}
	d.Job.Disabled = disabled
	d.Status.Pending, d.Status.Requests = nil, nil
	if !disabled && now.After(d.Status.LastFire) {
		d.Status.LastFire = now
	}
}

// Status is what schedulers keep of a job. It is theirs to write; only requests are
// appended by others.
type Status struct {
	// LastFire is the cursor: fire times up to it are settled. It is written late, so
	// that the true cursor is the later of it and the newest run's fire time.
	LastFire time.Time `json:"lastFireTime,omitzero"`
	// Schedule is what made the fire times when LastFire was written, of
	// [Schedule.Fingerprint]. Another schedule has other fire times, which count from the
	// change on.
	Schedule string `json:"schedule,omitempty"`
	// Pending are fire times that came while they could not run, the oldest first. At
	// most [Job.PendingMax].
	Pending []time.Time `json:"pending,omitempty"`
	// MakingUp is until when fire times are made up for that would have run in time: until
	// then, or until all are, those that come meanwhile wait behind them, instead of being
	// merged or skipped.
	MakingUp time.Time `json:"makingUpUntil,omitzero"`
	// Requests are manual runs that were not launched yet, in the order of the requests.
	Requests []Request `json:"pendingManual,omitempty"`
	// Missed counts fire times that nobody made up for, Merged those that were merged
	// into a pending one or skipped because a run went on.
	Missed int64 `json:"missedTotal,omitempty"`
	Merged int64 `json:"coalescedTotal,omitempty"`
	// MissedFirst and MissedLast are the bounds of the last series that was missed.
	MissedFirst time.Time `json:"missedFirst,omitzero"`
	MissedLast  time.Time `json:"missedLast,omitzero"`
	// Running is what is to become of runs that go on: of [Definition.SetDisabled].
	Running Way `json:"running,omitempty"`
	// LastRun is the newest run that has ended.
	LastRun LastRun `json:"lastRun,omitzero"`
	// Conditions say why the job does not fire, and more. At most one of a type.
	Conditions []Condition `json:"conditions,omitempty"`
}

// Clone returns a deep copy.
func (s Status) Clone() Status {
	s.Pending, s.Conditions = slices.Clone(s.Pending), slices.Clone(s.Conditions)
	s.Requests = slices.Clone(s.Requests)
	for i, r := range s.Requests {
		s.Requests[i].Shards, s.Requests[i].Parameters = slices.Clone(r.Shards), slices.Clone(r.Parameters)
	}
	return s
}

// LastRun is how a run ended.
type LastRun struct {
	Name  string    `json:"name"`
	State RunState  `json:"state"`
	Ended time.Time `json:"ended"`
}

// Request is a manual run that somebody asked for.
type Request struct {
	// Key is the idempotency key, 1 to 200 characters: two requests with one key are one
	// run. A caller without one makes up a random one.
	Key string `json:"key"`
	// Asked is when, NotBefore the earliest moment of the launch; zero for at once.
	Asked     time.Time `json:"asked"`
	NotBefore time.Time `json:"notBefore,omitzero"`
	// Shards in ascending order, nil for all.
	Shards     []int           `json:"shards,omitempty"`
	Parameters json.RawMessage `json:"parameters,omitempty"`
	By         string          `json:"by,omitempty"`
}

// Types of conditions.
const (
	// ConditionAccepted is false if the job can never fire as it is.
	ConditionAccepted = "Accepted"
	// ConditionFires is false if it does not fire at present.
	ConditionFires = "Fires"
	// ConditionHealthy says how the last run ended, or whether all processes of a DAEMON job
	// work.
	ConditionHealthy = "Healthy"
)

// Reasons of conditions.
const (
	ReasonNameTaken     = "NameTaken"
	ReasonInvalid       = "Invalid"
	ReasonAppMissing    = "AppMissing"
	ReasonNameCollision = "NameCollision"
	ReasonDisabled      = "Disabled"
	ReasonForbidden     = "Forbidden"
	ReasonRefused       = "Refused"
	ReasonLastRun       = "LastRun"
	// ReasonProcesses is about the processes of a DAEMON job.
	ReasonProcesses = "Processes"
)

// Condition says in what shape a job is. Its fields are those of Kubernetes' conditions.
type Condition struct {
	Type    string    `json:"type"`
	OK      bool      `json:"ok"`
	Reason  string    `json:"reason"`
	Message string    `json:"message,omitempty"`
	Since   time.Time `json:"since,omitzero"`
}

// SetCondition puts c in the place of the one of its type and reports whether that
// changed anything. Since is kept as long as OK stays.
func (s *Status) SetCondition(c Condition) bool {
	for i, old := range s.Conditions {
		if old.Type != c.Type {
			continue
		}
		if old.OK == c.OK {
			c.Since = old.Since
		}
		s.Conditions[i] = c
		return old.OK != c.OK || old.Reason != c.Reason || old.Message != c.Message
	}
	s.Conditions = append(s.Conditions, c)
	return true
}

// Condition returns the one of a type.
func (s Status) Condition(kind string) (Condition, bool) {
	for _, c := range s.Conditions {
		if c.Type == kind {
			return c, true
		}
	}
	return Condition{}, false
}
