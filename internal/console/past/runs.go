package past

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// unnamed reports whether a run may be a scheduled one, although nothing names its fire time, as in
// the rows of Java's agents.
func unnamed(r rdb.Run) bool {
	return r.ScheduledAt.IsZero() && (r.Grouped && r.Trigger == "" || r.Trigger == tracing.TriggerSchedule)
}

// runNamed returns the first run that names a fire time within the time asked for, or nil.
func runNamed(runs []rdb.Run, at time.Time) *rdb.Run {
	for i, r := range runs {
		if !r.ScheduledAt.IsZero() && !r.ScheduledAt.Before(at) && r.ScheduledAt.Before(at.Add(within(at))) {
			return &runs[i]
		}
	}
	return nil
}

// runOf returns the run that names a fire time, or else a run that began then. Java's agents
// don't name a run, so its shards may be spread over several seconds, and a failover begins later.
func runOf(runs []rdb.Run, fire, next time.Time) (found *rdb.Run) {
	if named := slices.IndexFunc(runs, func(r rdb.Run) bool { return r.ScheduledAt.Equal(fire) }); named >= 0 {
		return &runs[named]
	}
	var rows []tracing.Execution
	for _, r := range runs {
		late := r.Start.Sub(fire)
		soon := unnamed(r) && late >= -early && late <= Grace && (next.IsZero() || r.Start.Before(next.Add(-early)))
		again := r.Grouped && r.Trigger == tracing.TriggerFailover && late > 0 && late <= Around
		if !soon && (!again || slices.ContainsFunc(r.Executions, func(e tracing.Execution) bool {
			return !slices.ContainsFunc(rows, func(had tracing.Execution) bool { return had.Item == e.Item && !had.Success })
		})) {
			continue
		}
		if rows = append(rows, r.Executions...); found == nil {
			found = &r
		}
	}
	if found == nil || len(rows) == len(found.Executions) {
		return found
	}
	for i := range rows {
		rows[i].RunID = found.ID
	}
	whole := rdb.GroupRuns(rows)[0]
	whole.Grouped, whole.Truncated = found.Grouped, found.Truncated
	return &whole
}

// retryOf returns the last run that was begun for the fire time of a run that failed, was lost or was
// cancelled; nil if there's none.
func retryOf(runs []rdb.Run, run *rdb.Run) (again *rdb.Run) {
	if run.ScheduledAt.IsZero() || run.State == rdb.RunSuccess || run.State == rdb.RunRunning {
		return nil
	}
	for i, r := range runs {
		if r.ID != run.ID && r.ScheduledAt.Equal(run.ScheduledAt) && r.Start.After(run.Start) {
			again = &runs[i]
		}
	}
	return again
}

// lastStart is when the last attempt of a run began.
func lastStart(run *rdb.Run) time.Time {
	last := run.Start
	for _, e := range run.Executions {
		if e.StartTime.After(last) {
			last = e.StartTime
		}
	}
	return last
}

// goodAfter reports whether each shard that failed, was lost or was cancelled in a run succeeded
// later in another run of its fire time.
func goodAfter(runs []rdb.Run, run *rdb.Run) bool {
	succeeded := make(map[int]bool)
	for _, e := range run.Executions { // The last row of a shard counts.
		succeeded[e.Item] = e.Success
	}
	for _, r := range runs {
		if r.ID == run.ID || !r.ScheduledAt.Equal(run.ScheduledAt) {
			continue
		}
		for _, e := range r.Executions {
			succeeded[e.Item] = succeeded[e.Item] || e.Success
		}
	}
	for _, good := range succeeded {
		if !good {
			return false
		}
	}
	return !run.Truncated
}

// runAt returns a run of which a shard was on at an instant, or nil.
func (in *Input) runAt(at time.Time) *rdb.Run {
	for i, r := range slices.Backward(in.Runs) {
		if slices.ContainsFunc(r.Executions, func(e tracing.Execution) bool { return in.wasOn(&r, e, at) }) {
			return &in.Runs[i]
		}
	}
	return nil
}

// wasOn reports whether a shard of a run was on at an instant, from an execution until its end or the end of the
// retries in the same process. It wasn't, or we can't know, if that process was lost.
func (in *Input) wasOn(r *rdb.Run, e tracing.Execution, at time.Time) bool {
	if e.StartTime.IsZero() || e.StartTime.After(at) || e.Lost {
		return false
	}
	until, on := e.CompleteTime, e.Running()
	for _, retry := range r.Executions {
		if retry.Item == e.Item && retry.TaskID == e.TaskID && retry.Trigger == tracing.TriggerRetry {
			until, on = later(until, later(retry.StartTime, retry.CompleteTime)), on || retry.Running()
		}
	}
	if !on && until.Before(at) {
		return false
	}
	task, _ := jobtree.ParseTaskID(e.TaskID)
	return !e.CompleteTime.Before(at) || !slices.ContainsFunc(in.Events, func(left members.Event) bool {
		return left.Kind == members.Left && left.Exit != members.Stopped && left.Instance == task.InstanceID() && left.At.After(e.StartTime)
	})
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// madeUp returns the run that made up for a fire time that was missed, together with later ones; nil
// if there's none, or if the job ran by its schedule before.
func madeUp(in *Input, fire time.Time) (found *rdb.Run) {
	of := func(r *rdb.Run) time.Time {
		if r.ScheduledAt.IsZero() {
			return r.Start
		}
		return r.ScheduledAt
	}
	for i := range in.Runs {
		r := &in.Runs[i]
		if found == nil && r.Trigger == tracing.TriggerMisfire && of(r).After(fire) && !r.Start.After(in.Until) && !r.Start.After(in.Now) && notStarted(r) == "" {
			found = r
		}
	}
	if found != nil && slices.ContainsFunc(in.Runs, func(r rdb.Run) bool {
		return (r.Trigger == tracing.TriggerSchedule || unnamed(r)) && of(&r).After(fire) && !of(&r).After(of(found))
	}) {
		return nil
	}
	return found
}

// restarted returns the reason why a run of a fire time may be missing on record although runs from before and
// after it are there; nil if there's none. We trust the record only if one instance stayed registered between
// those runs, because a process that was started in between may have recorded nothing. run is the run of the
// other shards, or nil.
func restarted(l i18n.Lang, in *Input, s schedule, run *rdb.Run) []string {
	if in.idleSince(s.fire) {
		return nil
	}
	var rows []tracing.Execution
	for _, r := range slices.Concat(in.Runs, in.Beyond) {
		rows = append(rows, r.Executions...)
	}
	slices.SortStableFunc(rows, func(a, b tracing.Execution) int { return a.StartTime.Compare(b.StartTime) })
	for n := range s.shards {
		if run != nil && ranIn(run, n) {
			continue
		}
		of := func(e tracing.Execution) bool { return e.Item == n }
		after := slices.IndexFunc(rows, func(e tracing.Execution) bool { return of(e) && e.StartTime.After(s.fire) })
		before := -1
		for i, e := range rows {
			if of(e) && e.StartTime.Before(s.fire) {
				before = i
			}
		}
		if before < 0 || after < 0 || !in.stayed(rows[before], rows[after]) {
			return []string{l.PastRestarted(n)}
		}
	}
	return nil
}

// stayed reports whether one instance has recorded both rows, and was registered from the first to the second.
func (in *Input) stayed(from, to tracing.Execution) bool {
	a, err := jobtree.ParseTaskID(from.TaskID)
	b, err2 := jobtree.ParseTaskID(to.TaskID)
	id := a.InstanceID()
	if err != nil || err2 != nil || id != b.InstanceID() {
		return false
	}
	begin, end := from.StartTime.Add(-Grace-in.Behind), to.StartTime.Add(Grace+in.Behind) // Clocks differ.
	if since := in.Registered[id]; !since.IsZero() && since.Before(begin) {
		return true
	}
	return !in.EventsSince.IsZero() && in.EventsSince.Before(begin) &&
		!slices.ContainsFunc(in.Events, func(e members.Event) bool {
			return e.Instance == id && (e.Kind == members.Joined || e.Kind == members.Left) && !e.At.Before(begin) && !e.At.After(end)
		}) && !in.unseen(begin, end)
}

// unseen reports whether there is a gap between two times, in which instances weren't seen.
func (in *Input) unseen(begin, end time.Time) bool {
	return slices.ContainsFunc(in.Gaps, func(g members.Gap) bool {
		return g.From.Before(end) && (g.Until.IsZero() || g.Until.After(begin))
	})
}

// stranger returns the instance of a run, if none of the run's instances is known to have served the job; "" if
// that isn't known. Namespaces that share a history may have jobs of the same name.
func (in *Input) stranger(run *rdb.Run) (id string) {
	if run == nil || in.EventsSince.IsZero() || run.Start.Add(in.Behind).Before(in.EventsSince) {
		return ""
	}
	for _, e := range run.Executions {
		task, err := jobtree.ParseTaskID(e.TaskID)
		if id = task.InstanceID(); err != nil || slices.Contains(in.Live, id) ||
			slices.ContainsFunc(in.Events, func(e members.Event) bool { return e.Instance == id }) ||
			in.unseen(run.Start, run.Start) {
			return ""
		}
	}
	return id
}
