package settings

import (
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Routes are the REST routes and the pages of the settings. [console.New] mounts them.
func Routes(s *console.Console) []console.Route {
	return slices.Concat(registryEntries(s).routes(), sourceEntries(s).routes(), tokens{s}.routes(), []console.Route{
		console.Get(api.DataSourcesPath+"/drivers", console.SignedIn, 0, drivers),
		console.Post(api.ImportPath, console.Configures, console.TheSettings, importer{s}.post),
	})
}

// routes are the REST routes of a kind of entries, under our addresses and the ones of ElasticJob 3.x,
// and its pages.
func (k entries[E, R]) routes() []console.Route {
	const signedIn, configures, own = console.SignedIn, console.Configures, console.TheSettings
	w := k.words()
	rest, page, shown := w.api, w.page, own|w.touches
	return []console.Route{
		console.Get(rest, signedIn, own, k.get),
		console.Get(rest+"/load", signedIn, own, k.get),
		console.Get(rest+"/activated", signedIn, own, k.getActivated),
		console.Post(rest, configures, own, k.post),
		console.Post(rest+"/add", configures, own, k.post),
		console.Post(rest+"/connectTest", configures, own, k.postTest),
		console.Post(rest+"/connect", configures, own, k.postConnect),
		console.Put(rest+"/:name", configures, own, k.put),
		console.Delete(rest, configures, own, k.delete),
		console.Delete(rest+"/:name", configures, own, k.delete),

		console.Get(page, signedIn, shown, k.listPage).Asks(),
		console.Post(page, configures, shown, k.addFromPage(false)).Resumes(),
		console.Post(page+"/test", configures, shown, k.addFromPage(true)).Resumes(),
		console.Post(page+"/:name/test", configures, own, k.testFromPage),
		console.Get(page+"/:name/edit", configures, own, k.editPage).Asks(),
		console.Post(page+"/:name/edit", configures, own, k.editFromPage).Resumes(),
		console.Get(page+"/:name/remove", configures, own, k.removePage).Asks(),
		console.Post(page+"/:name/remove", configures, own, k.removeFromPage).Resumes(),
	}
}

// tabs are the parts of the settings, with the number of entries in each.
func tabs(s *console.Console, c *gin.Context, active string) []ui.Tab {
	l := i18n.From(c.Request.Context())
	tab := func(label, href, testID string, n int, err error) ui.Tab {
		t := ui.Tab{Label: label, Href: href, Active: href == active, TestID: testID}
		if err == nil {
			t.Count = strconv.Itoa(n)
		}
		return t
	}
	known, err := registryEntries(s).list(c)
	list := []ui.Tab{tab(l.FrameRegistries(), console.RegistriesRoute, "tab-registries", len(known), err)}
	traces, err := sourceEntries(s).list(c)
	list = append(list, tab(l.SourcesTitle(), console.SourcesRoute, "tab-sources", len(traces), err))
	if console.May(c, console.Operates) {
		made, err := tokens{s}.read(c)
		list = append(list, tab(l.TokensTitle(), console.TokensRoute, "tab-tokens", len(made), err))
	}
	return list
}
