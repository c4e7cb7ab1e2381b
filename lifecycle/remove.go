package lifecycle

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Remove deletes the job with everything stored about it. It is ErrConflict
// while an instance is live: shut the job down first. What was removed is lost
// as a whole or not at all; a tree too big for one transaction loses its
// configuration first, with which it ceases to be a job, and Remove may be
// repeated to finish an interrupted removal.
//
// A process that is still configured for the job registers it again when it
// restarts.
func (o *Operator) Remove(ctx context.Context, name string) (Outcome, error) {
	return o.remove(ctx, action{"remove", name, ""}, false)
}

// ForceRemove is Remove of a job that instances still serve. With their nodes
// removed they end the job, as at a shutdown: only restarting their processes
// brings it back, and then registers it anew.
func (o *Operator) ForceRemove(ctx context.Context, name string) (Outcome, error) {
	return o.remove(ctx, action{"remove", name, ""}, true)
}

func (o *Operator) remove(ctx context.Context, act action, force bool) (Outcome, error) {
	name := act.job
	if err := jobtree.ValidateNodeName(name); err != nil {
		return Outcome{}, act.fail(ErrInvalid, "", "%w", err)
	}
	job := o.ns.Job(name)
	err := o.retry(ctx, act, func() error {
		if err := o.checkRemovable(ctx, act, job, force); err != nil {
			return err
		}
		paths, err := o.subtree(ctx, job.Root())
		if err != nil {
			return err
		}
		return o.apply(ctx, deletions(job, paths))
	})
	return Outcome{Job: name}, err
}

// checkRemovable makes sure that the node is a job, or what is left of one, and
// that nobody serves it, unless that shall not matter.
func (o *Operator) checkRemovable(ctx context.Context, act action, job jobtree.Job, force bool) error {
	names, _, err := o.client.Children(ctx, job.Root())
	if errors.Is(err, zk.ErrNoNode) {
		return act.fail(ErrNotFound, "check the name and the namespace", "there is no job of this name: %w", err)
	}
	if err != nil {
		return err
	}
	// The node of a job may at the same time be a namespace with jobs of its own,
	// which are none of our business.
	if children := jobtree.ParseJobChildren(names); len(children.Foreign) > 0 {
		if !children.Configured {
			return act.fail(ErrNotFound, "", "the node has no configuration, and its child %q belongs to no job", children.Foreign[0])
		}
		return act.fail(ErrConflict, "move or delete it first", "the node has a child %q that does not belong to the job", children.Foreign[0])
	}
	if force {
		return nil
	}
	ids, err := o.own(ctx, job, job.Instances())
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		return act.fail(ErrConflict, "shut the job down, or stop its processes, first", "%d instances are live: %s", len(ids), strings.Join(ids, ", "))
	}
	return nil
}

// subtree lists a node and everything below it, children before parents.
func (o *Operator) subtree(ctx context.Context, root string) ([]string, error) {
	var all []string
	for level := []string{root}; len(level) > 0; {
		all = append(all, level...)
		below := make([][]string, len(level))
		err := each(ctx, len(level), func(ctx context.Context, i int) (err error) {
			below[i], err = o.children(ctx, level[i])
			return err
		})
		if err != nil {
			return nil, err
		}
		var next []string
		for i, names := range below {
			for _, name := range names {
				next = append(next, level[i]+"/"+name)
			}
		}
		level = next
	}
	slices.Reverse(all)
	return all, nil
}

// deletions orders the removal. Instances and configuration go first, in one
// transaction: an instance that registered meanwhile makes the parent's
// deletion fail, and with it everything.
func deletions(job jobtree.Job, paths []string) [][]zk.Op {
	var first []zk.Op
	var rest [][]zk.Op
	for _, p := range paths {
		op := zk.DeleteOp(p, zk.AnyVersion)
		if p == job.Config() || p == job.Instances() || strings.HasPrefix(p, job.Instances()+"/") {
			first = append(first, op)
			continue
		}
		rest = append(rest, []zk.Op{op})
	}
	return append([][]zk.Op{first}, rest...)
}

// RemoveServer deletes the server from the job, or from every job that lists it
// if job is empty: the way to clear entries of machines that will not rejoin.
// ErrConflict while an instance of it is live.
func (o *Operator) RemoveServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.removeServers(ctx, action{"remove server", job, ip}, ip, false)
}

// ForceRemoveServer is RemoveServer of a server that may have live instances:
// their nodes go with it, so that they end the job as at a shutdown.
func (o *Operator) ForceRemoveServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.removeServers(ctx, action{"remove server", job, ip}, ip, true)
}

func (o *Operator) removeServers(ctx context.Context, act action, ip string, force bool) (Outcome, error) {
	job := act.job
	if err := checkIP(act, ip); err != nil {
		return Outcome{}, err
	}
	if job != "" {
		return o.removeServer(ctx, act, ip, force)
	}
	return o.everyJob(ctx, act, func(name string) (Outcome, error) {
		return o.removeServer(ctx, action{act.op, name, ip}, ip, force)
	})
}

func (o *Operator) removeServer(ctx context.Context, act action, ip string, force bool) (Outcome, error) {
	job, _, err := o.job(ctx, act)
	if err != nil {
		return Outcome{}, err
	}
	err = o.retry(ctx, act, func() error {
		all, err := o.targets(ctx, act, job, ip)
		if err != nil {
			return err
		}
		live, err := o.instances(ctx, job)
		if err != nil {
			return err
		}
		var group []zk.Op
		for _, each := range live {
			switch {
			case each.ip != ip:
			case !force:
				return act.fail(ErrConflict, "shut the server down first", "its instance %s is live", each.id)
			default:
				group = append(group, zk.DeleteOp(job.Instance(each.id), zk.AnyVersion))
			}
		}
		return o.apply(ctx, [][]zk.Op{append(group, zk.DeleteOp(job.Server(ip), all[0].version))})
	})
	if err != nil {
		return Outcome{Job: act.job}, err
	}
	return Outcome{Job: act.job, Affected: []string{ip}}, nil
}
