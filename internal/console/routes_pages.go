package console

// pageRoutes are the pages, all on one page.
func (s *Console) pageRoutes() []route {
	get, post := getRoute, postRoute
	const (
		anyone   = anyone
		signedIn = signedIn
		operator = operator
	)
	const (
		none = touches(0)
		reg  = theRegistry
		hist = theHistory
		own  = theSettings
	)
	return []route{
		get("/login", anyone, none, s.loginPage),
		post("/login", anyone, none, s.login),
		get(oidcRoute, anyone, none, s.loginOIDC),
		get(oidcCallback, anyone, none, s.loginOIDCBack),
		post("/logout", anyone, none, s.logout),
		post("/theme", anyone, none, s.setTheme),
		get("/", signedIn, reg|hist, s.overviewPage),
		get("/jobs", signedIn, reg|hist, s.jobsPage),
		get("/jobs/:job", signedIn, reg|hist, s.jobPage),
		get("/jobs/:job/explain", signedIn, reg, s.explainPage),
		post("/jobs/:job/trigger", operator, reg, s.orderFromPage(trigger)),
		post("/jobs/:job/disable", operator, reg, s.orderFromPage(disable)),
		post("/jobs/:job/enable", operator, reg, s.orderFromPage(enable)),
		get("/jobs/:job/shutdown", operator, reg, s.confirmPage(shutdown)),
		post("/jobs/:job/shutdown", operator, reg, s.orderFromPage(shutdown)),
		get("/jobs/:job/remove", operator, reg, s.confirmPage(remove)),
		post("/jobs/:job/remove", operator, reg, s.orderFromPage(remove)),
		get("/servers", signedIn, reg, s.serversPage),
		get("/executions", signedIn, reg|hist, s.executionsPage),
		get("/audit", operator, own, s.auditPage),
		get(registriesRoute, signedIn, own, s.registriesPage),
		post(registriesRoute, operator, own, s.addRegistryFromPage),
		get(registriesRoute+"/:name/remove", operator, own, s.removeRegistryPage),
		post(registriesRoute+"/:name/remove", operator, own, s.removeRegistryFromPage),
	}
}
