package jobrun

import (
	"encoding/json"
	"time"
)

const (
	// MostBackfilled is how many fire times one backfill may have.
	MostBackfilled = 100_000
	// MostBackfillParallel is the largest Backfill.Parallel, and what it is if it isn't set.
	MostBackfillParallel = 100
)

// Backfill asks for a run for each fire time of a job between two moments that are past,
// both included. The times are those of the cron expression: no jitter puts them off.
type Backfill struct {
	From, To time.Time
	Params   json.RawMessage // of each run: one JSON object, or nothing
	// Parallel is how many of its runs may be queued or running at the same time; 0 is 100. The next
	// one is requested when one of them has ended. As every shard takes part in each run, runs of one
	// job never overlap: a small number lets other requested runs of the job go in between.
	Parallel int
	By       By
}

// BackfillPlan is what a backfill would do.
type BackfillPlan struct {
	// Times are the fire times, the oldest first.
	Times []time.Time
	// Refused are times of the cron expression that the job's schedule leaves out, the
	// first 1,000 of them; RefusedCount is how many there are.
	Refused      []RefusedTime
	RefusedCount int
	// ZoneAssumed says that the job names no zone: its agents use their own, and the times
	// are by that of this process.
	ZoneAssumed bool
}

// RefusedTime is a time for which a backfill makes no run.
type RefusedTime struct {
	At time.Time
	// Property says why: schedule.from, schedule.until or schedule.exclude.
	Property string
}

// BackfillProgress is a backfill, and what became of its runs.
type BackfillProgress struct {
	ID        string
	State     State // Queued until its first run has begun, Running until its last run has ended
	Requested time.Time
	Ended     time.Time // zero until an agent has noted the end
	By        By
	From, To  time.Time
	Params    json.RawMessage
	Parallel  int
	Total     int // fire times
	// Runs counts the fire times by the state of their run, so it adds up to Total. A fire time is
	// Queued until its run begins, and while the run waits for another attempt. Cancelled includes
	// fire times without a run because the backfill was cancelled. An Unknown run has ended, but its
	// outcome was removed and not counted.
	Runs map[State]int
	// Next is the first fire time with a run that waits; zero without one.
	Next time.Time
	// Problem is why the next run can't be requested; empty if it can. An agent tries again every
	// few seconds.
	Problem string
	Cancel  *Cancel // nil unless it was cancelled
}
