package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

func recordJSON(r console.RunRecord) (d api.RequestedRunDetail) {
	d = api.RequestedRunDetail{Record: string(r.State), Steps: []api.RunStep{}, Progress: []api.RunProgress{}, Logs: []api.RunLogOf{}}
	for _, s := range r.Steps {
		d.Steps = append(d.Steps, api.RunStep{At: optionalTime(s.At), State: s.State, Attempt: s.Attempt, Actor: s.Actor, Message: s.Message})
	}
	for _, p := range r.Progress {
		d.Progress = append(d.Progress, api.RunProgress{Shard: p.Item, Attempt: p.Attempt, Fraction: p.Fraction, Message: p.Message, At: optionalTime(p.At)})
	}
	for _, l := range r.Logs {
		d.Logs = append(d.Logs, api.RunLogOf{Shard: l.Item, Attempt: l.Attempt, Execution: l.ExecutionID, Lines: l.Lines})
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
	detail.RequestedRun = foundJSON(job, run)
	console.WriteJSON(c, http.StatusOK, detail)
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
	body := api.RunLog{
		JobName: job, ID: id, Shard: log.Item, Attempt: log.Attempt, Lines: []api.RunLogLine{}, After: asked.After, Total: log.Total,
		Ended: run.State.Ended(), Logs: recordJSON(record).Logs,
	}
	for _, l := range log.Lines {
		body.Lines = append(body.Lines, api.RunLogLine{Seq: l.Seq, At: optionalTime(l.At), Level: l.Level, Message: l.Message})
		body.After = l.Seq
	}
	console.WriteJSON(c, http.StatusOK, body)
}
