package pages

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
)

// routes are the pages, all on one page.
func (s *Pages) routes() []console.Route {
	get, post := console.Get, console.Post
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
		get("/login", anyone, none, s.loginPage),
		post("/login", anyone, none, s.login),
		get(console.OIDCRoute, anyone, none, s.loginOIDC),
		get(console.OIDCCallback, anyone, none, s.loginOIDCBack),
		post("/logout", anyone, none, s.logout),

		get("/", signedIn, reg|hist, s.overviewPage).Asks(),
		post(acknowledgeRoute, console.Operates, none, s.acknowledge),
		get("/jobs", signedIn, reg|hist, s.jobsPage).Asks(slices.Concat(query.JobsNames, []string{"select"})...),
		get("/jobs/:job", signedIn, reg|hist, s.jobPage).Asks("last"),
		get("/jobs/:job/shards", signedIn, reg|hist, s.shardsPage).Asks("order", "owner", "page", "q", "state", "plan", "shards", "strategy", "without", "with"),
		get("/jobs/:job/explain", signedIn, reg, s.explainPage).Asks("at", "format"),
		get("/jobs/:job/activity", signedIn, reg, s.activityPage).Asks(),
		get("/jobs/:job/runs/:run", signedIn, reg|hist, s.runPage).Asks("shard", "lanes"),
		post("/jobs/:job/disable", console.Disable.Needs, reg, s.actionFromPage(console.Disable)),
		post("/jobs/:job/enable", console.Enable.Needs, reg, s.actionFromPage(console.Enable)),
		get("/jobs/:job/shutdown", console.Shutdown.Needs, reg, s.confirmPage(console.Shutdown)).Asks(),
		post("/jobs/:job/shutdown", console.Shutdown.Needs, reg, s.actionFromPage(console.Shutdown)),
		get("/jobs/:job/remove", console.Remove.Needs, reg, s.confirmPage(console.Remove)).Asks(),
		post("/jobs/:job/remove", console.Remove.Needs, reg|hist, s.actionFromPage(console.Remove)).Resumes(),
		get("/servers", signedIn, reg, s.serversPage).Asks("q", "state", "page"),
		get(cleanUpRoute, admin, reg|hist, s.cleanUpPage).Asks("ip", "selected"),
		post(cleanUpRoute, admin, reg|hist, s.cleanUpFromPage).Resumes(),
		get("/servers/:ip", signedIn, reg|hist, s.serverPage).Asks("at", "span", "page"),
		get("/runs", signedIn, reg|hist, s.runsPage).Asks(slices.Concat(query.RunsNames, query.RunsPageNames)...),
		get("/runs/export", signedIn, reg|hist, s.exportRuns),
		get("/executions", signedIn, reg|hist, s.executionsPage).Asks(query.ExecutionsNames...),

		get("/audit", admin, own, s.auditPage).Asks(query.AuditNames...),
		get("/audit/export", admin, own, s.exportAudit),
	}, s.bulkRoutes(), viewPages{s}.routes(), requestPages{s}.routes(), cloudPages{s}.routes(), s.choiceRoutes(), s.serverActionRoutes(), s.shardRoutes(), s.settingsRoutes(), s.configRoutes())
}

// settingsRoutes are the pages about what was entered: registries and data sources.
func (s *Pages) settingsRoutes() []console.Route {
	get, post := console.Get, console.Post
	const (
		signedIn = console.SignedIn
		admin    = console.Configures
		own      = console.TheSettings
		hist     = console.TheHistory
	)
	return []console.Route{
		get(console.RegistriesRoute, signedIn, own, s.registriesPage).Asks(),
		post(console.RegistriesRoute, admin, own, s.addRegistryFromPage(false)).Resumes(),
		post(console.RegistriesRoute+"/test", admin, own, s.addRegistryFromPage(true)).Resumes(),
		post(console.RegistriesRoute+"/:name/test", admin, own, s.testRegistryFromPage),
		get(console.RegistriesRoute+"/:name/edit", admin, own, s.editRegistryPage).Asks(),
		post(console.RegistriesRoute+"/:name/edit", admin, own, s.changeRegistryFromPage).Resumes(),
		get(console.TokensRoute, console.Operates, own, s.tokensPage).Asks().InPerson(),
		post(console.TokensRoute, console.Operates, own, s.addTokenFromPage).Resumes().InPerson(),
		get(console.TokensRoute+"/:token/revoke", console.Operates, own, s.revokeTokenPage).Asks().InPerson(),
		post(console.TokensRoute+"/:token/revoke", console.Operates, own, s.revokeTokenFromPage).Resumes().InPerson(),
		get(console.SourcesRoute, signedIn, own|hist, s.sourcesPage).Asks(),
		post(console.SourcesRoute, admin, own|hist, s.addSourceFromPage(false)).Resumes(),
		post(console.SourcesRoute+"/test", admin, own|hist, s.addSourceFromPage(true)).Resumes(),
		post(console.SourcesRoute+"/:name/test", admin, own, s.testSourceFromPage),
		get(console.SourcesRoute+"/:name/edit", admin, own, s.editSourcePage).Asks(),
		post(console.SourcesRoute+"/:name/edit", admin, own, s.changeSourceFromPage).Resumes(),
		get(console.SourcesRoute+"/:name/remove", admin, own, s.removeSourcePage).Asks(),
		post(console.SourcesRoute+"/:name/remove", admin, own, s.removeSetting("remove data source", console.SourcesRoute, s.showRemoveSource, s.RemoveSource)).Resumes(),
		get(console.RegistriesRoute+"/:name/remove", admin, own, s.removeRegistryPage).Asks(),
		post(console.RegistriesRoute+"/:name/remove", admin, own, s.removeSetting("remove registry", console.RegistriesRoute, s.showRemoveRegistry, s.RemoveRegistry)).Resumes(),
	}
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

// configRoutes are the pages of a job's configuration.
func (s *Pages) configRoutes() []console.Route {
	const reg, own = console.TheRegistry, console.TheSettings
	return []console.Route{
		console.Get(newJobRoute, console.Configures, reg, s.newJobPage).Asks("from", "view"),
		console.Post(newJobRoute+"/preview", console.Configures, reg, s.previewNewJob).WithBody(maxConfigForm).Preview().Resumes(),
		console.Post(newJobRoute, console.Configures, reg, s.createJob).WithBody(maxConfigForm).Resumes(),
		console.Get("/jobs/:job/config", console.SignedIn, reg|console.TheHistory, s.configPage).Asks("view", "version"),
		console.Get("/jobs/:job/config/versions", console.SignedIn, reg|own, s.versionsPage).Asks(),
		console.Post("/jobs/:job/config/preview", console.Configures, reg, s.previewConfig).WithBody(maxConfigForm).Preview().Resumes(),
		console.Post("/jobs/:job/config", console.Configures, reg, s.saveConfig).WithBody(maxConfigForm).Resumes(),
	}
}
