package statistics

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// judgeConfig checks the configuration and reports whether it can be read.
func (d *diagnosis) judgeConfig() bool {
	since := d.config.stat.Mtime
	switch {
	case d.decoded == nil:
		d.found(Finding{
			Code: CodeConfigUnreadable, Effect: EffectJob, Field: fieldOf(d.configErr), Since: since,
			Sentence: fmt.Sprintf("The configuration cannot be read: %v.", d.configErr),
			Advice:   "Correct the document; agents follow at once.",
		}, d.config)
		return false
	case d.decoded.Name == "":
		d.unusable("jobName", "", d.configErr)
	case d.decoded.Shards <= 0, d.decoded.Shards > jobconfig.MaxShards:
		d.unusable("shardingTotalCount", strconv.Itoa(d.decoded.Shards), d.configErr)
	}
	if _, err := jobconfig.ParseItemParameters(d.decoded.ItemParameters); err != nil {
		d.unusable("shardingItemParameters", d.decoded.ItemParameters, err)
	}
	return true
}

// unusable adds a finding about a field for which agents refuse to run.
func (d *diagnosis) unusable(field, value string, err error) {
	d.found(Finding{
		Code: CodeConfigUnusable, Effect: EffectJob, Field: field, Value: value, Since: d.config.stat.Mtime,
		Sentence: fmt.Sprintf("The configuration's %s cannot be used: %s.", field, strings.TrimSuffix(err.Error(), ".")),
		Advice:   fmt.Sprintf("Correct %s; agents follow at once.", field),
	}, d.config)
}

// judgeSchedule finds the next fire time, and the reason if there is none.
func (d *diagnosis) judgeSchedule() {
	c := d.decoded
	rules := quartz.RulesOf(d.job.Name(), c.Props)
	if agents := d.zoneOfAgents(); agents != "" {
		rules.Zone = agents
	}
	name := cmp.Or(rules.Zone, c.TimeZone)
	d.out.Cron, d.out.Zone, d.out.ZoneAssumed = jobtree.Shown(c.Cron), jobtree.Shown(name), name == "" && c.Cron != ""
	zone, err := rules.Location(c.TimeZone)
	if err != nil && rules.Zone != "" {
		d.unusableRule(err)
		return
	}
	if err != nil {
		d.unusable("timeZone", c.TimeZone, err)
		return
	}
	if !quartz.IsTimeZone(c.TimeZone) {
		d.found(Finding{
			Code: CodeTimeZoneIgnored, Effect: EffectNothing, Field: "timeZone", Value: c.TimeZone, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("timeZone %q is no offset; agents take it for GMT without a word.", c.TimeZone),
			Advice:   "Write it as GMT+8:00.",
		}, d.config)
	}
	if c.Cron == "" {
		return
	}
	if zones := d.zonesApart(); len(zones) > 1 {
		d.found(Finding{
			Code: CodeZonesDiffer, Effect: EffectNothing, Value: list(zones),
			Sentence: fmt.Sprintf("The job has no time zone, and its agents fire by their own, which differ: %s.", list(zones)),
			Advice:   "Set timeZone, or props.schedule.zone if all agents are written in Go.",
		}, node{path: d.job.Agents()})
	}
	if java := d.javaAgents(); c.Props[quartz.ZoneProp] != "" && len(java) > 0 {
		d.found(Finding{
			Code: CodeZoneUnknownToJava, Effect: EffectNothing, Field: "props." + quartz.ZoneProp, Value: rules.Zone, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("Java agents don't know schedule.zone and fire by their own time zone: %s.", list(java)),
			Advice:   "Stop the Java agents, or set timeZone instead.",
		}, d.config)
	}
	parsed := d.parsed.of(c.Cron, rules)
	switch {
	case parsed.cronErr != nil:
		d.unusable("cron", c.Cron, parsed.cronErr)
		return
	case parsed.ruleErr != nil:
		d.unusableRule(parsed.ruleErr)
		return
	}
	schedule := parsed.expression
	d.schedule, d.zone = schedule, zone
	if next := schedule.NextN(d.now, zone, 2); len(next) > 0 {
		d.out.NextFire = next[0]
		if len(next) == 1 {
			d.changesAt(next[0])
		}
		if d.depth == forDetail {
			d.judgeWithheld()
			d.judgeJitter()
		}
		return
	}
	if _, until := schedule.Window(); !until.IsZero() && !until.After(d.now) {
		since := d.config.stat.Mtime
		if until.After(since) {
			since = until
		}
		d.found(Finding{
			Code: CodeScheduleEnded, Effect: EffectJob, Field: "props." + quartz.UntilProp, Value: c.Props[quartz.UntilProp], Since: since,
			Sentence: fmt.Sprintf("Because of schedule.until, the schedule ended on %s.", inZone(until, zone)),
			Advice:   "Correct schedule.until, or trigger the job by hand. Java agents do not know it and fire.",
		}, d.config)
		return
	}
	if err := schedule.Never(); err != nil { // Agents refuse to serve such a job.
		d.unusable("cron", c.Cron, err)
		return
	}
	for fire := range schedule.Fires(d.now, zone) {
		d.judgeNoneLeft(fire)
		return
	}
	d.found(Finding{
		Code: CodeCronNeverAgain, Effect: EffectJob, Field: "cron", Value: c.Cron, Since: d.lastFire(),
		Sentence: fmt.Sprintf("The schedule %q has no fire time to come%s.", c.Cron, d.whyNeverAgain()),
		Advice:   "Correct cron, or trigger the job by hand.",
	}, d.config)
}

// lastFire returns the last fire time since the configuration was written; the time of that if there
// was none.
func (d *diagnosis) lastFire() time.Time {
	written := d.config.stat.Mtime
	last, _ := d.schedule.Last(written, d.now, d.zone)
	return later(written, last)
}

// whyNeverAgain returns the reason why the schedule has no future fire time, as the end of a sentence.
// It's empty if the job's properties refuse all times of the past.
func (d *diagnosis) whyNeverAgain() string {
	if _, ok := d.schedule.Next(time.Time{}, d.zone); ok {
		return ": its last one is past"
	}
	for range d.schedule.Fires(time.Time{}, d.zone) {
		return ""
	}
	return ": changes of the clock skip all of its times"
}

// judgeNoneLeft adds the finding that the job's properties exclude all future times of its cron
// expression. fire is the first of these times.
func (d *diagnosis) judgeNoneLeft(fire quartz.Fire) {
	f := Finding{Code: CodeCronNeverAgain, Effect: EffectJob, Field: "props." + quartz.ExcludeProp, Since: d.lastFire()}
	next := inZone(fire.Nominal, d.zone)
	if _, until := d.schedule.Window(); !until.IsZero() {
		d.changesAt(until)
		f.Code, f.Field = CodeScheduleEnded, "props."+quartz.UntilProp
		f.Sentence = fmt.Sprintf("The schedule has no fire time left before %s, where schedule.until ends it: the cron expression's next time is %s.", inZone(until, d.zone), next)
		f.Advice = "Set schedule.until later, or trigger the job by hand. Java agents do not know it and fire."
	} else {
		d.changesAt(fire.Nominal)
		f.Sentence = fmt.Sprintf("The schedule has no fire time to come: schedule.exclude leaves out all that are left of the cron expression, of which %s is the next.", next)
		f.Advice = "Correct schedule.exclude, or trigger the job by hand. Java agents do not know it and fire."
	}
	f.Value = d.decoded.Props[strings.TrimPrefix(f.Field, "props.")]
	d.found(f, d.config)
}

// zonesApart returns the different time zones of a zoneless job's agents, each with its first
// agent.
func (d *diagnosis) zonesApart() (zones []string) {
	if !d.zoneless() {
		return nil
	}
	known := make(map[string]bool)
	for _, id := range d.instanceIDs {
		if zone := d.agents[id].Zone; zone != "" && !known[zone] {
			known[zone] = true
			zones = append(zones, jobtree.Shown(zone)+" on "+id)
		}
	}
	return zones
}

// unusableRule adds a finding about an invalid property of the schedule.
func (d *diagnosis) unusableRule(err error) {
	key := quartz.ClockChangeProp
	if rule := (*quartz.RuleError)(nil); errors.As(err, &rule) {
		key = rule.Property
		err = errors.New(strings.TrimLeft(strings.TrimPrefix(rule.Error(), key), ": "))
	}
	d.unusable("props."+key, d.decoded.Props[key], err)
}

// judgeWithheld adds a finding if a property excludes the next time of the cron expression. There
// are later fire times.
func (d *diagnosis) judgeWithheld() {
	for fire := range d.schedule.Fires(d.now, d.zone) {
		f := Finding{Effect: EffectNothing, Field: "props." + fire.Refused, Value: d.decoded.Props[fire.Refused], Since: d.config.stat.Mtime}
		switch fire.Refused {
		case quartz.FromProp:
			from, _ := d.schedule.Window()
			f.Code = CodeScheduleNotBegun
			f.Sentence = fmt.Sprintf("Because of schedule.from, the schedule begins on %s. Java agents do not know it and fire.", inZone(from, d.zone))
		case quartz.ExcludeProp:
			f.Code = CodeDayExcluded
			f.Sentence = fmt.Sprintf("The job does not fire on %s, which schedule.exclude leaves out. Java agents do not know it and fire.", fire.Nominal.Format(time.DateOnly))
		default:
			return
		}
		d.found(f, d.config)
		return
	}
}

// judgeJitter adds a finding if the jitter is so large that fire times can change their order.
func (d *diagnosis) judgeJitter() {
	err := d.schedule.CheckJitter(d.now, d.zone)
	if rule, ok := errors.AsType[*quartz.RuleError](err); ok {
		d.found(Finding{
			Code: CodeNumberOutOfBounds, Effect: EffectNothing, Field: "props." + rule.Property, Value: rule.Value, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("The configuration's %s is %s, which is not %s: fire times can change places.", rule.Property, rule.Value, rule.Want),
			Advice:   fmt.Sprintf("Correct %s; agents follow at once.", rule.Property),
		}, d.config)
	}
}

func inZone(at time.Time, zone *time.Location) string {
	return at.In(zone).Format("2006-01-02 15:04:05 -07:00")
}

func (d *diagnosis) judgeForeign() {
	if len(d.foreign) == 0 {
		return
	}
	slices.Sort(d.foreign)
	d.foreign = slices.Compact(d.foreign) // The agents' folder is read twice.
	names := make([]string, len(d.foreign))
	for i, path := range d.foreign {
		if names[i] = d.job.Below(path); len(names[i]) > maxForeignName {
			names[i] = names[i][:maxForeignName] + "…"
		}
	}
	d.found(Finding{
		Code: CodeForeignNode, Effect: EffectNothing,
		Sentence: fmt.Sprintf("%s of names that no agent gives, and which agents written in Go leave out: %s. Java agents may fail over them.", count(len(names), "node"), list(names)),
		Advice:   "Find out who made them, and delete them.",
	}, node{path: d.foreign[0]})
}

// maxForeignName bounds the length of a foreign name in a sentence.
const maxForeignName = 100

// judgeSettings adds findings about settings that explain how agents behave.
func (d *diagnosis) judgeSettings() {
	for _, e := range d.decoded.OutOfBounds() {
		consequence := "Agents written in Go use the nearest bound."
		if strings.HasPrefix(e.Field, "props.") {
			consequence = "Whatever uses this property fails."
		}
		d.found(Finding{
			Code: CodeNumberOutOfBounds, Effect: EffectNothing, Field: e.Field, Value: e.Value, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("The configuration's %s is %q, which is not %s. %s", e.Field, e.Value, e.Want, consequence),
			Advice:   fmt.Sprintf("Correct %s; agents follow at once.", e.Field),
		}, d.config)
	}
	if !d.decoded.MonitorExecution {
		f := Finding{
			Code: CodeMonitorOff, Effect: EffectNothing, Field: "monitorExecution", Value: "false", Since: d.config.stat.Mtime,
			Sentence: "monitorExecution is off, so nothing shows which shards run or were missed.",
		}
		if d.decoded.Failover {
			f.Sentence += " failover has no effect without it."
		}
		d.found(f, d.config)
	}
	if limit := d.decoded.MaxTimeDiffSeconds; limit >= 0 {
		f := Finding{
			Code: CodeClockChecked, Effect: EffectNothing, Field: "maxTimeDiffSeconds", Value: strconv.Itoa(limit), Since: d.clock.stat.Mtime,
			Sentence: fmt.Sprintf("An instance whose clock differs from ZooKeeper's by more than %d s reports an error at each run; no agent has compared clocks yet.", limit),
			Advice:   "Look into the agents' logs, and keep the clocks in step.",
		}
		if d.clock.exists {
			f.Sentence = strings.Replace(f.Sentence, "no agent has compared clocks yet", "the last comparison was "+since(f.Since), 1)
		}
		d.found(f, d.clock)
	}
}
