package params

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ID is the id of the field on a page.
func (f *Field) ID() string { return url.PathEscape(f.Name) }

// Label is the label of the field.
func (f *Field) Label() string { return cmp.Or(f.Schema.Title, f.Property) }

// Must reports whether a page marks the field as required.
func (f *Field) Must() bool { return f.Required && f.Kind != Check && f.Kind != Group }

// IsText reports whether the field has several lines.
func (f *Field) IsText() bool { return f.Kind == Area || f.Kind == Lines || f.Kind == JSON }

// Rows is the number of lines of a field at first.
func Rows(value string) string { return strconv.Itoa(max(3, min(14, 1+strings.Count(value, "\n")))) }

// Help is the help for a field, empty for none.
func (f *Field) Help(l i18n.Lang) string {
	more := ""
	switch {
	case f.Kind == Lines:
		more = l.RequestParamLines()
	case f.Kind == JSON:
		more = l.RequestParamJson()
	case f.InUTC():
		more = l.RequestParamUtc()
	}
	return strings.TrimSpace(f.Schema.Description + " " + more)
}

// DescribedBy are the ids of the texts about the field.
func (f *Field) DescribedBy(l i18n.Lang, wrong string) templ.Attributes {
	var ids []string
	if f.Help(l) != "" {
		ids = append(ids, f.ID()+"-help")
	}
	if wrong != "" {
		ids = append(ids, f.ID()+"-error")
	}
	if ids == nil {
		return nil
	}
	return templ.Attributes{"aria-describedby": strings.Join(ids, " ")}
}

// inputTypes are the inputs of HTML for formats.
var inputTypes = map[string]string{
	"": "text", runparams.FormatDate: "date", runparams.FormatDateTime: "datetime-local", runparams.FormatEmail: "email", runparams.FormatURI: "url",
}

// Attributes are the attributes of an input: its type, its bounds and its step.
func (f *Field) Attributes() templ.Attributes {
	a := templ.Attributes{"type": inputTypes[f.Schema.Format]}
	switch {
	case f.Kind == Hidden:
		a["type"] = "password"
	case f.InUTC():
		a["step"] = "1"
	case f.Kind == Number:
		a["type"], a["step"] = "number", "any"
		if f.Schema.Type == runparams.Integer {
			a["step"] = "1"
		}
		for name, bound := range map[string]string{"min": string(f.Schema.Minimum), "max": string(f.Schema.Maximum)} {
			if bound != "" {
				a[name] = bound
			}
		}
	}
	return a
}

// Choices are the choices of a select, with an empty one first if nothing may be chosen, or the
// boxes of a list; chosen is the number of them that are chosen.
func (f *Field) Choices(l i18n.Lang, value string) (list []ui.Choice, chosen int) {
	s, selected := f.Schema, []string{value}
	if f.Kind == Lines {
		s, selected = f.Schema.Items, strings.Split(value, "\n")
	} else if f.canBeEmpty() {
		list = append(list, ui.Choice{Label: l.RequestParamNone(), Selected: value == ""})
	}
	for _, raw := range s.Enum {
		text, _ := textOf(s, raw)
		c := ui.Choice{Value: text, Label: text, Selected: slices.Contains(selected, text)}
		if c.Selected {
			chosen++
		}
		list = append(list, c)
	}
	return list, chosen
}
