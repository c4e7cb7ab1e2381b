package schedule

import (
	"context"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// Question is what a report is about.
type Question struct {
	// Job is left out of the herd.
	Job string
	// Cron, TimeZone and Rules are those of the configuration.
	Cron, TimeZone string
	Rules          quartz.Rules
	Now            time.Time
	// Others are the other jobs of the namespace.
	Others []Other
}

// Other is another job with a schedule that is in force.
type Other struct {
	Name, Cron, TimeZone string
	Rules                quartz.Rules
	Shards               int
}

// Report is the answer. With Err nothing else is set but Fields.
type Report struct {
	// Err says why the expression or the zone cannot be used.
	Err error
	// Field is which of the two: cron or timeZone.
	Field string
	// None: there is no expression, the job runs only when it is triggered.
	None   bool
	Fields []Part
	Zone   *time.Location
	// Assumed: no zone is named, so instances use their own; Zone is the console's.
	Assumed bool
	// Once: fire times around changes of the clock follow the rule "once".
	Once bool
	// Fires are the next ones. Upcoming are they with the times among them that the
	// properties refuse.
	Fires    []time.Time
	Upcoming []quartz.Upcoming
	// Gap is the shortest time between two of the next fires; 0 if there is but one.
	Gap     time.Duration
	Changes []Change
	Herd    Herd
}

// Part is one field of an expression.
type Part struct {
	// Name is its place: second, minute, hour, day, month, weekday or year.
	Name, Text string
}

// Bounds of a report.
const (
	// Listed is how many fires it has.
	Listed = 5
	// gapFires is how many fires are looked at for the shortest gap.
	gapFires = 200
	// mostText bounds an expression.
	mostText = 500
)

// Look makes a report. When ctx ends, the herd is what has been counted until then.
func Look(ctx context.Context, q Question) Report {
	r := Report{Fields: Split(q.Cron)}
	if strings.TrimSpace(q.Cron) == "" {
		r.None = true
		return r
	}
	expr, err := parsed(q.Cron, q.Rules)
	if err != nil {
		r.Err, r.Field = err, "cron"
		return r
	}
	if r.Zone, err = q.Rules.Location(q.TimeZone); err != nil {
		r.Err, r.Field = err, "timeZone"
		return r
	}
	r.Assumed, r.Once = q.TimeZone == "" && q.Rules.Zone == "", q.Rules.ClockChange == quartz.ClockChangeOnce
	r.Fires = expr.NextN(q.Now, r.Zone, Listed)
	r.Upcoming = expr.Upcoming(q.Now, r.Zone, Listed)
	r.Gap = shortestGap(expr, r.Fires, r.Zone)
	r.Changes = changes(ctx, expr, q.Rules, q.Now, r.Zone)
	if len(r.Fires) > 0 {
		r.Herd = herd(ctx, q, r.Fires[0])
	}
	return r
}

func parsed(cron string, rules quartz.Rules) (*quartz.Expression, error) {
	if len(cron) > mostText {
		cron = cron[:mostText] // refused below: no expression is as long
	}
	return rules.Parse(cron)
}

// Split names the fields of an expression as far as it is written.
func Split(cron string) []Part {
	names := []string{"second", "minute", "hour", "day", "month", "weekday", "year"}
	var parts []Part
	for i, text := range strings.Fields(cron) {
		if i == len(names) {
			break
		}
		parts = append(parts, Part{names[i], text})
	}
	return parts
}

// shortestGap looks at the next fires.
func shortestGap(expr *quartz.Expression, first []time.Time, zone *time.Location) time.Duration {
	var gap time.Duration
	if len(first) < 2 {
		return 0
	}
	at := first[0]
	for range gapFires {
		next, ok := expr.Next(at, zone)
		if !ok {
			break
		}
		if d := next.Sub(at); gap == 0 || d < gap {
			gap = d
		}
		at = next
	}
	return gap
}
