package tracing

import (
	"cmp"
	"strings"
	"time"
)

// RunRecorder is a [Recorder] that also keeps requested runs: what becomes of each, what
// their handlers log, and how far they are. An agent asks its Recorder for it by a type
// assertion; one that is none records executions and status rows alone. The rules of
// [Recorder] hold: no method blocks, and all may be called from any number of goroutines.
type RunRecorder interface {
	Recorder
	RecordRun(Run)
	RecordRunStep(RunStep)
	RecordLogLine(LogLine)
	RecordProgress(Progress)
}

// Bounds of what a history keeps of a requested run. What is longer is cut when it is
// recorded, but for parameters, which are left out.
const (
	MaxParams  = 64 << 10 // bytes
	MaxResult  = 16 << 10 // bytes
	MaxReason  = 300      // characters of a reason, and of the text beside a progress
	MaxNote    = 200      // characters of a note and of a key
	MaxLogLine = MaxText  // characters of a line of a log
	MaxActor   = 100      // characters of a name of who asked or did it
)

// Run is what became of a requested run so far. It is recorded each time that its state
// changes. The later state wins, in whatever order a sink gets them; see [Run.Order].
// What the request said, and one of the records lacks, is taken from the others.
type Run struct {
	// ID is at most 40 characters, unique. JobName is the job's.
	ID, JobName string
	// State is a word of jobrun.State: scheduled, queued, running, succeeded, failed,
	// cancelled, skipped or expired. Reason says why it ended so.
	State, Reason string
	// Origin says by what it was requested (code, page, api, cli, again, retry or
	// backfill), OriginName by whom.
	Origin, OriginName string
	// ParentID is the run that this one repeats, BackfillID the backfill it is a part of.
	ParentID, BackfillID string
	Key, Note            string
	// Params are the parameters, one JSON object, "" for none.
	Params string
	// FireTime is the fire time that it stands for, zero if it stands for none. Due is
	// when its present attempt may begin. Started and Ended are zero before it did.
	FireTime, Due, Submitted, Started, Ended time.Time
	// Attempt counts from 1. Retries is how many may follow the first.
	Attempt, Retries, Losses, Snoozes int
	// Returns is how often the run went back to the queue in the middle of an attempt, as
	// when its instance was stopped. It isn't stored, but see [Run.Order].
	Returns int
	// How many of its shards ended how.
	OK, Failed, Skipped int
	// Error has what the first shards failed with. Result has what shards returned: a
	// JSON object by the shards' numbers, "" if none did.
	Error, Result string
}

// Rank orders the states of one attempt: scheduled, queued, running, ended.
func (r Run) Rank() int {
	switch {
	case !r.Ended.IsZero():
		return endRank
	case r.State == "scheduled":
		return 1
	case r.State == "queued":
		return 2
	}
	return 3
}

// endRank is the rank of an end.
const endRank = 9

// Order is the greater the later a run is in the state: an end is later than anything
// else, an attempt later than those before it. Within an attempt a run may go back, by a
// snooze, a loss or an orderly stop, which are counted and come first; then a higher
// [Run.Rank], and the more shards have ended.
func (r Run) Order() int64 {
	order := int64(0)
	// Each is bounded so that none reaches into the next higher one.
	for _, part := range []struct{ value, base int }{
		{r.Attempt, 10_000}, {r.Losses + r.Snoozes + r.Returns, 100_000}, {r.Rank(), 10}, {r.OK + r.Failed + r.Skipped, 1_000_000},
	} {
		order = order*int64(part.base) + int64(min(max(part.value, 0), part.base-1))
	}
	if r.Rank() == endRank {
		order += 1 << 60
	}
	return order
}

// RunStep is one change of a run's state, for its page.
type RunStep struct {
	// ID is at most 40 characters, unique: a step that is recorded twice with one ID is
	// one. IDs of steps grow with time.
	ID string
	// RunID and JobName name the run, Attempt is the one that the step belongs to.
	RunID, JobName string
	Attempt        int
	At             time.Time
	// State is a word of jobrun.State, or "cancelling", or "lost".
	State string
	// Actor is who did it: the id of an instance, or who asked for it.
	Actor string
	// Message says more, "" for nothing more.
	Message string
}

// Compare orders the steps of a run as they came: by time, by attempt, and within the same
// millisecond by their states.
func (s RunStep) Compare(other RunStep) int {
	return cmp.Or(s.At.Compare(other.At), cmp.Compare(s.Attempt, other.Attempt), cmp.Compare(s.place(), other.place()), strings.Compare(s.ID, other.ID))
}

// place is that of a step's state among those of an attempt.
func (s RunStep) place() int {
	switch s.State {
	case "scheduled":
		return 1
	case "queued":
		return 2
	case "lost":
		return 4
	case "cancelling":
		return 5
	case "succeeded", "failed", "cancelled", "skipped", "expired":
		return 9
	}
	return 3 // It runs.
}

// LogLine is one line that the handler of a shard logged.
type LogLine struct {
	// ExecutionID and Seq are its key: the [Execution.ID] of the attempt at the shard, and
	// the line's number there from 1 on.
	ExecutionID    string
	Seq            int
	RunID, JobName string
	// Item is the shard's number, Attempt counts from 1.
	Item, Attempt int
	At            time.Time
	// Level is DEBUG, INFO, WARN or ERROR.
	Level   string
	Message string
}

// Progress says how far the handler of a shard is. There is one of an execution, and the
// last one counts.
type Progress struct {
	// ExecutionID is its key.
	ExecutionID    string
	RunID, JobName string
	Item, Attempt  int
	// Fraction is from 0 to 1.
	Fraction float64
	Message  string
	At       time.Time
}
