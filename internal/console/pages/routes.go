package pages

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// routes are the pages, all on one page.
func (s *Pages) routes() []console.Route {
	const (
		anyone   = console.Anyone
		signedIn = console.SignedIn
		admin    = console.Configures
	)
	const (
		none = console.Touches(0)
		reg  = console.TheRegistry
		hist = console.TheHistory
		own  = console.TheSettings
	)
	return slices.Concat(s.aroundRoutes(), []console.Route{
		console.Get("/login", anyone, none, s.loginPage),
		console.Post("/login", anyone, none, s.login),
		console.Get(console.OIDCRoute, anyone, none, s.loginOIDC),
		console.Get(console.OIDCCallback, anyone, none, s.loginOIDCBack),
		console.Post("/logout", anyone, none, s.logout),
	}, s.choiceRoutes())
}

// aroundRoutes are what every page leads to or asks.
func (s *Pages) aroundRoutes() []console.Route {
	const both = console.TheRegistry | console.TheHistory
	return []console.Route{
		console.Get(console.EventsRoute, console.SignedIn, both, s.eventsPage),
		console.Get("/search", console.SignedIn, both, s.searchPage).Asks("q"),
		console.Get("/keys", console.SignedIn, console.TheRegistry, s.keysPage).Asks(),
	}
}
