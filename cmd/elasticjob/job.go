package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// jobCommand is `elasticjob job`: the jobs of agents, through a console.
type jobCommand struct {
	List        jobListCommand        `cmd:"" help:"List the jobs with their health, their shards and their next fire time."`
	Show        jobShowCommand        `cmd:"" help:"Show a job with its shards and instances."`
	Explain     jobExplainCommand     `cmd:"" help:"Explain why a job does not run, or did not run at a time."`
	Shards      jobShardsCommand      `cmd:"" help:"List the shards of a job."`
	ReshardPlan jobReshardPlanCommand `cmd:"" help:"Show which shards would move after a change."`

	Trigger      jobTriggerCommand      `cmd:"" help:"Run a job or several once, now, on its instances."`
	Enable       jobEnableCommand       `cmd:"" help:"Enable a job or several on its servers, or a shard of it."`
	Disable      jobDisableCommand      `cmd:"" help:"Disable a job or several on its servers, or a shard of it."`
	Shutdown     jobShutdownCommand     `cmd:"" help:"Shut down all instances of a job or several."`
	Remove       jobRemoveCommand       `cmd:"" help:"Remove a job or several from the registry."`
	Label        jobLabelCommand        `cmd:"" help:"Label a job or several, in its configuration."`
	ClearRunning jobClearRunningCommand `cmd:"" help:"Remove the running marker that a Java agent left at a shard."`

	Run     jobRunCommand     `cmd:"" help:"Request a run of a job, and print its id. With --wait the exit code is its outcome."`
	Runs    jobRunsCommand    `cmd:"" help:"List the requested runs of a job, or of all jobs."`
	Hold    jobHoldCommand    `cmd:"" help:"Hold the schedule of a job or several, or the requests of programs, until it is released."`
	Release jobReleaseCommand `cmd:"" help:"Release a job, or several, from a hold."`

	CancelWaiting jobCancelWaitingCommand `cmd:"" help:"Cancel the requested runs of a job that wait. Without --yes it prints how many, and asks."`

	Backfill jobBackfillCommand `cmd:"" help:"Request a run for each fire time between two moments in the past. Without --yes it prints the times and asks. It prints the id at once; an agent requests the runs."`

	Backfills      jobBackfillsCommand      `cmd:"" help:"List the last backfills of a job, with the outcome of their runs."`
	CancelBackfill jobCancelBackfillCommand `cmd:"" help:"Cancel a backfill: nothing more is requested, and its runs are cancelled."`
}

// ofJob is the job of a command, and how it reaches the console.
type ofJob struct {
	jobAccess
	Job string `arg:"" name:"name" help:"The job."`
}

// path is the address of the job in the REST interface, or below it.
func (j ofJob) path(more ...string) string {
	for i := range more {
		more[i] = url.PathEscape(more[i])
	}
	return api.JobPath("/api/jobs", j.Job, more...)
}

// run reads a run.
func (c *client) run(ctx context.Context, job, id string) (r run, raw []byte, err error) {
	raw, err = c.Ask(ctx, api.Call{Method: http.MethodGet, Path: ofJob{Job: job}.path("requested-runs", id)}, &r)
	return r, raw, err
}

// waiting is the flag of the commands that request a run.
type waiting struct {
	Wait bool `help:"Wait until the run has ended. Exit code 0: it succeeded, 3: it failed, 4: it was cancelled, 5: it was skipped or expired."`
}

// submit requests a run, prints its id, and waits for its end if that is wanted.
func (w waiting) submit(ctx context.Context, p *cli.Process, j *ofJob, c *client, q api.Call) error {
	var run run
	raw, err := c.Ask(ctx, q, &run)
	if err == nil && run.ID == "" {
		err = cli.Fail("Does --console name a console of ElasticJob for Go?", "%s answered without the id of a run", c.Base())
	}
	if err != nil {
		return err
	}
	if run.Repeated {
		fmt.Fprintf(p.Stderr, "run %s: it was requested with this key before\n", run.ID)
	}
	if run.Warning != "" {
		fmt.Fprintf(p.Stderr, "run %s: %s\n", run.ID, api.Plain(run.Warning))
	}
	id := func() error { _, err := fmt.Fprintln(p.Stdout, run.ID); return err }
	if !w.Wait {
		fmt.Fprintf(p.Stderr, "run %s: %s\n", run.ID, run.progress())
		return j.print(p, raw, id, run.ID)
	}
	if !j.structured() {
		if err := id(); err != nil {
			return err
		}
	}
	run, last, err := c.awaitRun(ctx, p, j.Job, run.ID)
	if err == nil {
		err = run.result(j.Job)
	}
	if last != nil {
		raw = last
	}
	return errors.Join(err, j.print(p, raw, func() error { return nil }))
}

// jobRunCommand is `elasticjob job run`.
type jobRunCommand struct {
	ofJob
	Params string        `placeholder:"JSON|@FILE|-" help:"The parameters: one JSON object, @FILE for the content of a file, - for standard input."`
	Delay  time.Duration `placeholder:"DURATION" help:"Begin after this time, such as 5m."`
	At     instant       `placeholder:"TIME" help:"Begin at this time, such as 03:00, +30m or 2026-11-22T02:30:00Z."`
	Key    string        `placeholder:"KEY" help:"Request it once: while the run has not ended, and some minutes longer, a request with the key finds that run."`
	Shards []int         `placeholder:"NUMBERS" help:"The shards that take part, such as 0,2. Default: all."`
	Note   string        `placeholder:"TEXT" help:"Why, shown in the list."`
	Manual bool          `help:"A person asks for it: it runs while what programs request is held."`
	File   string        `placeholder:"FILE" help:"In place of the other flags: request a run for each JSON object of a file, or of standard input with -. The keys are named as in the REST interface: params, key, delay, notBefore, shards, note."`
	waiting
}

func (c *jobRunCommand) Run(p *cli.Process) error {
	if c.File != "" {
		return c.batch(p)
	}
	body := api.RunRequest{NotBefore: string(c.At), Shards: c.Shards, Note: c.Note, Manual: c.Manual}
	if c.Delay != 0 {
		body.Delay = c.Delay.String()
	}
	if c.At != "" && c.Delay != 0 {
		return cli.Usage("Give one of them.", "--delay and --at are both given")
	}
	if strings.ContainsFunc(c.Key, unicode.IsControl) {
		return cli.Usage("A key is a line of text.", "--key has a character that is not printed")
	}
	var err error
	if body.Params, err = readParams(p, c.Params); err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		return c.submit(ctx, p, &c.ofJob, client, api.Call{Method: http.MethodPost, Path: c.path("requested-runs"), Key: c.Key, Body: body})
	})
}

// mostParams bounds parameters; the console takes less.
const mostParams = 1 << 20

// readParams reads parameters from a text, a file or standard input; empty is none. The console
// checks whether the job takes them.
func readParams(p *cli.Process, given string) (json.RawMessage, error) {
	const hint = "--params takes one JSON object such as '{\"month\":\"2026-10\"}', @FILE for the content of a file, or - for standard input."
	if given == "" {
		return nil, nil
	}
	text, err := readText(p, given, mostParams)
	switch {
	case errors.Is(err, errTooLong):
		return nil, cli.Usage("Parameters are 64 KiB at most: put larger data somewhere, and name the place.", "--params has more than %d MiB", mostParams>>20)
	case err != nil:
		return nil, cli.Fail(hint, "read --params: %w", err)
	}
	if !json.Valid(text) {
		return nil, cli.Usage(hint, "--params is not JSON")
	}
	return text, nil
}

// jobRunsCommand is `elasticjob job runs`.
type jobRunsCommand struct {
	jobAccess
	watching
	Job   string `arg:"" optional:"" name:"name" help:"The job. Default: the runs of all jobs."`
	State string `placeholder:"STATE" help:"Only runs in this state: scheduled, queued, running, succeeded, failed, cancelled, skipped or expired."`
	Limit int    `placeholder:"N" help:"How many at most, up to 200. Default: 50."`
}

func (c *jobRunsCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	if c.State != "" {
		asked.Set("state", c.State)
	}
	if c.Limit != 0 {
		asked.Set("limit", strconv.Itoa(c.Limit))
	}
	path := "/api/requested-runs"
	if c.Job != "" {
		path = ofJob{Job: c.Job}.path("requested-runs")
	}
	return show(p, c, c.watching, question[runs]{
		job: c.Job, path: path, query: asked, names: func(page runs) []string { return namesOf(func(r run) string { return r.ID })(page.Rows) },
		text: func(w io.Writer, page runs) error {
			page.notes(p.Stderr, c.Job == "")
			return printRuns(w, page.Rows, c.Job == "", time.Now())
		},
	})
}

// jobHoldCommand is `elasticjob job hold`.
type jobHoldCommand struct {
	jobs
	What   string `required:"" enum:"schedule,requests,all" help:"The hold: schedule (fire times), requests (runs that programs request) or all. Runs under way go on."`
	Reason string `required:"" placeholder:"TEXT" help:"Why, shown with the job."`
}

func (c *jobHoldCommand) Run(p *cli.Process) error {
	return c.act(p, api.BulkRequest{Order: "hold", What: jobrun.Held(c.What), Reason: c.Reason}, "", func(j *ofJob) error {
		return c.with(p, func(ctx context.Context, client *client) error {
			var h api.Hold
			raw, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: j.path("hold"), Body: api.HoldRequest{What: jobrun.Held(c.What), Reason: c.Reason}}, &h)
			if err != nil {
				return client.mean(ctx, c.Job, err)
			}
			return c.print(p, raw, func() error {
				_, err := fmt.Fprintf(p.Stdout, "job %q is held: %s, by %s at %s: %s\n", c.Job, h.What, api.Plain(h.By), moment(h.At), api.Plain(h.Reason))
				return err
			}, c.Job)
		})
	})
}

// jobReleaseCommand is `elasticjob job release`.
type jobReleaseCommand struct{ jobs }

func (c *jobReleaseCommand) Run(p *cli.Process) error {
	return c.act(p, api.BulkRequest{Order: "release"}, "", func(j *ofJob) error {
		return c.with(p, func(ctx context.Context, client *client) error {
			raw, err := client.Do(ctx, api.Call{Method: http.MethodPost, Path: j.path("release")})
			if err != nil {
				return client.mean(ctx, c.Job, err)
			}
			return c.print(p, raw, func() error {
				_, err := fmt.Fprintf(p.Stdout, "job %q is released\n", c.Job)
				return err
			}, c.Job)
		})
	})
}

// jobCancelWaitingCommand is `elasticjob job cancel-waiting`.
type jobCancelWaitingCommand struct {
	jobs
	State  string `enum:"scheduled,queued,all" default:"all" help:"Only runs that wait for their time (scheduled), or for their turn (queued)."`
	Reason string `placeholder:"TEXT" help:"The reason, shown with the runs."`
}

func (c *jobCancelWaitingCommand) Run(p *cli.Process) error {
	asked := url.Values{}
	set(asked, "reason", c.Reason)
	if c.State != "all" {
		asked.Set("state", c.State)
	}
	if c.several() && c.State != "all" {
		return cli.Usage("Name one job, or leave it out.", "--state is about one job")
	}
	return c.act(p, api.BulkRequest{Order: "cancel-waiting", Reason: c.Reason}, "", func(j *ofJob) error {
		return c.cancel(p, api.Call{Method: http.MethodDelete, Path: j.path("requested-runs")}, asked)
	})
}

// cancel cancels the runs of one job.
func (c *jobCancelWaitingCommand) cancel(p *cli.Process, call api.Call, asked url.Values) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		var runs struct{ Count int }
		if !c.Yes {
			asked.Set("preview", "true")
			call.Query = asked
			if _, err := client.Ask(ctx, call, &runs); err != nil {
				return client.mean(ctx, c.Job, err)
			}
			if err := ask(p, false, fmt.Sprintf("Cancel %d runs of job %q?", runs.Count, c.Job)); err != nil {
				return err
			}
			asked.Del("preview")
		}
		call.Query = asked
		raw, err := client.Ask(ctx, call, &runs)
		if err != nil {
			return client.mean(ctx, c.Job, err)
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.Stdout, "%d runs of job %q are cancelled\n", runs.Count, c.Job)
			return err
		}, c.Job)
	})
}
