package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

func logsJSON(logs []rdb.LogOf) []api.RunLogOf {
	list := []api.RunLogOf{}
	for _, l := range logs {
		list = append(list, api.RunLogOf{Shard: l.Item, Attempt: l.Attempt, Execution: l.ExecutionID, Lines: l.Lines})
	}
	return list
}

// logAsked returns which lines of a log the address asks for.
func logAsked(c *gin.Context) (console.LogAsked, error) {
	asked, problems := query.ParseRunLog(c.Request.URL.Query(), "item", console.MostLogLines)
	if len(problems) > 0 {
		return console.LogAsked{}, console.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	return console.LogAsked{Item: asked.Shard, Attempt: asked.Attempt, Execution: asked.Execution, After: asked.After, Limit: asked.Limit}, nil
}

func writeLog(c *gin.Context, job, id string, log console.RunLog, logs []rdb.LogOf, after int, ended bool) {
	body := api.RunLog{
		JobName: job, ID: id, Shard: log.Item, Attempt: log.Attempt, Lines: []api.RunLogLine{}, After: after, Total: log.Total,
		Ended: ended, Logs: logsJSON(logs),
	}
	for _, l := range log.Lines {
		body.Lines = append(body.Lines, api.RunLogLine{Seq: l.Seq, At: console.OptionalTime(l.At), Level: l.Level, Message: l.Message})
		body.After = l.Seq
	}
	console.WriteJSON(c, http.StatusOK, body)
}

// runLog answers with lines of the log of a shard's attempt, of a run of the history.
func (s *API) runLog(c *gin.Context) {
	asked, err := logAsked(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	found, err := s.ReadLogOfRun(c, asked)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeLog(c, found.JobName, found.ID, found.RunLog, found.Logs, asked.After, found.State != rdb.RunRunning)
}

// log answers with lines of the log of a shard's attempt, of a requested run.
func (s requestAPI) log(c *gin.Context) {
	job, id, err := s.Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	asked, err := logAsked(c)
	if err != nil {
		s.Fail(c, err)
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
	log, err := s.ReadLog(c, job, id, record.Logs, asked)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeLog(c, job, id, log, record.Logs, asked.After, run.State.Ended())
}
