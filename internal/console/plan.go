package console

import (
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// plan is when a job fires next, or why it does not.
type plan struct {
	fires []time.Time
	zone  *time.Location
	// assumed: the job names no zone, so agents use their own, which need not
	// be the console's.
	assumed bool
	// note says why there are no fires.
	note string
	// err is set if the cron expression or the zone cannot be read.
	err error
}

// planOf computes the next n fires of a job after now.
func planOf(j statistics.Job, now time.Time, n int) plan {
	switch {
	case j.Status == statistics.StatusBroken, j.Status == statistics.StatusReading:
		return plan{note: "unknown"}
	case j.Cron == "":
		return plan{note: "only when triggered"}
	}
	expr, err := quartz.ParseWith(j.Cron, map[string]string{quartz.ClockChangeProp: j.ClockChange})
	if err != nil {
		return plan{note: "cron unreadable", err: err}
	}
	zone, err := quartz.ParseTimeZone(j.TimeZone)
	if err != nil {
		return plan{note: "time zone unreadable", err: err}
	}
	p := plan{zone: zone, assumed: j.TimeZone == "", fires: expr.NextN(now, zone, n)}
	if len(p.fires) == 0 {
		p.note = "never again"
		return p
	}
	switch {
	case j.Status == statistics.StatusCrashed:
		p.note = "no instance to run it"
	case j.Servers > 0 && j.DisabledServers == j.Servers:
		p.note = "disabled"
	}
	return p
}

// compare orders plans by their next fire; those that will not happen go last.
func (p plan) compare(other plan) int {
	a, b := p.next(), other.next()
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

// next is the next fire that will happen, zero if none will.
func (p plan) next() time.Time {
	if len(p.fires) == 0 || p.note != "" {
		return time.Time{}
	}
	return p.fires[0]
}

// zoneLabel names the zone of the schedule.
func (p plan) zoneLabel(j statistics.Job) string {
	switch {
	case j.TimeZone != "":
		return jobtree.Shown(j.TimeZone)
	case p.zone != nil:
		return "agent's zone"
	}
	return ""
}

// assumption is the sentence about a job without a zone.
func (p plan) assumption() string {
	if !p.assumed || p.zone == nil || len(p.fires) == 0 {
		return ""
	}
	name, _ := p.fires[0].In(p.zone).Zone()
	return fmt.Sprintf("The job names no time zone, so every agent uses its own. These instants are computed with this console's zone, %s.", name)
}

// local is a fire in the job's zone, empty if that is UTC.
func (p plan) local(t time.Time) string {
	there := t.In(p.zone)
	if _, offset := there.Zone(); offset == 0 {
		return ""
	}
	return there.Format("15:04:05 MST")
}
