package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// mostAbsent is how often in a row a run may be unknown to the console before that is
// believed: a server of ZooKeeper may not have it yet.
const mostAbsent = 3

// awaitRun looks at a run until it has ended, and says on standard error what state it is
// in. It goes on while the console does not answer. What the console answered last is
// returned even with an error; it is nil if there was none.
func (c *jobClient) awaitRun(ctx context.Context, p *process, job, id string) (run runAnswer, raw []byte, err error) {
	var said string
	say := func(text string) {
		if text != said {
			fmt.Fprintf(p.stderr, "run %s: %s\n", id, text)
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
		refused, _ := errors.AsType[*jobRefusal](err)
		switch {
		case err == nil:
			run, raw = next, answer
			lapses, absences = 0, 0
			if say(run.progress()); run.State.Ended() {
				return run, raw, nil
			}
			pause.Reset(c.every)
			continue
		case ctx.Err() != nil:
			return run, raw, notAwaited(ctx, job, id)
		case refused != nil && refused.status == http.StatusNotFound:
			if absences++; absences == mostAbsent {
				return run, raw, fail("It may have ended: a job keeps as many ended runs as its property run.keep says.\nIts executions are in the history of the job.", "run %s of job %q is not known any more: %w", id, job, err)
			}
		case passes(err):
			say(err.Error() + "; it is asked again")
		default:
			hint := lookAgain(job, id)
			if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
				hint = f.hint + "\n" + hint
			}
			return run, raw, fail(hint, "run %s of job %q goes on, and nobody waits for it: %w", id, job, err)
		}
		pause.Reset(min(c.every<<min(lapses, 10), c.slowest))
		lapses++
	}
}

// notAwaited says that nobody waits for a run any more, which goes on.
func notAwaited(ctx context.Context, job, id string) error {
	why := "the command was interrupted"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		why = "the time of --timeout is over"
	}
	return fail(lookAgain(job, id), "run %s of job %q goes on: %s", id, job, why)
}

func lookAgain(job, id string) string {
	at := inShell(job) + " " + id
	return "Look at it with `console job show " + at + "`; `console job cancel " + at + "` ends it."
}

// progress is the state of a run in some words.
func (r runAnswer) progress() string {
	text := string(r.State)
	switch {
	case r.Cancelling:
		text += ", its handlers are asked to return"
	case r.State == jobrun.Scheduled:
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

// result is the exit code of a run that has ended, with what there is to say.
func (r runAnswer) result(job string) error {
	code := exitRunSkipped
	switch r.State {
	case jobrun.Succeeded:
		return nil
	case jobrun.Failed:
		code = exitRunFailed
	case jobrun.Cancelled:
		code = exitRunCancelled
	case jobrun.Unknown:
		code = exitFailure
	}
	hint := ""
	for _, s := range r.Details {
		if s.Error != "" {
			hint += fmt.Sprintf("shard %d: %s\n", s.Shard, firstLine(s.Error))
		}
	}
	return &failure{err: fmt.Errorf("run %s of job %q: %s", r.ID, job, r.ended()), hint: hint + "All that is known: `console job show " + inShell(job) + " " + r.ID + "`.", code: code}
}
