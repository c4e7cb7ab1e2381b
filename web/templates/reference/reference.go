// Package reference shows the REST interface as its OpenAPI documents describe it.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// List is the page of the operations of a document.
type List struct {
	Frame                         layout.Frame
	Tabs                          []ui.Tab
	Query, Action, Text, Document string
	Groups                        []Group
	Curl                          string
}

// One is the page of an operation.
type One struct {
	Frame     layout.Frame
	Crumbs    []layout.Crumb
	Document  *Document
	Operation Operation
	Curl      string
}

// Document is the part of an OpenAPI document that the pages show.
type Document struct {
	Tags       []Tag
	Paths      map[string]map[string]Operation
	Components struct{ Schemas map[string]Schema }

	operations []Operation
}

// Tag is a group of operations.
type Tag struct{ Name, Description string }

// Group is a group with its operations.
type Group struct {
	Tag
	Operations []Operation
}

// Operation is one method of one path.
type Operation struct {
	OperationID, Summary, Description string
	Tags                              []string
	Deprecated                        bool
	Parameters                        []Parameter
	RequestBody                       *Message
	Responses                         map[string]Message

	Method, Path string `json:"-"`
	text         string
}

// Parameter is a part of an address or of its query, or a header.
type Parameter struct {
	Name, In, Description string
	Schema                Schema
	Example               any
}

// Message is the body of a request or an answer.
type Message struct {
	Description string
	Content     map[string]struct {
		Schema  Schema
		Example json.RawMessage
	}
}

// Schema is the type of a value.
type Schema struct {
	Ref                  string `json:"$ref"`
	Type                 any    // a name or a list of names
	Format, Description  string
	Enum                 []string
	Items                *Schema
	AdditionalProperties *Schema
	AnyOf                []Schema
	Properties           map[string]Schema
	Required             []string
}

// Field is a field of a body. The name of a field in a list or an object has the outer name in front.
type Field struct {
	Name, Type, Text string
	Required         bool
	Enum             []string
}

// Parse reads a document.
func Parse(text []byte) *Document {
	d := &Document{}
	if err := json.Unmarshal(text, d); err != nil {
		panic(fmt.Sprintf("reference: an embedded document: %v", err)) // a test writes it
	}
	for path, methods := range d.Paths {
		for method, op := range methods {
			op.Method, op.Path = strings.ToUpper(method), path
			words := []string{op.Method, path, op.Summary, op.Description}
			for _, p := range op.Parameters {
				words = append(words, p.Name)
			}
			for _, f := range append(d.Fields(op.RequestBody), d.Fields(op.Success())...) {
				words = append(words, f.Name)
			}
			op.text = strings.ToLower(strings.Join(words, " "))
			d.operations = append(d.operations, op)
		}
	}
	slices.SortFunc(d.operations, func(a, b Operation) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return d
}

// Count is the number of operations.
func (d *Document) Count() string { return strconv.Itoa(len(d.operations)) }

// Find returns the operations in which every word of a query occurs, by group.
func (d *Document) Find(query string) (groups []Group) {
	words := strings.Fields(strings.ToLower(query))
	for _, tag := range d.Tags {
		g := Group{Tag: tag}
		for _, op := range d.operations {
			has := func(word string) bool { return !strings.Contains(op.text, word) }
			if op.Tags[0] == tag.Name && !slices.ContainsFunc(words, has) {
				g.Operations = append(g.Operations, op)
			}
		}
		if len(g.Operations) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// Operation returns the operation of an id.
func (d *Document) Operation(id string) (op Operation, found bool) {
	i := slices.IndexFunc(d.operations, func(op Operation) bool { return op.OperationID == id })
	if i < 0 {
		return op, false
	}
	return d.operations[i], true
}

// Request is the example of a request, empty if it has no body.
func (o Operation) Request() string {
	if o.RequestBody == nil {
		return ""
	}
	var text bytes.Buffer
	for _, content := range o.RequestBody.Content {
		if json.Compact(&text, content.Example) != nil {
			return ""
		}
	}
	return text.String()
}

// Success is the answer to a request that was carried out.
func (o Operation) Success() *Message {
	for _, status := range o.Statuses() {
		if status < "300" {
			m := o.Responses[status]
			return &m
		}
	}
	return nil
}

// Statuses are the statuses of the answers, in ascending order.
func (o Operation) Statuses() []string {
	return slices.Sorted(maps.Keys(o.Responses))
}

// Example is the example of a body, indented; a text as it is.
func (m *Message) Example() string {
	if m == nil {
		return ""
	}
	for _, content := range m.Content {
		var text string
		if json.Unmarshal(content.Example, &text) == nil {
			return text
		}
		var out bytes.Buffer
		if json.Indent(&out, content.Example, "", "  ") == nil {
			return out.String()
		}
	}
	return ""
}

// mostDepth bounds how far the fields of fields are listed.
const mostDepth = 3

// Fields are the fields of a body, sorted by name.
func (d *Document) Fields(m *Message) (fields []Field) {
	if m == nil {
		return nil
	}
	for _, content := range m.Content {
		fields = d.fields(nil, content.Schema, "", 0)
	}
	return fields
}

func (d *Document) fields(list []Field, of Schema, prefix string, depth int) []Field {
	of = d.object(of)
	if of.Items != nil {
		return d.fields(list, *of.Items, prefix+"[]", depth)
	}
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		p, full := of.Properties[name], strings.TrimPrefix(prefix+"."+name, ".")
		list = append(list, Field{full, d.TypeOf(p), p.Description, slices.Contains(of.Required, name), d.enum(p)})
		if depth < mostDepth {
			list = d.fields(list, p, full, depth+1)
		}
	}
	return list
}

// object follows references, and leaves out the null of a value that may be null.
func (d *Document) object(of Schema) Schema {
	for _, one := range of.AnyOf {
		if one.Type != "null" {
			of = one
			break
		}
	}
	if name, ok := strings.CutPrefix(of.Ref, "#/components/schemas/"); ok {
		return d.Components.Schemas[name]
	}
	return of
}

func (d *Document) enum(of Schema) []string {
	if of.Items != nil {
		return of.Items.Enum
	}
	return of.Enum
}

// TypeOf names the type of a value.
func (d *Document) TypeOf(of Schema) string {
	switch t := of.Type.(type) {
	case string:
		switch {
		case of.Items != nil:
			return d.TypeOf(*of.Items) + "[]"
		case of.Format != "":
			return of.Format
		}
		return t
	case []any:
		names := make([]string, len(t))
		for i, name := range t {
			names[i] = fmt.Sprint(name)
		}
		return strings.Join(names, " | ")
	}
	if len(of.AnyOf) > 0 {
		names := make([]string, len(of.AnyOf))
		for i, one := range of.AnyOf {
			names[i] = d.TypeOf(one)
		}
		return strings.Join(names, " | ")
	}
	if of.Ref != "" {
		return "object"
	}
	return "any"
}

// Paragraphs are the paragraphs of the description.
func (o Operation) Paragraphs() []string { return strings.Split(o.Description, "\n\n") }

// parameters are the parameters as fields: path parameters first, as {name}, and headers last.
func (o Operation) parameters(d *Document) (list []Field) {
	for _, p := range o.Parameters {
		f := Field{
			Name:     p.Name,
			Type:     d.TypeOf(p.Schema),
			Text:     p.Description,
			Required: p.In == "path",
			Enum:     d.enum(p.Schema),
		}
		switch p.In {
		case "path":
			f.Name = "{" + p.Name + "}"
		case "query":
			f.Name = "?" + p.Name
		}
		list = append(list, f)
	}
	return list
}
