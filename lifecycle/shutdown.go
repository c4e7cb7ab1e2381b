package lifecycle

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Shutdown ends the job in every process that serves it, by deleting the
// instances' nodes. Only restarting a process brings its instance back; a
// running execution is not interrupted. ErrNoInstances if none is live.
func (o *Operator) Shutdown(ctx context.Context, job string) (Outcome, error) {
	return o.shutdown(ctx, action{"shut down", job, ""}, "")
}

// ShutdownServer ends the job in the processes of one server, or every job of
// that server if job is empty. The address an instance registered counts, and
// it is compared exactly.
func (o *Operator) ShutdownServer(ctx context.Context, job, ip string) (Outcome, error) {
	act := action{"shut down server", job, ip}
	if err := checkIP(act, ip); err != nil {
		return Outcome{}, err
	}
	if job != "" {
		return o.shutdown(ctx, act, ip)
	}
	return o.everyJob(ctx, act, func(name string) (Outcome, error) {
		return o.shutdown(ctx, action{act.op, name, ip}, ip)
	})
}

func (o *Operator) shutdown(ctx context.Context, act action, ip string) (Outcome, error) {
	job, _, err := o.job(ctx, act)
	if err != nil {
		return Outcome{}, err
	}
	var out Outcome
	err = o.retry(ctx, act, func() error {
		out = Outcome{Job: act.job}
		live, err := o.instances(ctx, job)
		if err != nil {
			return err
		}
		var groups [][]zk.Op
		for _, each := range live {
			if ip != "" && each.ip != ip {
				continue
			}
			groups = append(groups, []zk.Op{zk.DeleteOp(job.Instance(each.id), zk.AnyVersion)})
			out.Affected = append(out.Affected, each.id)
		}
		if len(groups) > 0 {
			return o.apply(ctx, groups)
		}
		if ip == "" {
			return act.fail(ErrNoInstances, "", "there is nothing to shut down")
		}
		s, err := o.server(ctx, job, ip)
		if err != nil {
			return err
		}
		if s == nil {
			return act.fail(ErrNotFound, "", "the job has neither a server nor an instance %s", ip)
		}
		return act.fail(ErrNoInstances, "", "no instance of %s is registered", ip)
	})
	if err != nil {
		out.Affected = nil
	}
	out.sort()
	return out, err
}
