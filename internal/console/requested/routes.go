package requested

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

const (
	apiRuns  = "/api/jobs/:job/requested-runs"
	apiRun   = apiRuns + "/:request"
	pageRuns = "/jobs/:job/requested-runs"
	pageRun  = pageRuns + "/:request"

	signedIn = app.SignedIn
	operate  = app.Operates
	reg      = app.TheRegistry
	hist     = app.TheHistory
)

// Routes are the REST routes and the pages of requested runs. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	return slices.Concat(rest{service{s}}.routes(), pages{service{s}}.routes())
}

func (s pages) routes() []app.Route {
	return []app.Route{
		app.Get(pageRuns, signedIn, reg|hist, s.listPage).Asks(query.RequestedNames...),
		app.Get("/jobs/:job/run", operate, reg|hist, s.formPage).Asks("again", "shards", "as", "fill", "item", "run", "return", "reason", "once"),
		app.Post("/jobs/:job/trigger", operate, reg|hist, ofJob(s.triggerFromPage)).Resumes(),
		app.Post(pageRuns, operate, reg, s.submitFromPage).WithBody(pageui.MaxRequestForm).Resumes(),
		app.Get(pageRun, signedIn, reg|hist, ofRun(s.runPage)).Asks("shard", "lanes", "attempt", "lines"),
		app.Get(pageRun+"/cancel", operate, reg, ofRun(s.cancelPage)).Asks(),
		app.Post(pageRun+"/cancel", operate, reg, ofRun(s.cancelFromPage)).Resumes(),
		app.Post(pageRun+"/start", operate, reg, ofRun(s.startFromPage)),
		app.Get("/jobs/:job/backfill", operate, reg, s.backfillPage).Asks("from", "to"),
		app.Post("/jobs/:job/backfill", operate, reg, ofJob(s.backfillFromPage)).WithBody(pageui.MaxRequestForm).Resumes(),
		app.Get("/jobs/:job/backfill/:backfill/cancel", operate, reg, ofBackfill(s.cancelBackfillPage)).Asks(),
		app.Post("/jobs/:job/backfill/:backfill/cancel", operate, reg, ofBackfill(s.cancelBackfillFromPage)).Resumes(),
		app.Get("/jobs/:job/hold", operate, reg, s.holdPage).Asks(),
		app.Post("/jobs/:job/hold", operate, reg, ofJob(s.holdFromPage)).Resumes(),
		app.Post("/jobs/:job/release", operate, reg, ofJob(s.releaseFromPage)),
	}
}

// The parameters of the list of runs.
var (
	listQuery = [][2]string{
		{"state", "Only runs in this state."}, {"origin", "Only runs requested so: code, page, api, cli, again, backfill or retry."},
		{"from", "Submitted at this instant or later, RFC 3339."}, {"to", "Submitted at this instant or before."},
		{"limit", "Rows of the answer, at most 200."}, {"cursor", "The nextCursor of the answer before."},
	}
	keyQuery = [][2]string{{"key", "Only runs with this idempotency key, or with this id."}}
	jobQuery = [][2]string{{"job", "Only of this job."}}
)

func (s rest) routes() []app.Route {
	return []app.Route{
		app.Post(apiRuns, operate, reg, ofJob(s.post)).WithBody(maxRequestBody).Documented(app.Operation{
			Summary: "Request a run of the job, with parameters or without: now, after delay, or from notBefore on. Params is one JSON object of at most 64 KiB, 8 KiB while agents of Java serve the job. Shards are those that take part, all if absent. Overlap says what becomes of the run while another one is under way: queue (it waits), one (it waits unless one waits already, else it is skipped), skip (it is skipped) or cancel (the other one is cancelled); absent as the job is configured. Expiry is how long after its time it may begin, such as 24h, or -1 for ever. FireTime is the fire time that the run stands for. Manual says that a person asked for it. 200 and repeated if the key is that of a run already; 422 names every problem in fields; 409 not_go if some shards belong to agents that don't support parameters, key_in_use if the key belongs to a run with other parameters; 429 queue_full if as many runs wait as may. What ran is in GET /api/jobs/{job}/runs.",
			Request: api.RunRequest{}, Example: `{"params":{"month":"2026-10"},"delay":"5m","note":"INC-4821","manual":true}`, Headers: [][2]string{{"Idempotency-Key", "Of two requests with the same key, of at most 200 characters, the second is answered with the run of the first, until ten minutes after its end."}},
			Answer: api.SubmittedRun{}, Status: 201, Also: 200, Refusals: []int{400, 404, 409, 413, 422, 429},
		}),
		app.Get(apiRuns, signedIn, reg, ofJob(s.getRuns)).Documented(app.Operation{
			Summary: "The requested runs of a job: those under way, those that wait, by their time, and those that ended last; behind them older ones from the trace database, the last submitted first. Source says where they were read: the registry has the last ended runs only, as many as the job's run.keep says, and where no trace database has older ones the list ends with them. Waiting and ended are how many the registry has in all. Of those that wait, and of those that ended, the first 1,000 are looked at. Guests see no parameters.",
			Query:   slices.Concat(listQuery, keyQuery),
			Answer:  api.RequestedRuns{}, Refusals: []int{404, 422},
		}),
		app.Post(apiRuns+"/batch", operate, reg, ofJob(s.submitBatch)).WithBody(maxBatchBody).Documented(app.Operation{
			Summary: "Request up to 1,000 runs of the job, in their order: each is a request as for one run, with its idempotency key as key. One that is refused does not keep it from the others: refused says which, by their numbers from 0, and why. Repeated counts those whose key was that of a run already; runs has the ids. 200 if no run was created. The body has 1 MiB at most.",
			Request: api.BatchRequest{}, Example: `{"runs":[{"params":{"month":"2026-10"},"key":"invoices-2026-10"},{"params":{"month":"2026-11"},"delay":"5m"}]}`,
			Answer: api.Batch{}, Status: 201, Also: 200, Refusals: []int{400, 404, 413, 422},
		}),
		app.Delete(apiRuns, operate, reg, ofJob(s.cancelWaiting)).Documented(app.Operation{
			Summary: "Cancel the runs of the job that wait, those of the earliest time first: at most 1,000, and more says that others wait still, for another call. With preview nothing is cancelled, and count says how many would be. A run that begins meanwhile goes on.",
			Query: [][2]string{
				{"state", "Which of them: scheduled, queued, or both with a comma between them; both if absent."}, {"preview", "true: only count."},
				{"reason", "Why, of at most 200 characters: it stands in the audit and with each run."},
			},
			Answer: api.Cancelled{}, Refusals: []int{404, 422},
		}),
		app.Get("/api/requested-runs", signedIn, reg|hist, s.getAll).Partly().Documented(app.Operation{
			Summary: "The requested runs of all jobs: those that have not ended, job by job by name, from ZooKeeper, each job's as in its own list; behind them those that have ended, from the trace database, the last submitted first. Only jobs are looked at of which a run was ever requested, 50 for a page, and the first 1,000 runs of each that wait: a page may have fewer rows than asked for, or none, and yet a nextCursor. Registry and database say what became of each: read, not_asked if the page needed nothing of it, unavailable if it does not answer; of the database also no_database, or no_tables if it lacks them. Source says what was read in all. 503 if nothing can be read. Guests see no parameters. What ran of all jobs, for whatever reason, is in GET /api/runs.",
			Query:   slices.Concat(listQuery, jobQuery),
			Answer:  api.AllRequestedRuns{}, Refusals: []int{422},
		}),
		app.Get(apiRun, signedIn, reg, ofRun(s.getRun)).Documented(app.Operation{
			Summary: "One requested run, with at most 1,000 of its shards one by one: those first that run or have failed. Of a run that has ended the counts are known, and some errors and results. A run that the registry no longer has comes from the trace database, which source says, and so do large parameters and results, the steps of a run, how far its shards are, and which of them have logged lines. Record says whether there are such: recorded; no_database; no_tables if the database lacks them; unavailable if it does not answer. Guests see no parameters and no results.",
			Answer:  api.RequestedRunDetail{}, Refusals: []int{404},
		}),
		app.Get(apiRun+"/log", signedIn, reg, ofRun(s.getLog)).Documented(app.Operation{
			Summary: "Lines that the handler of a shard logged in an attempt of a requested run, the first first. After is the number of the last line of the answer: asked for in the next request, it brings what came since; ended says that no more will come. 404 no_log where no trace database has logs of runs. Guests see no secrets.",
			Query:   app.LogQuery, Answer: api.RunLog{}, Refusals: []int{404, 422},
		}),
		app.Post(apiRun+"/start", operate, reg, ofRun(s.postStart)).Documented(app.Operation{
			Summary: "Have a run that waits for its time begin now; 409 if it does not wait for one.", Answer: api.RequestedRun{}, Refusals: []int{404, 409},
		}),
		app.Post(apiRun+"/cancel", operate, reg, ofRun(s.postCancel)).Documented(app.Operation{
			Summary: "End a run: 200 if it waited and is cancelled; 202 if it is under way, whose handlers are asked to return; 409 ended if it has ended. A body is not needed.",
			Request: api.CancelRequest{}, Example: `{"reason":"wrong month"}`, Answer: api.RequestedRun{}, Also: 202, Refusals: []int{400, 404, 409, 413, 422},
		}),
		app.Post(apiRun+"/again", operate, reg, ofRun(s.postAgain)).WithBody(maxRequestBody).Documented(app.Operation{
			Summary: "Request a run that repeats one that has ended; it names that one as its parent. ZooKeeper does not keep the parameters of a run that has ended: params says them again, an object or null for none; without it the answer is 422. The note is that of the other run, unless the body has one. 409 not_ended if it has not ended.",
			Request: api.AgainRequest{}, Example: `{"params":{"month":"2026-10"}}`, Answer: api.SubmittedRun{}, Status: 201, Refusals: []int{400, 404, 409, 413, 422, 429},
		}),
		app.Get("/api/jobs/:job/parameters", signedIn, reg, ofJob(s.getParameters)).Documented(app.Operation{
			Summary: "What parameters the runs of a job take, in a subset of JSON Schema 2020-12, and the agent that said so; 204 if none has, so that the job takes any object.",
			Answer:  api.Parameters{}, Also: 204, Refusals: []int{404},
		}),
		app.Post("/api/jobs/:job/hold", operate, reg, ofJob(s.postHold)).Documented(app.Operation{
			Summary: "Have a job stand still until it is released: its schedule, whose fire times pass without a run; requests, that is runs that no person asked for, which wait; or all. What runs goes on, and what a person asks for runs all the same. Agents of Java do not know of a hold and fire. 409 held if the job is held already.",
			Request: api.HoldRequest{}, Example: `{"what":"schedule","reason":"migration"}`, Answer: api.Hold{}, Refusals: []int{400, 404, 409, 413, 422},
		}),
		app.Post("/api/jobs/:job/release", operate, reg, ofJob(s.postRelease)).Documented(app.Operation{
			Summary: "End the hold of a job. Nothing that passed meanwhile is made up for. 409 held if the job is not held.", Answer: api.Outcome{}, Refusals: []int{404, 409},
		}),
		app.Post("/api/jobs/:job/backfill", operate, reg, ofJob(s.backfill)).WithBody(maxRequestBody).Documented(app.Operation{
			Summary: "Begin a backfill: a run for each fire time of the job between two moments that are past, both included, the oldest first, up to 100,000. The times are those of the cron expression, without jitter; those that the job's schedule leaves out are refused, with the property that says so. FireTime of a run is the time it stands for. 202 comes as soon as the backfill is stored: an agent requests its runs in portions, so that at most parallel of them are queued or running at once, 100 if absent. The runs wait for each other, and begin although the job is held. With preview nothing is requested, and 200 has the times, the first 1,000 of them. 409 no_schedule if the job has no cron expression, backfilling if another backfill of the job is under way or an agent is of a version without backfills; 422 if to has yet to come, if there is no fire time, or if there are more.",
			Request: api.BackfillRequest{}, Example: `{"from":"2026-11-19T00:00:00Z","to":"2026-11-20T00:00:00Z","params":{"month":"2026-10"},"parallel":10,"preview":true}`, Answer: api.BackfillAnswer{}, Also: 202, Refusals: []int{400, 404, 409, 413, 422},
		}),
		app.Get("/api/jobs/:job/backfills", signedIn, reg, ofJob(s.listBackfills)).Documented(app.Operation{
			Summary: "The last 20 backfills of a job, the newest first, each as GET /api/jobs/{job}/backfills/{backfill} has it.", Answer: api.Backfills{}, Refusals: []int{404},
		}),
		app.Get("/api/jobs/:job/backfills/:backfill", signedIn, reg, ofBackfill(s.oneBackfill)).Documented(app.Operation{
			Summary: "A backfill, and how many of its fire times have a run in which state. State is queued until its first run has begun, running until its last one has ended, then succeeded, failed (also if single runs were cancelled or have expired) or cancelled. Next is the first fire time with a run that waits. Problem is why an agent can't request the next run; it tries again every few seconds.",
			Answer:  api.Backfill{}, Refusals: []int{404},
		}),
		app.Post("/api/jobs/:job/backfills/:backfill/cancel", operate, reg, ofBackfill(s.endBackfill)).Documented(app.Operation{
			Summary: "End a backfill: no further run is requested, its waiting runs are cancelled, and the handlers of the run under way are asked to return. 200 if all of them have ended, 202 if not; 409 ended if the backfill has ended already. It can be repeated. A body is not needed.",
			Request: api.CancelRequest{}, Example: `{"reason":"wrong month"}`, Answer: api.Backfill{}, Also: 202, Refusals: []int{400, 404, 409, 413, 422},
		}),
	}
}
