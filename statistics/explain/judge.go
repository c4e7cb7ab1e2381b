package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// Evidence about one job.
type Evidence struct {
	// Job is the job as the registry shows it.
	Job *statistics.Job
	// Runs sums up its newest runs. Known is set if they were read up to Now; otherwise only
	// the registry is judged.
	Runs  *Digest
	Known bool
	// Newest is the time of the newest row of any job in the history: until then the database
	// took rows. Zero means that it's unknown, and then the database is taken to be sound.
	Newest time.Time
	// Writers are the instances that recorded runs of any job; nil if it's unknown.
	Writers *Writers
	// Now is the time of the judgement.
	Now time.Time
}

// Judgement is the state of a job and the reason.
type Judgement struct {
	State State
	// Finding decides about the state. It comes from the registry or from the history, and is
	// nil if the job runs, is being read or is healthy.
	Finding *statistics.Finding
	// Resharding is set if a job is late because its shards must be assigned first.
	Resharding bool
	// Known is set if the history was read, and NeverRan if it has no run of the job.
	Known, NeverRan bool
	// Since is the time at which the state began; zero if unknown.
	Since time.Time
	// Due is the fire time that passed, of a job that is Late, and Idle the owners of shards that
	// should have run it. If it's Proven, the registry shows that it didn't run; otherwise no run of
	// it is on record, and the owners recorded theirs until then.
	Due    time.Time
	Idle   []string
	Proven bool
	// Passed is set if Due passed before the first live instance came. The job is Late if no other one served it
	// then, and Unknown if that isn't known.
	Passed bool
	// Absent is how many runs shards took no part in, of a job that is Partial by its history.
	Absent int
	// Unended is the start of a run that has no end on record although the registry shows no running shard, of a job
	// that is Unknown; zero if it's for another reason.
	Unended time.Time
	// Left is how many shards still run, of a job that is Running. If it's ByHistory, only the history shows it.
	Left      int
	ByHistory bool
	// Runs sums up the newest runs.
	Runs *Digest
}

// Fingerprint returns the fingerprint of the failure; empty if the job's runs don't fail.
func (j *Judgement) Fingerprint() string {
	if j.Finding != nil && j.Finding.Code == statistics.CodeFailing {
		return j.Runs.Fingerprint
	}
	return ""
}

// Part is how much of a job does not run.
type Part int

// The parts.
const (
	None Part = iota
	Some
	All
)

// Part returns how much of the job doesn't run. A job that fails or is late runs.
func (j *Judgement) Part() Part {
	switch {
	case j.State.Stops(), j.State == Resharding && j.Finding.Effect == statistics.EffectJob:
		return All
	case j.State == Partial, j.State == Resharding:
		return Some
	}
	return None
}

// Judge returns the state of a job.
func Judge(e Evidence) Judgement {
	j, d := e.Job, e.Runs
	by := e.decide()
	out := Judgement{State: by.state, Finding: by.finding, Known: e.Known, NeverRan: e.NeverRan(), Due: by.due, Proven: by.proven, Passed: by.passed, Absent: by.silent.runs, Runs: d}
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
		out.Since = time.Time{} // The finding is about the last runs or minutes only.
	case Running:
		// The markers of shards that have ended stay until all shards of an instance have.
		out.Left, out.Since = j.RunningShards, d.LastStart
		if out.ByHistory = j.RunningShards == 0; e.Known && d.Running > 0 && (out.ByHistory || d.Running < out.Left) {
			out.Left = d.Running
		}
	}
	if by.unended {
		out.Unended = d.open.start
	}
	return out
}

// found returns the finding of the history that decides.
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
		passed = fmt.Sprintf(passed, stamp(by.due))
		f.Sentence = passed + "."
		f.Advice = "Look into the log of the instances; trigger the job to have the run now. It stays late until it runs at a fire time."
		if idle := d.idle(j, by.due); by.finding != nil {
			f.Sentence, f.Advice = passed+": the shards must be assigned first.", by.finding.Advice
		} else if len(idle) > 0 {
			f.Instance = idle[0]
			f.Sentence = fmt.Sprintf("%s. It was up to %s, which has the shards.", passed, strings.Join(idle, ", "))
			f.Advice = "Look into its log. If it's frozen, or was killed and its session hasn't ended, restart it. Trigger the job to have the run now. It stays late until it runs at a fire time."
		}
	case statistics.CodeDropped:
		f.Since, f.Node = by.due, LateNode
		f.Sentence = fmt.Sprintf("The fire time %s passed while a run went on, and is lost: only with misfire and monitorExecution is it made up for.", stamp(by.due))
		f.Advice = "Let the job fire less often than it takes, divide it into more shards, or turn misfire and monitorExecution on."
		if by.passed {
			f.Node = SeenNode
			f.Sentence = fmt.Sprintf("The fire time %s passed while no instance served the job, and is lost: only with misfire and monitorExecution is it made up for.", stamp(by.due))
			f.Advice = "Trigger the job to have the run now, or turn misfire and monitorExecution on."
		}
	case statistics.CodeShardsMissed:
		f.Effect, f.Since = statistics.EffectShards, by.silent.since
		f.Sentence = fmt.Sprintf("%s took no part in %s, although switched on.", upper(phrase(by.items)), lastRuns(by.silent.runs))
		f.Advice = "Look into the log of the owner, and whether it may run anything on its own (Debug)."
	case statistics.CodeUnstable:
		f.Since = d.UnstableSince
		f.Sentence = fmt.Sprintf("The last run on record succeeded, and %d of the last %d failed.", d.Failures, d.LastRuns())
		f.Advice = "Compare the runs that failed: by shard, by instance and by time of day."
	case statistics.CodeCrashes:
		f.Since, f.Node = d.CrashesSince, SeenNode
		f.Sentence = fmt.Sprintf("%d instances of the job were lost since %s: their processes ended, or lost ZooKeeper.", d.Crashes, stamp(d.CrashesSince))
		f.Advice = "Look into how the processes ended: an exit in a handler, a kill, or too little memory. Until their sessions end, runs of such processes seem to go on."
	case statistics.CodeHistoryAway:
		f.Sentence = "The history of runs can't be read, so it's unknown whether the last run succeeded."
		f.Advice = "Bring the trace database back, or connect the console to one. If a file of SQLite was replaced, restart the console."
	case statistics.CodeOverrun:
		*f = d.open.overrun(by.due, by.items)
	case statistics.CodeNotRecorded:
		f.Since = by.due
		if by.unended {
			f.Since = d.open.start
			f.Sentence = fmt.Sprintf("The end of the run that began at %s isn't on record, and the registry shows no running shard, so its result is unknown.", stamp(d.open.start))
			f.Advice = "Its rows may be late: look again in some minutes. Check that the trace database takes rows."
			break
		}
		if len(by.items) > 0 {
			f.Since, f.Advice = by.silent.since, "Check that the owner has a recorder (Java: tracing) that writes to this database."
			f.Sentence = fmt.Sprintf("None of the last runs of %s is on record, so their results are unknown. The owner may not record its runs.", phrase(by.items))
			break
		}
		if by.passed {
			f.Sentence = fmt.Sprintf("No run of the fire time %s is on record, and none made up for it. Whether an instance served the job then "+
				"isn't known: the first of the live ones came at %s.", stamp(by.due), stamp(j.ReadySince))
			f.Advice = "Trigger the job to have the run now, or wait for its next run."
			break
		}
		f.Sentence = fmt.Sprintf("No run is on record since the fire time %s. Its rows may be late, or its agents may record none, so it's unknown whether the job runs.", stamp(by.due))
		f.Advice = "Check that its agents have a recorder (Java: tracing) that writes to this database, and look again after the next fire time."
		if ran := d.RanLast(j); !ran.IsZero() && !ran.Before(by.due) {
			f.Sentence = fmt.Sprintf("The job ran last at %s, and the results of its runs aren't on record here.", stamp(ran))
		}
	}
	return f
}

// sorted are the shards that go on, in ascending order.
func (r *openRun) sorted() []int { return slices.Sorted(slices.Values(r.items)) }

// overrun is the finding that a run goes on over a fire time, by the history.
func (r *openRun) overrun(passed time.Time, items []int) statistics.Finding {
	return statistics.Finding{
		Code: statistics.CodeOverrun, Effect: statistics.EffectNothing, Items: items, Since: r.start, Node: RunsNode,
		Sentence: fmt.Sprintf("%s: by the history still running when the fire time %s came, unless the row of an end is late.", upper(phrase(items)), stamp(passed)),
		Advice:   "Let the job fire less often than it takes, or divide it into more shards. If a handler hangs, restart its process.",
	}
}

// idle are the owners of shards of which no run is recorded in the registry since a fire time.
func (d *Digest) idle(j *statistics.Job, due time.Time) []string {
	ran := make(map[string]bool)
	if d.Fired != nil {
		for _, shard := range d.Fired.Shards {
			ran[shard.Owner] = ran[shard.Owner] || !shard.Through.Before(due)
		}
	}
	return slices.DeleteFunc(slices.Clone(j.Owners), func(id string) bool { return ran[id] })
}

// RanLast is the newest fire time that a shard has completed by the registry; zero for none.
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

// failure names the shards that failed, and the reason.
func (d *Digest) failure() string {
	failed, lost := phrase(d.Failed)+" failed", phrase(d.Lost)+" was lost"
	if len(d.Lost) > 1 {
		lost = phrase(d.Lost) + " were lost"
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

func lastRuns(n int) string {
	if n == 1 {
		return "the last run"
	}
	return fmt.Sprintf("the last %d runs", n)
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
