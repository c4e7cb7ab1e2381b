package quartz

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
	// everyMark is the number that stands for "*".
	everyMark = 99
	// noneMark is the number that stands for "?".
	noneMark = 98
	// absent is the end of a range that was not written.
	absent = -1
	// firstYear is where "*" begins in the year field.
	firstYear = 1970
)

// fieldSpec is what the parser needs to know about a field.
type fieldSpec struct {
	name    string
	low     int // the smallest value
	high    int // the largest value
	size    int // how far a wrapping range wraps
	maxStep int // the largest step behind a start or "*"
	allowed string
	names   []string // names of values, the first stands for low
}

// fields is indexed by the constants above. The year's high end depends on the
// current year and is kept in the parser.
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

// named returns the value of a name.
func (f *fieldSpec) named(name string) (int, bool) {
	for i, known := range f.names {
		if name == known {
			return f.low + i, true
		}
	}
	return 0, false
}
