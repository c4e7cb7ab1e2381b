package rest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// requestedRoute are the runs of a job that were requested. Those of the history, for
// whatever reason they ran, are below runs.
const requestedRoute = "/api/jobs/:job/requested-runs"

// maxRequestBody is the most a request for a run may have: parameters, and the rest.
const maxRequestBody = 96 << 10

// requestAPI answers the routes of requested runs.
type requestAPI struct{ console.RequestedRuns }

func (s *API) requestRoutes() []console.Route {
	r := requestAPI{console.RequestedRuns{Console: s.Console}}
	return []console.Route{
		console.Post(requestedRoute, console.RequestRun.Needs, reg, r.submit).WithBody(maxRequestBody),
		console.Get(requestedRoute, signedIn, reg, r.list),
		console.Post(requestedRoute+"/batch", console.RequestRun.Needs, reg, r.submitBatch).WithBody(maxBatchBody),
		console.Get(allRequestedRoute, signedIn, reg|hist, r.listAll).Partly(),
		console.Get(requestedRoute+"/:request", signedIn, reg, r.one),
		console.Get(requestedRoute+"/:request/log", signedIn, reg, r.log),
		console.Get("/api/jobs/:job/parameters", signedIn, reg, r.parameters),
		console.Post("/api/jobs/:job/hold", console.Hold.Needs, reg, r.hold),
		console.Post("/api/jobs/:job/release", console.Release.Needs, reg, r.release),
		console.Post("/api/jobs/:job/backfill", console.Backfill.Needs, reg, r.backfill).WithBody(maxRequestBody),
		console.Get("/api/jobs/:job/backfills", signedIn, reg, r.backfills),
		console.Get("/api/jobs/:job/backfills/:backfill", signedIn, reg, r.oneBackfill),
		console.Post("/api/jobs/:job/backfills/:backfill/cancel", console.CancelRun.Needs, reg, r.cancelBackfill),
		console.Post(requestedRoute+"/:request/start", console.StartRun.Needs, reg, r.start),
		console.Post(requestedRoute+"/:request/cancel", console.CancelRun.Needs, reg, r.cancel),
		console.Post(requestedRoute+"/:request/again", console.RequestRun.Needs, reg, r.again).WithBody(maxRequestBody),
		console.Delete(requestedRoute, console.CancelWaiting.Needs, reg, r.cancelWaiting),
	}
}

// fromBoth is the source of a list that ends with runs of the trace database.
const fromBoth = "registry and database"

func foundJSON(job string, r console.FoundRun) api.RequestedRun {
	body := requestedJSON(job, r.Run)
	body.Source, body.Error = r.Source, r.Error
	return body
}

func requestedJSON(job string, r jobrun.Run) api.RequestedRun {
	n := r.Counts()
	body := api.RequestedRun{
		JobName: job, ID: r.ID, State: string(r.State), Cancelling: r.State == jobrun.Running && r.Cancelled != nil, Reason: r.Reason,
		SubmittedAt: optionalTime(r.Submitted), DueAt: optionalTime(r.Due), ExpiresAt: optionalTime(r.Expires), StartTime: optionalTime(r.Began), EndTime: optionalTime(r.Ended),
		Attempt: r.Attempt, Losses: r.Losses, Assign: r.Assign, By: api.Requester(r.By), Key: r.Key, Note: r.Note, Parent: r.Parent, Params: r.Params,
		Shards: api.ShardCounts{
			Total: r.Total, Succeeded: n.OK, Failed: n.Failed, Skipped: n.Skipped, Cancelled: n.Cancelled,
			Running: len(r.Claims), Waiting: len(r.Waiting),
		},
		Details: requestedShardsJSON(r), Source: console.FromRegistry,
	}
	if r.Wait.Code != "" { // Shards of instances that were lost wait for another one.
		body.Shards.Running, body.Shards.Waiting = 0, len(r.Claims)+len(r.Waiting)
		body.Waiting = &api.WaitReason{Code: string(r.Wait.Code), Sentence: r.Wait.Sentence, Remedy: r.Wait.Remedy, Node: r.Wait.Node, Run: r.Wait.Run}
	}
	if r.Cancelled != nil {
		body.Cancelled = &api.Cancellation{By: r.Cancelled.By, At: optionalTime(r.Cancelled.At), Reason: r.Cancelled.Reason}
	}
	return body
}

// mostDetails is how many shards of a run are listed one by one.
const mostDetails = query.MaxShards

// requestedShardsJSON lists the shards of a run, those first of which there is most to
// say: that run, that failed, and the others by their number.
func requestedShardsJSON(r jobrun.Run) []api.RunShard {
	list := []api.RunShard{}
	named := make(map[int]bool)
	add := func(state string, shards ...int) {
		for _, n := range shards {
			if named[n] || len(list) == mostDetails {
				continue
			}
			named[n] = true
			one := api.RunShard{Shard: n, State: state, Error: r.Errors[n], Result: r.Results[n]}
			if claim, runs := r.Claims[n]; runs {
				one.Instance, one.Since = claim.Instance, optionalTime(claim.Since)
			}
			list = append(list, one)
		}
	}
	claimed := "running"
	if r.Wait.Code != "" { // No handler works on it.
		claimed = "lost"
	}
	add(claimed, slices.Sorted(maps.Keys(r.Claims))...)
	add("failed", r.Failed...)
	add("cancelled", r.Cut...)
	add("waiting", r.Waiting...)
	add("skipped", r.Skipped...)
	add("succeeded", r.OK...)
	add("failed", slices.Sorted(maps.Keys(r.Errors))...) // of a run that has ended
	add("", slices.Sorted(maps.Keys(r.Results))...)
	return list
}

// list answers with requested runs: those that run, those that wait, by their time, and
// those that ended last.
func (s requestAPI) list(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	asked, problems := query.ParseRequested(c.Request.URL.Query())
	if len(problems) > 0 {
		s.Fail(c, console.Misunderstood(problems, i18n.Lang.AddressCorrect))
		return
	}
	page, err := s.List(c, job, console.RequestedFilter{State: jobrun.State(asked.State), Key: asked.Key, Origin: asked.Origin, From: asked.From, To: asked.To, Limit: asked.Limit, Cursor: asked.Cursor})
	if err != nil {
		s.Fail(c, err)
		return
	}
	body := api.RequestedRuns{Rows: []api.RequestedRun{}, NextCursor: page.Next, Waiting: page.Waiting, Ended: page.Ended, Source: console.FromRegistry}
	switch {
	case page.Older > 0 && page.Older == len(page.Runs):
		body.Source = console.FromDatabase
	case page.Older > 0:
		body.Source = fromBoth
	}
	for i, r := range page.Runs {
		row := requestedJSON(job, r)
		if i >= len(page.Runs)-page.Older {
			row.Source = console.FromDatabase
		}
		body.Rows = append(body.Rows, row)
	}
	console.WriteJSON(c, http.StatusOK, body)
}

// answer reads a run and answers with it.
func (s requestAPI) answer(c *gin.Context, status int, job, id string) {
	run, err := s.Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, status, foundJSON(job, run))
}

// cancel ends a run that waits, and asks one that runs to end.
func (s requestAPI) cancel(c *gin.Context) {
	var in api.CancelRequest
	job, id, err := s.Named(c)
	if err == nil && c.Request.ContentLength != 0 {
		err = console.ReadJSON(c, &in)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if p := console.CheckReason(in.Reason); p != nil {
		s.Fail(c, p)
		return
	}
	state, err := s.Cancel(c, job, id, in.Reason)
	if err != nil {
		s.Fail(c, err)
		return
	}
	status := http.StatusOK
	if state == jobrun.Running {
		status = http.StatusAccepted
	}
	s.answer(c, status, job, id)
}

// start has a run that waits for its time begin now.
func (s requestAPI) start(c *gin.Context) {
	job, id, err := s.Named(c)
	if err == nil {
		err = s.Start(c, job, id)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.answer(c, http.StatusOK, job, id)
}

// submit requests a run of a job.
func (s requestAPI) submit(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	var in api.RunRequest
	r, err := readRequest(c, &in)
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.submitted(c, job, console.FromAPI, r)
}

// submitted places a request and answers with the run: 201, or 200 if its key was
// known.
func (s requestAPI) submitted(c *gin.Context, job, kind string, r jobrun.Request) {
	ticket, err := s.Submit(c, job, kind, r)
	if err != nil {
		s.Fail(c, err)
		return
	}
	run, err := s.Read(c, job, ticket.ID)
	if err != nil { // it is placed, whatever became of it since
		run = console.FoundRun{Source: console.FromRegistry, Run: jobrun.Run{ID: ticket.ID, State: jobrun.Queued, Submitted: s.Now(), Due: ticket.Due, Attempt: 1, By: jobrun.By{Kind: kind}}}
		if ticket.Due.After(run.Submitted) {
			run.State = jobrun.Scheduled
		}
	}
	status := http.StatusOK
	if !ticket.Repeated {
		status = http.StatusCreated
		c.Header("Location", s.Options().BasePath+console.JobPath("/api/jobs", job, "requested-runs", ticket.ID))
	}
	console.WriteJSON(c, status, api.SubmittedRun{RequestedRun: foundJSON(job, run), Repeated: ticket.Repeated, Warning: warningOf(ticket)})
}

// again requests a run that repeats one that has ended.
func (s requestAPI) again(c *gin.Context) {
	job, id, err := s.Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	var in api.AgainRequest
	if c.Request.ContentLength != 0 {
		if err := console.ReadJSON(c, &in); err != nil {
			s.Fail(c, err)
			return
		}
	}
	parent, err := s.Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if !parent.State.Ended() {
		s.Fail(c, console.RunNotEnded(job, id, parent.State))
		return
	}
	r := jobrun.Request{Params: paramsOf(in.Params), Parent: id, Note: parent.Note, Manual: true}
	if in.Params == nil {
		r.Params = parent.Params
	}
	if in.Note != nil {
		r.Note = *in.Note
	}
	if in.Params == nil && parent.HasParams && len(parent.Params) == 0 {
		s.Fail(c, console.RunParamsUnknown(id))
		return
	}
	if r.Shards, err = console.ShardsAgain(parent.Run, in.Shards); err != nil {
		s.Fail(c, err)
		return
	}
	s.submitted(c, job, console.FromAgain, r)
}

// paramsOf are parameters of a body; null are none.
func paramsOf(params json.RawMessage) json.RawMessage {
	if string(params) == "null" {
		return nil
	}
	return params
}

// warningOf returns the warning of a new request, or nothing.
func warningOf(t jobrun.Ticket) string {
	if t.Wait == jobrun.WaitNoProcess {
		return "no process serves the job; the run waits until one starts, or expires"
	}
	return ""
}
