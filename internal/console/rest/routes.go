package rest

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// Short names for the tables below: who may call, and what is touched.
const (
	anyone    = console.Anyone
	signedIn  = console.SignedIn
	operate   = console.Operates
	configure = console.Configures

	none = console.Touches(0)
	reg  = console.TheRegistry
	hist = console.TheHistory
	own  = console.TheSettings
)

// routes are the REST interface, all on one page.
//
// A job whose name collides with a fixed word of the API, such as count, is
// reached by escaping a letter of it: /api/jobs/%63ount. [console.JobPath] does so.
func (s *API) routes() []console.Route {
	return slices.Concat(s.accountRoutes(), s.jobRoutes())
}

// accountRoutes are about the caller, the console itself and what was done in it.
func (s *API) accountRoutes() []console.Route {
	return []console.Route{
		console.Post("/api/login", anyone, none, s.login),
		console.Post("/api/logout", signedIn, none, s.logout).InPerson(),
		console.Post(console.RefreshRoute, signedIn, none, s.refresh).InPerson(),
		console.Get("/api/me", signedIn, none, s.me).AboutNoJob(),
		console.Get("/api/version", signedIn, none, s.version).AboutNoJob(),
	}
}

// jobRoutes are about jobs and their shards.
func (s *API) jobRoutes() []console.Route {
	return []console.Route{}
}
