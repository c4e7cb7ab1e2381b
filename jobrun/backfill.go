package jobrun

import (
	"encoding/json"
	"time"
)

const (
	// MostBackfilled is the largest number of fire times in one backfill.
	MostBackfilled = 100_000
	// MostBackfillParallel is the largest Backfill.Parallel, and the default.
	MostBackfillParallel = 100
)

// Backfill requests a run for each past fire time of a job between two times, both included. The
// times are the cron expression's, without jitter.
type Backfill struct {
	From, To time.Time
	Params   json.RawMessage // of each run: one JSON object, or empty
	// Parallel is how many of its runs may be queued or running at the same time; 0 means 100. The
	// next one is requested when one has ended. Every shard takes part in each run, so runs of one
	// job never overlap. A small number lets other requested runs of the job run in between.
	Parallel int
	By       By
}

// BackfillPlan is a preview of a backfill.
type BackfillPlan struct {
	// Times are the fire times, oldest first.
	Times []time.Time
	// Refused are the first 1,000 times of the cron expression that the job's schedule leaves out.
	// RefusedCount is the number of all of them.
	Refused      []RefusedTime
	RefusedCount int
	// ZoneAssumed means that the job doesn't name a zone. Its agents use their own, and the preview
	// uses this process's zone.
	ZoneAssumed bool
}

// RefusedTime is a time without a run in a backfill.
type RefusedTime struct {
	At time.Time
	// Property is the reason: schedule.from, schedule.until or schedule.exclude.
	Property string
}

// BackfillProgress is a backfill and the progress of its runs.
type BackfillProgress struct {
	ID        string
	State     State // Queued until its first run has begun, Running until its last run has ended
	Requested time.Time
	Ended     time.Time // zero until an agent has recorded the end
	By        By
	From, To  time.Time
	Params    json.RawMessage
	Parallel  int
	Total     int // number of fire times
	// Runs counts fire times by the state of their run, and adds up to Total. A fire time is Queued
	// until its run begins, and while the run waits for another attempt. Cancelled includes fire
	// times without a run because the backfill was cancelled. An Unknown run has ended, but its
	// outcome was removed and not counted.
	Runs map[State]int
	// Next is the first fire time with a waiting run, or zero.
	Next time.Time
	// Problem is why the next run can't be requested, or empty. An agent retries every few seconds.
	Problem string
	Cancel  *Cancel // nil unless it was cancelled
}
