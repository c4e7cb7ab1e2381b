package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// runCommand is `elasticjob run`: the requested runs of jobs.
type runCommand struct {
	Show   runShowCommand   `cmd:"" help:"Show everything about a run, with the errors of its shards."`
	Logs   runLogsCommand   `cmd:"" help:"Print the lines that the handlers of a run logged: the last attempt of each shard."`
	Cancel runCancelCommand `cmd:"" help:"Cancel a run that waits, or ask the handlers of one under way to return."`
	Start  runStartCommand  `cmd:"" help:"Let a run that waits for its time begin now."`
	Again  runAgainCommand  `cmd:"" help:"Request a run that repeats one that has ended."`
}

// ofRun is a run of a job.
type ofRun struct {
	ofJob
	ID string `arg:"" name:"id" help:"The run."`
}

// act issues a command about the run, and prints the state that it is in then.
func (c *ofRun) act(p *cli.Process, action string, body any) error {
	return c.with(p, func(ctx context.Context, client *client) error {
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
	Reason string `placeholder:"TEXT" help:"Why, for those who look at the run."`
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
	Params string `placeholder:"JSON|@FILE|-" help:"Other parameters, as for run; null for none. Default: those of the run, of which the registry keeps 1 KiB."`
	Note   string `placeholder:"TEXT" help:"Why. Default: the note of the other run."`
	waiting
}

func (c *runAgainCommand) Run(p *cli.Process) error {
	params, err := readParams(p, c.Params)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		body := api.AgainRequest{Params: params, Shards: c.Shards}
		if c.Note != "" {
			body.Note = &c.Note
		}
		return c.submit(ctx, p, &c.ofJob, client, api.Call{Method: http.MethodPost, Path: c.path("requested-runs", c.ID, "again"), Body: body})
	})
}
