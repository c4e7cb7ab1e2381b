package console

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// mostAtOnce bounds the jobs of one bulk order.
const mostAtOnce = 200

// bulkRequest is one order to many jobs. Preview has no default: whoever gives
// an order to many says whether he means it.
type bulkRequest struct {
	Order   string   `json:"order"`
	Jobs    []string `json:"jobs"`
	Preview *bool    `json:"preview"`
}

// bulkBody is what became of it, job by job, in the order of the request.
type bulkBody struct {
	Order   string       `json:"order"`
	Preview bool         `json:"preview"`
	Done    int          `json:"done"`
	Refused int          `json:"refused"`
	Results []bulkResult `json:"results"`
}

// bulkResult is one job of a bulk order. Without a code it was carried out, or
// would be.
type bulkResult struct {
	Job      string     `json:"job"`
	Code     string     `json:"code,omitempty"`
	Message  string     `json:"message,omitempty"`
	Affected []string   `json:"affected"`
	Skipped  []skipBody `json:"skipped"`
}

// apiBulk gives one order to many jobs, or tells what it would do. A job that
// refuses does not keep it from the others.
func (s *Console) apiBulk(c *gin.Context) {
	var in bulkRequest
	if err := readJSON(c, &in); err != nil {
		s.fail(c, err)
		return
	}
	i := slices.IndexFunc(orders, func(o order) bool { return o.verb == in.Order })
	names := slices.Clone(in.Jobs)
	slices.Sort(names)
	var problems []string
	if i < 0 {
		problems = append(problems, fmt.Sprintf("order %q is unknown (use trigger, disable, enable, shutdown or remove)", view.Clip(in.Order, 40)))
	}
	if len(names) == 0 || len(names) > mostAtOnce || len(slices.Compact(names)) != len(in.Jobs) {
		problems = append(problems, fmt.Sprintf("jobs must be 1 to %d different names", mostAtOnce))
	}
	if in.Preview == nil {
		problems = append(problems, "preview must be true or false")
	}
	if len(problems) > 0 {
		s.fail(c, invalid(view.Join(problems)+".", "Correct the request. Nothing was changed."))
		return
	}
	o := orders[i]
	body := bulkBody{Order: o.verb, Preview: *in.Preview, Results: []bulkResult{}}
	for _, name := range in.Jobs {
		carryOut := s.giveOne
		if *in.Preview {
			carryOut = s.foresee
		}
		result, p := carryOut(c, o, name)
		switch {
		case p == nil:
			body.Done++
		case p.status() >= 500 && body.Done == 0:
			s.fail(c, p) // nothing can be read or ordered, for any job
			return
		default:
			body.Refused++
			result = bulkResult{Job: view.Clip(name, 100), Code: p.code, Message: p.message, Affected: []string{}, Skipped: []skipBody{}}
		}
		body.Results = append(body.Results, result)
	}
	c.Set(outcomeKey, "") // single refusals are in the record
	s.note(c, slog.String("order", "bulk "+o.verb), slog.String("target", strings.Join(in.Jobs, ", ")), slog.Bool("preview", *in.Preview), slog.Int("done", body.Done), slog.Int("refused", body.Refused))
	writeModel(c, http.StatusOK, body)
}

func (s *Console) giveOne(c *gin.Context, o order, name string) (bulkResult, *problem) {
	if jobtree.ValidateNodeName(name) != nil {
		return bulkResult{}, noSuchJob(view.Clip(name, 100))
	}
	out, err := s.give(c, o, target{job: name})
	if err != nil {
		return bulkResult{}, asProblem(err)
	}
	body := outcomeJSON(target{job: name}, out)
	return bulkResult{Job: name, Affected: body.Affected, Skipped: body.Skipped}, nil
}

// foresee tells what an order would do to a job as it stands.
func (s *Console) foresee(c *gin.Context, o order, name string) (bulkResult, *problem) {
	job, err := s.readJobNamed(c, name)
	if err != nil {
		return bulkResult{}, asProblem(err)
	}
	result := bulkResult{Job: name, Affected: []string{}, Skipped: []skipBody{}}
	refuse := func(code, why string) (bulkResult, *problem) {
		return bulkResult{}, &problem{kind: kindConflict, code: code, message: why}
	}
	add := func(id string, yes bool, otherwise string) {
		if yes {
			result.Affected = append(result.Affected, id)
		} else {
			result.Skipped = append(result.Skipped, skipBody{Target: id, Reason: otherwise})
		}
	}
	switch o.verb {
	case trigger.verb, shutdown.verb:
		for _, i := range job.Instances {
			add(i.ID, i.Enabled || o.verb == shutdown.verb, "its server is not enabled")
		}
		switch {
		case len(job.Instances) == 0:
			return refuse("no_instances", fmt.Sprintf("%s has no live instance.", name))
		case len(result.Affected) == 0:
			return refuse("conflict", "No live instance is on an enabled server.")
		}
	case disable.verb, enable.verb:
		for _, srv := range job.Servers {
			add(srv.IP, srv.Enabled == (o.verb == disable.verb), "it is so already")
		}
		if len(job.Servers) == 0 {
			return refuse("conflict", "The job has no servers.")
		}
	case remove.verb:
		if n := len(job.Instances); n > 0 {
			return refuse("conflict", view.IsAre(n, "instance")+" alive; shut the job down first.")
		}
	}
	return result, nil
}

// readJobNamed reads a job that the address does not name.
func (s *Console) readJobNamed(c *gin.Context, name string) (statistics.JobDetail, error) {
	if jobtree.ValidateNodeName(name) != nil {
		return statistics.JobDetail{}, noSuchJob(view.Clip(name, 100))
	}
	return s.lookUp(c, name)
}
