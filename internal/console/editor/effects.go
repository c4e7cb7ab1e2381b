package editor

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Code is what happens when a change is saved.
type Code string

// What can happen.
const (
	NothingChanges Code = "nothing"
	// Reschedules: N live instances take the schedule over at once.
	Reschedules Code = "reschedules"
	// AppliesLater: no instance is alive; it counts when one starts.
	AppliesLater Code = "applies_later"
	// AppliesAtOnce: N live instances use it from their next run on.
	AppliesAtOnce Code = "applies_at_once"
	// FireDropped: the fire time At, which the stored schedule has next, is none of
	// the new one.
	FireDropped Code = "fire_dropped"
	// NotMadeUp: what was missed before the change is not made up for.
	NotMadeUp Code = "not_made_up"
	// StillMadeUp: the change leaves missed fire times as they are.
	StillMadeUp Code = "still_made_up"
	// NoMisfire: with misfire off, nothing that is missed is made up for.
	NoMisfire Code = "no_misfire"
	// Reshards: N shards move, Waits of them run now. ShardsNew and ShardsFewer: N are
	// added, or go.
	Reshards    Code = "reshards"
	ShardsNew   Code = "shards_new"
	ShardsFewer Code = "shards_fewer"
	// ReshardsSomehow: the shards are assigned anew, and nobody can tell how.
	ReshardsSomehow Code = "reshards_somehow"
	// StrategyLater: the strategy counts at the next resharding.
	StrategyLater Code = "strategy_later"
	// NoParameter: N shards have no parameter, the first of them is M.
	NoParameter Code = "no_parameter"
	// FailoverIdle: failover needs monitorExecution, which is off.
	FailoverIdle Code = "failover_idle"
	// Unmonitored: without monitorExecution runs may overlap and nothing is failed over.
	Unmonitored Code = "unmonitored"
	// DisabledAtStart: agents that start register as disabled; live ones go on.
	DisabledAtStart Code = "disabled_at_start"
	// Overwritten: an instance that starts puts its own settings in this one's place.
	Overwritten Code = "overwritten"
	// GoOnly: Java agents ignore the property Name.
	GoOnly Code = "go_only"
	// Readable: agents of every release of 3.0.x read it. ReadableUpTo304,
	// ReadableFrom305 and Readable2x: only those do.
	Readable        Code = "readable"
	ReadableUpTo304 Code = "readable_up_to_304"
	ReadableFrom305 Code = "readable_from_305"
	Readable2x      Code = "readable_2x"
)

// Effect is one thing that happens.
type Effect struct {
	Code        Code
	N, M, Waits int
	At          time.Time
	Name        string
}

// Facts are what the effects of a change depend on besides the configurations.
type Facts struct {
	// Live is how many instances are alive.
	Live int
	Now  time.Time
	// Moves, Waits: what the plan for the new number of shards says; Planned is
	// false if there is none.
	Moves, Waits int
	Planned      bool
}

// Effects says what happens when after takes the place of before, by
// docs/guarantees.md.
func Effects(before, after *jobconfig.Config, f Facts) []Effect {
	if before.Equal(after) {
		return []Effect{{Code: NothingChanges}}
	}
	var list []Effect
	add := func(e Effect) { list = append(list, e) }
	timing := before.Cron != after.Cron || before.TimeZone != after.TimeZone || quartz.RulesOf("", before.Props) != quartz.RulesOf("", after.Props)
	switch {
	case f.Live == 0:
		add(Effect{Code: AppliesLater})
	case timing:
		add(Effect{Code: Reschedules, N: f.Live})
	default:
		add(Effect{Code: AppliesAtOnce, N: f.Live})
	}
	if at, dropped := droppedFire(before, after, f.Now); timing && dropped && f.Live > 0 {
		add(Effect{Code: FireDropped, At: at})
	}
	list = append(list, missed(before, after, timing)...)
	list = append(list, resharding(before, after, f)...)
	if after.Failover && !after.MonitorExecution {
		add(Effect{Code: FailoverIdle})
	}
	if before.MonitorExecution && !after.MonitorExecution {
		add(Effect{Code: Unmonitored})
	}
	if before.Disabled != after.Disabled && after.Disabled {
		add(Effect{Code: DisabledAtStart})
	}
	if after.Overwrite {
		add(Effect{Code: Overwritten})
	}
	if rule := after.Props[quartz.ClockChangeProp]; rule == quartz.ClockChangeOnce {
		add(Effect{Code: GoOnly, Name: quartz.ClockChangeProp})
	}
	for _, name := range quartz.ScheduleProps {
		if name != quartz.ClockChangeProp && after.Props[name] != "" {
			add(Effect{Code: GoOnly, Name: name})
		}
	}
	add(Effect{Code: ReadersOf(after)})
	return list
}

// missed says what becomes of missed fire times.
func missed(before, after *jobconfig.Config, timing bool) []Effect {
	switch {
	case !after.Misfire:
		if before.Misfire {
			return []Effect{{Code: NoMisfire}}
		}
		return nil
	case timing || before.Misfire != after.Misfire || before.MonitorExecution != after.MonitorExecution:
		return []Effect{{Code: NotMadeUp}}
	}
	return []Effect{{Code: StillMadeUp}}
}

// resharding says what becomes of the shards.
func resharding(before, after *jobconfig.Config, f Facts) []Effect {
	var list []Effect
	switch {
	case before.Shards != after.Shards && f.Planned:
		list = append(list, Effect{Code: Reshards, N: f.Moves, Waits: f.Waits})
	case before.Shards != after.Shards:
		list = append(list, Effect{Code: ReshardsSomehow})
	case before.StrategyType != after.StrategyType:
		list = append(list, Effect{Code: StrategyLater})
	}
	if more := after.Shards - before.Shards; more > 0 {
		list = append(list, Effect{Code: ShardsNew, N: more})
	} else if more < 0 {
		list = append(list, Effect{Code: ShardsFewer, N: -more})
	}
	if n, first := withoutParameter(after); n > 0 {
		list = append(list, Effect{Code: NoParameter, N: n, M: first})
	}
	return list
}

// withoutParameter counts the shards that have no parameter while others have.
func withoutParameter(c *jobconfig.Config) (n, first int) {
	parameters, err := jobconfig.ParseItemParameters(c.ItemParameters)
	if err != nil || len(parameters) == 0 || c.Shards > jobconfig.MaxShards {
		return 0, 0
	}
	first = -1
	for item := range c.Shards {
		if _, ok := parameters[item]; ok {
			continue
		}
		if n++; first < 0 {
			first = item
		}
	}
	return n, first
}

// droppedFire is the next fire time of before, if after does not fire then.
func droppedFire(before, after *jobconfig.Config, now time.Time) (at time.Time, dropped bool) {
	at, ok := nextFire(before, now)
	if !ok {
		return at, false
	}
	again, ok := nextFire(after, at.Add(-time.Nanosecond))
	return at, !ok || !again.Equal(at)
}

func nextFire(c *jobconfig.Config, after time.Time) (time.Time, bool) {
	if c.Cron == "" {
		return time.Time{}, false
	}
	rules := quartz.RulesOf(c.Name, c.Props)
	expr, err := rules.Parse(c.Cron)
	if err != nil {
		return time.Time{}, false
	}
	zone, err := rules.Location(c.TimeZone)
	if err != nil {
		return time.Time{}, false
	}
	return expr.Next(after, zone)
}

// ReadersOf says whose agents read a configuration.
func ReadersOf(c *jobconfig.Config) Code {
	switch {
	case c.Generation == jobconfig.Generation2x:
		return Readable2x
	case c.ExecutorType == "":
		return Readable
	case c.Dialect == jobconfig.Dialect305:
		return ReadableFrom305
	}
	return ReadableUpTo304
}
