package config

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// facts decide about the effects of a change, together with the configurations.
type facts struct {
	live int // instances
	now  time.Time
	// moves and waits are from the plan for the new number of shards; planned is false if there is
	// none.
	moves, waits int
	planned      bool
}

// facts reads the facts about a change. What can't be read is left out, because the review is about
// the form.
func (s configs) facts(c *gin.Context, name string, before, after *jobconfig.Config) facts {
	f := facts{now: s.Now()}
	job, err := s.LookUp(c, name)
	if err != nil {
		return f
	}
	f.live = len(job.Instances)
	if before.Shards == after.Shards || f.live == 0 {
		return f
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	plan, err := s.RegistryOf(c).Jobs.PlanReshard(ctx, name, statistics.Change{Shards: after.Shards, Strategy: after.StrategyType})
	if err != nil {
		return f
	}
	f.planned, f.waits = true, len(plan.Waits)
	for _, m := range plan.Moves {
		if m.From != "" && m.To != "" {
			f.moves++
		}
	}
	return f
}

// effects are the consequences of a change by docs/guarantees.md.
func effects(l i18n.Lang, before, after *jobconfig.Config, f facts) (list []jobs.Effect) {
	add := func(code string, tone ui.Tone, text string) {
		list = append(list, jobs.Effect{Code: code, Tone: tone, Text: text})
	}
	if before.Equal(after) {
		add("nothing", ui.ToneQuiet, l.ConfigEffectNothing())
		return list
	}
	timing := before.Cron != after.Cron || before.TimeZone != after.TimeZone || quartz.RulesOf("", before.Props) != quartz.RulesOf("", after.Props)
	switch {
	case f.live == 0:
		add("applies_later", ui.ToneWarn, l.ConfigEffectAppliesLater())
	case timing:
		add("reschedules", ui.ToneRun, l.ConfigEffectReschedules(f.live))
	default:
		add("applies_at_once", ui.ToneRun, l.ConfigEffectAppliesAtOnce(f.live))
	}
	if at, dropped := droppedFire(before, after, f.now); timing && dropped && f.live > 0 {
		add("fire_dropped", ui.ToneWarn, l.ConfigEffectFireDropped(view.DateTime(at).Text))
	}
	switch {
	case !after.Misfire && before.Misfire:
		add("no_misfire", ui.ToneWarn, l.ConfigEffectNoMisfire())
	case !after.Misfire:
	case timing || before.Misfire != after.Misfire || before.MonitorExecution != after.MonitorExecution:
		add("not_made_up", ui.ToneWarn, l.ConfigEffectNotMadeUp())
	default:
		add("still_made_up", ui.ToneOK, l.ConfigEffectStillMadeUp())
	}
	switch {
	case before.Shards != after.Shards && f.planned:
		text := l.ConfigEffectReshards(f.moves)
		if f.waits > 0 {
			text += " " + l.ConfigEffectReshardsWaits(f.waits)
		}
		add("reshards", ui.ToneWarn, text)
	case before.Shards != after.Shards:
		add("reshards_somehow", ui.ToneWarn, l.ConfigEffectReshardsSomehow())
	case before.StrategyType != after.StrategyType:
		add("strategy_later", ui.ToneOK, l.ConfigEffectStrategyLater())
	}
	if more := after.Shards - before.Shards; more > 0 {
		add("shards_new", ui.ToneRun, l.ConfigEffectShardsNew(more))
	} else if more < 0 {
		add("shards_fewer", ui.ToneWarn, l.ConfigEffectShardsFewer(-more))
	}
	if n, first := withoutParameter(after); n > 0 {
		add("no_parameter", ui.ToneWarn, l.ConfigEffectNoParameter(n, first))
	}
	if after.Failover && !after.MonitorExecution {
		add("failover_idle", ui.ToneWarn, l.ConfigEffectFailoverIdle())
	}
	if before.MonitorExecution && !after.MonitorExecution {
		add("unmonitored", ui.ToneWarn, l.ConfigEffectUnmonitored())
	}
	if !before.Disabled && after.Disabled {
		add("disabled_at_start", ui.ToneOff, l.ConfigEffectDisabledAtStart())
	}
	if after.Overwrite {
		add("overwritten", ui.ToneWarn, l.ConfigEffectOverwritten())
	}
	for _, name := range quartz.ScheduleProps {
		if value := after.Props[name]; value != "" && (name != quartz.ClockChangeProp || value == quartz.ClockChangeOnce) {
			add("go_only", ui.ToneWarn, l.ConfigEffectGoOnly(name))
		}
	}
	return append(list, readers(l, after))
}

// newJobEffects are the consequences of creating a job.
func newJobEffects(l i18n.Lang, config *jobconfig.Config) []jobs.Effect {
	return []jobs.Effect{
		{Tone: ui.ToneWarn, Text: l.ConfigCreateDown(), Code: "down"},
		{Tone: ui.ToneRun, Text: l.ConfigCreateTaken(), Code: "taken"},
		{Tone: ui.ToneOK, Text: readers(l, config).Text, Code: "readable"},
	}
}

// readers names the releases of agents that can read a configuration.
func readers(l i18n.Lang, c *jobconfig.Config) jobs.Effect {
	e := jobs.Effect{Tone: ui.ToneOK}
	switch {
	case c.Generation == jobconfig.Generation2x:
		e.Code, e.Text = "readable_2x", l.ConfigEffectReadable2x()
	case c.ExecutorType == "":
		e.Code, e.Text = "readable", l.ConfigEffectReadable()
	case c.Dialect == jobconfig.Dialect305:
		e.Code, e.Text = "readable_from_305", l.ConfigEffectReadableFrom305()
	default:
		e.Code, e.Text = "readable_up_to_304", l.ConfigEffectReadableUpTo304()
	}
	return e
}

// withoutParameter counts the shards without a parameter while others have one.
func withoutParameter(c *jobconfig.Config) (n, first int) {
	parameters, err := jobconfig.ParseItemParameters(c.ItemParameters)
	if err != nil || len(parameters) == 0 || c.Shards > jobconfig.MaxShards {
		return 0, 0
	}
	for item := range c.Shards {
		if _, ok := parameters[item]; ok {
			continue
		}
		if n == 0 {
			first = item
		}
		n++
	}
	return n, first
}

// droppedFire is the next fire time of before, if after doesn't fire then.
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
