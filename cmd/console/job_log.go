package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// jobShowCommand is `console job show`.
type jobShowCommand struct {
	ofRun
	Log     bool `help:"Print what the handlers have logged, in place of the run: of each shard its last attempt."`
	Shard   int  `default:"-1" placeholder:"N" help:"With --log: only this shard."`
	Attempt int  `placeholder:"N" help:"With --log: this attempt of each shard."`
	Follow  bool `help:"With --log: print what comes, until the run has ended."`
}

func (c *jobShowCommand) run(p *process) error {
	if !c.Log && (c.Follow || c.Shard >= 0 || c.Attempt != 0) {
		return usage("Give --log as well.", "--shard, --attempt and --follow are about the log")
	}
	return c.with(p, func(ctx context.Context, client *jobClient) error {
		if c.Log {
			return c.printLog(ctx, p, client)
		}
		run, raw, err := client.run(ctx, c.Job, c.ID)
		if err != nil {
			return err
		}
		return c.print(p, raw, func() error { printRun(p.stdout, run, time.Now()); return nil })
	})
}

// logOfAnswer says that a shard has logged something in an execution.
type logOfAnswer struct {
	Shard     int    `json:"shard"`
	Attempt   int    `json:"attempt"`
	Execution string `json:"execution"`
	Lines     int    `json:"lines"`
}

// logAnswer is a part of a log.
type logAnswer struct {
	Shard   int           `json:"shard"`
	Attempt int           `json:"attempt"`
	Lines   []lineOfShard `json:"lines"`
	After   int           `json:"after"`
	Logs    []logOfAnswer `json:"logs"`
	Ended   bool          `json:"ended"`
}

// lineOfShard is a line of a log, and with --json how it is printed.
type lineOfShard struct {
	Shard   int    `json:"shard"`
	Attempt int    `json:"attempt"`
	Seq     int    `json:"seq"`
	At      string `json:"at"`
	Level   string `json:"level"`
	Message string `json:"message"`
}

// mostLines is how many lines are asked for at once.
const mostLines = 500

// lastLook is for how many looks a log is followed after the end of its run: agents write
// lines some moments later.
const lastLook = 3

// printLog prints the log of the run, and with --follow what comes until its end. It goes
// on for a while if the console, which has answered before, does not any more.
func (c *jobShowCommand) printLog(ctx context.Context, p *process, client *jobClient) error {
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
		ended, err := c.printNew(ctx, p.stdout, client, printed)
		switch {
		case err != nil && ctx.Err() != nil:
			return notAwaited(ctx, c.Job, c.ID)
		case err != nil && c.Follow && answered && passes(err) && silent.lasts(client.patience):
			if silent.count == 1 {
				fmt.Fprintf(p.stderr, "run %s: %v; it is asked again for %v\n", c.ID, err, client.patience)
			}
			pause.Reset(min(client.every<<min(silent.count-1, 10), client.slowest))
			continue
		case err != nil && silent.count > 0:
			return fail(lookAgain(c.Job, c.ID), "the log of run %s of job %q is not followed any more: %w", c.ID, c.Job, err)
		case err != nil:
			return err
		}
		if silent.count > 0 {
			fmt.Fprintf(p.stderr, "run %s: the console answers again\n", c.ID)
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

// passes reports whether an error is of the kind that passes by itself.
func passes(err error) bool {
	refused, _ := errors.AsType[*jobRefusal](err)
	_, silent := errors.AsType[*noAnswer](err)
	return silent || refused != nil && (refused.status >= http.StatusInternalServerError || refused.status == http.StatusTooManyRequests)
}

// printNew prints the lines that have come since, and reports whether the run has ended.
func (c *jobShowCommand) printNew(ctx context.Context, w io.Writer, client *jobClient, printed map[string]int) (ended bool, err error) {
	now, err := client.log(ctx, c.ofRun, logOfAnswer{Shard: -1}, 0)
	if err != nil {
		return false, err
	}
	for _, of := range c.wanted(now.Logs) {
		for more := of.Lines > 0; more; {
			part, err := client.log(ctx, c.ofRun, of, printed[of.Execution])
			if err != nil {
				return false, err
			}
			for _, line := range part.Lines {
				line.Shard, line.Attempt = of.Shard, of.Attempt
				if err := c.printLine(w, line); err != nil {
					return false, err
				}
			}
			printed[of.Execution] = part.After
			more = len(part.Lines) >= mostLines
		}
	}
	return now.Ended, nil
}

// wanted are the executions whose lines are printed.
func (c *jobShowCommand) wanted(logs []logOfAnswer) []logOfAnswer {
	last := make(map[int]int)
	for _, l := range logs {
		last[l.Shard] = max(last[l.Shard], l.Attempt)
	}
	return slices.DeleteFunc(slices.Clone(logs), func(l logOfAnswer) bool {
		attempt := last[l.Shard]
		if c.Attempt > 0 {
			attempt = c.Attempt
		}
		return l.Attempt != attempt || c.Shard >= 0 && l.Shard != c.Shard
	})
}

// log reads lines of an execution; of the first shard if it names none.
func (c *jobClient) log(ctx context.Context, run ofRun, of logOfAnswer, after int) (log logAnswer, err error) {
	asked := url.Values{"limit": {strconv.Itoa(mostLines)}}
	if of.Shard >= 0 {
		asked.Set("item", strconv.Itoa(of.Shard))
		asked.Set("attempt", strconv.Itoa(of.Attempt))
		asked.Set("execution", of.Execution)
		asked.Set("after", strconv.Itoa(after))
	} else {
		asked.Set("limit", "1")
	}
	raw, err := c.call(ctx, jobCall{method: http.MethodGet, path: run.path("requested-runs", run.ID, "log"), query: asked})
	if err != nil {
		return log, err
	}
	return log, c.decode(raw, &log)
}

func (c *jobShowCommand) printLine(w io.Writer, l lineOfShard) error {
	if c.access.JSON {
		return json.NewEncoder(w).Encode(l)
	}
	at := l.At
	if t, err := time.Parse(time.RFC3339Nano, l.At); err == nil {
		at = t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	_, err := fmt.Fprintf(w, "%s shard %d attempt %d %-5s %s\n", at, l.Shard, l.Attempt, plain(l.Level), plain(l.Message))
	return err
}
