package quartz

import "time"

// ClockChangeProp is the job property that says what becomes of fire times
// around a change of the clock, such as the start and the end of daylight saving
// time. Java agents ignore it.
const ClockChangeProp = "cron.clock.change"

// The values of ClockChangeProp.
const (
	// ClockChangeQuartz is Quartz's way and the default: a time that is skipped
	// does not fire, one that comes twice fires the second time.
	ClockChangeQuartz = "quartz"
	// ClockChangeOnce fires each time of the wall clock once: see
	// [Expression.OnceAtClockChanges].
	ClockChangeOnce = "once"
)

// ParseWith is Parse with regard to the properties of the job of that name. What is wrong
// with a property schedule.* is reported as a *RuleError.
func ParseWith(expr, job string, props map[string]string) (*Expression, error) {
	return RulesOf(job, props).Parse(expr)
}

// With returns the expression with the rules.
func (e *Expression) With(r Rules) (*Expression, error) { return r.apply(e) }

// OnceAtClockChanges returns the expression with another rule for changes of
// the clock: what the wall clock skips fires at the moment it is set forward,
// together and once; what it shows twice fires the first time only. Nothing is
// lost and nothing fires twice, whatever the size of the change.
func (e *Expression) OnceAtClockChanges() *Expression {
	once := *e
	once.once = true
	return &once
}

// Possible reports whether the expression fires at any time at all, past or to
// come; one for 30 February does not.
func (e *Expression) Possible() bool {
	if e.only != nil {
		// Nobody says in which zone: a window is taken for as large as it can be.
		wide := *e
		only := *e.only
		if !only.from.IsZero() {
			only.from = only.from.Add(-day)
		}
		if !only.until.IsZero() {
			only.until = only.until.Add(day)
		}
		wide.only = &only
		e = &wide
	}
	_, possible := e.Next(time.Unix(0, 0).Add(-time.Second), time.UTC)
	return possible
}

// nextOnce is Next for OnceAtClockChanges. The search runs on a clock that is
// never set, and each time it finds is then looked up in the zone.
func (e *Expression) nextOnce(after time.Time, loc *time.Location) (time.Time, bool) {
	wall := wallOf(after)
	if again := firstShowing(wall, loc); again < after.Unix() {
		// The wall clock shows this hour the second time: go on after it.
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

// wallOf returns what a wall clock shows, as the seconds a clock in UTC would
// have counted.
func wallOf(t time.Time) int64 {
	_, offset := t.Zone()
	return t.Unix() + int64(offset)
}

// firstShowing returns the instant at which the wall clock of a zone first shows
// a time, or passes over it.
func firstShowing(wall int64, loc *time.Location) int64 {
	probe := time.Unix(wall-zoneSlack, 0).In(loc)
	for {
		_, offset := probe.Zone()
		start, end := probe.ZoneBounds()
		if !end.IsZero() && !end.After(probe) {
			// Where a zone goes on by a rule, Go ends the last day of a leap year when it
			// begins. No zone has a change then.
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
