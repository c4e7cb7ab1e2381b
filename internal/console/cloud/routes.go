package cloud

import (
	"log/slog"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

const (
	apiRoute = "/api/cloud"
	apiApp   = apiRoute + "/apps/:app"
	apiJob   = apiRoute + "/jobs/:job"
	apiRun   = apiRoute + "/runs/:run"
	// maxBody bounds an application, a job or a request, whose texts have bounds of their own of at
	// most 96 KiB each.
	maxBody = 512 << 10

	operates, configures = app.Operates, app.Configures
)

// Routes are the REST interface and the pages of ElasticJob-Cloud; [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	a := table{s}
	return slices.Concat(a.native(), a.upstream(), pageRoutes(s))
}

// table makes routes of the REST interface.
type table struct{ *app.Console }

// with adapts a handler. Problems are in English.
func (a table) with(answer handler) func(*gin.Context) error {
	return func(c *gin.Context) error {
		err := handle(a.Console, c, func(r *call) error {
			if err := r.inNamespace(); err != nil {
				return err
			}
			return answer(r)
		})
		if err == nil {
			return nil
		}
		p := problemOf(err)
		for _, f := range p.Fields {
			a.Note(c, slog.String("field", f.Field))
		}
		return p
	}
}

// route documents a route. All of them may answer with 404, if ElasticJob-Cloud is off or has no
// such document, and with 503, while store or engine can't be read.
func (a table) route(r app.Route, o app.Operation, refusals []int) app.Route {
	o.Refusals = append([]int{404, 503}, refusals...)
	return r.Documented(o)
}

func (a table) read(path string, h handler, o app.Operation, refusals ...int) app.Route {
	return a.route(app.Get(path, app.SignedIn, 0, a.with(h)), o, refusals)
}

func (a table) post(path string, who app.Access, h handler, o app.Operation, refusals ...int) app.Route {
	return a.route(app.Post(path, who, 0, a.with(h)).WithBody(maxBody), o, refusals)
}

func (a table) put(path string, h handler, o app.Operation, refusals ...int) app.Route {
	return a.route(app.Put(path, configures, 0, a.with(h)).WithBody(maxBody), o, refusals)
}

func (a table) remove(path string, who app.Access, h handler, o app.Operation, refusals ...int) app.Route {
	return a.route(app.Delete(path, who, 0, a.with(h)).WithBody(maxBody), o, refusals)
}

// The examples in the documentation.
const (
	aCloudApp     = `{"appName":"shelves","command":["stocktake.sh"],"cpuCount":0.1,"memoryMB":16,"env":{"WAREHOUSE":"Turin"}}`
	aCloudJob     = `{"jobName":"shelves-nightly","appName":"shelves","cron":"0 0 2 * * ?","shardingTotalCount":3,"shardingItemParameters":"0=Beijing,1=Shanghai,2=Turin","cpuCount":0.1,"memoryMB":16}`
	aCloudReport  = `{"executions":[{"id":"2b0f62d4-4f0a-4c1e-9c49-5f6f3e2f6b10","taskId":"invoices@-@0@-@READY@-@node@-@uid-1","item":0,"hostname":"node","ip":"10.0.0.1","scheduledAt":"2026-11-21T12:00:00Z","startTime":"2026-11-21T12:00:00.012Z","completeTime":"2026-11-21T12:00:03Z"}]}`
	aCloudTrigger = `{"parameters":{"month":"2026-10"},"shards":[0,2]}`
)

var (
	namespaceQuery  = [][2]string{{"namespace", "Only what this namespace of the cluster has; 422 names those that are served."}}
	makeQuery       = [][2]string{{"namespace", "The namespace of the cluster that it is made in, if several are served: the first of them if absent. 422 names them."}}
	tasksOfRunQuery = [][2]string{namespaceQuery[0], {"job", "Only runs of this job."}, {"state", "Only runs in this state."}, {"limit", "How many runs: 50 if absent, at most 1,000. The header X-Total-Count has how many there are."}}
	basedHeader     = [][2]string{{"If-Match", "The ETag the change is based on."}}
	keyHeader       = [][2]string{{"Idempotency-Key", "At most 200 characters; made up if absent."}}
	runningQuery    = [][2]string{{"running", "What becomes of runs that go on: kill (if absent), suspend or finish."}}
	tailQuery       = [][2]string{
		{"tail", "How many last lines: 1,000 if absent, at most 100,000."},
		{"follow", "true goes on with what comes, until the process ends. It counts among the streams of the account."},
	}
)

// native are the routes about applications, jobs and runs.
func (a table) native() []app.Route {
	return []app.Route{
		app.Get(apiRoute, app.SignedIn, 0, a.with(overview)).Documented(app.Operation{
			Summary: "What schedules jobs of ElasticJob-Cloud here: the engine and what it can do, whether this console leads, whether registry and engine can be read, and how much there is. 404 cloud_off where it is off, as for all addresses below.",
			Answer:  api.Cloud{}, Refusals: []int{404},
		}),
		a.read(apiRoute+"/apps", list(appBody), app.Operation{
			Summary: "The applications, by name. Lists follow changes within a moment. Guests see the names of variables and no values.",
			Answer:  []api.CloudApp{}, Query: namespaceQuery,
		}, 422),
		a.post(apiRoute+"/apps", configures, create, app.Operation{
			Summary: "Register an application: what the processes of jobs are made of. Of the local engine command is a program below its folder of programs. Fields that are absent have upstream's defaults. 403 command_changes_off for shell, unless the console allows commands to be changed. 422 names every field, its value and what it may be.",
			Query:   makeQuery, Request: api.CloudAppRequest{}, Example: aCloudApp, Answer: api.CloudApp{}, Status: 201,
		}, 400, 403, 409, 413, 422),
		a.read(apiApp, show, app.Operation{Summary: "One application. The ETag names its revision.", Answer: api.CloudApp{}}),
		a.put(apiApp, change, app.Operation{
			Summary: "Change an application. Fields that are absent stay. Runs that go on are not touched. With If-Match only if that revision is stored still; 412 has the ETag of what is stored.",
			Headers: basedHeader, Request: api.CloudAppRequest{}, Example: `{"memoryMB":32}`, Answer: api.CloudApp{},
		}, 400, 403, 409, 412, 413, 422),
		a.post(apiApp+"/disable", operates, turn(true), app.Operation{
			Summary: "Stop the jobs of an application. What was pending is forgotten.",
			Query:   runningQuery, Answer: api.CloudApp{},
		}, 422, 501),
		a.post(apiApp+"/enable", operates, turn(false), app.Operation{
			Summary: "Go on with the jobs of an application, and with their runs that were suspended. Nothing that passed meanwhile is made up for.",
			Answer:  api.CloudApp{},
		}),
		a.remove(apiApp, configures, remove, app.Operation{Summary: "Remove an application that no job has. 409 names a job that has it."}, 409),
		a.read(apiRoute+"/jobs", list(jobBody), app.Operation{
			Summary: "The jobs with what their scheduler says of them, by name.",
			Answer:  []api.CloudJob{}, Query: namespaceQuery,
		}, 422),
		a.post(apiRoute+"/jobs", configures, create, app.Operation{
			Summary: "Register a job of an application that exists. A TRANSIENT job has a process per shard and fire time; without a cron it runs on request alone. A DAEMON has a process per shard that stays and fires by itself. 501 for what the engine cannot do.",
			Query:   makeQuery, Request: api.CloudJobRequest{}, Example: aCloudJob, Answer: api.CloudJob{}, Status: 201,
		}, 400, 409, 413, 422, 501),
		a.read(apiJob, show, app.Operation{Summary: "One job. The ETag names the revision of its configuration.", Answer: api.CloudJob{}}),
		a.read(apiJob+"/manifest", showManifest, app.Operation{
			Summary: "What the engine would make of the next run of a job, as YAML: of Kubernetes the Job of its next fire time, or of a request if there is none, and the StatefulSet of a DAEMON. Nothing is made. What the engine refuses about job and application is 409. 501 no_manifest where the engine starts processes itself. Guests see the names of variables and no values.",
			Answer:  "text",
		}, 409, 501),
		a.put(apiJob, change, app.Operation{
			Summary: "Change a job. Fields that are absent stay. Runs that go on are not touched. With If-Match only if that revision is stored still; 412 has the ETag of what is stored.",
			Headers: basedHeader, Request: api.CloudJobRequest{}, Example: `{"cron":"0 30 2 * * ?"}`, Answer: api.CloudJob{},
		}, 400, 409, 412, 413, 422, 501),
		a.post(apiJob+"/trigger", operates, triggerJob, app.Operation{
			Summary: "Run a job once, beside its schedule: all shards or those named, now or not before a moment. The body may be absent. Parameters are one JSON object of at most 64 KiB, which programs find in ELASTICJOB_RUN_PARAMETERS. Two requests with one key are one run. 409 for a job that is disabled or a DAEMON, and queue_full if as many requests wait as may.",
			Request: api.CloudTriggerRequest{}, Example: aCloudTrigger, Headers: keyHeader, Answer: api.CloudTrigger{}, Status: 202,
		}, 400, 409, 413, 422),
		a.post(apiJob+"/disable", operates, turn(true), app.Operation{
			Summary: "Stop a job. What was pending is forgotten.",
			Query:   runningQuery, Answer: api.CloudJob{},
		}, 422, 501),
		a.post(apiJob+"/enable", operates, turn(false), app.Operation{
			Summary: "Go on with a job, and with its runs that were suspended. Nothing that passed meanwhile is made up for.",
			Answer:  api.CloudJob{},
		}),
		a.remove(apiJob, configures, remove, app.Operation{Summary: "Remove a job. Its runs that go on are killed."}),
		a.post(apiRoute+"/apply", configures, applyDocuments, app.Operation{
			Summary: "Make applications and jobs what documents say: each is created, changed or left as it is, applications first. A document is all of an application or a job, as the requests that register it have it, or a resource of a cluster, of which spec counts; what is absent has its default. If one is refused nothing is done; if somebody changes one meanwhile, the answer says how far it came. Runs that go on finish. With dryRun nothing is done.",
			Query:   [][2]string{{"namespace", "The namespace of the cluster for documents whose metadata name none, if several are served: the first of them if absent."}}, Request: api.CloudApplyRequest{}, Example: `{"documents":[` + aCloudApp + `,` + aCloudJob + `]}`, Answer: api.CloudApplyAnswer{},
		}, 400, 403, 409, 413, 422, 501).WithBody(maxDocumentsBody),
		a.post(apiRoute+"/import", configures, importTree, app.Operation{
			Summary: "Import applications and jobs of another scheduler of ElasticJob-Cloud, upstream's or ours, from its tree in ZooKeeper. The tree is only read. It is that of a namespace in a registry that was entered, whose own one is taken if namespace is absent, or of default, that of the command line; a request names no other address. Or the caller has read it, and sends it as tree. Each is created, changed or left as it is, as with apply; what cannot be imported is left out, and refused has why by field. What is here already keeps the fields that the tree does not know, and an application its image, command and archive. Notes are fields that have no effect here or do not come. apps are the applications that come with their jobs, all if it is absent: 1,000 applications and jobs at a time. With disabled jobs are made disabled, and nothing that is here is switched. 409 scheduler_alive if a scheduler stands for election in the tree and something would be enabled here as well. 404 no_such_tree, 403 registry_forbidden and 503 registry_unavailable say why the tree cannot be read. With dryRun nothing is done.",
			Query:   makeQuery, Request: api.CloudImportRequest{}, Example: `{"registry":"billing","namespace":"elasticjob-cloud","disabled":true,"dryRun":true}`, Answer: api.CloudImportAnswer{},
		}, 400, 403, 409, 413, 422).WithBody(maxDocumentsBody),
		a.read(apiRoute+"/runs", listRuns, app.Operation{
			Summary: "The runs that the engine still has, the newest first. Older ones are in the history, by their runId.",
			Query:   tasksOfRunQuery, Answer: []api.CloudRun{},
		}, 422),
		a.read(apiRun, showRun, app.Operation{
			Summary: "One run with its tasks, at most 1,000 of them, and what keeps it from going on. The header X-Total-Count has the number of all tasks.",
			Answer:  api.CloudRunDetail{},
		}),
		a.read(apiRoute+"/tasks/:task/log", showLog, app.Operation{
			Summary: "What the process of a task wrote, as plain text, of at most 10 MiB. The task is the uid or the taskId of GET /api/cloud/runs/{run}. Guests see at most 1 MiB, with secrets masked.",
			Query:   tailQuery, Answer: "text",
		}, 422, 501),
		a.post(apiRun+"/suspend", operates, onRun(suspendRun), app.Operation{
			Summary: "End the processes of a run, to go on later with the shards that have not finished.",
		}, 409, 501),
		a.post(apiRun+"/resume", operates, onRun(resumeRun), app.Operation{Summary: "Go on with a run that was suspended."}, 409),
		a.post(apiRun+"/kill", operates, onRun(killRun), app.Operation{Summary: "End a run. Its tasks end as TASK_KILLED."}, 409),
		a.post(apiRun+"/items/:item/kill", operates, onRun(killShard), app.Operation{
			Summary: "End the process of one shard. 409 if none of it goes on. With failover another attempt may follow.",
		}, 409),
		a.post(apiRun+"/rerun", operates, rerunRun, app.Operation{
			Summary: "Run the shards of a run that has ended again that did not succeed, or those named, as a run of their own. The body may be absent. A run that somebody asked for may have had parameters, which the engine does not keep: 422 if they are not given again; {} for none.",
			Request: api.CloudRerunRequest{}, Example: `{"parameters":{"month":"2026-10"}}`, Headers: keyHeader, Answer: api.CloudTrigger{}, Status: 202,
		}, 400, 409, 413, 422),
		a.post(event.Path, app.Anyone, events(newReportLimits()), app.Operation{
			Summary: "What the process of a shard of a DAEMON job reports of its runs: each when it begins and, under the same id, when it has ended. The token is the content of the file that ELASTICJOB_EVENTS_TOKEN_FILE names, and no session: it is good for the runs of that shard, and for nothing else. 202 says that the rows are on their way to the history; a report that comes twice makes one row. 403 for what is about another job or shard, 413 for more than 500 executions or 256 KiB, 429 for more than 100 executions of a job a second (1,000 at once), with Retry-After, and 503 while rows cannot be stored. Of a report that is refused nothing is taken. It is not in the audit.",
			Request: cloudReportRequest{}, Example: aCloudReport, Status: 202, Reporter: true,
		}, 400, 401, 403, 413, 429, 501).WithBody(event.MaxBytes),
	}
}
