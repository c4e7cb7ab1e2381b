package pages

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// Pages answers the routes of the pages.
type Pages struct {
	*console.Console
	fires view.FirePlan // when jobs fire, for the overview
}

// Routes are the pages; [console.New] mounts them.
func Routes(s *console.Console) []console.Route { return (&Pages{Console: s}).routes() }
