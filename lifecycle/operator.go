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

// Operator executes actions in one namespace. It has no state and is safe for concurrent use.
type Operator struct {
	client *zk.Client
	ns     jobtree.Namespace
	dial   dial
}

type dial = func(ctx context.Context, network, addr string) (net.Conn, error)

// NewOperator returns an Operator for a registry's namespace. The caller closes the registry after
// the last use of the Operator.
func NewOperator(r *registry.Registry) *Operator {
	c := (*connection.Connection)(r)
	return &Operator{client: c.Client(), ns: c.Namespace(), dial: new(net.Dialer).DialContext}
}

// DialWith returns an Operator with another dialer for [Operator.Dump]. A dialer can refuse addresses that we should
// not reach, because anyone who writes to the registry chooses them. The default is [net.Dialer].
func (o *Operator) DialWith(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *Operator {
	other := *o
	other.dial = dial
	return &other
}

// Outcome is the result of an action.
type Outcome struct {
	// Job is empty for an action on all jobs of a server.
	Job string
	// Affected lists the changed targets, sorted: instance ids (Trigger, Shutdown), server
	// addresses (Disable, Enable), or job names for an action on all jobs of a server.
	Affected []string
	// Skipped lists the unchanged targets with the reasons.
	Skipped []Skip
	// CancelledRuns counts the requested runs that were cancelled because their job was removed.
	CancelledRuns int
}

// Skip is a target that an action left unchanged.
type Skip struct {
	Target string
	Reason string
	Why    SkipWhy // the kind of Reason
	Err    error   // of SkipRefused: the job's *Error
}

// SkipWhy is the kind of a reason, for callers with their own texts.
type SkipWhy string

// The kinds of reasons.
const (
	SkipSame         SkipWhy = "same"          // already in the requested state
	SkipServerAbsent SkipWhy = "server_absent" // its server isn't registered
	SkipServerOff    SkipWhy = "server_off"    // its server isn't enabled
	SkipLeft         SkipWhy = "left"          // the instance has left
	SkipRefused      SkipWhy = "refused"       // an action on all jobs of a server failed for this job
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

// job checks a job's name and existence, and returns its generation. A job with an unreadable
// configuration exists and counts as 3.x, because no action can harm agents of 3.x.
func (o *Operator) job(ctx context.Context, act action) (jobtree.Job, jobconfig.Generation, error) {
	stored, err := o.storedConfig(ctx, act)
	switch {
	case stored.Created == 0:
		return jobtree.Job{}, 0, err
	case err != nil:
		return o.ns.Job(act.job), jobconfig.Generation3x, nil
	}
	return o.ns.Job(act.job), stored.Config.Generation, nil
}

// attempts bounds the retries after concurrent changes. Agents write in short bursts, so we should
// never reach it unless a job changes continually.
const attempts = 20

// retry runs plan, which reads and writes one transaction, until no concurrent change gets in the
// way.
func (o *Operator) retry(ctx context.Context, act action, plan func() error) error {
	for i := 1; ; i++ {
		err := plan()
		if i >= attempts || !changed(err) || isOurs(err) {
			return act.wrap(err)
		}
		if ctx.Err() != nil {
			return act.wrap(context.Cause(ctx))
		}
		// The server was ahead of our read. Read at least its state.
		if err := o.client.Sync(ctx, o.ns.Root()); err != nil {
			return act.wrap(err)
		}
	}
}

func isOurs(err error) bool {
	_, ok := errors.AsType[*Error](err)
	return ok
}

// change does an action on one job. plan reads the state, writes one transaction and adds its effect
// to the outcome.
func (o *Operator) change(ctx context.Context, act action, plan func(jobtree.Job, jobconfig.Generation, *Outcome) error) (Outcome, error) {
	job, generation, err := o.job(ctx, act)
	if err != nil {
		return Outcome{}, err
	}
	var out Outcome
	err = o.retry(ctx, act, func() error {
		out = Outcome{Job: act.job}
		return plan(job, generation, &out)
	})
	if err != nil {
		out.Affected = nil
	}
	out.sort()
	return out, err
}

// apply applies the operations in one transaction, or in as few as fit ZooKeeper's packet limit. It
// never splits a group.
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

// children lists the names below a node. An absent node has none.
func (o *Operator) children(ctx context.Context, path string) ([]string, error) {
	names, _, err := o.client.Children(ctx, path)
	slices.Sort(names)
	return names, zk.Ignore(err, zk.ErrNoNode)
}

// own is children without foreign nodes.
func (o *Operator) own(ctx context.Context, job jobtree.Job, path string) ([]string, error) {
	names, err := o.children(ctx, path)
	own, _ := job.OwnChildren(path, names)
	return own, err
}

type instance struct{ id, ip string }

// instances lists the live instances of a job with their registered addresses. It leaves out an
// instance that leaves during the call. Without a registered address it uses the one in the id.
func (o *Operator) instances(ctx context.Context, job jobtree.Job) ([]instance, error) {
	ids, err := o.own(ctx, job, job.Instances())
	if err != nil {
		return nil, err
	}
	return gather(ctx, len(ids), func(ctx context.Context, i int) (instance, bool, error) {
		data, _, err := o.client.Get(ctx, job.Instance(ids[i]))
		if err != nil {
			return instance{}, false, zk.Ignore(err, zk.ErrNoNode)
		}
		ip := jobtree.InstanceIP(ids[i])
		if info, ok, err := jobtree.DecodeInstance(data); err == nil && ok {
			ip = info.ServerIP
		}
		return instance{ids[i], ip}, true, nil
	})
}

const maxReads = 32

func each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, maxReads, n, fn)
}

func gather[T any](ctx context.Context, n int, fn func(ctx context.Context, i int) (T, bool, error)) ([]T, error) {
	return rethrow.Gather(ctx, maxReads, n, fn)
}

type server struct {
	ip      string
	data    []byte
	version int32
}

// server reads one server node. It's false if the node is absent.
func (o *Operator) server(ctx context.Context, job jobtree.Job, ip string) (server, bool, error) {
	data, stat, err := o.client.Get(ctx, job.Server(ip))
	return server{ip, data, stat.Version}, err == nil, zk.Ignore(err, zk.ErrNoNode)
}

func (o *Operator) servers(ctx context.Context, job jobtree.Job) ([]server, error) {
	ips, err := o.own(ctx, job, job.Servers())
	if err != nil {
		return nil, err
	}
	return gather(ctx, len(ips), func(ctx context.Context, i int) (server, bool, error) { return o.server(ctx, job, ips[i]) })
}
