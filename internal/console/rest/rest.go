package rest

import (
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// API answers the routes of the REST interface.
type API struct{ *app.Console }

// Routes are the REST interface; [app.New] mounts them.
func Routes(s *app.Console) []app.Route { return (&API{s}).routes() }
