package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
)

// maxCloudForm is the most that a form may have: its texts have bounds of their own, of at
// most 96 KiB each, and may be escaped.
const maxCloudForm = 1 << 20

// docField is a field of the form of a document, an application or a job. It is called what
// the REST interface calls it.
type docField[T any] struct {
	name    string
	help    func(i18n.Lang) string
	kind    cloudui.FieldKind
	choices []string
	fixed   bool // what is stored cannot be changed
	get     func(*T) string
	// set reads what was typed. It returns what is wanted instead, "" if it is right.
	set func(doc *T, typed string) (want string)
}

// docForm is the form of one document.
type docForm[T any] struct {
	head       cloudui.Head
	path, back string // of the form, and where to go from there
	sections   []docSection[T]
	// stored is what there is, nil for a new document; wanted is what is to be.
	stored *T
	wanted T
	method string // and address of the REST interface that does the same
	api    string
	query  func() url.Values // of it; nil for none
	// effects say what follows from saving.
	effects func(l i18n.Lang, doc *T) []string
	save    func(ctx context.Context) error
	// saved is the page of the document.
	saved func() string
	did   func(l i18n.Lang) string
}

type docSection[T any] struct {
	title  string
	fields []docField[T]
}

// docText is a field of text.
func docText[T any](name string, help func(i18n.Lang) string, kind cloudui.FieldKind, at func(*T) *string) docField[T] {
	return docField[T]{
		name: name, help: help, kind: kind, get: func(d *T) string { return *at(d) },
		set: func(d *T, typed string) string { *at(d) = strings.TrimSpace(typed); return "" },
	}
}

// docAmount is a field of a number.
func docAmount[T any](name string, help func(i18n.Lang) string, least, most float64, at func(*T) *float64) docField[T] {
	return docField[T]{
		name: name, help: help, kind: cloudui.FieldCode, get: func(d *T) string { return strconv.FormatFloat(*at(d), 'g', -1, 64) },
		set: func(d *T, typed string) string {
			v, err := strconv.ParseFloat(strings.TrimSpace(typed), 64)
			if err != nil {
				return fmt.Sprintf("a number from %g to %g", least, most)
			}
			*at(d) = v
			return ""
		},
	}
}

// docWhole is a field of a whole number.
func docWhole[T any](name string, help func(i18n.Lang) string, least, most int, at func(*T) *int) docField[T] {
	return docField[T]{
		name: name, help: help, kind: cloudui.FieldCode, get: func(d *T) string { return strconv.Itoa(*at(d)) },
		set: func(d *T, typed string) string {
			v, err := strconv.Atoi(strings.TrimSpace(typed))
			if err != nil {
				return fmt.Sprintf("a whole number from %d to %d", least, most)
			}
			*at(d) = v
			return ""
		},
	}
}

// docSwitch is a field that is on or off.
func docSwitch[T any](name string, help func(i18n.Lang) string, at func(*T) *bool) docField[T] {
	return docField[T]{
		name: name, help: help, kind: cloudui.FieldCheck,
		get: func(d *T) string { return map[bool]string{true: "on"}[*at(d)] },
		set: func(d *T, typed string) string { *at(d) = typed != ""; return "" },
	}
}

// docWords is a list of words, one on each line; as a JSON list if a word has lines itself.
func docWords[T any](name string, help func(i18n.Lang) string, at func(*T) *[]string) docField[T] {
	return docField[T]{
		name: name, help: help, kind: cloudui.FieldLines,
		get: func(d *T) string {
			odd := func(word string) bool { return word == "" || strings.ContainsAny(word, "\r\n") }
			if words := *at(d); slices.ContainsFunc(words, odd) || len(words) > 0 && strings.HasPrefix(words[0], "[") {
				return asJSON(words)
			}
			return strings.Join(*at(d), "\n")
		},
		set: func(d *T, typed string) string {
			var words []string
			if strings.HasPrefix(typed, "[") {
				if json.Unmarshal([]byte(typed), &words) != nil {
					return "a list of texts"
				}
			} else {
				words = linesOf(typed)
			}
			*at(d) = words
			return ""
		},
	}
}

// docPairs are names and values, name=value on each line; as a JSON object if that cannot
// tell them.
func docPairs[T any](name string, help func(i18n.Lang) string, at func(*T) *map[string]string) docField[T] {
	return docField[T]{
		name: name, help: help, kind: cloudui.FieldLines,
		get: func(d *T) string {
			var lines []string
			for _, key := range view.SortedKeys(*at(d)) {
				value := (*at(d))[key]
				if key == "" || strings.ContainsAny(key, "={\r\n") || strings.ContainsAny(value, "\r\n") || key != strings.TrimSpace(key) || value != strings.TrimSpace(value) {
					return asJSON(*at(d))
				}
				lines = append(lines, key+"="+value)
			}
			return strings.Join(lines, "\n")
		},
		set: func(d *T, typed string) string {
			pairs := make(map[string]string)
			if strings.HasPrefix(typed, "{") {
				if json.Unmarshal([]byte(typed), &pairs) != nil {
					return "an object of texts"
				}
			} else {
				for _, line := range linesOf(typed) {
					key, value, is := strings.Cut(line, "=")
					if key = strings.TrimSpace(key); !is || key == "" {
						return "name=value on each line"
					}
					pairs[key] = strings.TrimSpace(value)
				}
			}
			if len(pairs) == 0 {
				pairs = nil
			}
			*at(d) = pairs
			return ""
		},
	}
}

func asJSON(value any) string {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("pages: texts as JSON: %v", err)) // It cannot be.
	}
	return string(text)
}

// linesOf are the lines of a text that are not empty.
func linesOf(text string) []string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// fingerprint says which document was shown; empty for none.
func fingerprint[T any](doc *T) string {
	if doc == nil {
		return ""
	}
	return console.CloudRevision(doc)
}

// show is the form as it was opened, or as it was typed with what is wrong with it.
func (f *docForm[T]) show(s cloudPages, c *gin.Context, status int, typed, wrong map[string]string, problems []string) error {
	p := f.props(i18n.From(c.Request.Context()), typed, wrong)
	p.Problems = problems
	s.Render(c, status, cloudui.Form(p))
	return nil
}

func (f *docForm[T]) props(l i18n.Lang, typed, wrong map[string]string) cloudui.FormProps {
	p := cloudui.FormProps{Head: f.head, Post: f.path, Back: f.back, Seen: fingerprint(f.stored)}
	for _, section := range f.sections {
		fields := cloudui.FormSection{Title: section.title}
		for _, field := range section.fields {
			value := field.get(&f.wanted)
			if text, is := typed[field.name]; is {
				value = text
			}
			fields.Fields = append(fields.Fields, cloudui.FormField{
				Name: field.name, Label: field.name, Help: field.help(l), Kind: field.kind, Choices: field.choices, Fixed: field.fixed, Value: value, Error: wrong[field.name],
			})
		}
		p.Sections = append(p.Sections, fields)
	}
	return p
}

// take carries a form that was sent as far as it goes: back to the form with what is wrong,
// to the question whether to save, or to what was saved.
func (f *docForm[T]) take(s cloudPages, c *gin.Context, check func(ctx context.Context) error) error {
	l := i18n.From(c.Request.Context())
	typed, wrong := make(map[string]string), make(map[string]string)
	for _, section := range f.sections {
		for _, field := range section.fields {
			if field.fixed {
				continue
			}
			typed[field.name] = strings.TrimSpace(c.PostForm(field.name))
			if want := field.set(&f.wanted, typed[field.name]); want != "" {
				wrong[field.name] = console.WantIn(l, want)
			}
		}
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	var problems []string
	if c.PostForm("seen") != fingerprint(f.stored) {
		problems = append(problems, l.CloudFormChanged())
	}
	if len(wrong) == 0 {
		var err error
		if problems, err = f.place(l, check(ctx), wrong, problems); err != nil {
			return err
		}
	}
	switch {
	case len(wrong)+len(problems) > 0:
		console.Refused(c, "invalid")
		return f.show(s, c, console.FormStatus(c), typed, wrong, problems)
	case c.PostForm("again") != "":
		console.Refused(c, "not_confirmed")
		return f.show(s, c, http.StatusOK, typed, nil, nil)
	case !pageui.Confirmed(c):
		return f.review(s, c)
	}
	var names []string
	for _, change := range f.changes() {
		names = append(names, change.Label)
	}
	s.Note(c, slog.String("fields", strings.Join(names, ",")))
	if err := f.save(ctx); err != nil {
		p := cloudProblem(err)
		s.LogFailure(c, p)
		console.Refused(c, p.Code)
		message, hint := p.In(l)
		return f.show(s, c, http.StatusUnprocessableEntity, typed, nil, []string{strings.TrimSpace(message + " " + hint)})
	}
	return s.acted(c, f.saved(), f.did(l), nil)
}

// place puts what is wrong with the document beside its fields, and the rest among the
// problems of the form. What is no problem of the document is returned.
func (f *docForm[T]) place(l i18n.Lang, err error, wrong map[string]string, problems []string) ([]string, error) {
	var fields []console.FieldBody
	for _, one := range lifecycle.FieldErrors(err) {
		fields = append(fields, console.FieldBody{Field: one.Field, Value: one.Value, Want: one.Want})
	}
	if err != nil && len(fields) == 0 {
		p := cloudProblem(err)
		if fields = p.Fields; len(fields) == 0 {
			return problems, err
		}
	}
	for _, field := range fields {
		at, _, _ := strings.Cut(field.Field, ".")
		if !f.has(at) {
			problems = append(problems, field.Field+": "+console.WantIn(l, field.Want))
			continue
		}
		said := console.WantIn(l, field.Want)
		if at != field.Field {
			said = field.Field + ": " + said
		}
		if wrong[at] != "" {
			said = wrong[at] + "; " + said
		}
		wrong[at] = said
	}
	return problems, nil
}

func (f *docForm[T]) has(name string) bool {
	for _, section := range f.sections {
		if slices.ContainsFunc(section.fields, func(field docField[T]) bool { return field.name == name }) {
			return true
		}
	}
	return false
}

// before is what a field of the document was.
func (f *docForm[T]) before(field docField[T]) string {
	if f.stored == nil {
		return ""
	}
	return field.get(f.stored)
}

// changes are the fields that change, with their texts before and after.
func (f *docForm[T]) changes() (list []cloudui.FormChange) {
	for _, section := range f.sections {
		for _, field := range section.fields {
			if before, after := f.before(field), field.get(&f.wanted); before != after {
				list = append(list, cloudui.FormChange{Label: field.name, Before: before, After: after})
			}
		}
	}
	return list
}

// review asks whether to save what would change.
func (f *docForm[T]) review(s cloudPages, c *gin.Context) error {
	l := i18n.From(c.Request.Context())
	p := f.props(l, nil, nil)
	p.Review, p.Effects = true, f.effects(l, &f.wanted)
	document := make(map[string]json.RawMessage)
	if err := json.Unmarshal([]byte(asJSON(f.wanted)), &document); err != nil {
		return err
	}
	maps.DeleteFunc(document, func(name string, _ json.RawMessage) bool { return !f.has(name) })
	const most = 2000
	for _, change := range f.changes() {
		p.Changes = append(p.Changes, cloudui.FormChange{Label: change.Label, Before: view.Clip(change.Before, most), After: view.Clip(change.After, most)})
	}
	if len(p.Changes) == 0 {
		return f.show(s, c, http.StatusOK, nil, nil, []string{l.CloudFormNothing()})
	}
	var query url.Values
	if f.query != nil {
		query = f.query()
	}
	p.Curl = s.Curl(c, f.method, f.api, query, string(mustCompact(document)))
	s.Render(c, http.StatusOK, cloudui.Form(p))
	return nil
}

func mustCompact(document map[string]json.RawMessage) []byte {
	text, err := json.Marshal(document)
	if err != nil {
		panic(fmt.Sprintf("pages: a document as JSON: %v", err)) // It was JSON before.
	}
	return text
}
