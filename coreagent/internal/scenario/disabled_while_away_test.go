package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// An operator disables all servers of a job over a fire time and enables them again. An instance
// that was cut off over that fire time must not run it when it returns.
func TestW74DisabledWhileAway(t *testing.T) {
	for _, cutBefore := range []bool{false, true} {
		for _, failover := range []bool{false, true} {
			for _, back := range []time.Duration{-10 * time.Minute, time.Second, 20 * time.Minute, 35 * time.Minute} {
				t.Run(fmt.Sprintf("cut before=%v,failover=%v,back %v after it is enabled", cutBefore, failover, back), func(t *testing.T) {
					bubble(t, func(b *fixture, srv *zkfake.Server) {
						b.session = 30 * time.Second
						job := coreagent.Job{Name: "plain", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?", Zone: "GMT"}, Shards: 4, Failover: failover}
						m1, m2 := b.host(1, "a"), b.host(2, "b")
						m1.serve(job, nil).start()
						m2.serve(job, nil).start()
						sleepUntilNext(time.Hour)
						at := sleepUntilNext(time.Hour).Add(time.Hour)
						time.Sleep(40 * time.Minute)
						if cutBefore {
							m2.cut()
							time.Sleep(time.Minute)
						}
						b.put(b.tree.Job("plain").Server("10.0.0.1"), jobtree.ServerDisabled)
						b.put(b.tree.Job("plain").Server("10.0.0.2"), jobtree.ServerDisabled)
						time.Sleep(5 * time.Minute)
						m2.cut()
						time.Sleep(time.Until(at.Add(15 * time.Minute)))
						if back < 0 {
							m2.reconnect()
							time.Sleep(-back)
						}
						b.put(b.tree.Job("plain").Server("10.0.0.1"), jobtree.ServerEnabled)
						b.put(b.tree.Job("plain").Server("10.0.0.2"), jobtree.ServerEnabled)
						if back > 0 {
							time.Sleep(back)
							m2.reconnect()
						}
						time.Sleep(time.Until(at.Add(55 * time.Minute)))
						for _, r := range b.runs.of("plain", -1) {
							if r.start.After(at.Add(-time.Minute)) {
								t.Errorf("agent %s ran shard %d at %v for %v", r.agent, r.shard.Item, r.start, r.shard.ScheduledAt)
							}
						}
					})
				})
			}
		}
	}
}

// TestDisabledAsStored: a server that joins a job later should be disabled if the stored
// configuration has disabled set, even if its program declares otherwise.
func TestDisabledAsStored(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		first := b.agent(1)
		first.serve(hourlyJob, nil).start()
		b.awaitOwners("job", first.id, first.id)
		b.configure("job", func(c *jobconfig.Config) { c.Disabled = true })
		second := b.agent(2)
		second.serve(hourlyJob, nil).start()
		server := b.tree.Job("job").Server("10.0.0.2")
		b.await("the server to register", func() bool { return b.exists(server) })
		if data, _ := b.get(server); data != jobtree.ServerDisabled {
			t.Errorf("the server is %q", data)
		}
	})
}

// A shard has a misfire marker of a completed fire time while its server is disabled over the next
// one. The marker isn't for that one, so nothing should run when the server is enabled again.
func TestW74SettledMarkerOfADisabledServer(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.host(1, "a")
		m.serve(coreagent.Job{Name: "plain", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?", Zone: "GMT"}, Shards: 1}, nil).start()
		sleepUntilNext(time.Hour)
		time.Sleep(20 * time.Minute)
		job := b.tree.Job("plain")
		b.put(job.Server("10.0.0.1"), jobtree.ServerDisabled)
		time.Sleep(time.Minute)
		b.put(job.ItemMisfire(0), "")
		fire := sleepUntilNext(time.Hour)
		time.Sleep(20 * time.Minute)
		b.put(job.Server("10.0.0.1"), jobtree.ServerEnabled)
		time.Sleep(20 * time.Minute)
		for _, r := range b.runs.of("plain", -1) {
			if r.start.After(fire) {
				t.Errorf("ran as %s for %v", r.shard.Source, r.shard.ScheduledAt)
			}
		}
		if b.exists(job.ItemMisfire(0)) {
			t.Error("the marker is still there")
		}
	})
}
