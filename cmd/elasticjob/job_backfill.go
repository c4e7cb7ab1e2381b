package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// jobBackfillCommand is `elasticjob job backfill`.
type jobBackfillCommand struct {
	ofJob
	From     instant `required:"" placeholder:"TIME" help:"The first moment, such as -2d, 2026-11-19 or 2026-11-19T00:00:00Z."`
	To       instant `required:"" placeholder:"TIME" help:"The last moment; it is past, and included."`
	Parallel int     `placeholder:"N" help:"How many of its runs may be queued or running at once, 1 to 100. Default: 100. A small number lets other requested runs go in between."`
	Params   string  `placeholder:"JSON|@FILE|-" help:"The parameters of each run: one JSON object, @FILE for the content of a file, - for standard input."`
	Yes      bool    `help:"Request the runs without a question."`
}

// backfillTimesShown is how many times of a preview are printed.
const backfillTimesShown = 30

func (c *jobBackfillCommand) Run(p *cli.Process) error {
	body := api.BackfillRequest{From: string(c.From), To: string(c.To), Parallel: c.Parallel, Preview: true}
	var err error
	if body.Params, err = readParams(p, c.Params); err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		preview, _, err := c.ask(ctx, client, body)
		if err != nil {
			return err
		}
		c.show(p, preview)
		if preview.Count == 0 {
			return cli.Fail("Choose other moments; --from and --to are both included.", "job %q has no fire time between them", c.Job)
		}
		if err := ask(p, c.Yes, "Request these runs?"); err != nil {
			return err
		}
		body.Preview = false
		done, raw, err := c.ask(ctx, client, body)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.Stdout, "%s\n", api.Plain(done.Backfill))
			return err
		})
	})
}

func (c *jobBackfillCommand) ask(ctx context.Context, client *client, body api.BackfillRequest) (a api.BackfillAnswer, raw []byte, err error) {
	raw, err = client.Ask(ctx, api.Call{Method: http.MethodPost, Path: c.path("backfill"), Body: body}, &a)
	return a, raw, err
}

// show prints a preview, on standard error as it is no result.
func (c *jobBackfillCommand) show(p *cli.Process, a api.BackfillAnswer) {
	fmt.Fprintf(p.Stderr, "job %q has %d fire times, from %s to %s:\n", c.Job, a.Count, moment(a.First), moment(a.Last))
	for _, at := range a.Times[:min(len(a.Times), backfillTimesShown)] {
		fmt.Fprintf(p.Stderr, "  %s\n", moment(at))
	}
	if more := a.Count - backfillTimesShown; more > 0 {
		fmt.Fprintf(p.Stderr, "  and %d more\n", more)
	}
	if a.RefusedCount > 0 {
		fmt.Fprintf(p.Stderr, "%d times get no run:\n", a.RefusedCount)
	}
	for _, refused := range a.Refused[:min(len(a.Refused), backfillTimesShown)] {
		fmt.Fprintf(p.Stderr, "  %s  %s\n", moment(refused.Time), api.Plain(refused.Property))
	}
	if a.ZoneAssumed {
		fmt.Fprintln(p.Stderr, "The job names no time zone: the times are by the console's.")
	}
}

// printBackfill prints a backfill as one line.
func printBackfill(w io.Writer, b api.Backfill) error {
	line := fmt.Sprintf("%s  %s  %s to %s  %d fire times", api.Plain(b.ID), api.Plain(b.State), moment(b.From), moment(b.To), b.Count)
	for _, part := range []struct {
		n    int
		what string
	}{
		{b.Runs.Waiting, "waiting"}, {b.Runs.Running, "running"}, {b.Runs.Succeeded, "succeeded"}, {b.Runs.Failed, "failed"}, {b.Runs.Cancelled, "cancelled"},
		{b.Runs.Skipped, "skipped"}, {b.Runs.Expired, "expired"}, {b.Runs.Unknown, "unknown"},
	} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if b.Problem != "" {
		line += "; the next run can't be requested: " + api.Plain(b.Problem)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// jobBackfillsCommand is `elasticjob job backfills`.
type jobBackfillsCommand struct{ ofJob }

func (c *jobBackfillsCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		var list api.Backfills
		raw, err := client.Ask(ctx, api.Call{Method: http.MethodGet, Path: c.path("backfills")}, &list)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			for _, b := range list.Rows {
				if err := printBackfill(p.Stdout, b); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// jobCancelBackfillCommand is `elasticjob job cancel-backfill`.
type jobCancelBackfillCommand struct {
	ofJob
	ID     string `arg:"" name:"id" help:"The backfill."`
	Reason string `placeholder:"TEXT" help:"The reason, shown with its runs."`
}

func (c *jobCancelBackfillCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		call := api.Call{Method: http.MethodPost, Path: c.path("backfills", c.ID, "cancel"), Body: api.CancelRequest{Reason: c.Reason}}
		var b api.Backfill
		raw, err := client.Ask(ctx, call, &b)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error { return printBackfill(p.Stdout, b) })
	})
}
