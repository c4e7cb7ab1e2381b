package quartz

import "time"

// Upcoming is a time to come, or several in a row that are no fire times for one reason.
type Upcoming struct {
	// Fire is the time, or the first of several.
	Fire
	// Last is the last of several, by the expression alone, and Count how many there
	// are. Of too many to count them, Last is zero and Count is how many were counted.
	Last  time.Time
	Count int
}

const (
	// refusedAlone is up to how many times in a row that are no fire times stand for
	// themselves in a list.
	refusedAlone = 3
	// refusedCounted is how many of them are counted: a second's expression has 86,400
	// on each day that is excluded.
	refusedCounted = 1000
	// upcomingSteps bounds a list.
	upcomingSteps = 20_000
)

// Upcoming lists the next times of the expression with those that the properties refuse,
// at most n rows. It ends where schedule.until does. A nil zone means time.Local.
func (e *Expression) Upcoming(now time.Time, loc *time.Location, n int) []Upcoming {
	var list, row []Upcoming // row: refused, in a row
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
			f.At = f.Nominal // nothing puts off what does not happen
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

// resume is from when on the search for a fire time goes on after one that is refused.
func (r *restriction) resume(f Fire) time.Time {
	if f.Refused == FromProp {
		return later(f.Nominal, r.from.Add(-1))
	}
	resume, _ := r.days.skip(f.Nominal)
	return resume
}
