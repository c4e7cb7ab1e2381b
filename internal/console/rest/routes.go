package rest

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// routes are the REST interface, all on one page.
//
// A job whose name collides with a fixed word of the API, such as count, is
// reached by escaping a letter of it: /api/jobs/%63ount. [console.JobPath] does so.
func (s *API) routes() []console.Route {
	get, post, put, del := console.Get, console.Post, console.Put, console.Delete
	const (
		anyone   = console.Anyone
		signedIn = console.SignedIn
		operator = console.RootOnly
	)
	const (
		none = console.Touches(0)
		reg  = console.TheRegistry
		hist = console.TheHistory
		own  = console.TheSettings
	)
	return []console.Route{
		post("/api/login", anyone, none, s.login),
		post("/api/logout", signedIn, none, s.logout),
		post(console.RefreshRoute, signedIn, none, s.refresh),
		get("/api/me", signedIn, none, s.me),
		get("/api/version", signedIn, none, s.version),
		get("/api/audit", operator, own, s.audit),
		get(openapiRoute, signedIn, none, s.document),

		get(registryRoute, signedIn, own, s.registries),
		get(registryRoute+"/load", signedIn, own, s.registries),
		get(registryRoute+"/activated", signedIn, own, s.activeRegistry),
		post(registryRoute, operator, own, s.addRegistry),
		post(registryRoute+"/add", operator, own, s.addRegistry),
		post(registryRoute+"/connectTest", operator, own, s.testRegistry),
		post(registryRoute+"/connect", operator, own, s.connectRegistry),
		put(registryRoute+"/:name", operator, own, s.changeRegistry),
		del(registryRoute, operator, own, s.removeRegistry),
		del(registryRoute+"/:name", operator, own, s.removeRegistry),

		get(sourceRoute, signedIn, own, s.sources),
		get(sourceRoute+"/load", signedIn, own, s.sources),
		get(sourceRoute+"/activated", signedIn, own, s.activeSource),
		get(sourceRoute+"/drivers", signedIn, none, s.drivers),
		post(sourceRoute, operator, own, s.addSource),
		post(sourceRoute+"/add", operator, own, s.addSource),
		post(sourceRoute+"/connectTest", operator, own, s.testSource),
		post(sourceRoute+"/connect", operator, own, s.connectSource),
		put(sourceRoute+"/:name", operator, own, s.changeSource),
		del(sourceRoute, operator, own, s.removeSource),
		del(sourceRoute+"/:name", operator, own, s.removeSource),
		post(importRoute, operator, own, s.importSettings),

		post("/api/bulk", operator, reg, s.bulk),
		get("/api/jobs", signedIn, reg, s.jobs),
		get("/api/jobs/count", signedIn, reg, s.jobsCount),
		get("/api/jobs/getAllJobsBriefInfo", signedIn, reg, s.jobs),
		get("/api/jobs/:job", signedIn, reg, s.job),
		get("/api/jobs/:job/sharding", signedIn, reg, s.sharding),
		get("/api/jobs/:job/explain", signedIn, reg, s.explain),
		get("/api/jobs/:job/reshard-plan", signedIn, reg, s.reshardPlan()),
		post("/api/jobs/:job/trigger", operator, reg, s.actionFromAPI(console.Trigger)),
		post("/api/jobs/:job/disable", operator, reg, s.actionFromAPI(console.Disable)),
		del("/api/jobs/:job/disable", operator, reg, s.actionFromAPI(console.Enable)),
		post("/api/jobs/:job/enable", operator, reg, s.actionFromAPI(console.Enable)),
		post("/api/jobs/:job/shutdown", operator, reg, s.actionFromAPI(console.Shutdown)),
		put("/api/jobs/:job/shutdown", operator, reg, s.actionFromAPI(console.Shutdown)),
		post("/api/jobs/:job/sharding/:item/disable", operator, reg, s.actionFromAPI(console.DisableItem)),
		del("/api/jobs/:job/sharding/:item/disable", operator, reg, s.actionFromAPI(console.EnableItem)),
		post("/api/jobs/:job/sharding/:item/enable", operator, reg, s.actionFromAPI(console.EnableItem)),
		del("/api/jobs/:job/sharding/:item/running", operator, reg, s.actionFromAPI(console.ClearRunning)),
		put(configRoute, operator, reg, s.putConfig).WithBody(maxConfigBody),
		get(configRoute+"/:job", signedIn, reg, s.config),
		del(configRoute+"/:job", operator, reg, s.actionFromAPI(console.Remove)),

		get("/api/servers", signedIn, reg, s.servers),
		get("/api/servers/count", signedIn, reg, s.serversCount),
		get("/api/servers/getAllServersBriefInfo", signedIn, reg, s.servers),
		post("/api/servers/:ip/disable", operator, reg, s.actionFromAPI(console.DisableServer)),
		del("/api/servers/:ip/disable", operator, reg, s.actionFromAPI(console.EnableServer)),
		post("/api/servers/:ip/enable", operator, reg, s.actionFromAPI(console.EnableServer)),
		post("/api/servers/:ip/shutdown", operator, reg, s.actionFromAPI(console.ShutdownServer)),
		del("/api/servers/:ip", operator, reg, s.actionFromAPI(console.RemoveServer)),
		get("/api/servers/:ip/jobs", signedIn, reg, s.serverJobs),
		post("/api/servers/:ip/jobs/:job/trigger", operator, reg, s.actionFromAPI(console.TriggerServer)),
		post("/api/servers/:ip/jobs/:job/disable", operator, reg, s.actionFromAPI(console.DisableServer)),
		del("/api/servers/:ip/jobs/:job/disable", operator, reg, s.actionFromAPI(console.EnableServer)),
		post("/api/servers/:ip/jobs/:job/enable", operator, reg, s.actionFromAPI(console.EnableServer)),
		post("/api/servers/:ip/jobs/:job/shutdown", operator, reg, s.actionFromAPI(console.ShutdownServer)),
		del("/api/servers/:ip/jobs/:job", operator, reg, s.actionFromAPI(console.RemoveServer)),
		post("/api/servers/:ip/:port/jobs/:job/dump", operator, reg, s.dump),

		get("/api/job/statistics/tasks/results", signedIn, hist, s.statistics),
		get("/api/job/statistics/tasks/results/:period", signedIn, hist, s.results),
		get("/api/event-trace/execution", signedIn, hist, s.executions),
		post("/api/event-trace/execution", signedIn, hist, s.executionEvents),
		get("/api/event-trace/execution/jobNames", signedIn, hist, s.suggest(rdb.SuggestJobs)),
		get("/api/event-trace/execution/jobNames/:prefix", signedIn, hist, s.suggest(rdb.SuggestJobs)),
		get("/api/event-trace/execution/ip", signedIn, hist, s.suggest(rdb.SuggestIPs)),
		get("/api/event-trace/execution/ip/:prefix", signedIn, hist, s.suggest(rdb.SuggestIPs)),
		get("/api/event-trace/status/jobNames", signedIn, hist, s.suggest(rdb.SuggestStatusJobs)),
		get("/api/event-trace/status/jobNames/:prefix", signedIn, hist, s.suggest(rdb.SuggestStatusJobs)),
		get("/api/event-trace/status", signedIn, hist, s.statuses),
		post("/api/event-trace/status", signedIn, hist, s.statusEvents),
	}
}
