package explain

import (
	"cmp"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// State is the state of a job in one word.
type State string

// The states, the worst first, as in lists.
const (
	Failing    State = "FAILING"    // a shard of the last run failed or was lost
	Down       State = "DOWN"       // no instance may run the job
	Unreadable State = "UNREADABLE" // the configuration can't be used
	Blocked    State = "BLOCKED"    // the whole job can't run for another reason
	Late       State = "LATE"       // a fire time passed without a run
	Partial    State = "PARTIAL"    // some shards can't run
	Unstable   State = "UNSTABLE"   // the last run succeeded, but at least 2 of the last 10 failed; or instances crash
	Resharding State = "RESHARDING" // the shards must be assigned first
	Unknown    State = "UNKNOWN"    // we don't know whether the job runs or succeeds
	Held       State = "HELD"       // an operator or an agent holds the schedule
	Disabled   State = "DISABLED"   // every server or every shard is disabled
	Ended      State = "ENDED"      // the schedule has no future fire time
	Running    State = "RUNNING"    // a run is on
	Reading    State = "READING"    // only the job's name is known so far
	Healthy    State = "HEALTHY"    // no other state applies
)

// States has all states, the worst first.
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

// Rank returns the position of a state in lists, the worst first.
func (s State) Rank() int { return rank[s] }

// Stops reports whether the whole job can't run until the state changes. Resharding doesn't count,
// because a leader ends it.
func (s State) Stops() bool {
	switch s {
	case Down, Unreadable, Blocked, Disabled, Held, Ended:
		return true
	}
	return false
}

// stopped maps an obstacle to the state of a job that can't run because of it.
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

// interrupted are the findings about a run that was interrupted by the loss of its instance.
var interrupted = []statistics.Code{statistics.CodeRunningStale, statistics.CodeFailoverStale, statistics.CodeFailoverOffered}

// deeper are the findings about a part of the job that explain why the job is late or its shards
// aren't assigned.
var deeper = []statistics.Code{statistics.CodeAgentObstacle, statistics.CodeRunningForged, statistics.CodeNoLeader, statistics.CodeLeaderGone}

// decision is a state with its reason.
type decision struct {
	state State
	// finding is the finding of the registry that decides; nil if there is none.
	finding *statistics.Finding
	// code is the reason if it's from the history.
	code statistics.Code
	// due is the fire time that a late job missed. proven is set if the registry shows that it
	// didn't run.
	due    time.Time
	proven bool
	passed bool // due was before the first live instance registered
	// unended is set if the end of a run isn't recorded although no shard runs.
	unended bool
	// items are the shards that can't run, by the history. silent has details.
	items  []int
	silent silence
}

// decide returns the first state that applies, in the order of the package documentation.
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
	unrecorded := known && d.unrecorded(j)
	if known && d.Bad() && !unrecorded {
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
		return decision{state: Late, code: statistics.CodeLate, due: late.due, proven: late.proven, items: late.items, finding: resharding}
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
	if at, items := d.dropped(j); known && !runs && !at.IsZero() {
		by := decision{state: Late, code: statistics.CodeDropped, due: at, items: items}
		if len(items) > 0 { // The other shards ran.
			by.state = Partial
		}
		return by
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
	case unrecorded:
		return decision{state: Unknown, code: statistics.CodeNotRecorded, unended: true, due: d.EndedStart}
	case e.unended():
		return decision{state: Unknown, code: statistics.CodeNotRecorded, unended: true}
	}
	if due := e.passed(); !due.IsZero() {
		return decision{state: Unknown, code: statistics.CodeNotRecorded, due: due, passed: true}
	}
	return decision{state: Healthy}
}

// StateOf returns the state that [Judge] would return. It's faster because it makes no finding;
// most of ten thousand jobs are only counted.
func StateOf(e Evidence) State {
	return e.decide().state
}

// NeverRan reports whether the history is known and has no run of the job, although its schedule
// isn't held. It's false if the registry shows a run.
func (e Evidence) NeverRan() bool {
	j, d := e.Job, e.Runs
	return e.Known && d.LastStart.IsZero() && d.RanLast(j).IsZero() && j.RunningShards == 0 && !j.ScheduleHeld()
}
