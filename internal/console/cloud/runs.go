package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// What pages and the REST interface do with runs of ElasticJob-Cloud.

// ErrCloudNotSynced is why a list is not answered.
var errNotSynced = errors.New("store or engine could not be read for a while")

// mostMaskedLog bounds the log of whoever only looks: it is masked as a whole.
const mostMaskedLog = 1 << 20

// CloudName is the name in an address of what there is in ElasticJob-Cloud: an app, a job
// or a run. One that nothing can have is answered like one that nothing has.
func nameOf(c *gin.Context, what string) (string, error) {
	name, err := url.PathUnescape(c.Param(what))
	if err != nil {
		return "", console.Malformed("The name in the address is not escaped as addresses are.", "Escape it, such as %20 for a blank.")
	}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return "", fmt.Errorf("%s %q: %w", what, view.Clip(name, 100), cloud.ErrNotFound)
	}
	return name, nil
}

// FindRun is the run of a name with its tasks.
func (at *Cloud) FindRun(name string) (cloud.RunStatus, []cloud.Task, error) {
	run, tasks, there := at.Seen.FindRun(name)
	switch {
	case there:
		return run, tasks, nil
	case !at.Seen.Synced():
		return run, nil, errNotSynced
	}
	return run, nil, fmt.Errorf("run %q: %w", view.Clip(name, 100), cloud.ErrNotFound)
}

// SuspendRun has the processes of a run end until somebody resumes it.
func (at *Cloud) SuspendRun(ctx context.Context, name string, how cloud.Ending) error {
	if can := at.Engine.Capabilities(); !can.Suspend {
		return fmt.Errorf("to suspend a run needs the capability suspend, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	how.Way = cloud.EndSuspend
	return at.onWhole(name, func(run string) error { return at.Engine.End(ctx, run, -1, how) })
}

// KillRun ends a run for good.
func (at *Cloud) KillRun(ctx context.Context, name string, how cloud.Ending) error {
	how.Way = cloud.EndKill
	return at.onWhole(name, func(run string) error { return at.Engine.End(ctx, run, -1, how) })
}

// KillShard ends the process of one shard of a run.
func (at *Cloud) KillShard(ctx context.Context, name string, shard int, how cloud.Ending) error {
	how.Way = cloud.EndKill
	return at.onRun(name, func(run string) error {
		_, tasks, _ := at.Seen.FindRun(run)
		if !slices.ContainsFunc(tasks, func(t cloud.Task) bool { return t.Shard == shard && !cloud.Ended(t.State) }) {
			return fmt.Errorf("shard %d of run %q has no process that goes on: %w", shard, run, cloud.ErrRefused)
		}
		return at.Engine.End(ctx, run, shard, how)
	})
}

// Unfinished are the shards of a run that has ended without a success of theirs.
func (at *Cloud) Unfinished(name string) (run cloud.RunStatus, shards []int, err error) {
	run, tasks, err := at.FindRun(name)
	switch {
	case err != nil:
		return run, nil, err
	case run.Origin == cloud.OriginDaemon:
		return run, nil, fmt.Errorf("job %q is a DAEMON and fires for itself; enable it: %w", run.JobName, cloud.ErrRefused)
	case !run.State.Ended():
		return run, nil, fmt.Errorf("run %q goes on: %w", run.Name, cloud.ErrRefused)
	}
	last := make(map[int]cloud.Task) // By shard; attempts come in their order.
	for _, t := range tasks {
		last[t.Shard] = t
	}
	for shard := range run.Shards {
		t, began := last[shard]
		if began && t.State != tracing.StateFinished || !began && run.Count == run.Shards {
			shards = append(shards, shard)
		}
	}
	return run, shards, nil
}

// Rerun asks for another run of the shards of a run that did not succeed. The engine keeps no
// parameters, so those of a run that somebody asked for have to be given again.
func (at *Cloud) Rerun(ctx context.Context, name string, r cloud.Request) (run string, err error) {
	before, shards, err := at.Unfinished(name)
	switch {
	case err != nil:
		return "", err
	case before.Origin == cloud.OriginManual && r.Parameters == nil:
		return "", invalid(console.FieldBody{Field: "parameters", Want: "those of the run, or {}: it was asked for, and may have had some"})
	case r.Shards == nil && len(shards) == 0:
		return "", fmt.Errorf("every shard of run %q has finished: %w", before.Name, cloud.ErrRefused)
	case r.Shards == nil && len(shards) < before.Shards:
		r.Shards = shards
	}
	return at.Trigger(ctx, before.JobName, r)
}

// ResumeRun goes on with a run that was suspended.
func (at *Cloud) ResumeRun(ctx context.Context, name string) error {
	return at.onRun(name, func(run string) error { return at.Engine.Resume(ctx, run) })
}

// onRun does something to a run that has not ended, by its reference.
func (at *Cloud) onRun(name string, do func(run string) error) error {
	run, _, err := at.FindRun(name)
	switch {
	case err != nil:
		return err
	case run.State.Ended():
		return fmt.Errorf("run %q has ended, %s: %w", run.Name, run.State, cloud.ErrRefused)
	}
	return do(run.Ref())
}

// onWhole is onRun for what is about all processes of a run: those of a DAEMON would only
// begin again.
func (at *Cloud) onWhole(name string, do func(run string) error) error {
	if run, _, err := at.FindRun(name); err == nil && run.Origin == cloud.OriginDaemon {
		return fmt.Errorf("the processes of a DAEMON are started again when they have ended; disable job %q to stop them, or kill the process of one shard: %w", run.JobName, cloud.ErrRefused)
	}
	return at.onRun(name, do)
}

// ReadLog is what the process of a task wrote. Of whoever only looks, masked says so, it is
// shorter and hides what may be a secret.
func (at *Cloud) ReadLog(ctx context.Context, task cloud.TaskRef, o cloud.LogOptions, masked bool) (string, error) {
	if masked && (o.MaxBytes <= 0 || o.MaxBytes > mostMaskedLog) {
		o.MaxBytes = mostMaskedLog
	}
	log, err := at.OpenLog(ctx, task, o)
	if err != nil {
		return "", err
	}
	defer log.Close()
	text, err := io.ReadAll(io.LimitReader(log, cloud.MaxLogBytes))
	if err != nil {
		return "", err
	}
	if masked {
		return mask.Text(string(text)), nil
	}
	return string(text), nil
}

// OpenLog is what the process of a task wrote, and with Follow what it goes on to write. The
// caller closes it.
func (at *Cloud) OpenLog(ctx context.Context, task cloud.TaskRef, o cloud.LogOptions) (io.ReadCloser, error) {
	if can := at.Engine.Capabilities(); !can.Logs {
		return nil, fmt.Errorf("the log of a task needs the capability logs, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	return at.Engine.Logs(ctx, task, o)
}
