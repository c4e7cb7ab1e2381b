package statistics

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A job has some thirty nodes that a list needs. A Reader that watches reads them by two
// requests, where its memory has none of them, and each by its own where the server
// cannot do that:
//
//	configuration, root, leader, hold, names of instances, servers and shards ─▶ each server, instance and shard, its owner

// firstReadings are the nodes of a job whose paths are known before anything was read.
func firstReadings(job jobtree.Job, depth depth) []zk.Reading {
	// What is no job has none of the lists, and nobody waits for them.
	list := []zk.Reading{
		{Path: job.Config()},
		{Path: job.Instances(), Children: true, Optional: true},
		{Path: job.Servers(), Children: true, Optional: true},
	}
	if depth == forServers {
		return list
	}
	return append(list,
		zk.Reading{Path: job.Sharding(), Children: true, Optional: true},
		zk.Reading{Path: job.Root()},
		zk.Reading{Path: job.LeaderInstance()},
		// Most jobs have none of these; a watch reports them when they come.
		zk.Reading{Path: job.Held()},
		zk.Reading{Path: job.RunsDone()},
		zk.Reading{Path: job.Necessary()},
		zk.Reading{Path: job.Processing()},
		zk.Reading{Path: job.Agents(), Children: true},
		zk.Reading{Path: job.Refusals(), Children: true},
		zk.Reading{Path: job.FailoverItems(), Children: true})
}

// readAhead reads what of a list is not known, if it is kept. A failure is that of who
// needs the node.
func (f *fetcher) readAhead(ctx context.Context, list []zk.Reading) {
	if f.cache == nil || f.cache.unknown(list) < leastAhead {
		return
	}
	if f.acquire(ctx) != nil {
		return
	}
	defer func() { <-f.slots }()
	f.cache.fill(ctx, list)
}

// leastAhead is how many unknown nodes are worth a request for all of them, which is two:
// one reads them, one has them watched.
const leastAhead = 4

// unknown is how many nodes of a list are not known for sure.
func (k *cache) unknown(list []zk.Reading) (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range list {
		if old, known := k.nodes.get(cacheKey{r.Path, r.Children}); !known || old.suspect {
			n++
		}
	}
	return n
}

// readAheadOfShards reads the servers, instances and shards of a job, and the owners of these.
func (f *fetcher) readAheadOfShards(ctx context.Context, job jobtree.Job, depth depth) error {
	if f.cache == nil {
		return nil
	}
	servers, err := f.children(ctx, job.Servers())
	if err != nil {
		return err
	}
	list := make([]zk.Reading, 0, len(servers))
	for _, ip := range servers {
		list = append(list, zk.Reading{Path: job.Server(ip)})
	}
	if depth != forServers {
		ids, err := f.children(ctx, job.Instances())
		if err != nil {
			return err
		}
		for _, id := range ids {
			list = append(list, zk.Reading{Path: job.Instance(id)})
		}
		names, err := f.children(ctx, job.Sharding())
		if err != nil {
			return err
		}
		for _, item := range jobtree.ItemNumbers(names) {
			list = append(list, zk.Reading{Path: job.Item(item), Children: true}, zk.Reading{Path: job.ItemInstance(item), Optional: true})
		}
	}
	f.readAhead(ctx, list)
	return nil
}
