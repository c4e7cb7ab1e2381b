package statistics

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A list needs about thirty nodes per job. If the cache has none of them, a watching Reader reads
// them with two requests, or with one request per node if the server is too old for that:
//
//	configuration, root, leader, hold, names of instances, servers and shards ─▶ each server, instance and shard, its owner

// firstReadings returns the nodes of a job that we can read before we know any names.
func firstReadings(job jobtree.Job, depth depth) []zk.Reading {
	// These are optional, because a node that isn't a job has none of them and needs no watches.
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
		// Most jobs have none of these. If one is created, a watch fires.
		zk.Reading{Path: job.Held()},
		zk.Reading{Path: job.RunsDone()},
		zk.Reading{Path: job.Necessary()},
		zk.Reading{Path: job.Processing()},
		zk.Reading{Path: job.Agents(), Children: true},
		zk.Reading{Path: job.Refusals(), Children: true},
		zk.Reading{Path: job.FailoverItems(), Children: true})
}

// readAhead reads the nodes in the list that aren't cached yet. It does nothing without a cache.
// Errors are ignored, because the caller that needs the node reads it again.
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

// leastAhead is the number of unknown nodes from which a combined read is worth it: it takes two
// requests, one to read them and one to set the watches.
const leastAhead = 4

// unknown counts the nodes in the list that aren't cached or might be out of date.
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

// readAheadOfShards reads ahead a job's servers, instances and shards, with the owners of the
// shards.
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
