package rest

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// Short names for the tables below: who may call, and what is touched.
const (
	anyone    = app.Anyone
	signedIn  = app.SignedIn
	operate   = app.Operates
	configure = app.Configures

	none = app.Touches(0)
	reg  = app.TheRegistry
	hist = app.TheHistory
	own  = app.TheSettings
)

// routes are the REST interface, all on one page.
//
// A job whose name collides with a fixed word of the API, such as count, is
// reached by escaping a letter of it: /api/jobs/%63ount. [app.JobPath] does so.
func (s *API) routes() []app.Route {
	return slices.Concat(s.accountRoutes(), s.jobRoutes())
}

// accountRoutes are about the caller, the console itself and what was done in it.
func (s *API) accountRoutes() []app.Route {
	return []app.Route{
		app.Post("/api/login", anyone, none, s.login),
		app.Post("/api/logout", signedIn, none, s.logout).InPerson(),
		app.Post(app.RefreshRoute, signedIn, none, s.refresh).InPerson(),
		app.Get("/api/me", signedIn, none, s.me).AboutNoJob(),
		app.Get("/api/version", signedIn, none, s.version).AboutNoJob(),
	}
}

// jobRoutes are about jobs and their shards.
func (s *API) jobRoutes() []app.Route {
	return []app.Route{}
}
