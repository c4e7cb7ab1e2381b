package cloud

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// Routes are the REST interface and the pages of ElasticJob-Cloud; [console.New] mounts them.
func Routes(s *console.Console) []console.Route {
	a := cloudAPI{s}
	routes, documented := slices.Concat(a.routes(), a.upstreamRoutes()), operations()
	for i, r := range routes {
		routes[i] = r.Documented(documented[r.Method+" "+r.Path])
	}
	return append(routes, cloudPages{s}.routes()...)
}

func texts[S ~string](list ...S) []string {
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = string(s)
	}
	return all
}
