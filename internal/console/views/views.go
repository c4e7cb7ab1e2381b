// Package views has the views that people save: the selections of a list that they come back to.
//
//	page, REST → add, remove → settings
//	list of jobs or runs ← [app.Console.ReadViews] ← settings
package views

import (
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
)

type service struct{ *app.Console }

const restRoute = "/api/views"

// Routes are the page about saved views, and the REST interface to them.
func Routes(s *app.Console) []app.Route {
	const operate, own = app.Operates, app.TheSettings
	p := service{s}
	return []app.Route{
		// The page names the lists, so it reads the registry.
		app.Get(pageui.ViewsRoute, operate, own|app.TheRegistry, p.page).Asks("area", "query"),
		app.Post(pageui.ViewsRoute, operate, own|app.TheRegistry, p.addFromPage).Resumes(),
		app.Post(pageui.ViewsRoute+"/remove", operate, own|app.TheRegistry, p.removeFromPage),

		app.Get(restRoute, app.SignedIn, own, p.list).Documented(app.Operation{
			Summary: "The saved views of lists: the shared ones first, then the caller's own, by name.",
			Query:   [][2]string{{"area", "Only of this list: jobs or runs."}}, Answer: []api.View{},
		}),
		app.Post(restRoute, operate, own, p.addView).Documented(app.Operation{
			Summary: "Save a selection of the list of jobs or runs under a name of at most 40 characters, for the caller or shared with all accounts. The query is the same as in the list's address. A list has at most 12 shared views, and each account has at most 12 of its own.",
			Request: api.ViewRequest{}, Example: `{"area":"jobs","name":"nightly failures","query":"q=fires:02:00-03:00&state=failing","shared":true}`,
			Answer: api.View{}, Status: 201, Refusals: []int{400, 409, 413, 422},
		}),
		app.Delete(restRoute+"/:area/:name", operate, own, p.removeView).Documented(app.Operation{
			Summary: "Remove a view.", Query: [][2]string{{"shared", "true: the shared view of that name; otherwise the caller's own."}}, Refusals: []int{404, 422},
		}),
	}
}
