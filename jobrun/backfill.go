package jobrun

import (
	"encoding/json"
	"time"
)

// MostBackfilled is how many fire times one backfill may have.
const MostBackfilled = 1000

// Backfill asks for a run for each fire time of a job between two moments that are past,
// both included. The times are those of the cron expression: no jitter puts them off.
type Backfill struct {
	From, To time.Time
	Params   json.RawMessage // of each run: one JSON object, or nothing
	By       By
}

// BackfillPlan is what a backfill would do.
type BackfillPlan struct {
	// Times are the fire times, the oldest first.
	Times []time.Time
	// Refused are times of the cron expression that the job's schedule leaves out, the
	// first of them; RefusedCount is how many there are.
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

// BackfillResult is what a backfill has done. Repeated are the fire times that an earlier
// one with the same parameters has made a run for.
type BackfillResult struct {
	ID                string
	Created, Repeated int
}
