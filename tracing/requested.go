package tracing

import (
	"cmp"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// RunRecorder is a [Recorder] that also keeps requested runs: their states, log lines and progress.
// An agent looks for it with a type assertion; with another Recorder it only records executions and
// status rows. The rules of [Recorder] apply: no method blocks, and all are safe for concurrent use.
type RunRecorder interface {
	Recorder
	RecordRun(RunRecord)
	RecordRunStep(RunStep)
	RecordLogLine(LogLine)
	RecordProgress(Progress)
}

// Limits of the fields of a requested run. Longer texts are cut when they are recorded; parameters
// are left out instead.
const (
	MaxParams  = 64 << 10 // bytes
	MaxResult  = 16 << 10 // bytes
	MaxReason  = 300      // characters of a reason or a progress message
	MaxNote    = 200      // characters of a note or a key
	MaxLogLine = MaxText  // characters of a log line
	MaxActor   = 100      // characters of a user's name
)

// RunRecord is the state of a requested run. It is recorded at each change. The later state should
// win, no matter in which order a sink gets them; see [RunRecord.Order]. If a record lacks a detail
// of the request, another record supplies it.
type RunRecord struct {
	// ID is unique and has at most 40 characters.
	ID, JobName string
	State       jobrun.State
	// Reason explains the end.
	Reason string
	// Origin is the kind of the request: code, page, api, cli, again, retry or backfill. OriginName
	// names the requester.
	Origin, OriginName string
	// ParentID is the run that this run repeats. BackfillID is the backfill it belongs to.
	ParentID, BackfillID string
	Key, Note            string
	// Params is one JSON object, or "" if there are no parameters.
	Params string
	// FireTime is the run's fire time, zero if it has none. Due is when the current attempt may
	// start. Started and Ended are zero until the run starts and ends.
	FireTime, Due, Submitted, Started, Ended time.Time
	// Attempt counts from 1. Retries is how many attempts may follow the first.
	Attempt, Retries, Losses, Snoozes int
	// Returns counts how often the run went back to the queue during an attempt, for example
	// because its instance stopped. It isn't stored, but affects [RunRecord.Order].
	Returns int
	// OK, Failed and Skipped count shards by their outcome.
	OK, Failed, Skipped int
	// Error has the errors of the first failed shards. Result has the values that shards returned:
	// a JSON object keyed by shard number, or "".
	Error, Result string
}

// Rank orders the states of one attempt: scheduled, queued, running, ended.
func (r RunRecord) Rank() int {
	switch {
	case !r.Ended.IsZero():
		return endRank
	case r.State == jobrun.Scheduled:
		return 1
	case r.State == jobrun.Queued:
		return 2
	}
	return 3
}

const endRank = 9

// Order grows with the progress of a run: an ended run is later than any other, and an attempt is
// later than earlier attempts. Within an attempt a run may go back to the queue by a snooze, a loss or
// an orderly stop. The number of those counts first, then [RunRecord.Rank], then the number of ended shards.
func (r RunRecord) Order() int64 {
	order := int64(0)
	// The bounds keep a part from overflowing into the next higher part.
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

// RunStep is one change of a run's state, shown on the run's page.
type RunStep struct {
	// ID has at most 40 characters and grows with time. A step recorded twice with the same ID is stored once.
	ID string
	// Attempt is the attempt that the step belongs to.
	RunID, JobName string
	Attempt        int
	At             time.Time
	// State is one of a run's, or [jobrun.Cancelling] or [jobrun.Lost].
	State jobrun.State
	// Actor is the id of an instance, or the requester.
	Actor string
	// Message has details, or is "".
	Message string
}

// Compare orders the steps of a run by time, by attempt and, within a millisecond, by state.
func (s RunStep) Compare(other RunStep) int {
	return cmp.Or(s.At.Compare(other.At), cmp.Compare(s.Attempt, other.Attempt), cmp.Compare(s.place(), other.place()), strings.Compare(s.ID, other.ID))
}

// place orders the states within an attempt.
func (s RunStep) place() int {
	switch s.State {
	case jobrun.Scheduled:
		return 1
	case jobrun.Queued:
		return 2
	case jobrun.Lost:
		return 4
	case jobrun.Cancelling:
		return 5
	}
	if s.State.Ended() {
		return endRank
	}
	return 3 // running
}

// LogLine is one line logged by the handler of a shard.
type LogLine struct {
	// ExecutionID and Seq are the key. ExecutionID is the [Execution.ID] of the attempt. Seq is the
	// line's number, from 1.
	ExecutionID    string
	Seq            int
	RunID, JobName string
	// Item is the shard's number. Attempt counts from 1.
	Item, Attempt int
	At            time.Time
	Level         string
	Message       string
}

// Progress is how far the handler of a shard is. An execution has one, and the latest wins.
type Progress struct {
	// ExecutionID is the key.
	ExecutionID    string
	RunID, JobName string
	Item, Attempt  int
	Fraction       float64
	Message        string
	At             time.Time
}
