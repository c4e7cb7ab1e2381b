package settings

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store"
	stored "github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// mostImported bounds the entries of a file.
const mostImported = 200

// importer adds the entries of a file of ElasticJob's own console.
type importer struct{ *app.Console }

// post imports a file. ElasticJob's console takes each entry by itself, so an entry that can't be
// taken doesn't keep the others out: the answer names it. It's a refusal if none can be taken.
func (s importer) post(c *gin.Context) error {
	var in api.ImportRequest
	if err := readBody(s.Console, c, &in, new(string), "import settings"); err != nil {
		return err
	}
	if in.Preview == nil {
		return app.Invalid("preview must be true or false.", "Correct the request. Nothing was stored.")
	}
	found, err := elements(in.XML)
	if err != nil {
		// The parser quotes the wrong text, which may be a password with an ampersand.
		if wrong, ok := errors.AsType[*xml.SyntaxError](err); ok {
			err = fmt.Errorf("line %d is no XML; & is written &amp; there", wrong.Line)
		}
		reason := "The file is not a Configurations.xml of ElasticJob's console: " + view.Clip(err.Error(), 200) + "."
		return app.Invalid(reason, "Nothing was stored.")
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	plan := importPlan{body: api.Import{Preview: *in.Preview, Entries: []api.ImportEntry{}}, names: map[string]bool{}}
	for _, e := range found {
		if err := s.plan(ctx, &plan, e); err != nil {
			return app.SettingProblem(err, nil)
		}
	}
	if !plan.body.Preview {
		if err := s.carryOut(ctx, &plan); err != nil {
			return err
		}
	}
	s.Note(c, slog.Bool("preview", plan.body.Preview), slog.Int("added", plan.body.Added),
		slog.Int("present", plan.body.Present), slog.Int("refused", plan.body.Refused))
	app.WriteJSON(c, http.StatusOK, plan.body)
	return nil
}

// importPlan is the result of an import before it's carried out.
type importPlan struct {
	body       api.Import
	names      map[string]bool
	registries []stored.Registry
	sources    []stored.DataSource
}

// plan adds an entry to the plan.
func (s importer) plan(ctx context.Context, p *importPlan, e element) error {
	name, settings := e.value("name"), s.Options().Settings
	entry := api.ImportEntry{Kind: string(e.kind), Name: view.Clip(name, 100)}
	if e.kind == stored.KindRegistry {
		digest := e.value("digest")
		r, wrong := registryEntries(s.Console).make(api.RegistryRequest{
			Name: name, Servers: e.value("zkaddresslist"), Namespace: e.value("namespace"), Digest: &digest,
		}, stored.Registry{})
		body := registryBody(r)
		entry.Registry = &body
		_, known := settings.Registries().Get(ctx, r.Name)
		isNew, err := p.note(entry, wrong, known)
		if isNew {
			p.registries = append(p.registries, r)
		}
		return err
	}
	password := e.value("password")
	d, wrong := sourceEntries(s.Console).make(api.DataSourceRequest{
		Name: name, URL: e.value("url"), Username: e.value("username"), Password: &password,
	}, stored.DataSource{})
	if wrong == nil {
		body := sourceBody(d)
		entry.DataSource = &body
		_, entry.Dropped, _ = store.FromJDBC(e.value("url"), "", "")
	}
	_, known := settings.DataSources().Get(ctx, d.Name)
	isNew, err := p.note(entry, wrong, known)
	if isNew {
		p.sources = append(p.sources, d)
	}
	return err
}

// note adds an entry to the answer. known is nil if an entry of its name is stored.
func (p *importPlan) note(e api.ImportEntry, wrong, known error) (isNew bool, err error) {
	key := e.Kind + "/" + e.Name
	switch {
	case wrong != nil:
		e.Outcome, e.Message = api.ImportRefused, importReason(wrong)
		p.body.Refused++
	case p.names[key]:
		e.Outcome, e.Message = api.ImportRefused, "the file has two of this name"
		p.body.Refused++
	case known == nil || e.Name == app.DefaultRegistry:
		e.Outcome = api.ImportPresent
		p.body.Present++
	case !errors.Is(known, stored.ErrNotFound):
		return false, known
	default:
		e.Outcome, isNew = api.ImportNew, true
	}
	p.names[key] = true
	p.body.Entries = append(p.body.Entries, e)
	return isNew, nil
}

// importReason is the reason of a refusal, in one line.
func importReason(err error) string {
	p := app.AsProblem(err)
	reasons := []string{strings.TrimSuffix(p.Message, ".")}
	for _, f := range p.Fields {
		reasons = append(reasons, f.Field+": want "+f.Want)
	}
	return strings.Join(reasons, "; ")
}

// carryOut stores the new entries together.
func (s importer) carryOut(ctx context.Context, p *importPlan) error {
	if p.body.Refused == len(p.body.Entries) {
		out := app.Invalid("No entry of the file can be taken. Nothing was stored.",
			"Correct them; with preview you see what would be entered.")
		for _, e := range p.body.Entries {
			out.Fields = append(out.Fields, api.FieldBody{Field: e.Kind + " " + e.Name, Want: e.Message})
		}
		return out
	}
	switch err := s.Options().Settings.Add(ctx, p.registries, p.sources); {
	case errors.Is(err, stored.ErrExists):
		return &app.Problem{
			Kind: app.KindConflict, Code: "exists", Cause: err,
			Message: "Another user entered one of them at the same time. Nothing was stored.", Hint: "Try again.",
		}
	case err != nil:
		return app.SettingProblem(err, nil)
	}
	for i := range p.body.Entries {
		if p.body.Entries[i].Outcome == api.ImportNew {
			p.body.Entries[i].Outcome = api.ImportAdded
			p.body.Added++
		}
	}
	return nil
}

// element is an entry of the file: its attributes, by their names in lower case.
type element struct {
	kind       stored.Kind
	attributes map[string]string
}

func (e element) value(name string) string { return e.attributes[name] }

// elements finds the entries of a Configurations.xml, which the consoles of 2.x
// and 3.x wrap differently: an element with an address list is a
// registry, and an element with a URL is a data source. Entities other than XML's own are refused.
func elements(text string) ([]element, error) {
	decoder := xml.NewDecoder(bytes.NewReader([]byte(text)))
	var list []element
	seen := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		seen = true
		e := element{attributes: make(map[string]string)}
		for _, a := range start.Attr {
			e.attributes[strings.ToLower(a.Name.Local)] = a.Value
		}
		if _, ok := e.attributes["zkaddresslist"]; ok {
			e.kind = stored.KindRegistry
		} else if _, ok := e.attributes["url"]; ok {
			e.kind = stored.KindDataSource
		} else {
			continue
		}
		if list = append(list, e); len(list) > mostImported {
			return nil, fmt.Errorf("it has more than %d entries", mostImported)
		}
	}
	if !seen || len(list) == 0 {
		return nil, errors.New("it has no registry and no data source")
	}
	return list, nil
}
