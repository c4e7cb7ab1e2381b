package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// Bounds of the file of a batch, and of one request for many runs.
const (
	mostBatchFile  = 64 << 20
	mostBatchRuns  = 1000
	mostBatchBytes = 900 << 10
)

// batch requests the runs of a file. It prints their ids; the exit code is 1 if one is refused.
func (c *jobRunCommand) batch(p *cli.Process) error {
	if c.Params+c.Key+c.Note+string(c.At) != "" || c.Delay != 0 || len(c.Shards) > 0 || c.Manual || c.Wait {
		return cli.Usage("The objects of the file have these keys. To wait for runs, follow `elasticjob job runs`.", "--file leaves the other flags nothing to do")
	}
	requests, err := readRequests(p, c.File)
	if err != nil {
		return err
	}
	return c.with(p, func(ctx context.Context, client *client) error {
		all := api.Batch{Runs: []api.BatchRun{}, Refused: []api.BatchRefusal{}}
		progress := newProgress(p.Stderr, "requests", len(requests))
		for done := 0; done < len(requests); {
			part := requests[done : done+fitting(requests[done:])]
			var answer api.Batch
			_, err := client.Ask(ctx, api.Call{Method: http.MethodPost, Path: c.path("requested-runs", "batch"), Body: map[string]any{"runs": part}}, &answer)
			if err != nil {
				progress.end()
				for _, r := range all.Runs {
					fmt.Fprintln(p.Stdout, api.Plain(r.ID))
				}
				return cli.Fail("With a key in each object the command can be repeated: it requests each run once.\n"+cli.Hint(err),
					"the first %d of %d requests were sent: %w", done, len(requests), client.mean(ctx, c.Job, err))
			}
			all.Created += answer.Created
			all.Repeated += answer.Repeated
			for _, r := range answer.Runs {
				r.Index += done
				all.Runs = append(all.Runs, r)
			}
			for _, r := range answer.Refused {
				r.Index += done
				all.Refused = append(all.Refused, r)
			}
			done += len(part)
			progress.step(len(part))
		}
		progress.end()
		return c.printBatch(p, all)
	})
}

func (c *jobRunCommand) printBatch(p *cli.Process, all api.Batch) error {
	for _, r := range all.Refused {
		reason := r.Message
		for _, f := range r.Fields {
			reason += " " + f.Field + ": want " + f.Want
		}
		fmt.Fprintf(p.Stderr, "object %d: %s\n", r.Index+1, api.Plain(reason))
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return err
	}
	ids := namesOf(func(r api.BatchRun) string { return r.ID })(all.Runs)
	err = c.print(p, raw, func() error {
		for _, id := range ids {
			if _, err := fmt.Fprintln(p.Stdout, api.Plain(id)); err != nil {
				return err
			}
		}
		return nil
	}, ids...)
	if err == nil && len(all.Refused) > 0 {
		err = cli.Fail("", "%s of %d refused", count(len(all.Refused), "request"), len(all.Refused)+len(all.Runs))
	}
	return err
}

// readRequests reads JSON objects: one behind the other, or in arrays.
func readRequests(p *cli.Process, file string) (requests []json.RawMessage, err error) {
	const hint = `Write {"params":{"month":"2026-10"},"key":"invoices-2026-10"}, one line for each run.`
	given := file
	if given != "-" {
		given = "@" + given
	}
	text, err := readText(p, given, mostBatchFile)
	if err != nil {
		return nil, cli.Fail(hint, "read --file: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		err := d.Decode(&value)
		if errors.Is(err, io.EOF) {
			break
		}
		several := []json.RawMessage{value}
		if err == nil && value[0] == '[' {
			err = json.Unmarshal(value, &several)
		}
		if err != nil {
			return nil, cli.Usage(hint, "%s: object %d: %w", file, len(requests)+1, err)
		}
		for _, one := range several {
			if one[0] != '{' {
				return nil, cli.Usage(hint, "%s: object %d is no JSON object", file, len(requests)+1)
			}
			if len(one) > mostBatchBytes {
				return nil, cli.Usage("Parameters are 64 KiB at most.", "%s: object %d is too long", file, len(requests)+1)
			}
			requests = append(requests, one)
		}
	}
	if len(requests) == 0 {
		return nil, cli.Usage(hint, "%s has no object", file)
	}
	return slices.Clip(requests), nil
}

// fitting returns how many requests fit into one request of the REST interface.
func fitting(requests []json.RawMessage) int {
	size := 0
	for i, one := range requests {
		if size += len(one) + 1; i == mostBatchRuns || size > mostBatchBytes {
			return i
		}
	}
	return len(requests)
}
