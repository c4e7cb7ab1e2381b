package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// State is how a job is, in a word.
type State string

// The states, the worst first: the order of lists.
const (
	Failing    State = "FAILING"    // the last run has a shard that failed or was lost
	Down       State = "DOWN"       // no instance may run it
	Unreadable State = "UNREADABLE" // the configuration cannot be used
	Blocked    State = "BLOCKED"    // something else keeps all of it from running
	Late       State = "LATE"       // a fire time has passed without a run
	Partial    State = "PARTIAL"    // some of its shards don't run
	Unstable   State = "UNSTABLE"   // the last run succeeded, and at least 2 of the last 10 failed; or its instances crash
	Resharding State = "RESHARDING" // shards have no live owner
	Unknown    State = "UNKNOWN"    // it's unknown whether it runs or succeeds
	Held       State = "HELD"       // an operator or an agent holds its schedule
	Disabled   State = "DISABLED"   // every server, or every shard, is switched off
	Ended      State = "ENDED"      // its schedule has no fire time to come
	Running    State = "RUNNING"    // a run is on
	Reading    State = "READING"    // nothing but its name is known yet
	Healthy    State = "HEALTHY"    // none of the others
)

// States are all of them, the worst first.
var States = []State{
	Failing, Down, Unreadable, Blocked, Late, Partial, Unstable, Resharding, Unknown, Held, Disabled, Ended, Running, Reading, Healthy,
}

var rank = func() map[State]int {
	places := make(map[State]int, len(States))
	for i, s := range States {
		places[s] = i
	}
	return places
}()

// Rank is the place of a state in lists, the worst first.
func (s State) Rank() int { return rank[s] }

// Stops reports whether nothing of a job runs until its state changes. A leader ends Resharding by itself.
func (s State) Stops() bool {
	switch s {
	case Down, Unreadable, Blocked, Disabled, Held, Ended:
		return true
	}
	return false
}

// stopped maps an obstacle to the state of a job of which nothing runs.
var stopped = map[statistics.Code]State{
	statistics.CodeConfigAbsent: Unreadable, statistics.CodeConfigUnreadable: Unreadable, statistics.CodeConfigUnusable: Unreadable,
	statistics.CodeConfigKeyUnknown: Unreadable, statistics.CodeNoInstance: Down, statistics.CodeNoEnabledInstance: Down,
	statistics.CodeJobDisabled: Disabled, statistics.CodeItemDisabled: Disabled, statistics.CodeHeld: Held,
	statistics.CodeCronNeverAgain: Ended, statistics.CodeScheduleEnded: Ended,
}

// assigning are the findings about shards that a leader will assign.
var assigning = []statistics.Code{
	statistics.CodeReshardingAnnounced, statistics.CodeReshardingProcessing, statistics.CodeNothingDealt,
	statistics.CodeItemWithoutOwner, statistics.CodeItemOwnerGone, statistics.CodeItemOwnerDisabled,
}

// interrupted are the findings about a run that ended with its instance.
var interrupted = []statistics.Code{statistics.CodeRunningStale, statistics.CodeFailoverStale, statistics.CodeFailoverOffered}

// deeper are the findings about a part of the job that explain why it's late, or why its shards
// aren't assigned.
var deeper = []statistics.Code{statistics.CodeAgentObstacle, statistics.CodeRunningForged, statistics.CodeNoLeader, statistics.CodeLeaderGone}

// decision is the state of a job, and why.
type decision struct {
	state State
	// finding is the one of the registry that decides; nil if none does.
	finding *statistics.Finding
	// code is what decides if it is not the registry.
	code statistics.Code
	// due is the fire time that passed, of a job that is late; proven is set if the registry shows
	// that it didn't run.
	due    time.Time
	proven bool
	passed bool // due passed before the first live instance came
	// unended is set if the end of a run isn't on record although no shard runs.
	unended bool
	// items are the shards that don't run, by the history, and silent more about them.
	items  []int
	silent silence
}

// decide returns the state of a job. The first state that applies counts, in the order of the
// package's documentation.
func (e Evidence) decide() decision {
	j, d, known, now := e.Job, e.Runs, e.Known, e.Now
	switch {
	case j.Status == statistics.StatusReading:
		return decision{state: Reading}
	case j.Status == statistics.StatusBroken && len(j.Findings) == 0:
		return decision{state: Unreadable}
	}
	var resharding, partly *statistics.Finding
	for i := range j.Findings {
		f := &j.Findings[i]
		switch {
		case f.Code == statistics.CodeConfigForbidden:
			return decision{state: Unknown, finding: f}
		case !f.Effect.HoldsUp(), slices.Contains(interrupted, f.Code), d.ranSince(f):
		case slices.Contains(assigning, f.Code) && !j.StaticSharding:
			resharding = cmp.Or(resharding, f)
		case f.Effect == statistics.EffectJob:
			state, known := stopped[f.Code]
			if !known {
				state = Blocked
			}
			return decision{state: state, finding: f}
		default:
			partly = cmp.Or(partly, f)
		}
	}
	if known && d.Bad() {
		return decision{state: Failing, code: statistics.CodeFailing, items: d.bad()}
	}
	for i := range j.Findings {
		if f := &j.Findings[i]; f.Effect.HoldsUp() && slices.Contains(interrupted, f.Code) && !d.ranSince(f) {
			return decision{state: Failing, finding: f, items: f.Items}
		}
	}
	if partly != nil && slices.Contains(deeper, partly.Code) {
		return decision{state: Partial, finding: partly, items: partly.Items}
	}
	runs := e.runs()
	late := e.lateness()
	if late.missed && !runs {
		return decision{state: Late, code: statistics.CodeLate, due: late.due, proven: late.proven, finding: resharding}
	}
	if resharding != nil {
		return decision{state: Resharding, finding: resharding}
	}
	if partly != nil {
		return decision{state: Partial, finding: partly, items: partly.Items}
	}
	silent := d.silent(j, known, now)
	if len(silent.items) > 0 {
		return silent.decision()
	}
	if at := d.dropped(j); known && !runs && !at.IsZero() {
		return decision{state: Late, code: statistics.CodeDropped, due: at}
	}
	if at := e.lost(); !runs && !at.IsZero() {
		return decision{state: Late, code: statistics.CodeDropped, due: at, passed: true}
	}
	switch {
	case d.Crashes >= ManyCrashes:
		return decision{state: Unstable, code: statistics.CodeCrashes}
	case known && d.Failures >= unstableFrom:
		return decision{state: Unstable, code: statistics.CodeUnstable}
	case !e.mayRun().IsZero():
		return decision{state: Unknown, code: statistics.CodeOverrun, due: e.mayRun(), items: d.open.sorted()}
	case runs:
		return decision{state: Running}
	case !known:
		return decision{state: Unknown, code: statistics.CodeHistoryAway}
	case len(silent.unproven) > 0:
		return decision{state: Unknown, code: statistics.CodeNotRecorded, items: silent.unproven, silent: silent}
	case late.unproven, d.LastStart.IsZero() && !d.RanLast(j).IsZero():
		return decision{state: Unknown, code: statistics.CodeNotRecorded, due: late.due}
	case e.unended():
		return decision{state: Unknown, code: statistics.CodeNotRecorded, unended: true}
	}
	if due := e.passed(); !due.IsZero() {
		return decision{state: Unknown, code: statistics.CodeNotRecorded, due: due, passed: true}
	}
	return decision{state: Healthy}
}

// StateOf returns the state of [Judge] without a finding, because most of ten thousand jobs
// are only counted.
func StateOf(e Evidence) State {
	return e.decide().state
}

// NeverRan reports whether the history is known and has no run of a job, although its
// schedule isn't held.
func (e Evidence) NeverRan() bool {
	j, d := e.Job, e.Runs
	return e.Known && d.LastStart.IsZero() && j.RunningShards == 0 && !j.ScheduleHeld()
}
