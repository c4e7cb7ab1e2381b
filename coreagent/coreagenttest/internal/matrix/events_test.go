//go:build !race

package matrix_test

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// event hits the run of a cell.
type event struct {
	name string
	do   func(c *cell)
}

const (
	shortCut    = 3 * time.Second  // shorter than two thirds of the session timeout
	longCut     = 40 * time.Second // longer than the session timeout
	switchedOff = 30 * time.Second
	addedShards = 2
)

var events = []event{
	{"killed", func(c *cell) { c.f.kill(c.victim) }},
	{"cut within the session", func(c *cell) { c.f.interrupt(c.victim, shortCut) }},
	{"cut beyond the session", func(c *cell) { c.f.cut(c.victim, longCut) }},
	{"server disabled", func(c *cell) {
		c.operate(func(ctx context.Context) error {
			_, err := c.operator.DisableServer(ctx, "", c.f.members[c.victim].ip)
			return err
		})
	}},
	{"shard disabled and enabled", func(c *cell) {
		c.operate(func(ctx context.Context) error { return c.switchShards(ctx, c.operator.DisableShard) })
		c.later(time.Now().Add(switchedOff), func(ctx context.Context) error {
			return c.switchShards(ctx, c.operator.EnableShard)
		})
	}},
	{"cron edited", func(c *cell) { c.edit(func(j *jobconfig.Config) { j.Cron = "0 0,45 * * * ?" }) }},
	{"shards added", func(c *cell) { c.edit(func(j *jobconfig.Config) { j.Shards += addedShards }) }},
	{"failover switched and back", func(c *cell) {
		c.edit(func(j *jobconfig.Config) { j.Failover = !j.Failover })
		c.later(time.Now().Add(switchedOff), func(ctx context.Context) error {
			return c.change(ctx, func(j *jobconfig.Config) { j.Failover = !j.Failover })
		})
	}},
	{"job removed from the agent", func(c *cell) {
		agent := c.f.members[c.victim].agent
		for _, job := range c.jobs {
			c.later(time.Now(), func(ctx context.Context) error {
				ctx, cancel := context.WithTimeout(ctx, time.Minute)
				defer cancel()
				return agent.Remove(ctx, job)
			})
		}
	}},
}

// switchShards disables or enables the shards that the cell is about.
func (c *cell) switchShards(ctx context.Context, set func(ctx context.Context, job string, shard int) error) error {
	return c.each(func(job string) error {
		for _, shard := range c.subject {
			if err := set(ctx, job, shard); err != nil {
				return err
			}
		}
		return nil
	})
}

// moment is the time of the event, relative to the run.
type moment struct {
	name string
	// begun is set if the moment counts from the run's first handler instead of its due time.
	begun bool
	after time.Duration
}

var (
	longBefore  = moment{"2 s before", false, -2 * time.Second}
	justBefore  = moment{"100 ms before", false, -100 * time.Millisecond}
	justAfter   = moment{"1 s after the start", true, time.Second}
	midway      = moment{"in the middle", true, tableBody / 2}
	atTheEnd    = moment{"at the end", true, tableBody}
	afterTheEnd = moment{"2 s after the end", true, tableBody + 2*time.Second}
	moments     = []moment{longBefore, justBefore, justAfter, midway, atTheEnd, afterTheEnd}
)

// early reports whether the event comes before the run.
func (m moment) early() bool { return !m.begun }
