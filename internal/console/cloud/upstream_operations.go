package cloud

import (
	"fmt"
	"maps"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// The examples of upstream's own requests.
const (
	anUpstreamApp     = `{"appName":"foo","appURL":"file:///srv/foo.tar.gz","bootstrapScript":"bin/start.sh","cpuCount":0.1,"memoryMB":64.0,"appCacheEnable":true,"eventTraceSamplingCount":0}`
	anUpstreamJob     = `{"appName":"billing","jobName":"foo_job","jobExecutionType":"TRANSIENT","cron":"0/5 * * * * ?","shardingTotalCount":5,"shardingItemParameters":"0=A,1=B,2=C,3=D,4=E","cpuCount":0.1,"memoryMB":64.0,"jobParameter":"","failover":true,"misfire":true,"props":{}}`
	anUpstreamTrigger = `{"jobName":"invoices","parameters":{"month":"2026-10"},"shards":[0]}`
)

var replaceQuery = [][2]string{{"replace", "true: fields that are absent fall back to their defaults, as upstream has it. Without it they stay."}}

// withUpstream adds the addresses of upstream's own scheduler.
func withUpstream() map[string]console.Operation {
	all := upstreamAppOperations()
	maps.Copy(all, upstreamJobOperations())
	maps.Copy(all, upstreamTaskOperations())
	return all
}

// atEach is one operation at several addresses.
func atEach(o console.Operation, keys ...string) map[string]console.Operation {
	all := make(map[string]console.Operation, len(keys))
	for _, key := range keys {
		all[key] = o
	}
	return all
}

func upstreamAppOperations() map[string]console.Operation {
	all := map[string]console.Operation{
		"GET " + upstreamAppRoute + "/list":   onCloud(console.Operation{Summary: "The applications, as upstream's scheduler lists them.", Answer: []api.UpstreamApp{}}),
		"GET " + upstreamOneApp:               onCloud(console.Operation{Summary: "One application. A client that sends accessToken gets null for one that is unknown.", Answer: api.UpstreamApp{}}),
		"GET " + upstreamOneApp + "/disable":  onCloud(console.Operation{Summary: "Whether an application is disabled.", Answer: true}),
		"POST " + upstreamOneApp + "/disable": onCloud(console.Operation{Summary: "Stop the jobs of an application.", Query: runningQuery, Answer: true}, 422, 501),
		"DELETE " + upstreamOneApp:            onCloud(console.Operation{Summary: "Remove an application and its jobs. Their runs that go on are killed.", Answer: true}),
	}
	maps.Copy(all, atEach(onCloud(console.Operation{
		Summary: "Register an application, with the body of upstream's scheduler. The local engine starts bootstrapScript below its folder of programs, or in the archive of an appURL of https, which needs appSHA256.",
		Request: api.CloudAppRequest{}, Example: anUpstreamApp, Answer: true,
	}, 400, 403, 409, 413, 422), "POST "+upstreamAppRoute, "POST "+upstreamAppRoute+"/register"))
	maps.Copy(all, atEach(onCloud(console.Operation{
		Summary: "Change the application that the body names. Runs that go on are not touched.", Query: replaceQuery,
		Request: api.CloudAppRequest{}, Example: `{"appName":"billing","memoryMB":32}`, Answer: true,
	}, 400, 403, 409, 413, 422), "PUT "+upstreamAppRoute, "POST "+upstreamAppRoute+"/update"))
	maps.Copy(all, atEach(onCloud(console.Operation{Summary: "Go on with the jobs of an application.", Answer: true}), "POST "+upstreamOneApp+"/enable", "DELETE "+upstreamOneApp+"/disable"))
	return all
}

func upstreamJobOperations() map[string]console.Operation {
	all := map[string]console.Operation{
		"POST " + upstreamJobRoute + "/register": onCloud(console.Operation{
			Summary: "Register a job, with the body of upstream's scheduler, of 2.x or 3.x. Fields of 2.x are kept in compat. The header Warning names the fields without an effect, such as jobClass. 409 if it exists or its application is disabled.",
			Request: api.CloudJobRequest{}, Example: anUpstreamJob, Answer: true,
		}, 400, 409, 413, 422, 501),
		"DELETE " + upstreamJobRoute + "/deregister": onCloud(console.Operation{Summary: "Remove the job whose name is the body, as of 2.x.", Request: "", Example: `"invoices"`, Answer: true}, 400, 413),
		"DELETE " + upstreamOneJob + "/deregister":   onCloud(console.Operation{Summary: "Remove a job. Its runs that go on are killed.", Answer: true}),
		"GET " + upstreamOneJob + "/disable":         onCloud(console.Operation{Summary: "Whether a job is disabled.", Answer: true}),
		"POST " + upstreamOneJob + "/disable":        onCloud(console.Operation{Summary: "Stop a job. What was pending is forgotten.", Query: runningQuery, Answer: true}, 422, 501),
		"POST " + upstreamJobRoute + "/trigger": onCloud(console.Operation{
			Summary: "Run a job once. A body that is its name, as it is or as a JSON text, is answered with true and status 200; an object may have parameters, shards and notBefore too, and is answered with the run. Two requests with one key are one run. 409 for a job that is disabled or a DAEMON, and queue_full if as many requests wait as may.",
			Request: api.NamedTriggerRequest{}, Example: anUpstreamTrigger, Headers: [][2]string{{"Idempotency-Key", "At most 200 characters; made up if absent."}}, Answer: api.CloudTrigger{}, Status: 202,
		}, 400, 409, 413, 422),
		"GET " + upstreamJobRoute + "/jobs":      onCloud(console.Operation{Summary: "The configurations of the jobs, by name.", Answer: []api.CloudJobConfig{}}),
		"GET " + upstreamJobRoute + "/jobs/:job": onCloud(console.Operation{Summary: "The configuration of one job. A client that sends accessToken gets null for one that is unknown.", Answer: api.CloudJobConfig{}}),
	}
	maps.Copy(all, atEach(onCloud(console.Operation{
		Summary: "Change the job that the body names. Runs that go on are not touched; whether it is disabled stays.", Query: replaceQuery,
		Request: api.CloudJobRequest{}, Example: `{"jobName":"invoices","cron":"0 30 2 * * ?"}`, Answer: true,
	}, 400, 409, 413, 422, 501), "PUT "+upstreamJobRoute+"/update", "POST "+upstreamJobRoute+"/update"))
	maps.Copy(all, atEach(onCloud(console.Operation{Summary: "Go on with a job, and with its runs that were suspended.", Answer: true}), "POST "+upstreamOneJob+"/enable", "DELETE "+upstreamOneJob+"/disable"))
	return all
}

func upstreamTaskOperations() map[string]console.Operation {
	tooOften := "What runs is read anew, %s. At most once in ten seconds."
	executions := console.Operation{Summary: "Executions of the jobs of ElasticJob-Cloud, newest first, as upstream's scheduler lists them; a removed job needs jobName. Without a trace database there are none.", Query: eventsQuery, Answer: api.Total[api.ExecutionEvent]{}}
	statuses := console.Operation{Summary: "The steps of tasks of ElasticJob-Cloud, newest first, as upstream's scheduler lists them. Their source is CLOUD_SCHEDULER unless the request names CLOUD_EXECUTOR.", Query: eventsQuery, Answer: api.Total[api.StatusEvent]{}}
	all := map[string]console.Operation{
		"GET " + upstreamJobRoute + "/tasks/running":           onCloud(console.Operation{Summary: "The tasks that go on, at most 10,000.", Answer: []api.RunningTask{}}),
		"GET " + upstreamJobRoute + "/tasks/ready":             onCloud(console.Operation{Summary: "The jobs with runs pending, and how many.", Answer: []api.ReadyTask{}}),
		"GET " + upstreamJobRoute + "/tasks/failover":          onCloud(console.Operation{Summary: "The shards that wait for a further attempt.", Answer: []api.FailoverTask{}}),
		"GET " + upstreamStatistics + "/tasks/running":         counted("How many tasks ran", "seven days", []api.RunningCount{}),
		"GET " + upstreamStatistics + "/jobs/running":          counted("Of how many jobs a task ran", "seven days", []api.RunningCount{}),
		"GET " + upstreamStatistics + "/jobs/register":         counted("How many jobs there were", "52 weeks", []api.RegisteredCount{}),
		"GET " + upstreamStatistics + "/jobs/executionType":    onCloud(console.Operation{Summary: "How many jobs of each execution type there are.", Answer: api.ExecutionTypes{}}),
		"GET " + upstreamStatistics + "/jobs/type":             onCloud(console.Operation{Summary: "How many jobs of each type of 2.x there are. Without a script, jobs of 3.x count as simple.", Answer: api.JobTypes{}}),
		"POST " + upstreamOperateRoute + "/reconcile/explicit": onCloud(console.Operation{Summary: fmt.Sprintf(tooOften, "as the engine has it"), Answer: true}, 429),
		"POST " + upstreamOperateRoute + "/reconcile/implicit": onCloud(console.Operation{Summary: fmt.Sprintf(tooOften, "as engine and store have it"), Answer: true}, 429),
		"GET " + upstreamOperateRoute + "/sandbox":             onCloud(console.Operation{Summary: "Where the tasks of an application that go on write: the machine, and the address of the log on this console.", Query: [][2]string{{"appName", "Only of this application."}}, Answer: []api.Sandbox{}}),
		"GET " + upstreamEvents + "/executions":                executions,
		"GET " + upstreamEvents + "/statusTraces":              statuses,
	}
	for _, o := range []*console.Operation{&executions, &statuses} {
		o.Query, o.Request, o.Example, o.Refusals = nil, cloudEventsRequest{}, `{"per_page":10,"page":1}`, []int{400, 413}
	}
	all["POST "+upstreamEvents+"/executions"], all["POST "+upstreamEvents+"/statusTraces"] = executions, statuses
	for _, key := range []string{"executions", "statusTraces"} {
		for _, method := range []string{"GET ", "POST "} {
			o := all[method+upstreamEvents+"/"+key]
			o.Refusals = append(o.Refusals, 422)
			all[method+upstreamEvents+"/"+key] = o
		}
	}
	return all
}

// counted is about numbers that are counted at each full minute.
func counted(what, back string, answer any) console.Operation {
	return console.Operation{
		Summary: what + ", by minute, hour or day of UTC: the most of the bucket's minutes. A bucket that wasn't counted has no row. Counts are kept for 400 days.",
		Query: [][2]string{
			{"interval", "minute, hour or day; hour if absent, day for jobs/register."},
			{"from", "From the bucket of this instant on, RFC 3339; " + back + " before to if absent."}, {"to", "Up to the bucket of this instant; now if absent."},
			{"since", "lastWeek: by hour, as consoles of ElasticJob's cloud ask."},
		},
		Answer: answer, Refusals: []int{422},
	}
}
