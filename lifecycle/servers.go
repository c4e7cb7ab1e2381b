package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Disable takes every server of the job out of service. From the next run on they get no shards;
// running shards aren't stopped. Disabled servers are skipped. A job without servers is
// ErrConflict.
func (o *Operator) Disable(ctx context.Context, job string) (Outcome, error) {
	return o.switchServers(ctx, action{"disable", job, ""}, false, nil)
}

// Enable puts every server of the job into service; see Disable.
func (o *Operator) Enable(ctx context.Context, job string) (Outcome, error) {
	return o.switchServers(ctx, action{"enable", job, ""}, true, nil)
}

// DisableForGood is Disable that survives restarts. It also sets disabled in the configuration in
// the same transaction, and a starting agent registers its server accordingly, unless its own
// settings win (overwrite).
func (o *Operator) DisableForGood(ctx context.Context, job string) (Outcome, error) {
	return o.switchForGood(ctx, action{"disable", job, ""}, false)
}

// EnableForGood undoes DisableForGood.
func (o *Operator) EnableForGood(ctx context.Context, job string) (Outcome, error) {
	return o.switchForGood(ctx, action{"enable", job, ""}, true)
}

func (o *Operator) switchForGood(ctx context.Context, act action, enable bool) (Outcome, error) {
	return o.switchServers(ctx, act, enable, func(ctx context.Context) ([]zk.Op, error) {
		stored, err := o.storedConfig(ctx, act)
		if err != nil {
			return nil, err
		}
		stored.Config.Disabled = !enable
		data, err := stored.Config.Encode()
		if err != nil {
			return nil, act.fail(ErrInvalid, "", "%w", err)
		}
		return []zk.Op{zk.SetOp(o.ns.Job(act.job).Config(), data, stored.Version)}, nil
	})
}

// DisableServer takes one server of the job out of service, or of every job that lists it if job is
// empty. It returns ErrNotFound if no such server is registered.
func (o *Operator) DisableServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.switchServer(ctx, action{"disable server", job, ip}, false)
}

// EnableServer puts one server of the job, or of every job, into service; see DisableServer.
func (o *Operator) EnableServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.switchServer(ctx, action{"enable server", job, ip}, true)
}

func (o *Operator) switchServer(ctx context.Context, act action, enable bool) (Outcome, error) {
	return o.onServer(ctx, act, func(act action) (Outcome, error) { return o.switchServers(ctx, act, enable, nil) })
}

// switchServers switches the action's server of one job, or all of the job's servers. With also, it
// adds also's operations to the transaction and accepts a job without servers.
func (o *Operator) switchServers(ctx context.Context, act action, enable bool, also func(context.Context) ([]zk.Op, error)) (Outcome, error) {
	return o.change(ctx, act, func(job jobtree.Job, generation jobconfig.Generation, out *Outcome) error {
		value := jobtree.ServerValue(enable, generation)
		var groups [][]zk.Op
		if also != nil {
			ops, err := also(ctx)
			if err != nil {
				return err
			}
			groups = append(groups, ops)
		}
		all, err := o.targets(ctx, act, job)
		if err != nil && !(also != nil && errors.Is(err, ErrConflict)) {
			return err
		}
		for _, s := range all {
			if string(s.data) == string(value) {
				// The check prevents a concurrent opposite action from winning on this server and
				// losing on the others.
				groups = append(groups, []zk.Op{zk.CheckOp(job.Server(s.ip), s.version)})
				out.skip(s.ip, SkipSame, fmt.Sprintf("it is %s already", describe(value)))
				continue
			}
			groups = append(groups, []zk.Op{zk.SetOp(job.Server(s.ip), value, s.version)})
			out.Affected = append(out.Affected, s.ip)
		}
		if len(out.Affected) == 0 && also == nil {
			return nil
		}
		return o.apply(ctx, groups)
	})
}

func describe(value []byte) string {
	if len(value) == 0 {
		return "enabled (empty, in the manner of 2.1.x)"
	}
	return string(value)
}

// targets reads the server of an action, or all of the job's servers if it names none.
func (o *Operator) targets(ctx context.Context, act action, job jobtree.Job) ([]server, error) {
	if act.target == "" {
		all, err := o.servers(ctx, job)
		if err == nil && len(all) == 0 {
			return nil, act.fail(ErrConflict, "servers register when a process that serves the job starts", "the job has no servers")
		}
		return all, err
	}
	s, there, err := o.server(ctx, job, act.target)
	if err == nil && !there {
		return nil, act.fail(ErrNotFound, "", "the job has no server %s", act.target)
	}
	return []server{s}, err
}

// onServer does an action on a server of its job, or of every job if the action names none.
func (o *Operator) onServer(ctx context.Context, act action, do func(action) (Outcome, error)) (Outcome, error) {
	if err := checkIP(act, act.target); err != nil {
		return Outcome{}, err
	}
	if act.job != "" {
		return do(act)
	}
	return o.everyJob(ctx, act, func(name string) (Outcome, error) { return do(action{act.op, name, act.target}) })
}

// everyJob runs an action on every job and collects the outcomes. Unaffected jobs report
// ErrNotFound or ErrNoInstances and are left out. If no job is affected, it returns ErrNotFound. It
// continues after failures. Jobs that failed are skipped if the action reached another one; otherwise, or if
// ZooKeeper is unavailable, the error joins their errors.
func (o *Operator) everyJob(ctx context.Context, act action, do func(name string) (Outcome, error)) (Outcome, error) {
	names, err := o.children(ctx, o.ns.Root())
	if err != nil {
		return Outcome{}, act.wrap(err)
	}
	var (
		mu        sync.Mutex
		out       Outcome
		failures  []Skip
		down      bool
		concerned bool
		done      bool // for a job
	)
	// Stop if a server is unreachable, because the other jobs would fail too.
	_ = each(ctx, len(names), func(going context.Context, i int) error {
		if going.Err() != nil {
			return nil
		}
		one, err := do(names[i])
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrNoInstances) || errors.Is(err, ErrInvalid) {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		concerned = true
		if err != nil {
			failures = append(failures, Skip{names[i], reasonOf(err), SkipRefused, err})
			if down = down || errors.Is(err, ErrUnavailable); down {
				return err
			}
			return nil
		}
		done = true
		if len(one.Affected) > 0 {
			out.Affected = append(out.Affected, names[i])
		}
		for _, s := range one.Skipped {
			out.skip(names[i], s.Why, s.Target+": "+s.Reason)
		}
		return nil
	})
	if !concerned {
		return Outcome{}, act.fail(ErrNotFound, "", "no job of the namespace has nodes of server %s", act.target)
	}
	if done && !down {
		out.Skipped = append(out.Skipped, failures...)
		failures = nil
	}
	out.sort()
	var errs []error
	for _, f := range failures {
		errs = append(errs, f.Err)
	}
	return out, errors.Join(errs...)
}

// reasonOf is an error without the action and the job.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		err = &Error{Kind: e.Kind, Err: e.Err}
		return strings.TrimPrefix(err.Error(), ": ")
	}
	return err.Error()
}

// checkIP refuses text that can't be the name of a server node.
func checkIP(act action, ip string) error {
	if ip == "" || ip == "." || ip == ".." || strings.ContainsAny(ip, "/\x00") {
		return act.fail(ErrInvalid, "", "%q is not a server address", ip)
	}
	return nil
}
