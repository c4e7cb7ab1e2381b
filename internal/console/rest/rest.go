package rest

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
)

// API answers the routes of the REST interface.
type API struct{ *console.Console }

// Routes are the REST interface; [console.New] mounts them.
func Routes(s *console.Console) []console.Route { return (&API{s}).routes() }
