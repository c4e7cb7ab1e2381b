package rest

import (
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// operation documents one route of the REST interface.
type operation = app.Operation

// The examples of what is entered.
const (
	aToken    = `{"name":"deploy-pipeline","scope":"operate","jobs":"billing-*"}`
	aRegistry = `{"name":"orders","zkAddressList":"zk3:2181,zk4:2181","namespace":"orders","digest":"console:secret"}`
	aName     = `{"name":"billing"}`
	aSource   = `{"name":"orders","type":"mysql","host":"db.example.com","port":3306,"database":"elasticjob","username":"reader","password":"secret","options":{"tls":"preferred"}}`
	anImport  = `{"preview":true,"xml":"<globalConfiguration><registryCenterConfiguration name=\"old\" zkAddressList=\"zk1:2181\" namespace=\"shop\"/></globalConfiguration>"}`
)

// operationOf documents a route: what it brings itself, or its entry below.
func operationOf(r app.Route) operation {
	if own := r.Operation(); own.Summary != "" {
		return own
	}
	return operations[r.Method+" "+r.Path]
}

// operations are the routes of the REST interface that bring no documentation themselves. A test holds them to be
// exactly those of the router, with exactly the answers they have.
var operations = withEntries(map[string]operation{
	"GET /healthz": {Summary: "The process is alive.", Answer: "ok"},
	"GET /readyz":  {Summary: "The console can serve pages. checks has the state of ZooKeeper, the databases and the audit; status is degraded, with 200, if something is away that pages can do without.", Answer: app.ReadyBody{}, Refusals: []int{503}},
	"GET /metrics": {Summary: "What the console counts, as text for Prometheus, which better asks where `--metrics-addr` says: there it needs no token.", Answer: "# HELP"},

	"POST /api/login": {
		Summary: "Get a token for a name and a password.", Request: loginRequest{}, Example: `{"username":"root","password":"$PASSWORD"}`,
		Answer: loginResponse{}, Refusals: []int{400, 401, 413, 429},
	},
	"POST /api/logout":  {Summary: "End the token."},
	"POST /api/refresh": {Summary: "Exchange the token for a fresh one; the old one ends. For at most a week from the password on.", Answer: loginResponse{}, Refusals: []int{429}},
	"GET /api/me":       {Summary: "Who the token speaks for.", Answer: api.Me{}},
	"GET /api/version":  {Summary: "The console's version.", Answer: versionBody{}},
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

	"GET " + api.DataSourcesPath + "/drivers": {Summary: "The JDBC drivers of the databases that can be entered, as ElasticJob 3.x asks.", Answer: []string{}},
	"POST " + api.ImportPath: {
		Summary: "Enter what is in a Configurations.xml of ElasticJob's console, as text; with preview tell what would be. What is there already stays. An entry that cannot be taken is named, with the reason, and keeps no other out; 422 if none can be.",
		Request: api.ImportRequest{}, Example: anImport, Answer: api.Import{}, Refusals: []int{400, 413, 422},
	},
})
