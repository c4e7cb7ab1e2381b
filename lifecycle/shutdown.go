package lifecycle

import (
	"context"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Shutdown ends the job in every process that serves it, by deleting the instances' nodes. Only a
// restart of a process restores its instance. A running execution isn't interrupted. It returns
// ErrNoInstances if none is live.
//
// It returns ErrRunActive if an instance works on a requested run, failover is on and a Java agent
// is live, because the Java agent would run the shard without the run's parameters. Cancel the run
// first, or use [Operator.ForceShutdown].
func (o *Operator) Shutdown(ctx context.Context, job string) (Outcome, error) {
	return o.shutdown(ctx, action{"shut down", job, ""}, false)
}

// ForceShutdown is Shutdown, or ShutdownServer if ip isn't empty, despite active runs.
func (o *Operator) ForceShutdown(ctx context.Context, job, ip string) (Outcome, error) {
	act := action{"shut down", job, ip}
	if ip != "" {
		if err := checkIP(act, ip); err != nil {
			return Outcome{}, err
		}
	}
	return o.shutdown(ctx, act, true)
}

// ShutdownServer ends the job in the processes of one server, or every job of that server if job is
// empty. It compares the registered addresses of instances, exactly.
func (o *Operator) ShutdownServer(ctx context.Context, job, ip string) (Outcome, error) {
	return o.onServer(ctx, action{"shut down server", job, ip}, func(act action) (Outcome, error) { return o.shutdown(ctx, act, false) })
}

// shutdown removes the instances on the action's server, or all of the job's.
func (o *Operator) shutdown(ctx context.Context, act action, force bool) (Outcome, error) {
	return o.change(ctx, act, func(job jobtree.Job, _ jobconfig.Generation, out *Outcome) error {
		live, err := o.instances(ctx, job)
		if err != nil {
			return err
		}
		ip := act.target
		var groups [][]zk.Op
		for _, each := range live {
			if ip == "" || each.ip == ip {
				groups = append(groups, []zk.Op{zk.DeleteOp(job.Instance(each.id), zk.AnyVersion)})
				out.Affected = append(out.Affected, each.id)
			}
		}
		if len(groups) > 0 {
			if !force {
				err = o.checkActiveRuns(ctx, act, live, out.Affected)
			}
			if err == nil {
				err = o.apply(ctx, groups)
			}
			return err
		}
		if ip == "" {
			return act.fail(ErrNoInstances, "", "there is nothing to shut down")
		}
		switch _, there, err := o.server(ctx, job, ip); {
		case err != nil:
			return err
		case !there:
			return act.fail(ErrNotFound, "", "the job has neither a server nor an instance %s", ip)
		}
		return act.fail(ErrNoInstances, "", "no instance of %s is registered", ip)
	})
}

// checkActiveRuns refuses to shut down an instance that works on a requested run, if an agent
// that doesn't accept requested runs would fail the shard over.
func (o *Operator) checkActiveRuns(ctx context.Context, act action, live []instance, leaving []string) error {
	active, err := o.runs(act.job).Active(ctx)
	if err != nil || len(active) == 0 {
		return err
	}
	config, _, err := o.Config(ctx, act.job)
	if err != nil || !config.Failover {
		return err
	}
	var others []string
	for _, each := range live {
		if !slices.Contains(leaving, each.id) {
			others = append(others, each.id)
		}
	}
	others, err = o.runs(act.job).JavaAgents(ctx, others)
	if err != nil || len(others) == 0 {
		return err
	}
	for _, run := range active {
		for _, claim := range run.Claims {
			if slices.Contains(leaving, claim.Instance) {
				return act.fail(ErrConflict, "cancel the run first, or force the shutdown", "%w: run %s works on %s, and agents of Java (%s) would fail its shards over without its parameters",
					ErrRunActive, run.ID, claim.Instance, strings.Join(others, ", "))
			}
		}
	}
	return nil
}
