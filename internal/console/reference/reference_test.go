package reference

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/docs"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	page "github.com/elasticjob-go/elasticjob/web/templates/reference"
)

// TestW53Pages: the pages list every operation of both documents and lead to it, find a word and a
// field, and load nothing from elsewhere.
func TestW53Pages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, document := range map[string]*page.Document{
		"/reference": page.Parse(docs.OpenAPI), "/reference/legacy": page.Parse(docs.OpenAPILegacy),
	} {
		r := b.As(t, auth.RoleGuest, http.MethodGet, path, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		rows := r.Doc(t).Find(`[data-testid="operation"] a`)
		tab, count := r.Doc(t).Find(`.htabs [aria-current] .htabs-n`).Text(), strconv.Itoa(rows.Length())
		if want := document.Count(); count != want || tab != want {
			t.Errorf("%s: %d rows of %s", path, rows.Length(), document.Count())
		}
		for i := range rows.Length() {
			one := b.As(t, auth.RoleGuest, http.MethodGet, rows.Eq(i).AttrOr("href", ""), nil)
			consoletest.WantStatus(t, one, http.StatusOK)
			if heading := one.Doc(t).Find("h1").Text(); !strings.HasSuffix(heading, " "+rows.Eq(i).Text()) {
				t.Errorf("%s leads to %q", rows.Eq(i).Text(), heading)
			}
			if deprecated := one.Doc(t).Find(`[data-testid="deprecated"]`).Length() > 0; deprecated != (path != "/reference") {
				t.Errorf("%s: deprecated is %t", rows.Eq(i).Text(), deprecated)
			}
		}
	}
	for query, want := range map[string]string{
		"why job": "/api/jobs/{job}/explain", "nextFireLocal": "/api/jobs/{job}/explain", "TRIGGER invoices": "",
	} {
		doc := b.As(t, auth.RoleGuest, http.MethodGet, "/reference?q="+url.QueryEscape(query), nil).Doc(t)
		found := doc.Find(`[data-testid="operation"]`).Text()
		if !strings.Contains(found, want) || (want == "") != (found == "") || strings.Contains(found, "/healthz") {
			t.Errorf("%q finds %q", query, found)
		}
		if empty := doc.Find(`[data-testid="reference-empty"]`).Length() > 0; empty != (want == "") {
			t.Errorf("%q: nothing found is %t", query, empty)
		}
	}
	one := b.As(t, auth.RoleGuest, http.MethodGet, "/reference/operations/postJobsJobTrigger", nil)
	for id, want := range map[string]string{
		"about": "/api/jobs/invoices/trigger", "parameters": "{job}", "request": "instances", "answer": "affected",
	} {
		if got := one.Text(t, id); !strings.Contains(got, want) {
			t.Errorf("%s is %q", id, got)
		}
	}
	one = b.As(t, auth.RoleGuest, http.MethodGet, "/reference/operations/nothing", nil)
	consoletest.WantStatus(t, one, http.StatusNotFound)
}

// TestW53Served: programs and readers get the documents with the console's version and base path.
func TestW53Served(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.BasePath = "/ops" })
	for _, name := range []string{"openapi.json", "openapi-legacy.json"} {
		var d struct {
			Info    struct{ Version string }
			Servers []struct{ URL string }
		}
		program := b.Call(t, http.MethodGet, "/ops/api/"+name, "")
		consoletest.WantStatus(t, program, http.StatusOK)
		program.Into(t, &d)
		if d.Info.Version != "v0.0-test" || len(d.Servers) != 1 || d.Servers[0].URL != "/ops" {
			t.Errorf("%s: %+v", name, d)
		}
	}
	reader := consoletest.New(t).As(t, auth.RoleGuest, http.MethodGet, "/reference/openapi.json", nil)
	consoletest.WantStatus(t, reader, http.StatusOK)
}
