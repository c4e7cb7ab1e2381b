package statistics

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// fetcher does the reads of one call and bounds how many run at a time.
type fetcher struct {
	client *zk.Client
	slots  chan struct{}
	cache  *cache       // nil: read everything from ZooKeeper
	passes *atomic.Bool // set once a read wasn't cached
	memory *cache       // if set, the only source; ZooKeeper isn't asked

	ns      jobtree.Namespace
	foreign func(paths []string) // if not nil, receives the paths of nodes that children leaves out
}

func (r *Reader) newFetcher() *fetcher { return r.fetcherOf(maxReads) }

func (r *Reader) fetcherOf(reads int) *fetcher {
	f := &fetcher{client: r.client, slots: make(chan struct{}, reads), passes: new(atomic.Bool), ns: r.ns, memory: r.memory}
	if r.cache != nil && r.cache.usable() {
		f.cache = r.cache
	}
	return f
}

// part returns a fetcher that shares f's slots but has a passes flag of its own.
func (f *fetcher) part() *fetcher {
	return &fetcher{client: f.client, slots: f.slots, cache: f.cache, passes: new(atomic.Bool), memory: f.memory, ns: f.ns, foreign: f.foreign}
}

// look returns a node from the cache, or reads and caches it.
func (f *fetcher) look(ctx context.Context, path string, children bool) (cachedNode, error) {
	key := cacheKey{path, children}
	if f.memory != nil {
		return f.remember(ctx, key)
	}
	if n, ok := f.cache.lookup(key); ok {
		return n, nil
	}
	if err := f.acquire(ctx); err != nil {
		return cachedNode{}, err
	}
	defer func() { <-f.slots }()
	n, keeps, err := f.cache.fetch(ctx, key)
	if !keeps {
		f.passes.Store(true)
	}
	return n, err
}

func (f *fetcher) acquire(ctx context.Context) error {
	select {
	case f.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// get reads a node. An absent node is not an error.
func (f *fetcher) get(ctx context.Context, path string) (data []byte, stat zk.Stat, found bool, err error) {
	if f.cache != nil || f.memory != nil {
		n, err := f.look(ctx, path, false)
		if err != nil {
			return nil, zk.Stat{}, false, err
		}
		return n.data(), n.stat(), n.found, nil
	}
	if err := f.acquire(ctx); err != nil {
		return nil, zk.Stat{}, false, err
	}
	defer func() { <-f.slots }()
	data, stat, err = f.client.Get(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil, zk.Stat{}, false, nil
	}
	return data, stat, err == nil, err
}

// children lists the names below a node, except names that no agent can have written. A node that
// doesn't exist has no children. All lists should be read with it.
func (f *fetcher) children(ctx context.Context, path string) ([]string, error) {
	names, err := f.allChildren(ctx, path)
	own, foreign := f.ns.OwnChildren(path, names)
	if f.foreign != nil && len(foreign) > 0 {
		for i, name := range foreign {
			foreign[i] = path + "/" + name
		}
		f.foreign(foreign)
	}
	return own, err
}

func (f *fetcher) allChildren(ctx context.Context, path string) ([]string, error) {
	if f.cache != nil || f.memory != nil {
		n, err := f.look(ctx, path, true)
		if err != nil {
			return nil, err
		}
		return n.children(), nil
	}
	if err := f.acquire(ctx); err != nil {
		return nil, err
	}
	defer func() { <-f.slots }()
	names, _, err := f.client.Children(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	return names, err
}

// each calls fn for 0 to n-1, up to maxReads at a time.
func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, maxReads, n, fn)
}
