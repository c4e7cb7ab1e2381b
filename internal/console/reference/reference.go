package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/docs"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	page "github.com/elasticjob-go/elasticjob/web/templates/reference"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Routes are the documents and the pages about them; [app.New] mounts them.
func Routes(s *app.Console) []app.Route {
	r := pages{s}
	return slices.Concat(
		document(s, "openapi.json", docs.OpenAPI, "This interface as an OpenAPI 3.1 document."),
		document(s, "openapi-legacy.json", docs.OpenAPILegacy,
			"The addresses that only clients of ElasticJob's own consoles need, as an OpenAPI 3.1 document."),
		[]app.Route{
			app.Get(app.ReferenceRoute, app.SignedIn, 0, r.list(false)).Asks("q"),
			app.Get(app.ReferenceRoute+"/legacy", app.SignedIn, 0, r.list(true)).Asks("q"),
			app.Get(app.ReferenceRoute+"/operations/:operation", app.SignedIn, 0, r.operation).Asks(),
		},
	)
}

// document are the routes of a document, one for programs and one for pages, because the cookie of
// a page counts for nothing below /api.
func document(s *app.Console, name string, text []byte, summary string) []app.Route {
	body := sync.OnceValue(func() []byte { return served(s.Options(), text) })
	answer := func(c *gin.Context) { c.Data(http.StatusOK, "application/json; charset=utf-8", body()) }
	operation := app.Operation{Summary: summary, Answer: map[string]any{}}
	return []app.Route{
		app.Get("/api/"+name, app.SignedIn, 0, answer).AboutNoJob().Documented(operation),
		app.Get(app.ReferenceRoute+"/"+name, app.SignedIn, 0, answer).Asks(),
	}
}

// served is a document with the version and the address of the console that serves it.
func served(o *app.Options, text []byte) []byte {
	document := map[string]any{}
	err := json.Unmarshal(text, &document)
	if err == nil {
		document["info"].(map[string]any)["version"] = o.Version
		if o.BasePath != "" {
			document["servers"] = []any{map[string]any{"url": o.BasePath}}
		}
		text, err = json.Marshal(document)
	}
	if err != nil {
		panic(fmt.Sprintf("reference: an embedded document: %v", err)) // a test writes it
	}
	return append(text, '\n')
}

// pages are the pages about the documents.
type pages struct{ *app.Console }

// The documents, which are read when a page first needs them.
var (
	native = sync.OnceValue(func() *page.Document { return page.Parse(docs.OpenAPI) })
	legacy = sync.OnceValue(func() *page.Document { return page.Parse(docs.OpenAPILegacy) })
)

// list shows the operations of a document, or those in which the words of a search occur.
func (s pages) list(isLegacy bool) func(*gin.Context) {
	return func(c *gin.Context) {
		l, query := i18n.From(c.Request.Context()), c.Query("q")
		p := page.List{
			Frame: s.Frame(c, l.ReferenceTitle(), app.AreaRegistries), Query: query,
			Tabs: []ui.Tab{
				{Label: l.ReferenceNative(), Href: app.ReferenceRoute, Active: !isLegacy, Count: native().Count()},
				{Label: l.ReferenceLegacy(), Href: app.ReferenceRoute + "/legacy", Active: isLegacy, Count: legacy().Count()},
			},
		}
		if isLegacy {
			p.Action, p.Document, p.Text = app.ReferenceRoute+"/legacy", "openapi-legacy.json", l.ReferenceLegacyAbout()
			p.Groups = legacy().Find(query)
		} else {
			p.Action, p.Document, p.Text = app.ReferenceRoute, "openapi.json", l.ReferenceAbout()
			p.Groups, p.Curl = native().Find(query), s.Curl(c, http.MethodGet, "/api/jobs", nil, "")
		}
		s.Render(c, http.StatusOK, page.ListPage(p))
	}
}

// operation shows one operation.
func (s pages) operation(c *gin.Context) error {
	l, id := i18n.From(c.Request.Context()), c.Param("operation")
	for _, document := range []*page.Document{native(), legacy()} {
		op, found := document.Operation(id)
		if !found {
			continue
		}
		path := op.Path
		for _, p := range op.Parameters {
			if p.In == "path" {
				path = strings.Replace(path, "{"+p.Name+"}", fmt.Sprint(p.Example), 1)
			}
		}
		s.Render(c, http.StatusOK, page.OperationPage(page.One{
			Frame: s.Frame(c, op.Method+" "+op.Path, app.AreaRegistries), Document: document, Operation: op,
			Crumbs: []layout.Crumb{{Label: l.ReferenceTitle(), Href: app.ReferenceRoute}},
			Curl:   s.Curl(c, op.Method, path, nil, op.Request()),
		}))
		return nil
	}
	unknown := app.Problem{Kind: app.KindNotFound, Code: "not_found"}
	unknown.GoTo, unknown.GoToLabel = app.ReferenceRoute, i18n.Lang.ReferenceTitle
	return unknown.SaidAs(i18n.Lang.ReferenceUnknown, i18n.Lang.ReferenceUnknownHint)
}
