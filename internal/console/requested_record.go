package console

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

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Where a requested run was read.
const (
	FromRegistry = "registry"
	FromDatabase = "database"
)

// FoundRun is a requested run, wherever it was found. The registry has those that have
// not ended and the last that have; the trace database may have older ones.
type FoundRun struct {
	jobrun.Run
	Source string // FromRegistry or FromDatabase
	// Error is why shards failed, of a run from the database that does not say which.
	Error string
}

// Read reads a run, as the caller may see it. Of a run that has ended, what the registry
// does not keep comes from the trace database, if there is one that has it.
func (s RequestedRuns) Read(c *gin.Context, job, id string) (FoundRun, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	run, err := s.read(ctx, c, job, id)
	found := FoundRun{Run: run, Source: FromRegistry}
	p, refused := errors.AsType[*Problem](err)
	switch {
	case refused && p.Code == "no_run":
		if found, err = s.recorded(ctx, c, job, id, err); err != nil {
			return found, err
		}
	case err != nil:
		return found, err
	case run.State.Ended():
		s.complete(ctx, c, job, &found.Run)
	}
	if LooksOnly(c) {
		found.Run, found.Error = maskedRequest(found.Run, s.schemaOf(ctx, c, job)), mask.Text(found.Error)
	}
	return found, nil
}

// recorded reads a run that the registry doesn't have; unknown is the answer if the trace
// database doesn't have it either. If the database has a run that isn't over, the registry
// is asked once more because the run may have come there since.
func (s RequestedRuns) recorded(ctx context.Context, c *gin.Context, job, id string, unknown error) (FoundRun, error) {
	h := s.HistoryOf(c)
	if h == nil {
		return FoundRun{}, unknown
	}
	r, err := h.RequestedRun(ctx, job, id)
	switch {
	case errors.Is(err, rdb.ErrNoRun), errors.Is(err, rdb.ErrNoRunTables):
		return FoundRun{}, unknown
	case err != nil:
		return FoundRun{}, HistoryProblem(err)
	}
	found := foundInDatabase(r)
	if !found.State.Ended() {
		run, err := s.read(ctx, c, job, id)
		if p, refused := errors.AsType[*Problem](err); !refused || p.Code != "no_run" {
			return FoundRun{Run: run, Source: FromRegistry}, err
		}
		found.Run = lost(found.Run)
	}
	return found, nil
}

func foundInDatabase(r tracing.RunRecord) FoundRun {
	found := FoundRun{Run: runOfRecord(r), Source: FromDatabase}
	if found.Errors == nil {
		found.Error = r.Error
	}
	return found
}

// lost is a run that hasn't ended by the database, although the registry doesn't have it: it's
// over, and its end was never recorded.
func lost(r jobrun.Run) jobrun.Run {
	r.Reason = fmt.Sprintf("its end was not recorded, and the registry no longer has it; it was last seen %s", r.State)
	r.State = jobrun.Unknown
	return r
}

// isLost reports whether the registry doesn't have a run that runs by the database.
func (s RequestedRuns) isLost(ctx context.Context, c *gin.Context, job string, r jobrun.Run) bool {
	if _, stale := SnapshotOf(c); stale || r.State != jobrun.Running {
		return false
	}
	_, err := s.RegistryOf(c).Operator.Run(ctx, job, r.ID)
	return errors.Is(err, lifecycle.ErrNotFound)
}

// over explains the refusal of an action on a run that the registry doesn't have: if the
// database has it, it has ended.
func (s RequestedRuns) over(c *gin.Context, job, id string, refused error) error {
	if p, is := errors.AsType[*Problem](refused); !is || p.Code != "no_run" {
		return refused
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	found, err := s.recorded(ctx, c, job, id, refused)
	if err != nil || !found.State.Ended() {
		return refused
	}
	return runProblem(Target{Job: job, Run: id}, fmt.Errorf("%w: %s", jobrun.ErrRunEnded, cmp.Or(found.Reason, string(found.State))))
}

// complete adds to a run that has ended what the registry does not keep of it: large
// parameters and results. Without them a run can be shown all the same.
func (s RequestedRuns) complete(ctx context.Context, c *gin.Context, job string, run *jobrun.Run) {
	h := s.HistoryOf(c)
	if h == nil {
		return
	}
	r, err := h.RequestedRun(ctx, job, run.ID)
	if err != nil {
		return
	}
	stored := runOfRecord(r)
	if run.HasParams && len(run.Params) == 0 {
		run.Params = stored.Params
	}
	if len(run.Results) < len(stored.Results) {
		run.Results = stored.Results
	}
}

// runOfRecord is a run of the trace database as one of the registry.
func runOfRecord(r tracing.RunRecord) jobrun.Run {
	run := jobrun.Run{
		ID: r.ID, State: jobtree.Known(string(r.State), jobrun.States...), Reason: r.Reason, Submitted: r.Submitted, Due: r.Due, Began: r.Started, Ended: r.Ended,
		Attempt: max(r.Attempt, 1), Retries: r.Retries, Losses: r.Losses, Snoozes: r.Snoozes, By: jobrun.By{Kind: r.Origin, Name: r.OriginName},
		Key: r.Key, Note: r.Note, Parent: r.ParentID, HasParams: r.Params != "",
		Total: r.OK + r.Failed + r.Skipped, CountOK: r.OK, CountFailed: r.Failed, CountSkipped: r.Skipped,
	}
	if json.Valid([]byte(r.Params)) {
		run.Params = json.RawMessage(r.Params)
	}
	run.Errors = errorsOfRecord(r.Error)
	var results map[string]jobtree.RunResult
	if json.Unmarshal([]byte(r.Result), &results) == nil {
		run.Results = make(map[int]jobtree.RunResult, len(results))
		for name, result := range results {
			if n, err := strconv.Atoi(name); err == nil {
				run.Results[n] = result
			}
		}
	}
	return run
}

// errorsOfRecord are the failures of shards, as agents write them: "shard 4: no route to
// host", each on lines of its own. Another text has none.
func errorsOfRecord(text string) map[int]string {
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

// Executions reads the executions of a run in the history, as the caller may see them. The run has none if there's no
// history or it can't be read, because a run can be shown without.
func (s RequestedRuns) Executions(c *gin.Context, job, id string) rdb.Run {
	h := s.HistoryOf(c)
	if h == nil {
		return rdb.Run{}
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	run, err := h.Run(ctx, job, id)
	if err != nil {
		return rdb.Run{}
	}
	if LooksOnly(c) {
		run = maskedRun(run)
	}
	return run
}

// RecordState says what there is to read of the record of a run.
type RecordState string

// The states of a record.
const (
	Recorded     RecordState = "recorded"
	NoDatabase   RecordState = "no_database" // the console has none for this registry
	NoTables     RecordState = "no_tables"   // there is one that lacks the tables of runs
	DatabaseDown RecordState = "unavailable" // it does not answer
)

// RunRecord is what the trace database has of how a run went.
type RunRecord struct {
	State    RecordState
	Steps    []tracing.RunStep // the first first
	Progress []tracing.Progress
	Logs     []rdb.LogOf // which shards and attempts have lines in the log
}

// Of returns how far the handler of a shard is that runs now. Of several executions of
// an attempt the last one that said something counts.
func (r RunRecord) Of(shard, attempt int) (last tracing.Progress, known bool) {
	for _, p := range r.Progress {
		if p.Item == shard && p.Attempt == attempt && (!known || p.At.After(last.At)) {
			last, known = p, true
		}
	}
	return last, known
}

// Record reads how a run went, as the caller may see it. It says what is missing in
// place of an error: a run can be shown without.
func (s RequestedRuns) Record(c *gin.Context, job, id string) (r RunRecord) {
	h := s.HistoryOf(c)
	if h == nil {
		return RunRecord{State: NoDatabase}
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
		return RunRecord{State: s.recordState(c, err)}
	}
	r.State = Recorded
	if LooksOnly(c) {
		for i := range r.Steps {
			r.Steps[i].Message = mask.Text(r.Steps[i].Message)
		}
		for i := range r.Progress {
			r.Progress[i].Message = mask.Text(r.Progress[i].Message)
		}
	}
	return r
}
