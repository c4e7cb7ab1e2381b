package cloud

import (
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// The addresses of upstream's own scheduler, of its releases 2.x and 3.x and of its separate console.
const (
	upstreamAppRoute     = "/api/app"
	upstreamJobRoute     = "/api/job"
	upstreamOperateRoute = "/api/operate"
	upstreamOneApp       = upstreamAppRoute + "/:app"
	upstreamOneJob       = upstreamJobRoute + "/:job"
	upstreamEvents       = upstreamJobRoute + "/events"
	upstreamStatistics   = upstreamJobRoute + "/statistics"
)

// The examples of upstream's own requests.
const (
	anUpstreamApp     = `{"appName":"foo","appURL":"file:///srv/foo.tar.gz","bootstrapScript":"bin/start.sh","cpuCount":0.1,"memoryMB":64.0,"appCacheEnable":true,"eventTraceSamplingCount":0}`
	anUpstreamJob     = `{"appName":"billing","jobName":"foo_job","jobExecutionType":"TRANSIENT","cron":"0/5 * * * * ?","shardingTotalCount":5,"shardingItemParameters":"0=A,1=B,2=C,3=D,4=E","cpuCount":0.1,"memoryMB":64.0,"jobParameter":"","failover":true,"misfire":true,"props":{}}`
	anUpstreamTrigger = `{"jobName":"invoices","parameters":{"month":"2026-10"},"shards":[0]}`
)

var replaceQuery = [][2]string{{"replace", "true: fields that are absent fall back to their defaults, as upstream has it. Without it they stay."}}

// The documentation of routes with several addresses.
var (
	registerApp = app.Operation{
		Summary: "Register an application, with the body of upstream's scheduler. The local engine starts bootstrapScript below its folder of programs, or in the archive of an appURL of https, which needs appSHA256.",
		Request: api.CloudAppRequest{}, Example: anUpstreamApp, Answer: true,
	}
	updateApp = app.Operation{
		Summary: "Change the application that the body names. Runs that go on are not touched.", Query: replaceQuery,
		Request: api.CloudAppRequest{}, Example: `{"appName":"billing","memoryMB":32}`, Answer: true,
	}
	enableApp = app.Operation{Summary: "Go on with the jobs of an application.", Answer: true}
	updateJob = app.Operation{
		Summary: "Change the job that the body names. Runs that go on are not touched; whether it is disabled stays.", Query: replaceQuery,
		Request: api.CloudJobRequest{}, Example: `{"jobName":"invoices","cron":"0 30 2 * * ?"}`, Answer: true,
	}
	enableJob     = app.Operation{Summary: "Go on with a job, and with its runs that were suspended.", Answer: true}
	executionsGet = app.Operation{
		Summary: "Executions of the jobs of ElasticJob-Cloud, newest first, as upstream's scheduler lists them; a removed job needs jobName. Without a trace database there are none.",
		Query:   eventsQuery, Answer: api.Total[api.ExecutionEvent]{},
	}
	statusesGet = app.Operation{
		Summary: "The steps of tasks of ElasticJob-Cloud, newest first, as upstream's scheduler lists them. Their source is CLOUD_SCHEDULER unless the request names CLOUD_EXECUTOR.",
		Query:   eventsQuery, Answer: api.Total[api.StatusEvent]{},
	}
	executionsPost, statusesPost = posted(executionsGet), posted(statusesGet)
)

// posted documents a request with the parameters in its body.
func posted(o app.Operation) app.Operation {
	o.Query, o.Request, o.Example, o.Refusals = nil, cloudEventsRequest{}, `{"per_page":10,"page":1}`, []int{400, 413}
	return o
}

// history makes a route about the history.
func (a table) history(method func(string, app.Access, app.Touches, func(*gin.Context) error) app.Route, path string, h handler, o app.Operation) app.Route {
	o.Refusals = append(slices.Clone(o.Refusals), 422)
	return method(path, app.SignedIn, app.TheHistory, a.with(h)).Documented(o)
}

// counted makes a route about numbers that are counted at each full minute.
func counted(path string, h func(*gin.Context) error, what, back string, answer any) app.Route {
	return app.Get(path, app.SignedIn, app.TheHistory, h).Documented(app.Operation{
		Summary: what + ", by minute, hour or day of UTC: the most of the bucket's minutes. A bucket that wasn't counted has no row. Counts are kept for 400 days.",
		Query: [][2]string{
			{"interval", "minute, hour or day; hour if absent, day for jobs/register."},
			{"from", "From the bucket of this instant on, RFC 3339; " + back + " before to if absent."}, {"to", "Up to the bucket of this instant; now if absent."},
			{"since", "lastWeek: by hour, as consoles of ElasticJob's cloud ask."},
		},
		Answer: answer, Refusals: []int{422},
	})
}

// upstream are the addresses of upstream's own scheduler.
func (a table) upstream() []app.Route {
	return []app.Route{
		a.post(upstreamAppRoute, configures, register, registerApp, 400, 403, 409, 413, 422),
		a.post(upstreamAppRoute+"/register", configures, register, registerApp, 400, 403, 409, 413, 422),
		a.put(upstreamAppRoute, update, updateApp, 400, 403, 409, 413, 422),
		a.post(upstreamAppRoute+"/update", configures, update, updateApp, 400, 403, 409, 413, 422),
		a.read(upstreamAppRoute+"/list", list(upstreamApp), app.Operation{
			Summary: "The applications, as upstream's scheduler lists them.",
			Answer:  []api.UpstreamApp{},
		}),
		a.read(upstreamOneApp, detail(upstreamApp), app.Operation{
			Summary: "One application. A client that sends accessToken gets null for one that is unknown.",
			Answer:  api.UpstreamApp{},
		}),
		a.read(upstreamOneApp+"/disable", isDisabled, app.Operation{Summary: "Whether an application is disabled.", Answer: true}),
		a.post(upstreamOneApp+"/disable", operates, turned(true), app.Operation{
			Summary: "Stop the jobs of an application.",
			Query:   runningQuery, Answer: true,
		}, 422, 501),
		a.remove(upstreamOneApp+"/disable", operates, turned(false), enableApp),
		a.post(upstreamOneApp+"/enable", operates, turned(false), enableApp),
		a.remove(upstreamOneApp, configures, deregisterApp, app.Operation{
			Summary: "Remove an application and its jobs. Their runs that go on are killed.",
			Answer:  true,
		}),
		a.post(upstreamJobRoute+"/register", configures, register, app.Operation{
			Summary: "Register a job, with the body of upstream's scheduler, of 2.x or 3.x. Fields of 2.x are kept in compat. The header Warning names the fields without an effect, such as jobClass. 409 if it exists or its application is disabled.",
			Request: api.CloudJobRequest{}, Example: anUpstreamJob, Answer: true,
		}, 400, 409, 413, 422, 501),
		a.put(upstreamJobRoute+"/update", update, updateJob, 400, 409, 413, 422, 501),
		a.post(upstreamJobRoute+"/update", configures, update, updateJob, 400, 409, 413, 422, 501),
		a.remove(upstreamJobRoute+"/deregister", configures, deregisterJob, app.Operation{
			Summary: "Remove the job whose name is the body, as of 2.x.",
			Request: "", Example: `"invoices"`, Answer: true,
		}, 400, 413),
		a.remove(upstreamOneJob+"/deregister", configures, deregisterJob, app.Operation{
			Summary: "Remove a job. Its runs that go on are killed.",
			Answer:  true,
		}),
		a.read(upstreamOneJob+"/disable", isDisabled, app.Operation{Summary: "Whether a job is disabled.", Answer: true}),
		a.post(upstreamOneJob+"/disable", operates, turned(true), app.Operation{
			Summary: "Stop a job. What was pending is forgotten.",
			Query:   runningQuery, Answer: true,
		}, 422, 501),
		a.remove(upstreamOneJob+"/disable", operates, turned(false), enableJob),
		a.post(upstreamOneJob+"/enable", operates, turned(false), enableJob),
		a.post(upstreamJobRoute+"/trigger", operates, triggerNamed, app.Operation{
			Summary: "Run a job once. A body that is its name, as it is or as a JSON text, is answered with true and status 200; an object may have parameters, shards and notBefore too, and is answered with the run. Two requests with one key are one run. 409 for a job that is disabled or a DAEMON, and queue_full if as many requests wait as may.",
			Request: api.NamedTriggerRequest{}, Example: anUpstreamTrigger, Headers: keyHeader, Answer: api.CloudTrigger{}, Status: 202,
		}, 400, 409, 413, 422),
		a.read(upstreamJobRoute+"/jobs", list(jobConfig), app.Operation{
			Summary: "The configurations of the jobs, by name.",
			Answer:  []api.CloudJobConfig{},
		}),
		a.read(upstreamJobRoute+"/jobs/:job", detail(jobConfig), app.Operation{
			Summary: "The configuration of one job. A client that sends accessToken gets null for one that is unknown.",
			Answer:  api.CloudJobConfig{},
		}),
		a.read(upstreamJobRoute+"/tasks/running", activeTasks, app.Operation{
			Summary: "The tasks that go on, at most 10,000.",
			Answer:  []api.RunningTask{},
		}),
		a.read(upstreamJobRoute+"/tasks/ready", readyTasks, app.Operation{
			Summary: "The jobs with runs pending, and how many.",
			Answer:  []api.ReadyTask{},
		}),
		a.read(upstreamJobRoute+"/tasks/failover", failoverTasks, app.Operation{
			Summary: "The shards that wait for a further attempt.",
			Answer:  []api.FailoverTask{},
		}),
		a.history(app.Get, upstreamEvents+"/executions", executions, executionsGet),
		a.history(app.Post, upstreamEvents+"/executions", executions, executionsPost),
		a.history(app.Get, upstreamEvents+"/statusTraces", statuses, statusesGet),
		a.history(app.Post, upstreamEvents+"/statusTraces", statuses, statusesPost),
		counted(upstreamStatistics+"/tasks/running", countsOf(a.Console, runningTasks, week, rdb.Hour), "How many tasks ran", "seven days", []api.RunningCount{}),
		counted(upstreamStatistics+"/jobs/running", countsOf(a.Console, runningJobs, week, rdb.Hour), "Of how many jobs a task ran", "seven days", []api.RunningCount{}),
		counted(upstreamStatistics+"/jobs/register", countsOf(a.Console, registeredJobs, 52*week, rdb.Day), "How many jobs there were", "52 weeks", []api.RegisteredCount{}),
		a.read(upstreamStatistics+"/jobs/executionType", count(addExecutionType), app.Operation{
			Summary: "How many jobs of each execution type there are.",
			Answer:  api.ExecutionTypes{},
		}),
		a.read(upstreamStatistics+"/jobs/type", count(addType), app.Operation{
			Summary: "How many jobs of each type of 2.x there are. Without a script, jobs of 3.x count as simple.",
			Answer:  api.JobTypes{},
		}),
		a.post(upstreamOperateRoute+"/reconcile/explicit", operates, reconcile(false), app.Operation{Summary: "What runs is read anew, as the engine has it. At most once in ten seconds.", Answer: true}, 429),
		a.post(upstreamOperateRoute+"/reconcile/implicit", operates, reconcile(true), app.Operation{Summary: "What runs is read anew, as engine and store have it. At most once in ten seconds.", Answer: true}, 429),
		a.read(upstreamOperateRoute+"/sandbox", sandboxes, app.Operation{
			Summary: "Where the tasks of an application that go on write: the machine, and the address of the log on this console.",
			Query:   [][2]string{{"appName", "Only of this application."}}, Answer: []api.Sandbox{},
		}),
	}
}
