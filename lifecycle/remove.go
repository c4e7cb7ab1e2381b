package lifecycle

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Removal is how a job is removed. Its zero value is [Operator.Remove].
type Removal struct {
	// Force also removes a job that instances serve. Because their nodes are removed, they end
	// the job as at a shutdown: only restarting their processes brings it back, and then
	// registers it again.
	Force bool
	// By is the person or program that removes the job. The reason of each cancelled run names it.
	By jobrun.By
	// History stores how the requested runs ended, before the tree forgets them. If it fails,
	// the job stays, and RemoveWith can be repeated. Nil if there is no trace database.
	History tracing.Sink
}

// Remove deletes the job with everything stored about it. It is ErrConflict
// while an instance is live: shut the job down first. What was removed is lost
// as a whole or not at all; a tree too big for one transaction loses its
// configuration first, with which it ceases to be a job, and Remove may be
// repeated to finish an interrupted removal.
//
// Before that, every requested run that hasn't ended is cancelled. Requests that arrive during
// the removal are cancelled, too, or refused because there is no job.
//
// A process that is still configured for the job registers it again when it
// restarts.
func (o *Operator) Remove(ctx context.Context, name string) (Outcome, error) {
	return o.RemoveWith(ctx, name, Removal{})
}

// ForceRemove is [Operator.RemoveWith] with Force.
func (o *Operator) ForceRemove(ctx context.Context, name string) (Outcome, error) {
	return o.RemoveWith(ctx, name, Removal{Force: true})
}

// RemoveWith is [Operator.Remove] with options. The outcome counts the runs that were cancelled,
// also if the removal fails later.
func (o *Operator) RemoveWith(ctx context.Context, name string, r Removal) (Outcome, error) {
	act, out := action{"remove", name, ""}, Outcome{Job: name}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return Outcome{}, act.fail(ErrInvalid, "", "%w", err)
	}
	job := o.ns.Job(name)
	err := o.retry(ctx, act, func() error {
		if err := o.checkRemovable(ctx, act, job, r.Force); err != nil {
			return err
		}
		cancelled, err := o.endRuns(ctx, act, r)
		out.CancelledRuns += cancelled
		if err != nil {
			return err
		}
		paths, err := o.subtree(ctx, job.Root())
		if err != nil {
			return err
		}
		late, err := o.runs(name).OpenPaths(ctx)
		if err != nil {
			return err
		}
		// A run that arrived after the others were cancelled stays, so its parent can't be deleted.
		paths = slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(late, path) })
		return o.apply(ctx, deletions(job, paths))
	})
	return out, err
}

// maxRecorded is how many runs are stored at once in a history.
const maxRecorded = 200

// endRuns cancels the requested runs of a job, and stores every end that the tree has. The agent
// or the steward may not have stored the end of an earlier run, and can't do it later.
func (o *Operator) endRuns(ctx context.Context, act action, r Removal) (cancelled int, err error) {
	ids, ends, err := o.runs(act.job).EndAll(ctx, jobtree.RunCancel{By: r.By.Name, Reason: "the job was removed"})
	if err != nil || r.History == nil {
		return len(ids), err
	}
	for some := range slices.Chunk(ends, maxRecorded) {
		if err := r.record(ctx, act.job, some); err != nil {
			return len(ids), act.fail(ErrHistory, "the job is still there; remove it again when the trace database answers",
				"the ends of the requested runs: %w", err)
		}
	}
	return len(ids), nil
}

// record stores how runs ended. A run that the history rejects, because its node was damaged, is
// left out, so that it can't keep the job from being removed.
func (r Removal) record(ctx context.Context, job string, ends []runs.Ended) error {
	var events []tracing.Event
	for _, end := range ends {
		run := runs.TraceEnd(job, end.Outcome, end.Request)
		step := runs.TraceEndStep(run, r.By.Name)
		events = append(events, tracing.Event{Run: &run}, tracing.Event{Step: &step})
	}
	err := r.History.Write(ctx, events)
	if !errors.Is(err, tracing.ErrRejected) {
		return err
	}
	if len(ends) == 1 {
		return nil
	}
	half := len(ends) / 2
	if err := r.record(ctx, job, ends[:half]); err != nil {
		return err
	}
	return r.record(ctx, job, ends[half:])
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

// deletions orders the removal. Instances, configuration and the folders of runs that haven't
// ended go first, in one transaction: an instance that registered meanwhile, or a run, makes the
// parent's deletion fail, and with it everything.
func deletions(job jobtree.Job, paths []string) [][]zk.Op {
	guarded := []string{job.Instances(), job.RunsDue(), job.RunsQueue(), job.RunsActive()}
	var first []zk.Op
	var rest [][]zk.Op
	for _, p := range paths {
		op := zk.DeleteOp(p, zk.AnyVersion)
		if p == job.Config() || slices.ContainsFunc(guarded, func(folder string) bool { return p == folder || strings.HasPrefix(p, folder+"/") }) {
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
