package health

import (
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// State is how a job is, as pages show it.
type State string

// The states.
const (
	Unreadable State = "UNREADABLE" // the configuration cannot be used
	Disabled   State = "DISABLED"   // every server is switched off
	Down       State = "DOWN"       // no instance is registered
	Failing    State = "FAILING"    // the last run has a shard that failed or was lost
	Late       State = "LATE"       // a fire time has passed without a run
	Resharding State = "RESHARDING" // shards have no live owner
	Running    State = "RUNNING"    // a run is on
	Healthy    State = "HEALTHY"    // none of the others
	// Reading means that nothing but the job's name is known yet.
	Reading State = "READING"
)

// States are all of them, the worst first: the order of lists.
var States = []State{Failing, Down, Unreadable, Late, Resharding, Disabled, Running, Reading, Healthy}

// rank is the place of each state in States.
var rank = func() map[State]int {
	places := make(map[State]int, len(States))
	for i, s := range States {
		places[s] = i
	}
	return places
}()

// Rank is the place of a state in lists, the worst first.
func (s State) Rank() int { return rank[s] }

// Health is how a job is.
type Health struct {
	State State
	// Reason is at most five words; empty if there is nothing to say.
	Reason string
	// Sentence says the same in full.
	Sentence string
	// Known tells that the history was read, NeverRan that it has no run of the job.
	Known, NeverRan bool
	// Since is when it began, zero if nobody knows.
	Since time.Time
	// Due is the fire time that passed, of a job that is Late.
	Due time.Time
	// Cause is why the last run failed, and Fingerprint what it has in common with
	// that of other jobs; empty unless the job is Failing. The text may hold
	// secrets.
	Cause, Fingerprint string
	// Items are the shards of the last run that failed or were lost, and Where is
	// the address at which the first of them ran.
	Items []int
	Where string
}

// StateOf is the state that [Judge] says, without words: of ten thousand jobs most are
// only counted.
func StateOf(j *statistics.Job, d *Digest, known bool, now time.Time) State {
	switch j.Status {
	case statistics.StatusReading:
		return Reading
	case statistics.StatusBroken:
		return Unreadable
	case statistics.StatusDisabled:
		return Disabled
	case statistics.StatusCrashed:
		return Down
	}
	switch {
	case known && d.Bad() || j.LostShards > 0:
		return Failing
	case known && j.RunningShards == 0 && d.Running == 0 && d.passed(j, now):
		return Late
	case j.Status == statistics.StatusShardingFlag:
		return Resharding
	case j.RunningShards > 0 || d.Running > 0:
		return Running
	}
	return Healthy
}

// NeverRan tells that the history is known and has no run of a job, although nobody holds
// its schedule.
func NeverRan(j *statistics.Job, d *Digest, known bool) bool {
	return known && d.LastStart.IsZero() && j.RunningShards == 0 && !j.Held.Schedule()
}

// Judge says how a job is, in the reader's language. Known tells that the digest is
// that of a history; now is the time up to which the history was read.
func Judge(l i18n.Lang, j *statistics.Job, d *Digest, known bool, now time.Time) Health {
	h := Health{State: StateOf(j, d, known, now), Known: known, NeverRan: NeverRan(j, d, known)}
	switch h.State {
	case Reading:
		h.Reason, h.Sentence = l.HealthWhyReading(), l.HealthIsReading()
	case Unreadable:
		h.Reason, h.Sentence = words(j.ConfigError, reasonWords), l.HealthIsUnreadable(part(strings.TrimPrefix(j.Reason, "config: ")))
	case Disabled:
		h.Sentence = l.HealthIsDisabled()
	case Down:
		h.Reason, h.Sentence = l.HealthWhyDown(), l.HealthIsDown()
	case Failing:
		if !known || !d.Bad() {
			h.Reason, h.Sentence = l.HealthWhyLost(j.LostShards), l.HealthIsLost(j.LostShards)
			break
		}
		h.Reason, h.Sentence, h.Since = d.reason(l), d.sentence(l), d.FailingSince
		h.Cause, h.Fingerprint, h.Items, h.Where = d.Cause, d.Fingerprint, slices.Sorted(slices.Values(slices.Concat(d.Failed, d.Lost))), d.Where
	case Late:
		h.Due, h.Since = d.fire, d.fire
		h.Reason, h.Sentence = l.HealthWhyLate(), l.HealthIsLate(clock(d.fire))
		if j.Status == statistics.StatusShardingFlag {
			h.Reason, h.Sentence = l.HealthWhyLateResharding(), l.HealthIsLateResharding(clock(d.fire))
		}
	case Resharding:
		h.Reason, h.Sentence = l.HealthWhyResharding(), l.HealthIsResharding(part(j.Reason))
		if j.UnassignedShards < j.Shards {
			h.Reason = l.HealthWhyUnassigned(j.UnassignedShards)
		}
	case Running:
		left := max(j.RunningShards, d.Running)
		h.Reason = l.HealthWhyRunning(left, max(j.Shards, left))
		h.Sentence, h.Since = l.HealthIsRunning(left), d.LastStart
	default:
		h.Sentence = l.HealthIsHealthy()
		healthyReason(l, &h, j)
	}
	return h
}

// healthyReason says what is worth knowing of a job that is as it should be.
func healthyReason(l i18n.Lang, h *Health, j *statistics.Job) {
	switch {
	case j.Held.Schedule():
		h.Reason, h.Sentence, h.Since = l.HealthWhyHeld(), l.HealthIsHeld(j.Held.By), j.Held.At
	case j.DisabledItems > 0:
		h.Reason, h.Sentence = l.HealthWhyItemsOff(j.DisabledItems), l.HealthIsItemsOff(j.DisabledItems)
	case j.DisabledServers > 0:
		h.Reason, h.Sentence = l.HealthWhyServersOff(j.DisabledServers), l.HealthIsServersOff(j.DisabledServers)
	case h.NeverRan:
		h.Reason, h.Sentence = l.HealthWhyNever(), l.HealthIsNever()
	}
}

// reasonWords is how many words a reason has at most.
const reasonWords = 5

// words are the first n words of a text.
func words(text string, n int) string {
	list := strings.Fields(text)
	return strings.Join(list[:min(n, len(list))], " ")
}

// part is a text inside a sentence.
func part(text string) string { return strings.TrimRight(text, ". ") }

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }
