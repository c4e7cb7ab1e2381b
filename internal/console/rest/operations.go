package rest

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
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
	persistentQuery = [][2]string{{"persistent", "true: also set disabled in the configuration, which outlives restarts of the agents."}}
	reasonQuery     = [][2]string{{"reason", "Why, of at most 200 characters: it stands in the audit."}}
	atQuery         = [][2]string{{"at", "A time that has passed, 2006-01-02T15:04 in UTC or as in RFC 3339."}}
	changeQuery     = [][2]string{
		{"leave", "An instance that goes; may be repeated."}, {"join", "An instance that comes; may be repeated."},
		{"disable", "A server that is disabled; may be repeated."}, {"enable", "A server that is enabled; may be repeated."},
		{"shards", "Another number of shards, at most 100,000."}, {"strategy", "Another strategy."},
		{"from", "The first shard that moves, owners and waits are about; 0 if absent."}, {"limit", "How many shards they are about: 1,000 at most, and if absent."},
	}
)

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
	"POST /api/logout":   {Summary: "End the token."},
	"POST /api/refresh":  {Summary: "Exchange the token for a fresh one; the old one ends. For at most a week from the password on.", Answer: loginResponse{}, Refusals: []int{429}},
	"GET /api/me":        {Summary: "Who the token speaks for.", Answer: api.Me{}},
	"GET /api/version":   {Summary: "The console's version.", Answer: versionBody{}},
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
		Query:   [][2]string{{"area", "Only of this list: jobs or runs."}}, Answer: []api.View{},
	},
	"POST " + viewsRoute: {
		Summary: "Save a selection of the list of jobs or runs under a name of at most 40 characters: for the caller, or shared for everybody. The query is that of the list's address. Everybody has at most 12 of a list, and so has each account.",
		Request: api.ViewRequest{}, Example: aView, Answer: api.View{}, Status: 201, Refusals: []int{400, 409, 413, 422},
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
	"POST /api/jobs/:job/disable":   console.AnAction("Take every server of the job out of service.").With(persistentQuery),
	"DELETE /api/jobs/:job/disable": console.AnAction("Put every server of the job into service, as ElasticJob 2.x spells it.").With(persistentQuery),
	"POST /api/jobs/:job/enable":    console.AnAction("Put every server of the job into service.").With(persistentQuery),
	"POST /api/jobs/:job/shutdown":  console.AnAction("End the job in every process; only restarting them brings it back."),
	"PUT /api/jobs/:job/shutdown":   console.AnAction("The same by the verb that manuals of ElasticJob 2.x give."),

	"POST /api/jobs/:job/sharding/:item/disable":   console.AnAction("Switch one shard off: nobody runs it.").With(reasonQuery),
	"DELETE /api/jobs/:job/sharding/:item/disable": console.AnAction("Switch one shard on, as ElasticJob 2.x spells it.").With(reasonQuery),
	"POST /api/jobs/:job/sharding/:item/enable":    console.AnAction("Switch one shard on.").With(reasonQuery),
	"DELETE /api/jobs/:job/sharding/:item/running": console.AnAction("Remove the running marker that a Java agent has left at a shard that it does not run. Make sure of that first: nothing in ZooKeeper tells. Markers of agents written in Go, of other instances and of the last minute stay.").With([][2]string{{"instance", "Confirms it: the instance that the marker names."}}),

	"DELETE /api/jobs/config/:job": {
		Summary: "Delete the job with all that is stored about it. Its requested runs that haven't ended are cancelled, and the history stores that.", Query: [][2]string{{"force", "true: even while instances serve it, which end it then."}},
		Refusals: []int{404, 409, 422},
	},

	"GET /api/search": {
		Summary: "Jobs whose names have the letters of q in their order, the best first: the name itself, names that begin with q, that have it at the start of a word, that have it, then those that have its letters.",
		Query:   [][2]string{{"q", "Letters of a name; without them nothing is found."}, {"limit", "Jobs of the answer, 8 if absent."}}, Answer: searchBody{}, Refusals: []int{422},
	},
	"GET " + api.DataSourcesPath + "/drivers": {Summary: "The JDBC drivers of the databases that can be entered, as ElasticJob 3.x asks.", Answer: []string{}},
	"POST " + api.ImportPath: {
		Summary: "Enter what is in a Configurations.xml of ElasticJob's console, as text; with preview tell what would be. What is there already stays. An entry that cannot be taken is named, with the reason, and keeps no other out; 422 if none can be.",
		Request: api.ImportRequest{}, Example: anImport, Answer: api.Import{}, Refusals: []int{400, 413, 422},
	},
})
