// Package jobs is the part of the console about jobs: the list of jobs, the pages of a job with its
// schedule and shards, the plan of a resharding, the actions on a job, and their REST routes.
//
//	jobs.go      routes
//	list.go      the list, with bulk_bar.go (selection and the menu of a row) and hold.go (jobs that are held)
//	page.go      the overview of a job; schedule.go: when it fires
//	shards.go    the shards of a job: matrix, shard_rows.go (table) and shard_search.go
//	reshard.go   the plan of a resharding on the page of shards; rest_reshard.go answers it
//	actions.go   the actions on a job; confirm.go asks before it is stopped or removed
//	rest.go      jobs and shards as the REST interface answers them; rest_trigger.go, rest_search.go
//	activity.go  what operators and instances did
//	explain      why a job runs or does not, now or at a past time
//	bulk         actions on several jobs or shards
package jobs

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobs/bulk"
	"github.com/elasticjob-go/elasticjob/internal/console/jobs/explain"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
)

// service answers the routes of jobs.
type service struct{ *app.Console }

const (
	signedIn = app.SignedIn
	reg      = app.TheRegistry
	hist     = app.TheHistory
)

// Routes are the pages and REST routes of jobs. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	return slices.Concat(service{s}.pageRoutes(), service{s}.restRoutes(), explain.Routes(s), bulk.Routes(s))
}

func (s service) pageRoutes() []app.Route {
	return []app.Route{
		app.Get("/jobs", signedIn, reg|hist, s.jobsPage).Asks(slices.Concat(query.JobsNames, []string{"select"})...),
		app.Get("/jobs/:job", signedIn, reg|hist, s.jobPage).Asks("last"),
		app.Get("/jobs/:job/shards", signedIn, reg|hist, s.shardsPage).Asks("order", "owner", "page", "q", "state", "plan", "shards", "strategy", "without", "with"),
		app.Get("/jobs/:job/activity", signedIn, reg, s.activityPage).Asks(),
		app.Post("/jobs/:job/disable", app.Disable.Needs, reg, s.actionFromPage(app.Disable)),
		app.Post("/jobs/:job/enable", app.Enable.Needs, reg, s.actionFromPage(app.Enable)),
		app.Get("/jobs/:job/shutdown", app.Shutdown.Needs, reg, s.confirmPage(app.Shutdown)).Asks(),
		app.Post("/jobs/:job/shutdown", app.Shutdown.Needs, reg, s.actionFromPage(app.Shutdown)),
		app.Get("/jobs/:job/remove", app.Remove.Needs, reg, s.confirmPage(app.Remove)).Asks(),
		app.Post("/jobs/:job/remove", app.Remove.Needs, reg|hist, s.actionFromPage(app.Remove)).Resumes(),
	}
}

// The parameters of the REST routes.
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
	persistentQuery = [][2]string{{"persistent", "true: also set disabled in the configuration, which outlives restarts of the agents."}}
	reasonQuery     = [][2]string{{"reason", "Why, of at most 200 characters: it stands in the audit."}}
	changeQuery     = [][2]string{
		{"leave", "An instance that goes; may be repeated."}, {"join", "An instance that comes; may be repeated."},
		{"disable", "A server that is disabled; may be repeated."}, {"enable", "A server that is enabled; may be repeated."},
		{"shards", "Another number of shards, at most 100,000."}, {"strategy", "Another strategy."},
		{"from", "The first shard that moves, owners and waits are about; 0 if absent."}, {"limit", "How many shards they are about: 1,000 at most, and if absent."},
	}
)

func (s service) restRoutes() []app.Route {
	return []app.Route{
		app.Get("/api/search", signedIn, reg, s.search).Documented(app.Operation{
			Summary: "Jobs whose names have the letters of q in their order, the best first: the name itself, names that begin with q, that have it at the start of a word, that have it, then those that have its letters.",
			Query:   [][2]string{{"q", "Letters of a name; without them nothing is found."}, {"limit", "Jobs of the answer, 8 if absent."}}, Answer: searchBody{}, Refusals: []int{422},
		}),
		app.Get("/api/jobs", signedIn, reg, s.jobs).PerJob().Documented(app.Operation{
			Summary: "The jobs. The header X-Total-Count has the number that match.",
			Query:   listQuery, Answer: []api.Job{}, Refusals: []int{422},
		}),
		app.Get("/api/jobs/count", signedIn, reg, s.jobsCount).PerJob().Documented(app.Operation{
			Summary: "The number of jobs, never in an envelope.",
			Answer:  0,
		}),
		app.Get("/api/jobs/getAllJobsBriefInfo", signedIn, reg, s.jobs).PerJob().Documented(app.Operation{
			Summary: "The jobs, under the name of ElasticJob 3.x.",
			Query:   listQuery, Answer: []api.Job{}, Refusals: []int{422},
		}),
		app.Get("/api/jobs/:job", signedIn, reg, s.job).Documented(app.Operation{
			Summary: "Everything about one job; of its shards the first 1,000.",
			Answer:  api.JobDetail{}, Refusals: []int{404},
		}),
		app.Get("/api/jobs/:job/sharding", signedIn, reg, s.sharding).Documented(app.Operation{
			Summary: "The shards of a job, at most 1,000 of them. The header X-Total-Count has the number of all.",
			Query:   shardsQuery, Answer: []api.Shard{}, Refusals: []int{404, 422},
		}),
		app.Get("/api/jobs/:job/reshard-plan", signedIn, reg, s.reshardPlan()).Documented(app.Operation{
			Summary: "Which shards would move if what the query says happened. Where the answer has a next, ask again with from=next. One plan at a time is made for an account, another one is 429.", Query: changeQuery,
			Answer: api.Reshard{}, Refusals: []int{404, 422, 429},
		}),
		app.Post("/api/jobs/:job/trigger", app.Trigger.Needs, reg, s.trigger).Documented(app.Operation{
			Summary: "Run the job once, now, on every instance whose server is enabled, or on those that the body names: each runs all of its shards. A body is not needed.",
			Request: api.TriggerRequest{}, Example: `{"instances":["10.2.0.14@-@118"],"reason":"INC-4821"}`,
			Answer: api.Outcome{}, Refusals: []int{400, 404, 409, 413, 422},
		}),
		app.Post("/api/jobs/:job/disable", app.Disable.Needs, reg, s.Act(app.Disable)).
			Documented(app.AnAction("Take every server of the job out of service.").With(persistentQuery)),
		app.Delete("/api/jobs/:job/disable", app.Enable.Needs, reg, s.Act(app.Enable)).
			Documented(app.AnAction("Put every server of the job into service, as ElasticJob 2.x spells it.").With(persistentQuery)),
		app.Post("/api/jobs/:job/enable", app.Enable.Needs, reg, s.Act(app.Enable)).
			Documented(app.AnAction("Put every server of the job into service.").With(persistentQuery)),
		app.Post("/api/jobs/:job/shutdown", app.Shutdown.Needs, reg, s.Act(app.Shutdown)).
			Documented(app.AnAction("End the job in every process; only restarting them brings it back.")),
		app.Put("/api/jobs/:job/shutdown", app.Shutdown.Needs, reg, s.Act(app.Shutdown)).
			Documented(app.AnAction("The same by the verb that manuals of ElasticJob 2.x give.")),
		app.Post("/api/jobs/:job/sharding/:item/disable", app.DisableShard.Needs, reg, s.reasoned(s.Act(app.DisableShard))).
			Documented(app.AnAction("Switch one shard off: nobody runs it.").With(reasonQuery)),
		app.Delete("/api/jobs/:job/sharding/:item/disable", app.EnableShard.Needs, reg, s.reasoned(s.Act(app.EnableShard))).
			Documented(app.AnAction("Switch one shard on, as ElasticJob 2.x spells it.").With(reasonQuery)),
		app.Post("/api/jobs/:job/sharding/:item/enable", app.EnableShard.Needs, reg, s.reasoned(s.Act(app.EnableShard))).
			Documented(app.AnAction("Switch one shard on.").With(reasonQuery)),
		app.Delete("/api/jobs/:job/sharding/:item/running", app.ClearRunning.Needs, reg, s.Act(app.ClearRunning)).
			Documented(app.AnAction("Remove the running marker that a Java agent has left at a shard that it does not run. Make sure of that first: nothing in ZooKeeper tells. Markers of agents written in Go, of other instances and of the last minute stay.").With([][2]string{{"instance", "Confirms it: the instance that the marker names."}})),
		app.Delete("/api/jobs/config/:job", app.Remove.Needs, reg|hist, s.Act(app.Remove)).Documented(app.Operation{
			Summary: "Delete the job with all that is stored about it. Its requested runs that haven't ended are cancelled, and the history stores that.", Query: [][2]string{{"force", "true: even while instances serve it, which end it then."}},
			Refusals: []int{404, 409, 422},
		}),
	}
}
