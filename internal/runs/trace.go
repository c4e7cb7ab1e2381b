package runs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Trace returns the history's row of a run in a state.
func Trace(job string, r jobtree.RunRequest, state jobrun.State) tracing.RunRecord {
	return tracing.RunRecord{
		ID: r.ID, JobName: job, State: state, Origin: r.By.Kind, OriginName: r.By.Name,
		ParentID: r.Parent, BackfillID: r.Backfill, Key: r.Key, Note: r.Note, Params: string(r.Params),
		Due: time.UnixMilli(r.Due), Submitted: time.UnixMilli(r.At),
		FireTime: jobtree.Moment(r.Fire), Started: jobtree.Moment(r.Began),
		Attempt: r.Attempt, Retries: r.Retries, Losses: r.Losses, Snoozes: r.Snoozes, Returns: r.Returns, Error: r.Error,
	}
}

// TraceEnd returns the history's row of an ended run. request may be zero if only the outcome is
// known.
func TraceEnd(job string, o jobtree.RunOutcome, request jobtree.RunRequest) tracing.RunRecord {
	if request.ID == "" {
		request = jobtree.RunRequest{
			ID: o.ID, At: o.At, By: o.By, Due: o.Due, Key: o.Key, Note: o.Note, Parent: o.Parent, Params: o.Params, Assign: o.Assign,
		}
	}
	run := Trace(job, request, o.State)
	run.Reason, run.Ended, run.Attempt, run.Losses, run.Snoozes = o.Reason, time.UnixMilli(o.Ended), o.Attempt, o.Losses, o.Snoozes
	run.OK, run.Failed, run.Skipped = o.OK, o.Failed, o.Skipped
	run.Error, run.Result = errorsText(o.Errors), resultText(o.Results)
	if o.Began != 0 {
		run.Started = time.UnixMilli(o.Began)
	}
	return run
}

// TraceEndStep returns the step of an end. Its id is always the same, so it can be recorded again.
func TraceEndStep(run tracing.RunRecord, actor string) tracing.RunStep {
	return tracing.RunStep{
		ID: run.ID + "-end", RunID: run.ID, JobName: run.JobName, Attempt: run.Attempt, At: run.Ended,
		State: run.State, Actor: actor, Message: run.Reason,
	}
}

func errorsText(errs map[int]string) string {
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(errs)) {
		fmt.Fprintf(&b, "shard %d: %s\n", n, errs[n])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func resultText(results map[int]jobtree.RunResult) string {
	if len(results) == 0 {
		return ""
	}
	text, err := json.Marshal(results)
	if err != nil || len(text) > tracing.MaxResult {
		return ""
	}
	return string(text)
}
