// Package jobs is the part of the console about jobs.
package jobs

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/jobs/bulk"
)

// Routes are the pages and REST routes of jobs. [console.New] mounts them.
func Routes(s *console.Console) []console.Route {
	return slices.Concat(bulk.Routes(s))
}
