package cloudjob

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/cloud/daemon"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// share serves the job as one of several agents, by a ZooKeeper, until ctx ends.
func share(ctx context.Context, a *task.Agent, h coreagent.Handler, log *slog.Logger) (code int, err error) {
	fail := func(err error) (int, error) {
		return task.ExitConfig, fmt.Errorf("job %q, process %s: %w", a.Config.Name, a.Name, err)
	}
	config := coreagent.Config{
		Namespace: a.Namespace, ZooKeeper: registry.ZooKeeper{Servers: strings.Split(a.Servers, ","), Digest: a.Digest},
		InstanceSuffix: a.Name, Logger: log, DrainTimeout: drain(a.Grace),
	}
	if a.EventsURL != "" {
		reporter := event.Start(event.Config{URL: a.EventsURL, TokenFile: a.TokenFile, Log: log})
		defer reporter.Close()
		config.Tracing = &reports{report: reporter.Report, sampling: a.Sampling}
	}
	agent, err := coreagent.New(config)
	if err != nil {
		return fail(err)
	}
	if err := agent.Add(jobOf(a.Config), h); err != nil {
		return fail(err)
	}
	ready, err := daemon.ServeReady(ctx, a.ReadyPort)
	if err != nil {
		return fail(err)
	}
	defer ready.Close()
	switch err := agent.Start(ctx); {
	case err == nil:
	case ctx.Err() != nil:
		return exitOK, nil // It was stopped before a server answered.
	case errors.Is(err, coreagent.ErrJobConflict):
		return fail(err)
	default:
		return exitFailed, err
	}
	ready.Begin()
	<-ctx.Done()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), config.DrainTimeout)
	defer cancel()
	if err := agent.Stop(stopping); err != nil {
		return exitTerminated, err
	}
	return exitOK, nil
}

// drain is how long runs may continue after SIGTERM. The rest of the grace is for the remaining
// steps before the process is killed.
func drain(grace time.Duration) time.Duration { return max(grace/2, grace-5*time.Second) }

// jobOf declares a job by a configuration. The scheduler's configuration overwrites the registry's
// at each start.
func jobOf(c *jobconfig.Config) coreagent.Job {
	job := coreagent.Job{
		Name: c.Name, Schedule: coreagent.Schedule{Cron: c.Cron, Zone: c.TimeZone, SkipMisfires: !c.Misfire}, Shards: c.Shards, ShardParameters: c.ItemParameters, Parameter: c.Parameter,
		Description: c.Description, Unmonitored: !c.MonitorExecution, Failover: c.Failover,
		Strategy: coreagent.Strategy{Name: c.StrategyType}, Executor: coreagent.Executor{Name: c.ExecutorType}, ErrorHandler: coreagent.ErrorHandler{Name: c.ErrorHandlerType}, Props: c.Props, Overwrite: true,
		ReconcileInterval: -1, MaxTimeDiff: time.Duration(max(0, c.MaxTimeDiffSeconds)) * time.Second,
	}
	if c.ReconcileMinutes > 0 {
		job.ReconcileInterval = time.Duration(c.ReconcileMinutes) * time.Minute
	}
	return job
}

// reports passes an agent's executions to the console: all, or every n-th of each shard.
type reports struct {
	report   func(event.Execution)
	sampling int

	mu sync.Mutex
	// begun counts the runs of each shard. left has the executions that are not reported.
	begun map[int]int
	left  map[string]bool
}

// RecordStatus does nothing, because the scheduler records the states of processes.
func (r *reports) RecordStatus(tracing.Status) {}

// RecordExecution implements [tracing.Recorder].
func (r *reports) RecordExecution(e tracing.Execution) {
	if !r.counts(e) {
		return
	}
	out := event.Execution{
		ID: e.ID, TaskID: e.TaskID, Item: e.Item, Host: e.Hostname, IP: e.IP, Scheduled: e.ScheduledAt, Started: e.StartTime.UTC(), Cause: e.FailureCause,
	}
	if out.Scheduled.IsZero() {
		out.Scheduled = out.Started // a requested run
	}
	if out.Scheduled = out.Scheduled.UTC(); !e.CompleteTime.IsZero() {
		ended := e.CompleteTime.UTC()
		out.Ended = &ended
	}
	r.report(out)
}

func (r *reports) counts(e tracing.Execution) bool {
	if r.sampling <= 1 {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !e.CompleteTime.IsZero() || e.FailureCause != "" {
		left := r.left[e.ID]
		delete(r.left, e.ID)
		return !left
	}
	if r.begun == nil {
		r.begun, r.left = make(map[int]int), make(map[string]bool)
	}
	r.begun[e.Item]++
	if r.begun[e.Item]%r.sampling == 0 {
		return true
	}
	r.left[e.ID] = true
	return false
}
