package statistics

import (
	"context"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Memory returns a Reader that answers only from the cache of a watching Reader and never asks
// ZooKeeper. If the connection is lost, it still has the last known state; if you show it, mark it
// as old. Nodes that were never read are missing, such as the triggers of a job if its details were
// never requested. A job that was never read is ErrUnavailable, and so is every call before the
// list of jobs was read. Memory returns nil if r isn't a watching Reader.
func (r *Reader) Memory() *Reader {
	if r.cache == nil {
		return nil
	}
	return &Reader{client: r.client, ns: r.ns, now: r.now, memory: r.cache, parsed: r.parsed}
}

// recall returns a node as it was last read, even if it might be out of date.
func (k *cache) recall(key cacheKey) (n cachedNode, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.nodes.get(key)
}

// remember is look for a Reader of [Reader.Memory]. The list of jobs and their configurations must
// be in memory; any other node that isn't there counts as absent.
func (f *fetcher) remember(ctx context.Context, key cacheKey) (n cachedNode, err error) {
	if err := context.Cause(ctx); err != nil {
		return n, err
	}
	n, known := f.memory.recall(key)
	if known {
		return n, nil
	}
	job, below := f.ns.JobOf(key.path)
	if key.path == f.ns.Root() || below && key.path == job.Config() {
		return n, fmt.Errorf("%s is not in memory: %w", key.path, zk.ErrUnavailable)
	}
	return n, nil
}
