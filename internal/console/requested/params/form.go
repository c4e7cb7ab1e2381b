// Package params makes a form of the schema of a job's parameters. It knows no server:
//
//	schema     ───New──▶ fields
//	parameters ──Fill──▶ the values of the fields ──Build──▶ parameters
//	problem    ─Placed─▶ the field that it is about
package params

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// Kind is the kind of a field.
type Kind int

// The kinds.
const (
	Input  Kind = iota // one line of text
	Area               // several lines
	Hidden             // one line that is not shown
	Number
	Select
	Check
	Lines // a list, with a value in each line
	JSON  // any other value
	Group // an object, with fields of its own
)

// Field is a field of the form.
type Field struct {
	Name     string // of the input: p.address.city
	Property string
	path     string // in problems
	Kind     Kind
	Schema   *runparams.Schema
	Required bool
	Below    []*Field // of a group
}

// Form has the fields of a schema.
type Form struct {
	Schema *runparams.Schema
	Fields []*Field   // in the order of the schema
	Fresh  url.Values // the values of a new form
}

// New returns the form of a schema; nil if the schema only requires an object.
func New(s *runparams.Schema) *Form {
	if s == nil || len(s.Properties) == 0 && !s.Closed {
		return nil
	}
	f := &Form{Schema: s, Fields: fieldsOf(s, "p", "")}
	f.Fresh, _ = f.Fill(nil)
	each(f.Fields, func(field *Field) {
		if field.Kind == Select && !field.canBeEmpty() && !f.Fresh.Has(field.Name) { // as browsers do
			first, _ := textOf(field.Schema, field.Schema.Enum[0])
			f.Fresh.Set(field.Name, first)
		}
	})
	return f
}

// nameEscapes escapes dots within names, because a dot separates two names.
var nameEscapes = strings.NewReplacer("%", "%25", ".", "%2E")

func fieldsOf(s *runparams.Schema, name, path string) (list []*Field) {
	for _, p := range s.Properties {
		f := &Field{
			Name: name + "." + nameEscapes.Replace(p.Name), Property: p.Name, path: strings.TrimPrefix(path+"."+p.Name, "."),
			Kind: kindOf(p.Schema), Schema: p.Schema, Required: s.Requires(p.Name),
		}
		if f.Kind == Group {
			f.Below = fieldsOf(p.Schema, f.Name, f.path)
		}
		list = append(list, f)
	}
	return list
}

func kindOf(s *runparams.Schema) Kind {
	switch s.Type {
	case runparams.Object:
		if len(s.Properties) > 0 {
			return Group
		}
	case runparams.Array:
		if s.Items != nil && slices.Contains([]runparams.Type{runparams.String, runparams.Integer, runparams.Number}, s.Items.Type) {
			return Lines
		}
	case runparams.Boolean:
		return Check
	case runparams.String, runparams.Integer, runparams.Number:
		return kindOfOne(s)
	case runparams.Anything:
	}
	return JSON
}

func kindOfOne(s *runparams.Schema) Kind {
	switch {
	case s.Enum != nil:
		return Select
	case s.Multiline:
		return Area
	case s.IsSecret():
		return Hidden
	case s.Type != runparams.String:
		return Number
	}
	return Input
}

// InUTC reports whether the field is a date and a time in UTC: the text of a browser has no zone, and
// the parameter needs one.
func (f *Field) InUTC() bool {
	return f.Kind == Input && f.Schema.Format == runparams.FormatDateTime
}

// mostChips is the number of choices of a list up to which each has a box.
const mostChips = 24

// Chips reports whether each value of the list has a box.
func (f *Field) Chips() bool {
	return f.Kind == Lines && f.Schema.Items.Enum != nil && len(f.Schema.Items.Enum) <= mostChips
}

// canBeEmpty reports whether a select has an empty choice.
func (f *Field) canBeEmpty() bool { return !f.Required && f.Schema.Default == nil }

// each calls do for every field that isn't a group.
func each(fields []*Field, do func(*Field)) {
	for _, f := range fields {
		if f.Kind == Group {
			each(f.Below, do)
		} else {
			do(f)
		}
	}
}

// Keep returns the values of the fields in a form that was sent.
func (f *Form) Keep(sent url.Values) url.Values {
	kept := url.Values{}
	each(f.Fields, func(field *Field) {
		if sent.Has(field.Name) {
			kept.Set(field.Name, strings.ReplaceAll(strings.Join(sent[field.Name], "\n"), "\r\n", "\n")) // boxes send one each
		}
	})
	return kept
}

// Placed returns the field that a problem with a parameter is about, nil for none, and the place
// in it, such as [3] or [3].city.
func (f *Form) Placed(path string) (at *Field, within string) {
	return placedIn(f.Fields, path)
}

func placedIn(fields []*Field, path string) (at *Field, within string) {
	for _, f := range fields {
		rest, is := strings.CutPrefix(path, f.path)
		if !is || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if inner, within := placedIn(f.Below, path); inner != nil {
			return inner, within
		}
		if rest == "" || f.Kind == JSON || f.Kind == Lines {
			return f, strings.TrimPrefix(rest, ".")
		} // else another property may have a dot in its name
	}
	return nil, ""
}

// LineOf returns the number of a value of a list, from 1, of a place such as [3]; 0 for another place.
func LineOf(within string) int {
	number, opened := strings.CutPrefix(within, "[")
	number, closed := strings.CutSuffix(number, "]")
	n, err := strconv.Atoi(number)
	if !opened || !closed || err != nil {
		return 0
	}
	return n + 1
}
