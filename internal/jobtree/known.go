package jobtree

import (
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// A newer version or anyone who reaches ZooKeeper may have written a node. So pages and REST
// convert all node data with the functions below. Each returns a value that this version knows, or
// an unknown one.
//
//	text of an enumeration ──▶ Known   ──▶ one of the values, or "unknown"
//	milliseconds           ──▶ Moment  ──▶ a time of the years 1970 to 9999, or zero
//	number of shards, …    ──▶ Count   ──▶ 0 to the bound, or 0
//
// An instance writes a record back unchanged, see [RunRecord.Encode].

// Known returns value as a T if it is one of known, otherwise "unknown".
func Known[T ~string](value string, known ...T) T {
	if slices.Contains(known, T(value)) {
		return T(value)
	}
	return "unknown"
}

// Moment returns the time of Unix milliseconds, or zero if it's out of range.
func Moment(millis int64) time.Time {
	if millis > latestMillis {
		return time.Time{}
	}
	return moment(millis)
}

// ParseMoment is Moment for text. Any other text is zero.
func ParseMoment(text string) time.Time {
	ms, _ := strconv.ParseInt(text, 10, 64) // It's 0 for another text, or at a bound.
	return Moment(ms)
}

// Count returns n, or 0 if it is outside 0 to most.
func Count(n, most int) int {
	if n < 0 || n > most {
		return 0
	}
	return n
}

// ShardCount returns the number of shards of a configuration, or 0 if it's impossible.
func ShardCount(n int) int { return Count(n, jobconfig.MaxShards) }

// mostTries bounds attempts, losses and snoozes. No agent makes as many.
const mostTries = 1_000_000

var runKinds = []string{"code", "page", "api", "cli", "retry", "backfill", "again"}

// Shown returns b for pages and REST.
func (b RunBy) Shown() jobrun.By {
	by := jobrun.By{Kind: b.Kind, Name: Shown(b.Name), From: Shown(b.From)}
	if by.Kind != "" {
		by.Kind = Known(b.Kind, runKinds...)
	}
	return by
}

// Shown returns r for pages and REST.
func (r RunRequest) Shown() jobrun.Run {
	return jobrun.Run{
		ID: Shown(r.ID), Submitted: Moment(r.At), Due: Moment(r.Due), Expires: Moment(r.Expires), Began: Moment(r.Began),
		Attempt: Count(r.Attempt, mostTries), Losses: Count(r.Losses, mostTries), Snoozes: Count(r.Snoozes, mostTries), Retries: Count(r.Retries, mostTries),
		Assign: knownAssign(r.Assign), By: r.By.Shown(), Key: Shown(r.Key), Note: Shown(r.Note), Parent: Shown(r.Parent),
		Shards: r.Shards, Params: r.Params, HasParams: len(r.Params) > 0,
	}
}

// Shown returns r for pages and REST.
func (r RunRecord) Shown() jobrun.Run {
	run := r.RunRequest.Shown()
	run.State = jobrun.Running
	run.OK, run.Failed, run.Skipped, run.Cut, run.Waiting = r.OK, r.Failed, r.Skipped, r.Cut, r.Waiting
	run.Errors, run.Results = ofShards(r.Errors, shownError), ofShards(r.Results, same)
	run.Claims = ofShards(r.Claims, func(c RunClaim) jobrun.Claim { return jobrun.Claim{Instance: Shown(c.Instance), Since: Moment(c.At)} })
	run.Total = len(r.OK) + len(r.Failed) + len(r.Skipped) + len(r.Cut) + len(r.Waiting) + len(run.Claims) + len(ofShards(r.Snoozed, same))
	if c := r.Cancelled; c != nil {
		run.Cancelled = &jobrun.Cancel{By: Shown(c.By), At: Moment(c.At), Reason: shownError(c.Reason)}
	}
	return run
}

// Shown returns o for pages and REST.
func (o RunOutcome) Shown() jobrun.Run {
	ok, skipped := ShardCount(o.OK), ShardCount(o.Skipped)
	failed, cut := max(ShardCount(o.Failed), len(o.FailedShards)), max(ShardCount(o.Cut), len(o.CutShards)) // Earlier versions didn't count Cut.
	return jobrun.Run{
		ID: Shown(o.ID), State: knownEnd(string(o.State)), Reason: shownError(o.Reason),
		Submitted: Moment(o.At), Due: Moment(o.Due), Began: Moment(o.Began), Ended: Moment(o.Ended),
		Attempt: Count(o.Attempt, mostTries), Losses: Count(o.Losses, mostTries), Snoozes: Count(o.Snoozes, mostTries),
		By: o.By.Shown(), Key: Shown(o.Key), Note: Shown(o.Note), Parent: Shown(o.Parent),
		Errors: ofShards(o.Errors, shownError), Results: ofShards(o.Results, same), CountOK: ok, CountFailed: failed - len(o.FailedShards), CountSkipped: skipped,
		CountCut: cut - len(o.CutShards), Total: ok + failed + skipped + cut, Shards: o.Shards, Failed: o.FailedShards, Cut: o.CutShards,
		Params: o.Params, HasParams: o.HasParams, Assign: knownAssign(o.Assign),
	}
}

func knownEnd(state string) jobrun.State {
	return Known(state, jobrun.Succeeded, jobrun.Failed, jobrun.Cancelled, jobrun.Skipped, jobrun.Expired)
}

// knownAssign is empty for the runs of earlier versions, which didn't store it.
func knownAssign(assign jobrun.Assign) jobrun.Assign {
	if assign == "" {
		return ""
	}
	return Known(string(assign), jobrun.AssignEach, jobrun.AssignOne)
}

// mostError bounds the error of a shard, in characters.
const mostError = 4000

func shownError(text string) string { return Clip(text, mostError) }

func same[V any](v V) V { return v }

// ofShards converts the values of possible shards. It's nil if there are none.
func ofShards[V, W any](all map[int]V, convert func(V) W) map[int]W {
	var kept map[int]W
	for n, v := range all {
		if n < 0 || n >= jobconfig.MaxShards {
			continue
		}
		if kept == nil {
			kept = make(map[int]W, len(all))
		}
		kept[n] = convert(v)
	}
	return kept
}

// MaxShown is the longest text of a node in lists and details, in characters. Real names, addresses
// and descriptions are shorter. A longer text is an accident or an attack, and repeated for each
// shard or job it would make an answer of megabytes.
const MaxShown = 300

// Shown returns a node's text for lists and details: at most [MaxShown] characters, with an
// ellipsis as the last one if the text was cut.
func Shown(text string) string { return Clip(text, MaxShown) }

// Clip shortens a text to at most n characters, n at least 1. It reads no more of the text than it
// keeps.
func Clip(text string, n int) string {
	if len(text) <= n { // bytes; a character has at least one
		return text
	}
	kept, last := 0, 0
	for at := range text {
		if kept == n {
			return text[:last] + "…"
		}
		kept, last = kept+1, at
	}
	return text
}
