// Package overview is the first page of the console, and the instances that were lost: how the jobs
// are, what needs attention, and what comes next.
//
//	jobs, newest runs, lost instances → page
//	                                    ├─ tiles, a line for each cause
//	                                    └─ cards: results, fire times, fleet, registries, changes
package overview

import (
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

type service struct{ *app.Console }

// Routes are the overview, and lost instances.
func Routes(s *app.Console) []app.Route {
	p := service{s}
	return []app.Route{
		app.Get("/", app.SignedIn, app.TheRegistry|app.TheHistory, p.page).Asks(),
		app.Post(acknowledgeRoute, app.Operates, app.Touches(0), p.acknowledge),
		app.Get(lossesRoute, app.SignedIn, app.Touches(0), p.losses).Documented(app.Operation{
			Summary: "The instances that were lost, with their jobs, and haven't returned or been acknowledged since, the newest first. They are in the memory of this console, and about its default registry.",
			Answer:  []api.Loss{},
		}),
		app.Post(lossesRoute+"/acknowledge", app.Operates, app.Touches(0), p.acknowledgeLosses).Documented(app.Operation{
			Summary: "Acknowledge that instances were lost: they no longer need attention.", Request: acknowledgeRequest{},
			Example: `{"instances":["10.0.3.22@-@118"]}`, Answer: acknowledgedBody{}, Refusals: []int{400, 422},
		}),
	}
}
