package judge

import (
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// reason is a part of I17: a run's end follows from its handlers' results, from requests, or from
// what happened to its processes.
func (v *verdicts) reason(job *JobHistory, e *requestedRun) {
	wrong := func(why string) { v.add("I17", job.Name, -1, e.ended, "%v ended as %s, %s", e, e.end(), why) }
	resized := !v.sameSize(job, e)
	switch e.outcome.State {
	case jobrun.Succeeded:
	case jobrun.Failed:
		failed := len(e.withVerdict(Verdict.failed)) + e.disabledAttempts()
		final := len(e.withVerdict(func(said Verdict) bool { return said == Final })) > 0
		// No record has a shard that was disabled at the last attempt, if it was the only remaining
		// one.
		off := len(e.outcome.FailedShards.Without(e.off(job)...)) < len(e.outcome.FailedShards)
		if e.losses(job.Requests.One) < v.lossesAllowed(job) && !off && !final && !resized && failed < e.attempts(job.Requests) && !v.crowded(job) && !v.nextFireFirst(e) {
			wrong("although attempts were left")
		}
	case jobrun.Cancelled:
		if !v.wasCancelled(job, e) {
			wrong("although there was no request for that")
		}
	case jobrun.Skipped:
		policy := e.request.Overlap
		nothing := len(e.withVerdict(func(said Verdict) bool { return said == Nothing })) > 0
		if policy != jobrun.OverlapSkip && policy != jobrun.OverlapOne && !nothing && len(e.off(job)) == 0 {
			wrong("and nothing called for that")
		}
	case jobrun.Expired:
		if last := e.lastRequest(); last.Expires == 0 || e.ended.Add(v.slack()).Before(time.UnixMilli(last.Expires)) {
			wrong("before its time")
		}
	default:
		wrong("which is no end")
	}
}

// nextFireFirst reports whether a run is the retry of a fire time, and the next fire time might
// have come before another attempt, after the back-off or the wait that a handler asked for.
func (v *verdicts) nextFireFirst(e *requestedRun) bool {
	last := e.lastRequest()
	if last.By.Kind != "retry" || last.Fire == 0 || last.Expires == 0 {
		return false
	}
	wait := time.Duration(last.Backoff) * time.Millisecond << min(last.Attempt, 20)
	for _, r := range e.runs {
		wait = max(wait, r.After)
	}
	return !e.ended.Add(wait + v.slack()).Before(time.UnixMilli(last.Expires))
}

// disabledAttempts counts the attempts that failed at their begin because a shard was disabled. No
// handler reports that.
func (e *requestedRun) disabledAttempts() int {
	n, under := 0, false
	for _, s := range e.steps {
		if s.record != nil && !under && len(s.record.Failed) > 0 {
			n++
		}
		if !s.Deleted {
			under = s.record != nil
		}
	}
	return n
}

// losses returns the losses of the shard that was lost most often. If the run belongs to one shard,
// it returns the losses of the run.
func (e *requestedRun) losses(one bool) int {
	lost, known := make(map[int]int), 0
	var before *jobtree.RunRecord
	for _, s := range e.steps {
		if s.Deleted {
			continue
		}
		all := known
		switch {
		case s.record != nil:
			all = s.record.Losses
		case s.request != nil:
			all = s.request.Losses
		case s.outcome != nil:
			all = s.outcome.Losses
		}
		if all > known && before != nil {
			for shard, claim := range before.Claims {
				if s.record != nil && s.record.Claims[shard].Nonce == claim.Nonce {
					continue
				}
				if one {
					shard = 0
				}
				lost[shard]++
			}
		}
		before, known = s.record, all
	}
	return slices.Max(append(slices.Collect(maps.Values(lost)), 0))
}

// counted is a part of I17: the counts in the outcome of a run that had begun match its shards.
func (v *verdicts) counted(job *JobHistory, e *requestedRun) {
	o := e.outcome
	for _, s := range e.steps {
		if r := s.record; r != nil {
			shards := len(r.OK) + len(r.Failed) + len(r.Skipped) + len(r.Cut) + len(r.Waiting) + len(r.Claims) + len(r.Snoozed)
			if got := o.OK + o.Failed + o.Skipped + o.Cut; got != shards {
				v.add("I17", job.Name, -1, e.ended, "%v has %d shards, and its end counts %d: %s", e, shards, got, e.end())
			}
			return
		}
	}
}

// lossesAllowed returns the number of losses of a shard with which a run fails.
func (v *verdicts) lossesAllowed(job *JobHistory) int {
	if job.Requests.LostFails {
		return 1
	}
	return mostLosses
}

// sameSize reports whether the job's number of shards didn't change during the run and shortly
// before. The submitter may have known an earlier number, and so may the instance that began the
// run if the event of an edit was lost.
func (v *verdicts) sameSize(job *JobHistory, e *requestedRun) bool {
	unknown := stuck
	if v.h.Blind {
		unknown = audit
	}
	size := 0
	for k, s := range job.Settings {
		if k+1 < len(job.Settings) && job.Settings[k+1].From.Before(e.placed.Add(-unknown)) || s.From.After(e.ended) || s.Items == 0 {
			continue
		}
		if size > 0 && s.Items != size {
			return false
		}
		size = s.Items
	}
	return true
}

// off returns the shards that were disabled at any time during the run, including shards that were
// disabled until the instant of its placement, because several events may share one instant.
func (e *requestedRun) off(job *JobHistory) jobtree.RunShards {
	off := jobtree.RunShards(nil).With(job.at(e.placed).Off...).With(job.at(e.placed.Add(-1)).Off...)
	for _, s := range job.Settings {
		if s.From.After(e.placed) && !s.From.After(e.ended) {
			off = off.With(s.Off...)
		}
	}
	return off
}

// wasCancelled reports whether the run should end because of an operator or a run that replaces it.
func (v *verdicts) wasCancelled(job *JobHistory, e *requestedRun) bool {
	if slices.ContainsFunc(job.Requests.Commands, func(c *Command) bool { return c.ID == e.id && c.Cancel && !c.Asked.After(e.ended) }) {
		return true
	}
	return slices.ContainsFunc(job.Requests.Changes, func(c RunChange) bool {
		_, s, ok := readStep(c)
		return ok && s.placed() && s.request.ID != e.id && !c.At.After(e.ended) && s.request.Overlap == jobrun.OverlapCancel
	})
}

func (e *requestedRun) lastRequest() jobtree.RunRequest {
	last := e.request
	for _, s := range e.steps {
		if s.placed() {
			last = *s.request
		}
	}
	return last
}

// complete is the other part of I17: every participating shard of a successful run was executed
// completely, and no handler works on a run that has ended.
func (v *verdicts) complete(job *JobHistory, e *requestedRun) {
	for _, r := range e.runs {
		deaf := job.Deaf && !r.Cancel.IsZero() && !r.Cancel.After(e.ended)
		if r.Start.Before(e.ended) && (r.End.IsZero() || r.End.After(e.ended)) && !deaf && !v.excused(r, e.ended) {
			v.add("I17", job.Name, r.Item, e.ended, "%v has ended, and a handler is at work on it: %s", e, describeRun(r))
		}
	}
	if e.outcome.State != jobrun.Succeeded {
		return
	}
	settled := make(map[int]bool)
	for _, r := range e.withVerdict(func(said Verdict) bool { return said == Fine || said == Nothing }) {
		settled[r.Item] = true
	}
	if job.Requests.One {
		if len(e.withVerdict(func(said Verdict) bool { return said == Fine })) == 0 {
			v.add("I17", job.Name, -1, e.ended, "%v has succeeded without an execution", e)
		}
		return
	}
	for _, r := range e.withVerdict(Verdict.failed) { // even if it was disabled before its next attempt
		if v.h.confirmed(r) && !settled[r.Item] {
			v.add("I17", job.Name, r.Item, e.ended, "%v has succeeded, and the shard had failed: %s", e, describeRun(r))
		}
	}
	for _, n := range e.took().Without(e.off(job)...) {
		if !settled[n] {
			v.add("I17", job.Name, n, e.ended, "%v has succeeded, and the shard was not executed to its end", e)
		}
	}
}

// took returns the shards that should take part in a run: the requested ones, except shards left
// out when an attempt began.
func (e *requestedRun) took() jobtree.RunShards {
	var wanted, skipped jobtree.RunShards
	for _, s := range e.steps {
		if s.record == nil {
			continue
		}
		if wanted == nil {
			for n := range s.record.Total {
				wanted = append(wanted, n)
			}
		}
		skipped = skipped.With(s.record.Skipped...)
	}
	if len(e.request.Shards) > 0 {
		wanted = e.request.Shards
	}
	return wanted.Without(skipped...)
}
