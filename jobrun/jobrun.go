package jobrun

import (
	"encoding/json"
	"time"
)

// State is the state of a run.
type State string

// The states. A run begins scheduled or queued, and ends in one of the last five.
const (
	Scheduled State = "scheduled" // waits for its time
	Queued    State = "queued"    // its time has come
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
	Skipped   State = "skipped"
	Expired   State = "expired"
	Unknown   State = "unknown" // ended in an unrecorded way, or as only a later version knows
)

// Lost isn't a state of a run, but a step of its history: an instance lost its session while it
// worked on the run. Cancelling is another: its handlers were asked to return.
const (
	Lost       State = "lost"
	Cancelling State = "cancelling"
)

// States are all known states, in the order in which a run can have them.
var States = []State{Scheduled, Queued, Running, Succeeded, Failed, Cancelled, Skipped, Expired}

// Ended reports whether a run in this state never changes again.
func (s State) Ended() bool {
	return s == Succeeded || s == Failed || s == Cancelled || s == Skipped || s == Expired || s == Unknown
}

// Overlap is the policy for a run that becomes due during another one.
type Overlap string

// The policies. They apply across all instances.
const (
	OverlapQueue  Overlap = "queue"  // waits; one after the other
	OverlapOne    Overlap = "one"    // one may wait, further ones are skipped
	OverlapSkip   Overlap = "skip"   // is skipped
	OverlapCancel Overlap = "cancel" // the oldest current run is cancelled, and this one follows
)

// Assign decides which shards of a job take part in a run.
type Assign string

// The ways to assign.
const (
	AssignEach Assign = "each" // every shard, as in ElasticJob
	AssignOne  Assign = "one"  // one free shard, so several runs are active at once
)

// By is the origin of a request.
type By struct {
	Kind string `json:"kind,omitempty"` // code, page, api, cli, again, backfill or retry
	Name string `json:"name,omitempty"` // a person or a program
	From string `json:"from,omitempty"`
}

// Request is a request for a run. The zero value runs every shard at once, without parameters.
type Request struct {
	Params    json.RawMessage // one JSON object of at most 64 KiB, or empty
	Delay     time.Duration   // or NotBefore; at most 365 days ahead
	NotBefore time.Time
	Shards    []int         // nil means all; only if each shard takes part
	Key       string        // a second request with the same key returns the first one's run
	KeyFor    time.Duration // how long the key is kept after the end; 0 means ten minutes, negative only until the end
	Overlap   Overlap       // "" means the job's
	Expiry    time.Duration // the run expires if it hasn't begun this long after its time; 0 means the job's, negative never
	FireTime  time.Time     // the fire time that the run belongs to
	Manual    bool          // requested by a person: begins although the job is held
	Note      string        // for operators, one line of at most 200 characters
	Parent    string        // the repeated run
	Backfill  string        // the backfill of the run
	Attempt   int           // 0 means the first
	By        By
}

// Ticket is the result of a request.
type Ticket struct {
	ID       string
	Due      time.Time
	Repeated bool // the key was known, so this is the earlier run
	// Wait is [WaitNoProcess] if no process serves the job now, and otherwise empty.
	Wait WaitCode
}

// Claim is an instance's claim of a shard of a run.
type Claim struct {
	Instance string
	Since    time.Time
}

// Cancel is the origin of a cancel.
type Cancel struct {
	By     string
	At     time.Time
	Reason string
}

// Run is a run in the registry.
type Run struct {
	ID        string
	State     State
	Reason    string // reason for its end
	Submitted time.Time
	Due       time.Time
	Began     time.Time // zero until a handler begins
	Ended     time.Time // zero until the end
	Expires   time.Time // zero if it doesn't expire
	Attempt   int       // from 1
	Retries   int       // attempts after the first; unknown for an ended run
	Losses    int
	Snoozes   int
	Assign    Assign
	By        By
	Key, Note string
	Parent    string
	// Params are the parameters, one JSON object. An ended run keeps them if they have at most 1
	// KiB. HasParams is true if there were any.
	Params    json.RawMessage
	HasParams bool
	Shards    []int // requested shards, nil for all
	Total     int   // participating shards; 0 before it begins
	// The shards by result. An ended run only has the failed and cancelled ones, and only if there
	// aren't too many.
	OK, Failed, Skipped, Cut, Waiting []int
	Claims                            map[int]Claim
	// The number of further shards of an ended run.
	CountOK, CountFailed, CountSkipped, CountCut int
	Errors                                       map[int]string // of the first failed shards
	Results                                      map[int]json.RawMessage
	Cancelled                                    *Cancel
	// Wait is why it hasn't begun. It's only set if requested.
	Wait Wait
}

// Counts are the numbers of a run's shards by result in this attempt. Pending shards work, wait, or
// were snoozed. The sum is the run's Total, which is 0 while it's scheduled or queued. At the end
// of a run no shard is pending: a snoozed one counts as cancelled.
type Counts struct{ OK, Failed, Skipped, Cancelled, Pending int }

// Counts counts the shards, including the ended ones without a known number.
func (r Run) Counts() Counts {
	c := Counts{
		OK: len(r.OK) + r.CountOK, Failed: len(r.Failed) + r.CountFailed,
		Skipped: len(r.Skipped) + r.CountSkipped, Cancelled: len(r.Cut) + r.CountCut,
	}
	c.Pending = max(r.Total-c.OK-c.Failed-c.Skipped-c.Cancelled, 0)
	return c
}

// List is a snapshot of a job's runs. The caller should limit the waiting and ended runs that are
// read, because there may be thousands.
type List struct {
	Active  []Run
	Waiting []Run // by time
	Ended   []Run // newest first
	// The total numbers, including unread runs.
	WaitingCount, EndedCount int
}

// Waiting selects some of a job's waiting runs.
type Waiting struct {
	// States are Scheduled, Queued or both. Empty means both.
	States []State
	// Most is the highest number of runs, earliest first.
	Most int
}

// CancelledRuns are the runs cancelled by one action.
type CancelledRuns struct {
	IDs []string
	// Left is the number of other waiting runs, beyond the limit of the action.
	Left int
}

// Schema describes the job's parameters. The zero value allows anything.
type Schema struct {
	Text json.RawMessage // a subset of JSON Schema 2020-12, see docs/runs.md
	By   string          // the instance that wrote it
	At   time.Time
}

// Held is the part of a job that a hold stops.
type Held string

// The parts. The zero value means that nothing is held.
const (
	HeldSchedule Held = "schedule" // fire times pass
	HeldRequests Held = "requests" // requested runs don't begin, unless a person requested them
	HeldAll      Held = "all"
)

// Schedule reports whether fire times pass without a run.
func (h Held) Schedule() bool { return h == HeldSchedule || h == HeldAll }

// Hold is a hold of a job with its origin.
type Hold struct {
	What   Held
	By     string
	At     time.Time
	Reason string
}
