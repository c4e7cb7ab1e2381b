//go:build !race

package matrix_test

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// All cells of the table have three agents with three shards each, so if one agent dies, it leaves
// more shards than there are survivors.
const (
	tableSession = 10 * time.Second
	tableBody    = 20 * time.Second
	tableJob     = "with failover"
	tablePlain   = "without failover"
	tableShards  = 9
)

var (
	firstFire  = clock(1, 0, 0)
	secondFire = clock(2, 0, 0)
	lastFire   = clock(3, 0, 0)
	// backfilled is a fire time before the agents started.
	backfilled = clock(0, 0, 0)
	// requestedAt is when the trigger and the backfill are requested.
	requestedAt = clock(2, 15, 0)
)

// source makes the victim run shards. There's one source for each reason why an agent runs a shard.
type source struct {
	name string
	job  coreagent.Job
	// begins is when the run is due; of is its fire time.
	begins, of time.Time
	body       func(m *member, s *coreagent.Shard) (time.Duration, error)
	// lead triggers the run. It's called five seconds before, and must not sleep.
	lead func(c *cell)
	// due returns when the run begins, if we can't know that beforehand.
	due   func(c *cell) time.Time
	isRun func(c *cell, r *run) bool
}

func tableWork(shards int) coreagent.Job {
	j := failingOver(tableJob, shards)
	j.ReconcileInterval = -1 // An audit would hide it if we lost an event.
	return j
}

func nothing(*cell) {}

func isNormal(c *cell, r *run) bool {
	recent := !r.start.Before(c.source.begins.Add(-time.Second))
	return r.member.name == c.victim && r.job == tableJob && r.source == tracing.SourceNormal && recent
}

// fireTimes is the plain schedule.
func fireTimes() source {
	return source{
		name: "schedule", job: tableWork(tableShards), begins: secondFire, of: secondFire,
		body: lasting(tableBody), lead: nothing, isRun: isNormal,
	}
}

// missed is a fire time that passes while the victim still works on the previous one.
func missed() source {
	const overlong = time.Hour + 5*time.Second
	return source{
		name: "misfire", job: tableWork(tableShards), begins: firstFire.Add(overlong), of: secondFire,
		body: func(m *member, s *coreagent.Shard) (time.Duration, error) {
			if m.name == "b" && s.ScheduledAt.Equal(firstFire) && s.Source == tracing.SourceNormal {
				return overlong, nil
			}
			return tableBody, nil
		},
		lead: nothing,
		isRun: func(c *cell, r *run) bool {
			return r.member.name == c.victim && r.job == tableJob && r.source == tracing.SourceMisfire
		},
	}
}

// failedOver is a fire time that another agent has left unfinished. The victim takes its shards
// after finishing its own.
func failedOver() source {
	return source{
		name: "failover", job: tableWork(tableShards), begins: secondFire.Add(tableBody), of: secondFire,
		body: lasting(tableBody),
		lead: func(c *cell) { c.f.kill("a") },
		isRun: func(c *cell, r *run) bool {
			return r.member.name == c.victim && r.job == tableJob && r.start.After(secondFire.Add(time.Second))
		},
	}
}

// triggered is a run that a program triggers from an agent that stays.
func triggered() source {
	return source{
		name: "trigger", job: tableWork(tableShards), begins: requestedAt, of: requestedAt,
		body: lasting(tableBody), isRun: isNormal,
		lead: func(c *cell) {
			c.later(requestedAt, func(ctx context.Context) error {
				return c.each(func(job string) error { return c.f.members["c"].agent.Trigger(ctx, job) })
			})
		},
	}
}

var errFirstAttempt = errors.New("the first attempt fails")

// retried is a fire time with a first attempt that fails on the victim's shards.
func retried() source {
	const pause = 10 * time.Second
	j := tableWork(tableShards)
	j.Retry = coreagent.Retry{Retries: 3, Backoff: pause}
	return source{
		name: "retry", job: j, begins: secondFire.Add(pause), of: secondFire,
		body: func(m *member, s *coreagent.Shard) (time.Duration, error) {
			if m.name == "b" && s.ScheduledAt.Equal(secondFire) && s.Run.Attempt <= 1 {
				return 0, coreagent.RetryAfter(errFirstAttempt, pause)
			}
			return tableBody, nil
		},
		lead: nothing,
		due: func(c *cell) (at time.Time) {
			until(secondFire.Add(pause / 2))
			c.operate(func(ctx context.Context) error {
				runs, err := c.operator.LiveRuns(ctx, tableJob, 1)
				if err == nil && len(runs.Waiting) > 0 {
					at = runs.Waiting[0].Due // The pause varies by a tenth.
				}
				return err
			})
			return at
		},
		isRun: func(c *cell, r *run) bool {
			return r.member.name == c.victim && r.job == tableJob && r.start.After(secondFire.Add(time.Second))
		},
	}
}

// backfills is a run for a fire time from before the job existed.
func backfills() source {
	return source{
		name: "backfill", job: tableWork(tableShards), begins: requestedAt, of: backfilled,
		body: lasting(tableBody), isRun: isNormal,
		lead: func(c *cell) {
			c.later(requestedAt, func(ctx context.Context) error {
				return c.each(func(job string) error {
					_, err := c.operator.Backfill(ctx, job, jobrun.Backfill{From: backfilled, To: backfilled})
					return err
				})
			})
		},
	}
}

// rotated is a job with one shard that another agent runs at each fire time.
func rotated() source {
	j := tableWork(1)
	j.Strategy = coreagent.Balance
	return source{
		name: "rotation", job: j, begins: secondFire, of: secondFire,
		body: lasting(tableBody), lead: nothing, isRun: isNormal,
	}
}

func sources() []source {
	return []source{fireTimes(), missed(), failedOver(), triggered(), retried(), backfills(), rotated()}
}
