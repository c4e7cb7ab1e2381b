package view

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// PlannedFires is how many fires to come are listed of one job.
const PlannedFires = 5

// NoFire is why a job does not fire, in the words of pages and answers; empty if
// it does.
type NoFire string

// The reasons.
const (
	NoFireUnknown     NoFire = "unknown" // the job cannot be read, or was not yet
	NoFireNoCron      NoFire = "only when triggered"
	NoFireBadCron     NoFire = "cron unreadable"
	NoFireBadZone     NoFire = "time zone unreadable"
	NoFireNever       NoFire = "never again"
	NoFireNoInstances NoFire = "no instance to run it"
	NoFireDisabled    NoFire = "disabled"
	NoFireHeld        NoFire = "held"
)

// Plan is when a job fires next, or why it does not.
type Plan struct {
	Fires []time.Time
	zone  *time.Location
	// assumed: the job names no zone, so agents use their own, which need not
	// be the console's.
	assumed bool
	// Why says why the job does not fire. Fires that pass without a run are there
	// all the same.
	Why NoFire
	// Err is set if the cron expression or the zone cannot be read.
	Err error
}

// PlanOf computes the next n fires of a job after now.
func PlanOf(j statistics.Job, now time.Time, n int) Plan {
	switch {
	case j.Status == statistics.StatusBroken, j.Status == statistics.StatusReading:
		return Plan{Why: NoFireUnknown}
	case j.Cron == "":
		return Plan{Why: NoFireNoCron}
	}
	rules := quartz.RulesOf(j.Name, j.ScheduleProps())
	expr, err := rules.Parse(j.Cron)
	if err != nil {
		return Plan{Why: NoFireBadCron, Err: err}
	}
	zone, err := rules.Location(j.TimeZone)
	if err != nil {
		return Plan{Why: NoFireBadZone, Err: err}
	}
	p := Plan{zone: zone, assumed: j.Zone() == "", Fires: expr.NextN(now, zone, n)}
	if len(p.Fires) == 0 {
		p.Why = NoFireNever
		return p
	}
	switch {
	case j.Status == statistics.StatusCrashed:
		p.Why = NoFireNoInstances
	case j.Servers > 0 && j.DisabledServers == j.Servers:
		p.Why = NoFireDisabled
	case j.ScheduleHeld():
		p.Why = NoFireHeld
	}
	return p
}

// UpcomingOf lists the next times of a job's expression with those among them that are no
// fire times, as the job's properties say; at most n rows, none if the schedule cannot be
// read.
func UpcomingOf(j statistics.Job, now time.Time, n int) (*quartz.Expression, []quartz.Upcoming) {
	rules := quartz.RulesOf(j.Name, j.ScheduleProps())
	expr, err := rules.Parse(j.Cron)
	if err != nil {
		return nil, nil
	}
	zone, err := rules.Location(j.TimeZone)
	if err != nil {
		return nil, nil
	}
	return expr, expr.Upcoming(now, zone, n)
}

// Compare orders plans by their next fire; those that will not happen go last.
func (p Plan) Compare(other Plan) int {
	a, b := p.Next(), other.Next()
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	return a.Compare(b)
}

// Next is the next fire that will happen, zero if none will.
func (p Plan) Next() time.Time {
	if len(p.Fires) == 0 || p.Why != "" {
		return time.Time{}
	}
	return p.Fires[0]
}

// OfAgents reports whether the job names no zone, so that each agent uses its own.
func (p Plan) OfAgents() bool { return p.assumed && p.zone != nil }

// Assumed is this process's zone if the fires of a job that names none were computed
// with it, else empty.
func (p Plan) Assumed() string {
	if !p.assumed || p.zone == nil || len(p.Fires) == 0 {
		return ""
	}
	name, _ := p.Fires[0].In(p.zone).Zone()
	return name
}

// Local is a fire in the job's zone, empty if that is UTC.
func (p Plan) Local(t time.Time) string {
	there := t.In(p.zone)
	if _, offset := there.Zone(); offset == 0 {
		return ""
	}
	return there.Format("15:04:05 MST")
}
