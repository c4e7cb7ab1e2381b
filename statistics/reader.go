package statistics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// maxReads bounds the reads a call has under way. They share one connection, so
// that more would only queue there and delay others.
const maxReads = 64

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

// Reader reads one namespace. It has no state and is safe for concurrent use. A
// call whose context has no deadline gives up after 30 seconds.
type Reader struct {
	client *zk.Client
	ns     jobtree.Namespace
	now    func() time.Time // of Explain; tests set it
}

// NewReader returns a Reader of ns. It does not own the client.
func NewReader(client *zk.Client, ns jobtree.Namespace) *Reader {
	return &Reader{client: client, ns: ns, now: time.Now}
}

// Jobs lists the jobs of the namespace, sorted by name. A namespace that does
// not exist has none. A job whose configuration is broken or may not be read is
// listed as StatusBroken; nodes without a configuration are left out. If
// ZooKeeper cannot be reached the error wraps ErrUnavailable and the list is
// nil, never a part of it.
func (r *Reader) Jobs(ctx context.Context) ([]Job, error) {
	snapshots, err := r.snapshots(ctx, forList)
	if err != nil {
		return nil, wrap("list jobs", err)
	}
	jobs := make([]Job, len(snapshots))
	for i, s := range snapshots {
		jobs[i] = s.job()
	}
	return jobs, nil
}

// Job reads one job. The error wraps ErrJobNotFound if there is no such job or
// name cannot be one.
func (r *Reader) Job(ctx context.Context, name string) (JobDetail, error) {
	op := fmt.Sprintf("read job %q", name)
	if err := jobtree.ValidateJobName(name); err != nil {
		return JobDetail{}, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	s, err := newFetcher(r.client).snapshot(ctx, r.ns.Job(name), forDetail)
	if err != nil {
		return JobDetail{}, wrap(op, err)
	}
	if s == nil {
		return JobDetail{}, fmt.Errorf("%s: %w", op, ErrJobNotFound)
	}
	return s.detail(), nil
}

// Servers lists the servers of all jobs, sorted by address as a number. An
// instance whose address no job lists as a server has a row of its own with no
// jobs.
func (r *Reader) Servers(ctx context.Context) ([]Server, error) {
	snapshots, err := r.snapshots(ctx, forServers)
	if err != nil {
		return nil, wrap("list servers", err)
	}
	rows := make(map[string]*Server)
	ids := make(map[string]map[string]bool)
	row := func(ip string) *Server {
		if rows[ip] == nil {
			rows[ip] = &Server{IP: ip}
			ids[ip] = make(map[string]bool)
		}
		return rows[ip]
	}
	for _, s := range snapshots {
		for _, server := range s.servers {
			line := row(server.ip)
			line.Jobs++
			line.JobNames = append(line.JobNames, s.name)
			if !s.enabled(server) {
				line.DisabledJobs++
			}
		}
		for _, instance := range s.instances {
			row(instance.ip)
			ids[instance.ip][instance.id] = true
		}
	}
	servers := make([]Server, 0, len(rows))
	for ip, line := range rows {
		line.Instances = len(ids[ip])
		line.InstanceIDs = slices.SortedFunc(maps.Keys(ids[ip]), compareIDs)
		servers = append(servers, *line)
	}
	slices.SortFunc(servers, func(a, b Server) int { return compareIPs(a.IP, b.IP) })
	return servers, nil
}

// snapshots reads every job of the namespace, sorted by name.
func (r *Reader) snapshots(ctx context.Context, depth depth) ([]*snapshot, error) {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	names, _, err := r.client.Children(ctx, r.ns.Root())
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]*snapshot, len(names))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxReads)
	f := newFetcher(r.client)
	for i, name := range names {
		group.Go(func() error {
			s, err := f.snapshot(ctx, r.ns.Job(name), depth)
			all[i] = s
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(s *snapshot) bool { return s == nil }), nil
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
