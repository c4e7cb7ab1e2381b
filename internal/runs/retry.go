package runs

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

const defaultMostWait = time.Hour

// retry returns the request for a run's next attempt, with its failed and snoozed shards. Without a
// failure the attempt number stays.
func retry(r jobtree.RunRecord, now time.Time) jobtree.RunRequest {
	again := r.RunRequest
	due := now.UnixMilli()
	if len(r.Failed) > 0 {
		wait := backoff(r.RunRequest)
		again.Attempt++
		if wait == 0 {
			due = r.Due + 1 // It keeps its first place under another name.
		} else {
			due += wait.Milliseconds()
		}
		if r.After > 0 {
			due = r.After
		}
	} else {
		again.Snoozes++
	}
	for _, until := range r.Snoozed {
		due = max(due, until)
	}
	again = waitUntil(again, due, now)
	if r.Assign == jobrun.AssignOne && len(r.Failed) > 0 {
		again.FailedBefore = r.Failed
	}
	if r.Assign == jobrun.AssignOne {
		return again // Any shard may take it.
	}
	again.Shards = r.Failed.With(slices.Collect(maps.Keys(r.Snoozed))...)
	failed := r.FailedBefore.With(r.Failed...)
	again.FailedBefore = slices.DeleteFunc(failed, func(n int) bool { return !again.Shards.Has(n) })
	again.SoFar = nil
	if len(r.OK)+len(r.Skipped) > 0 {
		results := maps.Clone(r.Results)
		maps.DeleteFunc(results, func(n int, _ jobtree.RunResult) bool { return again.Shards.Has(n) })
		again.SoFar = &jobtree.RunSoFar{OK: r.OK, Skipped: r.Skipped, Results: firstResults(results)}
	}
	return again
}

// waitUntil makes a run wait again until due. It gets its whole expiry time again, because the time
// it ran must not count. The retry of a fire time expires at the next fire time however often it
// waits.
func waitUntil(r jobtree.RunRequest, due int64, now time.Time) jobtree.RunRequest {
	if r.Expires > 0 && !ofFireTime(r) {
		if r.Expiry == 0 {
			r.Expiry = r.Expires - r.Due
		}
		r.Expires = max(due, now.UnixMilli()) + r.Expiry
	}
	r.Due = due
	return r
}

// Wait returns the wait after a failed attempt. It doubles after each and varies by a tenth, so
// that runs that failed together don't retry together.
func Wait(s Settings, attempt int) time.Duration {
	return backoff(jobtree.RunRequest{Backoff: s.Backoff.Milliseconds(), MostWait: s.MostWait.Milliseconds(), Attempt: attempt})
}

func backoff(r jobtree.RunRequest) time.Duration {
	wait := backoffOf(r)
	if wait == 0 {
		return 0
	}
	return wait*9/10 + rand.N(wait/5+1)
}

func backoffOf(r jobtree.RunRequest) time.Duration {
	wait, most := time.Duration(r.Backoff)*time.Millisecond, time.Duration(r.MostWait)*time.Millisecond
	if most <= 0 {
		most = defaultMostWait
	}
	if wait <= 0 {
		return 0
	}
	return max(min(wait<<min(r.Attempt-1, 20), most), 0)
}

// ofFireTime reports whether a run is the retry of a fire time.
func ofFireTime(r jobtree.RunRequest) bool { return r.By.Kind == ByRetry && r.Fire != 0 }

// Last reports whether a failure of the current attempt is final. after is the wait
// that the handler asked for, 0 for the back-off.
func Last(r jobtree.RunRequest, permanent bool, after time.Duration, now time.Time) bool {
	if after <= 0 {
		after = backoffOf(r) * 11 / 10
	}
	late := ofFireTime(r) && r.Expires > 0 && now.Add(after).UnixMilli() >= r.Expires
	return permanent || r.Attempt > r.Retries || late
}
