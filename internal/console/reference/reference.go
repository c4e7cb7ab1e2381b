package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

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
	r := pages{s, page.Parse(docs.OpenAPI), page.Parse(docs.OpenAPILegacy)}
	return slices.Concat(
		document(s, "openapi.json", "This interface as an OpenAPI 3.1 document.", docs.OpenAPI),
		document(s, "openapi-legacy.json", "The addresses that only clients of ElasticJob's own consoles need, as an OpenAPI 3.1 document.", docs.OpenAPILegacy),
		[]console.Route{
			console.Get(console.ReferenceRoute, console.SignedIn, 0, r.list(false)).Asks("q"),
			console.Get(console.ReferenceRoute+"/legacy", console.SignedIn, 0, r.list(true)).Asks("q"),
			console.Get(console.ReferenceRoute+"/operations/:operation", console.SignedIn, 0, r.operation).Asks(),
		})
}

// document are the routes of a document: for programs, and for readers of the pages, whose session
// programs can't use.
func document(s *console.Console, name, summary string, text []byte) []console.Route {
	body := served(s.Options(), text)
	answer := func(c *gin.Context) { c.Data(http.StatusOK, "application/json; charset=utf-8", body) }
	return []console.Route{
		console.Get("/api/"+name, console.SignedIn, 0, answer).AboutNoJob().Documented(console.Operation{Summary: summary, Answer: map[string]any{}}),
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
type pages struct {
	*console.Console
	native, legacy *page.Document
}

// list shows the operations of a document, or those in which the words of a search occur.
func (s pages) list(legacy bool) func(*gin.Context) {
	return func(c *gin.Context) {
		l, document := i18n.From(c.Request.Context()), s.native
		if legacy {
			document = s.legacy
		}
		query := c.Query("q")
		p := page.List{
			Frame: s.Frame(c, l.ReferenceTitle(), console.AreaRegistries), Query: query, Action: console.ReferenceRoute,
			Text: l.ReferenceAbout(), Document: "openapi.json", Groups: document.Find(query),
			Curl: s.Curl(c, http.MethodGet, "/api/jobs", nil, ""),
		}
		if legacy {
			p.Action, p.Text, p.Document, p.Curl = console.ReferenceRoute+"/legacy", l.ReferenceLegacyAbout(), "openapi-legacy.json", ""
		}
		p.Tabs = []ui.Tab{
			{Label: l.ReferenceNative(), Href: console.ReferenceRoute, Active: !legacy, Count: s.native.Count(), TestID: "tab-native"},
			{Label: l.ReferenceLegacy(), Href: console.ReferenceRoute + "/legacy", Active: legacy, Count: s.legacy.Count(), TestID: "tab-legacy"},
		}
		s.Render(c, http.StatusOK, page.ListPage(p))
	}
}

// operation shows one operation.
func (s pages) operation(c *gin.Context) error {
	l, id := i18n.From(c.Request.Context()), c.Param("operation")
	for _, document := range []*page.Document{s.native, s.legacy} {
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
	return console.Problem{Kind: console.KindNotFound, Code: "not_found", GoTo: console.ReferenceRoute, GoToLabel: i18n.Lang.ReferenceTitle}.
		SaidAs(i18n.Lang.ReferenceUnknown, i18n.Lang.ReferenceUnknownHint)
}
