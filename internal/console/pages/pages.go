package pages

import "github.com/elasticjob-go/elasticjob/internal/console/app"

// Pages answers the routes of the pages.
type Pages struct{ *app.Console }

// Routes are the pages; [app.New] mounts them.
func Routes(s *app.Console) []app.Route { return (&Pages{s}).routes() }
