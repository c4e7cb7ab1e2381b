package judge

import (
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// Schedule is a cron expression in a zone.
type Schedule struct {
	Key string // distinguishes schedules
	// Gap is the shortest time between two fire times.
	Gap time.Duration

	expression *quartz.Expression
	zone       *time.Location
}

// gapSamples is how many fire times are checked to find the shortest gap.
const gapSamples = 50

// NewSchedule parses a schedule. The name and the properties are the job's.
func NewSchedule(job, cron, zone string, props map[string]string) (*Schedule, error) {
	rules := quartz.RulesOf(job, props)
	expression, err := rules.Parse(cron)
	if err != nil {
		return nil, fmt.Errorf("cron %q: %w", cron, err)
	}
	location, err := rules.Location(zone)
	if err != nil {
		return nil, fmt.Errorf("zone %q: %w", zone, err)
	}
	s := &Schedule{Key: fmt.Sprint(cron, " ", zone, " ", rules), expression: expression, zone: location}
	times := expression.NextN(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), location, gapSamples)
	for k := range times[:max(0, len(times)-1)] {
		if gap := times[k+1].Sub(times[k]); s.Gap == 0 || gap < s.Gap {
			s.Gap = gap
		}
	}
	return s, nil
}

// Next returns the first fire time after a time, or zero if there is none.
func (s *Schedule) Next(after time.Time) time.Time {
	next, _ := s.expression.Next(after, s.zone)
	return next
}

// Holds reports whether t is a fire time.
func (s *Schedule) Holds(t time.Time) bool { return s.Next(t.Add(-time.Millisecond)).Equal(t) }

// Between returns the fire times in (from, to].
func (s *Schedule) Between(from, to time.Time) []time.Time {
	var times []time.Time
	for t := s.Next(from); !t.IsZero() && !t.After(to); t = s.Next(t) {
		times = append(times, t)
	}
	return times
}
