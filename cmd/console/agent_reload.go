package main

import (
	"context"
	"log/slog"
	"reflect"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
)

// reload reads the job file again: jobs that are new are added, jobs that are
// are no longer in the file are removed, jobs that changed are removed and added. With a mistake in
// the file everything stays as it is. What concerns the whole process, such as
// the registry, counts at the next start.
//
// It returns when removed jobs have drained, or when ctx ends.
func (a *agentProcess) reload(ctx context.Context) {
	plan, err := a.cmd.load(a.p)
	if err == nil && !plan.file.Enabled {
		plan.file.Jobs = nil
	}
	if err != nil {
		a.p.log.ErrorContext(ctx, "job file not read again, the jobs stay as they are", slog.Any("err", err))
		return
	}
	old, now := byName(a.plan.file.Jobs), byName(plan.file.Jobs)
	removed, added := 0, 0
	for name, job := range old {
		if after, stays := now[name]; stays && reflect.DeepEqual(job.Job, after.Job) {
			continue
		}
		drain, cancel := context.WithTimeout(ctx, a.cmd.Drain)
		err := a.agent.Remove(drain, name)
		cancel()
		if err != nil {
			a.p.log.ErrorContext(ctx, "job removed, not in order", slog.String("job", name), slog.Any("err", err))
		}
		removed++
	}
	for _, job := range plan.file.Jobs {
		if before, was := old[job.Name]; was && reflect.DeepEqual(before.Job, job.Job) {
			continue
		}
		if err := a.agent.Add(job.Job, nil); err != nil {
			a.p.log.ErrorContext(ctx, "job not added", slog.String("job", job.Name), slog.Any("err", err))
			continue
		}
		added++
	}
	before, after := a.plan.file.Config, plan.file.Config
	before.ZooKeeper.TLS, after.ZooKeeper.TLS = nil, nil // Of the flags, which stay.
	if !reflect.DeepEqual(before.ZooKeeper, after.ZooKeeper) || before.Namespace != after.Namespace || before.Dump != after.Dump ||
		a.plan.dsn != plan.dsn || !reflect.DeepEqual(a.plan.file.Tracing, plan.file.Tracing) {
		a.p.log.WarnContext(ctx, "regCenter, tracing or dump changed in the job file: that counts from the next start on")
	}
	a.plan.file.Jobs = plan.file.Jobs
	a.p.log.InfoContext(ctx, "job file read again", slog.Int("jobs", len(plan.file.Jobs)), slog.Int("added", added), slog.Int("removed", removed))
}

func byName(jobs []jobfile.Job) map[string]jobfile.Job {
	m := make(map[string]jobfile.Job, len(jobs))
	for _, j := range jobs {
		m[j.Name] = j
	}
	return m
}
