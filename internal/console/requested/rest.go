package requested

import (
	"iter"
	"maps"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// rest answers the REST routes.
type rest struct{ service }

// maxRequestBody bounds a request for a run: its parameters, and the rest.
const maxRequestBody = 96 << 10

func runBody(r Found) api.RequestedRun {
	n := r.Counts()
	body := api.RequestedRun{
		JobName: r.Job, ID: r.ID, State: string(r.State), Cancelling: r.State == jobrun.Running && r.Cancelled != nil, Reason: r.Reason,
		SubmittedAt: app.OptionalTime(r.Submitted), DueAt: app.OptionalTime(r.Due), ExpiresAt: app.OptionalTime(r.Expires), StartTime: app.OptionalTime(r.Began), EndTime: app.OptionalTime(r.Ended),
		Attempt: r.Attempt, Losses: r.Losses, Assign: r.Assign, By: api.Requester(r.By), Key: r.Key, Note: r.Note, Parent: r.Parent, Params: r.Params,
		Shards: api.ShardCounts{
			Total: r.Total, Succeeded: n.OK, Failed: n.Failed, Skipped: n.Skipped, Cancelled: n.Cancelled,
			Running: len(r.Claims), Waiting: len(r.Waiting),
		},
		Cancelled: cancelBody(r.Cancelled), Details: shardBodies(r.Run), Source: r.Source, Error: r.Error,
	}
	if r.Wait.Code != "" { // Shards of instances that were lost wait for another one.
		body.Shards.Running, body.Shards.Waiting = 0, len(r.Claims)+len(r.Waiting)
		body.Waiting = &api.WaitReason{Code: string(r.Wait.Code), Sentence: r.Wait.Sentence, Remedy: r.Wait.Remedy, Node: r.Wait.Node, Run: r.Wait.Run}
	}
	return body
}

func cancelBody(cancel *jobrun.Cancel) *api.Cancellation {
	if cancel == nil {
		return nil
	}
	return &api.Cancellation{By: cancel.By, At: app.OptionalTime(cancel.At), Reason: cancel.Reason}
}

// shardBodies are the first [query.MaxShards] shards of a run.
func shardBodies(r jobrun.Run) []api.RunShard {
	list := []api.RunShard{}
	for n, state := range shardStates(r) {
		if len(list) == query.MaxShards {
			break
		}
		one := api.RunShard{Shard: n, State: state, Error: r.Errors[n], Result: r.Results[n]}
		if claim, runs := r.Claims[n]; runs {
			one.Instance, one.Since = claim.Instance, app.OptionalTime(claim.Since)
		}
		list = append(list, one)
	}
	return list
}

// shardStates are the shards of a run with their states: running and failed shards first, then the
// others by their number. A shard that only has a result has no state.
func shardStates(r jobrun.Run) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		claimed := "running"
		if r.Wait.Code != "" { // No handler works on it.
			claimed = "lost"
		}
		named := make(map[int]bool)
		for _, of := range []struct {
			state  string
			shards []int
		}{
			{claimed, slices.Sorted(maps.Keys(r.Claims))}, {"failed", r.Failed}, {"cancelled", r.Cut}, {"waiting", r.Waiting}, {"skipped", r.Skipped}, {"succeeded", r.OK},
			{"failed", slices.Sorted(maps.Keys(r.Errors))}, {"", slices.Sorted(maps.Keys(r.Results))},
		} {
			for _, n := range of.shards {
				if !named[n] && !yield(n, of.state) {
					return
				}
				named[n] = true
			}
		}
	}
}

// asked is the filter that the address asks for.
func asked(c *gin.Context) (query.Requested, error) {
	f, wrong := query.ParseRequested(c.Request.URL.Query())
	if len(wrong) > 0 {
		return f, app.Misunderstood(wrong, i18n.Lang.AddressCorrect)
	}
	return f, nil
}

// rows are the runs of a page.
func rows(p page) []api.RequestedRun {
	list := []api.RequestedRun{}
	for _, r := range p.Runs {
		list = append(list, runBody(r))
	}
	return list
}

// getRuns answers with requested runs of a job.
func (s rest) getRuns(c *gin.Context, job string) error {
	f, err := asked(c)
	if err != nil {
		return err
	}
	p, err := s.list(c, job, f)
	return app.Answer(c, api.RequestedRuns{Rows: rows(p), NextCursor: p.Next, Waiting: p.Waiting, Ended: p.Ended, Source: p.source()}, err)
}

// getAll answers with requested runs of all jobs.
func (s rest) getAll(c *gin.Context) error {
	f, err := asked(c)
	if err != nil {
		return err
	}
	f.Key, f.Job = "", c.Query("job")
	p, err := s.listAll(c, f)
	source := api.FromNowhere
	switch registry, database := p.Registry == api.PlaceRead, p.Database == api.PlaceRead; {
	case registry && database:
		source = api.FromBoth
	case registry:
		source = api.FromRegistry
	case database:
		source = api.FromDatabase
	}
	return app.Answer(c, api.AllRequestedRuns{
		Rows: rows(p), NextCursor: p.Next, Source: source, Registry: p.Registry, Database: p.Database, Unreadable: p.Unreadable,
	}, err)
}

// getRun answers with one requested run, and how it went.
func (s rest) getRun(c *gin.Context, job, id string) error {
	run, err := s.read(c, job, id)
	if err != nil {
		return err
	}
	r := s.readRecord(c, job, id)
	d := api.RequestedRunDetail{RequestedRun: runBody(run), Record: string(r.State), Steps: []api.RunStep{}, Progress: []api.RunProgress{}, Logs: app.LogBodies(r.Logs)}
	for _, s := range r.Steps {
		d.Steps = append(d.Steps, api.RunStep{At: app.OptionalTime(s.At), State: s.State, Attempt: s.Attempt, Actor: s.Actor, Message: s.Message})
	}
	for _, p := range r.Progress {
		d.Progress = append(d.Progress, api.RunProgress{Shard: p.Item, Attempt: p.Attempt, Fraction: p.Fraction, Message: p.Message, At: app.OptionalTime(p.At)})
	}
	return app.Answer(c, d, nil)
}

// getLog answers with lines of the log of a shard's attempt.
func (s rest) getLog(c *gin.Context, job, id string) error {
	asked, err := app.LogAsked(c)
	if err != nil {
		return err
	}
	run, err := s.read(c, job, id)
	if err != nil {
		return err
	}
	r := s.readRecord(c, job, id)
	if r.State != app.Recorded {
		return app.NoLog(r.State)
	}
	log, err := s.ReadLog(c, job, id, r.Logs, asked)
	return app.Answer(c, app.LogBody(job, id, log, r.Logs, asked.After, run.State.Ended()), err)
}

// answer reads a run and answers with it.
func (s rest) answer(c *gin.Context, status int, job, id string) error {
	run, err := s.read(c, job, id)
	if err == nil {
		app.WriteJSON(c, status, runBody(run))
	}
	return err
}

// postCancel ends a waiting run, or asks the handlers of a running one to return.
func (s rest) postCancel(c *gin.Context, job, id string) error {
	reason, err := readReason(c)
	if err != nil {
		return err
	}
	state, err := s.cancel(c, job, id, reason)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if state == jobrun.Running {
		status = http.StatusAccepted
	}
	return s.answer(c, status, job, id)
}

// postStart has a run that waits for its time begin now.
func (s rest) postStart(c *gin.Context, job, id string) error {
	if err := s.start(c, job, id); err != nil {
		return err
	}
	return s.answer(c, http.StatusOK, job, id)
}

// post requests a run of a job.
func (s rest) post(c *gin.Context, job string) error {
	r, err := readRequest(c)
	if err != nil {
		return err
	}
	return s.submitted(c, job, fromAPI, r)
}

// submitted requests a run and answers with it: 201, or 200 if its key was known.
func (s rest) submitted(c *gin.Context, job, kind string, r jobrun.Request) error {
	ticket, err := s.submit(c, job, kind, r)
	if err != nil {
		return err
	}
	run, err := s.read(c, job, ticket.ID)
	if err != nil { // The run was requested, even if it is gone by now.
		run = Found{Job: job, Source: api.FromRegistry, Run: jobrun.Run{ID: ticket.ID, State: jobrun.Queued, Submitted: s.Now(), Due: ticket.Due, Attempt: 1, By: jobrun.By{Kind: kind}}}
		if ticket.Due.After(run.Submitted) {
			run.State = jobrun.Scheduled
		}
	}
	status := http.StatusOK
	if !ticket.Repeated {
		status = http.StatusCreated
		c.Header("Location", s.Options().BasePath+app.JobPath("/api/jobs", job, "requested-runs", ticket.ID))
	}
	app.WriteJSON(c, status, api.SubmittedRun{RequestedRun: runBody(run), Repeated: ticket.Repeated, Warning: warningOf(ticket)})
	return nil
}

// warningOf returns the warning of a new request, or nothing.
func warningOf(t jobrun.Ticket) string {
	if t.Wait == jobrun.WaitNoProcess {
		return "no process serves the job; the run waits until one starts, or expires"
	}
	return ""
}

// postAgain requests a run that repeats one that has ended.
func (s rest) postAgain(c *gin.Context, job, id string) error {
	var in api.AgainRequest
	if c.Request.ContentLength != 0 {
		if err := app.ReadJSON(c, &in); err != nil {
			return err
		}
	}
	parent, err := s.read(c, job, id)
	switch {
	case err != nil:
		return err
	case !parent.State.Ended():
		return app.Problem{Kind: app.KindConflict, Code: "not_ended", GoTo: app.RequestedPath(job, id), GoToLabel: i18n.Lang.RequestBackOne}.Said(func(l i18n.Lang) (string, string) {
			return l.RequestNotEnded(id, string(parent.State)), l.RequestNotEndedHint()
		})
	case in.Params == nil && parent.HasParams && len(parent.Params) == 0:
		p := app.Problem{Kind: app.KindInvalid, Code: "params", Fields: []app.FieldBody{{Field: "params", Want: "the parameters, or null for none"}}}
		return p.Said(func(l i18n.Lang) (string, string) { return l.RequestForgotten(id), l.RequestForgottenHint() })
	}
	r := jobrun.Request{Params: paramsOf(in.Params), Parent: id, Note: parent.Note, Manual: true}
	if in.Params == nil {
		r.Params = parent.Params
	}
	if in.Note != nil {
		r.Note = *in.Note
	}
	if r.Shards, err = shardsAgain(parent.Run, in.Shards); err != nil {
		return err
	}
	return s.submitted(c, job, fromAgain, r)
}

// shardsAgain are the shards of a run that repeats another one: which is failed for the shards that
// failed or were cancelled, otherwise the run has the same ones. It's nil for all shards.
func shardsAgain(parent jobrun.Run, which string) ([]int, error) {
	want := func(message func(i18n.Lang, string) string, hint func(i18n.Lang) string) error {
		p := app.Problem{Kind: app.KindInvalid, Code: "invalid", Fields: []app.FieldBody{{Field: "shards", Value: view.Clip(which, 60), Want: "failed or all"}}}
		return p.Said(func(l i18n.Lang) (string, string) { return message(l, parent.ID), hint(l) })
	}
	failed := slices.Concat(parent.Failed, parent.Cut)
	slices.Sort(failed)
	switch {
	case which == "" || which == "all" || which == "failed" && parent.Assign == jobrun.AssignOne:
		return parent.Shards, nil
	case which != "failed":
		return nil, want(i18n.Lang.RequestWrongWhich, i18n.Lang.RequestOptionsHint)
	case parent.CountFailed+parent.CountCut > 0:
		return nil, want(i18n.Lang.RequestFailedMany, i18n.Lang.RequestFailedManyHint)
	case len(failed) == 0:
		return nil, want(i18n.Lang.RequestFailedNone, i18n.Lang.RequestFailedNoneHint)
	}
	return failed, nil
}

// getParameters answers with the schema of a job's parameters; 204 without one.
func (s rest) getParameters(c *gin.Context, job string) error {
	schema, err := s.schema(c, job)
	if err == nil && len(schema.Text) == 0 {
		c.Status(http.StatusNoContent)
		return nil
	}
	return app.Answer(c, api.Parameters{Schema: schema.Text, By: schema.By, At: app.OptionalTime(schema.At)}, err)
}
