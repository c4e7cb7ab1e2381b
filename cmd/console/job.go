package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// jobCommand is `console job`: the runs of a job that were requested, through a console
// that is running somewhere.
type jobCommand struct {
	jobAccess

	Run     jobRunCommand     `cmd:"" help:"Request a run of a job; its id is printed. With --wait the exit code says how it ended."`
	Runs    jobRunsCommand    `cmd:"" help:"List the requested runs of a job, or of all jobs."`
	Show    jobShowCommand    `cmd:"" help:"Show all that is known of a run, with the errors of its shards."`
	Cancel  jobCancelCommand  `cmd:"" help:"Cancel a run that waits, or ask the handlers of one under way to return."`
	Start   jobStartCommand   `cmd:"" help:"Have a run that waits for its time begin now."`
	Again   jobAgainCommand   `cmd:"" help:"Request a run that repeats one that has ended."`
	Hold    jobHoldCommand    `cmd:"" help:"Have the schedule of a job stand still, or what programs request, until it is released."`
	Release jobReleaseCommand `cmd:"" help:"Release a job that is held."`

	Backfill jobBackfillCommand `cmd:"" help:"Request a run for each fire time between two moments that are past. Without --yes it prints the times and asks. Its id is printed at once; an agent requests the runs."`

	Backfills      jobBackfillsCommand      `cmd:"" help:"List the last backfills of a job, with what became of their runs."`
	CancelBackfill jobCancelBackfillCommand `cmd:"" help:"Cancel a backfill: nothing more is requested, and its runs are cancelled."`
}

// AfterApply hands the flags of all these commands to each of them; kong calls it.
func (c *jobCommand) AfterApply() error { //nolint:unparam // kong wants an error
	for _, access := range []**jobAccess{
		&c.Run.access, &c.Runs.access, &c.Show.access, &c.Cancel.access, &c.Start.access, &c.Again.access, &c.Hold.access, &c.Release.access, &c.Backfill.access,
		&c.Backfills.access, &c.CancelBackfill.access,
	} {
		*access = &c.jobAccess
	}
	return nil
}

// ofJob is the job that a command is about, and how it reaches the console.
type ofJob struct {
	access *jobAccess
	Job    string `arg:"" name:"name" help:"The job."`
}

// ofRun is a run of a job.
type ofRun struct {
	ofJob
	ID string `arg:"" name:"id" help:"The run."`
}

// path is the address of the job in the REST interface, or below it.
func (j ofJob) path(more ...string) string {
	for i := range more {
		more[i] = url.PathEscape(more[i])
	}
	return console.JobPath("/api/jobs", j.Job, more...)
}

// with calls do with a client, within the time that the command has.
func (j ofJob) with(p *process, do func(context.Context, *jobClient) error) error {
	c, err := j.access.connect()
	if err != nil {
		return err
	}
	return j.access.within(p, c, do)
}

// within calls do with a client, within the time that the command has, and closes it.
func (a *consoleAccess) within(p *process, c *jobClient, do func(context.Context, *jobClient) error) error {
	ctx := p.ctx
	if limit := a.Timeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("the %v of --timeout are over", limit))
		defer cancel()
	}
	defer c.close(ctx)
	return do(ctx, c)
}

// print prints an answer: as it is, or in the words of text.
func (j ofJob) print(p *process, raw []byte, text func() error) error {
	return j.access.print(p, raw, text)
}

// print prints an answer: as it is, or in the words of text.
func (a *consoleAccess) print(p *process, raw []byte, text func() error) error {
	if !a.JSON {
		return text()
	}
	_, err := fmt.Fprintf(p.stdout, "%s\n", strings.TrimSpace(string(raw)))
	return err
}

// run reads a run.
func (c *jobClient) run(ctx context.Context, job, id string) (runAnswer, []byte, error) {
	return c.askRun(ctx, jobCall{method: http.MethodGet, path: ofJob{Job: job}.path("requested-runs", id)})
}

// askRun makes a request that is answered with a run.
func (c *jobClient) askRun(ctx context.Context, q jobCall) (r runAnswer, raw []byte, err error) {
	if raw, err = c.call(ctx, q); err != nil {
		return r, raw, err
	}
	return r, raw, c.decode(raw, &r)
}

func (c *jobClient) decode(raw []byte, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fail("Does --console name a console of ElasticJob for Go?", "%s answered with something else: %w", c.base, err)
	}
	return nil
}

// waiting is the flag of the commands that request a run.
type waiting struct {
	Wait bool `help:"Wait until the run has ended. Exit code 0: it succeeded, 3: it failed, 4: it was cancelled, 5: it was skipped or expired."`
}

// submit requests a run, prints its id, and waits for its end if that is wanted.
func (w waiting) submit(ctx context.Context, p *process, j ofJob, c *jobClient, q jobCall) error {
	run, raw, err := c.askRun(ctx, q)
	if err == nil && run.ID == "" {
		err = fail("Does --console name a console of ElasticJob for Go?", "%s answered without the id of a run", c.base)
	}
	if err != nil {
		return err
	}
	if run.Repeated {
		fmt.Fprintf(p.stderr, "run %s: it was requested with this key before\n", run.ID)
	}
	if run.Warning != "" {
		fmt.Fprintf(p.stderr, "run %s: %s\n", run.ID, plain(run.Warning))
	}
	id := func() error { _, err := fmt.Fprintln(p.stdout, run.ID); return err }
	if !w.Wait {
		fmt.Fprintf(p.stderr, "run %s: %s\n", run.ID, run.progress())
		return j.print(p, raw, id)
	}
	if !j.access.JSON {
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

// jobRunCommand is `console job run`.
type jobRunCommand struct {
	ofJob
	Params string        `placeholder:"JSON|@FILE|-" help:"The parameters: one JSON object, @FILE for the content of a file, - for standard input."`
	Delay  time.Duration `placeholder:"DURATION" help:"Begin after this time, such as 5m."`
	At     string        `placeholder:"TIME" help:"Begin at this time, such as 2026-11-22T02:30:00Z."`
	Key    string        `placeholder:"KEY" help:"Request it once: while the run has not ended, and some minutes longer, a request with the key finds that run."`
	Shards []int         `placeholder:"NUMBERS" help:"The shards that take part, such as 0,2. Default: all."`
	Note   string        `placeholder:"TEXT" help:"Why, for those who read the list."`
	Manual bool          `help:"A person asks for it: it runs while what programs request is held."`
	waiting
}

// runRequest is what the REST interface takes.
type runRequest struct {
	Params    json.RawMessage `json:"params,omitempty"`
	Delay     string          `json:"delay,omitempty"`
	NotBefore string          `json:"notBefore,omitempty"`
	Shards    []int           `json:"shards,omitempty"`
	Note      string          `json:"note,omitempty"`
	Manual    bool            `json:"manual,omitempty"`
}

func (c *jobRunCommand) run(p *process) error {
	body := runRequest{NotBefore: c.At, Shards: c.Shards, Note: c.Note, Manual: c.Manual}
	if c.Delay != 0 {
		body.Delay = c.Delay.String()
	}
	if c.At != "" {
		if _, err := time.Parse(time.RFC3339, c.At); err != nil {
			return usage("--at takes a time with its zone, such as 2026-11-22T02:30:00Z or 2026-11-22T02:30:00+01:00.", "--at: %w", err)
		}
		if c.Delay != 0 {
			return usage("Give one of them.", "--delay and --at are both given")
		}
	}
	if strings.ContainsFunc(c.Key, unicode.IsControl) {
		return usage("A key is a line of text.", "--key has a character that is not printed")
	}
	var err error
	if body.Params, err = readParams(p, c.Params); err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		return c.submit(ctx, p, c.ofJob, client, jobCall{method: http.MethodPost, path: c.path("requested-runs"), key: c.Key, body: body})
	})
}

// mostParams bounds what is read as parameters; the console takes less.
const mostParams = 1 << 20

// readParams reads parameters from where they are; empty is none. Whether they are what
// the job takes, the console says.
func readParams(p *process, given string) (json.RawMessage, error) {
	const hint = "--params takes one JSON object such as '{\"month\":\"2026-10\"}', @FILE for the content of a file, or - for standard input."
	if given == "" {
		return nil, nil
	}
	text := []byte(given)
	name, isFile := strings.CutPrefix(given, "@")
	var err error
	switch {
	case isFile:
		var file *os.File
		if file, err = os.Open(name); err == nil {
			text, err = readAtMost(p.ctx, file, mostParams)
			file.Close()
		}
	case given == "-":
		text, err = readAtMost(p.ctx, p.stdin, mostParams)
	}
	if err != nil {
		return nil, fail(hint, "read --params: %w", err)
	}
	if len(text) > mostParams {
		return nil, usage("Parameters are 64 KiB at most: put what is larger somewhere, and name the place.", "--params has more than %d MiB", mostParams>>20)
	}
	if !json.Valid(text) {
		return nil, usage(hint, "--params is not JSON")
	}
	return text, nil
}

// readAtMost reads to the end, or one byte beyond the bound, unless ctx ends.
func readAtMost(ctx context.Context, r io.Reader, most int64) (text []byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		text, err = io.ReadAll(io.LimitReader(r, most+1))
	}()
	select {
	case <-done:
		return text, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// jobRunsCommand is `console job runs`.
type jobRunsCommand struct {
	access *jobAccess
	Job    string `arg:"" optional:"" name:"name" help:"The job. Default: the runs of all jobs."`
	State  string `placeholder:"STATE" help:"Only runs in this state: scheduled, queued, running, succeeded, failed, cancelled, skipped or expired."`
	Limit  int    `placeholder:"N" help:"How many at most, up to 200. Default: 50."`
}

func (c *jobRunsCommand) run(p *process) error {
	asked := url.Values{}
	if c.State != "" {
		asked.Set("state", c.State)
	}
	if c.Limit != 0 {
		asked.Set("limit", strconv.Itoa(c.Limit))
	}
	job := ofJob{access: c.access, Job: c.Job}
	path := "/api/requested-runs"
	if c.Job != "" {
		path = job.path("requested-runs")
	}
	return job.with(p, func(ctx context.Context, client *jobClient) error {
		raw, err := client.call(ctx, jobCall{method: http.MethodGet, path: path, query: asked})
		if err != nil {
			return err
		}
		var page runsAnswer
		if err := client.decode(raw, &page); err != nil {
			return err
		}
		return job.print(p, raw, func() error {
			page.notes(p.stderr, c.Job == "")
			return printRuns(p.stdout, page.Rows, c.Job == "", time.Now())
		})
	})
}

// act issues a command about the run, and prints the state that it is in then.
func (c ofRun) act(p *process, action string, body any) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		run, raw, err := client.askRun(ctx, jobCall{method: http.MethodPost, path: c.path("requested-runs", c.ID, action), body: body})
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.stdout, "run %s: %s\n", run.ID, run.progress())
			return err
		})
	})
}

// jobCancelCommand is `console job cancel`.
type jobCancelCommand struct {
	ofRun
	Reason string `placeholder:"TEXT" help:"Why, for those who look at the run."`
}

func (c *jobCancelCommand) run(p *process) error {
	return c.act(p, "cancel", map[string]string{"reason": c.Reason})
}

// jobStartCommand is `console job start`.
type jobStartCommand struct{ ofRun }

func (c *jobStartCommand) run(p *process) error { return c.act(p, "start", nil) }

// jobAgainCommand is `console job again`.
type jobAgainCommand struct {
	ofRun
	Shards string `default:"all" enum:"all,failed" help:"all repeats the run; failed only the shards that failed or were cancelled."`
	Params string `placeholder:"JSON|@FILE|-" help:"Other parameters, as for run; null for none. Default: those of the run, of which the registry keeps 1 KiB."`
	Note   string `placeholder:"TEXT" help:"Why. Default: the note of the other run."`
	waiting
}

// againRequest is what the REST interface takes.
type againRequest struct {
	Params json.RawMessage `json:"params,omitempty"`
	Shards string          `json:"shards,omitempty"`
	Note   string          `json:"note,omitempty"`
}

func (c *jobAgainCommand) run(p *process) error {
	params, err := readParams(p, c.Params)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		body := againRequest{Params: params, Shards: c.Shards, Note: c.Note}
		return c.submit(ctx, p, c.ofJob, client, jobCall{method: http.MethodPost, path: c.path("requested-runs", c.ID, "again"), body: body})
	})
}

// jobHoldCommand is `console job hold`.
type jobHoldCommand struct {
	ofJob
	What   string `required:"" enum:"schedule,requests,all" help:"What stands still: schedule (fire times), requests (runs that programs ask for) or all. What runs goes on."`
	Reason string `required:"" placeholder:"TEXT" help:"Why, for those who find the job held."`
}

// holdAnswer is what holds a job, or has held it.
type holdAnswer struct{ What, By, At, Reason string }

func (c *jobHoldCommand) run(p *process) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		raw, err := client.call(ctx, jobCall{method: http.MethodPost, path: c.path("hold"), body: map[string]string{"what": c.What, "reason": c.Reason}})
		if err != nil {
			return err
		}
		var h holdAnswer
		if err := client.decode(raw, &h); err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.stdout, "job %q is held: %s, by %s at %s: %s\n", c.Job, plain(h.What), plain(h.By), moment(h.At), plain(h.Reason))
			return err
		})
	})
}

// jobReleaseCommand is `console job release`.
type jobReleaseCommand struct{ ofJob }

func (c *jobReleaseCommand) run(p *process) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		raw, err := client.call(ctx, jobCall{method: http.MethodPost, path: c.path("release")})
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.stdout, "job %q is released\n", c.Job)
			return err
		})
	})
}
