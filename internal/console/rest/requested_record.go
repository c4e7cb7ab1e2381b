package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

func recordJSON(r console.RunRecord) (d api.RequestedRunDetail) {
	d = api.RequestedRunDetail{Record: string(r.State), Steps: []api.RunStep{}, Progress: []api.RunProgress{}}
	for _, s := range r.Steps {
		d.Steps = append(d.Steps, api.RunStep{At: console.OptionalTime(s.At), State: s.State, Attempt: s.Attempt, Actor: s.Actor, Message: s.Message})
	}
	for _, p := range r.Progress {
		d.Progress = append(d.Progress, api.RunProgress{Shard: p.Item, Attempt: p.Attempt, Fraction: p.Fraction, Message: p.Message, At: console.OptionalTime(p.At)})
	}
	d.Logs = logsJSON(r.Logs)
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
