package jobs

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// The number of jobs a search answers with, and the most that can be asked for.
const (
	searchRows = 8
	mostSearch = 100
)

// searchBody is what a search finds, the best first.
type searchBody struct {
	Jobs []foundBody `json:"jobs"`
}

// foundBody is a job that was found.
type foundBody struct {
	JobName string `json:"jobName"`
	Label   string `json:"label,omitempty"`
	Status  string `json:"status"`
	Health  string `json:"health"`
	Reason  string `json:"healthReason,omitempty"`
}

// search finds jobs by letters of their names.
func (s service) search(c *gin.Context) error {
	text, most := c.Query("q"), searchRows
	if limit := c.Query("limit"); limit != "" {
		n, err := strconv.Atoi(limit)
		if err != nil || n < 1 || n > mostSearch {
			return app.Invalid("limit "+strconv.Quote(view.Clip(limit, 40))+" is not a number from 1 to "+strconv.Itoa(mostSearch)+".", "Leave it out for "+strconv.Itoa(searchRows)+".")
		}
		most = n
	}
	if len(text) > query.MaxSearch {
		return app.Invalid("q is longer than "+strconv.Itoa(query.MaxSearch)+" bytes.", "Some letters of a job's name are enough.")
	}
	all, err := s.ReadJobs(c)
	if err != nil {
		return err
	}
	hits := query.SearchJobs(all, text, most)
	jobs := make([]statistics.Job, len(hits))
	for i, hit := range hits {
		jobs[i] = hit.Job
	}
	board := s.ReadHealth(c, jobs)
	body := searchBody{Jobs: make([]foundBody, len(jobs))}
	for i, j := range jobs {
		h := board.Of(j)
		body.Jobs[i] = foundBody{JobName: j.Name, Label: j.Label, Status: string(j.Status), Health: string(h.State), Reason: h.Reason}
	}
	return app.Answer(c, body, nil)
}
