package coreagent

import (
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

// Schedule is when a job runs. The zero value is never by itself: a one-off job, which runs when
// [Agent.Trigger], [Agent.Submit] or an operator makes it run.
//
// Java's agents only know Cron, SkipMisfires, and Zone if it's an offset. The other fields are stored as the
// properties schedule.zone, cron.clock.change, schedule.from, schedule.until, schedule.exclude and
// schedule.jitter; Java's agents ignore them and fire anyway.
type Schedule struct {
	// Cron is a Quartz expression: seconds, minutes, hours, day of month, month, day of week and
	// optionally year, such as "0 0/5 * * * ?".
	Cron string

	// Zone is the zone of Cron: an IANA name such as "Europe/Berlin", or an offset such as "GMT+08:00".
	// Java's agents only know offsets, so the console refuses to set a name while one of them serves
	// the job. A program on a machine without a zone database should import time/tzdata for names.
	// Defaults to each process's local zone.
	Zone string

	// ClockChange decides about fire times around a change of the clock in that zone. Defaults to
	// [ClockChangeQuartz].
	ClockChange ClockChange

	// From and Until limit the schedule: the job fires at From or later, and before Until. Fire
	// times before From aren't made up for. The zero values, the defaults, are no limits.
	From, Until time.Time

	// Exclude are days without fire times, in the job's zone: dates ("2026-12-25"), inclusive
	// ranges ("2026-12-24/2027-01-02") and weekdays ("SAT"). An excluded time is no fire time, so
	// it isn't missed. At most 4 KiB.
	Exclude []string

	// Jitter delays each fire time by a part of it, so that many jobs with the same schedule don't
	// start at the same moment. The delay is computed from the job's name and the time, so all
	// agents use the same one. It must be less than half the smallest gap between fire times, and
	// at most an hour, in whole milliseconds. Defaults to none.
	Jitter time.Duration

	// SkipMisfires drops fire times that pass during a run, or while no instance can run the shard. By
	// default they are made up for: one run later, however many have passed.
	SkipMisfires bool
}

// offset returns Zone if it's an offset, which is stored as ElasticJob's timeZone.
func (s Schedule) offset() string {
	if quartz.IsTimeZone(s.Zone) {
		return s.Zone
	}
	return ""
}

// NextFires returns the next n fire times of the job's cron expression after a moment, in the job's
// zone; fewer, or none, if the expression has no more or the job has none. An error names the wrong
// field of Schedule. NextFires asks no server, and a stored configuration may differ.
func (job Job) NextFires(after time.Time, n int) ([]time.Time, error) {
	if job.Schedule.Cron == "" {
		return nil, nil
	}
	schedule, err := job.parsed()
	if err != nil {
		return nil, fmt.Errorf("job %q: %w", job.Name, goFields(err))
	}
	zone, err := job.location()
	if err != nil {
		return nil, fmt.Errorf("job %q: %w", job.Name, err)
	}
	return schedule.NextN(after, zone, n), nil
}

// props returns the properties with the fields that ElasticJob doesn't know.
func (s Schedule) props() map[string]string {
	props := make(map[string]string)
	if s.ClockChange != "" {
		props[quartz.ClockChangeProp] = string(s.ClockChange)
	}
	if !s.From.IsZero() {
		props[quartz.FromProp] = s.From.Format(time.RFC3339Nano)
	}
	if !s.Until.IsZero() {
		props[quartz.UntilProp] = s.Until.Format(time.RFC3339Nano)
	}
	if len(s.Exclude) > 0 {
		props[quartz.ExcludeProp] = strings.Join(s.Exclude, ",")
	}
	if s.Jitter != 0 {
		props[quartz.JitterProp] = s.Jitter.String()
	}
	if s.offset() != s.Zone {
		props[quartz.ZoneProp] = s.Zone
	}
	return props
}

func (job Job) rules() quartz.Rules {
	props := make(map[string]string)
	maps.Copy(props, job.Props)
	maps.Copy(props, job.Schedule.props())
	return quartz.RulesOf(job.Name, props)
}

func (job Job) location() (*time.Location, error) {
	if stored, zone := job.Props[quartz.ZoneProp], job.Schedule.Zone; stored != "" && zone != "" && stored != zone {
		return nil, fmt.Errorf("Schedule.Zone is %q, and Props has %s %q; want one of them", zone, quartz.ZoneProp, stored)
	}
	zone, err := job.rules().Location(job.Schedule.offset())
	return zone, goFields(err)
}

// parsed parses Cron. An expression for a date that doesn't exist is an error. An expression whose
// last date is past isn't, otherwise a service could not be restarted after it.
func (job Job) parsed() (*quartz.Expression, error) {
	schedule, err := quartz.Parse(strings.TrimSpace(job.Schedule.Cron))
	if err != nil {
		return nil, fmt.Errorf("Schedule.Cron: %w", err)
	}
	if schedule, err = schedule.With(job.rules()); err != nil {
		return nil, err
	}
	if err := schedule.Never(); err != nil {
		return nil, fmt.Errorf("Schedule.Cron: %w", err)
	}
	return schedule, nil
}

func (job Job) checkSchedule() error {
	if strings.TrimSpace(job.Schedule.Cron) == "" {
		return quartz.RulesOf(job.Name, job.Schedule.props()).Check()
	}
	schedule, err := job.parsed()
	if err != nil {
		return err
	}
	zone, err := job.location()
	if err != nil {
		return nil // validate reports it.
	}
	return schedule.CheckJitter(time.Now(), zone)
}
