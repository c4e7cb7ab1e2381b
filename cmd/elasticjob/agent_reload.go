package main

import (
	"context"
	"errors"
	"log/slog"
	"reflect"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
)

// reload reads the job file again: jobs that are new are added, jobs that are no longer in
// the file are removed, jobs that changed are replaced. If the registry refuses the new form
// of a job, the old one goes on. With a mistake in the file everything stays as it is.
// Settings of the whole process, such as the registry, count at the next start.
//
// It returns when removed jobs have drained, or when ctx ends.
func (a *agentProcess) reload(ctx context.Context) {
	plan, err := a.cmd.load(a.p)
	if err == nil && !plan.file.Enabled {
		plan.file.Jobs = nil
	}
	if err != nil {
		a.p.Log.ErrorContext(ctx, "job file not read again, the jobs stay as they are", slog.Any("err", err))
		return
	}
	old, now := byName(a.plan.file.Jobs), byName(plan.file.Jobs)
	removed, added := 0, 0
	for name := range old {
		if _, stays := now[name]; stays {
			continue
		}
		drain, cancel := context.WithTimeout(ctx, a.cmd.Drain)
		err := a.agent.Remove(drain, name)
		cancel()
		if err != nil {
			a.p.Log.ErrorContext(ctx, "job removed, not in order", slog.String("job", name), slog.Any("err", err))
		}
		removed++
	}
	for i, job := range plan.file.Jobs {
		before, was := old[job.Name]
		switch {
		case was && reflect.DeepEqual(before.Job, job.Job):
			continue
		case was:
			drain, cancel := context.WithTimeout(ctx, a.cmd.Drain)
			err = a.agent.Replace(drain, job.Job, nil)
			cancel()
			if errors.Is(err, coreagent.ErrJobConflict) {
				plan.file.Jobs[i] = before // It goes on, and the next reload tries again.
			} else {
				removed++
			}
		default:
			err = a.agent.Add(job.Job, nil)
		}
		if err != nil {
			a.p.Log.ErrorContext(ctx, "job not added, or its old form ended badly", slog.String("job", job.Name), slog.Any("err", err))
			continue
		}
		added++
	}
	before, after := a.plan.file.Config, plan.file.Config
	before.ZooKeeper.TLS, after.ZooKeeper.TLS = nil, nil // The flags have it, and they stay.
	if !reflect.DeepEqual(before.ZooKeeper, after.ZooKeeper) || before.Namespace != after.Namespace || before.Dump != after.Dump ||
		a.plan.dsn != plan.dsn || !reflect.DeepEqual(a.plan.file.Tracing, plan.file.Tracing) {
		a.p.Log.WarnContext(ctx, "regCenter, tracing or dump changed in the job file: that counts from the next start on")
	}
	a.plan.file.Jobs = plan.file.Jobs
	a.p.Log.InfoContext(ctx, "job file read again", slog.Int("jobs", len(plan.file.Jobs)), slog.Int("added", added), slog.Int("removed", removed))
}

func byName(jobs []jobfile.Job) map[string]jobfile.Job {
	m := make(map[string]jobfile.Job, len(jobs))
	for _, j := range jobs {
		m[j.Name] = j
	}
	return m
}
