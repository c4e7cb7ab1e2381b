package quartz

import "time"

// NextOfAll is Next for whoever looks from anywhere, and not only from one fire time to the
// next: fire times are a set, and which ones there are does not depend on the moment asked
// about. Quartz's own rule reads a moment that the clock shows twice as its second showing,
// and looks on from there. A cursor can stand in the first showing, after a switch or a
// start; the fire times of the second showing up to it would be lost, and others who look
// from elsewhere would have them.
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

// nextOfBothShowings is NextOfAll within the first showing of times that the clock shows
// twice: from begin to end, with a next fire time that is not before end.
func (e *Expression) nextOfBothShowings(after, begin, end time.Time, loc *time.Location, next time.Time, ok bool) (time.Time, bool) {
	earlier := func(t time.Time, there bool) {
		if there && t.After(after) && (!ok || t.Before(next)) {
			next, ok = t, true
		}
	}
	// A jitter may put off fire times from before begin to after it.
	before, there := e.Next(begin.Add(-time.Second), loc)
	for there && !before.After(after) {
		before, there = e.Next(before, loc)
	}
	earlier(before, there)
	earlier(e.Next(end.Add(-time.Second), loc))
	return next, ok
}

// turnedBack is the first showing of the times that the clock shows twice, if a moment lies
// within it; else two zero times. At end the clock is turned back to begin.
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

// LoadZone takes ElasticJob's offsets, such as GMT+08:00, and the names of the database of
// zones. What is no zone is an error, unlike that of [ParseTimeZone].
func LoadZone(name string) (*time.Location, error) {
	if IsTimeZone(name) {
		return ParseTimeZone(name)
	}
	return namedZone(name)
}
