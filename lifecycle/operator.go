package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/connection"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/registry"
)

// Operator carries out actions in one namespace. It has no state and is safe for
// concurrent use.
type Operator struct {
	client *zk.Client
	ns     jobtree.Namespace
	dial   dial
}

// dial connects to a process.
type dial = func(ctx context.Context, network, addr string) (net.Conn, error)

// NewOperator returns an Operator for the namespace of a registry. The caller closes
// the registry, after the last use of the Operator.
func NewOperator(r *registry.Registry) *Operator {
	c := (*connection.Connection)(r)
	return &Operator{client: c.Client(), ns: c.Namespace(), dial: new(net.Dialer).DialContext}
}

// DialWith returns an Operator whose [Operator.Dump] connects by dial, which can refuse
// addresses: anyone who writes to the registry chooses them. The default is [net.Dialer].
func (o *Operator) DialWith(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *Operator {
	other := *o
	other.dial = dial
	return &other
}

// Outcome is what an action did.
type Outcome struct {
	// Job is the job concerned; empty for an action on all jobs of a server.
	Job string
	// Affected lists what was changed, sorted: instance ids (Trigger, Shutdown),
	// server addresses (Disable, Enable), or the names of jobs if the action was
	// about all jobs of a server.
	Affected []string
	// Skipped lists what was left alone, and why.
	Skipped []Skip
	// CancelledRuns counts the requested runs that were cancelled because their job was removed.
	CancelledRuns int
}

// Skip is a target that an action left alone.
type Skip struct {
	Target string
	Reason string
	Why    SkipWhy // the kind of Reason
}

// SkipWhy is why a target was left alone, for those who say it in other words.
type SkipWhy string

// The kinds of reasons.
const (
	SkipSame         SkipWhy = "same"          // it is as the action would make it
	SkipServerAbsent SkipWhy = "server_absent" // its server is not registered
	SkipServerOff    SkipWhy = "server_off"    // its server is not enabled
	SkipLeft         SkipWhy = "left"          // the instance has left
)

func (o *Outcome) skip(target string, why SkipWhy, reason string) {
	o.Skipped = append(o.Skipped, Skip{Target: target, Reason: reason, Why: why})
}

func (o *Outcome) sort() {
	slices.Sort(o.Affected)
	slices.SortFunc(o.Skipped, func(a, b Skip) int {
		return cmp.Or(strings.Compare(a.Target, b.Target), strings.Compare(a.Reason, b.Reason))
	})
}

// job checks the name of a job and that it exists, and tells its generation. A
// job with an unreadable configuration exists and counts as 3.x, whose agents
// are not harmed by anything an action writes.
func (o *Operator) job(ctx context.Context, act action) (jobtree.Job, jobconfig.Generation, error) {
	if err := jobtree.ValidateNodeName(act.job); err != nil {
		return jobtree.Job{}, 0, act.fail(ErrInvalid, "", "%w", err)
	}
	job := o.ns.Job(act.job)
	data, _, err := o.client.Get(ctx, job.Config())
	if errors.Is(err, zk.ErrNoNode) {
		return jobtree.Job{}, 0, act.fail(ErrNotFound, "check the name and the namespace", "there is no job of this name: %w", err)
	}
	if err != nil {
		return jobtree.Job{}, 0, act.wrap(err)
	}
	config, err := jobconfig.Decode(data)
	if err != nil {
		return job, jobconfig.Generation3x, nil
	}
	return job, config.Generation, nil
}

// attempts bounds how often an action is tried again because the tree changed
// between reading and writing. Agents write in bursts of a few, so this is
// never reached unless something changes a job without end.
const attempts = 20

// retry runs plan, which reads and then writes in one transaction, until it is
// not refused for a change in between.
func (o *Operator) retry(ctx context.Context, act action, plan func() error) error {
	for i := 1; ; i++ {
		err := plan()
		if i >= attempts || !changed(err) || isOurs(err) {
			return act.wrap(err)
		}
		if ctx.Err() != nil {
			return act.wrap(context.Cause(ctx))
		}
		// What the server said was ahead of what we read; read at least that.
		if err := o.client.Sync(ctx, o.ns.Root()); err != nil {
			return act.wrap(err)
		}
	}
}

func isOurs(err error) bool {
	_, ok := errors.AsType[*Error](err)
	return ok
}

// apply makes the operations one transaction, or as few as fit ZooKeeper's
// packet limit. Operations that belong together are one element.
func (o *Operator) apply(ctx context.Context, groups [][]zk.Op) error {
	var batch []zk.Op
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := o.client.Multi(ctx, batch...)
		batch, size = nil, 0
		return err
	}
	for _, group := range groups {
		bytes := 0
		for _, op := range group {
			bytes += op.Size()
		}
		if size+bytes > zk.MaxTransaction/2 {
			if err := flush(); err != nil {
				return err
			}
		}
		batch = append(batch, group...)
		size += bytes
	}
	return flush()
}

// children lists the names below a node, none if it is absent.
func (o *Operator) children(ctx context.Context, path string) ([]string, error) {
	names, _, err := o.client.Children(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	slices.Sort(names)
	return names, err
}

// own is children without those that no agent can have made.
func (o *Operator) own(ctx context.Context, job jobtree.Job, path string) ([]string, error) {
	names, err := o.children(ctx, path)
	own, _ := job.OwnChildren(path, names)
	return own, err
}

// instance is a live instance of a job.
type instance struct{ id, ip string }

// instances lists the live instances of a job with the addresses they
// registered. An instance that goes meanwhile is left out; one whose content
// tells no address has the one in its id.
func (o *Operator) instances(ctx context.Context, job jobtree.Job) ([]instance, error) {
	ids, err := o.own(ctx, job, job.Instances())
	if err != nil {
		return nil, err
	}
	live := make([]instance, len(ids))
	err = each(ctx, len(ids), func(ctx context.Context, i int) error {
		data, _, err := o.client.Get(ctx, job.Instance(ids[i]))
		if errors.Is(err, zk.ErrNoNode) {
			return nil
		}
		live[i] = instance{ids[i], jobtree.InstanceIP(ids[i])}
		if info, ok, err := jobtree.DecodeInstance(data); err == nil && ok {
			live[i].ip = info.ServerIP
		}
		return err
	})
	return slices.DeleteFunc(live, func(i instance) bool { return i.id == "" }), err
}

// maxReads bounds the reads an action has under way.
const maxReads = 32

// each calls fn for 0 to n-1, maxReads at a time.
func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, maxReads, n, fn)
}

// server is a server node of a job.
type server struct {
	ip      string
	data    []byte
	version int32
}

// server reads one server node; nil if it is absent.
func (o *Operator) server(ctx context.Context, job jobtree.Job, ip string) (*server, error) {
	data, stat, err := o.client.Get(ctx, job.Server(ip))
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &server{ip, data, stat.Version}, nil
}

// servers reads all server nodes of a job.
func (o *Operator) servers(ctx context.Context, job jobtree.Job) ([]server, error) {
	ips, err := o.own(ctx, job, job.Servers())
	if err != nil {
		return nil, err
	}
	all := make([]server, len(ips))
	err = each(ctx, len(ips), func(ctx context.Context, i int) error {
		s, err := o.server(ctx, job, ips[i])
		if s != nil {
			all[i] = *s
		}
		return err
	})
	return slices.DeleteFunc(all, func(s server) bool { return s.ip == "" }), err
}
