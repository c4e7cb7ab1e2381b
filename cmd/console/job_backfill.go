package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// jobBackfillCommand is `console job backfill`.
type jobBackfillCommand struct {
	ofJob
	From     string `required:"" placeholder:"TIME" help:"The first moment, such as 2026-11-19T00:00:00Z."`
	To       string `required:"" placeholder:"TIME" help:"The last moment; it is past, and included."`
	Parallel int    `placeholder:"N" help:"How many of its runs may be queued or running at once, 1 to 100. Default: 100. A small number lets other requested runs go in between."`
	Params   string `placeholder:"JSON|@FILE|-" help:"The parameters of each run: one JSON object, @FILE for the content of a file, - for standard input."`
	Yes      bool   `help:"Request the runs without a question."`
}

// backfillTimesShown is how many times of a preview are printed.
const backfillTimesShown = 30

// backfillRequest is what the REST interface takes.
type backfillRequest struct {
	From     string          `json:"from"`
	To       string          `json:"to"`
	Params   json.RawMessage `json:"params,omitempty"`
	Parallel int             `json:"parallel,omitempty"`
	Preview  bool            `json:"preview,omitempty"`
}

// backfillAnswer describes a preview, or the backfill that has begun.
type backfillAnswer struct {
	Count        int
	First, Last  string
	Times        []string
	Refused      []struct{ Time, Property string }
	RefusedCount int
	ZoneAssumed  bool
	Backfill     string
}

func (c *jobBackfillCommand) run(p *process) error {
	body := backfillRequest{From: c.From, To: c.To, Parallel: c.Parallel, Preview: true}
	for flag, text := range map[string]string{"--from": c.From, "--to": c.To} {
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return usage(flag+" takes a time with its zone, such as 2026-11-22T02:30:00Z or 2026-11-22T02:30:00+01:00.", "%s: %w", flag, err)
		}
	}
	var err error
	if body.Params, err = readParams(p, c.Params); err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		preview, _, err := c.ask(ctx, client, body)
		if err != nil {
			return err
		}
		c.show(p, preview)
		if preview.Count == 0 {
			return fail("Choose other moments; --from and --to are both included.", "job %q has no fire time between them", c.Job)
		}
		if !c.Yes && !agrees(p) {
			return fail("Say yes, or give --yes.", "nothing was requested")
		}
		body.Preview = false
		done, raw, err := c.ask(ctx, client, body)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			_, err := fmt.Fprintf(p.stdout, "%s\n", plain(done.Backfill))
			return err
		})
	})
}

func (c *jobBackfillCommand) ask(ctx context.Context, client *jobClient, body backfillRequest) (a backfillAnswer, raw []byte, err error) {
	if raw, err = client.call(ctx, jobCall{method: http.MethodPost, path: c.path("backfill"), body: body}); err != nil {
		return a, raw, err
	}
	return a, raw, client.decode(raw, &a)
}

// show prints a preview, on standard error as it is no result.
func (c *jobBackfillCommand) show(p *process, a backfillAnswer) {
	fmt.Fprintf(p.stderr, "job %q has %d fire times, from %s to %s:\n", c.Job, a.Count, moment(a.First), moment(a.Last))
	for _, at := range a.Times[:min(len(a.Times), backfillTimesShown)] {
		fmt.Fprintf(p.stderr, "  %s\n", moment(at))
	}
	if more := a.Count - backfillTimesShown; more > 0 {
		fmt.Fprintf(p.stderr, "  and %d more\n", more)
	}
	if a.RefusedCount > 0 {
		fmt.Fprintf(p.stderr, "%d times get no run:\n", a.RefusedCount)
	}
	for _, refused := range a.Refused[:min(len(a.Refused), backfillTimesShown)] {
		fmt.Fprintf(p.stderr, "  %s  %s\n", moment(refused.Time), plain(refused.Property))
	}
	if a.ZoneAssumed {
		fmt.Fprintln(p.stderr, "The job names no time zone: the times are by the console's.")
	}
}

// backfillState is a backfill and what became of its runs.
type backfillState struct {
	ID, State, From, To, Problem string

	Count int
	Runs  struct{ Waiting, Running, Succeeded, Failed, Cancelled, Skipped, Expired, Unknown int }
}

// print prints a backfill as one line.
func (b backfillState) print(w io.Writer) error {
	line := fmt.Sprintf("%s  %s  %s to %s  %d fire times", plain(b.ID), plain(b.State), moment(b.From), moment(b.To), b.Count)
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
		line += "; the next run can't be requested: " + plain(b.Problem)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// jobBackfillsCommand is `console job backfills`.
type jobBackfillsCommand struct{ ofJob }

func (c *jobBackfillsCommand) run(p *process) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		var list struct{ Rows []backfillState }
		raw, err := client.call(ctx, jobCall{method: http.MethodGet, path: c.path("backfills")})
		if err == nil {
			err = client.decode(raw, &list)
		}
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error {
			for _, b := range list.Rows {
				if err := b.print(p.stdout); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// jobCancelBackfillCommand is `console job cancel-backfill`.
type jobCancelBackfillCommand struct {
	ofJob
	ID     string `arg:"" name:"id" help:"The backfill."`
	Reason string `placeholder:"TEXT" help:"The reason, shown with its runs."`
}

func (c *jobCancelBackfillCommand) run(p *process) error {
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		call := jobCall{method: http.MethodPost, path: c.path("backfills", c.ID, "cancel"), body: map[string]string{"reason": c.Reason}}
		var b backfillState
		raw, err := client.call(ctx, call)
		if err == nil {
			err = client.decode(raw, &b)
		}
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error { return b.print(p.stdout) })
	})
}

// agrees asks on standard error, and reads the answer. Without an answer it is no.
func agrees(p *process) bool {
	fmt.Fprint(p.stderr, "Request these runs? [yes/no] ")
	answer, _ := bufio.NewReader(p.stdin).ReadString('\n') // What was read before an error is the answer.
	return strings.TrimSpace(answer) == "yes"
}
