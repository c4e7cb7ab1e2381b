package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Violation is a violation of a rule by a history.
type Violation struct {
	Rule string // see the package documentation
	Job  string // empty if there is none
	Item int    // -1 if there is none
	At   time.Time
	Text string
}

// String returns the violation without its timeline.
func (v Violation) String() string {
	shard := ""
	if v.Item >= 0 {
		shard = fmt.Sprintf(" shard %d", v.Item)
	}
	return fmt.Sprintf("%s %s %s%s: %s", v.Rule, clock(v.At), v.Job, shard, v.Text)
}

func clock(t time.Time) string { return t.UTC().Format("02 15:04:05.000") }

func describeRun(r *Run) string {
	end, source := "never ended", string(r.Source)
	if !r.End.IsZero() {
		end = fmt.Sprintf("%s %s", r.Outcome, clock(r.End))
	}
	if r.Request != "" {
		source = fmt.Sprintf("run %s, with the verdict %q,", r.Request, r.Verdict)
	}
	return fmt.Sprintf("%s on %s for %s from %s, %s, token %d", source, r.Process, clock(r.Scheduled), clock(r.Start), end, r.Token)
}

type verdicts struct {
	h       *History
	refused []Excuse
	list    []Violation
}

// add adds a violation, unless there's no evidence for the rule.
func (v *verdicts) add(rule, job string, shard int, at time.Time, format string, args ...any) {
	rules := v.h.Rules
	if j := v.h.Jobs[job]; j != nil && j.Rules != nil {
		rules = j.Rules
	}
	if rules == nil || slices.Contains(rules, rule) {
		v.list = append(v.list, Violation{rule, job, shard, at, fmt.Sprintf(format, args...)})
	}
}

// Check judges a history and returns the violations by time. Refused excuses don't count.
func Check(h *History, refused ...Excuse) []Violation {
	v := &verdicts{h: h, refused: refused}
	h.arrange()
	hours := false
	for _, job := range h.Jobs {
		hours = hours || slices.ContainsFunc(job.Settings, func(s Settings) bool { return s.Schedule != nil })
	}
	for _, name := range slices.Sorted(maps.Keys(h.Jobs)) {
		job := h.Jobs[name]
		runs, accounts := h.runsOf(name), make(map[int]*account)
		for _, shard := range slices.Sorted(maps.Keys(runs)) {
			v.exclusion(job, shard, runs[shard])
			v.tokens(job, shard, runs[shard])
			v.ended(job, shard, runs[shard])
			a := v.accountOf(job, shard, runs[shard])
			v.once(a)
			v.failovers(a)
			v.namesFireTime(a)
			v.manual(job, shard, runs[shard])
			v.skewed(job, shard, runs[shard])
			v.heldBack(job, shard, runs[shard])
			v.triggeredDuringHold(job, shard, runs[shard])
			v.limited(job, shard, runs[shard])
			accounts[shard] = a
		}
		if hours {
			v.overHours(job, runs, accounts)
		} else {
			v.overSeconds(job, runs)
		}
		v.requested(job, runs)
		v.convergence(job)
	}
	for _, s := range h.Snapshots {
		if job := h.Jobs[s.Job]; job != nil {
			v.coverage(job, s)
		}
	}
	v.orphans()
	if h.Machine != nil {
		v.rows(h.Machine)
		v.growth(h.Machine)
		v.console(h.Machine)
		v.agreement(h.Machine)
	}
	slices.SortStableFunc(v.list, func(a, b Violation) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Rule, b.Rule))
	})
	return v.list
}

// overSeconds judges a job that runs every few seconds.
func (v *verdicts) overSeconds(job *JobHistory, runs map[int][]*Run) {
	for _, shard := range slices.Sorted(maps.Keys(runs)) {
		v.switchedOff(job, shard, runs[shard])
		v.dropped(job, shard, runs[shard])
		v.turns(job, runs[shard])
	}
	v.lost(job, runs)
	v.liveness(job, runs)
	v.notified(job)
	v.traffic(job, runs)
}

// onGrid reports whether a run was made for a fire time of the schedule, not for a trigger or
// request.
func onGrid(r *Run, s Settings) bool {
	if r.Request != "" {
		return false
	}
	if s.Schedule != nil {
		return s.Schedule.Holds(r.Scheduled)
	}
	return s.Period > 0 && r.Scheduled.Equal(r.Scheduled.Truncate(s.Period))
}

// exclusion is I1: no shard runs twice at once. A run may be overtaken if it can't know: its
// process was paused, its session was taken away early, or its handler ignores its ended context.
// Then the tokens must show it.
func (v *verdicts) exclusion(job *JobHistory, shard int, runs []*Run) {
	for i, earlier := range runs {
		for _, later := range runs[i+1:] {
			a, b := earlier, later
			if b.called().Before(a.called()) {
				a, b = b, a // It was paused between the call and its first step.
			}
			if !a.End.IsZero() && !b.Start.Before(a.End) {
				continue
			}
			marked := v.h.markedAt(a)
			if at := v.h.markedAt(b); at.Before(marked) {
				marked = at
			}
			if v.grants(Unmonitored) && !v.monitored(job, marked, b.Start) {
				continue // When monitoring is switched off, the marker that holds the shard is removed.
			}
			deaf := v.grants(Deaf) && job.Deaf && !a.Cancel.IsZero() && !a.Cancel.After(b.Start)
			obeys := v.grants(Obeying) && a.Outcome == Cancelled && a.End.Sub(b.Start) < v.h.Pace.Obey
			if a.Process != b.Process && (v.excused(a, b.Start) || v.overtaken(b, a) || deaf || obeys) {
				continue
			}
			v.add("I1", job.Name, shard, b.Start, "runs twice at once:\n    %s\n    %s", describeRun(a), describeRun(b))
		}
	}
}

// monitored reports whether executions were monitored throughout a span.
func (v *verdicts) monitored(job *JobHistory, from, to time.Time) bool {
	for _, s := range job.Settings {
		if !s.From.Before(from) && !s.From.After(to) && !s.Monitor {
			return false
		}
	}
	return job.at(from).Monitor
}

// excused reports whether the process of a run could not know at a time that it had lost its
// shards.
func (v *verdicts) excused(r *Run, at time.Time) bool {
	return v.grants(Unaware) && slices.ContainsFunc(v.h.Excused[r.Process], func(s Span) bool { return s.Holds(at) })
}

// overtaken reports whether a run had its marker before another one began elsewhere, and could not
// know of it when it began.
func (v *verdicts) overtaken(r, other *Run) bool {
	return v.grants(Overtaken) && v.excused(r, r.called()) && v.h.markedAt(r).Before(other.Start)
}

// tokens is the other half of I1: the fencing token never falls, and rises when another process
// runs the shard. If a run was marked before another one overtook it and could not know, it has the
// lower token.
func (v *verdicts) tokens(job *JobHistory, shard int, runs []*Run) {
	if v.grants(EventsLost) && v.h.Blind {
		return // Without the event an owner may not know its renewed token.
	}
	var highest *Run
	for _, r := range runs {
		if v.grants(Unmonitored) && !v.monitored(job, job.Settings[0].From, r.Start) {
			return
		}
		if highest != nil && r.Token < highest.Token && v.overtaken(r, highest) {
			continue
		}
		if highest != nil && (r.Token < highest.Token || r.Token == highest.Token && r.Process != highest.Process) {
			v.add("I1", job.Name, shard, r.Start, "the fencing token does not rise with the owner:\n    %s\n    %s", describeRun(highest), describeRun(r))
		}
		if highest == nil || r.Token >= highest.Token {
			highest = r
		}
	}
}

// ended looks for handler calls with an ended context.
func (v *verdicts) ended(job *JobHistory, shard int, runs []*Run) {
	for _, r := range runs {
		if r.Ended && !v.excused(r, r.called()) { // It may have ended while the process was frozen.
			v.add("ended", job.Name, shard, r.Start, "the handler is called with a context that has ended: %s", describeRun(r))
		}
	}
}

// switchedOff is a part of I8: nothing is made up for while misfire is off.
func (v *verdicts) switchedOff(job *JobHistory, shard int, runs []*Run) {
	for _, r := range runs {
		past := job.at(later(r.Start.Add(-v.settle()), job.Settings[0].From))
		if r.Source == tracing.SourceMisfire && !job.at(r.Start).Misfire && !(v.grants(JustEdited) && past.Misfire) {
			v.add("I8", job.Name, shard, r.Start, "a fire time is made up for although misfire is off: %s", describeRun(r))
		}
	}
}

// dropped is a part of I8: an edit of the schedule drops fire times missed earlier, and so does
// enabling a shard or the servers. A run that was in progress then, or waited in a process for the
// end of a disturbance, begins as soon as nothing disturbs the process.
func (v *verdicts) dropped(job *JobHistory, shard int, runs []*Run) {
	for _, r := range runs {
		if r.Source != tracing.SourceMisfire {
			continue
		}
		for k, s := range job.Settings {
			if k == 0 || !s.From.After(r.Scheduled.Add(time.Second+v.skew(1))) || !r.Start.After(s.From) || !job.Settings[k-1].drops(s, shard) {
				continue
			}
			if v.h.calm(job.Name, r.Process, s.From, r.Start, v.h.Pace.CatchUp) {
				v.add("I8", job.Name, shard, r.Start, "is made up for although the settings of %s came after it: %s", clock(s.From), describeRun(r))
				break
			}
		}
	}
}

// drops reports whether a change of settings drops a shard's missed fire times.
func (s Settings) drops(next Settings, shard int) bool {
	return s.Period != next.Period || s.Shut && !next.Shut || slices.Contains(s.Off, shard) && !slices.Contains(next.Off, shard)
}

// manual is the last part of I8: a trigger runs a shard at most once. While shards move between
// instances that take the same trigger, two of them may run one shard, so only runs under one
// assignment are compared.
func (v *verdicts) manual(job *JobHistory, shard int, runs []*Run) {
	made, tokens := 0, []int64(nil)
	for _, r := range runs {
		if r.Source != tracing.SourceNormal || r.Request != "" || slices.ContainsFunc(job.Settings, func(s Settings) bool { return onGrid(r, s) }) || v.grants(Unmonitored) && !job.at(r.Start).Monitor {
			continue
		}
		if v.grants(TwoTriggers) && (len(tokens) == 0 || tokens[len(tokens)-1] != r.Token) {
			tokens, made = append(tokens, r.Token), 0
		}
		made++
		triggered := 0
		for _, at := range job.Triggers {
			if !at.After(r.Start) {
				triggered++
			}
		}
		if made > triggered {
			v.add("I8", job.Name, shard, r.Start, "triggered %d times and run %d times: %s", triggered, made, describeRun(r))
			return
		}
	}
}
