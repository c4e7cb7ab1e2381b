package rest

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// backfillTimesShown is how many times of a preview an answer has.
const backfillTimesShown = 1000

func backfillProgressOf(job string, p jobrun.BackfillProgress) api.Backfill {
	body := api.Backfill{
		JobName: job, ID: p.ID, State: string(p.State), RequestedAt: optionalTime(p.Requested), EndTime: optionalTime(p.Ended),
		By: api.Requester(p.By), From: optionalTime(p.From), To: optionalTime(p.To), Parallel: p.Parallel, Count: p.Total,
		Runs: api.BackfillRuns{
			Waiting: p.Runs[jobrun.Queued], Running: p.Runs[jobrun.Running], Succeeded: p.Runs[jobrun.Succeeded], Failed: p.Runs[jobrun.Failed],
			Cancelled: p.Runs[jobrun.Cancelled], Skipped: p.Runs[jobrun.Skipped], Expired: p.Runs[jobrun.Expired], Unknown: p.Runs[jobrun.Unknown],
		},
		Next: optionalTime(p.Next), Problem: p.Problem,
	}
	if p.Cancel != nil {
		body.Cancelled = &api.Cancellation{By: p.Cancel.By, At: optionalTime(p.Cancel.At), Reason: p.Cancel.Reason}
	}
	return body
}

// backfill begins a backfill, or returns which fire times it would have.
func (s requestAPI) backfill(c *gin.Context) {
	job, err := console.JobName(c)
	var in api.BackfillRequest
	if err == nil {
		err = console.ReadJSON(c, &in)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	var problems requestProblems
	b := jobrun.Backfill{From: problems.moment("from", in.From), To: problems.moment("to", in.To), Params: paramsOf(in.Params), Parallel: in.Parallel}
	if len(problems) > 0 {
		s.Fail(c, wrongRequest(problems))
		return
	}
	if !in.Preview {
		p, err := s.Backfill(c, job, console.FromAPI, b)
		if err != nil {
			s.Fail(c, err)
			return
		}
		console.WriteJSON(c, http.StatusAccepted, api.BackfillAnswer{Count: p.Total, Backfill: p.ID})
		return
	}
	plan, err := s.PlanBackfill(c, job, b)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := api.BackfillAnswer{Preview: true, Count: len(plan.Times), RefusedCount: plan.RefusedCount, ZoneAssumed: plan.ZoneAssumed}
	if len(plan.Times) > 0 {
		body.First, body.Last = optionalTime(plan.Times[0]), optionalTime(plan.Times[len(plan.Times)-1])
	}
	for _, at := range plan.Times[:min(len(plan.Times), backfillTimesShown)] {
		body.Times = append(body.Times, optionalTime(at))
	}
	for _, refused := range plan.Refused {
		body.Refused = append(body.Refused, api.RefusedTime{Time: optionalTime(refused.At), Property: refused.Property})
	}
	console.WriteJSON(c, http.StatusOK, body)
}

// backfills lists the last backfills of a job.
func (s requestAPI) backfills(c *gin.Context) {
	job, err := console.JobName(c)
	var list []jobrun.BackfillProgress
	if err == nil {
		list, err = s.Backfills(c, job)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := api.Backfills{Rows: []api.Backfill{}}
	for _, p := range list {
		body.Rows = append(body.Rows, backfillProgressOf(job, p))
	}
	console.WriteJSON(c, http.StatusOK, body)
}

// oneBackfill returns one backfill.
func (s requestAPI) oneBackfill(c *gin.Context) {
	job, id, err := s.NamedBackfill(c)
	var p jobrun.BackfillProgress
	if err == nil {
		p, err = s.ReadBackfill(c, job, id)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, backfillProgressOf(job, p))
}

// cancelBackfill ends a backfill.
func (s requestAPI) cancelBackfill(c *gin.Context) {
	var in api.CancelRequest
	job, id, err := s.NamedBackfill(c)
	if err == nil && c.Request.ContentLength != 0 {
		err = console.ReadJSON(c, &in)
	}
	if in.Reason = strings.TrimSpace(in.Reason); err == nil {
		if p := console.CheckReason(in.Reason); p != nil {
			err = p
		}
	}
	var p jobrun.BackfillProgress
	if err == nil {
		p, err = s.CancelBackfill(c, job, id, in.Reason)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	status := http.StatusOK
	if !p.State.Ended() {
		status = http.StatusAccepted
	}
	console.WriteJSON(c, status, backfillProgressOf(job, p))
}
