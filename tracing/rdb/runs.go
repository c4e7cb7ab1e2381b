package rdb

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Run is all executions of one fire, trigger or request of a job: its shards on all instances, with
// all their attempts.
type Run struct {
	JobName, ID string
	// Grouped is true if the executions have no run id and were grouped by their start; see [RunOf].
	Grouped bool
	// Trigger is "" if it was not recorded.
	Trigger tracing.Trigger
	// ScheduledAt is the fire time, zero if there is none or it was not recorded.
	ScheduledAt time.Time
	// Start is when the first execution began and End when the last one ended. End is zero while
	// one is running, and if it's unknown.
	Start, End time.Time
	// State is running while a shard runs, else failed if a shard's last attempt failed, else lost
	// if one was lost, else cancelled if one was cancelled, else success. An attempt followed by a
	// successful one doesn't count.
	State RunState
	// Shards counts the shards that began. The others count them by the state of their last attempt.
	Shards, Running, Succeeded, Failed, Lost, Cancelled int
	// FailedOver counts the shards with an execution by failover. A missed fire time that another instance makes
	// up for isn't a failover, nor is the next attempt of a requested run.
	FailedOver int
	// Cause is the first failure without a later success, in shard CauseItem. A cancelled shard isn't a failure.
	Cause     string
	CauseItem int
	// Slowest is the longest duration of an execution that has ended.
	Slowest time.Duration
	// IPs are the sorted addresses of the instances.
	IPs []string
	// Executions are ordered by shard, attempt and start. Truncated is true if there are more than
	// [MaxRunRows].
	Executions []tracing.Execution
	Truncated  bool
}

// MaxRunRows is the number of executions read for one run.
const MaxRunRows = 5_000

// groupPrefix begins the id of a grouped run: "at-" and the second in which its executions began.
const groupPrefix = "at-"

// RunOf returns the run of an execution: its recorded run id or, in rows of Java engines, the
// second in which it began. A cron expression fires at full seconds, and each process records the
// start by the same clock that it fires by. So all executions of one fire time begin in that
// second, unless they had to wait for a thread; those make a separate run, as does a failover. The
// task id doesn't help, because Java uses the same id for every run of an assignment.
func RunOf(e tracing.Execution) (id string, grouped bool) {
	if e.RunID != "" {
		return e.RunID, false
	}
	return groupPrefix + strconv.FormatInt(e.StartTime.Unix(), 10), true
}

func groupSecond(id string) (time.Time, bool) {
	digits, ok := strings.CutPrefix(id, groupPrefix)
	if !ok {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || seconds < 0 || seconds > 1<<40 {
		return time.Time{}, false
	}
	return time.Unix(seconds, 0).UTC(), true
}

// TriggerOf returns the trigger of an execution: the recorded one, else a misfire or a failover
// according to ElasticJob's source.
func TriggerOf(e tracing.Execution) tracing.Trigger {
	switch {
	case e.Trigger != "":
		return e.Trigger
	case e.Source == tracing.SourceMisfire:
		return tracing.TriggerMisfire
	case e.Source == tracing.SourceFailover:
		return tracing.TriggerFailover
	}
	return ""
}

// GroupRuns groups executions into runs by [RunOf], newest run first.
func GroupRuns(rows []tracing.Execution) []Run {
	// Rows are large, so each is copied once. Most lists have the newest rows first, so walking
	// backwards finds each run nearly sorted.
	places := map[runKey][]int{}
	for i := range slices.Backward(rows) {
		key := keyOf(rows[i])
		places[key] = append(places[key], i)
	}
	runs := make([]Run, 0, len(places))
	for _, of := range places {
		part := make([]tracing.Execution, len(of))
		for k, i := range of {
			part[k] = rows[i]
		}
		runs = append(runs, runOf(part))
	}
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Or(b.Start.Compare(a.Start), strings.Compare(a.JobName, b.JobName), strings.Compare(a.ID, b.ID))
	})
	return runs
}

// runOf makes a run of its executions, at least one.
func runOf(rows []tracing.Execution) Run {
	slices.SortFunc(rows, func(a, b tracing.Execution) int {
		return cmp.Or(cmp.Compare(a.Item, b.Item), cmp.Compare(a.Attempt, b.Attempt), a.StartTime.Compare(b.StartTime), cmp.Compare(a.ID, b.ID))
	})
	r := Run{JobName: rows[0].JobName, Executions: rows, Start: rows[0].StartTime}
	r.ID, r.Grouped = RunOf(rows[0])
	first := rows[0]
	for _, e := range rows {
		if e.StartTime.Before(r.Start) {
			r.Start, first = e.StartTime, e
		}
		if e.CompleteTime.After(r.End) {
			r.End = e.CompleteTime
		}
		if !e.CompleteTime.IsZero() {
			r.Slowest = max(r.Slowest, e.CompleteTime.Sub(e.StartTime))
		}
		if !slices.Contains(r.IPs, e.IP) {
			r.IPs = append(r.IPs, e.IP)
		}
	}
	slices.Sort(r.IPs)
	// The first execution has the run's trigger; later ones may be failovers or retries.
	r.Trigger, r.ScheduledAt = TriggerOf(first), first.ScheduledAt
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && rows[end].Item == rows[begin].Item {
			end++
		}
		if !rows[end-1].Superseded {
			r.countShard(rows[begin:end])
		}
		begin = end
	}
	if r.Shards == 0 { // The row of the shard that succeeded may be late.
		r.Shards, r.Succeeded = 1, 1
	}
	switch {
	case r.Running > 0:
		r.State, r.End = RunRunning, time.Time{}
	case r.Failed > 0:
		r.State = RunFailed
	case r.Lost > 0:
		r.State = RunLost
	case r.Cancelled > 0:
		r.State = RunCancelled
	default:
		r.State = RunSuccess
	}
	return r
}

func (r *Run) countShard(attempts []tracing.Execution) {
	r.Shards++
	last := attempts[len(attempts)-1]
	if slices.ContainsFunc(attempts, func(e tracing.Execution) bool { return TriggerOf(e) == tracing.TriggerFailover }) {
		r.FailedOver++
	}
	switch StateOf(last) {
	case RunRunning:
		r.Running++
	case RunLost:
		r.Lost++
	case RunFailed:
		if r.Failed == 0 {
			r.Cause, r.CauseItem = last.FailureCause, last.Item
		}
		r.Failed++
	case RunCancelled:
		r.Cancelled++
	default:
		r.Succeeded++
	}
}

// RunFilter selects runs. Zero fields select everything.
type RunFilter struct {
	// JobName is compared exactly. JobPrefix is the beginning of job names.
	JobName, JobPrefix string
	// Jobs are the allowed job names, at most [MaxJobs]; nil allows all.
	Jobs  []string
	State RunState
	// Trigger selects runs by trigger. Runs of Java engines only have misfire and failover.
	Trigger tracing.Trigger
	// IP, FailureText and MinDuration select runs with an execution that ran there, failed with that text and
	// took at least this long. With State failed, lost, cancelled or running, that execution must have this
	// outcome.
	IP, FailureText string
	MinDuration     time.Duration
	// From and To select runs with an execution that was active between them: it began by To and
	// had not ended before From. Executions longer than a week may be missed. With StartedIn it
	// must have begun between them.
	From, To  time.Time
	StartedIn bool
	// Limit is the number of runs: [DefaultLimit] if it's 0, at most [MaxLimit].
	Limit int
	// Cursor is the NextCursor of the previous page, "" for the newest runs.
	Cursor string
}

// RunPage is a page of runs, newest first.
type RunPage struct {
	Runs []Run
	// NextCursor continues after the last run, "" if there are no more. As in [ExecutionPage], a
	// page may have fewer runs than requested, or none, and still a NextCursor.
	NextCursor string
}

// executions returns the filter for the executions that a run is found by. FailureText selects
// failed executions, regardless of the outcome of the run.
func (f RunFilter) executions() ExecutionFilter {
	e := ExecutionFilter{JobName: f.JobName, JobPrefix: f.JobPrefix, Jobs: f.Jobs, IP: f.IP, FailureText: f.FailureText,
		Trigger: f.Trigger, MinDuration: f.MinDuration, State: f.State, From: f.From, To: f.To}
	if f.FailureText != "" {
		e.State = RunAny
	}
	return e
}

// finds reports whether the filter matches this execution of a run.
func (f *RunFilter) finds(e *tracing.Execution) bool {
	text := lower(f.FailureText)
	took := e.CompleteTime.Sub(e.StartTime)
	state := f.executions().State
	return (f.IP == "" || e.IP == f.IP) && (state == RunAny || StateOf(*e) == state) &&
		(f.Trigger == "" || TriggerOf(*e) == f.Trigger) &&
		(text == "" || strings.Contains(lower(e.FailureCause), text)) &&
		(f.MinDuration == 0 || !e.CompleteTime.IsZero() && took >= f.MinDuration) &&
		(f.To.IsZero() || !e.StartTime.After(f.To)) && (f.From.IsZero() || !e.StartTime.Before(f.From) || !f.StartedIn && f.spans(e))
}

// spans reports whether an execution that began before From was still running at From.
func (f *RunFilter) spans(e *tracing.Execution) bool {
	return e.Running() || !e.CompleteTime.Before(f.From) && !e.CompleteTime.After(f.From.Add(longestSpan))
}
