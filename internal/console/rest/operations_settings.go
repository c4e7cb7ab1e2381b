package rest

import (
	"maps"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// The operations about settings: what is entered rather than named on the
// command line; and those that connect elsewhere.
func init() { maps.Copy(operations, settingOperations) }

const (
	aRegistry = `{"name":"orders","zkAddressList":"zk3:2181,zk4:2181","namespace":"orders","digest":"console:secret"}`
	aName     = `{"name":"billing"}`
	aSource   = `{"name":"orders","type":"mysql","host":"db.example.com","port":3306,"database":"elasticjob","username":"reader","password":"secret","options":{"tls":"preferred"}}`
	anImport  = `{"preview":true,"xml":"<globalConfiguration><registryCenterConfiguration name=\"old\" zkAddressList=\"zk1:2181\" namespace=\"shop\"/></globalConfiguration>"}`
)

var settingOperations = map[string]operation{
	"GET " + registryRoute: {
		summary: "The registry centres: that of the command line, which is called default, and those that were entered. Digests are never told.",
		answer:  []console.RegistryBody{},
	},
	"GET " + registryRoute + "/load":      {summary: "The same, under the name of ElasticJob 3.x.", answer: []console.RegistryBody{}},
	"GET " + registryRoute + "/activated": {summary: "true; for clients of ElasticJob 3.x the registry centre that their token has connected.", answer: true},
	"POST " + registryRoute: {
		summary: "Enter a registry centre. Nothing is connected to. 403 if an address is not one that the console may connect to.",
		request: console.RegistryRequest{}, example: aRegistry, answer: console.RegistryBody{}, status: 201, refusals: []int{400, 403, 409, 413, 422},
	},
	"POST " + registryRoute + "/add": {
		summary: "The same, under the name of ElasticJob 3.x.",
		request: console.RegistryRequest{}, example: aRegistry, answer: console.RegistryBody{}, status: 201, refusals: []int{400, 403, 409, 413, 422},
	},
	"POST " + registryRoute + "/connectTest": {
		summary: "Connect to a registry centre that need not have been entered, and end the connection. 503 with the reason if it fails.",
		request: console.RegistryRequest{}, example: aRegistry, answer: true, refusals: []int{400, 403, 413, 422},
	},
	"POST " + registryRoute + "/connect": {
		summary: "As ElasticJob's consoles: from now on requests with this token are about that registry centre, unless they name another with ?registry=. 503 with the reason if it cannot be connected to, and all stays as it was.",
		request: nameRequest{}, example: aName, answer: true, refusals: []int{400, 404, 413, 422},
	},
	"PUT " + registryRoute + "/:name": {
		summary: "Change a registry centre. A digest that is absent stays, unless the address changes.",
		request: console.RegistryRequest{}, example: `{"zkAddressList":"zk3:2181","namespace":"billing","digest":""}`,
		answer: console.RegistryBody{}, refusals: []int{400, 403, 404, 409, 413, 422},
	},
	"DELETE " + registryRoute: {
		summary: "Remove a registry centre. Its connection ends; nothing in it changes.", request: nameRequest{}, example: aName, refusals: []int{400, 404, 409, 413, 422},
	},
	"POST /api/servers/:ip/:port/jobs/:job/dump": {
		summary: "What a process sees of a job, in plain text, at most 8 MiB, from its dump service. The address must be that of a live instance of the job. 504 without an answer in 5 seconds.",
		answer:  "text", refusals: []int{404, 422, 504},
	},
	"GET " + sourceRoute:                {summary: "The event-trace data sources: that of the command line, which is called default, and those that were entered. Passwords are never told.", answer: []sourceBody{}},
	"GET " + sourceRoute + "/load":      {summary: "The same, under the name of ElasticJob 3.x.", answer: []sourceBody{}},
	"GET " + sourceRoute + "/activated": {summary: "Whether there is a data source for this token, never in an envelope.", answer: true},
	"GET " + sourceRoute + "/drivers":   {summary: "The JDBC drivers of the databases that can be entered, as ElasticJob 3.x asks.", answer: []string{}},
	"POST " + sourceRoute: {
		summary: "Enter a data source: mysql, postgres, or sqlite for a file in the data folder; or, as clients of ElasticJob do, a JDBC url, which is taken to pieces. Nothing is connected to. Options: tls of mysql, sslmode and search_path of postgres.",
		request: sourceRequest{}, example: aSource, answer: sourceBody{}, status: 201, refusals: []int{400, 403, 409, 413, 422},
	},
	"POST " + sourceRoute + "/add": {
		summary: "The same, under the name of ElasticJob 3.x.",
		request: sourceRequest{}, example: aSource, answer: sourceBody{}, status: 201, refusals: []int{400, 403, 409, 413, 422},
	},
	"POST " + sourceRoute + "/connectTest": {
		summary: "Connect to a data source that need not have been entered, look for the trace tables and end the connection. 503 with the reason if it fails.",
		request: sourceRequest{}, example: aSource, answer: true, refusals: []int{400, 403, 413, 422},
	},
	"POST " + sourceRoute + "/connect": {
		summary: "As ElasticJob's consoles: from now on requests for the history with this token are about that data source, unless they name another with ?dataSource=.",
		request: nameRequest{}, example: aName, answer: true, refusals: []int{400, 404, 413, 422},
	},
	"PUT " + sourceRoute + "/:name": {
		summary: "Change a data source. A password that is absent stays, unless the address changes.",
		request: sourceRequest{}, example: `{"type":"mysql","host":"db.example.com","database":"elasticjob","username":"reader","password":""}`,
		answer: sourceBody{}, refusals: []int{400, 403, 404, 409, 413, 422},
	},
	"DELETE " + sourceRoute: {
		summary: "Remove a data source. Nothing in it changes.", request: nameRequest{}, example: aName, refusals: []int{400, 404, 409, 413, 422},
	},
	"DELETE " + sourceRoute + "/:name": {summary: "The same with the name in the address.", refusals: []int{404, 409}},
	"POST " + importRoute: {
		summary: "Enter what is in a Configurations.xml of ElasticJob's console, as text; with preview tell what would be. What is there already stays. An entry that cannot be taken is named, with the reason, and keeps no other out; 422 if none can be.",
		request: importRequest{}, example: anImport, answer: importBody{}, refusals: []int{400, 413, 422},
	},
	"DELETE " + registryRoute + "/:name": {summary: "The same with the name in the address.", refusals: []int{404, 409}},
}
