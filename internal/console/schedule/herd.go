package schedule

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// Herd is who fires together with a job at its next fire time.
type Herd struct {
	// Jobs and Shards count the others at the same second.
	Jobs, Shards int
	// Quiet is a second of the same minute at which fewer fire, QuietJobs how many;
	// -1 if there is none, or the expression does not name one second.
	Quiet, QuietJobs int
	// Cron is the expression with that second.
	Cron string
	// Partial: there was no time to look at all jobs.
	Partial bool
}

// checkEvery is after how many jobs the time is looked at.
const checkEvery = 256

// readKey is what an expression that was read depends on.
type readKey struct {
	cron  string
	rules quartz.Rules
}

// herd counts who fires in the minute of an instant.
func herd(ctx context.Context, q Question, at time.Time) Herd {
	h := Herd{Quiet: -1}
	minute := at.Truncate(time.Minute)
	var jobs, shards [60]int
	expressions := make(map[readKey]*quartz.Expression) // thousands of jobs have few expressions
	for i, other := range q.Others {
		if i%checkEvery == 0 && ctx.Err() != nil {
			h.Partial = true
			break
		}
		if other.Name == q.Job || other.Cron == "" {
			continue
		}
		key := readKey{other.Cron, other.Rules}
		expr, known := expressions[key]
		if !known {
			expr, _ = parsed(other.Cron, other.Rules) // what cannot be read does not fire
			expressions[key] = expr
		}
		zone, err := other.Rules.Location(other.TimeZone)
		if expr == nil || err != nil {
			continue
		}
		fire := minute.Add(-time.Nanosecond)
		for range 60 {
			next, ok := expr.Next(fire, zone)
			if !ok || !next.Before(minute.Add(time.Minute)) {
				break
			}
			jobs[next.Second()]++
			shards[next.Second()] += other.Shards
			fire = next
		}
	}
	h.Jobs, h.Shards = jobs[at.Second()], shards[at.Second()]
	if h.Jobs > 0 {
		h.quieter(q.Cron, jobs)
	}
	return h
}

// quieter finds the second of the minute at which the fewest fire, the first of
// them, for an expression that names one second.
func (h *Herd) quieter(cron string, jobs [60]int) {
	fields := strings.Fields(cron)
	if len(fields) == 0 {
		return
	}
	if _, err := strconv.Atoi(fields[0]); err != nil {
		return
	}
	best := 0
	for s, n := range jobs {
		if n < jobs[best] {
			best = s
		}
	}
	if jobs[best] >= h.Jobs {
		return
	}
	fields[0] = strconv.Itoa(best)
	h.Quiet, h.QuietJobs, h.Cron = best, jobs[best], strings.Join(fields, " ")
}
