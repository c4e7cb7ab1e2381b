package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Violation is a promise that the fleet broke.
type Violation struct {
	Rule string
	Job  string // Job is empty if it concerns none.
	Item int    // -1 if it concerns none.
	At   time.Time
	Text string
}

func (v Violation) String() string {
	where := v.Job
	if v.Item >= 0 {
		where += fmt.Sprintf(" shard %d", v.Item)
	}
	return fmt.Sprintf("%-8s %s %s: %s", v.Rule, clock(v.At), where, v.Text)
}

// verdicts collects violations.
type verdicts struct {
	h        *History
	list     []Violation
	busyJobs map[string][]Span
	ran      map[string][]*Execution // by job, in order of their begin
}

// ranIn returns the executions of a job that may have been under way in a span.
func (v *verdicts) ranIn(job string, s Span) []*Execution {
	list := v.ran[job]
	byBegin := func(e *Execution, t time.Time) int { return e.Begin.Compare(t) }
	from, _ := slices.BinarySearchFunc(list, s.From.Add(-longest), byBegin)
	to, _ := slices.BinarySearchFunc(list, s.To.Add(1), byBegin)
	return list[from:max(from, to)]
}

// longest is more than an execution lasts, of a process that stood still too.
const longest = 5 * time.Minute

// disturbed is [History.disturbed], found out once for each job.
func (v *verdicts) disturbed(job string) []Span {
	if _, known := v.busyJobs[job]; !known {
		v.busyJobs[job] = v.h.disturbed(job)
	}
	return v.busyJobs[job]
}

func (v *verdicts) add(rule, job string, item int, at time.Time, format string, args ...any) {
	v.list = append(v.list, Violation{rule, job, item, at, fmt.Sprintf(format, args...)})
}

// Check judges a history and returns what it breaks, by time.
func Check(h *History) []Violation {
	v := &verdicts{h: h, busyJobs: make(map[string][]Span), ran: make(map[string][]*Execution)}
	for _, e := range h.Executions {
		v.ran[e.Job] = append(v.ran[e.Job], e)
	}
	for _, list := range v.ran {
		slices.SortStableFunc(list, func(a, b *Execution) int { return a.Begin.Compare(b.Begin) })
	}
	for _, job := range h.Jobs {
		shards := h.shards(job.Name)
		for _, item := range slices.Sorted(maps.Keys(shards)) {
			v.ended(job, item, shards[item])
			if job.Monitor && !job.Mixed {
				v.overlap(job, item, shards[item])
				v.tokens(job, item, shards[item])
				if job.Requested {
					continue // Its runs have no fire times.
				}
				v.once(job, item, shards[item])
				v.triggers(job, item, shards[item])
				v.unowed(job, item, shards[item])
			}
		}
		if !job.Mixed {
			v.lost(job, shards)
		}
		v.dead(job, shards)
	}
	v.rows()
	v.runs()
	v.tree()
	v.growth()
	v.console()
	slices.SortStableFunc(v.list, func(a, b Violation) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Rule, b.Rule))
	})
	return v.list
}

// ended looks for calls with a context that had ended before. One that ended
// while the process stood still is excused: it may have happened in between.
func (v *verdicts) ended(job ledger.Job, item int, list []*Execution) {
	for _, e := range list {
		if e.Ended && !v.h.frozen(e.Process, Span{e.Begin.Add(-time.Second), e.Begin}) {
			v.add("ended", job.Name, item, e.Begin, "the handler is called with a context that has ended: %s", e)
		}
	}
}

// frozen reports whether a process stood still at some moment of a span, or a
// moment before.
func (h *History) frozen(process string, s Span) bool {
	return slices.ContainsFunc(h.Faults, func(f Fault) bool {
		if !f.To.IsZero() {
			f.To = f.To.Add(resumption)
		}
		return f.Frozen && f.Target == process && f.overlaps(s)
	})
}

// resumption is how long a process that stood still may take to notice.
const resumption = 2 * time.Second

// obedience is how long a handler may take to obey its context, on a machine
// whose processors are busy.
const obedience = 500 * time.Millisecond

// ending is when an execution was over, if only because its process was.
func (h *History) ending(e *Execution) time.Time {
	if !e.End.IsZero() {
		return e.End
	}
	if life := h.lifeOf(e.PID, e.Begin); life != nil && !life.To.IsZero() {
		return life.To
	}
	return h.End
}

// overlap looks for a shard that runs twice at once. An execution may be
// overtaken whose process stood still, or whose context has ended.
func (v *verdicts) overlap(job ledger.Job, item int, list []*Execution) {
	for i, a := range list {
		end := v.h.ending(a)
		for _, b := range list[i+1:] {
			if !b.Begin.Before(end) {
				break
			}
			if a.PID != b.PID && (v.h.frozen(a.Process, Span{a.Begin, b.Begin}) || a.Outcome == ledger.Cancelled && end.Sub(b.Begin) < obedience) {
				continue
			}
			v.add("overlap", job.Name, item, b.Begin, "runs twice at once:\n    %s\n    %s", a, b)
		}
	}
}

// tokens looks for a fencing token that falls, or that two owners share.
func (v *verdicts) tokens(job ledger.Job, item int, list []*Execution) {
	var highest *Execution
	for _, e := range list {
		if highest != nil && (e.Token < highest.Token || e.Token == highest.Token && e.PID != highest.PID) &&
			!(e.Outcome == ledger.Cancelled && v.h.frozen(e.Process, Span{e.Begin, e.Begin})) {
			v.add("token", job.Name, item, e.Begin, "the fencing token does not rise with the owner:\n    %s\n    %s", highest, e)
			return // Those that follow may be as they are because of it.
		}
		if highest == nil || e.Token >= highest.Token {
			highest = e
		}
	}
}

// onGrid reports whether an execution was for a fire time of the schedule, and
// not because somebody triggered the job.
func onGrid(e *Execution, period int) bool {
	return period > 0 && e.Fire.Equal(e.Fire.Truncate(time.Duration(period)*time.Second))
}

// triggers looks for shards that were run by triggers more often than somebody
// triggered the job.
func (v *verdicts) triggers(job ledger.Job, item int, list []*Execution) {
	// Shards may move between instances that take the same command, so what is
	// compared are executions under one token.
	made, token := 0, int64(-1)
	for _, e := range list {
		if e.Source != string(tracing.SourceNormal) || slices.ContainsFunc(v.h.Settings[job.Name], func(s Setting) bool { return onGrid(e, s.Period) }) {
			continue
		}
		if e.Token != token {
			made, token = 0, e.Token
		}
		made++
		ordered := 0
		for _, c := range v.h.Commands {
			if c.Kind == Trigger && (c.Job == job.Name || c.Job == "") && !c.From.After(e.Begin) {
				ordered++
			}
		}
		if made > ordered {
			v.add("trigger", job.Name, item, e.Begin, "triggered %d times and run %d times by it: %s", ordered, made, e)
			return
		}
	}
}

// Trigger is the kind of the commands that make a job run.
const Trigger = "trigger"
