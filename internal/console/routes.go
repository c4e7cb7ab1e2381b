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

// route is one address. Every route says who may call it; the guard in front of
// the handler enforces it.
type route struct {
	method, path string
	access       access
	handler      gin.HandlerFunc
}

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
	return []route{
		{get, staticRoute, anyone, gin.WrapH(static.Handler())},
		{get, "/healthz", anyone, s.healthz},
		{get, "/readyz", anyone, s.readyz},
		{get, "/metrics", signedIn, gin.WrapH(s.opts.Metrics.Handler(s.log))},

		{get, "/login", anyone, s.loginPage},
		{post, "/login", anyone, s.login},
		{get, oidcRoute, anyone, s.loginOIDC},
		{get, oidcCallback, anyone, s.loginOIDCBack},
		{post, "/logout", anyone, s.logout},
		{post, "/theme", anyone, s.setTheme},

		{get, "/", signedIn, s.overviewPage},
		{get, "/jobs", signedIn, s.jobsPage},
		{get, "/jobs/:job", signedIn, s.jobPage},
		{get, "/jobs/:job/explain", signedIn, s.explainPage},
		{post, "/jobs/:job/trigger", operator, s.orderFromPage(trigger)},
		{post, "/jobs/:job/disable", operator, s.orderFromPage(disable)},
		{post, "/jobs/:job/enable", operator, s.orderFromPage(enable)},
		{get, "/jobs/:job/shutdown", operator, s.confirmPage(shutdown)},
		{post, "/jobs/:job/shutdown", operator, s.orderFromPage(shutdown)},
		{get, "/jobs/:job/remove", operator, s.confirmPage(remove)},
		{post, "/jobs/:job/remove", operator, s.orderFromPage(remove)},
		{get, "/servers", signedIn, s.serversPage},
		{get, "/executions", signedIn, s.executionsPage},
		{get, "/audit", operator, s.auditPage},
		{get, registriesRoute, signedIn, s.registriesPage},
		{post, registriesRoute, operator, s.addRegistryFromPage},
		{get, registriesRoute + "/:name/remove", operator, s.removeRegistryPage},
		{post, registriesRoute + "/:name/remove", operator, s.removeRegistryFromPage},

		{post, "/api/login", anyone, s.apiLogin},
		{post, "/api/logout", signedIn, s.apiLogout},
		{post, refreshRoute, signedIn, s.apiRefresh},
		{get, "/api/me", signedIn, s.apiMe},
		{get, "/api/version", signedIn, s.apiVersion},
		{get, "/api/audit", operator, s.apiAudit},
		{get, openapiRoute, signedIn, s.apiDocument},
		{get, registryRoute, signedIn, s.apiRegistries},
		{get, registryRoute + "/load", signedIn, s.apiRegistries},
		{get, registryRoute + "/activated", signedIn, s.apiActiveRegistry},
		{post, registryRoute, operator, s.apiAddRegistry},
		{post, registryRoute + "/add", operator, s.apiAddRegistry},
		{post, registryRoute + "/connectTest", operator, s.apiTestRegistry},
		{post, registryRoute + "/connect", operator, s.apiConnectRegistry},
		{put, registryRoute + "/:name", operator, s.apiChangeRegistry},
		{del, registryRoute, operator, s.apiRemoveRegistry},
		{del, registryRoute + "/:name", operator, s.apiRemoveRegistry},
		{get, sourceRoute, signedIn, s.apiSources},
		{get, sourceRoute + "/load", signedIn, s.apiSources},
		{get, sourceRoute + "/activated", signedIn, s.apiActiveSource},
		{get, sourceRoute + "/drivers", signedIn, s.apiDrivers},
		{post, sourceRoute, operator, s.apiAddSource},
		{post, sourceRoute + "/add", operator, s.apiAddSource},
		{post, sourceRoute + "/connectTest", operator, s.apiTestSource},
		{post, sourceRoute + "/connect", operator, s.apiConnectSource},
		{put, sourceRoute + "/:name", operator, s.apiChangeSource},
		{del, sourceRoute, operator, s.apiRemoveSource},
		{del, sourceRoute + "/:name", operator, s.apiRemoveSource},
		{post, importRoute, operator, s.apiImport},
		{post, "/api/bulk", operator, s.apiBulk},
		{get, "/api/jobs", signedIn, s.apiJobs},
		{get, "/api/jobs/count", signedIn, s.apiJobsCount},
		{get, "/api/jobs/getAllJobsBriefInfo", signedIn, s.apiJobs},
		{get, "/api/jobs/:job", signedIn, s.apiJob},
		{get, "/api/jobs/:job/sharding", signedIn, s.apiSharding},
		{get, "/api/jobs/:job/explain", signedIn, s.apiExplain},
		{get, "/api/jobs/:job/reshard-plan", signedIn, s.apiReshardPlan},
		{post, "/api/jobs/:job/trigger", operator, s.orderFromAPI(trigger)},
		{post, "/api/jobs/:job/disable", operator, s.orderFromAPI(disable)},
		{del, "/api/jobs/:job/disable", operator, s.orderFromAPI(enable)},
		{post, "/api/jobs/:job/enable", operator, s.orderFromAPI(enable)},
		{post, "/api/jobs/:job/shutdown", operator, s.orderFromAPI(shutdown)},
		{put, "/api/jobs/:job/shutdown", operator, s.orderFromAPI(shutdown)},
		{post, "/api/jobs/:job/sharding/:item/disable", operator, s.orderFromAPI(disableItem)},
		{del, "/api/jobs/:job/sharding/:item/disable", operator, s.orderFromAPI(enableItem)},
		{post, "/api/jobs/:job/sharding/:item/enable", operator, s.orderFromAPI(enableItem)},
		{del, "/api/jobs/:job/sharding/:item/running", operator, s.orderFromAPI(clearRunning)},
		{put, configRoute, operator, s.apiPutConfig},
		{get, configRoute + "/:job", signedIn, s.apiConfig},
		{del, configRoute + "/:job", operator, s.orderFromAPI(remove)},
		{get, "/api/servers", signedIn, s.apiServers},
		{get, "/api/servers/count", signedIn, s.apiServersCount},
		{get, "/api/servers/getAllServersBriefInfo", signedIn, s.apiServers},
		{post, "/api/servers/:ip/disable", operator, s.orderFromAPI(disableServer)},
		{del, "/api/servers/:ip/disable", operator, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/enable", operator, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/shutdown", operator, s.orderFromAPI(shutdownServer)},
		{del, "/api/servers/:ip", operator, s.orderFromAPI(removeServer)},
		{get, "/api/servers/:ip/jobs", signedIn, s.apiServerJobs},
		{post, "/api/servers/:ip/jobs/:job/trigger", operator, s.orderFromAPI(triggerServer)},
		{post, "/api/servers/:ip/jobs/:job/disable", operator, s.orderFromAPI(disableServer)},
		{del, "/api/servers/:ip/jobs/:job/disable", operator, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/jobs/:job/enable", operator, s.orderFromAPI(enableServer)},
		{post, "/api/servers/:ip/jobs/:job/shutdown", operator, s.orderFromAPI(shutdownServer)},
		{del, "/api/servers/:ip/jobs/:job", operator, s.orderFromAPI(removeServer)},
		{post, "/api/servers/:ip/:port/jobs/:job/dump", operator, s.apiDump},
		{get, "/api/job/statistics/tasks/results", signedIn, s.apiStatistics},
		{get, "/api/job/statistics/tasks/results/:period", signedIn, s.apiResults},
		{get, "/api/event-trace/execution", signedIn, s.apiExecutions},
		{post, "/api/event-trace/execution", signedIn, s.apiExecutionEvents},
		{get, "/api/event-trace/execution/jobNames", signedIn, s.apiSuggest(rdb.SuggestJobs)},
		{get, "/api/event-trace/execution/jobNames/:prefix", signedIn, s.apiSuggest(rdb.SuggestJobs)},
		{get, "/api/event-trace/execution/ip", signedIn, s.apiSuggest(rdb.SuggestIPs)},
		{get, "/api/event-trace/execution/ip/:prefix", signedIn, s.apiSuggest(rdb.SuggestIPs)},
		{get, "/api/event-trace/status/jobNames", signedIn, s.apiSuggest(rdb.SuggestStatusJobs)},
		{get, "/api/event-trace/status/jobNames/:prefix", signedIn, s.apiSuggest(rdb.SuggestStatusJobs)},
		{get, "/api/event-trace/status", signedIn, s.apiStatuses},
		{post, "/api/event-trace/status", signedIn, s.apiStatusEvents},
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
