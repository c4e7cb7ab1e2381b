package app

import (
	"context"
	"errors"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// MostLogLines is how many lines of a log are read at once.
const MostLogLines = 1000

// LogsOfRun reads which executions of a run of the history have log lines; of one shard only unless it's -1. Runs of
// fire times and triggers have their logs there, as requested runs have.
func (s *Console) LogsOfRun(c *gin.Context, run rdb.Run, shard int) ([]rdb.LogOf, RecordState) {
	executions := run.Executions
	if shard >= 0 {
		executions = slices.DeleteFunc(slices.Clone(executions), func(e tracing.Execution) bool { return e.Item != shard })
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	logs, err := s.HistoryOf(c).ExecutionLogs(ctx, executions)
	if err != nil {
		return nil, RecordStateOf(s, c, err)
	}
	return logs, Recorded
}

// RunLog are lines of one shard's attempt.
type RunLog struct {
	Item, Attempt int // an attempt of 0: there is none
	Lines         []tracing.LogLine
	Total         int // how many lines it has in all
	// executions are those of the attempt: several if an instance was lost during it,
	// each of which counts its lines from 1 on.
	executions []rdb.LogOf
}

// chooseLog returns the log that is asked for, without its lines.
func chooseLog(f query.RunLog, logs []rdb.LogOf) (log RunLog) {
	log = RunLog{Item: f.Shard, Attempt: f.Attempt}
	for i, l := range logs {
		if f.Shard < 0 && (i == 0 || l.Item < log.Item) {
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

// ReadLog reads lines of the log of a run, as the caller may see them. Logs are from
// the record of a requested run or from [Console.LogsOfRun].
func (s *Console) ReadLog(c *gin.Context, job, id string, logs []rdb.LogOf, f query.RunLog) (RunLog, error) {
	log := chooseLog(f, logs)
	if log.Total == 0 {
		return log, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	asked := rdb.LogFilter{JobName: job, RunID: id, Item: log.Item, Attempt: log.Attempt, After: f.After, Limit: f.Limit}
	for _, e := range log.executions {
		asked.Executions = append(asked.Executions, e.ExecutionID)
	}
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
		asked.Executions, asked.After = []string{e.ExecutionID}, max(0, e.Lines-wanted)
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

// RecordState says what there is to read of the record of a run.
type RecordState string

// The states of a record.
const (
	Recorded     RecordState = "recorded"
	NoDatabase   RecordState = "no_database" // the console has none for this registry
	NoTables     RecordState = "no_tables"   // there is one that lacks the tables of runs
	DatabaseDown RecordState = "unavailable" // it does not answer
)

// RecordStateOf returns what an error means for the record of a run.
func RecordStateOf(s *Console, c *gin.Context, err error) RecordState {
	if errors.Is(err, rdb.ErrNoRunTables) {
		return NoTables
	}
	s.LogFailure(c, historyDown(err))
	return DatabaseDown
}

// LogAsked reads from an address of the REST interface the lines of a log that it asks for.
func LogAsked(c *gin.Context) (query.RunLog, error) {
	asked, problems := query.ParseRunLog(c.Request.URL.Query(), "item", MostLogLines)
	if len(problems) > 0 {
		return asked, Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	return asked, nil
}

// LogQuery are the parameters that [LogAsked] reads.
var LogQuery = [][2]string{
	{"item", "The number of the shard; the first that has logged anything if absent."}, {"attempt", "The attempt; the last one at which the shard has logged if absent."},
	{"execution", "Only this execution: an attempt has several if an instance was lost during it, each of which counts its lines from 1 on."}, {"after", "Only lines with a higher number."}, {"limit", "Lines of the answer, at most 1,000; 200 if absent."},
}

// LogBodies are the logs of executions on the wire.
func LogBodies(logs []rdb.LogOf) []api.RunLogOf {
	list := []api.RunLogOf{}
	for _, l := range logs {
		list = append(list, api.RunLogOf{Shard: l.Item, Attempt: l.Attempt, Execution: l.ExecutionID, Lines: l.Lines})
	}
	return list
}

// LogBody is a part of a log on the wire: the lines after a number.
func LogBody(job, id string, log RunLog, logs []rdb.LogOf, after int, ended bool) api.RunLog {
	body := api.RunLog{
		JobName: job, ID: id, Shard: log.Item, Attempt: log.Attempt, Lines: []api.RunLogLine{}, After: after, Total: log.Total,
		Ended: ended, Logs: LogBodies(logs),
	}
	for _, l := range log.Lines {
		body.Lines = append(body.Lines, api.RunLogLine{Seq: l.Seq, At: OptionalTime(l.At), Level: l.Level, Message: l.Message})
		body.After = l.Seq
	}
	return body
}
