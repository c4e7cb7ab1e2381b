package scenario_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/registry"
)

// balanced is a job with one shard that rotates.
func balanced() coreagent.Job {
	return coreagent.Job{Name: "job", Shards: 1, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Strategy: coreagent.Balance}
}

// TestSingleShardingBalanceRotates: each run should name the next instance, every fire time should
// run once, and the tokens should grow.
func TestSingleShardingBalanceRotates(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		var fleet []*member
		for n := range 3 {
			fleet = append(fleet, b.agent(n+1).serve(balanced(), nil).start())
		}
		b.await("twelve runs", func() bool { return b.runs.count("job", 0) >= 12 })
		runs := b.runs.of("job", 0)
		count := make(map[string]int)
		at := make(map[int64]int)
		for i, r := range runs {
			count[r.agent]++
			at[r.shard.ScheduledAt.Unix()]++
			if i > 0 && r.agent != runs[i-1].agent && r.shard.FencingToken <= runs[i-1].shard.FencingToken {
				b.Errorf("run %d on %s has token %d after %d on %s", i, r.agent, r.shard.FencingToken, runs[i-1].shard.FencingToken, runs[i-1].agent)
			}
		}
		if len(count) != len(fleet) {
			b.Errorf("runs per instance: %v", count)
		}
		for second, n := range at {
			if n > 1 {
				b.Errorf("the fire time %v ran %d times", time.Unix(second, 0), n)
			}
		}
		next := b.stat(b.tree.Job("job").NextInstanceIP())
		if next.EphemeralOwner == 0 {
			b.Error("the node that names the next instance is not ephemeral")
		}
	})
}

// TestTokensRiseWhenAShardStopsRotating: a rotating shard gets a new token for each run. If the
// strategy is changed, the shard's owner may have been assigned long before those runs, but its
// runs should still get larger tokens.
func TestTokensRiseWhenAShardStopsRotating(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		b.agent(1).serve(balanced(), nil).start()
		b.agent(2).serve(balanced(), nil).start()
		time.Sleep(10*time.Second + 500*time.Millisecond)
		b.configure("job", func(c *jobconfig.Config) { c.StrategyType = "" })
		changed := time.Now()
		time.Sleep(10 * time.Second)
		runs := b.runs.of("job", 0)
		for i := 1; i < len(runs); i++ {
			if runs[i].shard.FencingToken < runs[i-1].shard.FencingToken {
				t.Errorf("the token falls from %d to %d:%s", runs[i-1].shard.FencingToken, runs[i].shard.FencingToken, story(runs[i-1:i+1]))
			}
		}
		if after := len(b.runs.between("job", changed, time.Now())); after != 10 || len(runs) < 19 {
			t.Errorf("%d runs, %d of them after the change:%s", len(runs), after, story(runs))
		}
	})
}

// balancedPair starts two agents one after the other. It returns after the shard was assigned with
// both of them, because a later resharding would remove the node that names the next instance.
func (b *fixture) balancedPair(job coreagent.Job) (first, second *member) {
	b.Helper()
	tree := b.tree.Job(job.Name)
	first = b.agent(1, lasting).serve(job, nil).start()
	b.awaitOwners(job.Name, first.id)
	b.await("assigned for one", func() bool { return !b.exists(tree.Necessary()) })
	second = b.agent(2).serve(job, nil).start()
	came := b.stat(tree.Instance(second.id)).Czxid
	b.await("assigned for both", func() bool {
		flags := b.stat(path.Dir(tree.Necessary()))
		return flags.Pzxid > came && !b.exists(tree.Necessary())
	})
	return first, second
}

// TestSingleShardingBalanceObeysTheNode: the node of another agent, such as Java's, should decide
// where the shard runs, no matter which owner it's assigned to.
func TestSingleShardingBalanceObeysTheNode(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		job := balanced()
		job.Schedule.Cron = ""
		tree := b.tree.Job("job")
		first, second := b.balancedPair(job)
		want := []string{first.id, second.id, first.id, second.id}
		_, err := b.client.Create(b.ctx(), tree.NextInstanceIP(), []byte("10.0.0.1"), zk.Ephemeral)
		b.must(err)
		for i := range want {
			b.must(first.Trigger(b.ctx(), "job"))
			b.await("one run", func() bool { return b.runs.count("job", 0) == i+1 })
			b.await("the next one is named", func() bool {
				next, _ := b.get(tree.NextInstanceIP())
				return next == []string{"10.0.0.2", "10.0.0.1"}[i%2] && !b.exists(tree.ItemRunning(0)) &&
					!b.exists(tree.Trigger(first.id)) && !b.exists(tree.Trigger(second.id))
			})
		}
		b.while(300*time.Millisecond, "no second run for a trigger", func() bool { return b.runs.count("job", 0) == len(want) })
		var got []string
		for _, r := range b.runs.of("job", 0) {
			got = append(got, r.agent)
		}
		if !slices.Equal(got, want) {
			b.Errorf("ran on %v, want %v", got, want)
		}
	})
}

// TestSingleShardingBalanceNextHasLeft: if the instance with the next turn dies, the shard should
// be assigned again and keep running.
func TestSingleShardingBalanceNextHasLeft(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		tree := b.tree.Job("job")
		job := balanced()
		job.Schedule.Cron = ""
		stays, dies := b.balancedPair(job)
		_, err := b.client.Create(b.ctx(), tree.NextInstanceIP(), []byte("10.0.0.2"), zk.Ephemeral)
		b.must(err)
		dies.cut()
		b.awaitOwners("job", stays.id)
		b.await("the node is removed", func() bool { return !b.exists(tree.NextInstanceIP()) })
		stays.triggerHere("job")
		b.await("it runs", func() bool { return b.runs.count("job", 0) == 1 })

		// An operator disables the named server, and enables it again.
		dies = b.agent(3).serve(job, nil).start()
		b.await("both live", func() bool { return len(b.children(tree.Instances())) == 2 && !b.exists(tree.Necessary()) })
		b.await("named", func() bool {
			_, err := b.client.Create(b.ctx(), tree.NextInstanceIP(), []byte("10.0.0.3"), zk.Ephemeral)
			return err == nil || b.exists(tree.NextInstanceIP())
		})
		b.put(tree.Server("10.0.0.3"), jobtree.ServerDisabled)
		b.awaitOwners("job", stays.id)
		stays.triggerHere("job")
		b.await("it runs again", func() bool { return b.runs.count("job", 0) >= 2 })
		_ = dies
	})
}

// spread counts the runs of many rotating jobs by node and fire time.
type spread struct {
	from, to time.Time // of the counted fire times

	mu    sync.Mutex
	load  map[string]int
	fires map[string]int
}

// agent serves the jobs on a node.
func (c *spread) agent(t *testing.T, srv *zkfake.Server, ip string, jobs int) *coreagent.Agent {
	t.Helper()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "spread", Address: ip, InstanceSuffix: "1",
		ZooKeeper: registry.ZooKeeper{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial},
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	job := balanced()
	job.Schedule.Cron, job.Schedule.Zone = "0 * * * * ?", "GMT"
	for i := range jobs {
		job.Name = fmt.Sprintf("job-%d", i)
		agent.HandleFunc(job, func(_ context.Context, s *coreagent.Shard) error {
			if s.ScheduledAt.Before(c.from) || !s.ScheduledAt.Before(c.to) {
				return nil
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.load[ip]++
			c.fires[s.Job+s.ScheduledAt.String()]++
			return nil
		})
	}
	return agent
}

// check checks that the nodes ran equally often and each fire time ran once.
func (c *spread) check(t *testing.T, nodes, fires int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := slices.Collect(maps.Values(c.load))
	if len(counts) != nodes || float64(slices.Max(counts)) > 1.2*float64(slices.Min(counts)) {
		t.Errorf("runs per node %v", c.load)
	}
	if len(c.fires) != fires {
		t.Errorf("%d fire times ran, want %d", len(c.fires), fires)
	}
	for fire, n := range c.fires {
		if n > 1 {
			t.Errorf("%s ran %d times", fire, n)
		}
	}
}

// TestMS49OneShardJobsRotate: three nodes should run equally many of many rotating jobs' fire
// times, and no fire time should run twice or be left out.
func TestMS49OneShardJobsRotate(t *testing.T) {
	const jobs, nodes, minutes = 200, 3, 5
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		from := time.Now().Truncate(time.Minute).Add(2 * time.Minute)
		c := &spread{from: from, to: from.Add(minutes * time.Minute), load: map[string]int{}, fires: map[string]int{}}
		var starting sync.WaitGroup
		fleet := make([]*coreagent.Agent, nodes)
		for n := range fleet {
			fleet[n] = c.agent(t, srv, fmt.Sprintf("10.0.0.%d", n+1), jobs)
			starting.Go(func() {
				if err := fleet[n].Start(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		starting.Wait()
		time.Sleep(time.Until(c.to.Add(-time.Second)))
		synctest.Wait()
		c.check(t, nodes, jobs*minutes)
		for _, agent := range fleet {
			if err := agent.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
}
