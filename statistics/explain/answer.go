package explain

import (
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// The Node of findings and checks that come from the history or the console.
const (
	RunsNode  = "the newest runs in the trace database"
	LateNode  = "schedule, and the newest run in the trace database"
	SeenNode  = "the instances that the console has seen"
	AuditNode = "the audit log"
)

// Answer has the judgement of a job and everything found about it: the reasons why it doesn't run
// or why its runs fail, and the rules that hold.
type Answer struct {
	Judgement
	// Summary is the answer in one or two sentences.
	Summary string
	// Findings come from the registry and the history. The first one decides the state. The others
	// are sorted as in [statistics.Explanation].
	Findings []statistics.Finding
	// Checks are the rules that hold. They never contradict a finding.
	Checks []statistics.Check
	// NextFire is the next fire time that runs; zero if there is none. It's later than the next one
	// of the schedule if an agent with a clock ahead has run that already.
	NextFire time.Time
}

// Explain judges a job and combines the findings of the registry with the findings of the history.
func Explain(why *statistics.Explanation, e Evidence) Answer {
	a := Answer{Judgement: Judge(e), Findings: slices.Clone(why.Findings), Checks: slices.Clone(why.Checks)}
	if !why.NextFire.IsZero() {
		a.NextFire = e.nextFire(why.NextFire)
	}
	j, d := e.Job, e.Runs
	for i := range a.Findings {
		if f := &a.Findings[i]; f.Effect.HoldsUp() && d.ranSince(f) {
			f.Effect = statistics.EffectNothing
			if unfollowed(f) {
				continue // Keep the advice for the next edit or restart.
			}
			f.Advice = "It is left over: the shard has run to its end since. Delete the node."
		}
	}
	a.add(e)
	slices.SortStableFunc(a.Findings, statistics.Finding.Compare)
	a.decidingFirst()
	late := e.lateness()
	against := func(check statistics.CheckCode) bool {
		return slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return f.Against(check) })
	}
	a.Checks = slices.DeleteFunc(a.Checks, func(c statistics.Check) bool { return against(c.Code) })
	lost := slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return f.Effect.HoldsUp() && slices.Contains(interrupted, f.Code) })
	if e.Known && !d.EndedAt.IsZero() && !lost && !e.unended() && !d.unrecorded(j) && !against(statistics.CheckLastRun) && !a.failedToBegin() {
		a.Checks = append(a.Checks, statistics.Check{Code: statistics.CheckLastRun, Sentence: "The last run on record did not fail.", Node: RunsNode})
	}
	seen := e.Known && !d.LastFire.IsZero() || d.Fired != nil
	seen = seen && len(d.silent(j, e.Known, e.Now).unproven) == 0
	seen = seen && !e.Now.After(d.upcoming().fire.Add(tolerance)) // The run of that fire time may come yet.
	if seen && a.Part() != All && !d.plan.fire.IsZero() && !late.missed && !late.unproven && !j.ScheduleHeld() && !against(statistics.CheckOnTime) {
		since := d.coveredSince(j)
		if since.After(e.Now) { // An agent's clock is ahead.
			since = e.Now
		}
		if cut := since.Truncate(time.Second); cut.Before(since) { // The sentence has no fractions.
			since = cut.Add(time.Second)
		}
		a.Checks = append(a.Checks, statistics.Check{
			Code: statistics.CheckOnTime, Node: LateNode, Since: since,
			Sentence: fmt.Sprintf("No fire time has passed without a run since %s.", stamp(since)),
		})
	}
	a.Summary = a.summary(why, !e.mayRun().IsZero())
	return a
}

// add adds the findings of the history.
func (a *Answer) add(e Evidence) {
	j, d := e.Job, e.Runs
	has := func(code statistics.Code) bool {
		return slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return f.Code == code })
	}
	if d.Crashes >= ManyCrashes && !has(statistics.CodeCrashes) {
		by := decision{code: statistics.CodeCrashes}
		a.Findings = append(a.Findings, *by.found(j, d))
	}
	if a.Finding != nil && !has(a.Finding.Code) {
		a.Findings = append(a.Findings, *a.Finding)
	}
	if e.Known && d.Bad() && !d.unrecorded(j) && !has(statistics.CodeFailing) {
		by := decision{code: statistics.CodeFailing, items: d.bad()}
		a.Findings = append(a.Findings, *by.found(j, d))
	}
	if at, items := d.dropped(j); e.Known && !at.IsZero() && !has(statistics.CodeDropped) {
		by := decision{code: statistics.CodeDropped, due: at, items: items}
		a.Findings = append(a.Findings, *by.found(j, d))
	}
	if late := e.lateness(); e.Known && late.unproven && !e.runs() && a.Part() == None && !has(statistics.CodeNotRecorded) {
		by := decision{code: statistics.CodeNotRecorded, due: late.due}
		a.Findings = append(a.Findings, *by.found(j, d))
	}
	if passed := d.overrun(j, e.Now); e.Known && !j.Monitored && !passed.IsZero() && !has(statistics.CodeOverrun) {
		a.Findings = append(a.Findings, d.open.overrun(passed, d.open.sorted()))
	}
	if until := d.early(j, e.Now); until.After(e.Now.Add(grace)) && a.Part() != All {
		by := decision{code: statistics.CodeFiredEarly, due: until}
		a.Findings = append(a.Findings, *by.found(j, d))
	}
	if silent := d.silent(j, e.Known, e.Now); len(silent.items) > 0 && !has(statistics.CodeShardsMissed) {
		by := silent.decision()
		a.Findings = append(a.Findings, *by.found(j, d))
	}
}

// decidingFirst moves the finding that decides the state to the front.
func (a *Answer) decidingFirst() {
	if a.Finding == nil {
		return
	}
	at := slices.IndexFunc(a.Findings, func(f statistics.Finding) bool {
		return f.Code == a.Finding.Code && f.Instance == a.Finding.Instance
	})
	if at > 0 {
		f := a.Findings[at]
		a.Findings = slices.Insert(slices.Delete(a.Findings, at, at+1), 0, f)
	}
}

// failedToBegin reports whether an instance announces that its last run failed before a handler was
// called. Such a run isn't on record.
func (a *Answer) failedToBegin() bool {
	return slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return f.Obstacle == string(jobtree.ObstacleNotBegun) })
}

func (a *Answer) clocksDiffer() bool {
	return slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeClockDiffers })
}

// summary writes Answer.Summary. may is set if only the history shows that a run is on.
func (a *Answer) summary(why *statistics.Explanation, may bool) string {
	fires := "it runs when it is triggered"
	triggered := a.NextFire.IsZero()
	running := slices.ContainsFunc(a.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeRunning })
	if triggered && running {
		fires = "a run is on, and agents drop triggers until it ends"
	}
	if !triggered {
		zone := why.Zone
		if why.ZoneAssumed {
			zone = "the zone of this process; each agent uses its own"
		}
		next := fmt.Sprintf("%s (%s)", a.NextFire.Format("2006-01-02 15:04:05"), zone)
		fires = "it fires next at " + next
		if a.clocksDiffer() {
			fires = "its next fire time is " + next + "; an agent with a wrong clock fires earlier or later"
		}
	}
	overrun := slices.IndexFunc(a.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeOverrun })
	switch {
	case overrun >= 0 && may:
		fires = "a run may be on"
	case overrun >= 0:
		fires = "a run is on"
	}
	first := ""
	if len(a.Findings) > 0 {
		first = " " + a.Findings[0].Sentence
	}
	if a.State == Held {
		return first[min(1, len(first)):]
	}
	switch a.Part() {
	case All:
		return "The job starts no runs." + first
	case Some:
		if a.Finding.OfHistory() { // The shard may run at the next fire time.
			return a.Finding.Sentence
		}
		return "A part of the job starts no runs: " + fires + "." + first
	}
	switch a.State {
	case Failing, Late, Unstable, Unknown:
		return first[min(1, len(first)):]
	}
	for _, code := range []statistics.Code{statistics.CodeConfigOtherRelease, statistics.CodeRunWaits} {
		at := slices.IndexFunc(a.Findings, func(f statistics.Finding) bool { return f.Code == code })
		switch {
		case at < 0:
		case code == statistics.CodeConfigOtherRelease:
			return "Perhaps the job starts no runs. " + a.Findings[at].Sentence
		case triggered:
			return a.Findings[at].Sentence
		default:
			return "Nothing is in the way of the schedule: " + fires + ". " + a.Findings[at].Sentence
		}
	}
	if overrun >= 0 {
		return "A run is on. " + a.Findings[overrun].Sentence
	}
	if triggered && running {
		return "A run is on, and agents drop triggers until it ends."
	}
	return "Nothing prevents the job from running: " + fires + "."
}
