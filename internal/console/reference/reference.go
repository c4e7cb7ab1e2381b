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
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	page "github.com/elasticjob-go/elasticjob/web/templates/reference"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Routes are the documents and the pages about them; [console.New] mounts them.
func Routes(s *console.Console) []console.Route {
	r := pages{s}
	return slices.Concat(
		document(s, "openapi.json", docs.OpenAPI, "This interface as an OpenAPI 3.1 document."),
		document(s, "openapi-legacy.json", docs.OpenAPILegacy,
			"The addresses that only clients of ElasticJob's own consoles need, as an OpenAPI 3.1 document."),
		[]console.Route{
			console.Get(console.ReferenceRoute, console.SignedIn, 0, r.list(false)).Asks("q"),
			console.Get(console.ReferenceRoute+"/legacy", console.SignedIn, 0, r.list(true)).Asks("q"),
			console.Get(console.ReferenceRoute+"/operations/:operation", console.SignedIn, 0, r.operation).Asks(),
		},
	)
}

// document are the routes of a document, one for programs and one for pages, because the cookie of
// a page counts for nothing below /api.
func document(s *console.Console, name string, text []byte, summary string) []console.Route {
	body := sync.OnceValue(func() []byte { return served(s.Options(), text) })
	answer := func(c *gin.Context) { c.Data(http.StatusOK, "application/json; charset=utf-8", body()) }
	operation := console.Operation{Summary: summary, Answer: map[string]any{}}
	return []console.Route{
		console.Get("/api/"+name, console.SignedIn, 0, answer).AboutNoJob().Documented(operation),
		console.Get(console.ReferenceRoute+"/"+name, console.SignedIn, 0, answer).Asks(),
	}
}

// served is a document with the version and the address of the console that serves it.
func served(o *console.Options, text []byte) []byte {
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
type pages struct{ *console.Console }

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
			Frame: s.Frame(c, l.ReferenceTitle(), console.AreaRegistries), Query: query,
			Tabs: []ui.Tab{
				{Label: l.ReferenceNative(), Href: console.ReferenceRoute, Active: !isLegacy, Count: native().Count()},
				{Label: l.ReferenceLegacy(), Href: console.ReferenceRoute + "/legacy", Active: isLegacy, Count: legacy().Count()},
			},
		}
		if isLegacy {
			p.Action, p.Document, p.Text = console.ReferenceRoute+"/legacy", "openapi-legacy.json", l.ReferenceLegacyAbout()
			p.Groups = legacy().Find(query)
		} else {
			p.Action, p.Document, p.Text = console.ReferenceRoute, "openapi.json", l.ReferenceAbout()
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
			Frame: s.Frame(c, op.Method+" "+op.Path, console.AreaRegistries), Document: document, Operation: op,
			Crumbs: []layout.Crumb{{Label: l.ReferenceTitle(), Href: console.ReferenceRoute}},
			Curl:   s.Curl(c, op.Method, path, nil, op.Request()),
		}))
		return nil
	}
	unknown := console.Problem{Kind: console.KindNotFound, Code: "not_found"}
	unknown.GoTo, unknown.GoToLabel = console.ReferenceRoute, i18n.Lang.ReferenceTitle
	return unknown.SaidAs(i18n.Lang.ReferenceUnknown, i18n.Lang.ReferenceUnknownHint)
}
