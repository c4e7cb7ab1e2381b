package quartz

// DayRule is how an expression chooses its days.
type DayRule int

// The rules.
const (
	// DaysOfMonth: each of Selection.Days.
	DaysOfMonth DayRule = iota
	// DaysOfWeek: each of Selection.Weekdays.
	DaysOfWeek
	// NthWeekday: the Nth of the weekday Weekdays[0] in a month.
	NthWeekday
	// LastWeekday: the last of the weekday Weekdays[0] in a month.
	LastWeekday
	// LastDay: the day that is N days before the last one of a month.
	LastDay
	// NearestToDay: the day from Monday to Friday that is nearest to Days[0].
	NearestToDay
	// NearestToLastDay: the day from Monday to Friday nearest to the day N days before a month's
	// last.
	NearestToLastDay
)

// Selection is the meaning of an expression, with each list in ascending order. It has the
// effective values, not the written ones: for "1,15W" it has the rule 1W, because Quartz ignores
// the rest.
type Selection struct {
	// Seconds, Minutes and Hours of a day.
	Seconds, Minutes, Hours []int
	// Rule determines which of the following lists counts.
	Rule DayRule
	// Days of a month, 1 to 31.
	Days []int
	// Weekdays are 1 (Sunday) to 7 (Saturday).
	Weekdays []int
	// N is the rule's number.
	N int
	// Months are 1 to 12.
	Months []int
	// Years are nil for every year, and empty for none.
	Years []int
	// LastYear is the end of an expression without a last year.
	LastYear int
}

// Selection returns the expression's meaning.
func (e *Expression) Selection() Selection {
	s := Selection{
		Seconds: e.sets[second].values(), Minutes: e.sets[minute].values(), Hours: e.sets[hour].values(),
		Months: e.sets[month].values(), Years: e.yearsListed(), LastYear: e.lastYear,
	}
	switch {
	case e.byWeekday:
		s.Rule, s.Weekdays = DaysOfWeek, e.sets[dayOfWeek].values()
		if e.lastWeekday {
			s.Rule = LastWeekday
		} else if e.nthWeekday != 0 {
			s.Rule, s.N = NthWeekday, e.nthWeekday
		}
	case e.nearestWeekday && e.lastOfMonth:
		s.Rule, s.N = NearestToLastDay, e.lastOffset
	case e.nearestWeekday:
		s.Rule, s.Days = NearestToDay, e.sets[dayOfMonth].values()
	case e.lastOfMonth:
		s.Rule, s.N = LastDay, e.lastOffset
	default:
		s.Days = e.sets[dayOfMonth].values()
	}
	return s
}

// values returns a set's numbers without the two markers.
func (s *set) values() []int {
	var values []int
	for v, ok := s.from(0); ok; v, ok = s.from(v + 1) {
		if v != everyMark && v != noneMark {
			values = append(values, v)
		}
	}
	return values
}

// yearsListed returns the years with a fire from 1970 on, or nil for all of them.
func (e *Expression) yearsListed() []int {
	years := []int{}
	for y, ok := e.years.from(firstYear); ok && y <= e.lastYear; y, ok = e.years.from(y + 1) {
		years = append(years, y)
	}
	if len(years) == e.lastYear-firstYear+1 {
		return nil
	}
	return years
}
