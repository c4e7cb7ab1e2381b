package rest

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
)

// operation documents one route of the REST interface.
type operation = console.Operation

var (
	listQuery = [][2]string{
		{"q", "Only jobs whose name or description contains this."}, {"status", "Only jobs of this status; READING are those that the console has yet to read after its start."},
		{"state", "Only jobs of this health, such as failing, never-ran or held."},
		{"sort", "The column to sort by; name if absent."}, {"order", "asc or desc."},
		{"page", "The page, from 1. Without page and pageSize the whole list comes."}, {"pageSize", "Rows of a page, at most 200."},
	}
	shardsQuery = [][2]string{
		{"page", "The page, from 1; the first if absent."}, {"pageSize", "Shards of a page: 1,000 at most, and if absent."},
	}
	historyQuery = [][2]string{
		{"jobName", "Only this job."}, {"taskId", "Only this task."}, {"state", "Only this state."},
		{"from", "From this instant on, RFC 3339."}, {"to", "Up to this instant, which is included."},
		{"limit", "Rows of the answer."}, {"cursor", "The nextCursor of the answer before."},
		{"page", "Instead of a cursor: the page, from 1, up to the row 10,000."},
	}
	executionQuery = [][2]string{
		{"ip", "Only on this address."}, {"item", "Only this shard."}, {"match", "prefix: jobName is how the name begins."},
		{"failure", "Only with this in the failure cause, in capitals or not."}, {"took", "Only what has ended and took at least so long: seconds, or 1500ms, 90s, 5m, 2h."},
		{"sort", "start, complete, duration, job or ip; start if absent."}, {"order", "asc or desc; desc if absent."},
	}
	logQuery = [][2]string{
		{"item", "The number of the shard; the first that has logged anything if absent."}, {"attempt", "The attempt; the last one at which the shard has logged if absent."},
		{"execution", "Only this execution: an attempt has several if an instance was lost during it, each of which counts its lines from 1 on."}, {"after", "Only lines with a higher number."}, {"limit", "Lines of the answer, at most 1,000; 200 if absent."},
	}
	runsQuery = [][2]string{
		{"state", "Only runs in this state."}, {"trigger", "Only runs started so. Runs of Java engines tell of misfire and failover alone."},
		{"ip", "Only runs with an execution on this address."}, {"failure", "Only runs with an execution that failed with this, in capitals or not."},
		{"took", "Only runs with an execution that took at least so long: seconds, or 1500ms, 90s, 5m, 2h."},
		{"from", "What had not ended before this instant, RFC 3339."}, {"to", "What had begun by this instant."}, {"started", "in: from and to are about the start."},
		{"limit", "Rows of the answer."}, {"cursor", "The nextCursor of the answer before."},
	}
	persistentQuery = [][2]string{{"persistent", "true: also set disabled in the configuration, which outlives restarts of the agents."}}
	reasonQuery     = [][2]string{{"reason", "Why, of at most 200 characters: it stands in the audit."}}
	offlineQuery    = [][2]string{{"offline", "true: only where no instance of it is live, else 409."}}
	atQuery         = [][2]string{{"at", "A time that has passed, 2006-01-02T15:04 in UTC or as in RFC 3339."}}
	changeQuery     = [][2]string{
		{"leave", "An instance that goes; may be repeated."}, {"join", "An instance that comes; may be repeated."},
		{"disable", "A server that is disabled; may be repeated."}, {"enable", "A server that is enabled; may be repeated."},
		{"shards", "Another number of shards, at most 100,000."}, {"strategy", "Another strategy."},
		{"from", "The first shard that moves, owners and waits are about; 0 if absent."}, {"limit", "How many shards they are about: 1,000 at most, and if absent."},
	}
)

// anAction is an action that answers with what it did.
func anAction(summary string) operation {
	return operation{Summary: summary, Answer: api.Outcome{}, Refusals: []int{404, 409}}
}

// suggestions is a list of values.
func suggestions(summary string) operation {
	return operation{Summary: summary, Answer: []string{}}
}

// The examples of what is entered.
const (
	aToken    = `{"name":"deploy-pipeline","scope":"operate","jobs":"billing-*"}`
	aView     = `{"area":"jobs","name":"nightly failures","query":"q=fires:02:00-03:00&state=failing","shared":true}`
	aRegistry = `{"name":"orders","zkAddressList":"zk3:2181,zk4:2181","namespace":"orders","digest":"console:secret"}`
	aName     = `{"name":"billing"}`
	aSource   = `{"name":"orders","type":"mysql","host":"db.example.com","port":3306,"database":"elasticjob","username":"reader","password":"secret","options":{"tls":"preferred"}}`
	anImport  = `{"preview":true,"xml":"<globalConfiguration><registryCenterConfiguration name=\"old\" zkAddressList=\"zk1:2181\" namespace=\"shop\"/></globalConfiguration>"}`
)

// operationOf documents a route: what it brings itself, or its entry below.
func operationOf(r console.Route) operation {
	if own := r.Operation(); own.Summary != "" {
		return own
	}
	return operations[r.Method+" "+r.Path]
}

// operations are the routes of the REST interface that bring no documentation themselves. A test holds them to be
// exactly those of the router, with exactly the answers they have.
var operations = withEntries(map[string]operation{
	"GET /healthz": {Summary: "The process is alive.", Answer: "ok"},
	"GET /readyz":  {Summary: "The console can serve pages. checks has the state of ZooKeeper, the databases and the audit; status is degraded, with 200, if something is away that pages can do without.", Answer: console.ReadyBody{}, Refusals: []int{503}},
	"GET /metrics": {Summary: "What the console counts, as text for Prometheus, which better asks where `--metrics-addr` says: there it needs no token.", Answer: "# HELP"},

	"POST /api/login": {
		Summary: "Get a token for a name and a password.", Request: loginRequest{}, Example: `{"username":"root","password":"$PASSWORD"}`,
		Answer: loginResponse{}, Refusals: []int{400, 401, 413, 429},
	},
	"POST /api/logout":  {Summary: "End the token."},
	"POST /api/refresh": {Summary: "Exchange the token for a fresh one; the old one ends. For at most a week from the password on.", Answer: loginResponse{}, Refusals: []int{429}},
	"GET /api/me":       {Summary: "Who the token speaks for.", Answer: api.Me{}},
	"GET /api/version":  {Summary: "The console's version.", Answer: versionBody{}},
	"GET /api/audit": {
		Summary: "Who changed what, or was refused: when, from where, with what outcome. Newest first. Strangers' refused requests are recorded up to one a second, the rest counted.",
		Query: [][2]string{
			{"from", "From this instant on, RFC 3339."}, {"to", "Before this instant."},
			{"user", "Only of this account."}, {"target", "Only about this job, server or setting."}, {"outcome", "done, or the code of a refusal such as forbidden."},
			{"q", "Only with this part in the account, the address, the target or the detail, in any case."}, {"kind", "changes, refused, sign-ins or all."},
			{"action", "Only this action: as rows have it, or the end of its route for all of its kind, such as POST /disable."},
			{"registry", "Only about this registry."}, {"last", "24h, 7d, 30d or all, up to now."},
			{"limit", "Rows of the answer, at most 200."}, {"cursor", "The nextCursor of the answer before."},
		},
		Answer: api.Page[auditBody]{}, Refusals: []int{422},
	},
	"GET " + lossesRoute: {Summary: "The instances that were lost, with their jobs, and haven't returned or been acknowledged since, the newest first. They are in the memory of this console, and about its default registry.", Answer: []api.Loss{}},
	"POST " + lossesRoute + "/acknowledge": {
		Summary: "Acknowledge that instances were lost: they no longer need attention.", Request: acknowledgeRequest{},
		Example: `{"instances":["10.0.3.22@-@118"]}`, Answer: acknowledgedBody{}, Refusals: []int{400, 422},
	},
	"GET " + api.TokensPath: {
		Summary: "The tokens for programs that the caller may revoke, without their secrets and the newest first: the caller's own, or everybody's for an admin.",
		Answer:  []api.Token{},
	},
	"POST " + api.TokensPath: {
		Summary: "Create a token for programs, with a name that no other token has, a scope (read, operate or configure), the jobs that it is for and an expiry. * in jobs matches any text; without jobs it is for all. " +
			"It expires after 90 days, or at expiresAt, at most 366 days from now. The answer is the only place with the token.",
		Request: api.TokenRequest{}, Example: aToken, Answer: api.NewToken{}, Status: 201, Refusals: []int{400, 409, 413, 422},
	},
	"DELETE " + api.TokensPath + "/:token": {
		Summary: "Revoke a token for programs. Its next request is refused, also on other consoles of the same database.", Refusals: []int{404},
	},
	"GET " + viewsRoute: {
		Summary: "The views of lists that were saved: those of everybody first, then the caller's, by name.",
		Query:   [][2]string{{"area", "Only of this list: jobs or runs."}}, Answer: []console.ViewBody{},
	},
	"POST " + viewsRoute: {
		Summary: "Save a selection of the list of jobs or runs under a name of at most 40 characters: for the caller, or shared for everybody. The query is that of the list's address. Everybody has at most 12 of a list, and so has each account.",
		Request: console.ViewRequest{}, Example: aView, Answer: console.ViewBody{}, Status: 201, Refusals: []int{400, 409, 413, 422},
	},
	"DELETE " + viewsRoute + "/:area/:name": {
		Summary: "Remove a view of the caller's.", Query: [][2]string{{"shared", "true: the one that everybody has."}}, Refusals: []int{404, 422},
	},

	"GET /api/jobs":                     {Summary: "The jobs. The header X-Total-Count has the number that match.", Query: listQuery, Answer: []api.Job{}, Refusals: []int{422}},
	"GET /api/jobs/getAllJobsBriefInfo": {Summary: "The jobs, under the name of ElasticJob 3.x.", Query: listQuery, Answer: []api.Job{}, Refusals: []int{422}},
	"GET /api/jobs/count":               {Summary: "The number of jobs, never in an envelope.", Answer: 0},
	"GET /api/jobs/:job":                {Summary: "Everything about one job; of its shards the first 1,000.", Answer: api.JobDetail{}, Refusals: []int{404}},
	"GET /api/jobs/:job/sharding":       {Summary: "The shards of a job, at most 1,000 of them. The header X-Total-Count has the number of all.", Query: shardsQuery, Answer: []api.Shard{}, Refusals: []int{404, 422}},
	"GET /api/jobs/:job/explain":        {Summary: "Why the job did not, or would not, run. A finding lists the first 100 of its shards; after 50 findings with one code one more is about all the others. With at, past says what became of that time; missed means that by the record it didn't run.", Query: atQuery, Answer: api.Explanation{}, Refusals: []int{404, 422}},
	"GET /api/jobs/:job/reshard-plan": {
		Summary: "Which shards would move if what the query says happened. Where the answer has a next, ask again with from=next. One plan at a time is made for an account, another one is 429.", Query: changeQuery,
		Answer: api.Reshard{}, Refusals: []int{404, 422, 429},
	},
	"POST /api/jobs/:job/trigger": {
		Summary: "Run the job once, now, on every instance whose server is enabled, or on those that the body names: each runs all of its shards. A body is not needed.",
		Request: api.TriggerRequest{}, Example: `{"instances":["10.2.0.14@-@118"],"reason":"INC-4821"}`,
		Answer: api.Outcome{}, Refusals: []int{400, 404, 409, 413, 422},
	},
	"POST /api/jobs/:job/disable":   anAction("Take every server of the job out of service.").With(persistentQuery),
	"DELETE /api/jobs/:job/disable": anAction("Put every server of the job into service, as ElasticJob 2.x spells it.").With(persistentQuery),
	"POST /api/jobs/:job/enable":    anAction("Put every server of the job into service.").With(persistentQuery),
	"POST /api/jobs/:job/shutdown":  anAction("End the job in every process; only restarting them brings it back."),
	"PUT /api/jobs/:job/shutdown":   anAction("The same by the verb that manuals of ElasticJob 2.x give."),

	"POST /api/jobs/:job/sharding/:item/disable":   anAction("Switch one shard off: nobody runs it.").With(reasonQuery),
	"DELETE /api/jobs/:job/sharding/:item/disable": anAction("Switch one shard on, as ElasticJob 2.x spells it.").With(reasonQuery),
	"POST /api/jobs/:job/sharding/:item/enable":    anAction("Switch one shard on.").With(reasonQuery),
	"GET /api/jobs/:job/parameters": {
		Summary: "What parameters the runs of a job take, in a subset of JSON Schema 2020-12, and the agent that said so; 204 if none has, so that the job takes any object.",
		Answer:  parametersBody{}, Also: 204, Refusals: []int{404},
	},
	"POST /api/jobs/:job/hold": {
		Summary: "Have a job stand still until it is released: its schedule, whose fire times pass without a run; requests, that is runs that no person asked for, which wait; or all. What runs goes on, and what a person asks for runs all the same. Agents of Java do not know of a hold and fire. 409 held if the job is held already.",
		Request: api.HoldRequest{}, Example: `{"what":"schedule","reason":"migration"}`, Answer: api.Hold{}, Refusals: []int{400, 404, 409, 413, 422},
	},
	"POST /api/jobs/:job/release": {
		Summary: "End the hold of a job. Nothing that passed meanwhile is made up for. 409 held if the job is not held.", Answer: api.Outcome{}, Refusals: []int{404, 409},
	},
	"POST /api/jobs/:job/backfill": {
		Summary: "Begin a backfill: a run for each fire time of the job between two moments that are past, both included, the oldest first, up to 100,000. The times are those of the cron expression, without jitter; those that the job's schedule leaves out are refused, with the property that says so. FireTime of a run is the time it stands for. 202 comes as soon as the backfill is stored: an agent requests its runs in portions, so that at most parallel of them are queued or running at once, 100 if absent. The runs wait for each other, and begin although the job is held. With preview nothing is requested, and 200 has the times, the first 1,000 of them. 409 no_schedule if the job has no cron expression, backfilling if another backfill of the job is under way or an agent is of a version without backfills; 422 if to has yet to come, if there is no fire time, or if there are more.",
		Request: api.BackfillRequest{}, Example: `{"from":"2026-11-19T00:00:00Z","to":"2026-11-20T00:00:00Z","params":{"month":"2026-10"},"parallel":10,"preview":true}`, Answer: api.BackfillAnswer{}, Also: 202, Refusals: []int{400, 404, 409, 413, 422},
	},
	"GET /api/jobs/:job/backfills": {
		Summary: "The last 20 backfills of a job, the newest first, each as GET /api/jobs/{job}/backfills/{backfill} has it.", Answer: api.Backfills{}, Refusals: []int{404},
	},
	"GET /api/jobs/:job/backfills/:backfill": {
		Summary: "A backfill, and how many of its fire times have a run in which state. State is queued until its first run has begun, running until its last one has ended, then succeeded, failed (also if single runs were cancelled or have expired) or cancelled. Next is the first fire time with a run that waits. Problem is why an agent can't request the next run; it tries again every few seconds.",
		Answer:  api.Backfill{}, Refusals: []int{404},
	},
	"POST /api/jobs/:job/backfills/:backfill/cancel": {
		Summary: "End a backfill: no further run is requested, its waiting runs are cancelled, and the handlers of the run under way are asked to return. 200 if all of them have ended, 202 if not; 409 ended if the backfill has ended already. It can be repeated. A body is not needed.",
		Request: api.CancelRequest{}, Example: `{"reason":"wrong month"}`, Answer: api.Backfill{}, Also: 202, Refusals: []int{400, 404, 409, 413, 422},
	},
	"POST " + requestedRoute: {
		Summary: "Request a run of the job, with parameters or without: now, after delay, or from notBefore on. Params is one JSON object of at most 64 KiB, 8 KiB while agents of Java serve the job. Shards are those that take part, all if absent. Overlap says what becomes of the run while another one is under way: queue (it waits), one (it waits unless one waits already, else it is skipped), skip (it is skipped) or cancel (the other one is cancelled); absent as the job is configured. Expiry is how long after its time it may begin, such as 24h, or -1 for ever. FireTime is the fire time that the run stands for. Manual says that a person asked for it. 200 and repeated if the key is that of a run already; 422 names every problem in fields; 409 not_go if some shards belong to agents that don't support parameters, key_in_use if the key belongs to a run with other parameters; 429 queue_full if as many runs wait as may. What ran is in GET /api/jobs/{job}/runs.",
		Request: api.RunRequest{}, Example: `{"params":{"month":"2026-10"},"delay":"5m","note":"INC-4821","manual":true}`, Headers: [][2]string{{"Idempotency-Key", "Of two requests with the same key, of at most 200 characters, the second is answered with the run of the first, until ten minutes after its end."}},
		Answer: api.SubmittedRun{}, Status: 201, Also: 200, Refusals: []int{400, 404, 409, 413, 422, 429},
	},
	"POST " + requestedRoute + "/batch": {
		Summary: "Request up to 1,000 runs of the job, in their order: each is a request as for one run, with its idempotency key as key. One that is refused does not keep it from the others: refused says which, by their numbers from 0, and why. Repeated counts those whose key was that of a run already; runs has the ids. 200 if no run was created. The body has 1 MiB at most.",
		Request: batchRequest{}, Example: `{"runs":[{"params":{"month":"2026-10"},"key":"invoices-2026-10"},{"params":{"month":"2026-11"},"delay":"5m"}]}`,
		Answer: batchBody{}, Status: 201, Also: 200, Refusals: []int{400, 404, 413, 422},
	},
	"DELETE " + requestedRoute: {
		Summary: "Cancel the runs of the job that wait, those of the earliest time first: at most 1,000, and more says that others wait still, for another call. With preview nothing is cancelled, and count says how many would be. A run that begins meanwhile goes on.",
		Query: [][2]string{
			{"state", "Which of them: scheduled, queued, or both with a comma between them; both if absent."}, {"preview", "true: only count."},
			{"reason", "Why, of at most 200 characters: it stands in the audit and with each run."},
		},
		Answer: cancelledBody{}, Refusals: []int{404, 422},
	},
	"GET " + requestedRoute: {
		Summary: "The requested runs of a job: those under way, those that wait, by their time, and those that ended last; behind them older ones from the trace database, the last submitted first. Source says where they were read: the registry has the last ended runs only, as many as the job's run.keep says, and where no trace database has older ones the list ends with them. Waiting and ended are how many the registry has in all. Of those that wait, and of those that ended, the first 1,000 are looked at. Guests see no parameters.",
		Query: [][2]string{
			{"state", "Only runs in this state."}, {"key", "Only runs with this idempotency key, or with this id."}, {"origin", "Only runs requested so: code, page, api, cli, again, backfill or retry."},
			{"from", "Submitted at this instant or later, RFC 3339."}, {"to", "Submitted at this instant or before."},
			{"limit", "Rows of the answer, at most 200."}, {"cursor", "The nextCursor of the answer before."},
		},
		Answer: api.RequestedRuns{}, Refusals: []int{404, 422},
	},
	"GET " + allRequestedRoute: {
		Summary: "The requested runs of all jobs: those that have not ended, job by job by name, from ZooKeeper, each job's as in its own list; behind them those that have ended, from the trace database, the last submitted first. Only jobs are looked at of which a run was ever requested, 50 for a page, and the first 1,000 runs of each that wait: a page may have fewer rows than asked for, or none, and yet a nextCursor. Registry and database say what became of each: read, not_asked if the page needed nothing of it, unavailable if it does not answer; of the database also no_database, or no_tables if it lacks them. Source says what was read in all. 503 if nothing can be read. Guests see no parameters. What ran of all jobs, for whatever reason, is in GET /api/runs.",
		Query: [][2]string{
			{"state", "Only runs in this state."}, {"job", "Only of this job."}, {"origin", "Only requested so: code, page, api, cli, again, backfill or retry."},
			{"from", "Submitted at this instant or later, RFC 3339."}, {"to", "Submitted at this instant or before."},
			{"limit", "Rows of the answer, at most 200."}, {"cursor", "The nextCursor of the answer before."},
		},
		Answer: api.AllRequestedRuns{}, Refusals: []int{422},
	},
	"GET " + requestedRoute + "/:request": {
		Summary: "One requested run, with at most 1,000 of its shards one by one: those first that run or have failed. Of a run that has ended the counts are known, and some errors and results. A run that the registry no longer has comes from the trace database, which source says, and so do large parameters and results, the steps of a run, how far its shards are, and which of them have logged lines. Record says whether there are such: recorded; no_database; no_tables if the database lacks them; unavailable if it does not answer. Guests see no parameters and no results.",
		Answer:  api.RequestedRunDetail{}, Refusals: []int{404},
	},
	"GET " + requestedRoute + "/:request/log": {
		Summary: "Lines that the handler of a shard logged in an attempt of a requested run, the first first. After is the number of the last line of the answer: asked for in the next request, it brings what came since; ended says that no more will come. 404 no_log where no trace database has logs of runs. Guests see no secrets.",
		Query:   logQuery, Answer: api.RunLog{}, Refusals: []int{404, 422},
	},
	"POST " + requestedRoute + "/:request/cancel": {
		Summary: "End a run: 200 if it waited and is cancelled; 202 if it is under way, whose handlers are asked to return; 409 ended if it has ended. A body is not needed.",
		Request: api.CancelRequest{}, Example: `{"reason":"wrong month"}`, Answer: api.RequestedRun{}, Also: 202, Refusals: []int{400, 404, 409, 413, 422},
	},
	"POST " + requestedRoute + "/:request/start": {
		Summary: "Have a run that waits for its time begin now; 409 if it does not wait for one.", Answer: api.RequestedRun{}, Refusals: []int{404, 409},
	},
	"POST " + requestedRoute + "/:request/again": {
		Summary: "Request a run that repeats one that has ended; it names that one as its parent. ZooKeeper does not keep the parameters of a run that has ended: params says them again, an object or null for none; without it the answer is 422. The note is that of the other run, unless the body has one. 409 not_ended if it has not ended.",
		Request: api.AgainRequest{}, Example: `{"params":{"month":"2026-10"}}`, Answer: api.SubmittedRun{}, Status: 201, Refusals: []int{400, 404, 409, 413, 422, 429},
	},
	"DELETE /api/jobs/:job/sharding/:item/running": anAction("Remove the running marker that a Java agent has left at a shard that it does not run. Make sure of that first: nothing in ZooKeeper tells. Markers of agents written in Go, of other instances and of the last minute stay.").With([][2]string{{"instance", "Confirms it: the instance that the marker names."}}),

	"GET /api/jobs/config/:job": {
		Summary: "The configuration of a job: JobSettings of 2.x or the settings of 3.x. The ETag names its revision; guests see no secrets.",
		Answer:  editor.Body{}, Refusals: []int{404, 409},
	},
	"GET /api/jobs/:job/versions": {
		Summary: "The configurations of a job that were saved in the console, the newest first, at most 100; also of a job that was removed. Guests see no secrets.",
		Answer:  []api.ConfigVersion{},
	},
	"POST /api/jobs/:job/config/preview": {
		Summary: "What a PUT of the same body would do: the keys that change, the document, what happens then, and what there is to say about the schedule. Nothing is stored.",
		Request: editor.Body{}, Example: `{"cron":"0 0/5 * * * ?"}`,
		Answer: previewBody{}, Refusals: []int{400, 404, 409, 413, 422},
	},
	"POST " + configRoute: {
		Summary: "Create a job that nobody has registered yet: instances that register take its configuration over, unless their own says overwrite. Until then it has no instance. What the body does not name has ElasticJob's defaults.",
		Query:   [][2]string{{"class", "The class that instances register with; absent: theirs. Java agents up to 3.0.2 refuse a job without."}, {"reason", "Why, of at most 200 characters: it stands in the audit and with the version."}},
		Request: editor.Body{}, Example: `{"jobName":"reports","cron":"0 0 6 * * ?","shardingTotalCount":2}`,
		Answer: createdBody{}, Status: 201, Refusals: []int{400, 409, 413, 422},
	},
	"PUT " + configRoute: {
		Summary: "Change the configuration of a job. What the body does not name stays. With If-Match only if that revision is stored still; the answer 412 has what is stored instead. 422 names every field that cannot be taken; 403 command_changes_off names those that say what agents execute or call, which need --allow-command-changes.",
		Query:   [][2]string{{"reason", "Why, of at most 200 characters: it stands in the audit and with the version."}},
		Request: editor.Body{}, Example: `{"jobName":"invoices","cron":"0 0/5 * * * ?","description":"Send the invoices"}`, Headers: [][2]string{{"If-Match", "The ETag the change is based on."}},
		Refusals: []int{400, 404, 409, 412, 413, 422},
	},
	"DELETE /api/jobs/config/:job": {
		Summary: "Delete the job with all that is stored about it. Its requested runs that haven't ended are cancelled, and the history stores that.", Query: [][2]string{{"force", "true: even while instances serve it, which end it then."}},
		Refusals: []int{404, 409, 422},
	},
	"POST /api/bulk": {
		Summary: "One action on at most 200 jobs, job by job, or with preview what it would do. Actions are trigger, disable, enable, shutdown, remove, label, which writes label into the configuration of each, or removes it if that is empty, hold, which has what stand still (schedule, requests or all), release, or cancel-waiting, which cancels the requested runs that wait, at most 200 of a job at once. For remove, cancelledRuns counts the requested runs that it cancels. The reason, of at most 200 characters, stands in the audit and with the job. With enableAt, a time of the next 90 days, the console enables disabled jobs again.",
		Request: bulkRequest{}, Example: `{"order":"disable","jobs":["invoices","settlement.daily"],"preview":true,"reason":"INC-4821"}`,
		Answer: bulkBody{}, Refusals: []int{400, 413, 422},
	},

	"GET /api/servers":                        {Summary: "The servers, by address.", Answer: []api.Server{}},
	"GET /api/servers/getAllServersBriefInfo": {Summary: "The servers, under the name of ElasticJob 3.x.", Answer: []api.Server{}},
	"GET /api/servers/count":                  {Summary: "The number of servers, never in an envelope.", Answer: 0},
	"GET /api/servers/:ip/jobs":               {Summary: "The jobs of a server.", Answer: []api.ServerJob{}, Refusals: []int{404}},
	"POST /api/servers/:ip/disable":           anAction("Take the server out of service for every job that lists it."),
	"DELETE /api/servers/:ip/disable":         anAction("Put the server into service, as ElasticJob 2.x spells it."),
	"POST /api/servers/:ip/enable":            anAction("Put the server into service for every job that lists it."),
	"POST /api/servers/:ip/shutdown":          anAction("End every job in the processes of the server."),
	"DELETE /api/servers/:ip": {
		Summary: "Remove the server from every job. Its live instances go too and end their jobs.", Query: offlineQuery, Refusals: []int{404, 409, 422},
	},
	"POST /api/servers/:ip/jobs/:job/trigger":   anAction("Run the job once, now, on one server."),
	"POST /api/servers/:ip/jobs/:job/disable":   anAction("Take the server out of service for one job."),
	"DELETE /api/servers/:ip/jobs/:job/disable": anAction("Put the server into service for one job, as ElasticJob 2.x spells it."),
	"POST /api/servers/:ip/jobs/:job/enable":    anAction("Put the server into service for one job."),
	"POST /api/servers/:ip/jobs/:job/shutdown":  anAction("End one job in the processes of the server."),
	"DELETE /api/servers/:ip/jobs/:job": {
		Summary: "Remove the server from one job. Its live instances go too and end the job.", Query: offlineQuery, Refusals: []int{404, 409, 422},
	},

	"GET /api/job/statistics/tasks/results": {
		Summary: "How many executions ended, by minute, hour or day of UTC, as rows of upstream's scheduler. A bucket that wasn't counted has no row.",
		Query: [][2]string{
			{"interval", "minute (all jobs together only), hour or day; hour if absent."}, {"job", "Only this job, else all together."},
			{"from", "From the bucket of this instant on, RFC 3339; 24 hours before to if absent."}, {"to", "Up to the bucket of this instant; now if absent."},
			{"since", "last24hours: by minute, as consoles of ElasticJob's cloud ask."},
		},
		Answer: []resultBody{}, Refusals: []int{422},
	},
	"GET /api/job/statistics/tasks/results/:period": {
		Summary: "How many executions ended in a period: lastMinute, lastHour, lastWeek (with today) or online (ever).",
		Answer:  resultsBody{}, Refusals: []int{422},
	},
	"GET /api/search": {
		Summary: "Jobs whose names have the letters of q in their order, the best first: the name itself, names that begin with q, that have it at the start of a word, that have it, then those that have its letters.",
		Query:   [][2]string{{"q", "Letters of a name; without them nothing is found."}, {"limit", "Jobs of the answer, 8 if absent."}}, Answer: searchBody{}, Refusals: []int{422},
	},
	"GET /api/runs": {
		Summary: "Runs, those that began last first: all executions of one fire, trigger or request of a job. States: running while a shard runs, else failed, lost or cancelled if a shard's last attempt is, in this order, else success. An attempt counts as a success also if its handler skipped or put off the shard, and a requested run that succeeded counts as a success even if its first attempts failed; requested-runs shows whether a requested run goes on. Executions that do not name their run, as those of Java engines, are grouped by job and the second in which they began; grouped says so. from and to select what went on between them; with started=in what began between them. An answer with few rows or none and a nextCursor is not the end.",
		Query:   slices.Concat(runsQuery, [][2]string{{"job", "Only this job."}, {"match", "prefix: job is how the name begins."}}), Answer: api.Runs{}, Refusals: []int{422},
	},
	"GET /api/runs/export": {
		Summary: "The runs of a filter as a file, at most 10,000, the newest; complete says whether that is all. With format=csv for spreadsheets: cells that one would run begin with an apostrophe, and the header X-Complete says what complete does.",
		Query:   slices.Concat(runsQuery, [][2]string{{"job", "Only this job."}, {"format", "csv or json; json if absent."}, {"match", "prefix: job is how the name begins."}}), Answer: console.RunsExport{}, Refusals: []int{422},
	},
	"GET /api/jobs/:job/runs": {
		Summary: "Runs of one job, as GET /api/runs.", Query: runsQuery, Answer: api.Runs{}, Refusals: []int{422},
	},
	"GET /api/jobs/:job/runs/:run": {
		Summary: "One run with its executions, at most 5,000, and the steps of its tasks.", Answer: api.RunDetail{}, Refusals: []int{404},
	},
	"GET /api/jobs/:job/runs/:run/log": {
		Summary: "Lines that the handler of a shard logged in an attempt of any run that the history has, the first first, as GET /api/jobs/{job}/requested-runs/{request}/log answers for requested runs. Agents that are written in Java store no lines.",
		Query:   logQuery, Answer: api.RunLog{}, Refusals: []int{404, 422},
	},
	"GET /api/event-trace/execution": {
		Summary: "Executions, newest first unless sorted otherwise. States: running, success, failed, cancelled (its requested run was, which is not a failure), and lost: no end was recorded, and its instance was lost or the shard has begun again since. The total counts to 10,000; totalExact says whether that is all. A filter that no index answers is looked for in so many rows at a time: an answer with few rows or none and a nextCursor is not the end.",
		Query:   append(executionQuery, historyQuery...),
		Answer:  api.Page[api.Execution]{}, Refusals: []int{422},
	},
	"POST /api/event-trace/execution": {
		Summary: "Executions as ElasticJob 3.x asks for them: by page number, times in milliseconds. The total counts to 10,000.",
		Request: historyRequest{}, Example: `{"jobName":"invoices","pageSize":10,"pageNumber":1}`,
		Answer: api.Total[api.ExecutionEvent]{}, Refusals: []int{400, 413, 422},
	},
	"GET /api/event-trace/execution/jobNames":         suggestions("The first 20 names of jobs that ran."),
	"GET /api/event-trace/execution/jobNames/:prefix": suggestions("The first 20 names that begin so; % and _ are characters like others."),
	"GET /api/event-trace/execution/ip":               suggestions("The first 20 addresses where something ran."),
	"GET /api/event-trace/execution/ip/:prefix":       suggestions("The first 20 addresses that begin so."),
	"GET /api/event-trace/status/jobNames":            suggestions("The first 20 names of jobs in the status trail."),
	"GET /api/event-trace/status/jobNames/:prefix":    suggestions("The first 20 names there that begin so."),
	"GET /api/event-trace/status": {
		Summary: "The steps of tasks, newest first.", Query: historyQuery, Answer: api.Page[api.Status]{}, Refusals: []int{422},
	},
	"POST /api/event-trace/status": {
		Summary: "The steps of tasks as ElasticJob 3.x asks for them.",
		Request: historyRequest{}, Example: `{"jobName":"invoices","pageSize":10,"pageNumber":1}`,
		Answer: api.Total[api.StatusEvent]{}, Refusals: []int{400, 413, 422},
	},

	"POST /api/servers/:ip/:port/jobs/:job/dump": {
		Summary: "What a process sees of a job, in plain text, at most 8 MiB, from its dump service. The address must belong to a live instance of the job, and 403 address_not_allowed means that --allow-hosts doesn't have it. 504 without an answer in 5 seconds.",
		Answer:  "text", Refusals: []int{404, 422, 504},
	},
	"GET " + api.DataSourcesPath + "/drivers": {Summary: "The JDBC drivers of the databases that can be entered, as ElasticJob 3.x asks.", Answer: []string{}},
	"POST " + api.ImportPath: {
		Summary: "Enter what is in a Configurations.xml of ElasticJob's console, as text; with preview tell what would be. What is there already stays. An entry that cannot be taken is named, with the reason, and keeps no other out; 422 if none can be.",
		Request: api.ImportRequest{}, Example: anImport, Answer: api.Import{}, Refusals: []int{400, 413, 422},
	},
})
