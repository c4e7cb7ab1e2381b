package lifecycle

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Removal are the options of a removal. The zero value is [Operator.Remove].
type Removal struct {
	// Force also removes a job with live instances. Their nodes are removed, so they end the job as
	// at a shutdown. Only a restart of their processes restores the job, and registers it again.
	Force bool
	// By is the person or program that removes the job. The reason of each cancelled run names it.
	By jobrun.By
	// History stores the ends of requested runs before the tree is deleted. If it fails, the job
	// stays, and RemoveWith can be repeated. Nil if there's no trace database.
	History tracing.Sink
}

// Remove deletes the job and all its data. It returns ErrConflict while an instance is live: shut
// the job down first. The removal is atomic. A tree too big for one transaction loses its
// configuration first, so it's no longer a job. Remove can then be repeated to finish an
// interrupted removal.
//
// First it cancels every requested run that hasn't ended. Requests that arrive during the removal
// are cancelled too, or refused because the job doesn't exist.
//
// A process that is still configured for the job registers it again at its next start.
func (o *Operator) Remove(ctx context.Context, name string) (Outcome, error) {
	return o.RemoveWith(ctx, name, Removal{})
}

// ForceRemove is [Operator.RemoveWith] with Force.
func (o *Operator) ForceRemove(ctx context.Context, name string) (Outcome, error) {
	return o.RemoveWith(ctx, name, Removal{Force: true})
}

// RemoveWith is [Operator.Remove] with options. The outcome counts the cancelled runs, even if the
// removal fails later.
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
		// A run that arrived after the cancel stays, so its parent can't be deleted.
		paths = slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(late, path) })
		return o.apply(ctx, deletions(job, paths))
	})
	return out, err
}

// maxRecorded is how many runs are stored in a history at once.
const maxRecorded = 200

// endRuns cancels the requested runs of a job, and stores all ends in the tree. For an earlier run,
// the agent or steward may not have stored the end yet, and can't do it later.
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

// record stores the ends of runs. It leaves out a run that the history rejects because of a damaged
// node, so that it can't prevent the job's removal.
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

// checkRemovable checks that the node is a job, or the rest of one, and that no instance serves it
// unless force is set.
func (o *Operator) checkRemovable(ctx context.Context, act action, job jobtree.Job, force bool) error {
	names, _, err := o.client.Children(ctx, job.Root())
	if errors.Is(err, zk.ErrNoNode) {
		return act.noJob(err)
	}
	if err != nil {
		return err
	}
	// The node may also be a namespace with jobs of its own, which we must not delete.
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

// subtree lists a node and everything below it, children first.
func (o *Operator) subtree(ctx context.Context, root string) ([]string, error) {
	var all []string
	for level := []string{root}; len(level) > 0; {
		all = append(all, level...)
		below, err := gather(ctx, len(level), func(ctx context.Context, i int) ([]string, bool, error) {
			names, err := o.children(ctx, level[i])
			for k, name := range names {
				names[k] = level[i] + "/" + name
			}
			return names, true, err
		})
		if err != nil {
			return nil, err
		}
		level = slices.Concat(below...)
	}
	slices.Reverse(all)
	return all, nil
}

// deletions orders the removal. The first transaction deletes instances, configuration and the
// folders of open runs. If an instance or a run was added in the meantime, its parent can't be
// deleted, and the whole transaction fails.
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

// RemoveServer deletes the server from the job, or from every job that lists it if job is empty.
// Use it only for machines that should not rejoin. It returns ErrConflict while the server has a
// live instance.
func (o *Operator) RemoveServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.removeServer(ctx, action{"remove server", job, ip}, false)
}

// ForceRemoveServer is RemoveServer for a server with live instances. Their nodes are removed too,
// so they end the job as at a shutdown.
func (o *Operator) ForceRemoveServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.removeServer(ctx, action{"remove server", job, ip}, true)
}

func (o *Operator) removeServer(ctx context.Context, act action, force bool) (Outcome, error) {
	return o.onServer(ctx, act, func(act action) (Outcome, error) {
		return o.change(ctx, act, func(job jobtree.Job, _ jobconfig.Generation, out *Outcome) error {
			ip := act.target
			all, err := o.targets(ctx, act, job)
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
			out.Affected = []string{ip}
			return o.apply(ctx, [][]zk.Op{append(group, zk.DeleteOp(job.Server(ip), all[0].version))})
		})
	})
}
