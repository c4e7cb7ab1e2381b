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
