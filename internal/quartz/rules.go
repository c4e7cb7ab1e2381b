package quartz

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// The job properties that select fire times among an expression's times. Java agents ignore them.
const (
	// FromProp and UntilProp are times in RFC 3339. Fire times are at or after the first and before
	// the second.
	FromProp  = "schedule.from"
	UntilProp = "schedule.until"
	// ExcludeProp has the days without fires, by the calendar of the job's zone: dates such as
	// 2026-12-25, ranges such as 2026-12-24/2027-01-02, weekdays such as SAT.
	ExcludeProp = "schedule.exclude"
	// JitterProp is a duration. Each fire time is delayed by a part of it, which depends on the job
	// and time and is the same for all agents.
	JitterProp = "schedule.jitter"
	// ZoneProp is the IANA name of the zone, such as Europe/Berlin. It replaces timeZone, which
	// must then be empty.
	ZoneProp = "schedule.zone"
)

// ScheduleProps are the properties that change fire times.
var ScheduleProps = []string{ClockChangeProp, FromProp, UntilProp, ExcludeProp, JitterProp, ZoneProp}

// MostJitter is the largest jitter.
const MostJitter = time.Hour

// Rules are the texts of all properties that affect a job's fire times, apart from its expression
// and timeZone. They are comparable, and thousands of jobs have equal ones.
type Rules struct {
	ClockChange, From, Until, Exclude, Jitter, Zone string
	// Job is the job's name. It's only set with a jitter, which depends on it.
	Job string
}

// RulesOf returns the rules in a job's properties.
func RulesOf(job string, props map[string]string) Rules {
	r := Rules{
		ClockChange: props[ClockChangeProp], From: props[FromProp], Until: props[UntilProp],
		Exclude: props[ExcludeProp], Jitter: props[JitterProp], Zone: props[ZoneProp],
	}
	if r.Jitter != "" {
		r.Job = job
	}
	return r
}

// Parse is [Parse] with the rules.
func (r Rules) Parse(expr string) (*Expression, error) {
	e, err := Parse(expr)
	if err != nil {
		return nil, err
	}
	return e.With(r)
}

// Schedule returns the expression and the zone by which agents serve a job. The expression is nil
// without a cron. After an error, which names the field or property, agents run nothing of the job.
func (r Rules) Schedule(cron, timeZone string) (*Expression, *time.Location, error) {
	zone, err := r.Location(timeZone)
	if err != nil {
		return nil, nil, inField("timeZone", err)
	}
	if cron == "" {
		return nil, zone, nil
	}
	e, err := r.Parse(cron)
	if err == nil {
		err = e.Never()
	}
	if err != nil {
		return nil, nil, inField("cron", err)
	}
	return e, zone, nil
}

// inField adds the name of a field to an error, unless the error names a property itself.
func inField(field string, err error) error {
	if rule := (*RuleError)(nil); errors.As(err, &rule) {
		return err
	}
	return fmt.Errorf("%s: %w", field, err)
}

// Check returns the problems of the rules without regard to an expression: a [RuleError] for each
// property, joined. [Rules.Location] checks the zone.
func (r Rules) Check() error {
	_, err := new(Expression).With(r)
	return err
}

// RuleError names an invalid property of a job and the allowed values.
type RuleError struct {
	// Property is the key, such as schedule.until.
	Property string
	// Value is the refused value.
	Value string
	// Want describes the allowed values.
	Want string

	text string // the whole text; if empty, it's made of the other fields
}

// Error begins with the property's key.
func (e *RuleError) Error() string {
	return cmp.Or(e.text, fmt.Sprintf("%s: %q is not allowed; want %s", e.Property, e.Value, e.Want))
}

type restriction struct {
	job         string
	from, until time.Time // zero means no bound
	days        days
	jitter      time.Duration // whole milliseconds
}

// With returns the expression with the rules.
func (e *Expression) With(r Rules) (*Expression, error) {
	switch r.ClockChange {
	case "", ClockChangeQuartz:
	case ClockChangeOnce:
		e = e.OnceAtClockChanges()
	default:
		return nil, fmt.Errorf("property %s: %q is not one of %s, %s", ClockChangeProp, r.ClockChange, ClockChangeQuartz, ClockChangeOnce)
	}
	if r.From == "" && r.Until == "" && r.Exclude == "" && r.Jitter == "" {
		return e, nil
	}
	from, wrongFrom := moment(FromProp, r.From)
	until, wrongUntil := moment(UntilProp, r.Until)
	if !from.IsZero() && !until.IsZero() && !until.After(from) {
		wrongUntil = &RuleError{Property: UntilProp, Value: r.Until, Want: "a time later than " + FromProp, text: UntilProp + ": " + r.Until + " is not later than " + FromProp}
	}
	days, wrongDays := parseDays(r.Exclude)
	jitter, wrongJitter := parseJitter(r.Jitter)
	if err := errors.Join(wrongFrom, wrongUntil, wrongDays, wrongJitter); err != nil {
		return nil, err // All of them, so that the author can fix them at once.
	}
	restricted := *e
	restricted.only = restriction{job: r.Job, from: from, until: until, days: days, jitter: jitter}
	return &restricted, nil
}

func parseJitter(value string) (time.Duration, error) {
	if value == "" {
		return 0, nil
	}
	jitter, err := time.ParseDuration(value)
	if err != nil || jitter < 0 || jitter > MostJitter {
		return 0, &RuleError{Property: JitterProp, Value: value, Want: "a duration from 0s to " + MostJitter.String() + ", such as 30s"}
	}
	return jitter.Truncate(time.Millisecond), nil
}

func moment(key, value string) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil || at.IsZero() {
		return time.Time{}, &RuleError{Property: key, Value: value, Want: "a time such as 2026-12-24T08:00:00Z"}
	}
	return at, nil
}

// maxSkips bounds the excluded times in a row before the search ends. A list has fewer days, and
// for weekdays it's about twenty years.
const maxSkips = 1000

// next returns the first of the delayed times of the expression.
func (r *restriction) next(e *Expression, after time.Time, loc *time.Location) (best time.Time, found bool) {
	at := after.Add(-r.jitter)
	if before := r.from.Add(-1); !r.from.IsZero() && before.After(at) {
		at = before
	}
	skips := 0
	for range maxSteps {
		nominal, ok := e.nominal(at, loc)
		if !ok || found && !nominal.Before(best) || !r.until.IsZero() && !nominal.Before(r.until) {
			return best, found
		}
		if resume, excluded := r.days.skip(nominal); excluded {
			if skips++; skips > maxSkips {
				return best, found
			}
			at = resume
			continue
		}
		if put := nominal.Add(r.delay(nominal)); put.After(after) && (!found || put.Before(best)) {
			best, found = put, true
		}
		if at = nominal; r.jitter == 0 && found {
			break
		}
	}
	return best, found
}

// delay returns a time's delay: FNV-1a of 64 bits over the job's name and the time in Unix
// milliseconds, eight bytes with the highest first.
func (r *restriction) delay(nominal time.Time) time.Duration {
	if r.jitter < time.Millisecond {
		return 0
	}
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := range len(r.job) {
		h = (h ^ uint64(r.job[i])) * prime
	}
	ms := uint64(nominal.UnixMilli())
	for shift := 56; shift >= 0; shift -= 8 {
		h = (h ^ ms>>shift&0xff) * prime
	}
	return time.Duration(h%uint64(r.jitter.Milliseconds())) * time.Millisecond
}

// refuses returns the property that refuses a time of the expression, or "".
func (r *restriction) refuses(nominal time.Time) string {
	switch {
	case !r.from.IsZero() && nominal.Before(r.from):
		return FromProp
	case !r.until.IsZero() && !nominal.Before(r.until):
		return UntilProp
	}
	if _, excluded := r.days.skip(nominal); excluded {
		return ExcludeProp
	}
	return ""
}
