package jobrun

import (
	"encoding/json"
	"time"
)

// State is what became of a run so far.
type State string

// The states. A run begins scheduled or queued, and ends in one of the last five.
const (
	Scheduled State = "scheduled" // it waits for a time
	Queued    State = "queued"    // its time has come
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Cancelled State = "cancelled"
	Skipped   State = "skipped"
	Expired   State = "expired"
	Unknown   State = "unknown" // it ended in a way that only a later version knows, or that wasn't recorded
)

// States are all known states, in the order in which a run can have them.
var States = []State{Scheduled, Queued, Running, Succeeded, Failed, Cancelled, Skipped, Expired}

// Ended reports whether a run in this state never changes again.
func (s State) Ended() bool {
	return s == Succeeded || s == Failed || s == Cancelled || s == Skipped || s == Expired || s == Unknown
}

// Overlap says what becomes of a run whose time comes while another one is under way.
type Overlap string

// The policies. They hold for the whole fleet.
const (
	OverlapQueue  Overlap = "queue"  // it waits; one after the other
	OverlapOne    Overlap = "one"    // one may wait, further ones are skipped
	OverlapSkip   Overlap = "skip"   // it is skipped
	OverlapCancel Overlap = "cancel" // the oldest one under way is cancelled, and this one follows
)

// By says who asked for a run, and from where.
type By struct {
	Kind string `json:"kind,omitempty"` // code, page, api, cli, again, backfill or retry
	Name string `json:"name,omitempty"` // a person or a program
	From string `json:"from,omitempty"`
}

// Request is what somebody asks for. Its zero value is a run at once, of every shard that
// takes part, without parameters.
type Request struct {
	Params    json.RawMessage // one JSON object of at most 64 KiB, or nothing
	Delay     time.Duration   // or NotBefore; at most 365 days ahead
	NotBefore time.Time
	Shards    []int         // nil is all; only where each shard takes part
	Key       string        // of two requests with the same key the second one is the first one's run
	KeyFor    time.Duration // remembered so long after the end; 0 is ten minutes, negative until the end
	Overlap   Overlap       // "" is the job's
	Expiry    time.Duration // given up if it has not begun so long after its time; 0 is the job's, negative never
	FireTime  time.Time     // the fire time that the run stands for
	Manual    bool          // a person asks: it begins although the job is held
	Note      string        // for operators, one line of at most 200 characters
	Parent    string        // the run that this one repeats
	Backfill  string        // the backfill that this run is a part of
	Attempt   int           // 0 is the first
	By        By
}

// Ticket is what came of a request.
type Ticket struct {
	ID       string
	Due      time.Time
	Repeated bool   // the key was known: this is the earlier run
	Warning  string // nobody is there to run it; "" if somebody is
}

// Claim says which instance works at a shard of a run, and since when.
type Claim struct {
	Instance string
	Since    time.Time
}

// Cancel says who wanted a run to end, when and why.
type Cancel struct {
	By     string
	At     time.Time
	Reason string
}

// Schedule reports whether fire times pass without a run.
func (h Hold) Schedule() bool { return h.What == "schedule" || h.What == "all" }

// Run is a run as the registry has it.
type Run struct {
	ID        string
	State     State
	Reason    string // why it ended so
	Submitted time.Time
	Due       time.Time
	Began     time.Time // zero if no handler has begun
	Ended     time.Time // zero before the end
	Expires   time.Time // zero for never
	Attempt   int       // from 1
	Retries   int       // attempts after the first; not of a run that has ended
	Losses    int
	Snoozes   int
	Assign    string // each or one
	By        By
	Key, Note string
	Parent    string
	// Params are the parameters, one JSON object. Of a run that has ended they are kept
	// if they have at most 1 KiB; HasParams says that there were any.
	Params    json.RawMessage
	HasParams bool
	Shards    []int // that were asked for, nil for all
	Total     int   // shards that take part; 0 before it begins
	// The shards by what became of them. Of a run that has ended only those that failed
	// or were cancelled are known, if they are not too many.
	OK, Failed, Skipped, Cut, Waiting []int
	Claims                            map[int]Claim
	// How many more there are, of a run that has ended.
	CountOK, CountFailed, CountSkipped, CountCut int
	Errors                                       map[int]string // of the first shards that failed
	Results                                      map[int]json.RawMessage
	Cancelled                                    *Cancel
	// Wait is why it hasn't begun, where that was asked for.
	Wait Wait
}

// Counts are how many shards of a run have ended, by how they ended. Once the run has ended,
// they add up to its Total.
type Counts struct{ OK, Failed, Skipped, Cut int }

// Counts counts the shards that have ended: those that are known by their number and the
// others.
func (r Run) Counts() Counts {
	return Counts{len(r.OK) + r.CountOK, len(r.Failed) + r.CountFailed, len(r.Skipped) + r.CountSkipped, len(r.Cut) + r.CountCut}
}

// List is one look at the runs of a job. Of those that wait and those that have ended at
// most so many were read as was asked for.
type List struct {
	Active  []Run
	Waiting []Run // by their time
	Ended   []Run // the last first
	// How many there are, those that were not read included.
	WaitingCount, EndedCount int
}

// Waiting says which of the runs of a job that wait are meant.
type Waiting struct {
	// States are Scheduled, Queued or both; none is both.
	States []State
	// Most is how many of them at most, those of the earliest time first.
	Most int
}

// CancelledRuns are the runs that one action has cancelled.
type CancelledRuns struct {
	IDs []string
	// Left is how many waited besides, beyond the most that were to be cancelled.
	Left int
}

// Schema says what parameters a job takes. Its zero value is anything.
type Schema struct {
	Text json.RawMessage // a subset of JSON Schema 2020-12, see docs/runs.md
	By   string          // the instance that wrote it
	At   time.Time
}

// Hold says what of a job stands still, and who wanted that.
type Hold struct {
	What   string // schedule, requests or all
	By     string
	At     time.Time
	Reason string
}
