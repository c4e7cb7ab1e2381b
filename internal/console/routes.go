package console

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/static"
)

const refreshRoute = "/api/refresh"

const staticRoute = static.Prefix + "*file"

// route is one address. Every route says who may call it and what it may touch;
// the guard in front of the handler enforces the one, and opens the other.
type route struct {
	method, path string
	access       access
	touches      touches
	handler      gin.HandlerFunc
}

// touches is what a route may touch beyond the process. A request that is about
// another registry or trace database than those of the command line has it opened
// before its handler begins; while what it touches is away, the answer is 503.
type touches uint8

const (
	// theRegistry: ZooKeeper.
	theRegistry touches = 1 << iota
	// theHistory: the trace database.
	theHistory
	// theSettings: the console's own database, for what the route is about. That it
	// also tells who signed out is no matter of routes.
	theSettings
)

func (t touches) any(of touches) bool { return t&of != 0 }

// routes is the whole console on one page.
//
// A job whose name collides with a fixed word of the API, such as count, is
// reached by escaping a letter of it: /api/jobs/%63ount. [jobPath] does so.
func (s *Console) routes() []route {
	const (
		get  = http.MethodGet
		post = http.MethodPost
		put  = http.MethodPut
		del  = http.MethodDelete
	)
	const (
		none = touches(0)
		reg  = theRegistry
		hist = theHistory
		own  = theSettings
	)
	return []route{
		{get, staticRoute, anyone, none, gin.WrapH(static.Handler())},
		{get, "/healthz", anyone, none, s.healthz},
		{get, "/readyz", anyone, none, s.readyz},
		{get, "/metrics", signedIn, none, gin.WrapH(s.opts.Metrics.Handler(s.log))},

		{get, "/login", anyone, none, s.loginPage},
		{post, "/login", anyone, none, s.login},
		{get, oidcRoute, anyone, none, s.loginOIDC},
		{get, oidcCallback, anyone, none, s.loginOIDCBack},
		{post, "/logout", anyone, none, s.logout},
		{post, "/theme", anyone, none, s.setTheme},

		{get, "/", signedIn, reg | hist, s.overviewPage},
		{get, "/jobs", signedIn, reg | hist, s.jobsPage},
		{get, "/jobs/:job", signedIn, reg | hist, s.jobPage},
		{get, "/jobs/:job/explain", signedIn, reg, s.explainPage},
		{post, "/jobs/:job/trigger", operator, reg, s.orderFromPage(trigger)},
		{post, "/jobs/:job/disable", operator, reg, s.orderFromPage(disable)},
		{post, "/jobs/:job/enable", operator, reg, s.orderFromPage(enable)},
		{get, "/jobs/:job/shutdown", operator, reg, s.confirmPage(shutdown)},
		{post, "/jobs/:job/shutdown", operator, reg, s.orderFromPage(shutdown)},
		{get, "/jobs/:job/remove", operator, reg, s.confirmPage(remove)},
		{post, "/jobs/:job/remove", operator, reg, s.orderFromPage(remove)},
		{get, "/servers", signedIn, reg, s.serversPage},
		{get, "/executions", signedIn, reg | hist, s.executionsPage},
		{get, "/audit", operator, own, s.auditPage},
		{get, registriesRoute, signedIn, own, s.registriesPage},
		{post, registriesRoute, operator, own, s.addRegistryFromPage},
		{get, registriesRoute + "/:name/remove", operator, own, s.removeRegistryPage},
		{post, registriesRoute + "/:name/remove", operator, own, s.removeRegistryFromPage},

		{post, "/api/login", anyone, none, s.apiLogin},
		{post, "/api/logout", signedIn, none, s.apiLogout},
		{post, refreshRoute, signedIn, none, s.apiRefresh},
		{get, "/api/me", signedIn, none, s.apiMe},
		{get, "/api/version", signedIn, none, s.apiVersion},
		{get, "/api/audit", operator, own, s.apiAudit},
		{get, openapiRoute, signedIn, none, s.apiDocument},
		{get, registryRoute, signedIn, own, s.apiRegistries},
		{get, registryRoute + "/load", signedIn, own, s.apiRegistries},
		{get, registryRoute + "/activated", signedIn, own, s.apiActiveRegistry},
		{post, registryRoute, operator, own, s.apiAddRegistry},
		{post, registryRoute + "/add", operator, own, s.apiAddRegistry},
		{post, registryRoute + "/connectTest", operator, own, s.apiTestRegistry},
		{post, registryRoute + "/connect", operator, own, s.apiConnectRegistry},
		{put, registryRoute + "/:name", operator, own, s.apiChangeRegistry},
		{del, registryRoute, operator, own, s.apiRemoveRegistry},
		{del, registryRoute + "/:name", operator, own, s.apiRemoveRegistry},
		{get, sourceRoute, signedIn, own, s.apiSources},
		{get, sourceRoute + "/load", signedIn, own, s.apiSources},
		{get, sourceRoute + "/activated", signedIn, own, s.apiActiveSource},
		{get, sourceRoute + "/drivers", signedIn, none, s.apiDrivers},
		{post, sourceRoute, operator, own, s.apiAddSource},
		{post, sourceRoute + "/add", operator, own, s.apiAddSource},
		{post, sourceRoute + "/connectTest", operator, own, s.apiTestSource},
		{post, sourceRoute + "/connect", operator, own, s.apiConnectSource},
		{put, sourceRoute + "/:name", operator, own, s.apiChangeSource},
		{del, sourceRoute, operator, own, s.apiRemoveSource},
		{del, sourceRoute + "/:name", operator, own, s.apiRemoveSource},
		{post, importRoute, operator, own, s.apiImport},
		{post, "/api/bulk", operator, reg, s.apiBulk},
		{get, "/api/jobs", signedIn, reg, s.apiJobs},
		{get, "/api/jobs/count", signedIn, reg, s.apiJobsCount},
		{get, "/api/jobs/getAllJobsBriefInfo", signedIn, reg, s.apiJobs},
		{get, "/api/jobs/:job", signedIn, reg, s.apiJob},
		{get, "/api/jobs/:job/sharding", signedIn, reg, s.apiSharding},
		{get, "/api/jobs/:job/explain", signedIn, reg, s.apiExplain},
		{get, "/api/jobs/:job/reshard-plan", signedIn, reg, s.apiReshardPlan},
		{post, "/api/jobs/:job/trigger", operator, reg, s.orderFromAPI(trigger)},
		{post, "/api/jobs/:job/disable", operator, reg, s.orderFromAPI(disable)},
		{del, "/api/jobs/:job/disable", operator, reg, s.orderFromAPI(enable)},
		{post, "/api/jobs/:job/enable", operator, reg, s.orderFromAPI(enable)},
		{post, "/api/jobs/:job/shutdown", operator, reg, s.orderFromAPI(shutdown)},
		{put, "/api/jobs/:job/shutdown", operator, reg, s.orderFromAPI(shutdown)},
		{post, "/api/jobs/:job/sharding/:item/disable", operator, reg, s.orderFromAPI(disableItem)},
		{del, "/api/jobs/:job/sharding/:item/disable", operator, reg, s.orderFromAPI(enableItem)},
		{post, "/api/jobs/:job/sharding/:item/enable", operator, reg, s.orderFromAPI(enableItem)},
		{del, "/api/jobs/:job/sharding/:item/running", operator, reg, s.orderFromAPI(clearRunning)},
		{put, configRoute, operator, reg, s.apiPutConfig},
		{get, configRoute + "/:job", signedIn, reg, s.apiConfig},
		{del, configRoute + "/:job", operator, reg, s.orderFromAPI(remove)},
		{get, "/api/servers", signedIn, reg, s.apiServers},
		{get, "/api/servers/count", signedIn, reg, s.apiServersCount},
		{get, "/api/servers/getAllServersBriefInfo", signedIn, reg, s.apiServers},
		{post, "/api/servers/:ip/disable", operator, reg, s.orderFromAPI(disableServer)},
		{del, "/api/servers/:ip/disable", operator, reg, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/enable", operator, reg, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/shutdown", operator, reg, s.orderFromAPI(shutdownServer)},
		{del, "/api/servers/:ip", operator, reg, s.orderFromAPI(removeServer)},
		{get, "/api/servers/:ip/jobs", signedIn, reg, s.apiServerJobs},
		{post, "/api/servers/:ip/jobs/:job/trigger", operator, reg, s.orderFromAPI(triggerServer)},
		{post, "/api/servers/:ip/jobs/:job/disable", operator, reg, s.orderFromAPI(disableServer)},
		{del, "/api/servers/:ip/jobs/:job/disable", operator, reg, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/jobs/:job/enable", operator, reg, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/jobs/:job/shutdown", operator, reg, s.orderFromAPI(shutdownServer)},
		{del, "/api/servers/:ip/jobs/:job", operator, reg, s.orderFromAPI(removeServer)},
		{post, "/api/servers/:ip/:port/jobs/:job/dump", operator, reg, s.apiDump},
		{get, "/api/job/statistics/tasks/results", signedIn, hist, s.apiStatistics},
		{get, "/api/job/statistics/tasks/results/:period", signedIn, hist, s.apiResults},
		{get, "/api/event-trace/execution", signedIn, hist, s.apiExecutions},
		{post, "/api/event-trace/execution", signedIn, hist, s.apiExecutionEvents},
		{get, "/api/event-trace/execution/jobNames", signedIn, hist, s.apiSuggest(rdb.SuggestJobs)},
		{get, "/api/event-trace/execution/jobNames/:prefix", signedIn, hist, s.apiSuggest(rdb.SuggestJobs)},
		{get, "/api/event-trace/execution/ip", signedIn, hist, s.apiSuggest(rdb.SuggestIPs)},
		{get, "/api/event-trace/execution/ip/:prefix", signedIn, hist, s.apiSuggest(rdb.SuggestIPs)},
		{get, "/api/event-trace/status/jobNames", signedIn, hist, s.apiSuggest(rdb.SuggestStatusJobs)},
		{get, "/api/event-trace/status/jobNames/:prefix", signedIn, hist, s.apiSuggest(rdb.SuggestStatusJobs)},
		{get, "/api/event-trace/status", signedIn, hist, s.apiStatuses},
		{post, "/api/event-trace/status", signedIn, hist, s.apiStatusEvents},
	}
}

// jobName returns the job a request is about. A name that cannot be a job's is
// answered like one that does not exist, before anything is read.
func jobName(c *gin.Context) (string, error) {
	name, err := url.PathUnescape(c.Param("job"))
	if err != nil {
		return "", malformed("The job's name in the address is not escaped correctly.", "Write % as %25.")
	}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return "", noSuchJob(name)
	}
	return name, nil
}

// serverIP returns the server a request is about.
func serverIP(c *gin.Context) (string, error) {
	ip, err := url.PathUnescape(c.Param("ip"))
	if err != nil {
		return "", malformed("The server's address is not escaped correctly.", "Write % as %25.")
	}
	if err := jobtree.ValidateNodeName(ip); err != nil { // the same rules: both are names of nodes
		return "", noSuchServer(ip)
	}
	return ip, nil
}

// jobPath is the address of a job below a prefix such as /jobs or /api/jobs.
func jobPath(prefix, name string, more ...string) string {
	escaped := url.PathEscape(name)
	switch name {
	case "count", "config", "getAllJobsBriefInfo":
		escaped = "%" + hexByte(name[0]) + name[1:]
	}
	// A plus is legal in a path, but too many programs read it as a space.
	escaped = strings.ReplaceAll(escaped, "+", "%2B")
	p := prefix + "/" + escaped
	for _, m := range more {
		p += "/" + m
	}
	return p
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}
