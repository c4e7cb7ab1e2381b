package rest

import "github.com/elasticjob-go/elasticjob/internal/console/api"

// withEntries adds the operations on registries and data sources, which have the same routes.
func withEntries(all map[string]operation) map[string]operation {
	add := func(path, example, change string, request, answer, list any, words map[string]string) {
		of3x := "The same, under the name of ElasticJob 3.x."
		byName := operation{Request: api.NameRequest{}, Example: aName, Refusals: []int{400, 404, 413, 422}}
		enter := operation{Summary: words["enter"], Request: request, Example: example, Answer: answer, Status: 201, Refusals: []int{400, 403, 409, 413, 422}}
		test := operation{Summary: words["test"], Request: request, Example: example, Answer: true, Refusals: []int{400, 403, 413, 422}}
		connect, remove := byName, byName
		connect.Summary, connect.Answer = words["connect"], true
		remove.Summary, remove.Refusals = "The same with the name in the body.", []int{400, 404, 409, 413, 422}
		all["GET "+path] = operation{Summary: words["list"], Answer: list}
		all["GET "+path+"/load"] = operation{Summary: of3x, Answer: list}
		all["GET "+path+"/activated"] = operation{Summary: words["activated"], Answer: true}
		all["POST "+path] = enter
		enter.Summary = of3x
		all["POST "+path+"/add"] = enter
		all["POST "+path+"/connectTest"] = test
		all["POST "+path+"/connect"] = connect
		all["PUT "+path+"/:name"] = operation{
			Summary: words["change"], Request: request, Example: change, Answer: answer,
			Refusals: []int{400, 403, 404, 409, 413, 422},
		}
		all["DELETE "+path] = remove
		all["DELETE "+path+"/:name"] = operation{Summary: words["remove"], Refusals: []int{404, 409}}
	}
	add(api.RegistriesPath, aRegistry, `{"zkAddressList":"zk3:2181","namespace":"billing","digest":""}`,
		api.RegistryRequest{}, api.Registry{}, []api.Registry{}, map[string]string{
			"list":      "The registries: that of the command line, which is called default, and those that were entered. Digests are never shown.",
			"activated": "true; for clients of ElasticJob 3.x the registry that their token has connected.",
			"enter":     "Enter a registry. Nothing is connected to. 403 if an address is not one that the console may connect to.",
			"test":      "Connect to a registry that need not have been entered, and end the connection. 503 with the reason if it fails.",
			"connect":   "As ElasticJob's consoles: from now on requests with this token are about that registry, unless they name another with ?registry=. 503 with the reason if it cannot be connected to, and all stays as it was.",
			"change":    "Change a registry. A digest that is absent stays, unless the address changes.",
			"remove":    "Remove a registry. Its connection ends; nothing in it changes.",
		})
	add(api.DataSourcesPath, aSource, `{"type":"mysql","host":"db.example.com","database":"elasticjob","username":"reader","password":""}`,
		api.DataSourceRequest{}, api.DataSource{}, []api.DataSource{}, map[string]string{
			"list":      "The event-trace data sources: that of the command line, which is called default, and those that were entered. Passwords are never shown.",
			"activated": "Whether there is a data source for this token, never in an envelope.",
			"enter":     "Enter a data source: mysql, postgres, or sqlite for a file in the data folder; or, as clients of ElasticJob do, a JDBC url, which is taken to pieces. Nothing is connected to. Options: tls of mysql, sslmode and search_path of postgres.",
			"test":      "Connect to a data source that need not have been entered, look for the trace tables and end the connection. 503 with the reason if it fails.",
			"connect":   "As ElasticJob's consoles: from now on requests for the history with this token are about that data source, unless they name another with ?dataSource=.",
			"change":    "Change a data source. A password that is absent stays, unless the address changes.",
			"remove":    "Remove a data source. Nothing in it changes.",
		})
	return all
}
