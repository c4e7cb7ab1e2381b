package quartz

import "slices"

// The fields of an expression, in the order they are written.
const (
	second = iota
	minute
	hour
	dayOfMonth
	month
	dayOfWeek
	year
	fieldCount
)

const (
	// everyMark is the number for "*".
	everyMark = 99
	// noneMark is the number for "?".
	noneMark = 98
	// absent is the missing end of a range.
	absent = -1
	// firstYear is the first year of "*" in the year field.
	firstYear = 1970
)

type fieldSpec struct {
	name    string
	low     int // the smallest value
	high    int // the largest value
	size    int // the modulus of a wrapping range
	maxStep int // the largest step after a start or "*"
	allowed string
	names   []string // names of values, starting at low
}

// fields is indexed by the constants above. The year's high end is in the parser, because it
// depends on the current year.
var fields = [fieldCount]fieldSpec{
	second: {
		name: "second", low: 0, high: 59, size: 60, maxStep: 59,
		allowed: "0-59 with , - * /",
	},
	minute: {
		name: "minute", low: 0, high: 59, size: 60, maxStep: 59,
		allowed: "0-59 with , - * /",
	},
	hour: {
		name: "hour", low: 0, high: 23, size: 24, maxStep: 23,
		allowed: "0-23 with , - * /",
	},
	dayOfMonth: {
		name: "day-of-month", low: 1, high: 31, size: 31, maxStep: 31,
		allowed: "1-31 with , - * / or ?, L, L-n, LW, nW",
	},
	month: {
		name: "month", low: 1, high: 12, size: 12, maxStep: 12,
		allowed: "1-12 or JAN-DEC with , - * /",
		names:   []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"},
	},
	dayOfWeek: {
		name: "day-of-week", low: 1, high: 7, size: 7, maxStep: 7,
		allowed: "1-7 (1 is Sunday) or SUN-SAT with , - * / or ?, L, nL, n#1 to n#5",
		names:   []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"},
	},
	year: {
		name: "year", low: firstYear,
		allowed: "a year from 1970 on with , - * /",
	},
}

func (f *fieldSpec) named(name string) (int, bool) {
	i := slices.Index(f.names, name)
	return f.low + i, i >= 0
}
