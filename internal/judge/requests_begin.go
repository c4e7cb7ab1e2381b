package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

const (
	// mostLosses is the number of losses after which a shard doesn't run again.
	mostLosses = 3
	// stuck is how long a run without a reason to wait may make no progress in the quiet phase.
	stuck = 30 * time.Second
	// endStays is the minimum time that an outcome is kept.
	endStays = 10 * time.Minute
	// sweep is how often an agent with other work, which every audit causes, checks for expired
	// keys.
	sweep = 10 * time.Minute
)

// requested judges the requested runs of a job: I16 to I20.
func (v *verdicts) requested(job *JobHistory, runs map[int][]*Run) {
	if job.Requests == nil {
		return
	}
	list, strays := requestedRuns(job.Requests, runs)
	for _, c := range strays {
		v.add("I16", job.Name, -1, c.At, "%s belongs to a run that was never requested", c.Path)
	}
	v.placedOnce(job, list)
	v.keys(job, list)
	held := job.Requests.holds()
	for _, e := range list {
		v.whereabouts(job, e)
		v.often(job, e)
		v.early(job, e)
		v.held(job, e, held)
		v.cancelled(job, e)
		if e.outcome != nil {
			v.reason(job, e)
			v.counted(job, e)
			v.complete(job, e)
		}
		v.endless(job, e, held)
	}
	v.recorded(job, list)
	v.prompt(job, list, held)
	v.leftBehind(job, list)
}

func (e *requestedRun) String() string {
	return fmt.Sprintf("run %s (%s)", e.id, e.request.Note)
}

// placedOnce is a part of I16: an answered request is in the tree, and a request is placed once, no
// matter what happened to its answer.
func (v *verdicts) placedOnce(job *JobHistory, list []*requestedRun) {
	byID, byNote := make(map[string]*requestedRun), make(map[string]*requestedRun)
	for _, e := range list {
		byID[e.id] = e
		if first := byNote[e.request.Note]; first != nil && e.request.Note != "" {
			v.add("I16", job.Name, -1, e.placed, "a request was placed twice: %v, and %v", first, e)
		}
		byNote[e.request.Note] = e
	}
	for _, w := range job.Requests.Wanted {
		if w.Answered.IsZero() {
			continue
		}
		e := byID[w.ID]
		switch {
		case e == nil || e.placed.After(w.Answered):
			v.add("I16", job.Name, -1, w.Answered, "the answer to %s names run %s, which is not there", w.Note, w.ID)
		case w.Repeated && e.request.Key != w.Key:
			v.add("I16", job.Name, -1, w.Answered, "the answer to %s with the key %q names %v with the key %q", w.Note, w.Key, e, e.request.Key)
		case w.Repeated && !e.ended.IsZero() && w.Asked.After(e.ended.Add(max(keyFor(e), 0)+v.slack())):
			v.add("I16", job.Name, -1, w.Answered, "the key %q of %s is not free, %v ended at %s", w.Key, w.Note, e, clock(e.ended))
		case !w.Repeated && e.request.Note != w.Note:
			v.add("I16", job.Name, -1, w.Answered, "the answer to %s names %v", w.Note, e)
		}
	}
}

// slack is the time that clocks may add to the span between two times.
func (v *verdicts) slack() time.Duration { return 2*v.h.Skew + v.h.Pace.CatchUp }

func keyFor(e *requestedRun) time.Duration { return time.Duration(e.request.KeyFor) * time.Millisecond }

// over returns when a run was over according to its outcome. Over a slow connection that may be
// written later, but not before its last execution ended.
func (e *requestedRun) over() time.Time {
	over := time.UnixMilli(e.outcome.Ended)
	for _, r := range e.runs {
		if r.End.After(over) {
			over = r.End
		}
	}
	if over.After(e.ended) {
		return e.ended
	}
	return over
}

// keys is a part of I16: a key belongs to one run at a time.
func (v *verdicts) keys(job *JobHistory, list []*requestedRun) {
	last := make(map[string]*requestedRun)
	for _, e := range list {
		if e.request.Key == "" {
			continue
		}
		if before := last[e.request.Key]; before != nil && (before.ended.IsZero() || before.ended.After(e.placed) || before.over().Add(keyFor(before)-v.slack()).After(e.placed)) {
			v.add("I16", job.Name, -1, e.placed, "the key %q has %v, although it belongs to %v", e.request.Key, e, before)
		}
		last[e.request.Key] = e
	}
}

// changes returns the changes of a run, one per line.
func (e *requestedRun) changes() string {
	var text strings.Builder
	for _, s := range e.steps {
		fmt.Fprintf(&text, "\n    %s %x %v", clock(s.At), s.Zxid, s.RunChange)
	}
	return text.String()
}

// whereabouts is a part of I16: after each transaction a run is in one place, and in none after it
// has ended.
func (v *verdicts) whereabouts(job *JobHistory, e *requestedRun) {
	places := make(map[string]bool)
	ended := false
	for k, s := range e.steps {
		if s.Deleted {
			delete(places, s.Path)
		} else {
			places[s.Path] = true
		}
		if k+1 < len(e.steps) && e.steps[k+1].Zxid == s.Zxid {
			continue
		}
		wasEnded := ended
		ended = ended || e.outcome != nil && s.Zxid >= e.last
		if wanted := 1; len(places) != wanted && (!ended || len(places) > wanted) {
			v.add("I16", job.Name, -1, s.At, "%v is in %d places: %s; its changes: %s", e, len(places), strings.Join(slices.Sorted(maps.Keys(places)), ", "), e.changes())
			return
		}
		if wasEnded && !s.Deleted {
			v.add("I16", job.Name, -1, s.At, "%v goes on after its end: %s", e, s.Path)
			return
		}
	}
}

// executions groups the executions of a run by shard, or all together if the run belongs to one
// shard.
func (e *requestedRun) executions(one bool) map[int][]*Run {
	groups := make(map[int][]*Run)
	for _, r := range e.runs {
		shard := r.Item
		if one {
			shard = -1
		}
		groups[shard] = append(groups[shard], r)
	}
	return groups
}

// often is I18: a shard runs again only if it failed, asked for it, was lost or was stopped, and
// not more often than there are attempts and losses.
func (v *verdicts) often(job *JobHistory, e *requestedRun) {
	q := job.Requests
	for _, runs := range e.executions(q.One) {
		var failed, died []*Run
		for i, r := range runs {
			if v.repeated(job, e, r, runs[:i]) {
				return
			}
			if r.Outcome == Died {
				died = append(died, r)
			}
			if r.Verdict.failed() && v.h.confirmed(r) {
				failed = append(failed, r)
			}
		}
		if most := e.attempts(q); len(failed) > most {
			v.add("I18", job.Name, failed[0].Item, failed[most].Start, "%v failed %d times, %d attempts may be: %s", e, len(failed), most, describeRun(failed[most]))
		}
		if len(died) > mostLosses {
			v.add("I18", job.Name, died[0].Item, died[mostLosses].Start, "%v has died %d times: %s", e, len(died), describeRun(died[mostLosses]))
		}
	}
}

// attempts returns the maximum number of attempts of a run. The next attempt of a fire time has
// fewer.
func (e *requestedRun) attempts(q *Requests) int { return max(q.Retries+2-e.request.Attempt, 1) }

// repeated reports a run of a shard that was already settled.
func (v *verdicts) repeated(job *JobHistory, e *requestedRun, b *Run, before []*Run) bool {
	for _, a := range before {
		if a.End.IsZero() || a.End.After(b.Start) {
			continue
		}
		settled := v.h.confirmed(a) && a.Verdict.settles() && !v.overtaken(b, a)
		if settled || job.Requests.LostFails && a.Outcome == Died {
			v.add("I18", job.Name, b.Item, b.Start, "%v is executed again:\n    %s\n    %s", e, describeRun(a), describeRun(b))
			return true
		}
	}
	return false
}

// early is a part of I19: nothing begins before the time of the request, of the next attempt, or
// the time that the handler asked for.
func (v *verdicts) early(job *JobHistory, e *requestedRun) {
	q := job.Requests
	if q.started(e.id) || len(e.runs) == 0 {
		return
	}
	due := time.UnixMilli(e.request.Due)
	for _, w := range q.Wanted {
		if w.Note == e.request.Note && w.Note != "" {
			due = later(due, w.Asked.Add(w.Delay))
		}
	}
	tolerance := 2 * v.h.Skew
	if first := e.runs[0]; first.Start.Before(due.Add(-tolerance).Truncate(time.Millisecond)) {
		v.add("I19", job.Name, first.Item, first.Start, "%v begins before its time, %s: %s", e, clock(due), describeRun(first))
		return
	}
	laters := len(e.withVerdict(func(said Verdict) bool { return said == Later })) > 0
	for _, runs := range e.executions(q.One) {
		for i, a := range runs[:len(runs)-1] {
			wait := a.After
			if a.Verdict == Fails && !laters {
				wait = q.Backoff * 9 / 10
			}
			if b := runs[i+1]; v.h.confirmed(a) && b.Start.Before(a.End.Add(wait-tolerance).Truncate(time.Millisecond)) {
				v.add("I19", job.Name, b.Item, b.Start, "%v is tried again before its time, %v after the attempt before:\n    %s\n    %s", e, wait, describeRun(a), describeRun(b))
			}
		}
	}
}

// held is a part of I19: nothing begins while requests are held unless a person asked for it.
// Agents know a hold from before the request. They learn of a later one as soon as nothing disturbs
// them.
func (v *verdicts) held(job *JobHistory, e *requestedRun, holds []hold) {
	holds = keeping(holds, e.request)
	var placed step
	for k, s := range e.steps {
		if s.placed() {
			placed = s
		}
		if !e.began(k) {
			continue
		}
		for _, h := range holds {
			if s.Zxid < h.from || h.to != 0 && s.Zxid > h.to {
				continue
			}
			if placed.Zxid > h.from && !v.h.Blind || v.h.calm(job.Name, "", h.From, s.At, v.h.Pace.CatchUp) {
				v.add("I19", job.Name, -1, s.At, "%v, which waits since %s, begins although it is held since %s", e, clock(placed.At), clock(h.From))
				return
			}
		}
	}
}

// cancelled is a part of I19: a cancelled run never begins again, and running handlers learn of it.
// If the cancel was answered, the run ends as cancelled.
func (v *verdicts) cancelled(job *JobHistory, e *requestedRun) {
	for _, c := range job.Requests.Commands {
		if c.ID == e.id && c.Cancel && !c.Answered.IsZero() && c.State == jobrun.Cancelled && (e.outcome == nil || e.outcome.State != jobrun.Cancelled) {
			v.add("I19", job.Name, -1, c.Answered, "%v was cancelled and is not: %s", e, e.end())
		}
	}
	var asked step
	for _, s := range e.steps {
		if asked.record == nil {
			if s.record != nil && !s.Deleted && s.record.Cancelled != nil {
				asked = s
			}
			continue
		}
		again := s.placed()
		if s.record != nil {
			for shard, claim := range s.record.Claims {
				again = again || asked.record.Claims[shard].Nonce != claim.Nonce
			}
			again = again || len(s.record.Waiting) > 0
		}
		if again {
			v.add("I19", job.Name, -1, s.At, "%v is tried again although it was cancelled at %s: %s", e, clock(asked.At), s.Path)
			return
		}
	}
	if asked.record != nil {
		v.noticedCancel(job, e, asked.At)
	}
}

// noticedCancel looks for handlers that did not learn of their run's cancel.
func (v *verdicts) noticedCancel(job *JobHistory, e *requestedRun, at time.Time) {
	for _, r := range e.runs {
		if r.called().After(at) || r.End.IsZero() {
			continue
		}
		until := r.End
		if !r.Cancel.IsZero() {
			until = r.Cancel
		}
		if until.After(at) && v.h.calm(job.Name, "", at, until, v.h.Pace.CatchUp) {
			v.add("I19", job.Name, r.Item, until, "%v was cancelled at %s and its handler does not learn of it: %s", e, clock(at), describeRun(r))
		}
	}
}

func (e *requestedRun) end() string {
	if e.outcome == nil {
		last := e.steps[len(e.steps)-1]
		return fmt.Sprintf("it has not ended, the last change was to %s at %s", last.Path, clock(last.At))
	}
	return fmt.Sprintf("%s at %s, %q", e.outcome.State, clock(e.ended), e.outcome.Reason)
}

// endless is I20: a run that hasn't ended has a reason to wait. By the quiet phase the fleet has
// had the time to work off earlier requests.
func (v *verdicts) endless(job *JobHistory, e *requestedRun, holds []hold) {
	v.endlessAt(job, e, holds, v.h.End, v.h.End)
	if e.placed.Before(v.h.Healed) {
		v.endlessAt(job, e, holds, v.h.Quiet, v.h.Healed)
	}
}

// endlessAt reports a run that had not ended by a time, and had made no progress for some time
// before since.
func (v *verdicts) endlessAt(job *JobHistory, e *requestedRun, holds []hold, at, since time.Time) {
	patience := patienceOf(job)
	var last step
	for _, s := range e.steps {
		if !s.At.After(at) {
			last = s
		}
	}
	switch {
	case last.At.IsZero(): // It came later.
		return
	case v.h.Quiet.IsZero() || e.outcome != nil && !e.ended.After(at) || last.At.Add(patience).After(since):
		return
	case last.placed() && last.place == inBucket && time.UnixMilli(last.request.Due).Add(patience).After(since):
		return
	case slices.ContainsFunc(keeping(holds, e.request), func(h hold) bool { return h.Holds(at.Add(-patience)) }):
		return
	case slices.ContainsFunc(job.Deserted, func(s Span) bool { return s.Holds(at.Add(-patience)) }):
		return
	}
	v.add("I20", job.Name, -1, last.At, "%v does not end until %s although nothing blocks it: the last change was to %s at %s", e, clock(at), last.Path, clock(last.At))
}

// leftBehind is an addition to I13 for requested runs.
func (v *verdicts) leftBehind(job *JobHistory, list []*requestedRun) {
	before, last, at := v.lastTrees(job.Name)
	if before == nil {
		return
	}
	ended := make(map[string]bool)
	for _, e := range list {
		ended[e.id] = e.outcome != nil
	}
	outcomes := 0
	for path, n := range last {
		was, old := before[path]
		old = old && was.Created.Equal(n.Created) && n.Created.Add(stuck).Before(at)
		rest, ok := strings.CutPrefix(path, "/extension/runs/")
		parts := strings.Split(rest, "/")
		if !ok {
			continue
		}
		left := false
		switch parts[0] {
		case "steward":
			left = !slices.Contains(last.below("/instances"), n.Data)
		case "behind":
			left = old
		case inQueue, active:
			left = old && len(parts) > 1
		case inBucket:
			due, _, named := jobtree.ParseRunName(parts[len(parts)-1])
			left = old && len(parts) == 3 && named && due.Add(stuck).Before(at)
		case "keys":
			left = old && len(parts) == 3 && staleKey(n.Data, ended, at)
		case done:
			if len(parts) > 1 && n.Created.Add(endStays+stuck).Before(at) {
				outcomes++
			}
		}
		if left {
			v.add("I13", job.Name, -1, n.Created, "%s = %q is left behind: it still exists at %s", path, n.Data, clock(at))
		}
	}
	// A steward records all outcomes again when its term begins, and keeps them ten minutes more.
	settled := v.h.Quiet.Add(endStays + stuck).Before(at)
	if few := job.Requests.Keep + 10; settled && outcomes > few {
		v.add("I13", job.Name, -1, at, "%d runs that ended long ago are still there, the limit is %d", outcomes, job.Requests.Keep)
	}
}

// staleKey reports whether a key still exists after its run has ended and its time has passed.
func staleKey(data string, ended map[string]bool, at time.Time) bool {
	key, err := jobtree.DecodeRunKey([]byte(data))
	switch {
	case err != nil:
		return true
	case key.Until == 0:
		return ended[key.ID]
	}
	return time.UnixMilli(key.Until).Add(sweep + audit + stuck).Before(at)
}
