package rest

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// mostAtOnce bounds the jobs of one bulk action.
const mostAtOnce = 200

// bulkRequest is one action on many jobs. Preview has no default: the caller
// of an action on many says which one is meant.
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

// bulkResult is one job of a bulk action. Without a code it was carried out, or
// would be.
type bulkResult struct {
	Job      string     `json:"job"`
	Code     string     `json:"code,omitempty"`
	Message  string     `json:"message,omitempty"`
	Affected []string   `json:"affected"`
	Skipped  []skipBody `json:"skipped"`
}

// bulk carries out one action on many jobs, or says what it would do. A job that
// refuses does not keep it from the others.
func (s *API) bulk(c *gin.Context) {
	var in bulkRequest
	if err := readJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	i := slices.IndexFunc(console.Actions, func(o console.Action) bool { return o.Verb == in.Order })
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
		s.Fail(c, console.Invalid(view.Join(problems)+".", "Correct the request. Nothing was changed."))
		return
	}
	o := console.Actions[i]
	body := bulkBody{Order: o.Verb, Preview: *in.Preview, Results: []bulkResult{}}
	for _, name := range in.Jobs {
		carryOut := s.submitOne
		if *in.Preview {
			carryOut = s.foresee
		}
		result, p := carryOut(c, o, name)
		switch {
		case p == nil:
			body.Done++
		case p.Status() >= 500 && body.Done == 0:
			s.Fail(c, p) // nothing can be read or changed, for any job
			return
		default:
			body.Refused++
			result = bulkResult{Job: view.Clip(name, 100), Code: p.Code, Message: p.Message, Affected: []string{}, Skipped: []skipBody{}}
		}
		body.Results = append(body.Results, result)
	}
	console.Refused(c, "") // single refusals are in the record
	s.Note(c, slog.String("order", "bulk "+o.Verb), slog.String("target", strings.Join(in.Jobs, ", ")), slog.Bool("preview", *in.Preview), slog.Int("done", body.Done), slog.Int("refused", body.Refused))
	writeModel(c, http.StatusOK, body)
}

func (s *API) submitOne(c *gin.Context, o console.Action, name string) (bulkResult, *console.Problem) {
	if jobtree.ValidateNodeName(name) != nil {
		return bulkResult{}, console.NoSuchJob(view.Clip(name, 100))
	}
	out, err := s.Submit(c, o, console.Target{Job: name})
	if err != nil {
		return bulkResult{}, console.AsProblem(err)
	}
	body := outcomeJSON(console.Target{Job: name}, out)
	return bulkResult{Job: name, Affected: body.Affected, Skipped: body.Skipped}, nil
}

// foresee says what an action would do to a job as it stands.
func (s *API) foresee(c *gin.Context, o console.Action, name string) (bulkResult, *console.Problem) {
	job, err := s.readJobNamed(c, name)
	if err != nil {
		return bulkResult{}, console.AsProblem(err)
	}
	result := bulkResult{Job: name, Affected: []string{}, Skipped: []skipBody{}}
	refuse := func(code, why string) (bulkResult, *console.Problem) {
		return bulkResult{}, &console.Problem{Kind: console.KindConflict, Code: code, Message: why}
	}
	add := func(id string, yes bool, otherwise string) {
		if yes {
			result.Affected = append(result.Affected, id)
		} else {
			result.Skipped = append(result.Skipped, skipBody{Target: id, Reason: otherwise})
		}
	}
	switch o.Verb {
	case console.Trigger.Verb, console.Shutdown.Verb:
		for _, i := range job.Instances {
			add(i.ID, i.Enabled || o.Verb == console.Shutdown.Verb, "its server is not enabled")
		}
		switch {
		case len(job.Instances) == 0:
			return refuse("no_instances", fmt.Sprintf("%s has no live instance.", name))
		case len(result.Affected) == 0:
			return refuse("conflict", "No live instance is on an enabled server.")
		}
	case console.Disable.Verb, console.Enable.Verb:
		for _, srv := range job.Servers {
			add(srv.IP, srv.Enabled == (o.Verb == console.Disable.Verb), "it is so already")
		}
		if len(job.Servers) == 0 {
			return refuse("conflict", "The job has no servers.")
		}
	case console.Remove.Verb:
		if n := len(job.Instances); n > 0 {
			return refuse("conflict", view.IsAre(n, "instance")+" alive; shut the job down first.")
		}
	}
	return result, nil
}

// readJobNamed reads a job that the address does not name.
func (s *API) readJobNamed(c *gin.Context, name string) (statistics.JobDetail, error) {
	if jobtree.ValidateNodeName(name) != nil {
		return statistics.JobDetail{}, console.NoSuchJob(view.Clip(name, 100))
	}
	return s.LookUp(c, name)
}
