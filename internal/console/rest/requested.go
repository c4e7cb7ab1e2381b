package rest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
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

// requestedRunBody is a requested run. What it has of its shards depends on its state:
// of one that has ended the counts are known, and what a few of them said.
type requestedRunBody struct {
	JobName string `json:"jobName"`
	ID      string `json:"id"`
	State   string `json:"state"`
	// Cancelling: somebody asked for the run to end, and handlers have not returned.
	Cancelling  bool             `json:"cancelling"`
	Reason      string           `json:"reason,omitempty"`
	SubmittedAt string           `json:"submittedAt"`
	DueAt       string           `json:"dueAt"`
	ExpiresAt   string           `json:"expiresAt,omitempty"`
	StartTime   string           `json:"startTime,omitempty"`
	EndTime     string           `json:"completeTime,omitempty"`
	Attempt     int              `json:"attempt"`
	Losses      int              `json:"losses"`
	Assign      jobrun.Assign    `json:"assign"`
	By          requestedBy      `json:"by"`
	Key         string           `json:"key,omitempty"`
	Note        string           `json:"note,omitempty"`
	Parent      string           `json:"parent,omitempty"`
	Params      json.RawMessage  `json:"params,omitempty"`
	Shards      requestedShards  `json:"shards"`
	Cancelled   *requestedCancel `json:"cancelled,omitempty"`
	// Waiting is why a run that waits hasn't begun; lists of runs leave it out.
	Waiting *requestedWait   `json:"waiting,omitempty"`
	Details []requestedShard `json:"details"`
	// Error is why shards failed, of a run from the database that does not say which.
	Error  string `json:"error,omitempty"`
	Source string `json:"source"`
}

// requestedBy says who requested a run, and from where.
type requestedBy struct {
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	From string `json:"from,omitempty"`
}

// requestedShards counts the shards of a run; Total is 0 before it begins.
type requestedShards struct {
	Total     int `json:"total"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Skipped   int `json:"skipped"`
	Cancelled int `json:"cancelled"`
	Running   int `json:"running"`
	Waiting   int `json:"waiting"`
}

// requestedWait is why a run that waits hasn't begun, or why no handler works on an opened run.
// Code is one of TIME, HELD, CONFIG, NO_PROCESS, NOT_GO, DISABLED, DEBUG, RUN, QUEUE, BUSY, PLACES,
// NO_LEADER, RESHARDING, SHARDS_DISABLED, NO_OWNER, OBSTACLE, NODE and AGENT.
type requestedWait struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Remedy   string `json:"remedy,omitempty"`
	Node     string `json:"node"`
	Run      string `json:"run,omitempty"`
}

// requestedCancel says who wants a run to end.
type requestedCancel struct {
	By     string `json:"by"`
	At     string `json:"at"`
	Reason string `json:"reason,omitempty"`
}

// requestedShard is what is known of one shard of a run.
type requestedShard struct {
	Shard    int             `json:"shard"`
	State    string          `json:"state,omitempty"`
	Instance string          `json:"instance,omitempty"`
	Since    string          `json:"since,omitempty"`
	Error    string          `json:"error,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
}

// submittedBody is a run that was requested just now. Repeated says that the key was
// known: it is the earlier run. The warning says that nobody is there to run it.
type submittedBody struct {
	requestedRunBody
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning,omitempty"`
}

// requestedRunsBody is a page of requested runs. Source says where it was read: the
// registry has those that wait, those under way and the last that ended, the trace
// database older ones. Each run says where it is itself.
type requestedRunsBody struct {
	Rows       []requestedRunBody `json:"rows"`
	NextCursor string             `json:"nextCursor,omitempty"`
	Waiting    int                `json:"waiting"`
	Ended      int                `json:"ended"`
	Source     string             `json:"source"`
}

// fromBoth is the source of a list that ends with runs of the trace database.
const fromBoth = "registry and database"

func foundJSON(job string, r console.FoundRun) requestedRunBody {
	body := requestedJSON(job, r.Run)
	body.Source, body.Error = r.Source, r.Error
	return body
}

func requestedJSON(job string, r jobrun.Run) requestedRunBody {
	n := r.Counts()
	body := requestedRunBody{
		JobName: job, ID: r.ID, State: string(r.State), Cancelling: r.State == jobrun.Running && r.Cancelled != nil, Reason: r.Reason,
		SubmittedAt: optionalTime(r.Submitted), DueAt: optionalTime(r.Due), ExpiresAt: optionalTime(r.Expires), StartTime: optionalTime(r.Began), EndTime: optionalTime(r.Ended),
		Attempt: r.Attempt, Losses: r.Losses, Assign: r.Assign, By: requestedBy{r.By.Kind, r.By.Name, r.By.From}, Key: r.Key, Note: r.Note, Parent: r.Parent, Params: r.Params,
		Shards: requestedShards{
			Total: r.Total, Succeeded: n.OK, Failed: n.Failed, Skipped: n.Skipped, Cancelled: n.Cancelled,
			Running: len(r.Claims), Waiting: len(r.Waiting),
		},
		Details: requestedShardsJSON(r), Source: console.FromRegistry,
	}
	if r.Wait.Code != "" { // Shards of instances that were lost wait for another one.
		body.Shards.Running, body.Shards.Waiting = 0, len(r.Claims)+len(r.Waiting)
		body.Waiting = &requestedWait{string(r.Wait.Code), r.Wait.Sentence, r.Wait.Remedy, r.Wait.Node, r.Wait.Run}
	}
	if r.Cancelled != nil {
		body.Cancelled = &requestedCancel{By: r.Cancelled.By, At: optionalTime(r.Cancelled.At), Reason: r.Cancelled.Reason}
	}
	return body
}

// mostDetails is how many shards of a run are listed one by one.
const mostDetails = query.MaxShards

// requestedShardsJSON lists the shards of a run, those first of which there is most to
// say: that run, that failed, and the others by their number.
func requestedShardsJSON(r jobrun.Run) []requestedShard {
	list := []requestedShard{}
	named := make(map[int]bool)
	add := func(state string, shards ...int) {
		for _, n := range shards {
			if named[n] || len(list) == mostDetails {
				continue
			}
			named[n] = true
			one := requestedShard{Shard: n, State: state, Error: r.Errors[n], Result: r.Results[n]}
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
	body := requestedRunsBody{Rows: []requestedRunBody{}, NextCursor: page.Next, Waiting: page.Waiting, Ended: page.Ended, Source: console.FromRegistry}
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
	writeModel(c, http.StatusOK, body)
}

// answer reads a run and answers with it.
func (s requestAPI) answer(c *gin.Context, status int, job, id string) {
	run, err := s.Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, status, foundJSON(job, run))
}

// cancelRequest says why a run is to end; it may be absent, and so may the body.
type cancelRequest struct {
	Reason string `json:"reason"`
}

// cancel ends a run that waits, and asks one that runs to end.
func (s requestAPI) cancel(c *gin.Context) {
	var in cancelRequest
	job, id, err := s.Named(c)
	if err == nil && c.Request.ContentLength != 0 {
		err = readJSON(c, &in)
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
	var in runRequest
	r, err := in.read(c)
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
	writeModel(c, status, submittedBody{requestedRunBody: foundJSON(job, run), Repeated: ticket.Repeated, Warning: warningOf(ticket)})
}

// againRequest is what a run that repeats another one has of its own. Parameters are
// those of the other run unless the body has an object, or null for none.
type againRequest struct {
	Params json.RawMessage `json:"params,omitempty"`
	Note   *string         `json:"note,omitempty"`
	// Shards is failed for those that did not succeed, all if it is absent.
	Shards string `json:"shards,omitempty"`
}

// again requests a run that repeats one that has ended.
func (s requestAPI) again(c *gin.Context) {
	job, id, err := s.Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	var in againRequest
	if c.Request.ContentLength != 0 {
		if err := readJSON(c, &in); err != nil {
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
