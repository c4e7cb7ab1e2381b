package statistics_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestA25ManyOfflineServers: there are 2,000 jobs, and some of them have 200 offline servers. If
// the list is warm, it should read nothing from ZooKeeper, and the cache should be no larger than
// the tree.
func TestA25ManyOfflineServers(t *testing.T) {
	server, b := fakeBundle(t)
	const jobs, crowded, servers = 2000, 100, 200
	nodes := plantOffline(t, b, jobs, servers, crowded)
	r, _ := watching(t, b)
	whole := func() bool {
		list, err := r.Jobs(t.Context())
		if errors.Is(err, zk.ErrUnavailable) && r.Known().Since.IsZero() {
			// Even the names weren't read in time. A page would show that.
			return false
		}
		if err != nil || len(list) != jobs {
			t.Fatalf("%d jobs, %v", len(list), err)
		}
		for _, j := range list {
			if j.Status == statistics.StatusReading {
				return false
			}
		}
		return !r.Known().Since.IsZero()
	}
	waittest.UntilEvery(t, 20*time.Millisecond, "the namespace is read", whole)
	server.ResetStats()
	for range 20 {
		whole()
	}
	if n := server.Stats().Reads; n != 0 {
		t.Errorf("%d reads for warm lists", n)
	}
	// A node is cached with its data, its children, or both.
	if kept := r.Cached(); kept > 2*nodes {
		t.Errorf("%d nodes are kept of %d", kept, nodes)
	}
	list, err := r.Jobs(t.Context())
	if err != nil || list[0].Servers != servers+1 || list[jobs-1].Servers != 1 || list[0].Status != statistics.StatusOK {
		t.Errorf("%+v, %v", list[0], err)
	}
}

// plantOffline creates the jobs and returns the number of their nodes.
func plantOffline(t *testing.T, b *treetest.Bundle, jobs int, servers int, crowded int) int {
	b.Put(t, "", "", zk.Persistent)
	nodes := 1
	for n := range jobs {
		job := b.NS.Job(fmt.Sprintf("job-%04d", n))
		add := func(path, data string) zk.Op { return zk.CreateOp(path, []byte(data), zk.Persistent) }
		ops := []zk.Op{
			add(job.Root(), ""), add(job.Config(), "jobName: "+job.Name()+"\ncron: 0 0 * * * ?\nshardingTotalCount: 1\n"),
			add(job.Servers(), ""), add(job.Instances(), ""), add(job.Instance("10.9.9.9@-@1"), "jobInstanceId: 10.9.9.9@-@1\nserverIp: 10.9.9.9\n"),
			add(job.Sharding(), ""), add(job.Item(0), ""), add(job.ItemInstance(0), "10.9.9.9@-@1"), add(job.Server("10.9.9.9"), "ENABLED"),
		}
		for s := range servers {
			if n < crowded {
				ops = append(ops, add(job.Server(fmt.Sprintf("10.0.%d.%d", s/100, s%100)), ""))
			}
		}
		if err := b.Client.Multi(t.Context(), ops...); err != nil {
			t.Fatal(err)
		}
		nodes += len(ops)
	}
	return nodes
}
