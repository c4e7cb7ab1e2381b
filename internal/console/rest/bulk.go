package rest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// bulk carries out one action on many jobs, or says what it would do. A job that
// refuses does not keep it from the others.
func (s *API) bulk(c *gin.Context) error {
	var in api.BulkRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	o, known := console.ActionNamed(in.Order)
	if problems := bulkProblems(in, o, known); len(problems) > 0 {
		return console.Invalid(view.Join(problems)+".", "Correct the request. Nothing was changed.")
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := console.CheckReason(in.Reason); p != nil {
		return p
	}
	at, p := s.enableAt(o, in.EnableAt)
	label := ""
	if in.Label != nil && p == nil {
		label = strings.TrimSpace(*in.Label)
		p = console.CheckLabel(label)
	}
	if p != nil {
		return p
	}
	results, err := s.SubmitBulk(c, console.Bulk{Action: o, Jobs: in.Jobs, Reason: in.Reason, EnableAt: at, Label: label, What: in.What, Preview: *in.Preview})
	if err != nil {
		return err
	}
	body := api.Bulk{Order: o.Verb, Preview: *in.Preview, Results: []api.BulkResult{}}
	for _, r := range results {
		result := api.BulkResult{Job: r.Job, Affected: []string{}, Skipped: []api.Skip{}}
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
	return console.Answer(c, body, nil)
}

// bulkProblems are the errors of the request.
func bulkProblems(in api.BulkRequest, o console.Action, known bool) (list []string) {
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
