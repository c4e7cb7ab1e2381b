package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// Evidence has the facts about a job that decide its state.
type Evidence struct {
	// Job is the job's row from the registry.
	Job *statistics.Job
	// Runs sums up the newest runs. Known is set if they were read up to Now; otherwise only the
	// registry counts.
	Runs  *Digest
	Known bool
	// Newest is the time of the newest row of any job in the history, so the database accepted rows
	// until then. If it's zero, we assume that the database works.
	Newest time.Time
	// Writers has the instances that recorded runs of any job; nil if unknown.
	Writers *Writers
	// Now is the time at which the job is judged.
	Now time.Time
}

// Judgement is the state of a job with the reason.
type Judgement struct {
	State State
	// Finding decides the state. It's from the registry or the history, and nil if the job is
	// running, healthy or still being read.
	Finding *statistics.Finding
	// Resharding is set if a job is late because its shards must be assigned first.
	Resharding bool
	// Known is set if the history was read, and NeverRan if it has no run of the job.
	Known, NeverRan bool
	// Since is when the state began; zero if unknown.
	Since time.Time
	// Due is the fire time that a Late job missed, and Idle are the owners that should have run it.
	// Proven is set if the registry shows that it didn't run. Otherwise there's no row of the run,
	// although the owners recorded their earlier runs.
	Due    time.Time
	Idle   []string
	Proven bool
	// Passed is set if Due was before the first live instance registered. If we know that no other
	// instance served the job then, it's Late, and otherwise Unknown.
	Passed bool
	// Unended is the start of a run with no recorded end, although no shard runs in the registry.
	// It's only set if that's why the job is Unknown.
	Unended time.Time
	// Left is the number of shards that still run, for a Running job. ByHistory is set if only the
	// history shows the run.
	Left      int
	ByHistory bool
	// Runs is the digest of the newest runs, from the evidence.
	Runs *Digest
}

// Fingerprint returns the fingerprint of the job's failure; empty if its runs don't fail.
func (j *Judgement) Fingerprint() string {
	if j.Finding != nil && j.Finding.Code == statistics.CodeFailing {
		return j.Runs.Fingerprint
	}
	return ""
}

// Part is the part of a job that can't run.
type Part int

const (
	None Part = iota
	Some
	All
)

// Part returns the part of the job that can't run. A job that fails or is late can run.
func (j *Judgement) Part() Part {
	switch {
	case j.State.Stops(), j.State == Resharding && j.Finding.Effect == statistics.EffectJob:
		return All
	case j.State == Partial, j.State == Resharding:
		return Some
	}
	return None
}

// Judge determines the state of a job and its reason.
func Judge(e Evidence) Judgement {
	j, d := e.Job, e.Runs
	by := e.decide()
	out := Judgement{State: by.state, Finding: by.finding, Known: e.Known, NeverRan: e.NeverRan(), Due: by.due, Proven: by.proven, Passed: by.passed, Runs: d}
	if by.code != "" {
		out.Resharding = by.code == statistics.CodeLate && by.finding != nil
		out.Finding = by.found(j, d)
	}
	if by.code == statistics.CodeLate && by.finding == nil {
		out.Idle = d.idle(j, by.due)
	}
	if out.Finding != nil {
		out.Since = out.Finding.Since
	}
	switch by.state {
	case Held:
		out.Since = j.Held.At
	case Unstable:
		out.Since = time.Time{} // The finding's time is only about the last runs or minutes.
	case Running:
		// An instance removes its markers only when all of its shards have ended. A shard without a
		// row may wait for a thread.
		out.Left, out.Since = j.RunningShards, d.LastStart
		if out.ByHistory = j.RunningShards == 0; out.ByHistory {
			out.Left = d.Running
		} else if e.Known && d.Running > 0 {
			out.Left = max(min(out.Left, d.Running), out.Left-d.open.ended)
		}
	}
	if by.unended {
		out.Unended = by.began(d)
	}
	return out
}

// began returns the start of the run without a recorded end.
func (by *decision) began(d *Digest) time.Time { return cmp.Or(by.due, d.open.start) }

// found returns the finding for a decision that comes from the history.
func (by *decision) found(j *statistics.Job, d *Digest) *statistics.Finding {
	f := &statistics.Finding{Code: by.code, Effect: statistics.EffectNothing, Items: by.items, Node: RunsNode}
	switch by.code {
	case statistics.CodeFailing:
		f.Since, f.Server, f.Value = d.FailingSince, d.Where, d.Cause
		f.Sentence, f.Advice = d.failure(), "Open the run: it shows where and why each shard failed."
	case statistics.CodeLate:
		f.Effect, f.Since, f.Node = statistics.EffectJob, by.due, LateNode
		passed := "No run of the fire time %s is on record"
		if by.proven {
			passed = "The fire time %s passed without a run"
		}
		if passed = fmt.Sprintf(passed, stamp(by.due)); len(by.items) > 0 {
			f.Effect = statistics.EffectShards
			passed += " of " + phrase(by.items)
		}
		f.Sentence = passed + "."
		f.Advice = "Look into the log of the instances. If they answer, trigger the job to have the run now. It stays late until it runs at a fire time."
		if idle := d.idle(j, by.due); by.finding != nil {
			f.Sentence, f.Advice = passed+": the shards must be assigned first.", by.finding.Advice
		} else if len(idle) > 0 {
			f.Instance = idle[0]
			f.Sentence = fmt.Sprintf("%s. It was up to %s, which has the shards.", passed, strings.Join(idle, ", "))
			f.Advice = "Look into its log. If it's frozen, hangs in a listener, or was killed and its session hasn't ended, restart it. If it answers, trigger the job to have the run now. It stays late until it runs at a fire time."
		}
	case statistics.CodeDropped:
		f.Since, f.Node = by.due, LateNode
		f.Sentence = fmt.Sprintf("The fire time %s passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for.", stamp(by.due))
		if len(by.items) > 0 {
			f.Sentence = fmt.Sprintf("The fire time %s passed for %s while a run went on, and is lost there: only with misfire and monitorExecution is it made up for.",
				stamp(by.due), phrase(by.items))
		}
		f.Advice = "Let the job fire less often than it takes, divide it into more shards, or turn misfire and monitorExecution on."
		if by.passed {
			f.Node = SeenNode
			f.Sentence = fmt.Sprintf("The fire time %s passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for.", stamp(by.due))
			f.Advice = "Trigger the job to have the run now, or turn misfire and monitorExecution on."
		}
	case statistics.CodeShardsMissed:
		f.Effect, f.Since = statistics.EffectShards, by.silent.since
		f.Sentence = fmt.Sprintf("The runs on record since %s are without %s.", stamp(by.silent.since), phrase(by.items))
		f.Advice = "If it wasn't disabled then, look into the log of the owner, at its clock, and whether it may run anything on its own (Debug)."
	case statistics.CodeUnstable:
		f.Since = d.UnstableSince
		f.Sentence = fmt.Sprintf("The last run on record succeeded, and %d of the last %d failed.", d.Failures, d.LastRuns())
		f.Advice = "Compare the runs that failed: by shard, by instance and by time of day."
	case statistics.CodeCrashes:
		f.Since, f.Node = d.CrashesSince, SeenNode
		f.Sentence = fmt.Sprintf("The job lost an instance %d times since %s: the process ended, or lost ZooKeeper.", d.Crashes, stamp(d.CrashesSince))
		f.Advice = "Look into how the processes ended: an exit in a handler, a kill, or too little memory. Until their sessions end, runs of such processes seem to go on."
	case statistics.CodeHistoryAway:
		f.Sentence = "The history of runs can't be read, so it's unknown whether the last run succeeded."
		f.Advice = "Bring the trace database back, or connect the console to one. If a file of SQLite was replaced, restart the console."
	case statistics.CodeFiredEarly:
		f.Since, f.Value, f.Node = time.Time{}, stamp(by.due), LateNode
		f.Sentence = fmt.Sprintf("An agent with a clock that was ahead ran the fire times up to %s before they were due, and no agent runs them again.", stamp(by.due))
		f.Advice = fmt.Sprintf("Set the clock of that machine. The job runs at its first fire time after %s; trigger it to have a run now.", stamp(by.due))
	case statistics.CodeOverrun:
		*f = d.open.overrun(by.due, by.items)
	case statistics.CodeNotRecorded:
		f.Since = by.due
		if by.unended {
			f.Since = by.began(d)
			f.Sentence = fmt.Sprintf("The end of the run that began at %s isn't on record, and the registry shows no running shard, so its result is unknown.", stamp(f.Since))
			f.Advice = "Its rows may be late: look again in some minutes. Check that the trace database takes rows."
			break
		}
		if len(by.items) > 0 {
			f.Since, f.Advice = by.silent.since, "Check that the owner has a recorder (Java: tracing) that writes to this database."
			f.Sentence = fmt.Sprintf("The last runs on record are without %s; the owner may not record its runs.", phrase(by.items))
			break
		}
		if by.passed {
			f.Sentence = fmt.Sprintf("No run of the fire time %s is on record, and none made up for it. Whether an instance served the job then "+
				"isn't known: the first of the live ones came at %s.", stamp(by.due), stamp(j.ReadySince))
			f.Advice = "Trigger the job to have the run now, or wait for its next run."
			break
		}
		f.Sentence = fmt.Sprintf("No run is on record since the fire time %s. Its rows may be late, or its agents may record none, so it's unknown whether the job runs.", stamp(by.due))
		f.Advice = "Check that its agents have a recorder (Java: tracing) that writes to this database, and look again after the next fire time. If many jobs have no rows since then, look at the database."
		if ran := d.RanLast(j); !ran.IsZero() && !ran.Before(by.due) {
			f.Sentence = fmt.Sprintf("The job ran last at %s or later, and the results of its runs aren't on record here.", stamp(ran))
		}
	}
	return f
}

func (r *openRun) sorted() []int { return slices.Sorted(slices.Values(r.items)) }

// overrun returns the finding that a run was still on at a fire time, as the history shows it.
func (r *openRun) overrun(passed time.Time, items []int) statistics.Finding {
	return statistics.Finding{
		Code: statistics.CodeOverrun, Effect: statistics.EffectNothing, Items: items, Since: r.start, Node: RunsNode,
		Sentence: fmt.Sprintf("%s: by the history still running when the fire time %s came, unless the row of an end is late.", upper(phrase(items)), stamp(passed)),
		Advice:   "If a handler hangs, restart its process. Otherwise let the job fire less often than it takes, or divide it into more shards.",
	}
}

// idle returns the owners without a shard that ran at the fire time or later, by the registry's
// records.
func (d *Digest) idle(j *statistics.Job, due time.Time) []string {
	ran := make(map[string]bool)
	if d.Fired != nil {
		for _, shard := range d.Fired.Shards {
			ran[shard.Owner] = ran[shard.Owner] || !shard.Through.Before(due)
		}
	}
	return slices.DeleteFunc(slices.Clone(j.Owners), func(id string) bool { return ran[id] })
}

// RanLast returns the newest fire time that a shard completed, by the registry's records; zero if
// there is none.
func (d *Digest) RanLast(j *statistics.Job) (newest time.Time) {
	if d.Fired == nil {
		return newest
	}
	for n := range j.Shards {
		if at := d.Fired.Shards[n].Completed; at.After(newest) {
			newest = at
		}
	}
	return newest
}

func (d *Digest) failure() string {
	failed, lost := phrase(d.Failed)+" failed", phrase(d.Lost)+" has no recorded end, as after the loss of its process"
	if len(d.Lost) > 1 {
		lost = phrase(d.Lost) + " have no recorded end, as after the loss of their process"
	}
	what := failed
	switch {
	case len(d.Failed) == 0:
		what = lost
	case len(d.Lost) > 0:
		what = failed + " and " + lost
	case len(d.Failed) == 1 && d.Where != "":
		what = failed + " on " + d.Where
	}
	text := "In the last run on record " + what
	if d.Runs > 1 {
		text = fmt.Sprintf("The last %s on record failed; in the newest %s", d.manyRuns(), what)
	}
	if cause := strings.TrimRight(d.Cause, ". "); cause != "" {
		text += ": " + cause
	}
	return text + "."
}

func (d *Digest) manyRuns() string {
	if d.AtLeast {
		return fmt.Sprintf("%d+ runs", d.Runs)
	}
	return fmt.Sprintf("%d runs", d.Runs)
}

// phrase names shards: "shard 3", "shards 0, 1, 2 and 5 more".
func phrase(items []int) string {
	const most = 5
	names := jobtree.ItemNames(items[:min(most, len(items))])
	switch {
	case len(items) == 1:
		return "shard " + names[0]
	case len(items) > most:
		return fmt.Sprintf("shards %s and %d more", strings.Join(names, ", "), len(items)-most)
	}
	return "shards " + strings.Join(names, ", ")
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
