package console

import "github.com/elasticjob-go/elasticjob/tracing/rdb"

// restRoutes are the REST interface, all on one page.
//
// A job whose name collides with a fixed word of the API, such as count, is
// reached by escaping a letter of it: /api/jobs/%63ount. [jobPath] does so.
func (s *Console) restRoutes() []route {
	get, post, put, del := getRoute, postRoute, putRoute, deleteRoute
	const (
		anyone   = anyone
		signedIn = signedIn
		operator = operator
	)
	const (
		none = touches(0)
		reg  = theRegistry
		hist = theHistory
		own  = theSettings
	)
	return []route{
		post("/api/login", anyone, none, s.apiLogin),
		post("/api/logout", signedIn, none, s.apiLogout),
		post(refreshRoute, signedIn, none, s.apiRefresh),
		get("/api/me", signedIn, none, s.apiMe),
		get("/api/version", signedIn, none, s.apiVersion),
		get("/api/audit", operator, own, s.apiAudit),
		get(openapiRoute, signedIn, none, s.apiDocument),
		get(registryRoute, signedIn, own, s.apiRegistries),
		get(registryRoute+"/load", signedIn, own, s.apiRegistries),
		get(registryRoute+"/activated", signedIn, own, s.apiActiveRegistry),
		post(registryRoute, operator, own, s.apiAddRegistry),
		post(registryRoute+"/add", operator, own, s.apiAddRegistry),
		post(registryRoute+"/connectTest", operator, own, s.apiTestRegistry),
		post(registryRoute+"/connect", operator, own, s.apiConnectRegistry),
		put(registryRoute+"/:name", operator, own, s.apiChangeRegistry),
		del(registryRoute, operator, own, s.apiRemoveRegistry),
		del(registryRoute+"/:name", operator, own, s.apiRemoveRegistry),
		get(sourceRoute, signedIn, own, s.apiSources),
		get(sourceRoute+"/load", signedIn, own, s.apiSources),
		get(sourceRoute+"/activated", signedIn, own, s.apiActiveSource),
		get(sourceRoute+"/drivers", signedIn, none, s.apiDrivers),
		post(sourceRoute, operator, own, s.apiAddSource),
		post(sourceRoute+"/add", operator, own, s.apiAddSource),
		post(sourceRoute+"/connectTest", operator, own, s.apiTestSource),
		post(sourceRoute+"/connect", operator, own, s.apiConnectSource),
		put(sourceRoute+"/:name", operator, own, s.apiChangeSource),
		del(sourceRoute, operator, own, s.apiRemoveSource),
		del(sourceRoute+"/:name", operator, own, s.apiRemoveSource),
		post(importRoute, operator, own, s.apiImport),
		post("/api/bulk", operator, reg, s.apiBulk),
		get("/api/jobs", signedIn, reg, s.apiJobs),
		get("/api/jobs/count", signedIn, reg, s.apiJobsCount),
		get("/api/jobs/getAllJobsBriefInfo", signedIn, reg, s.apiJobs),
		get("/api/jobs/:job", signedIn, reg, s.apiJob),
		get("/api/jobs/:job/sharding", signedIn, reg, s.apiSharding),
		get("/api/jobs/:job/explain", signedIn, reg, s.apiExplain),
		get("/api/jobs/:job/reshard-plan", signedIn, reg, s.apiReshardPlan()),
		post("/api/jobs/:job/trigger", operator, reg, s.orderFromAPI(trigger)),
		post("/api/jobs/:job/disable", operator, reg, s.orderFromAPI(disable)),
		del("/api/jobs/:job/disable", operator, reg, s.orderFromAPI(enable)),
		post("/api/jobs/:job/enable", operator, reg, s.orderFromAPI(enable)),
		post("/api/jobs/:job/shutdown", operator, reg, s.orderFromAPI(shutdown)),
		put("/api/jobs/:job/shutdown", operator, reg, s.orderFromAPI(shutdown)),
		post("/api/jobs/:job/sharding/:item/disable", operator, reg, s.orderFromAPI(disableItem)),
		del("/api/jobs/:job/sharding/:item/disable", operator, reg, s.orderFromAPI(enableItem)),
		post("/api/jobs/:job/sharding/:item/enable", operator, reg, s.orderFromAPI(enableItem)),
		del("/api/jobs/:job/sharding/:item/running", operator, reg, s.orderFromAPI(clearRunning)),
		put(configRoute, operator, reg, s.apiPutConfig).withBody(maxConfigBody),
		get(configRoute+"/:job", signedIn, reg, s.apiConfig),
		del(configRoute+"/:job", operator, reg, s.orderFromAPI(remove)),
		get("/api/servers", signedIn, reg, s.apiServers),
		get("/api/servers/count", signedIn, reg, s.apiServersCount),
		get("/api/servers/getAllServersBriefInfo", signedIn, reg, s.apiServers),
		post("/api/servers/:ip/disable", operator, reg, s.orderFromAPI(disableServer)),
		del("/api/servers/:ip/disable", operator, reg, s.orderFromAPI(enableServer)),
		post("/api/servers/:ip/enable", operator, reg, s.orderFromAPI(enableServer)),
		post("/api/servers/:ip/shutdown", operator, reg, s.orderFromAPI(shutdownServer)),
		del("/api/servers/:ip", operator, reg, s.orderFromAPI(removeServer)),
		get("/api/servers/:ip/jobs", signedIn, reg, s.apiServerJobs),
		post("/api/servers/:ip/jobs/:job/trigger", operator, reg, s.orderFromAPI(triggerServer)),
		post("/api/servers/:ip/jobs/:job/disable", operator, reg, s.orderFromAPI(disableServer)),
		del("/api/servers/:ip/jobs/:job/disable", operator, reg, s.orderFromAPI(enableServer)),
		post("/api/servers/:ip/jobs/:job/enable", operator, reg, s.orderFromAPI(enableServer)),
		post("/api/servers/:ip/jobs/:job/shutdown", operator, reg, s.orderFromAPI(shutdownServer)),
		del("/api/servers/:ip/jobs/:job", operator, reg, s.orderFromAPI(removeServer)),
		post("/api/servers/:ip/:port/jobs/:job/dump", operator, reg, s.apiDump),
		get("/api/job/statistics/tasks/results", signedIn, hist, s.apiStatistics),
		get("/api/job/statistics/tasks/results/:period", signedIn, hist, s.apiResults),
		get("/api/event-trace/execution", signedIn, hist, s.apiExecutions),
		post("/api/event-trace/execution", signedIn, hist, s.apiExecutionEvents),
		get("/api/event-trace/execution/jobNames", signedIn, hist, s.apiSuggest(rdb.SuggestJobs)),
		get("/api/event-trace/execution/jobNames/:prefix", signedIn, hist, s.apiSuggest(rdb.SuggestJobs)),
		get("/api/event-trace/execution/ip", signedIn, hist, s.apiSuggest(rdb.SuggestIPs)),
		get("/api/event-trace/execution/ip/:prefix", signedIn, hist, s.apiSuggest(rdb.SuggestIPs)),
		get("/api/event-trace/status/jobNames", signedIn, hist, s.apiSuggest(rdb.SuggestStatusJobs)),
		get("/api/event-trace/status/jobNames/:prefix", signedIn, hist, s.apiSuggest(rdb.SuggestStatusJobs)),
		get("/api/event-trace/status", signedIn, hist, s.apiStatuses),
		post("/api/event-trace/status", signedIn, hist, s.apiStatusEvents),
	}
}
