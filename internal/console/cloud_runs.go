package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// What pages and the REST interface do with runs of ElasticJob-Cloud.

// ErrCloudNotSynced is why a list is not answered.
var ErrCloudNotSynced = errors.New("store or engine could not be read for a while")

// mostMaskedLog bounds the log of whoever only looks: it is masked as a whole.
const mostMaskedLog = 1 << 20

// CloudName is the name in an address of what there is in ElasticJob-Cloud: an app, a job
// or a run. One that nothing can have is answered like one that nothing has.
func CloudName(c *gin.Context, what string) (string, error) {
	name, err := url.PathUnescape(c.Param(what))
	if err != nil {
		return "", Malformed("The name in the address is not escaped as addresses are.", "Escape it, such as %20 for a blank.")
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
		return run, nil, ErrCloudNotSynced
	}
	return run, nil, fmt.Errorf("run %q: %w", view.Clip(name, 100), cloud.ErrNotFound)
}

// SuspendRun has the processes of a run end until somebody resumes it.
func (at *Cloud) SuspendRun(ctx context.Context, name string, how cloud.Ending) error {
	if can := at.Engine.Capabilities(); !can.Suspend {
		return fmt.Errorf("to suspend a run needs the capability suspend, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	how.Way = cloud.EndSuspend
	return at.onRun(name, func(run string) error { return at.Engine.End(ctx, run, -1, how) })
}

// KillRun ends a run for good.
func (at *Cloud) KillRun(ctx context.Context, name string, how cloud.Ending) error {
	how.Way = cloud.EndKill
	return at.onRun(name, func(run string) error { return at.Engine.End(ctx, run, -1, how) })
}

// ResumeRun goes on with a run that was suspended.
func (at *Cloud) ResumeRun(ctx context.Context, name string) error {
	return at.onRun(name, func(run string) error { return at.Engine.Resume(ctx, run) })
}

// onRun does something to a run that has not ended.
func (at *Cloud) onRun(name string, do func(run string) error) error {
	run, _, err := at.FindRun(name)
	switch {
	case err != nil:
		return err
	case run.State.Ended():
		return fmt.Errorf("run %q has ended, %s: %w", run.Name, run.State, cloud.ErrRefused)
	}
	return do(run.Name)
}

// ReadLog is what the process of a task wrote. Of whoever only looks, masked says so, it is
// shorter and hides what may be a secret.
func (at *Cloud) ReadLog(ctx context.Context, task cloud.TaskRef, o cloud.LogOptions, masked bool) (string, error) {
	if can := at.Engine.Capabilities(); !can.Logs {
		return "", fmt.Errorf("the log of a task needs the capability logs, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	}
	if masked && (o.MaxBytes <= 0 || o.MaxBytes > mostMaskedLog) {
		o.MaxBytes = mostMaskedLog
	}
	log, err := at.Engine.Logs(ctx, task, o)
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
