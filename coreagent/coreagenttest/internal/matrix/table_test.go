//go:build !race

package matrix_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
)

// cell is one source, one event and one moment.
type cell struct {
	t        *testing.T
	f        *fleet
	operator *lifecycle.Operator
	source   source
	event    event
	moment   moment
	victim   string // the name of the agent that the event hits
	jobs     []string
	subject  []int // the shards that the run is about
	reached  bool  // the run began where the cell expects it
}

// TestW73SourcesAndMoments hits each source of runs with each event at each moment. The
// expectations for each fire time are in promises_test.go and come from docs/guarantees.md.
func TestW73SourcesAndMoments(t *testing.T) {
	t.Parallel()
	for _, s := range sources() {
		for _, e := range events {
			for _, m := range moments {
				t.Run(fmt.Sprintf("%s, %s %s", s.name, e.name, m.name), func(t *testing.T) {
					t.Parallel()
					c := &cell{source: s, event: e, moment: m}
					h := playInBubble(t, c)
					if !c.reached {
						t.Errorf("the run did not begin on agent %s:\n%s", c.victim, h.describe())
					}
					for _, job := range c.jobs {
						t.Run(job, func(t *testing.T) {
							shards, list := c.promises(job)
							h.judge(t, job, shards, list)
						})
					}
				})
			}
		}
	}
}

// playInBubble runs a cell and returns the agents' runs.
func playInBubble(t *testing.T, c *cell) (h history) {
	synctest.Test(t, func(t *testing.T) {
		c.t = t
		until(firstFire.Add(-time.Minute))
		c.f = newFleet(t, tableSession, c.works()...)
		for i, name := range []string{"a", "b", "c"} {
			c.f.start(name, fmt.Sprintf("10.0.0.%d", i+1), fmt.Sprint(i+1))
		}
		until(secondFire.Add(-10 * time.Second))
		closed := c.open()
		defer closed()
		c.choose()
		if c.source.name == "failover" {
			until(secondFire.Add(3 * time.Second))
		}
		c.source.lead(c)
		c.wait()
		c.event.do(c)
		until(lastFire.Add(2 * time.Minute))
		h = c.f.stopAll()
	})
	return h
}

// works returns the source's job, once with failover and once without.
func (c *cell) works() []work {
	with, without := c.source.job, c.source.job
	with.Name, without.Name, without.Failover = tableJob, tablePlain, false
	works := []work{{with, c.source.body}, {without, c.source.body}}
	if c.source.name == "failover" {
		works = works[:1]
	}
	for _, w := range works {
		c.jobs = append(c.jobs, w.job.Name)
	}
	return works
}

// open connects an operator.
func (c *cell) open() (closed func()) {
	zookeeper := c.f.server.ZooKeeper()
	zookeeper.SessionTimeout = time.Minute
	r, err := registry.Open(c.t.Context(), registry.Config{
		Namespace: namespace, ZooKeeper: zookeeper, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.operator = lifecycle.NewOperator(r)
	return func() { _ = r.Close() } // There's nothing left to lose.
}

// choose finds out which shards the run is about. The event hits the agent that owns them. In a
// failover it hits the agent that takes them, and in a rotation the agent that has the next turn.
func (c *cell) choose() {
	c.victim = "b"
	owner := c.victim
	switch c.source.name {
	case "failover":
		owner = "a"
	case "rotation":
		c.subject = []int{0}
		first := c.f.awaitRun(0, func(r *run) bool { return r.job == tableJob })
		c.victim = map[string]string{"c": "b", "b": "a", "a": "c"}[first.member.name]
		return
	}
	c.subject = c.f.owned(tableJob, c.f.members[owner].ip)
	if len(c.subject) != tableShards/3 {
		c.t.Errorf("agent %s owns the shards %v", owner, c.subject)
	}
}

// wait sleeps until the event.
func (c *cell) wait() {
	if c.source.due != nil {
		c.source.begins = c.source.due(c)
	}
	if !c.moment.begun {
		c.reached = true
		until(c.source.begins.Add(c.moment.after))
		return
	}
	until(c.source.begins.Add(-time.Second))
	begin := c.source.begins
	if r := c.f.awaitRun(2*time.Minute, func(r *run) bool { return c.source.isRun(c, r) }); r != nil {
		c.reached = true
		begin = r.start
	}
	until(begin.Add(c.moment.after))
}

// later calls do at a moment, while the cell goes on.
func (c *cell) later(at time.Time, do func(ctx context.Context) error) {
	go func() {
		until(at)
		c.operate(do)
	}()
}

func (c *cell) operate(do func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := do(ctx); err != nil {
		c.t.Errorf("at %s: %v", time.Now().UTC().Format("15:04:05.000"), err)
	}
}

func (c *cell) edit(change func(*jobconfig.Config)) {
	c.operate(func(ctx context.Context) error { return c.change(ctx, change) })
}

func (c *cell) change(ctx context.Context, change func(*jobconfig.Config)) error {
	return c.each(func(job string) error {
		_, _, err := c.operator.EditConfig(ctx, job, "", func(j *jobconfig.Config) error {
			change(j)
			return nil
		})
		return err
	})
}

// each calls do for each job of the cell, up to the first error.
func (c *cell) each(do func(job string) error) error {
	for _, job := range c.jobs {
		if err := do(job); err != nil {
			return err
		}
	}
	return nil
}

// promises returns how often each shard of a job must complete each fire time, and the number of
// shards.
func (c *cell) promises(job string) (shards int, list []expected) {
	shards = c.source.job.Shards
	if c.event.name == "shards added" {
		shards += addedShards
	}
	times := []time.Time{firstFire, secondFire, lastFire}
	if c.event.name == "cron edited" {
		times = append(times, clock(2, 45, 0))
	}
	if !slices.ContainsFunc(times, c.source.of.Equal) {
		times = append(times, c.source.of)
	}
	slices.SortFunc(times, time.Time.Compare)
	for _, at := range times {
		e := expected{at: at, want: func(shard int) bounds { return c.promise(job, at, shard) }}
		if at.Equal(requestedAt) {
			e.slack = 5 * time.Second // The trigger arrives after a short cut.
		}
		list = append(list, e)
	}
	return shards, list
}

func (c *cell) is(source string) bool { return c.source.name == source }

func (c *cell) hitBy(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(c.event.name, n) })
}
