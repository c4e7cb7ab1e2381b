package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// mostAbsent is how often in a row a run may be unknown to the console before that is
// believed: a server of ZooKeeper may not have it yet.
const mostAbsent = 3

// awaitRun looks at a run until it has ended, and reports each new state on standard error.
// It goes on while the console does not answer. The last answer is returned even with an error; it is
// nil if there was none.
func (c *client) awaitRun(ctx context.Context, p *cli.Process, job, id string) (run run, raw []byte, err error) {
	var said string
	say := func(text string) {
		if text != said {
			fmt.Fprintf(p.Stderr, "run %s: %s\n", id, text)
			said = text
		}
	}
	lapses, absences := 0, 0
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return run, raw, notAwaited(ctx, job, id)
		case <-pause.C:
		}
		next, answer, err := c.run(ctx, job, id)
		switch {
		case err == nil:
			run, raw = next, answer
			lapses, absences = 0, 0
			if say(run.progress()); run.state().Ended() {
				return run, raw, nil
			}
			pause.Reset(c.every)
			continue
		case ctx.Err() != nil:
			return run, raw, notAwaited(ctx, job, id)
		case api.NotFound(err):
			if absences++; absences == mostAbsent {
				return run, raw, cli.Fail("It may have ended: the property run.keep bounds the ended runs of a job.\nIts executions are in the history of the job.", "run %s of job %q is not known any more: %w", id, job, err)
			}
		case api.Passes(err):
			say(err.Error() + "; it is asked again")
		default:
			hint := lookAgain(job, id)
			if remedy := cli.Hint(err); remedy != "" {
				hint = remedy + "\n" + hint
			}
			return run, raw, cli.Fail(hint, "run %s of job %q goes on, and nobody waits for it: %w", id, job, err)
		}
		pause.Reset(min(c.every<<min(lapses, 10), c.slowest))
		lapses++
	}
}

// notAwaited is the error of a wait that ended before the run.
func notAwaited(ctx context.Context, job, id string) error {
	why := "the command was interrupted"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		why = "the time of --timeout is over"
	}
	return cli.Fail(lookAgain(job, id), "run %s of job %q goes on: %s", id, job, why)
}

func lookAgain(job, id string) string {
	at := inShell(job) + " " + id
	return "Look at it with `elasticjob run show " + at + "`; `elasticjob run cancel " + at + "` ends it."
}

// progress is the state of a run in some words.
func (r run) progress() string {
	text := r.State
	switch {
	case r.Cancelling:
		text += ", its handlers are asked to return"
	case r.state() == jobrun.Scheduled:
		text += " for " + moment(r.DueAt)
	}
	if done := r.done(); done > 0 {
		text += fmt.Sprintf(", %d0%%", done)
	}
	if r.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", r.Attempt)
	}
	return text
}

// result returns nil for a run that succeeded, else an error with the exit code.
func (r run) result(job string) error {
	code := exitRunSkipped
	switch r.state() {
	case jobrun.Succeeded:
		return nil
	case jobrun.Failed:
		code = exitRunFailed
	case jobrun.Cancelled:
		code = exitRunCancelled
	case jobrun.Unknown:
		code = cli.ExitFailure
	}
	hint := ""
	for _, s := range r.Details {
		if s.Error != "" {
			hint += fmt.Sprintf("shard %d: %s\n", s.Shard, firstLine(s.Error))
		}
	}
	return &cli.Failure{Err: fmt.Errorf("run %s of job %q: %s", r.ID, job, r.ended()), Remedy: hint + "All that is known: `elasticjob run show " + inShell(job) + " " + r.ID + "`.", Code: code}
}
