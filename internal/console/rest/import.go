package rest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const importRoute = "/api/settings/import"

// importRequest is a Configurations.xml of ElasticJob's console, as text.
// Preview has no default, as of bulk actions.
type importRequest struct {
	XML     string `json:"xml"`
	Preview *bool  `json:"preview"`
}

// importBody is what is, or would be, entered.
type importBody struct {
	Preview bool          `json:"preview"`
	Added   int           `json:"added"`
	Present int           `json:"present"`
	Refused int           `json:"refused"`
	Entries []importEntry `json:"entries"`
}

// importEntry is one entry of the file. Outcome is new, added, present (there is
// one of the name, which stays as it is) or refused, for which message is the
// reason.
type importEntry struct {
	Kind       string                `json:"kind"`
	Name       string                `json:"name"`
	Outcome    string                `json:"outcome"`
	Message    string                `json:"message,omitempty"`
	Registry   *console.RegistryBody `json:"registry,omitempty"`
	DataSource *console.SourceBody   `json:"dataSource,omitempty"`
	// Dropped are parameters of the URL that mean nothing here.
	Dropped []string `json:"dropped,omitempty"`
}

// The outcomes.
const (
	importNew     = "new"
	importAdded   = "added"
	importPresent = "present"
	importRefused = "refused"
)

// mostImported bounds the entries of a file.
const mostImported = 200

// importSettings enters what is in the file of ElasticJob's own console. That takes
// each entry by itself, and so one that cannot be taken keeps no other out: the
// answer names it. If none can be taken, that is a refusal.
func (s *API) importSettings(c *gin.Context) {
	var in importRequest
	err := s.readSetting(c, &in, new(string), "import settings")
	if err == nil && in.Preview == nil {
		err = console.Invalid("preview must be true or false.", "Correct the request. Nothing was stored.")
	}
	var found []element
	if err == nil {
		if found, err = elements(in.XML); err != nil {
			// The parser quotes what it stumbles over, which may be a password with
			// an ampersand in it.
			if wrong, ok := errors.AsType[*xml.SyntaxError](err); ok {
				err = fmt.Errorf("line %d is no XML; & is written &amp; there", wrong.Line)
			}
			err = console.Invalid("The file is not a Configurations.xml of ElasticJob's console: "+view.Clip(err.Error(), 200)+".", "Nothing was stored.")
		}
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	plan := importPlan{body: importBody{Preview: *in.Preview, Entries: []importEntry{}}, names: map[string]bool{}}
	for _, e := range found {
		var err error
		if e.kind == settings.KindRegistry {
			err = s.planRegistry(&plan, e, func(name string) error { _, err := s.Options().Settings.Registry(ctx, name); return err })
		} else {
			err = s.planSource(&plan, e, func(name string) error { _, err := s.Options().Settings.DataSource(ctx, name); return err })
		}
		if err != nil {
			s.Fail(c, console.SettingProblem(err, nil))
			return
		}
	}
	if !plan.body.Preview {
		if plan.body.Refused == len(plan.body.Entries) {
			s.Fail(c, plan.refusal())
			return
		}
		if err := s.Options().Settings.Add(ctx, plan.registries, plan.sources); errors.Is(err, settings.ErrExists) {
			s.Fail(c, &console.Problem{
				Kind: console.KindConflict, Code: "exists", Cause: err, Message: "Somebody entered one of them at the same time. Nothing was stored.", Hint: "Try again.",
			})
			return
		} else if err != nil {
			s.Fail(c, console.SettingProblem(err, nil))
			return
		}
		for i := range plan.body.Entries {
			if plan.body.Entries[i].Outcome == importNew {
				plan.body.Entries[i].Outcome = importAdded
				plan.body.Added++
			}
		}
	}
	s.Note(c, slog.Bool("preview", plan.body.Preview), slog.Int("added", plan.body.Added), slog.Int("present", plan.body.Present), slog.Int("refused", plan.body.Refused))
	console.WriteJSON(c, http.StatusOK, plan.body)
}

// importPlan is what an import would do.
type importPlan struct {
	body       importBody
	names      map[string]bool
	registries []settings.Registry
	sources    []settings.DataSource
}

// refusal names every entry, for none can be taken.
func (p *importPlan) refusal() *console.Problem {
	out := console.Invalid("No entry of the file can be taken. Nothing was stored.", "Correct them; with preview you see what would be entered.")
	for _, e := range p.body.Entries {
		if e.Outcome == importRefused {
			out.Fields = append(out.Fields, console.FieldBody{Field: e.Kind + " " + e.Name, Want: e.Message})
		}
	}
	return out
}

// note adds an entry: known says whether there is one of its name.
func (p *importPlan) note(e importEntry, wrong error, known error) (isNew bool, err error) {
	key := e.Kind + "/" + e.Name
	switch {
	case wrong != nil:
		e.Outcome, e.Message = importRefused, importReason(wrong)
		p.body.Refused++
	case p.names[key]:
		e.Outcome, e.Message = importRefused, "the file has two of this name"
		p.body.Refused++
	case known == nil || e.Name == console.DefaultRegistry:
		e.Outcome = importPresent
		p.body.Present++
	case !errors.Is(known, settings.ErrNotFound):
		return false, known
	default:
		e.Outcome, isNew = importNew, true
	}
	p.names[key] = true
	p.body.Entries = append(p.body.Entries, e)
	return isNew, nil
}

// importReason is what is wrong, in one line.
func importReason(err error) string {
	p := console.AsProblem(err)
	reasons := []string{strings.TrimSuffix(p.Message, ".")}
	for _, f := range p.Fields {
		reasons = append(reasons, f.Field+": want "+f.Want)
	}
	return strings.Join(reasons, "; ")
}

func (s *API) planRegistry(p *importPlan, e element, look func(string) error) error {
	digest := e.value("digest")
	r, wrong := s.RegistryFrom(console.RegistryRequest{Name: e.value("name"), Servers: e.value("zkaddresslist"), Namespace: e.value("namespace"), Digest: &digest}, settings.Registry{})
	body := console.RegistryJSON(r)
	isNew, err := p.note(importEntry{Kind: string(e.kind), Name: view.Clip(e.value("name"), 100), Registry: &body}, wrong, look(r.Name))
	if isNew {
		p.registries = append(p.registries, r)
	}
	return err
}

func (s *API) planSource(p *importPlan, e element, look func(string) error) error {
	password := e.value("password")
	d, wrong := s.SourceFrom(console.SourceRequest{Name: e.value("name"), URL: e.value("url"), Username: e.value("username"), Password: &password}, settings.DataSource{})
	entry := importEntry{Kind: string(e.kind), Name: view.Clip(e.value("name"), 100)}
	if wrong == nil {
		body := console.SourceJSON(d)
		entry.DataSource = &body
		_, entry.Dropped, _ = store.FromJDBC(e.value("url"), "", "")
	}
	isNew, err := p.note(entry, wrong, look(d.Name))
	if isNew {
		p.sources = append(p.sources, d)
	}
	return err
}

// element is an entry of the file: its attributes, by their names in lower case.
type element struct {
	kind       settings.Kind
	attributes map[string]string
}

func (e element) value(name string) string { return e.attributes[name] }

// elements finds the entries of a Configurations.xml, which the consoles of 2.x
// and 3.x wrap differently: a registry is what has an address list, a
// data source what has a URL. Entities other than XML's own are refused.
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
			e.kind = settings.KindRegistry
		} else if _, ok := e.attributes["url"]; ok {
			e.kind = settings.KindDataSource
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
