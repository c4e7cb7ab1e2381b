package cloud

import (
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Schedule has the fire times of a job. The zero value has none. It's immutable.
type Schedule struct {
	expression  *quartz.Expression
	zone        *time.Location
	fingerprint string
}

// Schedule returns the fire times of the job. zone is for jobs without a time zone. A DAEMON or a
// job without an expression has no fire times for a scheduler, but the expression is checked. The
// error is a [jobconfig.FieldError].
func (j Job) Schedule(zone *time.Location) (Schedule, error) {
	var err error
	named := quartz.Rules{Zone: j.Props[quartz.ZoneProp]}
	switch {
	case named.Zone != "" && j.Registry():
		if zone, err = named.Location(j.TimeZone); err != nil {
			return Schedule{}, scheduleError(j, err)
		}
	case j.TimeZone != "":
		if zone, err = LoadZone(j.TimeZone); err != nil {
			return Schedule{}, &jobconfig.FieldError{Field: "timeZone", Value: j.TimeZone, Want: "a name such as Europe/Berlin, or an offset such as GMT+08:00"}
		}
	}
	props, err := j.scheduleProps()
	if err != nil {
		return Schedule{}, err
	}
	if j.Cron == "" {
		return Schedule{zone: zone}, nil
	}
	expression, err := quartz.ParseWith(j.Cron, j.Name, props)
	if err != nil {
		return Schedule{}, scheduleError(j, err)
	}
	// We name runs by the second of their fire time, so two fire times must not share a second.
	if expression.Jitter() > 0 {
		if err := expression.CheckJitter(time.Unix(0, 0), zone); err != nil {
			return Schedule{}, scheduleError(j, err)
		}
	}
	if j.Type == TypeDaemon {
		return Schedule{zone: zone}, nil
	}
	rules := quartz.RulesOf(j.Name, props)
	return Schedule{
		expression: expression, zone: zone,
		fingerprint: strings.Join([]string{j.Cron, zone.String(), rules.ClockChange, rules.From, rules.Until, rules.Exclude, rules.Jitter}, "|"),
	}, nil
}

// scheduleProps returns the job's properties, with the fields that have the same meaning.
func (j Job) scheduleProps() (map[string]string, error) {
	if zone := j.Props[quartz.ZoneProp]; zone != "" && !j.Registry() {
		return nil, &jobconfig.FieldError{Field: "props." + quartz.ZoneProp, Value: zone, Want: "nothing: timeZone takes names such as Europe/Berlin"}
	}
	props := maps.Clone(j.Props)
	for _, f := range []struct{ field, value, prop string }{
		{"startTime", j.StartTime, quartz.FromProp},
		{"endTime", j.EndTime, quartz.UntilProp},
		{"clockChange", j.ClockChange, quartz.ClockChangeProp},
	} {
		if f.value == "" {
			continue
		}
		if other := props[f.prop]; other != "" && other != f.value {
			return nil, &jobconfig.FieldError{Field: f.field, Value: f.value, Want: "the same as props." + f.prop + ", which is " + other + ", or only one of the two"}
		}
		if props == nil {
			props = make(map[string]string)
		}
		props[f.prop] = f.value
	}
	switch change := props[quartz.ClockChangeProp]; {
	case change == "" || change == quartz.ClockChangeQuartz || change == quartz.ClockChangeOnce:
	case j.ClockChange != "":
		return nil, &jobconfig.FieldError{Field: "clockChange", Value: change, Want: "quartz or once"}
	default:
		return nil, &jobconfig.FieldError{Field: "props." + quartz.ClockChangeProp, Value: change, Want: "quartz or once"}
	}
	if err := quartz.RulesOf(j.Name, props).Check(); err != nil {
		return nil, scheduleError(j, err)
	}
	return props, nil
}

func scheduleError(j Job, err error) error {
	var rule *quartz.RuleError
	if !errors.As(err, &rule) {
		return &jobconfig.FieldError{Field: "cron", Value: j.Cron, Want: "a Quartz expression: " + err.Error()}
	}
	field := "props." + rule.Property
	switch rule.Property {
	case quartz.FromProp:
		if j.StartTime != "" {
			field = "startTime"
		}
	case quartz.UntilProp:
		if j.EndTime != "" {
			field = "endTime"
		}
	}
	return &jobconfig.FieldError{Field: field, Value: rule.Value, Want: rule.Want}
}

// LoadZone accepts ElasticJob's offsets, such as GMT+08:00, and names of the time zone database.
func LoadZone(name string) (*time.Location, error) { return quartz.LoadZone(name) }

// Fired returns the newest settled fire time of a job: launched, pending, merged or missed. It's
// false if there is none or it can't be determined, because the cursor also starts where the job
// was created, enabled or rescheduled, and moves while the job is off.
func (s Schedule) Fired(d Definition) (time.Time, bool) {
	at := d.Status.LastFire
	if !at.After(d.Created) || at.Equal(d.Changed) {
		return time.Time{}, false // The cursor starts here, even if this is a fire time.
	}
	next, ok := s.Next(at.Add(-1))
	return at, ok && next.Equal(at)
}

// Next returns the first fire time after a moment, or false. Fire times are a fixed set that
// doesn't depend on the moment.
func (s Schedule) Next(after time.Time) (time.Time, bool) {
	if s.expression == nil {
		return time.Time{}, false
	}
	return s.expression.NextOfAll(after, s.zone)
}

// Fires reports whether there are fire times for a scheduler at all.
func (s Schedule) Fires() bool { return s.expression != nil }

// Zone is the zone of the fire times, nil for a zero Schedule.
func (s Schedule) Zone() *time.Location { return s.zone }

// Fingerprint changes with everything that changes fire times. It's empty if there are none.
func (s Schedule) Fingerprint() string { return s.fingerprint }
