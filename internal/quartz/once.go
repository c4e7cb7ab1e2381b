package quartz

import "time"

// ClockChangeProp is the job property for fire times around a clock change, such as the start and
// end of daylight saving time. Java agents ignore it.
const ClockChangeProp = "cron.clock.change"

// The values of ClockChangeProp.
const (
	// ClockChangeQuartz is Quartz's rule and the default: a skipped time doesn't fire, and a
	// repeated time fires the second time.
	ClockChangeQuartz = "quartz"
	// ClockChangeOnce fires each wall time once, see [Expression.OnceAtClockChanges].
	ClockChangeOnce = "once"
)

// ParseWith is Parse with the properties of a job. The error for a property schedule.* is a
// *RuleError.
func ParseWith(expr, job string, props map[string]string) (*Expression, error) {
	return RulesOf(job, props).Parse(expr)
}

// OnceAtClockChanges returns the expression with another rule for clock changes. Times that the
// clock skips fire together, once, at the moment it's set forward. Repeated times fire only the
// first time. So nothing is lost or fires twice, for changes of any size.
func (e *Expression) OnceAtClockChanges() *Expression {
	once := *e
	once.once = true
	return &once
}

// Possible reports whether the expression ever fires, in the past or future. An expression for 30
// February doesn't.
func (e *Expression) Possible() bool {
	// The zone is unknown, so make the window as large as it can be.
	wide := *e
	if !wide.only.from.IsZero() {
		wide.only.from = wide.only.from.Add(-day)
	}
	if !wide.only.until.IsZero() {
		wide.only.until = wide.only.until.Add(day)
	}
	_, possible := wide.Next(time.Unix(0, 0).Add(-time.Second), time.UTC)
	return possible
}

// nextOnce is Next for OnceAtClockChanges. It searches on a clock without changes and then looks up
// each result in the zone.
func (e *Expression) nextOnce(after time.Time, loc *time.Location) (time.Time, bool) {
	wall := wallOf(after)
	if again := firstShowing(wall, loc); again < after.Unix() {
		// The wall clock shows this hour for the second time. Continue after it.
		start, _ := after.ZoneBounds()
		wall = max(wall, wallOf(start.Add(-time.Second)))
	}
	for range maxSteps {
		s := search{expr: e, earliest: wall + 1}
		s.clock.loc = time.UTC
		s.clock.setInstant(s.earliest)
		if !s.run() {
			return time.Time{}, false
		}
		wall = s.clock.unix
		if at := firstShowing(wall, loc); at > after.Unix() {
			return time.Unix(at, 0).In(loc), true
		}
	}
	return time.Time{}, false
}

// wallOf returns the wall time in seconds, as if it were UTC.
func wallOf(t time.Time) int64 {
	_, offset := t.Zone()
	return t.Unix() + int64(offset)
}

// firstShowing returns the instant at which a zone's wall clock first shows a time, or skips it.
func firstShowing(wall int64, loc *time.Location) int64 {
	probe := time.Unix(wall-zoneSlack, 0).In(loc)
	for {
		_, offset := probe.Zone()
		start, end := probe.ZoneBounds()
		if !end.IsZero() && !end.After(probe) {
			// If a zone follows a rule, Go ends the last day of a leap year when it begins. No zone
			// has a change then.
			end = probe.Add(day)
		}
		at := wall - int64(offset)
		if end.IsZero() || at < end.Unix() {
			if !start.IsZero() {
				at = max(at, start.Unix())
			}
			return at
		}
		probe = end
	}
}
