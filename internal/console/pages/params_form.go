package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// The form that the schema of a job's parameters makes. This part knows no server:
//
//	schema     ──newParamForm──▶ fields
//	parameters ──────fill──────▶ what stands in the fields    ──build──▶ parameters
//	problem    ─────placed─────▶ the field beside which it stands

// paramKind is how a parameter is asked for.
type paramKind int

const (
	paramInput  paramKind = iota // one line of text
	paramArea                    // several lines
	paramHidden                  // one line that nobody sees
	paramNumber
	paramSelect
	paramCheck
	paramLines // a list, with a value in each line
	paramJSON  // what no field is made for
	paramGroup // an object, with fields of its own
)

// paramField is a field of the form.
type paramField struct {
	name     string // of the input: p.address.city
	property string
	path     string // in problems
	kind     paramKind
	schema   *runparams.Schema
	required bool
	below    []*paramField // of a group
}

// paramForm are the fields of a schema.
type paramForm struct {
	schema *runparams.Schema
	fields []*paramField // in the order of the schema
	fresh  url.Values    // what stands in them before anybody has typed
}

// newParamForm returns the form of a schema; nil if that says nothing of parameters but
// that they are an object.
func newParamForm(s *runparams.Schema) *paramForm {
	if s == nil || len(s.Properties) == 0 && !s.Closed {
		return nil
	}
	f := &paramForm{schema: s, fields: paramFieldsOf(s, "p", "")}
	f.fresh, _ = f.fill(nil)
	eachParam(f.fields, func(field *paramField) {
		if field.kind == paramSelect && !field.canBeEmpty() && !f.fresh.Has(field.name) { // as browsers do
			first, _ := paramText(field.schema, field.schema.Enum[0])
			f.fresh.Set(field.name, first)
		}
	})
	return f
}

// nameEscapes lets a dot within a name be none between two names.
var nameEscapes = strings.NewReplacer("%", "%25", ".", "%2E")

func paramFieldsOf(s *runparams.Schema, name, path string) (list []*paramField) {
	for _, p := range s.Properties {
		f := &paramField{
			name: name + "." + nameEscapes.Replace(p.Name), property: p.Name, path: strings.TrimPrefix(path+"."+p.Name, "."),
			kind: paramKindOf(p.Schema), schema: p.Schema, required: s.Requires(p.Name),
		}
		if f.kind == paramGroup {
			f.below = paramFieldsOf(p.Schema, f.name, f.path)
		}
		list = append(list, f)
	}
	return list
}

func paramKindOf(s *runparams.Schema) paramKind {
	switch s.Type {
	case runparams.Object:
		if len(s.Properties) > 0 {
			return paramGroup
		}
	case runparams.Array:
		if s.Items != nil && slices.Contains([]runparams.Type{runparams.String, runparams.Integer, runparams.Number}, s.Items.Type) {
			return paramLines
		}
	case runparams.Boolean:
		return paramCheck
	case runparams.String, runparams.Integer, runparams.Number:
		return paramKindOfOne(s)
	case runparams.Anything:
	}
	return paramJSON
}

func paramKindOfOne(s *runparams.Schema) paramKind {
	switch {
	case s.Enum != nil:
		return paramSelect
	case s.Multiline:
		return paramArea
	case s.IsSecret():
		return paramHidden
	case s.Type != runparams.String:
		return paramNumber
	}
	return paramInput
}

// inUTC reports whether the field is a date and a time: what is typed has no zone, and
// the parameter needs one.
func (f *paramField) inUTC() bool {
	return f.kind == paramInput && f.schema.Format == runparams.FormatDateTime
}

// mostChips is up to how many choices of a list each has a box.
const mostChips = 24

// chips reports whether the values of a list are chosen, each with a box.
func (f *paramField) chips() bool {
	return f.kind == paramLines && f.schema.Items.Enum != nil && len(f.schema.Items.Enum) <= mostChips
}

// canBeEmpty reports whether a choice has one for nothing.
func (f *paramField) canBeEmpty() bool { return !f.required && f.schema.Default == nil }

// eachParam calls do for every field that is no group.
func eachParam(fields []*paramField, do func(*paramField)) {
	for _, f := range fields {
		if f.kind == paramGroup {
			eachParam(f.below, do)
		} else {
			do(f)
		}
	}
}

// keep returns what was typed into the fields, of a form that was sent.
func (f *paramForm) keep(sent url.Values) url.Values {
	kept := url.Values{}
	eachParam(f.fields, func(field *paramField) {
		if sent.Has(field.name) {
			kept.Set(field.name, strings.ReplaceAll(strings.Join(sent[field.name], "\n"), "\r\n", "\n")) // boxes send one each
		}
	})
	return kept
}

// placed returns the field that a problem with a parameter is about, nil for none, and
// where in it: [3], or [3].city.
func (f *paramForm) placed(path string) (at *paramField, within string) {
	return placedIn(f.fields, path)
}

func placedIn(fields []*paramField, path string) (at *paramField, within string) {
	for _, f := range fields {
		rest, is := strings.CutPrefix(path, f.path)
		if !is || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if inner, within := placedIn(f.below, path); inner != nil {
			return inner, within
		}
		if rest == "" || f.kind == paramJSON || f.kind == paramLines {
			return f, strings.TrimPrefix(rest, ".")
		} // else another property may have a dot in its name
	}
	return nil, ""
}

// lineOf returns which value of a list [3] is, from 1; 0 for none.
func lineOf(within string) int {
	number, opened := strings.CutPrefix(within, "[")
	number, closed := strings.CutSuffix(number, "]")
	n, err := strconv.Atoi(number)
	if !opened || !closed || err != nil {
		return 0
	}
	return n + 1
}
