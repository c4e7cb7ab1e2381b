package bulk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// post carries out one action on several jobs, or answers a preview.
func (s service) post(c *gin.Context) error {
	var in api.BulkRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	o, known := actionNamed(in.Order)
	if wrong := problems(in, o, known); len(wrong) > 0 {
		return app.Invalid(view.Join(wrong)+".", "Correct the request. Nothing was changed.")
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := app.CheckReason(in.Reason); p != nil {
		return p
	}
	at, p := s.enableAt(o, in.EnableAt)
	if in.Label != nil && p == nil {
		*in.Label = strings.TrimSpace(*in.Label)
		p = checkLabel(*in.Label)
	}
	if p != nil {
		return p
	}
	results, err := s.submit(c, bulk{action: o, jobs: in.Jobs, reason: in.Reason, enableAt: at, label: in.Label, what: in.What, preview: *in.Preview})
	if err != nil {
		return err
	}
	body := api.Bulk{Order: o.Verb, Preview: *in.Preview, Results: []api.BulkResult{}}
	for _, r := range results {
		one := api.BulkResult{Job: r.Job, Affected: []string{}, Skipped: []api.Skip{}}
		if p := r.refused; p != nil {
			body.Refused++
			one.Code, one.Message = p.Code, p.Message
		} else {
			body.Done++
			out := app.OutcomeBody(app.Target{Job: r.Job}, r.Outcome)
			one.Affected, one.Skipped, one.CancelledRuns = out.Affected, out.Skipped, r.CancelledRuns
		}
		body.Results = append(body.Results, one)
	}
	return app.Answer(c, body, nil)
}

// bulkProblems are the errors of the request.
func problems(in api.BulkRequest, o app.Action, known bool) (list []string) {
	names := slices.Clone(in.Jobs)
	slices.Sort(names)
	if !known {
		list = append(list, fmt.Sprintf("order %q is unknown (use trigger, disable, enable, hold, release, cancel-waiting, shutdown, remove or label)", view.Clip(in.Order, 40)))
	}
	if len(names) == 0 || len(names) > app.MostAtOnce || len(slices.Compact(names)) != len(in.Jobs) {
		list = append(list, fmt.Sprintf("jobs must be 1 to %d different names", app.MostAtOnce))
	}
	if in.Preview == nil {
		list = append(list, "preview must be true or false")
	}
	if known && (o.Verb == app.Label.Verb) != (in.Label != nil) {
		list = append(list, "label goes with the order label, and that with it")
	}
	switch held := o.Verb == app.Hold.Verb; {
	case known && !held && in.What != "":
		list = append(list, "what goes with the order hold")
	case held && !slices.Contains(app.Holds, in.What):
		list = append(list, fmt.Sprintf("what is %q (use %s)", view.Clip(string(in.What), 40), "schedule, requests, all"))
	}
	return list
}

// enableAt reads the time to enable disabled jobs again.
func (s service) enableAt(o app.Action, text string) (at time.Time, p *app.Problem) {
	if text == "" {
		return at, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || o.Verb != app.Disable.Verb {
		return at, app.Invalid(fmt.Sprintf("enableAt is %q, want a time as RFC 3339, and the order disable.", view.Clip(text, 40)), "Correct the request. Nothing was changed.")
	}
	return at, s.checkEnableAt(at)
}

var documentation = app.Operation{
	Summary: "One action on at most 200 jobs, job by job, or with preview what it would do. Actions are trigger, disable, enable, shutdown, remove, label, which writes label into the configuration of each, or removes it if that is empty, hold, which has what stand still (schedule, requests or all), release, or cancel-waiting, which cancels the requested runs that wait, at most 200 of a job at once. For remove, cancelledRuns counts the requested runs that it cancels. The reason, of at most 200 characters, stands in the audit and with the job. With enableAt, a time of the next 90 days, the console enables disabled jobs again.",
	Request: api.BulkRequest{}, Example: `{"order":"disable","jobs":["invoices","settlement.daily"],"preview":true,"reason":"INC-4821"}`,
	Answer: api.Bulk{}, Refusals: []int{400, 413, 422},
}
