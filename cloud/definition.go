package cloud

import (
	"encoding/json"
	"slices"
	"time"
)

// Kind is the type of an object in a store.
type Kind string

// The kinds.
const (
	KindApp Kind = "app"
	KindJob Kind = "job"
)

// Definition is a job in a store: its configuration and the status kept by schedulers.
type Definition struct {
	Job Job
	// UID changes if the job is deleted and created again.
	UID string
	// Created is when the job was created, and Changed when Job last changed; zero if unknown.
	Created, Changed time.Time
	// Version is the store's, for compare-and-set by the caller.
	Version string
	// Revision grows with every change of the job and its Status, even across deletion and
	// recreation. Of two reports, the one with the greater Revision is newer.
	Revision int64
	Status   Status
}

// Clone returns a deep copy.
func (d Definition) Clone() Definition {
	d.Job, d.Status = d.Job.Clone(), d.Status.Clone()
	return d
}

// SetDisabled switches the job off or on. running decides about its active runs: EndKill,
// EndSuspend, or empty to let them finish. Switching off drops all pending fire times and requests,
// and fire times until it's switched on are never made up for. A scheduler carries it out.
func (d *Definition) SetDisabled(disabled bool, running Way, now time.Time) {
	d.Status.Running = running
	if !disabled {
		d.Status.Running = wayResume
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

// Status is a job's state. Only schedulers write it, except that others may append requests.
type Status struct {
	// LastFire is the cursor: fire times up to it are settled. It's written late, so the true
	// cursor is the later of LastFire and the newest run's fire time.
	LastFire time.Time `json:"lastFireTime,omitzero"`
	// Schedule is the [Schedule.Fingerprint] when LastFire was written. A different schedule starts
	// at its change.
	Schedule string `json:"schedule,omitempty"`
	// Pending are fire times that could not run yet, oldest first, at most [Job.PendingMax].
	Pending []time.Time `json:"pending,omitempty"`
	// MakingUp is the end of a catch-up phase after a delay, for example by a change of the leader. Until
	// then, or until the job has caught up, new fire times wait in Pending instead of being merged or skipped.
	MakingUp time.Time `json:"makingUpUntil,omitzero"`
	// Requests are manual runs that were not launched yet, in order.
	Requests []Request `json:"pendingManual,omitempty"`
	// Missed counts fire times that never ran. Merged counts fire times merged into a pending one,
	// or skipped because a run was active.
	Missed int64 `json:"missedTotal,omitempty"`
	Merged int64 `json:"coalescedTotal,omitempty"`
	// MissedFirst and MissedLast are the limits of the last missed series.
	MissedFirst time.Time `json:"missedFirst,omitzero"`
	MissedLast  time.Time `json:"missedLast,omitzero"`
	// Running decides about active runs; see [Definition.SetDisabled].
	Running Way `json:"running,omitempty"`
	// LastRun is the newest run that has ended.
	LastRun LastRun `json:"lastRun,omitzero"`
	// Conditions explain for example why the job doesn't fire. There's at most one per type.
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

// LastRun is the result of a run.
type LastRun struct {
	Name  string    `json:"name"`
	State RunState  `json:"state"`
	Ended time.Time `json:"ended"`
}

// Request is a request for a manual run.
type Request struct {
	// Key is the idempotency key, 1 to 200 characters. Two requests with the same key make one run. A caller without
	// a key should make up a random one, because we can't recognize a repeated request otherwise.
	Key string `json:"key"`
	// Asked is the time of the request. NotBefore is the earliest launch, zero for at once.
	Asked     time.Time `json:"asked"`
	NotBefore time.Time `json:"notBefore,omitzero"`
	// Shards are in ascending order, nil for all.
	Shards     []int           `json:"shards,omitempty"`
	Parameters json.RawMessage `json:"parameters,omitempty"`
	By         string          `json:"by,omitempty"`
}

const (
	// ConditionAccepted is false if the job can never fire with this configuration.
	ConditionAccepted = "Accepted"
	// ConditionFires is false if the job doesn't fire at present.
	ConditionFires = "Fires"
	// ConditionHealthy is about the last run, or the processes of a DAEMON job.
	ConditionHealthy = "Healthy"
)

const (
	ReasonNameTaken     = "NameTaken"
	ReasonInvalid       = "Invalid"
	ReasonAppMissing    = "AppMissing"
	ReasonNameCollision = "NameCollision"
	ReasonDisabled      = "Disabled"
	ReasonForbidden     = "Forbidden"
	ReasonRefused       = "Refused"
	ReasonLastRun       = "LastRun"
	ReasonProcesses     = "Processes"
)

// Condition describes one aspect of a job, with the fields of a Kubernetes condition.
type Condition struct {
	Type    string    `json:"type"`
	OK      bool      `json:"ok"`
	Reason  string    `json:"reason"`
	Message string    `json:"message,omitempty"`
	Since   time.Time `json:"since,omitzero"`
}

// SetCondition replaces the condition of the same type and reports whether anything changed. Since
// is kept as long as OK stays the same.
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

// Condition returns the condition of a type.
func (s Status) Condition(kind string) (Condition, bool) {
	for _, c := range s.Conditions {
		if c.Type == kind {
			return c, true
		}
	}
	return Condition{}, false
}
