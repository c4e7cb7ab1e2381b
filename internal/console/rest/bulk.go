package rest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// bulkRequest is one action on many jobs. Preview has no default: the caller
// of an action on many says which one is meant.
type bulkRequest struct {
	Order   string   `json:"order"`
	Jobs    []string `json:"jobs"`
	Preview *bool    `json:"preview"`
	// Reason is why, for the audit and with the job.
	Reason string `json:"reason"`
	// Label is what the order label writes; empty removes the label.
	Label *string `json:"label,omitempty"`
	// What is what the order hold has stand still: schedule, requests or all.
	What jobrun.Held `json:"what,omitempty"`
	// EnableAt is when the console enables disabled jobs again; empty for never.
	EnableAt string `json:"enableAt"`
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
	Skipped  []api.Skip `json:"skipped"`
	// CancelledRuns counts the requested runs that remove cancels.
	CancelledRuns int `json:"cancelledRuns,omitempty"`
}

// bulk carries out one action on many jobs, or says what it would do. A job that
// refuses does not keep it from the others.
func (s *API) bulk(c *gin.Context) {
	var in bulkRequest
	if err := console.ReadJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	o, known := console.ActionNamed(in.Order)
	if problems := in.problems(o, known); len(problems) > 0 {
		s.Fail(c, console.Invalid(view.Join(problems)+".", "Correct the request. Nothing was changed."))
		return
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := console.CheckReason(in.Reason); p != nil {
		s.Fail(c, p)
		return
	}
	at, p := s.enableAt(o, in.EnableAt)
	label := ""
	if in.Label != nil && p == nil {
		label = strings.TrimSpace(*in.Label)
		p = console.CheckLabel(label)
	}
	if p != nil {
		s.Fail(c, p)
		return
	}
	results, err := s.SubmitBulk(c, console.Bulk{Action: o, Jobs: in.Jobs, Reason: in.Reason, EnableAt: at, Label: label, What: in.What, Preview: *in.Preview})
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := bulkBody{Order: o.Verb, Preview: *in.Preview, Results: []bulkResult{}}
	for _, r := range results {
		result := bulkResult{Job: r.Job, Affected: []string{}, Skipped: []api.Skip{}}
		if p := r.Refused; p != nil {
			body.Refused++
			result.Code, result.Message = p.Code, p.Message
		} else {
			body.Done++
			out := console.OutcomeBody(console.Target{Job: r.Job}, r.Outcome)
			result.Affected, result.Skipped, result.CancelledRuns = out.Affected, out.Skipped, r.CancelledRuns
		}
		body.Results = append(body.Results, result)
	}
	console.WriteJSON(c, http.StatusOK, body)
}

// problems are what is wrong with the request.
func (in bulkRequest) problems(o console.Action, known bool) (list []string) {
	names := slices.Clone(in.Jobs)
	slices.Sort(names)
	if !known {
		list = append(list, fmt.Sprintf("order %q is unknown (use trigger, disable, enable, hold, release, cancel-waiting, shutdown, remove or label)", view.Clip(in.Order, 40)))
	}
	if len(names) == 0 || len(names) > console.MostAtOnce || len(slices.Compact(names)) != len(in.Jobs) {
		list = append(list, fmt.Sprintf("jobs must be 1 to %d different names", console.MostAtOnce))
	}
	if in.Preview == nil {
		list = append(list, "preview must be true or false")
	}
	if known && (o.Verb == console.Label.Verb) != (in.Label != nil) {
		list = append(list, "label goes with the order label, and that with it")
	}
	switch held := o.Verb == console.Hold.Verb; {
	case known && !held && in.What != "":
		list = append(list, "what goes with the order hold")
	case held && !slices.Contains(console.Holds, in.What):
		list = append(list, fmt.Sprintf("what is %q (use %s)", view.Clip(string(in.What), 40), "schedule, requests, all"))
	}
	return list
}

// enableAt reads when disabled jobs are to be enabled again.
func (s *API) enableAt(o console.Action, text string) (at time.Time, p *console.Problem) {
	if text == "" {
		return at, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || o.Verb != console.Disable.Verb {
		return at, console.Invalid(fmt.Sprintf("enableAt is %q, want a time as RFC 3339, and the order disable.", view.Clip(text, 40)), "Correct the request. Nothing was changed.")
	}
	return at, s.CheckEnableAt(at)
}
