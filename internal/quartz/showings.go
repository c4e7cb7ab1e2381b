package quartz

import "time"

// NextOfAll is Next for a search from any time, not only from one fire time to the next. The set of
// fire times doesn't depend on the starting point. By Quartz's rule, Next reads a time that the
// clock shows twice as its second showing and searches from there. After a switch or start we may
// be in the first showing. Next would then lose the fire times of the second showing up to that
// time, although other agents would have them.
func (e *Expression) NextOfAll(after time.Time, loc *time.Location) (time.Time, bool) {
	if loc == nil {
		loc = time.Local
	}
	next, ok := e.Next(after, loc)
	begin, end := turnedBack(after.In(loc))
	if e.once || end.IsZero() || ok && next.Before(end) {
		return next, ok
	}
	return e.nextOfBothShowings(after, begin, end, loc, next, ok)
}

// nextOfBothShowings is NextOfAll within the first showing of repeated times, from begin to end.
// next is a fire time that isn't before end.
func (e *Expression) nextOfBothShowings(after, begin, end time.Time, loc *time.Location, next time.Time, ok bool) (time.Time, bool) {
	earlier := func(t time.Time, there bool) {
		if there && t.After(after) && (!ok || t.Before(next)) {
			next, ok = t, true
		}
	}
	// The jitter may delay fire times from before begin to after it.
	before, there := e.Next(begin.Add(-time.Second), loc)
	for there && !before.After(after) {
		before, there = e.Next(before, loc)
	}
	earlier(before, there)
	earlier(e.Next(end.Add(-time.Second), loc))
	return next, ok
}

// turnedBack returns the first showing of repeated times that contains t, or two zero times. At end
// the clock is turned back to begin.
func turnedBack(t time.Time) (begin, end time.Time) {
	_, end = t.ZoneBounds()
	if end.IsZero() {
		return time.Time{}, time.Time{}
	}
	_, now := t.Zone()
	_, then := end.Zone()
	begin = end.Add(-time.Duration(now-then) * time.Second)
	if then >= now || t.Before(begin.Add(-time.Second)) {
		return time.Time{}, time.Time{}
	}
	return begin, end
}

// LoadZone accepts ElasticJob's offsets, such as GMT+08:00, and names of the zone database. Unlike
// [ParseTimeZone], it returns an error for any other text.
func LoadZone(name string) (*time.Location, error) {
	if IsTimeZone(name) {
		return ParseTimeZone(name)
	}
	return namedZone(name)
}
