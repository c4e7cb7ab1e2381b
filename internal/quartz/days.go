package quartz

import (
	"slices"
	"strings"
	"time"
)

const (
	// maxExclude bounds the property schedule.exclude, in bytes.
	maxExclude = 4096
	day        = 24 * time.Hour
	allWeek    = 1<<7 - 1
)

// days are the calendar days without fires.
type days struct {
	weekdays uint8 // bits by time.Weekday
	ranges   []dayRange
}

// dayRange is a range of days, including the last, counted from 1 January 1970. Ranges are sorted
// and never touch.
type dayRange struct{ first, last int }

// parseDays reads the property schedule.exclude.
func parseDays(text string) (d days, err error) {
	refuse := func(value string) error {
		return &RuleError{Property: ExcludeProp, Value: value, Want: "a date such as 2026-12-25, a range such as 2026-12-24/2027-01-02, or a weekday such as SAT"}
	}
	if len(text) > maxExclude {
		return d, &RuleError{Property: ExcludeProp, Value: text[:20] + "…", Want: "at most 4096 bytes"}
	}
	for entry := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' || r == '\t' }) {
		if weekday, ok := fields[dayOfWeek].named(strings.ToUpper(entry)); ok {
			d.weekdays |= 1 << (weekday - 1)
			continue
		}
		from, to, ranged := strings.Cut(entry, "/")
		if !ranged {
			to = from
		}
		first, err := time.Parse(time.DateOnly, from)
		if err != nil {
			return days{}, refuse(entry)
		}
		last, err := time.Parse(time.DateOnly, to)
		if err != nil || last.Before(first) {
			return days{}, refuse(entry)
		}
		d.ranges = append(d.ranges, dayRange{dayNumber(first), dayNumber(last)})
	}
	if d.weekdays == allWeek {
		return days{}, &RuleError{Property: ExcludeProp, Value: text, Want: "less than all seven weekdays", text: ExcludeProp + " leaves no day"}
	}
	slices.SortFunc(d.ranges, func(a, b dayRange) int { return a.first - b.first })
	merged := d.ranges[:0]
	for _, r := range d.ranges {
		if n := len(merged); n > 0 && r.first <= merged[n-1].last+1 {
			merged[n-1].last = max(merged[n-1].last, r.last)
			continue
		}
		merged = append(merged, r)
	}
	d.ranges = merged
	return d, nil
}

// dayNumber returns the number of a time's calendar day in its zone.
func dayNumber(at time.Time) int {
	year, month, date := at.Date()
	seconds := time.Date(year, month, date, 0, 0, 0, 0, time.UTC).Unix()
	return int((seconds - mod(seconds, int64(day/time.Second))) / int64(day/time.Second))
}

func mod(a, b int64) int64 { return (a%b + b) % b }

// skip reports whether a time's day is excluded, and from when on to continue the search: not
// before the time itself, and not after the start of the next day without exclusion.
func (d *days) skip(at time.Time) (resume time.Time, excluded bool) {
	if d.weekdays == 0 && len(d.ranges) == 0 {
		return at, false
	}
	today := dayNumber(at)
	next := today
	for {
		i, _ := slices.BinarySearchFunc(d.ranges, next, func(r dayRange, n int) int { return r.last - n })
		switch {
		case i < len(d.ranges) && d.ranges[i].first <= next:
			next = d.ranges[i].last + 1
		case d.weekdays>>mod(int64(next)+int64(time.Thursday), 7)&1 == 1: // 1 January 1970 was a Thursday
			next++
		case next == today:
			return at, false
		default:
			return later(at, startOf(next, at.Location())), true
		}
	}
}

// startOf returns a time just before a day begins. If the clock changes around midnight, it's some
// hours earlier.
func startOf(number int, loc *time.Location) time.Time {
	year, month, date := time.Unix(int64(number)*int64(day/time.Second), 0).UTC().Date()
	midnight := time.Date(year, month, date, 0, 0, 0, 0, loc)
	const near = 4 * time.Hour
	if begins, ends := midnight.ZoneBounds(); !begins.IsZero() && midnight.Sub(begins) < near || !ends.IsZero() && ends.Sub(midnight) < near {
		return midnight.Add(-near)
	}
	return midnight.Add(-1)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
