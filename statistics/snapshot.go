package statistics

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// depth says what a snapshot is for, hence what need not be read.
type depth int

const (
	forServers depth = iota // configuration, servers and instances with their addresses
	forList                 // for Job: shards with assignment and markers, but not who set the markers
	forDetail               // everything
)

// snapshot is a job as it was read. The reads are not one transaction, so that
// parts may stem from moments a few milliseconds apart.
type snapshot struct {
	tree          jobtree.Job
	class         string // data of the job node
	raw           []byte
	version       int32
	config        *jobconfig.Config // nil if it cannot be read
	configErr     error
	created       time.Time      // when the configuration came into being
	changed       time.Time      // when the configuration was written
	instances     []instanceNode // sorted by id
	servers       []serverNode   // sorted by address
	items         []itemNode     // sorted by shard
	leader        string
	leads         time.Time    // since when
	offered       map[int]bool // shards that wait for somebody to take them over
	necessary     bool
	processing    bool
	held          jobtree.Hold
	requested     bool      // somebody has requested a run of it
	released      time.Time // when a hold ended last; zero if none ever did
	liveInstances map[string]bool
	whole         bool // everything was read that the depth asks for
}

type instanceNode struct {
	id, ip string
	since  time.Time
}

type serverNode struct {
	ip    string
	data  []byte
	since time.Time // when it was written
}

type itemNode struct {
	item         int
	instance     string
	disabled     bool
	misfire      bool
	running      bool
	runningOn    string
	runningSince time.Time
	failover     string
}

func (s *snapshot) generation() jobconfig.Generation {
	if s.config == nil {
		return jobconfig.Generation3x
	}
	return s.config.Generation
}

func (s *snapshot) enabled(server serverNode) bool {
	return jobtree.ServerIsEnabled(server.data, s.generation())
}

// fetcher makes the reads of one call, a bounded number at a time.
type fetcher struct {
	client *zk.Client
	slots  chan struct{}
	cache  *cache       // nil: everything is read
	passes *atomic.Bool // something was read that is not kept
	memory *cache       // what is known is read from there, and ZooKeeper not asked; nil: it is

	ns      jobtree.Namespace
	foreign func(paths []string) // is notified of nodes that are left out, if it is not nil
}

func (r *Reader) newFetcher() *fetcher { return r.fetcherOf(maxReads) }

// fetcherOf is a fetcher that has so many reads under way.
func (r *Reader) fetcherOf(reads int) *fetcher {
	f := &fetcher{client: r.client, slots: make(chan struct{}, reads), passes: new(atomic.Bool), ns: r.ns, memory: r.memory}
	if r.cache != nil && r.cache.usable() {
		f.cache = r.cache
	}
	return f
}

// part is a fetcher that shares its slots and notes by itself whether something
// was read that is not kept.
func (f *fetcher) part() *fetcher {
	return &fetcher{client: f.client, slots: f.slots, cache: f.cache, passes: new(atomic.Bool), memory: f.memory, ns: f.ns, foreign: f.foreign}
}

// look returns a node that is cached, or reads it and keeps it.
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

// get reads a node; an absent one is no error.
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

// children lists the names below a node, without those that no agent can have
// given; an absent one has none. Every list that is read goes through it.
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

// each calls fn for 0 to n-1, maxReads at a time.
func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, maxReads, n, fn)
}

// snapshot reads one job; nil if the node is no job.
func (f *fetcher) snapshot(ctx context.Context, job jobtree.Job, depth depth) (*snapshot, error) {
	f.readAhead(ctx, firstReadings(job, depth))
	raw, stat, found, err := f.get(ctx, job.Config())
	s := &snapshot{tree: job, raw: raw, version: stat.Version, created: stat.Ctime, changed: stat.Mtime}
	switch {
	case errors.Is(err, zk.ErrNoAuth):
		s.configErr = errors.New("the configuration may not be read with these credentials")
		return s, nil // and neither may the rest, which got the same ACL
	case err != nil:
		return nil, err
	case !found:
		return nil, nil
	}
	if s.config, s.configErr = jobconfig.Decode(raw); s.configErr == nil {
		s.configErr = s.config.Usable()
	}
	if err := f.readAheadOfShards(ctx, job, depth); err != nil {
		return nil, err
	}
	parts := []func(context.Context) error{
		func(ctx context.Context) error { return f.readInstances(ctx, job, s, depth) },
		func(ctx context.Context) error { return f.readServers(ctx, job, s) },
	}
	if depth != forServers {
		parts = append(parts,
			func(ctx context.Context) error { return f.readItems(ctx, job, s, depth) },
			func(ctx context.Context) error {
				data, _, _, err := f.get(ctx, job.Root())
				s.class = string(data)
				return err
			},
			func(ctx context.Context) error {
				data, stat, _, err := f.get(ctx, job.LeaderInstance())
				s.leader, s.leads = string(data), stat.Ctime
				return err
			},
			func(ctx context.Context) error { return f.readHold(ctx, job, s) })
	}
	if depth == forDetail {
		parts = append(parts,
			func(ctx context.Context) (err error) {
				_, _, s.necessary, err = f.get(ctx, job.Necessary())
				return err
			},
			func(ctx context.Context) (err error) {
				_, _, s.processing, err = f.get(ctx, job.Processing())
				return err
			},
			func(ctx context.Context) error { return f.readOffers(ctx, job, s) })
	}
	if err := each(ctx, len(parts), func(ctx context.Context, i int) error { return parts[i](ctx) }); err != nil {
		if errors.Is(err, zk.ErrNoAuth) && depth != forDetail {
			s.configErr = errors.New("parts of the job may not be read with these credentials")
			s.config = nil
			return s, nil
		}
		return nil, err
	}
	s.liveInstances, s.whole = live(s.instances), true
	return s, nil
}

// readHold reads what of the job stands still, or since when it no longer does, and whether
// anybody has requested a run of it.
func (f *fetcher) readHold(ctx context.Context, job jobtree.Job, s *snapshot) error {
	data, _, held, err := f.get(ctx, job.Held())
	if err != nil {
		return err
	}
	done, _, requested, err := f.get(ctx, job.RunsDone())
	s.requested = requested
	if held {
		s.held = jobtree.DecodeHold(data)
		return err
	}
	s.released = jobtree.DecodeReleased(done).Last
	return err
}

// live are the ids of instances.
func live(instances []instanceNode) map[string]bool {
	ids := make(map[string]bool, len(instances))
	for _, instance := range instances {
		ids[instance.id] = true
	}
	return ids
}

// addressed reports whether a snapshot for the list tells what one for servers does:
// the ids of all instances tell their addresses.
func (s *snapshot) addressed() bool {
	return s.whole && !slices.ContainsFunc(s.instances, func(i instanceNode) bool { return !isAddress(i.ip) })
}

func (f *fetcher) readOffers(ctx context.Context, job jobtree.Job, s *snapshot) error {
	names, err := f.children(ctx, job.FailoverItems())
	s.offered = make(map[int]bool, len(names))
	for _, item := range jobtree.ItemNumbers(names) {
		s.offered[item] = true
	}
	return err
}

// isAddress reports whether an instance's id tells its address, as those that agents
// make up do; the data of the node says the same then.
func isAddress(ip string) bool {
	_, err := netip.ParseAddr(ip)
	return err == nil
}

func (f *fetcher) readInstances(ctx context.Context, job jobtree.Job, s *snapshot, depth depth) error {
	ids, err := f.children(ctx, job.Instances())
	if err != nil {
		return err
	}
	slices.SortFunc(ids, compareIDs)
	nodes := make([]instanceNode, len(ids))
	err = each(ctx, len(ids), func(ctx context.Context, i int) error {
		nodes[i] = instanceNode{id: ids[i], ip: jobtree.InstanceIP(ids[i])}
		if depth == forList || depth == forServers && isAddress(nodes[i].ip) {
			return nil
		}
		data, stat, found, err := f.get(ctx, job.Instance(ids[i]))
		if err != nil {
			return err
		}
		if !found {
			nodes[i].id = "" // deleted between the two reads
			return nil
		}
		nodes[i].since = stat.Ctime
		// Content without an address, or broken: the one in the id must do.
		if info, ok, err := jobtree.DecodeInstance(data); err == nil && ok {
			nodes[i].ip = info.ServerIP
		}
		return nil
	})
	s.instances = slices.DeleteFunc(nodes, func(n instanceNode) bool { return n.id == "" })
	return err
}

func (f *fetcher) readServers(ctx context.Context, job jobtree.Job, s *snapshot) error {
	ips, err := f.children(ctx, job.Servers())
	if err != nil {
		return err
	}
	slices.SortFunc(ips, compareIPs)
	nodes := make([]serverNode, len(ips))
	err = each(ctx, len(ips), func(ctx context.Context, i int) error {
		data, stat, found, err := f.get(ctx, job.Server(ips[i]))
		if found {
			nodes[i] = serverNode{ips[i], data, stat.Mtime}
		}
		return err
	})
	s.servers = slices.DeleteFunc(nodes, func(n serverNode) bool { return n.ip == "" })
	return err
}

func (f *fetcher) readItems(ctx context.Context, job jobtree.Job, s *snapshot, depth depth) error {
	names, err := f.children(ctx, job.Sharding())
	if err != nil {
		return err
	}
	items := jobtree.ItemNumbers(names)
	s.items = make([]itemNode, len(items))
	return each(ctx, len(items), func(ctx context.Context, i int) (err error) {
		s.items[i], err = f.readItem(ctx, job, items[i], depth)
		return err
	})
}

func (f *fetcher) readItem(ctx context.Context, job jobtree.Job, item int, depth depth) (itemNode, error) {
	node := itemNode{item: item}
	names, err := f.children(ctx, job.Item(item))
	if err != nil {
		return node, err
	}
	has := jobtree.ParseItemChildren(names)
	node.disabled, node.misfire, node.running = has.Disabled, has.Misfire, has.Running
	if has.Instance {
		data, _, _, err := f.get(ctx, job.ItemInstance(item))
		if err != nil {
			return node, err
		}
		node.instance = string(data)
	}
	if depth != forDetail {
		return node, nil
	}
	if has.Running {
		data, stat, found, err := f.get(ctx, job.ItemRunning(item))
		if err != nil {
			return node, err
		}
		node.running, node.runningOn, node.runningSince = found, string(data), stat.Ctime
	}
	if has.Failover {
		data, _, _, err := f.get(ctx, job.ItemFailover(item))
		if err != nil {
			return node, err
		}
		node.failover = string(data)
	}
	return node, nil
}
