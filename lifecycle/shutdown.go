package lifecycle

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Shutdown ends the job in every process that serves it, by deleting the
// instances' nodes. Only restarting a process brings its instance back; a
// running execution is not interrupted. ErrNoInstances if none is live.
func (o *Operator) Shutdown(ctx context.Context, job string) (Outcome, error) {
	return o.shutdown(ctx, order{"shut down", job, ""}, "")
}

// ShutdownServer ends the job in the processes of one server, or every job of
// that server if job is empty. The address an instance registered counts, and
// it is compared exactly.
func (o *Operator) ShutdownServer(ctx context.Context, job, ip string) (Outcome, error) {
	ord := order{"shut down server", job, ip}
	if err := checkIP(ord, ip); err != nil {
		return Outcome{}, err
	}
	if job != "" {
		return o.shutdown(ctx, ord, ip)
	}
	return o.everyJob(ctx, ord, func(name string) (Outcome, error) {
		return o.shutdown(ctx, order{ord.op, name, ip}, ip)
	})
}

func (o *Operator) shutdown(ctx context.Context, ord order, ip string) (Outcome, error) {
	job, _, err := o.job(ctx, ord)
	if err != nil {
		return Outcome{}, err
	}
	var out Outcome
	err = o.retry(ctx, ord, func() error {
		out = Outcome{Job: ord.job}
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
			return ord.fail(ErrNoInstances, "", "there is nothing to shut down")
		}
		s, err := o.server(ctx, job, ip)
		if err != nil {
			return err
		}
		if s == nil {
			return ord.fail(ErrNotFound, "", "the job has neither a server nor an instance %s", ip)
		}
		return ord.fail(ErrNoInstances, "", "no instance of %s is registered", ip)
	})
	if err != nil {
		out.Affected = nil
	}
	out.sort()
	return out, err
}
