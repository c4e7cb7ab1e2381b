package judge

import "slices"

// Excuse names a reason to accept what would otherwise be a violation. The package documentation
// lists all of them. For each, a test has a correct history that would be a violation without it.
type Excuse string

// The excuses, in the order of the package documentation.
const (
	Unmonitored Excuse = "unmonitored"
	Unaware     Excuse = "unaware"
	Overtaken   Excuse = "overtaken"
	Deaf        Excuse = "deaf"
	EventsLost  Excuse = "events lost"
	Unrecorded  Excuse = "unrecorded"
	Marked      Excuse = "marked"
	CutShort    Excuse = "cut short"
	NeverBegun  Excuse = "never begun"
	Triggered   Excuse = "triggered"
	TwoTriggers Excuse = "two triggers"
	Astray      Excuse = "clocks astray"
	Skewed      Excuse = "clocks differ"
	JustEdited  Excuse = "just edited"
	Overrun     Excuse = "overrun"
	Busy        Excuse = "busy"
	Late        Excuse = "late"
	NewOwner    Excuse = "new owner"
	Refused     Excuse = "refused"
	CrowdedOut  Excuse = "crowded out"
	NoMisfire   Excuse = "no misfire"
	Moving      Excuse = "moving"
	ClockSet    Excuse = "clock set"
	NoServer    Excuse = "no server"
	SlowHandler Excuse = "slow handler"
	Pending     Excuse = "pending"
	Stranger    Excuse = "stranger"
	Away        Excuse = "away"
	Closed      Excuse = "closed"
	Switched    Excuse = "switched"
	Unseen      Excuse = "unseen"
	Working     Excuse = "working"
	Unscheduled Excuse = "unscheduled"
	Retimed     Excuse = "retimed"
	Added       Excuse = "added"
	Obeying     Excuse = "obeying"
	Unwatched   Excuse = "unwatched"
)

// Excuses returns all excuses.
func Excuses() []Excuse {
	return []Excuse{
		Unmonitored, Unaware, Overtaken, Deaf, EventsLost, Unrecorded, Marked, CutShort, NeverBegun, Triggered, TwoTriggers,
		Astray, Skewed, JustEdited, Overrun, Busy, Late, NewOwner, Refused, CrowdedOut, NoMisfire, Moving, ClockSet, NoServer, SlowHandler,
		Pending, Stranger, Away, Closed, Switched, Unseen, Working, Unscheduled, Retimed, Added, Obeying, Unwatched,
	}
}

func (v *verdicts) grants(e Excuse) bool { return !slices.Contains(v.refused, e) }
