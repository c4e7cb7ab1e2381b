package cronwords

import (
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// shortest is how many days every month has.
const shortest = 28

// days says the days; every is true if it is every day.
func (t telling) days() (words string, every, ok bool) {
	if outside(t.Months, 1, 12) {
		return "", false, false
	}
	switch t.Rule {
	case quartz.DaysOfWeek, quartz.NthWeekday, quartz.LastWeekday:
		if outside(t.Weekdays, 1, 7) {
			return "", false, false
		}
	case quartz.DaysOfMonth, quartz.NearestToDay:
		if outside(t.Days, 1, 31) {
			return "", false, false
		}
	}
	switch t.Rule {
	case quartz.DaysOfWeek:
		words, every = t.weekdays()
		words, every = t.inMonths(words, every)
		return words, every, true
	case quartz.NthWeekday:
		ordinal := strings.Fields(t.l.CronOrdinals())[t.N-1]
		return t.l.CronNthWeekday(ordinal, t.weekday(t.Weekdays[0]), t.month()), false, true
	case quartz.LastWeekday:
		return t.l.CronLastWeekday(t.weekday(t.Weekdays[0]), t.month()), false, true
	case quartz.LastDay:
		if t.N >= shortest { // February may not have that day
			return "", false, false
		}
		if t.N > 0 {
			return t.l.CronBeforeLast(t.N, t.month()), false, true
		}
		return t.l.CronLast(t.month()), false, true
	case quartz.NearestToLastDay:
		return t.nearestToLast()
	case quartz.NearestToDay:
		// From 29W on a short month depends on where the search began.
		if t.Days[0] > shortest {
			return "", false, false
		}
		return t.l.CronNearest(t.ordinal(t.Days[0]), t.month()), false, true
	}
	return t.daysOfMonth()
}

// outside tells whether there is no value, or one that no calendar has: Quartz
// accepts some of them, and they never come.
func outside(values []int, low, high int) bool {
	return len(values) == 0 || values[0] < low || values[len(values)-1] > high
}

func (t telling) nearestToLast() (string, bool, bool) {
	switch {
	case t.N == 0:
		return t.l.CronLastWorking(t.month()), false, true
	case t.N < shortest: // else the month before counts, sometimes
		return t.l.CronNearestBeforeLast(t.N, t.month()), false, true
	}
	return "", false, false
}

func (t telling) daysOfMonth() (string, bool, bool) {
	first, last, step, even := progression(t.Days)
	switch {
	case len(t.Days) == 31:
		words, every := t.inMonths(t.l.CronEveryDay(), true)
		return words, every, true
	case even && step == 1 && len(t.Days) > 2:
		return t.l.CronDayRange(t.ordinal(first), t.ordinal(last), t.month()), false, true
	case even && len(t.Days) > 4:
		return t.l.CronDayStep(step, t.ordinal(first), t.ordinal(last), t.month()), false, true
	case len(t.Days) <= mostListed:
		return t.l.CronDays(t.list(mapped(t.Days, t.ordinal)), t.month()), false, true
	}
	return "", false, false
}

// weekdays lists them from Monday on, as weeks are read.
func (t telling) weekdays() (words string, every bool) {
	if len(t.Weekdays) == 7 {
		return t.l.CronEveryDay(), true
	}
	days := slices.Clone(t.Weekdays)
	if days[0] == 1 {
		days = append(days[1:], 8)
	}
	name := func(day int) string { return t.weekday((day-1)%7 + 1) }
	if first, last, step, ok := progression(days); ok && step == 1 && len(days) > 2 {
		return t.l.CronWeekdayRange(name(first), name(last)), false
	}
	return t.l.CronWeekdays(t.list(mapped(days, name))), false
}

func (t telling) weekday(day int) string { return strings.Fields(t.l.CronWeekdayNames())[day-1] }

func (t telling) monthName(month int) string {
	return strings.Split(t.l.CronMonthNames(), ", ")[month-1]
}

// ordinal is a day of the month: "1st".
func (t telling) ordinal(day int) string {
	switch {
	case day%10 == 1 && day != 11:
		return t.l.CronDaySt(day)
	case day%10 == 2 && day != 12:
		return t.l.CronDayNd(day)
	case day%10 == 3 && day != 13:
		return t.l.CronDayRd(day)
	}
	return t.l.CronDayTh(day)
}

// month says of which months a day is: "the month", "March".
func (t telling) month() string {
	first, last, step, even := progression(t.Months)
	switch {
	case len(t.Months) == 12:
		return t.l.CronMonthAny()
	case len(t.Months) == 1:
		return t.l.CronMonthOne(t.monthName(first))
	case even && step == 1 && len(t.Months) > 2:
		return t.l.CronMonthEach(t.monthName(first), t.monthName(last))
	}
	return t.l.CronMonthMany(t.list(mapped(t.Months, t.monthName)))
}

// inMonths adds the months to days that are not of a month.
func (t telling) inMonths(days string, every bool) (string, bool) {
	first, last, step, even := progression(t.Months)
	switch {
	case len(t.Months) == 12:
		return days, every
	case even && step == 1 && len(t.Months) > 2:
		return t.l.CronDaysMonthRange(days, t.monthName(first), t.monthName(last)), false
	}
	return t.l.CronDaysMonths(days, t.list(mapped(t.Months, t.monthName))), false
}
