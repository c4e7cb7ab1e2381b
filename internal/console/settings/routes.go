package settings

import (
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Routes are the REST routes and the pages of the settings. [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	return slices.Concat(registryEntries(s).routes(), sourceEntries(s).routes(), tokens{s}.routes(), []app.Route{
		app.Get(api.DataSourcesPath+"/drivers", app.SignedIn, 0, drivers),
		app.Post(api.ImportPath, app.Configures, app.TheSettings, importer{s}.post),
	})
}

// routes are the REST routes of a kind of entries, under our addresses and the ones of ElasticJob 3.x,
// and its pages.
func (k entries[E, R]) routes() []app.Route {
	const signedIn, configures, own = app.SignedIn, app.Configures, app.TheSettings
	w := k.words()
	rest, page, shown := w.api, w.page, own|w.touches
	return []app.Route{
		app.Get(rest, signedIn, own, k.get),
		app.Get(rest+"/load", signedIn, own, k.get),
		app.Get(rest+"/activated", signedIn, own, k.getActivated),
		app.Post(rest, configures, own, k.post),
		app.Post(rest+"/add", configures, own, k.post),
		app.Post(rest+"/connectTest", configures, own, k.postTest),
		app.Post(rest+"/connect", configures, own, k.postConnect),
		app.Put(rest+"/:name", configures, own, k.put),
		app.Delete(rest, configures, own, k.delete),
		app.Delete(rest+"/:name", configures, own, k.delete),

		app.Get(page, signedIn, shown, k.listPage).Asks(),
		app.Post(page, configures, shown, k.addFromPage(false)).Resumes(),
		app.Post(page+"/test", configures, shown, k.addFromPage(true)).Resumes(),
		app.Post(page+"/:name/test", configures, own, k.testFromPage),
		app.Get(page+"/:name/edit", configures, own, k.editPage).Asks(),
		app.Post(page+"/:name/edit", configures, own, k.editFromPage).Resumes(),
		app.Get(page+"/:name/remove", configures, own, k.removePage).Asks(),
		app.Post(page+"/:name/remove", configures, own, k.removeFromPage).Resumes(),
	}
}

// tabs are the parts of the settings, with the number of entries in each.
func tabs(s *app.Console, c *gin.Context, active string) []ui.Tab {
	l := i18n.From(c.Request.Context())
	tab := func(label, href, testID string, n int, err error) ui.Tab {
		t := ui.Tab{Label: label, Href: href, Active: href == active, TestID: testID}
		if err == nil {
			t.Count = strconv.Itoa(n)
		}
		return t
	}
	known, err := registryEntries(s).list(c)
	list := []ui.Tab{tab(l.FrameRegistries(), app.RegistriesRoute, "tab-registries", len(known), err)}
	traces, err := sourceEntries(s).list(c)
	list = append(list, tab(l.SourcesTitle(), app.SourcesRoute, "tab-sources", len(traces), err))
	if app.May(c, app.Operates) {
		made, err := tokens{s}.read(c)
		list = append(list, tab(l.TokensTitle(), app.TokensRoute, "tab-tokens", len(made), err))
	}
	return list
}
