package runs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Bounds of a run's nodes.
const (
	MaxRecord     = 256 << 10 // bytes of a record
	maxErrorTexts = 50
	maxErrorText  = 300
	maxLosses     = 3
	maxResults    = 64 << 10 // bytes of shard results; later ones are dropped
	outcomeErrors = 5
	outcomeResult = 2 << 10
	outcomeShards = 512     // bytes of shard numbers
	outcomeParams = 1 << 10 // bytes of parameters kept with the outcome
	maxReason     = 200
)

// Result is how the handler of a shard ended.
type Result struct {
	Err       string        // the reason of a failure, otherwise ""
	Permanent bool          // no further attempt helps
	After     time.Duration // after a failure: the wait before the retry, instead of the back-off
	Snooze    time.Duration // the shard should run again after this time, which isn't a new attempt; 0 if not
	Skipped   bool          // there was nothing to do
	Cut       bool          // it ended because the run was cancelled
	Stopped   bool          // the process ends: the shard waits again, which isn't a new attempt
	Value     jobtree.RunResult
}

// Next is a run's next state. Exactly one of the first three fields is set.
type Next struct {
	Record  *jobtree.RunRecord  // it goes on
	Outcome *jobtree.RunOutcome // it has ended
	Again   *jobtree.RunRequest // it waits again
	// Request is the request of a run that has ended.
	Request jobtree.RunRequest
	life    string // of the replaced record
}

// Open begins a run and distributes its shards. Disabled shards are left out. If none is left, the
// run is skipped. A shard that failed in an earlier attempt can't be left out: if it's disabled
// now, its failure stays.
func Open(r jobtree.RunRequest, total int, disabled []int, by string, now time.Time) Next {
	record := jobtree.RunRecord{RunRequest: r, Life: NewID(now), Open: jobtree.RunOpen{At: now.UnixMilli(), By: by}, Total: total}
	wanted := r.Shards
	if len(wanted) == 0 {
		wanted = make(jobtree.RunShards, total)
		for i := range wanted {
			wanted[i] = i
		}
	}
	if r.SoFar != nil {
		record.OK, record.Skipped, record.Results = r.SoFar.OK, r.SoFar.Skipped, r.SoFar.Results
		wanted = wanted.Without(slices.Concat(r.SoFar.OK, r.SoFar.Skipped)...)
	}
	for _, n := range wanted {
		switch {
		case n >= total:
			fail(&record, n, fmt.Sprintf("the job has %d shards now, the run asked for shard %d", total, n))
			record.Permanent = true // No further attempt would find it.
		case slices.Contains(disabled, n) && r.FailedBefore.Has(n):
			fail(&record, n, "it is disabled now; "+earlierFailure(r))
			record.Error = r.Error // Otherwise each attempt would repeat the same words.
		case slices.Contains(disabled, n):
			record.Skipped = record.Skipped.With(n)
		default:
			record.Waiting = append(record.Waiting, n)
		}
	}
	if len(record.Waiting) > 0 {
		return Next{Record: &record}
	}
	record.Permanent = true // No shard can run, so the run ends despite remaining attempts.
	next := Settle(record, now)
	if next.Outcome != nil && next.Outcome.State == jobrun.Skipped {
		next.Outcome.Reason = "every shard of the run is disabled"
	}
	return next
}

func copyOf(r jobtree.RunRecord) jobtree.RunRecord {
	r.Claims, r.Errors, r.Results, r.Snoozed = maps.Clone(r.Claims), maps.Clone(r.Errors), maps.Clone(r.Results), maps.Clone(r.Snoozed)
	r.ShardLosses = slices.Clone(r.ShardLosses)
	return r
}

// earlierFailure is the error of a failed shard that can't run again. r.Error may be another
// shard's, so the text doesn't attribute it.
func earlierFailure(r jobtree.RunRequest) string {
	if r.Error == "" {
		return "an earlier attempt failed"
	}
	return "an earlier attempt failed: " + r.Error
}

// Claim gives waiting shards to an instance, which must run all of them.
func Claim(r jobtree.RunRecord, shards []int, by jobtree.RunClaim) jobtree.RunRecord {
	r = copyOf(r)
	for _, n := range shards {
		lazymap.Put(&r.Claims, n, by)
	}
	r.Waiting = r.Waiting.Without(shards...)
	if r.Began == 0 {
		r.Began = by.At
	}
	return r
}

// Claimed returns the shards with a nonce, ascending.
func Claimed(r jobtree.RunRecord, nonce string) []int {
	var shards []int
	for n, c := range r.Claims {
		if c.Nonce == nonce {
			shards = append(shards, n)
		}
	}
	slices.Sort(shards)
	return shards
}

// End records the results of shards with a nonce. It ignores shards that no longer have it, because
// they were lost and belong to another claim.
func End(r jobtree.RunRecord, nonce string, results map[int]Result, now time.Time) Next {
	r = copyOf(r)
	for n, result := range results {
		if r.Claims[n].Nonce != nonce {
			continue
		}
		delete(r.Claims, n)
		switch {
		case result.Stopped && r.Cancelled == nil:
			r.Waiting = r.Waiting.With(n)
		case result.Stopped, result.Cut && r.Cancelled != nil:
			r.Cut = r.Cut.With(n)
		case result.Err != "":
			fail(&r, n, result.Err)
			r.Permanent = r.Permanent || result.Permanent
			if result.After > 0 {
				r.After = max(r.After, now.Add(result.After).UnixMilli())
			}
		case result.Snooze > 0:
			lazymap.Put(&r.Snoozed, n, now.Add(result.Snooze).UnixMilli())
		case result.Skipped:
			r.Skipped = r.Skipped.With(n)
		default:
			r.OK = r.OK.With(n)
		}
		room := maxResults
		for _, kept := range r.Results {
			room -= len(kept)
		}
		if len(result.Value) > 0 && len(result.Value) <= room {
			lazymap.Put(&r.Results, n, result.Value)
		}
	}
	return Settle(r, now)
}

// Lose removes shards from claims with an ended session, so they wait again. A shard fails at its
// third loss, or at the first if the job doesn't want a repetition. We count per shard, because one
// outage of ZooKeeper may end the sessions of all instances. The run's losses are the lost claims.
func Lose(r jobtree.RunRecord, shards []int, never bool, now time.Time) Next {
	r = copyOf(r)
	counted := make(map[string]bool)
	for _, n := range shards {
		claim, claimed := r.Claims[n]
		if !claimed {
			continue
		}
		if !counted[claim.Nonce] {
			r.Losses++
			counted[claim.Nonce] = true
		}
		delete(r.Claims, n)
		times := countLoss(&r, n)
		switch {
		case r.Cancelled != nil:
			r.Cut = r.Cut.With(n)
		case never || times >= maxLosses:
			text := "lost: " + claim.Instance + " lost its session during the run"
			r.Lost = text
			fail(&r, n, text)
		default:
			r.Waiting = r.Waiting.With(n)
		}
	}
	return Settle(r, now)
}

// countLoss counts a shard's loss and returns the total. A run that uses one shard may move to
// another after a loss, so its own losses count.
func countLoss(r *jobtree.RunRecord, n int) int {
	if r.Assign == jobrun.AssignOne {
		return r.Losses
	}
	for k, lost := range r.ShardLosses {
		if !lost.Has(n) {
			r.ShardLosses[k] = lost.With(n)
			return k + 1
		}
	}
	r.ShardLosses = append(r.ShardLosses, jobtree.RunShards{n})
	return len(r.ShardLosses)
}

// Shrink fails the waiting shards that the job no longer has.
func Shrink(r jobtree.RunRecord, total int, now time.Time) Next {
	r = copyOf(r)
	for _, n := range slices.Clone(r.Waiting) {
		fail(&r, n, fmt.Sprintf("the job has %d shards now, the run was opened with %d", total, r.Total))
		r.Permanent = true
	}
	r.Waiting = nil
	return Settle(r, now)
}

// Cancel cancels the waiting shards of a run and asks the running ones to end.
func Cancel(r jobtree.RunRecord, by jobtree.RunCancel, now time.Time) Next {
	r = copyOf(r)
	r.Cut, r.Waiting = r.Cut.With(r.Waiting...), nil
	r.Cancelled = &by
	next := Settle(r, now)
	if next.Outcome != nil {
		next.Outcome.Waited = true
	}
	return next
}

// Settle decides whether a run goes on, has ended, or waits again.
func Settle(r jobtree.RunRecord, now time.Time) Next {
	next := settle(r, now)
	next.life = r.Life
	return next
}

func settle(r jobtree.RunRecord, now time.Time) Next {
	switch {
	case len(r.Claims) > 0:
		return Next{Record: &r}
	case len(r.Waiting) > 0 && r.Assign == jobrun.AssignOne:
		again := waitUntil(r.RunRequest, r.Due+1, now) // The next millisecond gives its node another name.
		again.Returns++
		return Next{Again: &again} // Another shard may take it.
	case len(r.Waiting) > 0:
		return Next{Record: &r}
	case r.Cancelled != nil && len(r.Cut)+len(r.Failed)+len(r.Snoozed) > 0:
		return ended(r, jobrun.Cancelled, cancelReason(*r.Cancelled), now)
	case r.Lost != "":
		return ended(r, jobrun.Failed, r.Lost, now)
	case r.Cancelled == nil && (len(r.Failed) == 0 && len(r.Snoozed) > 0 || len(r.Failed) > 0 && !last(r, now)):
		again := retry(r, now)
		return Next{Again: &again}
	case len(r.Failed) > 0:
		reason := fmt.Sprintf("%d of %d shards failed", len(r.Failed), len(r.Failed)+len(r.OK)+len(r.Skipped)+len(r.Snoozed))
		return ended(r, jobrun.Failed, reason, now)
	case len(r.OK) == 0:
		return ended(r, jobrun.Skipped, "no shard had anything to do", now)
	}
	reason := ""
	if r.Cancelled != nil {
		reason = "the request to cancel it came too late"
	}
	return ended(r, jobrun.Succeeded, reason, now)
}

// last reports whether a run that has failed gets no further attempt.
func last(r jobtree.RunRecord, now time.Time) bool {
	return Last(r.RunRequest, r.Permanent, time.UnixMilli(r.After).Sub(now), now)
}

func cancelReason(c jobtree.RunCancel) string {
	reason := "cancelled"
	if c.By != "" {
		reason += " by " + c.By
	}
	if c.Reason != "" {
		reason += ": " + c.Reason
	}
	return reason
}

func ended(r jobtree.RunRecord, state jobrun.State, reason string, now time.Time) Next {
	o := jobtree.RunOutcome{
		Version: 1, ID: r.ID, State: state, Reason: clip(reason, maxErrorText), At: r.At, Due: r.Due, Began: r.Began,
		Ended: now.UnixMilli(), Attempt: r.Attempt, Losses: r.Losses, Snoozes: r.Snoozes,
		By: r.By, Key: r.Key, Note: r.Note, Parent: r.Parent, Assign: r.Assign, HasParams: len(r.Params) > 0,
	}
	if len(r.Params) <= outcomeParams {
		o.Params = r.Params
	}
	if shards := requestedShards(r); len(shards.String()) <= outcomeShards {
		o.Shards = shards
	}
	cut := r.Cut.With(slices.Collect(maps.Keys(r.Snoozed))...) // A snoozed shard won't run either.
	o.OK, o.Failed, o.Skipped, o.Cut = len(r.OK), len(r.Failed), len(r.Skipped), len(cut)
	if len(r.Failed.String())+len(cut.String()) <= outcomeShards {
		o.FailedShards, o.CutShards = r.Failed, cut
	}
	for _, n := range slices.Sorted(maps.Keys(r.Errors)) {
		if len(o.Errors) < outcomeErrors {
			lazymap.Put(&o.Errors, n, r.Errors[n])
		}
	}
	o.Results = firstResults(r.Results)
	return Next{Outcome: &o, Request: r.RunRequest}
}

// firstResults returns as many results as an outcome keeps.
func firstResults(results map[int]jobtree.RunResult) map[int]jobtree.RunResult {
	var first map[int]jobtree.RunResult
	size := 0
	for _, n := range slices.Sorted(maps.Keys(results)) {
		if size += len(results[n]); size > outcomeResult {
			break
		}
		lazymap.Put(&first, n, results[n])
	}
	return first
}

// requestedShards returns the shards of the original request, nil for all. A request that waits
// again only has the remaining shards.
func requestedShards(r jobtree.RunRecord) jobtree.RunShards {
	if r.SoFar == nil || len(r.Shards) == 0 {
		return r.Shards
	}
	shards := r.Shards.With(slices.Concat(r.SoFar.OK, r.SoFar.Skipped)...)
	if len(shards) == r.Total {
		return nil
	}
	return shards
}

// OutcomeOf returns the outcome of a run that ends while waiting. If it waited for a retry, shards
// that failed earlier stay failed, and snoozed shards count as cancelled. Without a first attempt
// there are no shards.
func OutcomeOf(r jobtree.RunRequest, state jobrun.State, reason string, now time.Time) jobtree.RunOutcome {
	record := jobtree.RunRecord{RunRequest: r}
	for _, n := range r.FailedBefore {
		if r.Assign == jobrun.AssignOne || r.Shards.Has(n) { // Earlier versions don't update the field.
			fail(&record, n, earlierFailure(r))
		}
	}
	if r.Began > 0 {
		record.Cut = r.Shards.Without(record.Failed...)
	}
	if r.SoFar != nil {
		record.OK, record.Skipped, record.Results = r.SoFar.OK, r.SoFar.Skipped, r.SoFar.Results
	}
	o := ended(record, state, reason, now).Outcome
	if r.Assign == jobrun.AssignOne && r.Began > 0 && o.Failed == 0 {
		o.Cut = 1 // The shard is unknown.
	}
	o.Waited = true
	return *o
}

// CancelledOutcome is the outcome of a run that was cancelled while waiting.
func CancelledOutcome(r jobtree.RunRequest, by jobtree.RunCancel, now time.Time) jobtree.RunOutcome {
	return OutcomeOf(r, jobrun.Cancelled, cancelReason(by), now)
}

// ExpiredOutcome is the outcome of a run that didn't begin in time.
func ExpiredOutcome(r jobtree.RunRequest, now time.Time) jobtree.RunOutcome {
	format := "it did not begin until %s"
	if r.Began > 0 {
		format = "it did not begin again until %s"
	}
	return OutcomeOf(r, jobrun.Expired, fmt.Sprintf(format, time.UnixMilli(r.Expires).UTC().Format(time.RFC3339)), now)
}

func fail(r *jobtree.RunRecord, n int, text string) {
	r.Waiting, r.Failed = r.Waiting.Without(n), r.Failed.With(n)
	if text = clip(text, maxErrorText); len(r.Errors) < maxErrorTexts {
		lazymap.Put(&r.Errors, n, text)
	}
	r.Error = text
}

// clip bounds a text by a handler or a person.
func clip(text string, most int) string {
	return jobtree.Clip(strings.ToValidUTF8(text, "\uFFFD"), most)
}

// OpenOne begins a run that uses one shard.
func OpenOne(r jobtree.RunRequest, shard, total int, by string, now time.Time) jobtree.RunRecord {
	return jobtree.RunRecord{
		RunRequest: r, Life: NewID(now), Open: jobtree.RunOpen{At: now.UnixMilli(), By: by}, Total: total, Waiting: jobtree.RunShards{shard},
	}
}

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
