package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// mostSnooze bounds how much later a shard can ask to run again.
const mostSnooze = 30 * 24 * time.Hour

// resultOf reads what a handler says by its error.
func resultOf(err error) runs.Result {
	if _, ok := errors.AsType[*core.SkipError](err); ok {
		return runs.Result{Skipped: true}
	}
	result := runs.Result{Err: err.Error()}
	if snooze, ok := errors.AsType[*core.SnoozeError](err); ok {
		if snooze.For >= 0 && snooze.For <= mostSnooze {
			return runs.Result{Snooze: max(snooze.For, time.Millisecond)}
		}
		result.Err = fmt.Sprintf("Snooze: %v is not allowed; want 0 to 720h", snooze.For)
	}
	if result.Err == "" {
		result.Err = "failed"
	}
	if _, ok := errors.AsType[*core.PermanentError](err); ok {
		result.Permanent = true
	}
	if retry, ok := errors.AsType[*core.RetryError](err); ok {
		result.After = min(max(retry.After, time.Millisecond), mostSnooze)
	}
	return result
}

// speaks reports whether a handler's error is what the error handler is called for: not
// one that says that nothing failed, and of a run with attempts left not before the last.
func (b *batch) speaks(shard int, err error) bool {
	result := resultOf(err)
	if b.claim == nil {
		_, again := b.refires([]int{shard}, result.After)
		if again = again && result.Err != "" && !result.Permanent; again {
			b.worker.Log.Warn("a shard failed; it is run again", "shard", shard, "err", err)
		}
		return !again
	}
	if result.Err == "" {
		return false
	}
	if runs.Last(b.claim.Record.RunRequest, result.Permanent, result.After, b.worker.Host.Time()) {
		return true
	}
	b.worker.Log.Warn("an attempt of a requested run failed; another one follows", "run", b.claim.Record.ID, "shard", shard,
		"attempt", b.claim.Record.Attempt, "retries", b.claim.Record.Retries, "err", err)
	return false
}

// rowOf returns the result of a shard as its row has it. A shard of a requested run that was skipped
// or put off hasn't failed, and its row keeps the reason. There's no result for a cancelled one: its
// row begins with tracing.CauseCancelled.
func (b *batch) rowOf(err error) (success bool, cause string) {
	if err == nil {
		return true, ""
	}
	text := err.Error()
	switch {
	case b.claim == nil:
	case errors.Is(context.Cause(b.ctx), requested.ErrCancelled):
		if !strings.HasPrefix(text, tracing.CauseCancelled) {
			text = tracing.CauseCancelled + ": " + text
		}
	case resultOf(err).Err == "":
		success = true
	}
	return success, text
}

// setResult returns what the handler of a shard of a requested run keeps its result by;
// nil for other runs. What comes after the end of the batch is not kept.
func (b *batch) setResult(shard int) func(jobtree.RunResult) {
	if b.claim == nil {
		return nil
	}
	return func(r jobtree.RunResult) { b.claim.SetResult(shard, r) }
}

// A fire time or a trigger whose shards failed is tried again by a requested run of these
// shards, if the job's properties say so. That of a fire time is of no use any more when
// the next one has come.

// refires returns the request for the next attempt of a batch whose shards failed, false
// if there is none. It comes after the job's back-off, or after what a handler asked for.
func (b *batch) refires(failed []int, after time.Duration) (jobrun.Request, bool) {
	w := b.worker
	settings, _ := runs.SettingsOf(b.view.Config)
	if b.claim != nil || settings.Retries == 0 || settings.Assign != jobrun.AssignEach || len(failed) == 0 {
		return jobrun.Request{}, false
	}
	r := jobrun.Request{
		Shards: failed, Delay: runs.Wait(settings, 1), Attempt: 2, Parent: b.originOf().id, Overlap: jobrun.OverlapQueue,
		By: jobrun.By{Kind: runs.ByRetry, Name: b.view.ID}, Key: "retry/" + b.handlers.taskID,
	}
	if after > 0 {
		r.Delay = after
	}
	if b.view.Schedule != nil && (b.kind == fireTime || b.failover != nil && b.fires() || b.madeUp()) {
		r.FireTime = b.at
		due := w.Host.Time().Add(r.Delay)
		next, ok := b.view.Schedule.Next(w.Host.Time(), b.view.Zone)
		if ok && next.Sub(due) < time.Second {
			return jobrun.Request{}, false
		}
		if ok {
			r.Expiry = next.Sub(due)
		}
	}
	return r, true
}

// refire submits the next attempt of a batch whose shards failed.
func (b *batch) refire(failures map[int]error) {
	var failed []int
	var after time.Duration
	for n, err := range failures {
		if result := resultOf(err); result.Err != "" && !result.Permanent && !b.handlers.interrupted[n] {
			failed = append(failed, n)
			after = max(after, result.After)
		}
	}
	if r, again := b.refires(failed, after); again {
		b.submitAgain(r)
	}
}

func (b *batch) submitAgain(r jobrun.Request) {
	w := b.worker
	w.background("retry", func() {
		err := w.untilAnswered(b.epoch, func(ctx context.Context) error {
			_, err := w.store().Submit(ctx, r)
			return err
		})
		if err != nil && !errors.Is(err, jobrun.ErrNoSuchJob) && w.Life.Err() == nil {
			w.Log.Warn("shards that failed could not be requested again", "shards", r.Shards, "err", err)
		}
	})
}
