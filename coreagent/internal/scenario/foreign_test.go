package scenario_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// foreignNames are names that ZooKeeper accepts but no agent uses.
func foreignNames() []string {
	return []string{
		"@-@", "a@-@", "@-@b", "a@-@b@-@c", "10.0.0.1", "10.0.0.1@-@", "10.0.0.1@-", "...", ".a", " ", "  a", "a b", "-", "-1", "+1", "07", "1e3", "0x1",
		"100000", "2147483648", "99999999999999999999", "%2e%2e", "%s%d%n", `\`, `"`, "'", "<b>", "${jndi:x}", "{}", "null", "config", "instance", "running",
		"_c_1-latch-0000000000", "latch-", "ünï", "名前", "\u00a0", "\u202e", "\u2028", strings.Repeat("x", 300),
	}
}

// foreignParents are the nodes that get foreign children.
func foreignParents(tree jobtree.Job) []string {
	return []string{
		tree.Instances(), tree.Servers(), tree.Sharding(), tree.Item(0), tree.Item(1), tree.FailoverItems(), tree.Triggers(), tree.Leader(),
		tree.Extension(), tree.Agents(), tree.FireRecords(), tree.GuaranteeStarted(), tree.GuaranteeCompleted(),
	}
}

// strange creates a node with this name below each of the job's nodes.
func (b *fixture) strange(tree jobtree.Job, name string) (made []string) {
	b.Helper()
	for _, parent := range foreignParents(tree) {
		path := parent + "/" + name
		if b.exists(path) {
			continue // The name has a meaning here, such as config.
		}
		_, err := b.client.CreateAll(b.ctx(), path, []byte(name), zk.Persistent)
		b.must(err)
		made = append(made, path)
	}
	return made
}

// TestV18StrangersNodes: foreign nodes appear and disappear below the job's nodes. That shouldn't
// break anything: after that a crash should still cause a failover, and the shards should be
// assigned again.
func TestV18StrangersNodes(t *testing.T) {
	t.Parallel()
	for _, name := range foreignNames() {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				tree := b.tree.Job("job")
				b.survivesStrangers(func() {
					made := b.strange(tree, name)
					time.Sleep(3 * time.Second)
					for _, path := range made {
						b.must(b.client.DeleteAll(b.ctx(), path))
					}
				})
			})
		})
	}
}

// survivesStrangers starts three instances, calls disturb, and then crashes one of them in the
// middle of a run.
func (b *fixture) survivesStrangers(disturb func()) {
	b.Helper()
	b.session = time.Second
	job := coreagent.Job{Name: "job", Shards: 3, Failover: true, Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}}
	var all []*member
	for n := 1; n <= 3; n++ {
		m := b.agent(n)
		all = append(all, m.serve(job, m.work(4*time.Second)).start())
	}
	b.awaitOwners("job", all[2].id, all[1].id, all[0].id)
	sleepUntilNext(10 * time.Second)
	time.Sleep(5 * time.Second) // The run has ended.
	disturb()
	at := sleepUntilNext(10 * time.Second)
	time.Sleep(time.Second)
	all[2].kill()
	tree := b.tree.Job("job")
	b.await("the shards to be assigned again", func() bool {
		for n, id := range []string{all[1].id, all[0].id, all[1].id} {
			if first(b.get(tree.ItemInstance(n))) != id {
				return false
			}
		}
		return !b.exists(tree.Necessary()) && !b.exists(tree.Processing())
	})
	time.Sleep(time.Until(at.Add(9 * time.Second)))
	if counts := b.runs.completions("job", 3, at, at.Add(9*time.Second)); counts[0] < 1 || counts[1] < 1 || counts[2] < 1 {
		b.Errorf("completed %v of the fire time of the crash, want each shard\n%s", counts, story(b.runs.between("job", at, at.Add(9*time.Second))))
	}
	at = sleepUntilNext(10 * time.Second)
	time.Sleep(9 * time.Second)
	for shard, n := range b.runs.completions("job", 3, at, at.Add(9*time.Second)) {
		if n != 1 {
			b.Errorf("shard %d ran %d times at the next fire time", shard, n)
		}
	}
	if found := b.runs.overlaps("job", 3); len(found) > 0 {
		b.Errorf("runs overlap: %s", found)
	}
}

// TestV18StrangersNodesThatStay: the log should report foreign nodes once, no matter how many there
// are. Explain should report them, too, and the job should be served.
func TestV18StrangersNodesThatStay(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		b.survivesStrangers(func() {
			for _, parent := range []string{tree.Instances(), tree.Servers(), tree.Sharding(), tree.FailoverItems(), tree.Triggers(), tree.Agents()} {
				for _, name := range foreignNames() {
					if path := parent + "/" + name; !b.exists(path) {
						b.put(path, name)
					}
				}
			}
			time.Sleep(time.Minute)
			explanation, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Explain(b.ctx(), "job")
			b.must(err)
			if explanation.Obstacle() || len(explanation.Findings) == 0 || explanation.Findings[0].Code != statistics.CodeForeignNode {
				b.Errorf("Explain says %.1000v", explanation.Findings)
			}
			detail, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Job(b.ctx(), "job")
			b.must(err)
			if len(detail.Instances) != 3 || len(detail.Shards) != 3 {
				b.Errorf("%d instances and %d shards are listed, want 3 of each", len(detail.Instances), len(detail.Shards))
			}
		})
		logged := make(map[string]int)
		for line := range strings.Lines(b.log.String()) {
			if strings.Contains(line, "a name that ElasticJob doesn't use") {
				_, who, _ := strings.Cut(line, "agent=")
				logged[who]++
			}
		}
		for line, times := range logged {
			if times > 1 {
				b.Errorf("logged %d times: %s", times, line)
			}
		}
		if len(logged) == 0 || len(logged) > 300 {
			b.Errorf("%d lines in the log, want some and at most 100 of each agent", len(logged))
		}
	})
}

// TestV18StrangersOnRealServers: ZooKeeper itself should accept all these names at once.
func TestV18StrangersOnRealServers(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		b.session = shortSession
		job := coreagent.Job{Name: "job", Shards: 2, Failover: true}
		one := b.agent(1)
		two := b.agent(2)
		one.serve(job, nil).start()
		two.serve(job, two.work(patience)).start()
		b.awaitOwners("job", two.id, one.id)
		var made []string
		for _, name := range foreignNames() {
			made = append(made, b.strange(tree, name)...)
		}
		b.while(shortSession+time.Second, "the instances stay", func() bool { return b.exists(tree.Instance(one.id)) && b.exists(tree.Instance(two.id)) })
		for _, path := range made {
			b.must(b.client.DeleteAll(b.ctx(), path))
		}
		b.awaitOwners("job", two.id, one.id)
		two.triggerHere("job")
		b.await("a run to be failed over", func() bool { return b.runs.count("job", 0) == 1 })
		two.kill()
		b.await("the failover", func() bool { return b.runs.count("job", 0) == 2 })
		b.awaitOwners("job", one.id, one.id)
	})
}

// TestV18HostileData: nodes can also contain any data. Foreign instances, markers, records and
// flags with any content shouldn't have an effect after they're removed.
func TestV18HostileData(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"", "@-@", "a//b@-@c", "../../x", "10.0.0.1@-@", "\x00\xff", "- - -", "{}", "jobInstanceId: '@-@'\nserverIp: '..'", "jobInstanceId: 10.0.0.9@-@9\nserverIp: a/../b",
		"99999999999999999999 10.0.0.1@-@1", "-9223372036854775808 x", strings.Repeat("&a [", 1000), strings.Repeat("x", 100_000),
	} {
		t.Run(fmt.Sprintf("%.20q", data), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				tree := b.tree.Job("job")
				b.survivesStrangers(func() {
					paths := []string{
						tree.Instance("10.0.0.9@-@9"), tree.Server("10.0.0.9"), tree.Agents() + "/10.0.0.9@-@9", tree.ItemRunning(1), tree.ItemMisfire(2),
						tree.NextInstanceIP(), tree.SystemTime(), tree.GuaranteeStarted(), tree.GuaranteeCompleted(), tree.Trigger("10.0.0.9@-@9"),
					}
					for _, path := range paths {
						b.put(path, data)
					}
					time.Sleep(3 * time.Second)
					for _, path := range paths {
						b.must(b.client.DeleteAll(b.ctx(), path))
					}
					time.Sleep(10 * time.Second)
				})
			})
		})
	}
}

// TestV18MarkerOfNobody: a running marker names an instance that can't ever join again. The marker
// should be cleared after a session timeout, and the resharding that waits for it should continue.
func TestV18MarkerOfNobody(t *testing.T) {
	t.Parallel()
	for _, owner := range []string{"a//b", "@-@", "../x@-@y", "10.0.0.1"} {
		for _, failover := range []bool{true, false} {
			t.Run(fmt.Sprintf("%q %v", owner, failover), func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					tree := b.tree.Job("job")
					job := coreagent.Job{Name: "job", Shards: 2, Failover: failover}
					one := b.agent(1).serve(job, nil).start()
					b.awaitOwners("job", one.id, one.id)
					b.put(tree.ItemRunning(0), owner)
					two := b.agent(2).serve(job, nil).start()
					b.awaitOwners("job", two.id, one.id)
					b.awaitTidy("job")
					if n := b.runs.count("job", 0); n != 0 {
						b.Errorf("the shard ran %d times for nobody", n)
					}
				})
			})
		}
	}
}
