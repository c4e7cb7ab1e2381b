package scenario_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestMS32MS33PodGenerations: hundreds of pods come and go, each with its own address. The number
// of nodes should be limited. A disabled server should stay disabled no matter how long it's away.
func TestMS32MS33PodGenerations(t *testing.T) {
	generations := 500 // 5000 take two minutes, and have no more nodes.
	if underRace {
		generations = 100
	}
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const disabled = "10.1.2.3"
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 4, ReconcileInterval: time.Minute}
		b.agent(1).serve(job, nil).start() // This one stays, and it's the leader.
		b.put(tree.Server(disabled), jobtree.ServerDisabled)
		pod := func(n int) *member {
			return b.agent(1, func(cfg *coreagent.Config) { cfg.Address = fmt.Sprintf("10.2.%d.%d", n/250, n%250+1) }).serve(job, nil)
		}
		most := 0
		for n := range generations {
			m := pod(n)
			b.must(m.Start(b.ctx()))
			time.Sleep(5 * time.Second)
			if n%2 == 0 {
				b.must(m.Stop(b.ctx()))
			} else { // Simulates a crash, but its goroutines must end.
				srv.ExpireSession(m.session("job"))
				b.must(m.Stop(b.ctx()))
			}
			if n%10 == 0 {
				most = max(most, len(srv.Dump(tree.Root())))
			}
		}
		t.Logf("at most %d nodes, %d generations", most, generations)
		if most > 80 {
			t.Errorf("%d nodes", most)
		}
		time.Sleep(5 * time.Minute)
		if servers := b.children(tree.Servers()); !slices.Equal(servers, []string{"10.0.0.1", disabled}) {
			t.Errorf("servers %q", servers)
		}
		back := b.agent(1, func(cfg *coreagent.Config) { cfg.Address = disabled }).serve(job, nil).start()
		time.Sleep(2 * time.Minute)
		if status, _ := b.get(tree.Server(disabled)); status != jobtree.ServerDisabled || slices.Contains(b.owners("job"), back.id) {
			t.Errorf("the disabled server is %s, shards owned by %q", status, b.owners("job"))
		}
	})
}

// TestMS34FirstRegistrations: many instances register a new job at the same moment. At no time
// should it be visible without its complete configuration.
func TestMS34FirstRegistrations(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const instances = 50
		tree := b.tree.Job("job")
		srv.SetFault(func(zkfake.Request) zkfake.Fault {
			if nodes := srv.Dump(tree.Root()); len(nodes) > 0 {
				data, _ := b.get(tree.Config())
				if config, err := jobconfig.Decode([]byte(data)); err != nil || config.Usable() != nil || config.Shards != 4 {
					t.Errorf("configuration %q", data)
				}
			}
			return zkfake.None
		})
		members := make([]*member, instances)
		started := make(chan error, instances)
		for i := range members {
			members[i] = b.agent(i+1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 4, Description: fmt.Sprint(i)}, nil)
		}
		for _, m := range members {
			go func() { started <- m.Start(b.ctx()) }()
		}
		for range members {
			b.must(<-started)
		}
		srv.SetFault(nil)
		time.Sleep(5 * time.Second)
		data, _ := b.get(tree.Config())
		if ids := b.children(tree.Instances()); len(ids) != instances || len(b.leftovers("job")) > 0 {
			t.Errorf("%d instances, left %q", len(ids), b.leftovers("job"))
		}
		sleepUntilNext(time.Minute)
		time.Sleep(time.Second)
		if got := b.runs.completions("job", 4, time.Time{}, time.Now()); !slices.Equal(got, times(4, 1)) {
			t.Errorf("the first fire time ran %v", got)
		}
		if now, _ := b.get(tree.Config()); now != data {
			t.Error("the configuration was written again")
		}
		for _, m := range members {
			b.must(m.Stop(b.ctx()))
		}
	})
}

// TestMS31IPv6: IPv6 addresses should work like others, in the tree, for operators and in a
// failover.
func TestMS31IPv6(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		six := func(n int) *member {
			m := b.agent(n, func(cfg *coreagent.Config) { cfg.Address = fmt.Sprintf("2001:db8::%d", n) })
			return m.serve(failoverJob(), nil)
		}
		tree := b.tree.Job("job")
		one, ten := six(1).start(), six(10).start()
		b.awaitOwners("job", one.id, one.id, ten.id, ten.id)
		b.put(tree.Server("2001:db8::1"), jobtree.ServerDisabled)
		b.awaitOwners("job", ten.id, ten.id, ten.id, ten.id)
		b.put(tree.Server("2001:db8::1"), jobtree.ServerEnabled)
		b.awaitOwners("job", one.id, one.id, ten.id, ten.id)
		ten.cut()
		b.awaitOwners("job", one.id, one.id, one.id, one.id)
		b.must(one.Trigger(b.ctx(), "job"))
		b.await("all run", func() bool { return b.runs.count("job", -1) == 4 })
		b.awaitTidy("job")
	})
}

// TestPodOfTheSameNameBlocksNobody: a pod is killed while it runs both shards, with no witness, and
// restarts with the same address and process number. So its old markers don't look stale, but they
// should be cleared when another pod needs one of the shards.
func TestPodOfTheSameNameBlocksNobody(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 0 1 1 ?", SkipMisfires: true}, Shards: 2, Failover: true}
		tree := b.tree.Job("job")
		pod := b.host(1, "1")
		pod.serve(job, pod.work(time.Hour)).start()
		b.awaitOwners("job", pod.id, pod.id)
		pod.triggerHere("job")
		b.await("both shards run", func() bool { return b.exists(tree.ItemRunning(0)) && b.exists(tree.ItemRunning(1)) })
		pod.kill()
		b.await("its session ends", func() bool { return !b.exists(tree.Instance(pod.id)) })
		again := b.host(1, "1").serve(job, nil).start()
		if again.id != pod.id {
			t.Fatalf("%s is another instance", again.id)
		}
		other := b.host(2, "1").serve(job, nil).start()
		time.Sleep(3 * b.session)
		if got := b.owners("job"); !slices.Contains(got, again.id) || !slices.Contains(got, other.id) {
			t.Errorf("the shards are assigned to %v", got)
		}
		if found := b.leftovers("job"); len(found) > 0 {
			t.Errorf("stale: %q", found)
		}
		for shard := range 2 { // They were interrupted, so they should be made up for.
			if runs := b.runs.of("job", shard); len(runs) != 2 || runs[1].shard.Source != tracing.SourceFailover {
				t.Errorf("shard %d ran%s", shard, story(runs))
			}
		}
	})
}
