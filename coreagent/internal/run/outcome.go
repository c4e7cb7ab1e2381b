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

// maxSnooze is the longest delay that a handler can ask for.
const maxSnooze = 30 * 24 * time.Hour

func resultOf(err error) runs.Result {
	if _, ok := errors.AsType[*core.SkipError](err); ok {
		return runs.Result{Skipped: true}
	}
	result := runs.Result{Err: err.Error()}
	if snooze, ok := errors.AsType[*core.SnoozeError](err); ok {
		if snooze.For >= 0 && snooze.For <= maxSnooze {
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
		result.After = min(max(retry.After, time.Millisecond), maxSnooze)
	}
	return result
}

// needsErrorHandler reports whether the error handler should be called for a handler's error. It shouldn't if
// the error reports a skip or a snooze, or if another attempt of the run follows.
func (b *batch) needsErrorHandler(shard int, err error) bool {
	result := resultOf(err)
	if result.Err == "" {
		return false
	}
	if b.claim == nil {
		_, again := b.refires([]int{shard}, result.After)
		if again = again && !result.Permanent; again {
			b.Log.Warn("a shard failed and will be retried", "shard", shard, "err", err)
		}
		return !again
	}
	if runs.Last(b.claim.Record.RunRequest, result.Permanent, result.After, b.Host.Time()) {
		return true
	}
	b.Log.Warn("an attempt of a requested run failed and will be retried", "run", b.claim.Record.ID, "shard", shard,
		"attempt", b.claim.Record.Attempt, "retries", b.claim.Record.Retries, "err", err)
	return false
}

// rowOf returns the result of a shard for its row. A shard that was skipped or snoozed hasn't failed, and its
// row keeps the reason. There's no result for a cancelled shard of a requested run; the cause in its row begins
// with tracing.CauseCancelled.
func (b *batch) rowOf(err error) (success bool, cause string) {
	if err == nil {
		return true, ""
	}
	text := err.Error()
	switch {
	case b.claim != nil && errors.Is(context.Cause(b.ctx), requested.ErrCancelled):
		if !strings.HasPrefix(text, tracing.CauseCancelled) {
			text = tracing.CauseCancelled + ": " + text
		}
	case resultOf(err).Err == "":
		success = true
	}
	return success, text
}

// setResult returns the function that stores the result of a shard of a requested run, or nil for
// other runs. Results set after the end of the batch are dropped.
func (b *batch) setResult(shard int) func(jobtree.RunResult) {
	if b.claim == nil {
		return nil
	}
	return func(r jobtree.RunResult) { b.claim.SetResult(shard, r) }
}

// If the job's properties ask for retries, the failed shards of a fire time or a trigger are
// retried by a requested run. The retry of a fire time expires when the next fire time comes.

// refires returns the request for the next attempt of a batch with failed shards, or false if there
// is none. The delay is the job's back-off, or the delay that a handler asked for.
func (b *batch) refires(failed []int, after time.Duration) (jobrun.Request, bool) {
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
	if b.view.Schedule != nil && (b.kind == fireTime || b.failover != nil && b.fires() || b.isMakeup()) {
		r.FireTime = b.at
		due := b.Host.Time().Add(r.Delay)
		next, ok := b.view.Schedule.Next(b.Host.Time(), b.view.Zone)
		if ok && next.Sub(due) < time.Second {
			return jobrun.Request{}, false
		}
		if ok {
			r.Expiry = next.Sub(due)
		}
	}
	return r, true
}

func (b *batch) refire(failures map[int]error) {
	var failed []int
	var after time.Duration
	for n, err := range failures {
		if result := resultOf(err); result.Err != "" && !result.Permanent && !b.handlers.interrupted[n] {
			failed = append(failed, n)
			after = max(after, result.After)
		}
	}
	r, again := b.refires(failed, after)
	if !again {
		return
	}
	w := b.worker
	w.background("retry", func() {
		err := w.untilAnswered(b.epoch, func(ctx context.Context) error {
			_, err := w.store().Submit(ctx, r)
			return err
		})
		if err != nil && !errors.Is(err, jobrun.ErrNoSuchJob) && b.Life.Err() == nil {
			b.Log.Warn("could not request a retry of failed shards", "shards", r.Shards, "err", err)
		}
	})
}
