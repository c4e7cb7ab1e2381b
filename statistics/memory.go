package statistics

import (
	"context"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Memory returns a Reader of what a Reader of [NewWatchingReader] remembers: the
// registry as it stood when the connection was lost, without a word to ZooKeeper. It
// is for whoever shows the last that is known and says so. Parts that nobody has read
// are missing: who set the markers of a shard of a job whose details nobody asked
// for. A job of which nothing was read is ErrUnavailable, and so is everything
// before the list of jobs was read. Memory is nil for any other Reader.
func (r *Reader) Memory() *Reader {
	if r.cache == nil {
		return nil
	}
	return &Reader{client: r.client, ns: r.ns, now: r.now, memory: r.cache, parsed: r.parsed}
}

// recall returns a node as it was read last.
func (k *cache) recall(key cacheKey) (n cachedNode, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.nodes.get(key)
}

// remember is the read of a fetcher of memory. The list of jobs and their
// configurations must be known; else nothing that nobody has read is there.
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
