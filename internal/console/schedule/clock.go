package schedule

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// Change is a moment at which the clock of a zone is set.
type Change struct {
	// At is the moment; From and To are what the wall clock shows just before and
	// just after, written as times of UTC.
	At       time.Time
	From, To time.Time
	// Fires is how many times of the expression are affected: those that the clock
	// skips, or shows twice. First is the first of them, as the wall clock shows it.
	Fires int
	First time.Time
}

// Forward reports whether the clock is set forward: times are skipped.
func (c Change) Forward() bool { return c.To.After(c.From) }

// Bounds of what is looked at.
const (
	changesWithin = 400 * 24 * time.Hour
	mostChanges   = 4
	mostAffected  = 3600 * 24
)

// changes are the next changes of the clock with what they do to an expression. Days that
// are excluded, and what lies outside the window, are no matter.
func changes(ctx context.Context, expr *quartz.Expression, rules quartz.Rules, now time.Time, zone *time.Location) []Change {
	// On a clock that is never set the rule for changes is no matter, and the days are
	// those that the wall clock shows. Jitter moves instants, not what the clock skips.
	plain, err := quartz.Rules{Exclude: rules.Exclude}.Parse(expr.String())
	if err != nil {
		return nil
	}
	begins, ends := expr.Window()
	var list []Change
	at := now.In(zone)
	for len(list) < mostChanges {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.Sub(now) > changesWithin {
			break
		}
		_, before := end.Add(-time.Nanosecond).Zone()
		_, after := end.Zone()
		at = end
		if before == after { // another name, or summer time that is no other time
			continue
		}
		c := Change{At: end, From: wall(end, before), To: wall(end, after)}
		from, to := c.From, c.To
		if !c.Forward() {
			from, to = to, from
		}
		for fire := range firesAfter(plain, from.Add(-time.Second)) {
			if !fire.Before(to) || c.Fires == mostAffected || ctx.Err() != nil {
				break
			}
			if real := c.instant(fire); real.Before(begins) || !ends.IsZero() && !real.Before(ends) {
				continue
			}
			if c.Fires++; c.Fires == 1 {
				c.First = fire
			}
		}
		list = append(list, c)
	}
	return list
}

// instant is when a time that the wall clock skips or shows twice would be, the second
// time of the two.
func (c Change) instant(shown time.Time) time.Time {
	if c.Forward() {
		return c.At
	}
	return c.At.Add(shown.Sub(c.To))
}

// wall is what a clock with an offset shows at an instant, as a time of UTC.
func wall(at time.Time, offset int) time.Time {
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// firesAfter are the fires on a clock that is never set.
func firesAfter(expr *quartz.Expression, at time.Time) func(yield func(time.Time) bool) {
	return func(yield func(time.Time) bool) {
		for {
			next, ok := expr.Next(at, time.UTC)
			if !ok || !yield(next) {
				return
			}
			at = next
		}
	}
}
