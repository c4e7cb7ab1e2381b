package pages

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// routes are the pages, all on one page.
func (s *Pages) routes() []app.Route {
	const (
		anyone   = app.Anyone
		signedIn = app.SignedIn
		admin    = app.Configures
	)
	const (
		none = app.Touches(0)
		reg  = app.TheRegistry
		hist = app.TheHistory
		own  = app.TheSettings
	)
	return slices.Concat(s.aroundRoutes(), []app.Route{
		app.Get("/login", anyone, none, s.loginPage),
		app.Post("/login", anyone, none, s.login),
		app.Get(app.OIDCRoute, anyone, none, s.loginOIDC),
		app.Get(app.OIDCCallback, anyone, none, s.loginOIDCBack),
		app.Post("/logout", anyone, none, s.logout),
	}, s.choiceRoutes())
}

// aroundRoutes are what every page leads to or asks.
func (s *Pages) aroundRoutes() []app.Route {
	const both = app.TheRegistry | app.TheHistory
	return []app.Route{
		app.Get(app.EventsRoute, app.SignedIn, both, s.eventsPage),
		app.Get("/search", app.SignedIn, both, s.searchPage).Asks("q"),
		app.Get("/keys", app.SignedIn, app.TheRegistry, s.keysPage).Asks(),
	}
}
