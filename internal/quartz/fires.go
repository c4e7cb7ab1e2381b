package quartz

import (
	"fmt"
	"iter"
	"time"
)

// Fire is a time that an expression names, whether the job's properties let it be a fire
// time or not.
type Fire struct {
	// Nominal is the time by the expression alone.
	Nominal time.Time
	// At is the fire time: Nominal put off by the jitter.
	At time.Time
	// Refused is the property because of which it is no fire time, such as
	// schedule.exclude; empty if it is one.
	Refused string
}

// Fires are the times of the expression, by its own words later than after, as they come.
// A nil zone means time.Local. Those that the properties refuse are among them.
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

// fireAfter is the next time of the expression.
func (e *Expression) fireAfter(after time.Time, loc *time.Location) (f Fire, ok bool) {
	nominal, ok := e.nominal(after, loc)
	if !ok {
		return f, false
	}
	f = Fire{Nominal: nominal, At: nominal}
	if e.only != nil {
		f.Refused, f.At = e.only.refuses(nominal), nominal.Add(e.only.delay(nominal))
	}
	return f, true
}

// Window is from when on, and until when, the expression fires; zero where it has no
// such bound.
func (e *Expression) Window() (from, until time.Time) {
	if e.only == nil {
		return from, until
	}
	return e.only.from, e.only.until
}

// Jitter is up to how much a fire time is put off.
func (e *Expression) Jitter() time.Duration {
	if e.only == nil {
		return 0
	}
	return e.only.jitter
}

// jitterGaps is between how many fire times CheckJitter looks for the smallest gap.
const jitterGaps = 100

// CheckJitter refuses a jitter that is not less than half the smallest gap between the
// next fire times: fire times must not change places. It is for those who write a
// configuration; whoever reads one copes with any.
func (e *Expression) CheckJitter(now time.Time, loc *time.Location) error {
	if e.Jitter() == 0 {
		return nil
	}
	smooth := *e
	only := *e.only
	only.jitter = 0
	smooth.only = &only
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

// Never says why the expression fires at no time at all, past or to come; nil if it does.
func (e *Expression) Never() error {
	if e.Possible() {
		return nil
	}
	if plain := *e; plain.only != nil {
		if plain.only = nil; plain.Possible() {
			return fmt.Errorf("%q never fires: %s, %s and %s leave no fire time", e.text, FromProp, UntilProp, ExcludeProp)
		}
	}
	return fmt.Errorf("%q never fires: there is no such date", e.text)
}
