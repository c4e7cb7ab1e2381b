package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// runLogsCommand is `elasticjob run logs`.
type runLogsCommand struct {
	ofRun
	Shard   int  `default:"-1" placeholder:"N" help:"Only this shard."`
	Attempt int  `placeholder:"N" help:"This attempt of each shard. Default: the last one."`
	Follow  bool `short:"f" help:"Print new lines too, until the run has ended."`
}

func (c *runLogsCommand) Run(p *cli.Process) error {
	return c.with(p, func(ctx context.Context, client *client) error {
		if err := c.complete(ctx, client); err != nil {
			return err
		}
		return c.printLog(ctx, p, client)
	})
}

// shardLine is a line of a log, as -o json prints it.
type shardLine struct {
	Shard   int `json:"shard"`
	Attempt int `json:"attempt"`
	api.RunLogLine
}

// mostLines is how many lines are asked for at once.
const mostLines = 500

// lastLook is for how many looks a log is followed after the end of its run: agents write
// lines some moments later.
const lastLook = 3

// printLog prints the log of the run, and with --follow what comes until its end. It goes
// on for a while if the console, which has answered before, does not any more.
func (c *runLogsCommand) printLog(ctx context.Context, p *cli.Process, client *client) error {
	printed := make(map[string]int) // by execution, the number of the last line
	var silent lapse
	answered := false
	pause := time.NewTimer(0)
	defer pause.Stop()
	for looks := lastLook; ; {
		select {
		case <-ctx.Done():
			return notAwaited(ctx, c.Job, c.ID)
		case <-pause.C:
		}
		ended, err := c.printNew(ctx, p.Stdout, client, printed)
		switch {
		case err != nil && ctx.Err() != nil:
			return notAwaited(ctx, c.Job, c.ID)
		case err != nil && c.Follow && answered && api.Passes(err) && silent.lasts(client.patience):
			if silent.count == 1 {
				fmt.Fprintf(p.Stderr, "run %s: %v; it is asked again for %v\n", c.ID, err, client.patience)
			}
			pause.Reset(min(client.every<<min(silent.count-1, 10), client.slowest))
			continue
		case err != nil && silent.count > 0:
			return cli.Fail(lookAgain(c.Job, c.ID), "the log of run %s of job %q is not followed any more: %w", c.ID, c.Job, err)
		case err != nil:
			return err
		}
		if silent.count > 0 {
			fmt.Fprintf(p.Stderr, "run %s: the console answers again\n", c.ID)
		}
		silent, answered = lapse{}, true
		if ended {
			looks--
		}
		if !c.Follow || looks == 0 {
			return nil
		}
		pause.Reset(client.every)
	}
}

// lapse is a time in which the console did not answer: since when, and how often.
type lapse struct {
	since time.Time
	count int
}

// lasts counts one more time without an answer, and reports whether it is asked again.
func (l *lapse) lasts(patience time.Duration) bool {
	if l.count++; l.count == 1 {
		l.since = time.Now()
	}
	return time.Since(l.since) < patience
}

// printNew prints the lines that have come since, and reports whether the run has ended.
func (c *runLogsCommand) printNew(ctx context.Context, w io.Writer, client *client, printed map[string]int) (ended bool, err error) {
	now, err := client.log(ctx, &c.ofRun, api.RunLogOf{Shard: -1}, 0)
	if err != nil {
		return false, err
	}
	for _, of := range c.wanted(now.Logs) {
		for more := of.Lines > 0; more; {
			part, err := client.log(ctx, &c.ofRun, of, printed[of.Execution])
			if err != nil {
				return false, err
			}
			for _, line := range part.Lines {
				if err := c.printLine(w, shardLine{of.Shard, of.Attempt, line}); err != nil {
					return false, err
				}
			}
			printed[of.Execution] = part.After
			more = len(part.Lines) >= mostLines
		}
	}
	return now.Ended, nil
}

// wanted returns the executions to print.
func (c *runLogsCommand) wanted(logs []api.RunLogOf) []api.RunLogOf {
	last := make(map[int]int)
	for _, l := range logs {
		last[l.Shard] = max(last[l.Shard], l.Attempt)
	}
	return slices.DeleteFunc(slices.Clone(logs), func(l api.RunLogOf) bool {
		attempt := last[l.Shard]
		if c.Attempt > 0 {
			attempt = c.Attempt
		}
		return l.Attempt != attempt || c.Shard >= 0 && l.Shard != c.Shard
	})
}

// log reads lines of an execution; of the first shard if it names none.
func (c *client) log(ctx context.Context, run *ofRun, of api.RunLogOf, after int) (log api.RunLog, err error) {
	asked := url.Values{"limit": {strconv.Itoa(mostLines)}}
	if of.Shard >= 0 {
		asked.Set("item", strconv.Itoa(of.Shard))
		asked.Set("attempt", strconv.Itoa(of.Attempt))
		asked.Set("execution", of.Execution)
		asked.Set("after", strconv.Itoa(after))
	} else {
		asked.Set("limit", "1")
	}
	_, err = c.Ask(ctx, api.Call{Method: http.MethodGet, Path: run.path("requested-runs", run.ID, "log"), Query: asked}, &log)
	return log, err
}

func (c *runLogsCommand) printLine(w io.Writer, l shardLine) error {
	if c.structured() {
		return json.NewEncoder(w).Encode(l)
	}
	at := l.At
	if t, err := time.Parse(time.RFC3339Nano, l.At); err == nil {
		at = t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	_, err := fmt.Fprintf(w, "%s shard %d attempt %d %-5s %s\n", at, l.Shard, l.Attempt, api.Plain(l.Level), api.Plain(l.Message))
	return err
}
