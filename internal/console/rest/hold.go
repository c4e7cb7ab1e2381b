package rest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

func holdJSON(h jobrun.Hold) *api.Hold {
	if h.What == "" {
		return nil
	}
	return &api.Hold{What: h.What, By: h.By, At: optionalTime(h.At), Reason: h.Reason}
}

// hold has a job stand still.
func (s requestAPI) hold(c *gin.Context) {
	job, err := console.JobName(c)
	var in api.HoldRequest
	if err == nil {
		err = console.ReadJSON(c, &in)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := console.CheckReason(in.Reason); p != nil {
		s.Fail(c, p)
		return
	}
	if !slices.Contains(console.Holds, in.What) {
		p := console.Problem{Kind: console.KindInvalid, Code: "invalid", Fields: []console.FieldBody{{Field: "what", Value: view.Clip(string(in.What), 60), Want: "schedule, requests, all"}}}
		s.Fail(c, p.SaidAs(i18n.Lang.HoldWrongWhat, i18n.Lang.HoldRefusedHint))
		return
	}
	if err := s.Hold(c, job, in.What, in.Reason); err != nil {
		s.Fail(c, err)
		return
	}
	held := jobrun.Hold{What: in.What, By: console.Caller(c).Name, At: s.Now(), Reason: in.Reason}
	console.WriteJSON(c, http.StatusOK, holdJSON(held))
}

// release ends the hold of a job.
func (s requestAPI) release(c *gin.Context) {
	job, err := console.JobName(c)
	if err == nil {
		err = s.Release(c, job)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, api.Outcome{Job: job, Affected: []string{job}, Skipped: []api.Skip{}})
}
