package quartz

import "time"

// Upcoming is a future time, or several refused times in a row with the same reason.
type Upcoming struct {
	// Fire is the time, or the first of several.
	Fire
	// Last is the last of several by the expression alone, and Count their number. If there are too
	// many to count, Last is zero and Count is the number counted.
	Last  time.Time
	Count int
}

const (
	// refusedAlone is the largest number of refused times in a row that are listed separately.
	refusedAlone = 3
	// refusedCounted bounds the count of refused times. An expression for every second has 86,400
	// on each excluded day.
	refusedCounted = 1000
	// upcomingSteps bounds a list.
	upcomingSteps = 20_000
)

// Upcoming lists the next times of the expression in at most n rows, including times that the
// properties refuse. It ends at schedule.until. A nil zone means time.Local.
func (e *Expression) Upcoming(now time.Time, loc *time.Location, n int) []Upcoming {
	var list, row []Upcoming // refused times in a row
	many := Upcoming{}
	flush := func() {
		if many.Count > refusedAlone {
			row = []Upcoming{many}
		}
		list, row, many = append(list, row...), nil, Upcoming{}
	}
	after := now.Add(-e.Jitter())
	for range upcomingSteps {
		f, ok := e.fireAfter(after, loc)
		if !ok || f.Refused == UntilProp || len(list) >= n {
			break
		}
		after = f.Nominal
		switch {
		case f.Refused == "" && f.At.After(now):
			flush()
			list = append(list, Upcoming{Fire: f, Count: 1})
		case f.Refused == "" || !f.Nominal.After(now):
		case many.Count == refusedCounted:
			many.Last, after = time.Time{}, e.only.resume(f)
		default:
			f.At = f.Nominal // a refused time isn't delayed
			if many.Count > 0 && many.Refused != f.Refused {
				flush()
			}
			if many.Count == 0 {
				many.Fire = f
			}
			if many.Count++; many.Count <= refusedAlone {
				row = append(row, Upcoming{Fire: f, Count: 1})
			}
			many.Last = f.Nominal
		}
	}
	flush()
	return list[:min(len(list), n)]
}

// resume returns the time from which to continue the search after a refused one.
func (r *restriction) resume(f Fire) time.Time {
	if f.Refused == FromProp {
		return later(f.Nominal, r.from.Add(-1))
	}
	resume, _ := r.days.skip(f.Nominal)
	return resume
}
