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
		operator = console.RootOnly
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
		post(acknowledgeRoute, operator, none, s.acknowledge),
		get("/jobs", signedIn, reg|hist, s.jobsPage).Asks(slices.Concat(query.JobsNames, []string{"select"})...),
		get("/jobs/:job", signedIn, reg|hist, s.jobPage).Asks("last"),
		get("/jobs/:job/shards", signedIn, reg|hist, s.shardsPage).Asks("order", "owner", "page", "q", "state", "plan", "shards", "strategy", "without", "with"),
		get("/jobs/:job/explain", signedIn, reg, s.explainPage).Asks("at", "format"),
		get("/jobs/:job/activity", signedIn, reg, s.activityPage).Asks(),
		get("/jobs/:job/runs/:run", signedIn, reg|hist, s.runPage).Asks("shard", "lanes"),
		post("/jobs/:job/trigger", operator, reg, s.actionFromPage(console.Trigger)),
		post("/jobs/:job/disable", operator, reg, s.actionFromPage(console.Disable)),
		post("/jobs/:job/enable", operator, reg, s.actionFromPage(console.Enable)),
		get("/jobs/:job/shutdown", operator, reg, s.confirmPage(console.Shutdown)).Asks(),
		post("/jobs/:job/shutdown", operator, reg, s.actionFromPage(console.Shutdown)),
		get("/jobs/:job/remove", operator, reg, s.confirmPage(console.Remove)).Asks(),
		post("/jobs/:job/remove", operator, reg|hist, s.actionFromPage(console.Remove)).Resumes(),
		get("/servers", signedIn, reg, s.serversPage).Asks("q", "state", "page"),
		get(cleanUpRoute, operator, reg|hist, s.cleanUpPage).Asks("ip", "selected"),
		post(cleanUpRoute, operator, reg|hist, s.cleanUpFromPage).Resumes(),
		get("/servers/:ip", signedIn, reg|hist, s.serverPage).Asks("at", "span", "page"),
		get("/runs", signedIn, reg|hist, s.runsPage).Asks(slices.Concat(query.RunsNames, query.RunsPageNames)...),
		get("/runs/export", signedIn, reg|hist, s.exportRuns),
		get("/executions", signedIn, reg|hist, s.executionsPage).Asks(query.ExecutionsNames...),

		get("/audit", operator, own, s.auditPage).Asks(query.AuditNames...),
		get("/audit/export", operator, own, s.exportAudit),
	}, s.bulkRoutes(), viewPages{s}.routes(), requestPages{s}.routes(), cloudPages{s}.routes(), s.choiceRoutes(), s.serverActionRoutes(), s.shardRoutes(), s.settingsRoutes(), s.configRoutes())
}

// settingsRoutes are the pages about what was entered: registries and data sources.
func (s *Pages) settingsRoutes() []console.Route {
	get, post := console.Get, console.Post
	const (
		signedIn = console.SignedIn
		operator = console.RootOnly
		own      = console.TheSettings
		hist     = console.TheHistory
	)
	return []console.Route{
		get(console.RegistriesRoute, signedIn, own, s.registriesPage).Asks(),
		post(console.RegistriesRoute, operator, own, s.addRegistryFromPage(false)).Resumes(),
		post(console.RegistriesRoute+"/test", operator, own, s.addRegistryFromPage(true)).Resumes(),
		post(console.RegistriesRoute+"/:name/test", operator, own, s.testRegistryFromPage),
		get(console.RegistriesRoute+"/:name/edit", operator, own, s.editRegistryPage).Asks(),
		post(console.RegistriesRoute+"/:name/edit", operator, own, s.changeRegistryFromPage).Resumes(),
		get(console.SourcesRoute, signedIn, own|hist, s.sourcesPage).Asks(),
		post(console.SourcesRoute, operator, own|hist, s.addSourceFromPage(false)).Resumes(),
		post(console.SourcesRoute+"/test", operator, own|hist, s.addSourceFromPage(true)).Resumes(),
		post(console.SourcesRoute+"/:name/test", operator, own, s.testSourceFromPage),
		get(console.SourcesRoute+"/:name/edit", operator, own, s.editSourcePage).Asks(),
		post(console.SourcesRoute+"/:name/edit", operator, own, s.changeSourceFromPage).Resumes(),
		get(console.SourcesRoute+"/:name/remove", operator, own, s.removeSourcePage).Asks(),
		post(console.SourcesRoute+"/:name/remove", operator, own, s.removeSetting("remove data source", console.SourcesRoute, s.showRemoveSource, s.RemoveSource)).Resumes(),
		get(console.RegistriesRoute+"/:name/remove", operator, own, s.removeRegistryPage).Asks(),
		post(console.RegistriesRoute+"/:name/remove", operator, own, s.removeSetting("remove registry", console.RegistriesRoute, s.showRemoveRegistry, s.RemoveRegistry)).Resumes(),
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
		console.Get(newJobRoute, console.RootOnly, reg, s.newJobPage).Asks("from", "view"),
		console.Post(newJobRoute+"/preview", console.RootOnly, reg, s.previewNewJob).WithBody(maxConfigForm).Preview().Resumes(),
		console.Post(newJobRoute, console.RootOnly, reg, s.createJob).WithBody(maxConfigForm).Resumes(),
		console.Get("/jobs/:job/config", console.SignedIn, reg|console.TheHistory, s.configPage).Asks("view", "version"),
		console.Get("/jobs/:job/config/versions", console.SignedIn, reg|own, s.versionsPage).Asks(),
		console.Post("/jobs/:job/config/preview", console.RootOnly, reg, s.previewConfig).WithBody(maxConfigForm).Preview().Resumes(),
		console.Post("/jobs/:job/config", console.RootOnly, reg, s.saveConfig).WithBody(maxConfigForm).Resumes(),
	}
}
