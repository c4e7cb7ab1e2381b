package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// jobBackfillCommand is `console job backfill`.
type jobBackfillCommand struct {
	ofJob
	From   string `required:"" placeholder:"TIME" help:"The first moment, such as 2026-11-19T00:00:00Z."`
	To     string `required:"" placeholder:"TIME" help:"The last moment; it is past, and included."`
	Params string `placeholder:"JSON|@FILE|-" help:"The parameters of each run: one JSON object, @FILE for the content of a file, - for standard input."`
	Yes    bool   `help:"Request the runs without a question."`
}

// backfillRequest is what the REST interface takes.
type backfillRequest struct {
	From    string          `json:"from"`
	To      string          `json:"to"`
	Params  json.RawMessage `json:"params,omitempty"`
	Preview bool            `json:"preview,omitempty"`
}

// backfillAnswer is what a backfill would do, or has done.
type backfillAnswer struct {
	Count        int
	Times        []string
	Refused      []struct{ Time, Property string }
	RefusedCount int
	ZoneAssumed  bool
	Backfill     string
	Created      int
	Repeated     int
}

func (c *jobBackfillCommand) run(p *process) error {
	body := backfillRequest{From: c.From, To: c.To, Preview: true}
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
			_, err := fmt.Fprintf(p.stdout, "job %q: %d runs requested, %d were there before\n", c.Job, done.Created, done.Repeated)
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
	fmt.Fprintf(p.stderr, "job %q has %d fire times:\n", c.Job, a.Count)
	for _, at := range a.Times {
		fmt.Fprintf(p.stderr, "  %s\n", moment(at))
	}
	if a.RefusedCount > 0 {
		fmt.Fprintf(p.stderr, "%d times get no run:\n", a.RefusedCount)
	}
	for _, refused := range a.Refused {
		fmt.Fprintf(p.stderr, "  %s  %s\n", moment(refused.Time), plain(refused.Property))
	}
	if a.ZoneAssumed {
		fmt.Fprintln(p.stderr, "The job names no time zone: the times are by the console's.")
	}
}

// agrees asks on standard error, and reads the answer. Without an answer it is no.
func agrees(p *process) bool {
	fmt.Fprint(p.stderr, "Request these runs? [yes/no] ")
	answer, _ := bufio.NewReader(p.stdin).ReadString('\n') // What was read before an error is the answer.
	return strings.TrimSpace(answer) == "yes"
}
