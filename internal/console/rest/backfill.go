package rest

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// backfillRequest says between which moments the fire times are whose runs are requested.
type backfillRequest struct {
	From    string          `json:"from"`
	To      string          `json:"to"`
	Params  json.RawMessage `json:"params,omitempty"`
	Preview bool            `json:"preview,omitempty"`
}

// backfillBody is what a backfill would do, or has done.
type backfillBody struct {
	Preview bool `json:"preview"`
	// Count is how many fire times there are; Times are these, of a preview.
	Count int      `json:"count"`
	Times []string `json:"times,omitempty"`
	// Refused are times of the cron expression that are no fire times, the first 1,000.
	Refused      []refusedTime `json:"refused,omitempty"`
	RefusedCount int           `json:"refusedCount,omitempty"`
	// ZoneAssumed: the job names no zone, and the times are by the console's.
	ZoneAssumed bool `json:"zoneAssumed,omitempty"`
	// Backfill is the id that the runs have in common.
	Backfill string `json:"backfill,omitempty"`
	Created  int    `json:"created"`
	Repeated int    `json:"repeated"`
}

// refusedTime is a time of the cron expression, and the property that leaves it out.
type refusedTime struct {
	Time     string `json:"time"`
	Property string `json:"property"`
}

// backfill requests a run for each fire time between two moments, or says which they are.
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
	b := jobrun.Backfill{From: problems.moment("from", in.From), To: problems.moment("to", in.To), Params: paramsOf(in.Params)}
	if len(problems) > 0 {
		s.Fail(c, wrongRequest(problems))
		return
	}
	if !in.Preview {
		result, err := s.Backfill(c, job, console.FromAPI, b)
		if err != nil {
			s.Fail(c, err)
			return
		}
		writeModel(c, http.StatusCreated, backfillBody{Count: result.Created + result.Repeated, Backfill: result.ID, Created: result.Created, Repeated: result.Repeated})
		return
	}
	plan, err := s.PlanBackfill(c, job, b)
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := backfillBody{Preview: true, Count: len(plan.Times), RefusedCount: plan.RefusedCount, ZoneAssumed: plan.ZoneAssumed}
	for _, at := range plan.Times {
		body.Times = append(body.Times, optionalTime(at))
	}
	for _, refused := range plan.Refused {
		body.Refused = append(body.Refused, refusedTime{optionalTime(refused.At), refused.Property})
	}
	writeModel(c, http.StatusOK, body)
}
