// Package overview is the first page of the console, and the instances that were lost: how the jobs
// are, what needs attention, and what comes next.
//
//	jobs, newest runs, lost instances → page
//	                                    ├─ tiles, a line for each cause
//	                                    └─ cards: results, fire times, fleet, registries, changes
package overview

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

type service struct{ *console.Console }

// Routes are the overview, and lost instances.
func Routes(s *console.Console) []console.Route {
	p := service{s}
	return []console.Route{
		console.Get("/", console.SignedIn, console.TheRegistry|console.TheHistory, p.page).Asks(),
		console.Post(acknowledgeRoute, console.Operates, console.Touches(0), p.acknowledge),
		console.Get(lossesRoute, console.SignedIn, console.Touches(0), p.losses).Documented(console.Operation{
			Summary: "The instances that were lost, with their jobs, and haven't returned or been acknowledged since, the newest first. They are in the memory of this console, and about its default registry.",
			Answer:  []api.Loss{},
		}),
		console.Post(lossesRoute+"/acknowledge", console.Operates, console.Touches(0), p.acknowledgeLosses).Documented(console.Operation{
			Summary: "Acknowledge that instances were lost: they no longer need attention.", Request: acknowledgeRequest{},
			Example: `{"instances":["10.0.3.22@-@118"]}`, Answer: acknowledgedBody{}, Refusals: []int{400, 422},
		}),
	}
}
