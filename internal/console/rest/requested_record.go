package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// requestedRunDetail is a requested run with how it went. Record says whether the trace
// database has that: recorded, or why steps and progress are empty.
type requestedRunDetail struct {
	requestedRunBody
	Record   string              `json:"record"`
	Steps    []requestedStep     `json:"steps"`
	Progress []requestedProgress `json:"progress"`
	Logs     []requestedLogOf    `json:"logs"`
}

// requestedStep is something that happened to a run, and who did it.
type requestedStep struct {
	At      string       `json:"at"`
	State   jobrun.State `json:"state"`
	Attempt int          `json:"attempt"`
	Actor   string       `json:"actor,omitempty"`
	Message string       `json:"message,omitempty"`
}

// requestedProgress says how far the handler of a shard was in an attempt: from 0 to 1.
type requestedProgress struct {
	Shard    int     `json:"shard"`
	Attempt  int     `json:"attempt"`
	Fraction float64 `json:"fraction"`
	Message  string  `json:"message,omitempty"`
	At       string  `json:"at"`
}

// requestedLogOf says that a shard has logged so many lines in an execution. An attempt
// has several if an instance was lost during it.
type requestedLogOf struct {
	Shard     int    `json:"shard"`
	Attempt   int    `json:"attempt"`
	Execution string `json:"execution"`
	Lines     int    `json:"lines"`
}

// requestedLogBody is a part of the log of a shard's attempt. Attempt is 0 if there is
// none. After is the number of the last line, to ask for those behind it.
type requestedLogBody struct {
	JobName string             `json:"jobName"`
	ID      string             `json:"id"`
	Shard   int                `json:"shard"`
	Attempt int                `json:"attempt"`
	Lines   []requestedLogLine `json:"lines"`
	After   int                `json:"after"`
	Total   int                `json:"total"`
	// Ended: the run has ended, so that no line comes any more.
	Ended bool             `json:"ended"`
	Logs  []requestedLogOf `json:"logs"`
}

// requestedLogLine is a line that a handler logged.
type requestedLogLine struct {
	Seq     int    `json:"seq"`
	At      string `json:"at"`
	Level   string `json:"level"`
	Message string `json:"message"`
}

func recordJSON(r console.RunRecord) (d requestedRunDetail) {
	d = requestedRunDetail{Record: string(r.State), Steps: []requestedStep{}, Progress: []requestedProgress{}, Logs: []requestedLogOf{}}
	for _, s := range r.Steps {
		d.Steps = append(d.Steps, requestedStep{At: optionalTime(s.At), State: s.State, Attempt: s.Attempt, Actor: s.Actor, Message: s.Message})
	}
	for _, p := range r.Progress {
		d.Progress = append(d.Progress, requestedProgress{Shard: p.Item, Attempt: p.Attempt, Fraction: p.Fraction, Message: p.Message, At: optionalTime(p.At)})
	}
	for _, l := range r.Logs {
		d.Logs = append(d.Logs, requestedLogOf{Shard: l.Item, Attempt: l.Attempt, Execution: l.ExecutionID, Lines: l.Lines})
	}
	return d
}

// one answers with one requested run, and how it went.
func (s requestAPI) one(c *gin.Context) {
	job, id, err := s.Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	run, err := s.Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	detail := recordJSON(s.Record(c, job, id))
	detail.requestedRunBody = foundJSON(job, run)
	writeModel(c, http.StatusOK, detail)
}

// log answers with lines of the log of a shard's attempt.
func (s requestAPI) log(c *gin.Context) {
	job, id, err := s.Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	asked, problems := query.ParseRunLog(c.Request.URL.Query(), "item", console.MostLogLines)
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	run, err := s.Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	record := s.Record(c, job, id)
	if record.State != console.Recorded {
		s.Fail(c, console.NoLog(record.State))
		return
	}
	log, err := s.ReadLog(c, job, id, record.Logs, console.LogAsked{Item: asked.Shard, Attempt: asked.Attempt, Execution: asked.Execution, After: asked.After, Limit: asked.Limit})
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := requestedLogBody{
		JobName: job, ID: id, Shard: log.Item, Attempt: log.Attempt, Lines: []requestedLogLine{}, After: asked.After, Total: log.Total,
		Ended: run.State.Ended(), Logs: recordJSON(record).Logs,
	}
	for _, l := range log.Lines {
		body.Lines = append(body.Lines, requestedLogLine{Seq: l.Seq, At: optionalTime(l.At), Level: l.Level, Message: l.Message})
		body.After = l.Seq
	}
	writeModel(c, http.StatusOK, body)
}
