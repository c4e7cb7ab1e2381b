package coreagent

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// ClockChange decides about fire times around a change of the clock in the job's zone, such as the
// start and the end of daylight saving time.
type ClockChange string

const (
	// ClockChangeQuartz is the rule of Java's agents: a time that the clock skips doesn't fire that
	// day, and a repeated time fires the second time. The default.
	ClockChangeQuartz ClockChange = quartz.ClockChangeQuartz
	// ClockChangeOnce runs each time of the wall clock once: a skipped time when the clock is set forward,
	// a repeated one the first time. Java's agents don't know it, so next to them both rules apply.
	ClockChangeOnce ClockChange = quartz.ClockChangeOnce
)

// NextFires returns the next n fire times of the job's cron expression after a moment, in the job's
// zone; fewer, or none, if the expression has no more or the job has none. An error names the wrong
// field: Cron, TimeZone, Zone, ClockChange, From, Until, Exclude or Jitter. NextFires asks no
// server, and a stored configuration may differ.
func (job Job) NextFires(after time.Time, n int) ([]time.Time, error) {
	if job.Cron == "" {
		return nil, nil
	}
	schedule, err := job.schedule()
	if err != nil {
		return nil, fmt.Errorf("job %q: %w", job.Name, err)
	}
	zone, err := job.location()
	if err != nil {
		return nil, fmt.Errorf("job %q: %w", job.Name, err)
	}
	return schedule.NextN(after, zone, n), nil
}

// scheduleProps returns the properties with the fields about fire times.
func (job Job) scheduleProps() map[string]string {
	props := make(map[string]string)
	if job.ClockChange != "" {
		props[quartz.ClockChangeProp] = string(job.ClockChange)
	}
	if !job.From.IsZero() {
		props[quartz.FromProp] = job.From.Format(time.RFC3339Nano)
	}
	if !job.Until.IsZero() {
		props[quartz.UntilProp] = job.Until.Format(time.RFC3339Nano)
	}
	if len(job.Exclude) > 0 {
		props[quartz.ExcludeProp] = strings.Join(job.Exclude, ",")
	}
	if job.Jitter != 0 {
		props[quartz.JitterProp] = job.Jitter.String()
	}
	if job.Zone != "" {
		props[quartz.ZoneProp] = job.Zone
	}
	return props
}

// rules returns the properties about fire times, from Props and from the fields.
func (job Job) rules() quartz.Rules {
	props := make(map[string]string)
	maps.Copy(props, job.Props)
	maps.Copy(props, job.scheduleProps())
	return quartz.RulesOf(job.Name, props)
}

func (job Job) location() (*time.Location, error) {
	zone, err := job.rules().Location(job.TimeZone)
	if rule := (*quartz.RuleError)(nil); err != nil && !errors.As(err, &rule) {
		err = fmt.Errorf("TimeZone: %w", err)
	}
	return zone, err
}

// schedule parses Cron. An expression for a date that doesn't exist is an error. An expression
// whose last date is past isn't, otherwise a service could not be restarted after it.
func (job Job) schedule() (*quartz.Expression, error) {
	schedule, err := quartz.Parse(strings.TrimSpace(job.Cron))
	if err != nil {
		return nil, fmt.Errorf("Cron: %w", err)
	}
	if schedule, err = schedule.With(job.rules()); err != nil {
		if rule := (*quartz.RuleError)(nil); errors.As(err, &rule) {
			return nil, err // It names the property itself.
		}
		return nil, fmt.Errorf("ClockChange: %w", err)
	}
	if err := schedule.Never(); err != nil {
		return nil, fmt.Errorf("Cron: %w", err)
	}
	return schedule, nil
}

// checkSchedule returns errors in Cron and the fields about fire times.
func (job Job) checkSchedule() error {
	if strings.TrimSpace(job.Cron) == "" {
		return quartz.RulesOf(job.Name, job.scheduleProps()).Check()
	}
	schedule, err := job.schedule()
	if err != nil {
		return err
	}
	zone, err := job.location()
	if err != nil {
		return nil // validate reports it.
	}
	return schedule.CheckJitter(time.Now(), zone)
}
