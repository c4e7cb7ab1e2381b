package view

import (
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// togetherBudget is how many fires are looked for at most for one answer.
const togetherBudget = 2_000

// Together counts the jobs that fire at one instant, and remembers by schedule when it
// fires next. The zero value is ready. It is safe for concurrent use.
type Together struct {
	mu    sync.Mutex
	known map[fireKey]nextFire
}

// nextFire is what is known of a schedule: it does not fire from after on until at, and
// at that instant it does; never if at is zero.
type nextFire struct{ after, at time.Time }

// Most is the instant of several at which the most other jobs fire together with a job,
// and how many. Jobs that are disabled, down or without a schedule fire never. Without ok
// there was no time for all jobs; the next answers go on.
func (t *Together) Most(jobs []statistics.Job, job string, instants []time.Time) (at time.Time, others int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) > mostSchedules {
		t.known = make(map[fireKey]nextFire)
	}
	counts, budget := make([]int, len(instants)), togetherBudget
	seen := make(map[fireKey][]bool) // by instant; thousands of jobs have few schedules
	for i := range jobs {
		j := &jobs[i]
		if j.Name == job || j.Cron == "" || j.Status == statistics.StatusCrashed || j.Servers > 0 && j.DisabledServers == j.Servers {
			continue
		}
		key := fireKey{j.Cron, j.TimeZone, quartz.RulesOf(j.Name, j.ScheduleProps())}
		fires, looked := seen[key]
		if !looked {
			if fires = t.fires(key, instants, &budget); budget < 0 {
				return time.Time{}, 0, false
			}
			seen[key] = fires
		}
		for n, does := range fires {
			if does {
				counts[n]++
			}
		}
	}
	for n, count := range counts {
		if count > others {
			at, others = instants[n], count
		}
	}
	return at, others, true
}

// fires tells at which of several instants a schedule fires; nil for none.
func (t *Together) fires(key fireKey, instants []time.Time, budget *int) (at []bool) {
	for n, instant := range instants {
		next, known := t.known[key]
		if !known || instant.Before(next.after) || !next.at.IsZero() && instant.After(next.at) {
			if *budget--; *budget < 0 {
				return nil
			}
			next = nextFireOf(key, instant)
			t.known[key] = next
		}
		if next.at.Equal(instant) {
			if at == nil {
				at = make([]bool, len(instants))
			}
			at[n] = true
		}
	}
	return at
}

// nextFireOf finds the first fire of a schedule that is not before an instant; one that
// cannot be read has none.
func nextFireOf(key fireKey, instant time.Time) nextFire {
	never := nextFire{after: instant}
	expr, err := key.rules.Parse(key.cron)
	if err != nil {
		return never
	}
	zone, err := key.rules.Location(key.zone)
	if err != nil {
		return never
	}
	if at, ok := expr.Next(instant.Add(-time.Nanosecond), zone); ok {
		never.at = at
	}
	return never
}
