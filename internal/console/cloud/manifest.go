package cloud

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
)

// manifestKey is that of the request whose run is shown of a job that has no fire time to
// come.
const manifestKey = "manifest"

// NextRun is the run that a job would have next after a moment: that of its next fire time, or
// else of a request. A DAEMON job has the run of its processes.
func (at *Cloud) NextRun(d cloud.Definition, app cloud.App, now time.Time) cloud.Run {
	r := cloud.Run{Job: d.Job.Clone(), App: app.Clone(), Owner: d.UID, Fire: now.UTC().Truncate(time.Second), Origin: cloud.OriginManual, Name: cloud.ManualRunName(d.Job.Name, manifestKey)}
	if d.Job.Type == cloud.TypeDaemon {
		r.Origin, r.Name = cloud.OriginDaemon, cloud.DaemonRunName(d.Job.Name)
		return r
	}
	if schedule, err := at.Schedule(d.Job); err == nil {
		if next, ok := schedule.Next(now); ok {
			r.Origin, r.Fire, r.Name = cloud.OriginCron, next.UTC(), cloud.RunName(d.Job.Name, next)
		}
	}
	return r
}

// Manifest is the object that the engine would make of the next run of a job, as YAML. masked
// has it made of what whoever only looks may see.
func (at *Cloud) Manifest(ctx context.Context, job string, masked bool, now time.Time) ([]byte, error) {
	engine, can := at.Engine.(cloud.Manifester)
	if !can {
		return nil, &console.Problem{
			Kind: console.KindUnsupported, Code: "no_manifest", Message: fmt.Sprintf("The engine %s starts processes itself: they have no manifest.", at.Engine.Capabilities().Engine),
			Hint: "A console with --cloud kubernetes has one for each job. GET /api/cloud/jobs/{job} and the job's page show what is started here.",
		}
	}
	d, err := at.ReadJob(ctx, job)
	if err != nil {
		return nil, err
	}
	app, err := at.ReadApp(ctx, d.Job.AppName)
	if errors.Is(err, cloud.ErrNotFound) {
		return nil, fmt.Errorf("job %q names application %q, which is not registered: %w", job, d.Job.AppName, cloud.ErrRefused)
	}
	if err != nil {
		return nil, err
	}
	if masked {
		d, app = maskedJob(d), maskedApp(app)
	}
	text, err := engine.Manifest(at.NextRun(d, app, now))
	if err != nil && !errors.Is(err, cloud.ErrRefused) {
		return nil, fmt.Errorf("%w: %w", err, cloud.ErrRefused)
	}
	return text, err
}
