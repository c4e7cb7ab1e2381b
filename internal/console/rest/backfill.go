package rest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// backfillTimesShown is how many times of a preview an answer has.
const backfillTimesShown = 1000

// backfillRequest says between which moments the fire times are whose runs are requested.
type backfillRequest struct {
	From   string          `json:"from"`
	To     string          `json:"to"`
	Params json.RawMessage `json:"params,omitempty"`
	// Parallel is how many of its runs may be queued or running at once; 0 is 100.
	Parallel int  `json:"parallel,omitempty"`
	Preview  bool `json:"preview,omitempty"`
}

// backfillBody describes a preview, or the backfill that has begun.
type backfillBody struct {
	Preview bool `json:"preview"`
	// Count is how many fire times there are; First, Last and Times, which are the first 1,000, are
	// those of a preview.
	Count int      `json:"count"`
	First string   `json:"first,omitempty"`
	Last  string   `json:"last,omitempty"`
	Times []string `json:"times,omitempty"`
	// Refused are times of the cron expression that are no fire times, the first 1,000.
	Refused      []refusedTime `json:"refused,omitempty"`
	RefusedCount int           `json:"refusedCount,omitempty"`
	// ZoneAssumed: the job names no zone, and the times are by the console's.
	ZoneAssumed bool `json:"zoneAssumed,omitempty"`
	// Backfill is the id of the backfill, which its runs have in common.
	Backfill string `json:"backfill,omitempty"`
}

// backfillProgressBody is a backfill and what became of its runs.
type backfillProgressBody struct {
	JobName     string       `json:"jobName"`
	ID          string       `json:"id"`
	State       string       `json:"state"`
	RequestedAt string       `json:"requestedAt"`
	EndTime     string       `json:"completeTime,omitempty"`
	By          requestedBy  `json:"by"`
	From        string       `json:"from"`
	To          string       `json:"to"`
	Parallel    int          `json:"parallel"`
	Count       int          `json:"count"`
	Runs        backfillRuns `json:"runs"`
	// Next is the first fire time with a run that waits.
	Next string `json:"next,omitempty"`
	// Problem is why the next run can't be requested.
	Problem   string           `json:"problem,omitempty"`
	Cancelled *requestedCancel `json:"cancelled,omitempty"`
}

// backfillRuns counts the fire times of a backfill by what became of their runs: they add up to its
// count. Unknown are runs that ended, but their outcome was removed without being counted.
type backfillRuns struct {
	Waiting   int `json:"waiting"`
	Running   int `json:"running"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Cancelled int `json:"cancelled"`
	Skipped   int `json:"skipped"`
	Expired   int `json:"expired"`
	Unknown   int `json:"unknown"`
}

// backfillsBody are the last backfills of a job.
type backfillsBody struct {
	Rows []backfillProgressBody `json:"rows"`
}

func backfillProgressOf(job string, p jobrun.BackfillProgress) backfillProgressBody {
	body := backfillProgressBody{
		JobName: job, ID: p.ID, State: string(p.State), RequestedAt: optionalTime(p.Requested), EndTime: optionalTime(p.Ended),
		By: requestedBy(p.By), From: optionalTime(p.From), To: optionalTime(p.To), Parallel: p.Parallel, Count: p.Total,
		Runs: backfillRuns{
			Waiting: p.Runs[jobrun.Queued], Running: p.Runs[jobrun.Running], Succeeded: p.Runs[jobrun.Succeeded], Failed: p.Runs[jobrun.Failed],
			Cancelled: p.Runs[jobrun.Cancelled], Skipped: p.Runs[jobrun.Skipped], Expired: p.Runs[jobrun.Expired], Unknown: p.Runs[jobrun.Unknown],
		},
		Next: optionalTime(p.Next), Problem: p.Problem,
	}
	if p.Cancel != nil {
		body.Cancelled = &requestedCancel{By: p.Cancel.By, At: optionalTime(p.Cancel.At), Reason: p.Cancel.Reason}
	}
	return body
}

// refusedTime is a time of the cron expression, and the property that leaves it out.
type refusedTime struct {
	Time     string `json:"time"`
	Property string `json:"property"`
}

// backfill begins a backfill, or returns which fire times it would have.
func (s requestAPI) backfill(c *gin.Context) {
	job, err := console.JobName(c)
	var in backfillRequest
	if err == nil {
		err = readJSON(c, &in)
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
		writeModel(c, http.StatusAccepted, backfillBody{Count: p.Total, Backfill: p.ID})
		return
	}
	plan, err := s.PlanBackfill(c, job, b)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := backfillBody{Preview: true, Count: len(plan.Times), RefusedCount: plan.RefusedCount, ZoneAssumed: plan.ZoneAssumed}
	if len(plan.Times) > 0 {
		body.First, body.Last = optionalTime(plan.Times[0]), optionalTime(plan.Times[len(plan.Times)-1])
	}
	for _, at := range plan.Times[:min(len(plan.Times), backfillTimesShown)] {
		body.Times = append(body.Times, optionalTime(at))
	}
	for _, refused := range plan.Refused {
		body.Refused = append(body.Refused, refusedTime{optionalTime(refused.At), refused.Property})
	}
	writeModel(c, http.StatusOK, body)
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
	body := backfillsBody{Rows: []backfillProgressBody{}}
	for _, p := range list {
		body.Rows = append(body.Rows, backfillProgressOf(job, p))
	}
	writeModel(c, http.StatusOK, body)
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
	writeModel(c, http.StatusOK, backfillProgressOf(job, p))
}

// cancelBackfill ends a backfill.
func (s requestAPI) cancelBackfill(c *gin.Context) {
	var in cancelRequest
	job, id, err := s.NamedBackfill(c)
	if err == nil && c.Request.ContentLength != 0 {
		err = readJSON(c, &in)
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
	writeModel(c, status, backfillProgressOf(job, p))
}
