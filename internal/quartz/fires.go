package quartz

import (
	"fmt"
	"iter"
	"time"
)

// Fire is a time of an expression. The job's properties may refuse it as a fire time.
type Fire struct {
	// Nominal is the time by the expression alone.
	Nominal time.Time
	// At is the fire time: Nominal plus the jitter.
	At time.Time
	// Refused is the property that refuses the time, such as schedule.exclude. It's empty for a
	// fire time.
	Refused string
}

// Fires returns the times of the expression with a Nominal later than after, in order. It includes
// times that the properties refuse. A nil zone means time.Local.
func (e *Expression) Fires(after time.Time, loc *time.Location) iter.Seq[Fire] {
	return func(yield func(Fire) bool) {
		for {
			f, ok := e.fireAfter(after, loc)
			if !ok || !yield(f) {
				return
			}
			after = f.Nominal
		}
	}
}

// fireAfter returns the next time of the expression.
func (e *Expression) fireAfter(after time.Time, loc *time.Location) (f Fire, ok bool) {
	nominal, ok := e.nominal(after, loc)
	if !ok {
		return f, false
	}
	return Fire{Nominal: nominal, At: nominal.Add(e.only.delay(nominal)), Refused: e.only.refuses(nominal)}, true
}

// Window returns the start and end of the expression's fire times. Zero means no bound.
func (e *Expression) Window() (from, until time.Time) { return e.only.from, e.only.until }

// Jitter returns the longest delay of a fire time.
func (e *Expression) Jitter() time.Duration { return e.only.jitter }

// jitterGaps is how many gaps CheckJitter compares.
const jitterGaps = 100

// CheckJitter refuses a jitter that isn't less than half the smallest gap between the next fire
// times, because fire times must keep their order. Call it when a configuration is written; readers
// accept any jitter.
func (e *Expression) CheckJitter(now time.Time, loc *time.Location) error {
	if e.Jitter() == 0 {
		return nil
	}
	smooth := *e
	smooth.only.jitter = 0
	var gap time.Duration
	last := time.Time{}
	for _, at := range smooth.NextN(now, loc, jitterGaps+1) {
		if d := at.Sub(last); !last.IsZero() && (gap == 0 || d < gap) {
			gap = d
		}
		last = at
	}
	if gap == 0 || e.only.jitter < gap/2 {
		return nil
	}
	return &RuleError{
		Property: JitterProp, Value: e.only.jitter.String(), Want: fmt.Sprintf("less than %v, half the smallest gap between fires", gap/2),
		text: fmt.Sprintf("%s: %v is not allowed; want less than %v, half the smallest gap between fires", JitterProp, e.only.jitter, gap/2),
	}
}

// Never returns why the expression never fires, in the past or future. It's nil if it does.
func (e *Expression) Never() error {
	if e.Possible() {
		return nil
	}
	plain := *e
	if plain.only = (restriction{}); plain.Possible() {
		return fmt.Errorf("%q never fires: %s, %s and %s leave no fire time", e.text, FromProp, UntilProp, ExcludeProp)
	}
	return fmt.Errorf("%q never fires: there is no such date", e.text)
}
