package quartz

import "time"

// maxSteps bounds a search. A normal search should need a few steps per month up to the last year.
// The bound ensures that a mistake in our day rules can't hang a scheduler.
const maxSteps = 1 << 18

// Next returns the first instant after the given one at which the expression fires, in the zone
// loc. It's a full second unless the job has a jitter. A nil zone means time.Local. It returns
// false if the expression never fires again.
//
// Next doesn't allocate and should take microseconds, or well below a millisecond if there are no
// further dates. Excluded days cost a step each.
func (e *Expression) Next(after time.Time, loc *time.Location) (time.Time, bool) {
	return e.only.next(e, after, loc)
}

// nominal is Next by the expression alone.
func (e *Expression) nominal(after time.Time, loc *time.Location) (time.Time, bool) {
	if loc == nil {
		loc = time.Local
	}
	after = after.In(loc)
	if after.Year() > e.lastYear {
		return time.Time{}, false
	}
	if after.Year() < 1 {
		after = time.Time{}
	}
	if e.once {
		return e.nextOnce(after, loc)
	}
	s := search{expr: e, earliest: after.Unix() + 1}
	s.clock.loc = loc
	s.clock.setInstant(s.earliest)
	if !s.run() {
		return time.Time{}, false
	}
	return time.Unix(s.clock.unix, 0).In(loc), true
}

// NextN returns the next n fire times, or fewer if there are no more. A nil zone means time.Local.
func (e *Expression) NextN(after time.Time, loc *time.Location, n int) []time.Time {
	var times []time.Time
	for range n {
		next, ok := e.Next(after, loc)
		if !ok {
			break
		}
		times = append(times, next)
		after = next
	}
	return times
}

// Last returns the last fire time after from and not after until. It returns false if there is none.
func (e *Expression) Last(from, until time.Time, loc *time.Location) (last time.Time, ok bool) {
	last, ok = e.Next(from, loc)
	if !ok || last.After(until) {
		return time.Time{}, false
	}
	for end := until; end.Sub(last) > time.Millisecond; {
		middle := last.Add(end.Sub(last) / 2)
		if next, more := e.Next(middle, loc); more && !next.After(until) {
			last = next
		} else {
			end = middle
		}
	}
	return last, true
}

// search moves a wall clock forward until every field matches. It works from the second upwards and
// starts over after each move, because a move may run into a clock change and end at another time
// than intended. The order matters, because it determines the times lost around a clock change.
type search struct {
	expr     *Expression
	earliest int64 // the earliest possible result
	clock    wallClock
	// visited is the day of the last move by a W rule. If the rule moves there again, no time of
	// that day fits.
	visited [3]int
}

// run moves the clock to a fire time. It returns false if there is none.
func (s *search) run() bool {
	for range maxSteps {
		s.settleSecond()
		if s.clock.year > s.expr.lastYear {
			return false
		}
		if !s.settleMinute() || !s.settleHour() || !s.settleDay() || !s.settleMonth() {
			continue
		}
		year, ok := s.expr.years.from(s.clock.year)
		if !ok {
			return false
		}
		if year == s.clock.year {
			return true
		}
		s.clock.set(year, 1, 1, 0, 0, 0)
	}
	return false
}

// settleSecond moves the clock to a matching second. The other settle methods do so for their field
// and return true if they didn't have to move it.
func (s *search) settleSecond() {
	c := &s.clock
	second, ok := s.expr.sets[second].from(c.second)
	switch {
	case !ok:
		c.set(c.year, c.month, c.day, c.hour, c.minute+1, s.expr.sets[0].first())
	case second != c.second:
		c.set(c.year, c.month, c.day, c.hour, c.minute, second)
	}
}

func (s *search) settleMinute() bool {
	c, minutes := &s.clock, &s.expr.sets[minute]
	minute, ok := minutes.from(c.minute)
	switch {
	case !ok:
		c.setHour(c.year, c.month, c.day, c.hour+1, minutes.first())
	case minute != c.minute:
		c.setHour(c.year, c.month, c.day, c.hour, minute)
	default:
		return true
	}
	return false
}

func (s *search) settleHour() bool {
	c, hours := &s.clock, &s.expr.sets[hour]
	hour, ok := hours.from(c.hour)
	switch {
	case !ok:
		c.setHour(c.year, c.month, c.day+1, hours.first(), 0)
	case hour != c.hour:
		c.setHour(c.year, c.month, c.day, hour, 0)
	default:
		return true
	}
	return false
}

func (s *search) settleDay() bool {
	c := &s.clock
	month, day := s.nextDay()
	if month == c.month && day == c.day {
		return true
	}
	c.set(c.year, month, day, 0, 0, 0)
	return false
}

func (s *search) settleMonth() bool {
	c, months := &s.clock, &s.expr.sets[month]
	month, ok := months.from(c.month)
	switch {
	case !ok:
		c.set(c.year+1, months.first(), 1, 0, 0, 0)
	case month != c.month:
		c.set(c.year, month, 1, 0, 0, 0)
	default:
		return true
	}
	return false
}

// nextDay returns the month and day that the day rule selects next, counted from the clock's month:
// month 13 is the next January. It's the clock's own day if that matches.
func (s *search) nextDay() (month, day int) {
	e, c := s.expr, &s.clock
	last := lastDayOf(c.year, c.month)
	switch {
	case e.byWeekday && e.lastWeekday:
		day = c.day + daysUntil(c.weekday, e.sets[dayOfWeek].first())
		if day <= last {
			return c.month, day + (last-day)/7*7
		}
	case e.byWeekday && e.nthWeekday != 0:
		return s.nextNthWeekday(last)
	case e.byWeekday:
		weekdays := &e.sets[dayOfWeek]
		weekday, ok := weekdays.from(c.weekday)
		if !ok {
			weekday = weekdays.first()
		}
		if day = c.day + daysUntil(c.weekday, weekday); day <= last {
			return c.month, day
		}
	case e.nearestWeekday:
		return s.nextNearestWeekday(last)
	case e.lastOfMonth:
		if day = last - e.lastOffset; c.day <= day {
			return c.month, day
		}
	default:
		days := &e.sets[dayOfMonth]
		if day, ok := days.from(c.day); ok && day <= last {
			return c.month, day
		}
		return c.month + 1, days.first()
	}
	return c.month + 1, 1
}

// nextNthWeekday returns the nth occurrence of a weekday in the month.
func (s *search) nextNthWeekday(last int) (month, day int) {
	c := &s.clock
	day = c.day + daysUntil(c.weekday, s.expr.sets[dayOfWeek].first())
	week := (day + 6) / 7
	if day += (s.expr.nthWeekday - week) * 7; week > s.expr.nthWeekday || day > last {
		return c.month + 1, 1
	}
	return c.month, day
}

// nextNearestWeekday returns the weekday nearest to a day, within the month.
func (s *search) nextNearestWeekday(last int) (month, day int) {
	c := &s.clock
	day, restart := s.expr.sets[dayOfMonth].first(), s.expr.sets[dayOfMonth].first()
	if s.expr.lastOfMonth {
		day, restart = last-s.expr.lastOffset, 1
	}
	// The day may be after the end of the month, or with an offset before its beginning. Then it
	// carries over, and we use the weekday of the day in the next or previous month.
	target := wallClock{loc: c.loc}
	target.set(c.year, c.month, day, 0, 0, 0)
	switch {
	case target.weekday == 7 && day == 1:
		day += 2
	case target.weekday == 7:
		day--
	case target.weekday == 1 && day == last:
		day -= 2
	case target.weekday == 1:
		day++
	}
	if day < 1 {
		return c.month + 1, restart
	}
	if day == c.day {
		return c.month, day
	}
	target.set(c.year, c.month, day, c.hour, c.minute, c.second)
	if target.unix < s.earliest {
		return c.month + 1, restart
	}
	// If the clock skips the rule's midnight, the search comes back here from the following day,
	// and Quartz never returns.
	if to := [3]int{c.year, c.month, day}; to != s.visited {
		s.visited = to
		return c.month, day
	}
	return c.month + 1, restart
}

// daysUntil returns the days from one weekday to the next occurrence of another. A weekday that
// doesn't exist, as in "9#2", is never reached.
func daysUntil(from, to int) int {
	if to < from {
		return to + 7 - from
	}
	return to - from
}

func lastDayOf(year, month int) int {
	return time.Date(year, time.Month(month+1), 0, 0, 0, 0, 0, time.UTC).Day()
}
