package requested

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Found is a requested run of a job, from the registry or from the trace database. The registry has the
// runs that haven't ended and the last ended ones; the database may have older runs.
type Found struct {
	Job string
	jobrun.Run
	Source string // [api.FromRegistry] or [api.FromDatabase]
	// Error is the cause of failed shards, if the database does not have it by shard.
	Error string
}

// read reads a run, as the caller may see it. If a run has ended, the trace database completes it.
func (s service) read(c *gin.Context, job, id string) (Found, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	found, err := s.live(c, job, id)
	switch {
	case isNoRun(err):
		if found, err = s.recorded(ctx, c, job, id, err); err != nil {
			return found, err
		}
	case err != nil:
		return found, err
	case found.State.Ended():
		s.complete(ctx, c, &found)
	}
	if app.LooksOnly(c) {
		found = masked(found, s.secrets(ctx, c, job))
	}
	return found, nil
}

// live reads a run that the registry has.
func (s service) live(c *gin.Context, job, id string) (Found, error) {
	run, err := reading(s, c, job, id, func(ctx context.Context, op app.Operator) (jobrun.Run, error) { return op.Run(ctx, job, id) })
	return Found{Job: job, Run: run, Source: api.FromRegistry}, err
}

func isNoRun(err error) bool { return err != nil && app.AsProblem(err).Code == "no_run" }

// recorded reads a run that the registry doesn't have; unknown is the answer if the trace
// database doesn't have it either. If the database has a run that isn't over, the registry
// is asked once more because the run may have come there since.
func (s service) recorded(ctx context.Context, c *gin.Context, job, id string, unknown error) (Found, error) {
	h := s.HistoryOf(c)
	if h == nil {
		return Found{}, unknown
	}
	r, err := h.RequestedRun(ctx, job, id)
	switch {
	case errors.Is(err, rdb.ErrNoRun), errors.Is(err, rdb.ErrNoRunTables):
		return Found{}, unknown
	case err != nil:
		return Found{}, app.HistoryProblem(err)
	}
	found := foundOf(r)
	if !found.State.Ended() {
		if run, err := s.live(c, job, id); !isNoRun(err) {
			return run, err
		}
		found = lost(found)
	}
	return found, nil
}

// lost is a run that hasn't ended by the database, although the registry doesn't have it: it's
// over, and its end was never recorded.
func lost(r Found) Found {
	r.Reason = fmt.Sprintf("its end was not recorded, and the registry no longer has it; it was last seen %s", r.State)
	r.State = jobrun.Unknown
	return r
}

// ended is a run of the trace database. If it runs by the database, it is lost if the registry does
// not have it.
func (s service) ended(ctx context.Context, c *gin.Context, r tracing.RunRecord) Found {
	found := foundOf(r)
	if _, stale := app.SnapshotOf(c); stale || found.State != jobrun.Running {
		return found
	}
	if _, err := s.RegistryOf(c).Operator.Run(ctx, r.JobName, r.ID); errors.Is(err, lifecycle.ErrNotFound) {
		return lost(found)
	}
	return found
}

// over explains the refusal of an action on a run that the registry doesn't have: if the
// database has it, it has ended.
func (s service) over(c *gin.Context, job, id string, refused error) error {
	if !isNoRun(refused) {
		return refused
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	found, err := s.recorded(ctx, c, job, id, refused)
	if err != nil || !found.State.Ended() {
		return refused
	}
	return s.ActionProblem(c, app.CancelRun, app.Target{Job: job, Run: id}, fmt.Errorf("%w: %s", jobrun.ErrRunEnded, cmp.Or(found.Reason, string(found.State))))
}

// complete adds the large parameters and results of a run that has ended, which the registry doesn't
// keep. A run can be shown without them.
func (s service) complete(ctx context.Context, c *gin.Context, run *Found) {
	h := s.HistoryOf(c)
	if h == nil {
		return
	}
	r, err := h.RequestedRun(ctx, run.Job, run.ID)
	if err != nil {
		return
	}
	stored := foundOf(r)
	if run.HasParams && len(run.Params) == 0 {
		run.Params = stored.Params
	}
	if len(run.Results) < len(stored.Results) {
		run.Results = stored.Results
	}
}

// foundOf is a run of the trace database.
func foundOf(r tracing.RunRecord) Found {
	run := jobrun.Run{
		ID: r.ID, State: jobtree.Known(string(r.State), jobrun.States...), Reason: r.Reason, Submitted: r.Submitted, Due: r.Due, Began: r.Started, Ended: r.Ended,
		Attempt: max(r.Attempt, 1), Retries: r.Retries, Losses: r.Losses, Snoozes: r.Snoozes, By: jobrun.By{Kind: r.Origin, Name: r.OriginName},
		Key: r.Key, Note: r.Note, Parent: r.ParentID, HasParams: r.Params != "", Errors: errorsOf(r.Error),
		Total: r.OK + r.Failed + r.Skipped, CountOK: r.OK, CountFailed: r.Failed, CountSkipped: r.Skipped,
	}
	if json.Valid([]byte(r.Params)) {
		run.Params = json.RawMessage(r.Params)
	}
	if json.Unmarshal([]byte(r.Result), &run.Results) != nil {
		run.Results = nil
	}
	found := Found{Job: r.JobName, Run: run, Source: api.FromDatabase}
	if run.Errors == nil {
		found.Error = r.Error
	}
	return found
}

// errorsOf are the failures of shards, as agents write them: "shard 4: no route to
// host", each on lines of its own. Another text has none.
func errorsOf(text string) map[int]string {
	starts := shardFailed.FindAllStringSubmatchIndex(text, -1)
	if len(starts) == 0 || starts[0][0] != 0 {
		return nil
	}
	failures := make(map[int]string, len(starts))
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if n, err := strconv.Atoi(text[at[2]:at[3]]); err == nil {
			failures[n] = strings.TrimSuffix(text[at[1]:end], "\n")
		}
	}
	return failures
}

var shardFailed = regexp.MustCompile(`(?m)^shard (\d+): `)

// record is the part of the trace database about how a run went.
type record struct {
	State    app.RecordState
	Steps    []tracing.RunStep // the first first
	Progress []tracing.Progress
	Logs     []rdb.LogOf // the shards and attempts with lines in the log
}

// of returns the progress of a shard's handler that runs now. If an attempt has several executions,
// the one that reported last counts.
func (r record) of(shard, attempt int) (last tracing.Progress, known bool) {
	for _, p := range r.Progress {
		if p.Item == shard && p.Attempt == attempt && (!known || p.At.After(last.At)) {
			last, known = p, true
		}
	}
	return last, known
}

// readRecord reads how a run went, as the caller may see it. Its state is the reason why it is empty,
// because a run can be shown without.
func (s service) readRecord(c *gin.Context, job, id string) (r record) {
	h := s.HistoryOf(c)
	if h == nil {
		return record{State: app.NoDatabase}
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	var err error
	if r.Steps, err = h.RunSteps(ctx, job, id); err == nil {
		r.Progress, err = h.RunProgress(ctx, job, id)
	}
	if err == nil {
		r.Logs, err = h.RunLogs(ctx, job, id)
	}
	if err != nil {
		return record{State: app.RecordStateOf(s.Console, c, err)}
	}
	r.State = app.Recorded
	if app.LooksOnly(c) {
		for i := range r.Steps {
			r.Steps[i].Message = mask.Text(r.Steps[i].Message)
		}
		for i := range r.Progress {
			r.Progress[i].Message = mask.Text(r.Progress[i].Message)
		}
	}
	return r
}
