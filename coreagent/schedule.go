package coreagent

import (
	"fmt"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// ClockChange says what becomes of fire times around a change of the clock in
// the job's zone, such as the start and the end of daylight saving time.
type ClockChange string

const (
	// ClockChangeQuartz is the way of Java's agents: a time that the clock skips
	// does not fire that day, a time that it shows twice fires the second time.
	// The default.
	ClockChangeQuartz ClockChange = quartz.ClockChangeQuartz
	// ClockChangeOnce runs each time of the wall clock once: one that is skipped
	// at the moment the clock is set forward, one that is shown twice the first
	// time. Java's agents do not know it; next to them both ways are at work.
	ClockChangeOnce ClockChange = quartz.ClockChangeOnce
)

// NextFires returns the next n fire times of the job's cron expression that are
// later than after, in the job's zone; fewer, or none, if the expression has no
// more or the job has none. An error says what is wrong with Cron, TimeZone or
// ClockChange. It asks no server: a stored configuration may say otherwise.
func (job Job) NextFires(after time.Time, n int) ([]time.Time, error) {
	if job.Cron == "" {
		return nil, nil
	}
	schedule, err := job.schedule()
	if err != nil {
		return nil, fmt.Errorf("job %q: %w", job.Name, err)
	}
	zone, err := quartz.ParseTimeZone(job.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("job %q: TimeZone: %w", job.Name, err)
	}
	return schedule.NextN(after, zone, n), nil
}

// schedule parses Cron. An expression for a date that does not exist is an
// error; one whose last date is past is none, or a service could not be
// restarted after it.
func (job Job) schedule() (*quartz.Expression, error) {
	props := job.Props
	if job.ClockChange != "" {
		props = map[string]string{quartz.ClockChangeProp: string(job.ClockChange)}
	}
	schedule, err := quartz.Parse(strings.TrimSpace(job.Cron))
	if err != nil {
		return nil, fmt.Errorf("Cron: %w", err)
	}
	if schedule, err = schedule.With(props); err != nil {
		return nil, fmt.Errorf("ClockChange: %w", err)
	}
	if !schedule.Possible() {
		return nil, fmt.Errorf("Cron: %q never fires: there is no such date", job.Cron)
	}
	return schedule, nil
}
