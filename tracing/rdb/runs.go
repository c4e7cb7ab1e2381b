package rdb

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Run is all executions of one fire, trigger or request of a job: its shards, on
// whatever instance, with all attempts at them.
type Run struct {
	// JobName and ID name the run; see [RunOf].
	JobName, ID string
	// Grouped says that nobody recorded which run the executions belong to. They
	// were put together by their start, see [RunOf].
	Grouped bool
	// Trigger says why the run was started, "" if nobody said.
	Trigger tracing.Trigger
	// ScheduledAt is the fire time, zero if there is none or nobody said.
	ScheduledAt time.Time
	// Start is when its first execution began, End when the last one ended; zero
	// while one goes on, and if nobody knows.
	Start, End time.Time
	// State is how the run is: running while a shard runs, else failed if a
	// shard's last attempt failed, else lost if one was lost, else success. An
	// attempt that another one made good does not count.
	State RunState
	// Shards counts the shards that began, the others those of them whose last
	// attempt is in that state.
	Shards, Running, Succeeded, Failed, Lost int
	// FailedOver counts the shards that ran on more than one instance.
	FailedOver int
	// Cause is the first failure that was not made good, of shard CauseItem.
	Cause     string
	CauseItem int
	// Slowest is how long the longest execution took that has ended.
	Slowest time.Duration
	// IPs are the instances' addresses, in order.
	IPs []string
	// Executions are ordered by shard, attempt and start. Truncated says that
	// there are more than [MaxRunRows].
	Executions []tracing.Execution
	Truncated  bool
}

// MaxRunRows is how many executions of one run are read.
const MaxRunRows = 5_000

// groupPrefix begins the id of a run that was put together: "at-" and the second
// in which its executions began.
const groupPrefix = "at-"

// RunOf names the run that an execution belongs to: what it says itself or, in
// rows of Java engines, the second in which it began. A cron expression fires at
// full seconds and every process records its start by the clock that it fires
// by, so that all executions of one fire time begin in that second, unless they
// had to wait for a thread; those make a run of their own, as a failover does. The
// task id does not help: Java's is the same for every run of an assignment.
func RunOf(e tracing.Execution) (id string, grouped bool) {
	if e.RunID != "" {
		return e.RunID, false
	}
	return groupPrefix + strconv.FormatInt(e.StartTime.Unix(), 10), true
}

// groupSecond is the second that the id of a run that was put together names.
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

// TriggerOf says why an execution ran: what it says itself, else what ElasticJob's
// source tells, which is nothing about an ordinary run.
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

// GroupRuns puts executions together that belong to one run, by [RunOf]. The runs
// that began last come first.
func GroupRuns(rows []tracing.Execution) []Run {
	// Rows are large and may be many: the first look counts, the second copies each once.
	number, of := map[runKey]int{}, make([]int, len(rows))
	var sizes []int
	for i := range rows {
		id, _ := RunOf(rows[i])
		key := runKey{rows[i].JobName, id}
		n, known := number[key]
		if !known {
			n = len(sizes)
			number[key], sizes = n, append(sizes, 0)
		}
		of[i] = n
		sizes[n]++
	}
	parts, rest := make([][]tracing.Execution, len(sizes)), make([]tracing.Execution, len(rows))
	for n, size := range sizes {
		parts[n], rest = rest[:0:size], rest[size:]
	}
	// Most lists have the newest first, of a run that is its last shard: from the end on
	// they are in order already.
	for i := range slices.Backward(rows) {
		parts[of[i]] = append(parts[of[i]], rows[i])
	}
	runs := make([]Run, len(parts))
	for n, part := range parts {
		runs[n] = runOf(part)
	}
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Or(b.Start.Compare(a.Start), strings.Compare(a.JobName, b.JobName), strings.Compare(a.ID, b.ID))
	})
	return runs
}

// runOf makes a run of its executions, of which there is at least one.
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
	// What began it says why; a failover or a retry says why it went on.
	r.Trigger, r.ScheduledAt = TriggerOf(first), first.ScheduledAt
	for begin := 0; begin < len(rows); {
		end := begin + 1
		for end < len(rows) && rows[end].Item == rows[begin].Item {
			end++
		}
		r.countShard(rows[begin:end])
		begin = end
	}
	switch {
	case r.Running > 0:
		r.State, r.End = RunRunning, time.Time{}
	case r.Failed > 0:
		r.State = RunFailed
	case r.Lost > 0:
		r.State = RunLost
	default:
		r.State = RunSuccess
	}
	return r
}

// countShard adds the executions of one shard, of which the last counts.
func (r *Run) countShard(attempts []tracing.Execution) {
	r.Shards++
	last := attempts[len(attempts)-1]
	for _, e := range attempts {
		if e.IP != last.IP {
			r.FailedOver++
			break
		}
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
	default:
		r.Succeeded++
	}
}

// RunFilter selects runs; zero fields select everything.
type RunFilter struct {
	// JobName is compared exactly, JobPrefix is what names begin with.
	JobName, JobPrefix string
	// Jobs are the names of which the job must be one, at most [MaxJobs]; nil for
	// every job.
	Jobs []string
	// State is how the run is.
	State RunState
	// Trigger says why the run was started. Runs of Java engines have none but
	// misfire and failover.
	Trigger tracing.Trigger
	// IP, FailureText and MinDuration select runs of which one execution ran
	// there, failed with that text and took at least so long; with the State
	// failed, lost or running it is one of that outcome.
	IP, FailureText string
	MinDuration     time.Duration
	// From and To select what went on between them: what had begun by To and
	// had not ended before From, unless it took more than a week. With StartedIn
	// it must have begun between them.
	From, To  time.Time
	StartedIn bool
	// Limit is the number of runs wanted: 0 means [DefaultLimit], at most
	// [MaxLimit].
	Limit int
	// Cursor is the NextCursor of the page before, "" for the newest runs.
	Cursor string
}

// RunPage is a part of the runs, those that began last first.
type RunPage struct {
	Runs []Run
	// NextCursor continues after the last run; "" when there is no more. As with
	// [ExecutionPage] a page may have fewer runs than asked for, or none, and
	// yet a NextCursor.
	NextCursor string
}

// executions is the filter of the executions that a run is found by. A text is
// that of a failure, whatever became of the run.
func (f RunFilter) executions() ExecutionFilter {
	e := ExecutionFilter{JobName: f.JobName, JobPrefix: f.JobPrefix, Jobs: f.Jobs, IP: f.IP, FailureText: f.FailureText,
		Trigger: f.Trigger, MinDuration: f.MinDuration, State: f.State, From: f.From, To: f.To}
	if f.FailureText != "" {
		e.State = RunAny
	}
	return e
}

// finds reports whether the filter finds a run by an execution of it.
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

// spans reports whether what began before From went on then.
func (f *RunFilter) spans(e *tracing.Execution) bool {
	return e.Running() || !e.CompleteTime.Before(f.From) && !e.CompleteTime.After(f.From.Add(longestSpan))
}
