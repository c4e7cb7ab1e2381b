package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// runCommand is `elasticjob run`: the runs of jobs.
type runCommand struct {
	List   runListCommand   `cmd:"" help:"List all runs of a job, or of all jobs."`
	Show   runShowCommand   `cmd:"" help:"Show a run with its shards and their errors."`
	Logs   runLogsCommand   `cmd:"" help:"Print the lines that the handlers of a run logged: the last attempt of each shard."`
	Cancel runCancelCommand `cmd:"" help:"Cancel a run that waits, or ask the handlers of one under way to return."`
	Start  runStartCommand  `cmd:"" help:"Let a run that waits for its time begin now."`
	Again  runAgainCommand  `cmd:"" help:"Request a run that repeats a run that has ended."`
}

// ofRun is a run of a job.
type ofRun struct {
	ofJob
	ID string `arg:"" name:"id" help:"The run. The beginning or the end of its id is enough if no other run of the job has it."`
}

// A part of an id has at least four letters. An id with all its letters isn't looked for.
const (
	leastID = 4
	wholeID = 36
)

// mostIDs is how many of the last runs are looked at for a part of an id.
const mostIDs = 200

// complete replaces a part of an id by the id of the only run that has it.
func (c *ofRun) complete(ctx context.Context, client *client) error {
	if len(c.ID) < leastID || len(c.ID) >= wholeID {
		return nil
	}
	var requested runs
	var past api.Runs
	limit := url.Values{"limit": {strconv.Itoa(mostIDs)}}
	if _, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: c.path("requested-runs"), Query: limit}, &requested); err != nil {
		return client.mean(ctx, c.Job, err)
	}
	// A console without a database has no past runs.
	_, _ = client.Ask(ctx, api.Call{Method: http.MethodGet, Path: c.path("runs"), Query: limit}, &past)
	ids := slices.Concat(namesOf(func(r run) string { return r.ID })(requested.Rows), namesOf(func(r api.Run) string { return r.ID })(past.Rows))
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return !strings.HasPrefix(id, c.ID) && !strings.HasSuffix(id, c.ID) })
	switch len(ids) {
	case 0: // Maybe an older run has exactly this id.
		return nil
	case 1:
		c.ID = ids[0]
		return nil
	}
	return cli.Fail("Give more of the id: "+enumerate(ids, 10)+".", "%d runs of job %q have %s in their ids", len(ids), c.Job, c.ID)
}

// runListCommand is `elasticjob run list`.
type runListCommand struct {
	jobAccess
	watching
	Job     string  `arg:"" optional:"" name:"job" help:"The job. Default: the runs of all jobs."`
	State   string  `placeholder:"STATE" help:"Only runs in this state, such as running, failed or lost."`
	Trigger string  `placeholder:"TRIGGER" help:"Only runs that this started, such as schedule, manual or request."`
	From    instant `placeholder:"TIME" help:"Only runs that began at this time or later, such as -1h, 'yesterday 03:00' or 2026-11-22T02:30:00Z."`
	To      instant `placeholder:"TIME" help:"Only runs that began before this time."`
	Limit   int     `placeholder:"N" help:"How many at most."`
}

func (c *runListCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	for name, value := range map[string]string{"state": c.State, "trigger": c.Trigger, "from": string(c.From), "to": string(c.To)} {
		set(asked, name, value)
	}
	if c.Limit != 0 {
		asked.Set("limit", strconv.Itoa(c.Limit))
	}
	path, head := "/api/runs", "JOB ID STATE TRIGGER BEGAN TOOK SHARDS CAUSE"
	if c.Job != "" {
		path = ofJob{Job: c.Job}.path("runs")
	}
	return show(p, c, c.watching, question[api.Runs]{
		job: c.Job, path: path, query: asked, names: func(page api.Runs) []string { return namesOf(func(r api.Run) string { return r.ID })(page.Rows) },
		text: func(w io.Writer, page api.Runs) error {
			return table(w, head, func(row func(...any)) {
				for _, r := range page.Rows {
					row(r.JobName, r.ID, r.State, r.Trigger, moment(r.StartTime), span(r.StartTime, r.CompleteTime), fmt.Sprintf("%d/%d", r.Succeeded, r.Shards), firstLine(r.FailureCause))
				}
			})
		},
	})
}

// span is the time between two instants; empty if one of them is missing.
func span(from, to string) string {
	began, err := time.Parse(time.RFC3339Nano, from)
	ended, err2 := time.Parse(time.RFC3339Nano, to)
	if err != nil || err2 != nil {
		return ""
	}
	return ended.Sub(began).Round(time.Millisecond).String()
}

// runShowCommand is `elasticjob run show`.
type runShowCommand struct {
	ofRun
	watching
}

// Run shows a requested run. Any other run is in the history, under the same kind of id.
func (c *runShowCommand) Run(p *cli.Process) error {
	if err := c.with(p, c.complete); err != nil {
		return err
	}
	err := show(p, c, c.watching, question[run]{
		path: c.path("requested-runs", c.ID), names: just[run](c.ID), text: func(w io.Writer, r run) error { printRun(w, r, time.Now()); return nil },
	})
	if !api.NotFound(err) {
		return err
	}
	of := show(p, c, c.watching, question[api.RunDetail]{job: c.Job, path: c.path("runs", c.ID), names: just[api.RunDetail](c.ID), text: printHistory})
	if api.NotFound(of) {
		return err
	}
	return of
}

// printHistory prints a run of the history with its executions.
func printHistory(w io.Writer, r api.RunDetail) error {
	line := liner(w)
	line("run", r.ID)
	line("job", r.JobName)
	line("state", r.State)
	line("trigger", r.Trigger)
	line("fire time", moment(r.ScheduledAt))
	line("began", moment(r.StartTime))
	line("took", span(r.StartTime, r.CompleteTime))
	line("cause", r.FailureCause)
	line("shards", fmt.Sprintf("%d: %d succeeded, %d failed, %d lost, %d running", r.Shards, r.Succeeded, r.Failed, r.Lost, r.Running))
	fmt.Fprintln(w)
	return table(w, "SHARD ATTEMPT STATE SERVER BEGAN TOOK CAUSE", func(row func(...any)) {
		for _, e := range r.Executions {
			row(e.ShardingItem, e.Attempt, e.State, e.IP, moment(e.StartTime), span(e.StartTime, e.CompleteTime), firstLine(e.FailureCause))
		}
	})
}

// act issues a command about the run, and prints the state that it is in then.
func (c *ofRun) act(p *cli.Process, action string, body any) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		if err := c.complete(ctx, client); err != nil {
			return err
		}
		var run run
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: c.path("requested-runs", c.ID, action), Body: body}, &run)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.Stdout, "run %s: %s\n", run.ID, run.progress())
			return err
		}, run.ID)
	})
}

// runCancelCommand is `elasticjob run cancel`.
type runCancelCommand struct {
	ofRun
	Reason string `placeholder:"TEXT" help:"Why, shown with the run."`
}

func (c *runCancelCommand) Run(p *cli.Process) error {
	return c.act(p, "cancel", api.CancelRequest{Reason: c.Reason})
}

// runStartCommand is `elasticjob run start`.
type runStartCommand struct{ ofRun }

func (c *runStartCommand) Run(p *cli.Process) error { return c.act(p, "start", nil) }

// runAgainCommand is `elasticjob run again`.
type runAgainCommand struct {
	ofRun
	Shards string `default:"all" enum:"all,failed" help:"all repeats the run; failed only the shards that failed or were cancelled."`
	Params string `placeholder:"JSON|@FILE|-" help:"Other parameters, as for run; null for none. Default: the parameters of the run; the registry keeps 1 KiB of them."`
	Note   string `placeholder:"TEXT" help:"Why. Default: the note of the other run."`
	waiting
}

func (c *runAgainCommand) Run(p *cli.Process) error {
	params, err := readParams(p, c.Params)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		if err := c.complete(ctx, client); err != nil {
			return err
		}
		body := api.AgainRequest{Params: params, Shards: c.Shards}
		if c.Note != "" {
			body.Note = &c.Note
		}
		return c.submit(ctx, p, &c.ofJob, client, api.Call{Method: http.MethodPost, Path: c.path("requested-runs", c.ID, "again"), Body: body})
	})
}
