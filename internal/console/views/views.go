// Package views has the views that people save: the selections of a list that they come back to.
//
//	page, REST → add, remove → settings
//	list of jobs or runs ← [console.Console.ReadViews] ← settings
package views

import (
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

type service struct{ *console.Console }

const restRoute = "/api/views"

// Routes are the page about saved views, and the REST interface to them.
func Routes(s *console.Console) []console.Route {
	const operate, own = console.Operates, console.TheSettings
	p := service{s}
	return []console.Route{
		// The page names the lists, so it reads the registry.
		console.Get(pageui.ViewsRoute, operate, own|console.TheRegistry, p.page).Asks("area", "query"),
		console.Post(pageui.ViewsRoute, operate, own|console.TheRegistry, p.addFromPage).Resumes(),
		console.Post(pageui.ViewsRoute+"/remove", operate, own|console.TheRegistry, p.removeFromPage),

		console.Get(restRoute, console.SignedIn, own, p.list).Documented(console.Operation{
			Summary: "The saved views of lists: the shared ones first, then the caller's own, by name.",
			Query:   [][2]string{{"area", "Only of this list: jobs or runs."}}, Answer: []api.View{},
		}),
		console.Post(restRoute, operate, own, p.addView).Documented(console.Operation{
			Summary: "Save a selection of the list of jobs or runs under a name of at most 40 characters, for the caller or shared with all accounts. The query is the same as in the list's address. A list has at most 12 shared views, and each account has at most 12 of its own.",
			Request: api.ViewRequest{}, Example: `{"area":"jobs","name":"nightly failures","query":"q=fires:02:00-03:00&state=failing","shared":true}`,
			Answer: api.View{}, Status: 201, Refusals: []int{400, 409, 413, 422},
		}),
		console.Delete(restRoute+"/:area/:name", operate, own, p.removeView).Documented(console.Operation{
			Summary: "Remove a view.", Query: [][2]string{{"shared", "true: the shared view of that name; otherwise the caller's own."}}, Refusals: []int{404, 422},
		}),
	}
}
