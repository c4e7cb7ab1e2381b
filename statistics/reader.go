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

// maxReads bounds the reads a call has under way. They share one connection, so
// that more would only queue there and delay others. The reading of everything has
// more: it takes long, and the server has a thread for what waits there already.
const (
	maxReads     = 64
	maxFillReads = 256
)

// readTimeout bounds a call whose context has no deadline.
const readTimeout = 30 * time.Second

// withDeadline gives ctx a deadline if it has none. One for the whole call is
// also cheaper than one for each of its thousands of reads.
func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, readTimeout)
}

// Reader reads one namespace and is safe for concurrent use. A call whose
// context has no deadline gives up after 30 seconds.
type Reader struct {
	client    *zk.Client
	ns        jobtree.Namespace
	now       func() time.Time // of Explain; tests set it
	cache     *cache           // nil for a Reader that reads everything each time
	refresher *refresher       // of cache
	memory    *cache           // of a Reader that asks ZooKeeper nothing, see [Reader.Memory]
	parsed    *schedules
}

// NewReader returns a Reader of the namespace of a registry. The caller
// closes the registry, after the last use of the Reader.
func NewReader(r *registry.Registry) *Reader {
	c := (*connection.Connection)(r)
	return &Reader{client: c.Client(), ns: c.Namespace(), now: time.Now, parsed: &schedules{}}
}

// NewWatchingReader returns a Reader that keeps what it has read, with a watch
// on each node, and reads again only what has changed since: while nothing
// changes its calls ask ZooKeeper nothing. It never answers from memory while
// there is no connection, or while the server doesn't answer; after a connection that broke it compares everything with the
// server, and after a lost session it begins anew. It reads everything in the
// background at the start, so that the first list need not, and compares it
// slowly every ten minutes, in case an event was lost. It remembers a million
// nodes at most and reads the rest each time. Close it before the registry.
func NewWatchingReader(r *registry.Registry) *Reader {
	reader := NewReader(r)
	reader.cache = newCache(reader.client, reader.ns)
	reader.cache.now = func() time.Time { return reader.now() }
	reader.refresher = startRefresher(reader)
	return reader
}

// Close ends the watching of a Reader made by NewWatchingReader. The registry
// stays open.
func (r *Reader) Close() {
	if r.cache != nil {
		r.refresher.stop()
		r.cache.cancel()
	}
}

// answers returns an error if a watching Reader would answer from memory although the server
// doesn't answer.
func (r *Reader) answers(ctx context.Context) error {
	if r.cache == nil {
		return nil
	}
	return r.client.Check(ctx)
}

// confirm has a watching Reader read a job anew if its configuration can't be read any more: no
// event announces a change of an ACL.
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

// Jobs lists the jobs of the namespace, sorted by name. A namespace that does
// not exist has none. A job whose configuration is broken or may not be read is
// listed as StatusBroken; and so is a job that
// has lost its configuration; other nodes without one are left out. If
// ZooKeeper cannot be reached the error wraps ErrUnavailable and the list is
// nil, never a part of it.
//
// A watching Reader that has yet to read a large namespace lists every name
// after two seconds, with StatusReading where it knows no more. Its list must
// not be changed: others may have the same.
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

// Job reads one job. The error wraps ErrJobNotFound if there is no such job or
// name cannot be one.
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

// InstanceIDs are the ids of the live instances of a job, in no particular order. A
// watching Reader asks ZooKeeper only after one came or left.
func (r *Reader) InstanceIDs(ctx context.Context, name string) ([]string, error) {
	return r.ids(ctx, name, jobtree.Job.Instances)
}

// AgentIDs are the ids of those live instances of a job that are agents of this repository, as
// InstanceIDs has them.
func (r *Reader) AgentIDs(ctx context.Context, name string) ([]string, error) {
	return r.ids(ctx, name, jobtree.Job.Agents)
}

// StoppedIDs are the ids of the agents of this repository that have left a job in an orderly way
// lately, and of those that are alive: if the instance of one of these is missing,
// it's about to leave. ZooKeeper is asked each time.
func (r *Reader) StoppedIDs(ctx context.Context, name string) (ids []string, err error) {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	direct := &Reader{client: r.client, ns: r.ns}
	for _, list := range []func(jobtree.Job) string{jobtree.Job.AllLeft, jobtree.Job.Agents} {
		some, err := direct.ids(ctx, name, list)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	return ids, nil
}

// ids are the ids of instances in one of the lists of a job.
func (r *Reader) ids(ctx context.Context, name string, list func(jobtree.Job) string) ([]string, error) {
	op := fmt.Sprintf("read the instances of job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	path := list(r.ns.Job(name))
	if k := r.cache; k != nil && k.usable() {
		if n, known := k.lookup(cacheKey{path, true}); known { // as nearly always, of each of ten thousand jobs
			ids, _ := r.ns.OwnChildren(path, n.children())
			return ids, nil
		}
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	ids, err := r.newFetcher().children(ctx, path)
	return ids, wrap(op, err)
}

// Servers lists the servers of all jobs, sorted by address as a number. Its jobs
// are those that [Reader.ServerJobs] has: those that list it as a server, and
// those with a live instance there, which count as disabled where the server's
// node is missing. The list of a watching Reader must not be changed: others may have
// the same.
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

// serversOf are the servers of jobs that come by name.
func serversOf(jobs []fleet) []Server {
	rows := make(map[string]*Server)
	row := func(ip string) *Server {
		if rows[ip] == nil {
			rows[ip] = &Server{IP: ip}
		}
		return rows[ip]
	}
	// A server's jobs come one after the other: a job that is there is the last.
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
			if !has(line, job.name) { // its node is missing
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

// instanceAt is an instance at an address.
type instanceAt struct{ ip, id string }

// fleet is what lists of servers need of a job.
type fleet struct {
	name      string
	cron      string
	about     string // the description
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

// conclusions reads every job of the namespace, sorted by name, as far as it is
// not known, and concludes something about each.
func conclusions[T any](ctx context.Context, r *Reader, depth depth, conclude func(*evidence) T) ([]T, error) {
	return conclusionsBy(ctx, r, r.newFetcher(), depth, conclude)
}

// conclusionsBy is conclusions with the reads of a fetcher.
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

// keptConclusions is conclusionsBy without copies: they are those that are kept, and must
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
			return nil // What was not read yet is left out.
		}
		return err
	}); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(one *T) bool { return one == nil }), nil
}

// conclusion is nil for what is no job.
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

// compareIPs orders addresses as numbers, and what is no address after them as
// text.
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
