package statistics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/connection"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/registry"
)

// maxReads bounds the concurrent reads of a call. All calls share one connection, so more reads
// would only queue up there and delay other calls. Reading the whole namespace takes long, so the
// fill may use more.
const (
	maxReads     = 64
	maxFillReads = 256
)

// readTimeout is the time limit of a call without a deadline.
const readTimeout = 30 * time.Second

// withDeadline gives ctx a deadline if it has none. One deadline for the whole call is cheaper than
// one for each of its thousands of reads.
func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, readTimeout)
}

// Reader reads a namespace. It's safe for concurrent use. A call without a deadline gives up after
// 30 seconds.
type Reader struct {
	client    *zk.Client
	ns        jobtree.Namespace
	now       func() time.Time // the clock; tests replace it
	cache     *cache           // nil if the Reader reads everything each time
	refresher *refresher       // fills and compares cache
	memory    *cache           // set in a Reader that only reads from memory, see [Reader.Memory]
	parsed    *schedules
}

// NewReader returns a Reader for the registry's namespace. The caller should close the registry
// after the last use of the Reader.
func NewReader(r *registry.Registry) *Reader {
	c := (*connection.Connection)(r)
	return &Reader{client: c.Client(), ns: c.Namespace(), now: time.Now, parsed: &schedules{}}
}

// NewWatchingReader returns a Reader that caches each node it reads and sets a watch on it, so it
// only reads again the nodes that have changed. It must be closed before the registry.
//
// It first reads the whole namespace in the background, so that the first list is fast. After that
// it slowly compares the cache with the server every ten minutes, in case a watch event was lost.
// It caches up to a million nodes; other nodes are read each time.
//
// The cache isn't used while there is no connection or while the server doesn't answer. After a
// reconnect, every node is compared with the server. If the session was lost, the cache starts
// empty.
func NewWatchingReader(r *registry.Registry) *Reader {
	reader := NewReader(r)
	reader.cache = newCache(reader.client, reader.ns)
	reader.cache.now = func() time.Time { return reader.now() }
	reader.refresher = startRefresher(reader)
	return reader
}

// Close stops a Reader from NewWatchingReader. It doesn't close the registry.
func (r *Reader) Close() {
	if r.cache != nil {
		r.refresher.stop()
		r.cache.cancel()
	}
}

// answers returns an error if the server doesn't answer, because a watching Reader must not answer
// from its cache then.
func (r *Reader) answers(ctx context.Context) error {
	if r.cache == nil {
		return nil
	}
	return r.client.Check(ctx)
}

// confirm drops the job's configuration from the cache if ZooKeeper refuses to read it now, because
// watches don't fire when an ACL changes.
func (r *Reader) confirm(ctx context.Context, job jobtree.Job) error {
	if err := r.answers(ctx); r.cache == nil || err != nil {
		return err
	}
	_, _, err := r.client.Get(ctx, job.Config())
	if errors.Is(err, zk.ErrNoAuth) {
		r.cache.onEvent(job.Config())
		return nil
	}
	return zk.Ignore(err, zk.ErrNoNode)
}

// Jobs lists the jobs of the namespace, sorted by name. It's empty if the namespace doesn't exist.
// A job is listed as StatusBroken if its configuration is broken, was lost, or may not be read.
// Other nodes without a configuration are left out. If ZooKeeper can't be reached, the error wraps
// ErrUnavailable and the list is nil; we never return a partial list.
//
// If a watching Reader takes more than two seconds to read a large namespace, it lists all names
// and uses StatusReading for jobs that it hasn't read yet. Callers must not change its list,
// because it's shared.
func (r *Reader) Jobs(ctx context.Context) ([]Job, error) {
	if err := r.answers(ctx); err != nil {
		return nil, wrap("list jobs", err)
	}
	if r.cache != nil {
		jobs, err := r.keptJobs(ctx)
		return jobs, wrap("list jobs", err)
	}
	jobs, err := conclusions(ctx, r, forList, r.jobRow)
	return jobs, wrap("list jobs", err)
}

// Job reads a job. The error wraps ErrJobNotFound if the job doesn't exist or the name isn't valid.
func (r *Reader) Job(ctx context.Context, name string) (JobDetail, error) {
	op := fmt.Sprintf("read job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return JobDetail{}, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	if err := r.answers(ctx); err != nil {
		return JobDetail{}, wrap(op, err)
	}
	e, err := r.newFetcher().evidence(ctx, r.ns.Job(name), forDetail)
	if err == nil && !e.isListed() {
		err = ErrJobNotFound
	}
	if err != nil {
		return JobDetail{}, wrap(op, err)
	}
	return r.detail(e), nil
}

// InstanceIDs returns the ids of a job's live instances, unsorted. An instance without a session is
// left out, because there is no process. A watching Reader only sends requests after an instance came
// or left.
func (r *Reader) InstanceIDs(ctx context.Context, name string) ([]string, error) {
	ids, err := r.ids(ctx, name, jobtree.Job.Instances)
	if err != nil {
		return nil, err
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	job, nodes := r.ns.Job(name), r.newFetcher()
	var live []string
	for _, id := range ids {
		_, stat, found, err := nodes.get(ctx, job.Instance(id))
		if err != nil {
			return nil, wrap(fmt.Sprintf("read the instances of job %q", name), err)
		}
		if !found || stat.EphemeralOwner != 0 {
			live = append(live, id)
		}
	}
	return live, nil
}

// AgentIDs returns the ids of a job's live instances that are Go agents; see InstanceIDs.
func (r *Reader) AgentIDs(ctx context.Context, name string) ([]string, error) {
	return r.ids(ctx, name, jobtree.Job.Agents)
}

// StoppedIDs returns the ids of the Go agents that recently left the job cleanly, and of the Go
// agents that are alive. If an id is in the second group but has no instance, the agent is about to
// leave. StoppedIDs always reads from ZooKeeper. The result includes an agent that leaves cleanly
// between its two requests.
func (r *Reader) StoppedIDs(ctx context.Context, name string) (ids []string, err error) {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	direct := &Reader{client: r.client, ns: r.ns}
	// In this order, because an agent moves from the first list to the second one.
	for _, list := range []func(jobtree.Job) string{jobtree.Job.Agents, jobtree.Job.AllLeft} {
		some, err := direct.ids(ctx, name, list)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	return ids, nil
}

func (r *Reader) ids(ctx context.Context, name string, list func(jobtree.Job) string) ([]string, error) {
	op := fmt.Sprintf("read the instances of job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	path := list(r.ns.Job(name))
	if k := r.cache; k != nil && k.usable() {
		// This is the usual case. It must be fast, because there may be ten thousand jobs.
		if n, known := k.lookup(cacheKey{path, true}); known {
			ids, _ := r.ns.OwnChildren(path, n.children())
			return ids, nil
		}
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	ids, err := r.newFetcher().children(ctx, path)
	return ids, wrap(op, err)
}

// Servers lists the servers of all jobs, sorted by address as a number. A server's jobs are the
// same as in [Reader.ServerJobs]: the jobs that list it, and the jobs that have a live instance
// there. The latter count as disabled if the server's node is missing. Callers must not change the
// list of a watching Reader, because it's shared.
func (r *Reader) Servers(ctx context.Context) ([]Server, error) {
	if err := r.answers(ctx); err != nil {
		return nil, wrap("list servers", err)
	}
	servers, err := kept(r, forServers, func(k *cache) **cachedList[Server] { return &k.servers }, func() ([]Server, bool, error) {
		jobs, err := conclusions(ctx, r, forServers, (*evidence).servedBy)
		return serversOf(jobs), true, err
	})
	if err != nil {
		return nil, wrap("list servers", r.stillReading(ctx, err))
	}
	return servers, nil
}

// serversOf returns the servers of the jobs, which must be sorted by name.
func serversOf(jobs []fleet) []Server {
	rows := make(map[string]*Server)
	row := func(ip string) *Server {
		if rows[ip] == nil {
			rows[ip] = &Server{IP: ip}
		}
		return rows[ip]
	}
	// The jobs are sorted, so if the server already has this job, it's the last one.
	has := func(line *Server, job string) bool {
		return len(line.JobNames) > 0 && line.JobNames[len(line.JobNames)-1] == job
	}
	ids := make(map[instanceAt]bool)
	for _, job := range jobs {
		for _, server := range job.servers {
			line := row(server.ip)
			line.JobNames = append(line.JobNames, job.name)
			if !server.enabled {
				line.DisabledJobs++
			}
		}
		for _, instance := range job.instances {
			line := row(instance.ip)
			if !ids[instance] {
				ids[instance] = true
				line.InstanceIDs = append(line.InstanceIDs, instance.id)
			}
			if !has(line, job.name) { // the server's node is missing
				line.JobNames = append(line.JobNames, job.name)
				line.DisabledJobs++
			}
		}
	}
	servers := make([]Server, 0, len(rows))
	for _, line := range rows {
		slices.SortFunc(line.InstanceIDs, compareIDs)
		line.Jobs, line.Instances = len(line.JobNames), len(line.InstanceIDs)
		servers = append(servers, *line)
	}
	slices.SortFunc(servers, func(a, b Server) int { return compareIPs(a.IP, b.IP) })
	return servers
}

type instanceAt struct{ ip, id string }

// fleet has the parts of a job that the list of servers needs.
type fleet struct {
	name      string
	cron      string
	about     string
	shards    int
	servers   []fleetServer
	instances []instanceAt
}

type fleetServer struct {
	ip      string
	enabled bool
}

func (e *evidence) servedBy() fleet {
	f := fleet{name: e.job.Name()}
	if c := e.decoded; c != nil {
		f.cron, f.about, f.shards = c.Cron, jobtree.Shown(c.Description), c.Shards
	}
	for i, server := range e.servers {
		f.servers = append(f.servers, fleetServer{e.serverIPs[i], e.enabled(server)})
	}
	for _, id := range e.instanceIDs {
		ip := jobtree.InstanceIP(id)
		if !isAddress(ip) {
			ip = e.addressOf(id)
		}
		f.instances = append(f.instances, instanceAt{ip, id})
	}
	return f
}

// conclusions applies conclude to every job in the namespace, sorted by name. Jobs whose result is
// cached aren't read again.
func conclusions[T any](ctx context.Context, r *Reader, depth depth, conclude func(*evidence) T) ([]T, error) {
	return conclusionsBy(ctx, r, r.newFetcher(), depth, conclude)
}

// conclusionsBy is like conclusions but reads with the given fetcher.
func conclusionsBy[T any](ctx context.Context, r *Reader, f *fetcher, depth depth, conclude func(*evidence) T) ([]T, error) {
	kept, err := keptConclusions(ctx, r, f, depth, conclude)
	if err != nil {
		return nil, err
	}
	known := make([]T, len(kept))
	for i, one := range kept {
		known[i] = *one
	}
	return known, nil
}

// keptConclusions is like conclusionsBy but doesn't copy. The results may be cached, so they must
// not be changed.
func keptConclusions[T any](ctx context.Context, r *Reader, f *fetcher, depth depth, conclude func(*evidence) T) ([]*T, error) {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	names, err := f.children(ctx, r.ns.Root())
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]*T, len(names))
	var missing []int
	if kept := cmp.Or(f.cache, f.memory); kept == nil {
		missing = make([]int, len(names))
		for i := range missing {
			missing[i] = i
		}
	} else {
		missing = kept.known(names, depth, func(i int, value any) { all[i], _ = value.(*T) })
	}
	if err := each(ctx, len(missing), func(ctx context.Context, n int) error {
		var err error
		i := missing[n]
		all[i], err = conclusion(ctx, f.part(), r.ns.Job(names[i]), depth, conclude)
		if f.memory != nil && errors.Is(err, zk.ErrUnavailable) {
			return nil // The job wasn't read before we lost the connection, so leave it out.
		}
		return err
	}); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(one *T) bool { return one == nil }), nil
}

// conclusion returns nil if the node isn't a job.
func conclusion[T any](ctx context.Context, f *fetcher, job jobtree.Job, depth depth, conclude func(*evidence) T) (*T, error) {
	read := func() (value *T, e *evidence, err error) {
		if e, err = f.evidence(ctx, job, depth); err == nil && e.isListed() {
			one := conclude(e)
			value = &one
		}
		return value, e, err
	}
	if f.cache == nil {
		value, _, err := read()
		return value, err
	}
	value, err := f.cache.row(ctx, rowKey{job.Name(), depth}, func() (cachedRow, bool, error) {
		value, e, err := read()
		row := cachedRow{value: value}
		if j, ok := any(value).(*Job); ok && value != nil {
			row.until = j.JudgedUntil
		}
		if depth == forList && value != nil && e.whole {
			also := e.servedBy()
			row.fleet = &also
		}
		return row, !f.passes.Load(), err
	})
	known, _ := value.(*T)
	return known, err
}

// compareIPs orders addresses as numbers. Other text comes last.
func compareIPs(a, b string) int {
	x, errA := netip.ParseAddr(a)
	y, errB := netip.ParseAddr(b)
	switch {
	case errA == nil && errB == nil:
		return cmp.Or(x.Compare(y), strings.Compare(a, b))
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// compareIDs orders instance ids by address, then by suffix.
func compareIDs(a, b string) int {
	return cmp.Or(compareIPs(jobtree.InstanceIP(a), jobtree.InstanceIP(b)), strings.Compare(a, b))
}
