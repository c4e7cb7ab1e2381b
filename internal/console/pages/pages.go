package pages

import "github.com/elasticjob-go/elasticjob/internal/console"

// Pages answers the routes of the pages.
type Pages struct{ *console.Console }

// Routes are the pages; [console.New] mounts them.
func Routes(s *console.Console) []console.Route { return (&Pages{s}).routes() }
