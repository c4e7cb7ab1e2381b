package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// awaitCloudRun looks at a run until it has ended, and reports each new state on standard
// error. A run that was asked for does not exist before it is launched: as long as its job
// has requests, it may still be. The last answer is returned even with an
// error; it is nil if there was none.
func (c *client) awaitCloudRun(ctx context.Context, p *cli.Process, job, name string) (run cloudRun, raw []byte, err error) {
	var said string
	say := func(text string) {
		if text != said {
			fmt.Fprintf(p.Stderr, "run %s: %s\n", name, text)
			said = text
		}
	}
	lapses, absences := 0, 0
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return run, raw, cloudNotAwaited(ctx, job, name)
		case <-pause.C:
		}
		next, answer, err := c.cloudRun(ctx, name)
		if unknown(err) {
			var requested bool
			if requested, err = c.hasRequests(ctx, job); err == nil && requested {
				absences = 0
				say("requested")
			} else if err == nil {
				absences++
			}
		} else if err == nil {
			run, raw, lapses, absences = next, answer, 0, 0
			if say(run.State); cloud.RunState(run.State).Ended() {
				return run, raw, nil
			}
		}
		switch {
		case err == nil && absences < mostAbsent:
			pause.Reset(c.every)
			continue
		case err == nil:
			return run, raw, cli.Fail("It was forgotten because its job was disabled, or it has ended a while ago: its executions are in the history of the job.", "run %s of job %q is not known any more", name, job)
		case ctx.Err() != nil:
			return run, raw, cloudNotAwaited(ctx, job, name)
		case !api.Passes(err):
			return run, raw, cli.Fail(lookAtCloud(name), "nobody waits for run %s of job %q: %w", name, job, err)
		}
		say(err.Error() + "; it is asked again")
		pause.Reset(min(c.every<<min(lapses, 10), c.slowest))
		lapses++
	}
}

// hasRequests reports whether runs of a job wait that were asked for.
func (c *client) hasRequests(ctx context.Context, job string) (bool, error) {
	var j api.CloudJob
	_, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: cloudPath("jobs", job)}, &j)
	return j.Requested > 0, err
}

func cloudNotAwaited(ctx context.Context, job, name string) error {
	return cli.Fail(lookAtCloud(name), "run %s of job %q is not awaited any more: %w", name, job, context.Cause(ctx))
}

func lookAtCloud(name string) string {
	return "Look at it with `elasticjob cloud show " + inShell(name) + "`; `elasticjob cloud kill " + inShell(name) + "` ends it."
}

// unknown reports whether an error is the console's answer that something does not exist.
func unknown(err error) bool {
	refused, ok := errors.AsType[*api.Refusal](err)
	return ok && refused.Status == http.StatusNotFound && refused.Body.Code == "not_found"
}
