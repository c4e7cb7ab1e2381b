package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
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
		return RunRecord{State: s.unrecorded(c, err)}
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

func (s RequestedRuns) unrecorded(c *gin.Context, err error) RecordState {
	if errors.Is(err, rdb.ErrNoRunTables) {
		return NoTables
	}
	s.LogFailure(c, historyDown(err))
	return DatabaseDown
}

// LogAsked says which lines of the log of a run are read.
type LogAsked struct {
	Item    int // the number of the shard; negative for the first that has lines
	Attempt int // 0 for the last that has lines
	// Execution is the one of the attempt, of which there are several if an instance was
	// lost during it; empty for all.
	Execution string
	After     int // lines with a higher number; 0 for all
	Limit     int
	// Last: the last lines in place of the first.
	Last bool
}

// MostLogLines is how many lines of a log are read at once.
const MostLogLines = 1000

// RunLog are lines of one shard's attempt.
type RunLog struct {
	Item, Attempt int // an attempt of 0: there is none
	Lines         []tracing.LogLine
	Total         int // how many lines it has in all
	// executions are those of the attempt: several if an instance was lost during it,
	// each of which counts its lines from 1 on.
	executions []rdb.LogOf
}

// choose says which log is meant.
func (f LogAsked) choose(logs []rdb.LogOf) (log RunLog) {
	log = RunLog{Item: f.Item, Attempt: f.Attempt}
	for i, l := range logs {
		if f.Item < 0 && (i == 0 || l.Item < log.Item) {
			log.Item = l.Item
		}
	}
	log.Item = max(log.Item, 0)
	for _, l := range logs {
		if l.Item != log.Item || f.Attempt != 0 && f.Attempt != l.Attempt || l.Attempt < log.Attempt || f.Execution != "" && f.Execution != l.ExecutionID {
			continue
		}
		if l.Attempt > log.Attempt {
			log.Attempt, log.Total, log.executions = l.Attempt, 0, nil
		}
		log.Total += l.Lines
		log.executions = append(log.executions, l)
	}
	return log
}

// ReadLog reads lines of the log of a run, as the caller may see them. Logs are those
// that [RequestedRuns.Record] has.
func (s RequestedRuns) ReadLog(c *gin.Context, job, id string, logs []rdb.LogOf, f LogAsked) (RunLog, error) {
	log := f.choose(logs)
	if log.Total == 0 {
		return log, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	asked := rdb.LogFilter{JobName: job, RunID: id, Item: log.Item, Attempt: log.Attempt, ExecutionID: f.Execution, After: f.After, Limit: f.Limit}
	var err error
	if f.Last {
		log.Lines, err = lastLines(ctx, s.HistoryOf(c), asked, log.executions)
	} else {
		log.Lines, err = s.HistoryOf(c).RunLog(ctx, asked)
	}
	if err != nil {
		return log, HistoryProblem(err)
	}
	if LooksOnly(c) {
		for i := range log.Lines {
			log.Lines[i].Message = mask.Text(log.Lines[i].Message)
		}
	}
	return log, nil
}

// lastLines reads the last lines of an attempt, by their time.
func lastLines(ctx context.Context, h RunHistory, asked rdb.LogFilter, executions []rdb.LogOf) (lines []tracing.LogLine, err error) {
	wanted := asked.Limit
	for _, e := range executions {
		// Numbers may be missing, where lines were left out: then there are more behind.
		asked.ExecutionID, asked.After = e.ExecutionID, max(0, e.Lines-wanted)
		for asked.Limit = MostLogLines; ; {
			got, err := h.RunLog(ctx, asked)
			if err != nil {
				return nil, err
			}
			lines = append(lines, got...)
			if len(got) < asked.Limit {
				break
			}
			asked.After = got[len(got)-1].Seq
		}
	}
	slices.SortStableFunc(lines, func(a, b tracing.LogLine) int { return a.At.Compare(b.At) })
	return lines[max(0, len(lines)-wanted):], nil
}

// NoLog is the answer about the log of a run where none can be.
func NoLog(state RecordState) *Problem {
	switch state {
	case DatabaseDown:
		return historyDown(errors.New("the record of a run cannot be read"))
	case NoTables:
		return Problem{Kind: KindNotFound, Code: "no_log"}.SaidAs(i18n.Lang.RequestNoTables, i18n.Lang.RequestNoTablesHint)
	}
	return Problem{Kind: KindNotFound, Code: "no_log"}.SaidAs(i18n.Lang.RequestNoDatabase, i18n.Lang.RequestNoDatabaseHint)
}
