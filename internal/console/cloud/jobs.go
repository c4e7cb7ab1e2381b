package cloud

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// What pages and the REST interface do with jobs of ElasticJob-Cloud.

// CloudWays are what may become of runs that go on when their job or application is disabled.
var ways = []string{"kill", "suspend", "finish"}

// Way is what becomes of runs that go on, of its word: one of those that are allowed, such as
// [CloudWays].
func (at *Cloud) Way(word string, allowed []string) (cloud.Way, error) {
	switch {
	case !slices.Contains(allowed, word):
		return "", invalid(console.FieldBody{Field: "running", Value: view.Clip(word, 60), Want: "one of " + strings.Join(allowed, ", ")})
	case word == string(cloud.EndSuspend) && !at.Engine.Capabilities().Suspend:
		return "", fmt.Errorf("running=suspend needs the capability suspend of the engine: %w", cloud.ErrUnsupported)
	case word == "finish":
		return "", nil
	}
	return cloud.Way(word), nil
}

// MaskedCloudJob is a job as whoever only looks may see it.
func maskedJob(d cloud.Definition) cloud.Definition {
	d = d.Clone()
	j := &d.Job
	j.Description, j.Parameter, j.ShardParameters = mask.Text(j.Description), mask.Text(j.Parameter), mask.Text(j.ShardParameters)
	for _, props := range []*map[string]string{&j.Props, &j.Compat} {
		if *props != nil {
			*props = mask.Values(*props)
		}
	}
	for i := range d.Status.Conditions {
		d.Status.Conditions[i].Message = mask.Text(d.Status.Conditions[i].Message)
	}
	return d
}

// ReadJob reads a job from the store, as new as it is.
func (at *Cloud) ReadJob(ctx context.Context, name string) (cloud.Definition, error) {
	return at.Store.Change(ctx, name, func(*cloud.Definition) error { return nil })
}

// CheckJob refuses what is wrong with a job, or what the engine cannot run.
func (at *Cloud) CheckJob(ctx context.Context, job cloud.Job) error {
	if err := at.checkAlone(job); err != nil {
		return err
	}
	switch app, err := at.ReadApp(ctx, job.AppName); {
	case errors.Is(err, cloud.ErrNotFound):
		return invalid(console.FieldBody{Field: "appName", Value: view.Clip(job.AppName, 100), Want: "an application that is registered; POST " + apiRoute + "/apps registers one"})
	case err != nil:
		return err
	case app.Namespace != at.Place(job.Namespace):
		job.Namespace = at.Place(job.Namespace)
		return errAppElsewhere(job, app)
	}
	return nil
}

// errAppElsewhere is why a job cannot use an application.
func errAppElsewhere(job cloud.Job, app cloud.App) error {
	return invalid(console.FieldBody{Field: "appName", Value: view.Clip(job.AppName, 100), Want: fmt.Sprintf("an application of namespace %s, as the job is; this one is in %s", job.Namespace, app.Namespace)})
}

// checkAlone is CheckJob without the job's application.
func (at *Cloud) checkAlone(job cloud.Job) error {
	if err := job.Validate(); err != nil {
		return err
	}
	can := at.Engine.Capabilities()
	switch {
	case job.Type == cloud.TypeDaemon && !can.Daemons:
		return fmt.Errorf("jobExecutionType DAEMON needs the capability daemons, which the engine %s does not have: %w", can.Engine, cloud.ErrUnsupported)
	case job.Shards > can.MaxShards:
		return invalid(console.FieldBody{Field: "shardingTotalCount", Value: strconv.Itoa(job.Shards), Want: fmt.Sprintf("a whole number from 1 to %d with the engine %s", can.MaxShards, can.Engine)})
	}
	return nil
}

// keepsType refuses to change, while a job is enabled, what its processes are: those of before
// would work beside the new ones.
func keepsType(stored, wanted cloud.Job) error {
	field, value := "jobExecutionType", string(wanted.Type)
	if wanted.Type == stored.Type {
		field, value = "props."+cloud.PropDaemon, wanted.Props[cloud.PropDaemon]
	}
	if wanted.Type == stored.Type && value == stored.Props[cloud.PropDaemon] || stored.Disabled {
		return nil
	}
	return invalid(console.FieldBody{Field: field, Value: view.Clip(value, 60), Want: "the stored value while the job is enabled; disable it first"})
}

// CreateJob makes a job that there is not yet.
func (at *Cloud) CreateJob(ctx context.Context, job cloud.Job) (cloud.Definition, error) {
	if err := at.CheckJob(ctx, job); err != nil {
		return cloud.Definition{}, err
	}
	return at.Store.Create(ctx, job)
}

// StoreJob stores what is wanted in the place of what was stored when somebody looked.
func (at *Cloud) StoreJob(ctx context.Context, stored, wanted cloud.Job) (cloud.Definition, error) {
	wanted.Namespace = stored.Namespace // It never changes.
	if wanted.Disabled != stored.Disabled {
		return cloud.Definition{}, invalid(console.FieldBody{Field: "disabled", Value: strconv.FormatBool(wanted.Disabled), Want: "the stored value; POST " + apiJob + "/disable and /enable change it"})
	}
	if err := keepsType(stored, wanted); err != nil {
		return cloud.Definition{}, err
	}
	if err := at.CheckJob(ctx, wanted); err != nil {
		return cloud.Definition{}, err
	}
	return at.Store.Change(ctx, stored.Name, func(d *cloud.Definition) error {
		if !reflect.DeepEqual(d.Job.Clone(), stored.Clone()) {
			return fmt.Errorf("job %q: %w", stored.Name, cloud.ErrConflict)
		}
		d.Job = wanted.Clone()
		return nil
	})
}

// SwitchJob disables or enables a job. It returns the requests that were not launched and that
// disabling drops.
func (at *Cloud) SwitchJob(ctx context.Context, name string, disabled bool, way cloud.Way, now time.Time) (d cloud.Definition, dropped []cloud.Request, err error) {
	d, err = at.Store.Change(ctx, name, func(d *cloud.Definition) error {
		dropped = slices.Clone(d.Status.Requests)
		d.SetDisabled(disabled, way, now)
		if len(d.Status.Requests) > 0 {
			dropped = nil
		}
		return nil
	})
	return d, dropped, err
}

// SwitchCloudJob disables or enables a job. The audit names the requests that this drops.
func switchJob(s *console.Console, c *gin.Context, at *Cloud, name string, disabled bool, way cloud.Way) (cloud.Definition, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	d, dropped, err := at.SwitchJob(ctx, name, disabled, way, s.Now())
	if err == nil {
		noteDropped(s, c)(name, dropped)
	}
	return d, err
}

// DeleteCloudJob deletes a job. Its runs are the scheduler's to end; the audit names the requests
// that were not launched. A request that arrives now is one of them, or finds no job.
func deleteJob(s *console.Console, c *gin.Context, at *Cloud, name string) error {
	ctx, cancel := s.Reading(c)
	defer cancel()
	for {
		d, err := at.ReadJob(ctx, name)
		if err != nil {
			return err
		}
		err = at.Store.Delete(ctx, cloud.KindJob, name, cloud.DeleteOptions{Version: d.Version})
		if err == nil {
			noteDropped(s, c)(name, d.Status.Requests)
		}
		if !errors.Is(err, cloud.ErrConflict) || ctx.Err() != nil {
			return err
		}
	}
}

// Dropped is called with the requests of a job that were dropped before they were launched.
type Dropped func(job string, list []cloud.Request)

// NoteDropped returns a Dropped that names the runs in the audit record.
func noteDropped(s *console.Console, c *gin.Context) Dropped {
	return func(job string, list []cloud.Request) {
		if len(list) == 0 {
			return
		}
		runs := make([]string, len(list))
		for i, r := range list {
			runs[i] = cloud.ManualRunName(job, r.Key)
		}
		s.Note(c, slog.Int("cancelled_runs", len(runs)), slog.String("runs", strings.Join(runs, ", ")))
	}
}

// Trigger asks for a run of a job and returns the name that it will have.
func (at *Cloud) Trigger(ctx context.Context, name string, r cloud.Request) (run string, err error) {
	stored, err := at.ReadJob(ctx, name)
	if err != nil {
		return "", err
	}
	if app, err := at.ReadApp(ctx, stored.Job.AppName); err != nil {
		return "", err
	} else if app.Disabled {
		return "", fmt.Errorf("application %q of job %q is disabled; enable it first: %w", app.Name, name, cloud.ErrRefused)
	}
	_, err = at.Store.Change(ctx, name, func(d *cloud.Definition) (err error) {
		run, err = d.Ask(r)
		return err
	})
	return run, err
}
