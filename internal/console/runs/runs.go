// Package runs is the part of the console about the runs in the trace database, their executions and the steps of their
// tasks. Requested runs have a part of their own as well.
//
//	runs.go        routes
//	rest.go        the answers of the REST interface; rest3x.go is for clients of ElasticJob 3.x
//	read.go        runs read from the history; shared.go lets requests share an answer
//	export.go      the runs of a filter as a file
//	explorer.go    the page of runs, executions and steps; charts.go: the facets and charts of a filter
//	page.go        the page of a run, with the log of a shard
package runs

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

type runs struct {
	*app.Console
	summaries  shared[rdb.Summary]
	histograms shared[[]rdb.Bucket]
}

const (
	signedIn = app.SignedIn
	hist     = app.TheHistory
	both     = app.TheRegistry | app.TheHistory
)

// Routes are the REST routes and the pages of runs. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	r := &runs{Console: s}
	return slices.Concat(r.runRoutes(), r.traceRoutes(), []app.Route{
		app.Get("/jobs/:job/runs/:run", signedIn, both, r.runPage).Asks("shard", "lanes", "attempt", "lines"),
		app.Get("/runs", signedIn, both, r.runsPage).Asks(slices.Concat(query.RunsNames, query.RunsPageNames)...),
		app.Get("/runs/export", signedIn, both, r.export),
		app.Get("/executions", signedIn, both, r.executionsPage).Asks(query.ExecutionsNames...),
	})
}

// The parameters of lists.
var (
	runsQuery = [][2]string{
		{"state", "Only runs in this state."}, {"trigger", "Only runs started so. Runs of Java engines tell of misfire and failover alone."},
		{"ip", "Only runs with an execution on this address."}, {"failure", "Only runs with an execution that failed with this, in capitals or not."},
		{"took", "Only runs with an execution that took at least so long: seconds, or 1500ms, 90s, 5m, 2h."},
		{"from", "What had not ended before this instant, RFC 3339."}, {"to", "What had begun by this instant."}, {"started", "in: from and to are about the start."},
		{"limit", "Rows of the answer."}, {"cursor", "The nextCursor of the answer before."},
	}
	jobQuery     = [][2]string{{"job", "Only this job."}, {"match", "prefix: job is how the name begins."}}
	formatQuery  = [][2]string{{"format", "csv or json; json if absent."}}
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
)

func (s *runs) runRoutes() []app.Route {
	return []app.Route{
		app.Get("/api/runs", signedIn, hist, s.getRuns).Documented(app.Operation{
			Summary: "Runs, those that began last first: all executions of one fire, trigger or request of a job. States: running while a shard runs, else failed, lost or cancelled if a shard's last attempt is, in this order, else success. An attempt counts as a success also if its handler skipped or put off the shard, and a requested run that succeeded counts as a success even if its first attempts failed; requested-runs shows whether a requested run goes on. Executions that do not name their run, as those of Java engines, are grouped by job and the second in which they began; grouped says so. from and to select what went on between them; with started=in what began between them. An answer with few rows or none and a nextCursor is not the end.",
			Query:   slices.Concat(runsQuery, jobQuery), Answer: api.Runs{}, Refusals: []int{422},
		}),
		app.Get("/api/runs/export", signedIn, hist, s.export).Documented(app.Operation{
			Summary: "The runs of a filter as a file, at most 10,000, the newest; complete says whether that is all. With format=csv for spreadsheets: cells that one would run begin with an apostrophe, and the header X-Complete says what complete does.",
			Query:   slices.Concat(runsQuery, jobQuery, formatQuery), Answer: api.RunsExport{}, Refusals: []int{422},
		}),
		app.Get("/api/jobs/:job/runs", signedIn, hist, s.getRuns).Documented(app.Operation{
			Summary: "Runs of one job, as GET /api/runs.", Query: runsQuery, Answer: api.Runs{}, Refusals: []int{422},
		}),
		app.Get("/api/jobs/:job/runs/:run", signedIn, hist, s.getRun).Documented(app.Operation{
			Summary: "One run with its executions, at most 5,000, and the steps of its tasks.", Answer: api.RunDetail{}, Refusals: []int{404},
		}),
		app.Get("/api/jobs/:job/runs/:run/log", signedIn, hist, s.getLog).Documented(app.Operation{
			Summary: "Lines that the handler of a shard logged in an attempt of any run that the history has, the first first, as GET /api/jobs/{job}/requested-runs/{request}/log answers for requested runs. Agents that are written in Java store no lines.",
			Query:   app.LogQuery, Answer: api.RunLog{}, Refusals: []int{404, 422},
		}),
		app.Get("/api/job/statistics/tasks/results", signedIn, hist, s.getStatistics).Documented(app.Operation{
			Summary: "How many executions ended, by minute, hour or day of UTC, as rows of upstream's scheduler. A bucket that wasn't counted has no row.",
			Query: [][2]string{
				{"interval", "minute (all jobs together only), hour or day; hour if absent."}, {"job", "Only this job, else all together."},
				{"from", "From the bucket of this instant on, RFC 3339; 24 hours before to if absent."}, {"to", "Up to the bucket of this instant; now if absent."},
				{"since", "last24hours: by minute, as consoles of ElasticJob's cloud ask."},
			},
			Answer: []api.Result{}, Refusals: []int{422},
		}),
		app.Get("/api/job/statistics/tasks/results/:period", signedIn, hist, s.getResults).Documented(app.Operation{
			Summary: "How many executions ended in a period: lastMinute, lastHour, lastWeek (with today) or online (ever).",
			Answer:  api.Results{}, Refusals: []int{422},
		}),
	}
}

func (s *runs) traceRoutes() []app.Route {
	const executions, statuses = "/api/event-trace/execution", "/api/event-trace/status"
	const example = `{"jobName":"invoices","pageSize":10,"pageNumber":1}`
	list := []app.Route{
		app.Get(executions, signedIn, hist, s.getExecutions).Documented(app.Operation{
			Summary: "Executions, newest first unless sorted otherwise. States: running, success, failed, cancelled (its requested run was, which is not a failure), and lost: no end was recorded, and its instance was lost or the shard has begun again since. The total counts to 10,000; totalExact says whether that is all. A filter that no index answers is looked for in so many rows at a time: an answer with few rows or none and a nextCursor is not the end.",
			Query:   slices.Concat(executionQuery, historyQuery), Answer: api.Page[api.Execution]{}, Refusals: []int{422},
		}),
		app.Post(executions, signedIn, hist, s.postExecutions).Documented(app.Operation{
			Summary: "Executions as ElasticJob 3.x asks for them: by page number, times in milliseconds. The total counts to 10,000.",
			Request: api.HistoryRequest{}, Example: example, Answer: api.Total[api.ExecutionEvent]{}, Refusals: []int{400, 413, 422},
		}),
		app.Get(statuses, signedIn, hist, s.getStatuses).Documented(app.Operation{
			Summary: "The steps of tasks, newest first.", Query: historyQuery, Answer: api.Page[api.Status]{}, Refusals: []int{422},
		}),
		app.Post(statuses, signedIn, hist, s.postStatuses).Documented(app.Operation{
			Summary: "The steps of tasks as ElasticJob 3.x asks for them.",
			Request: api.HistoryRequest{}, Example: example, Answer: api.Total[api.StatusEvent]{}, Refusals: []int{400, 413, 422},
		}),
	}
	for _, r := range []struct {
		path       string
		of         rdb.Suggestion
		all, begin string
	}{
		{executions + "/jobNames", rdb.SuggestJobs, "The first 20 names of jobs that ran.", "The first 20 names that begin so; % and _ are characters like others."},
		{executions + "/ip", rdb.SuggestIPs, "The first 20 addresses where something ran.", "The first 20 addresses that begin so."},
		{statuses + "/jobNames", rdb.SuggestStatusJobs, "The first 20 names of jobs in the status trail.", "The first 20 names there that begin so."},
	} {
		list = append(list,
			app.Get(r.path, signedIn, hist, s.suggest(r.of)).Documented(app.Operation{Summary: r.all, Answer: []string{}}),
			app.Get(r.path+"/:prefix", signedIn, hist, s.suggest(r.of)).Documented(app.Operation{Summary: r.begin, Answer: []string{}}))
	}
	return list
}
