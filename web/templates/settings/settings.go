// Package settings is the pages of the settings: the lists of registries, data sources and tokens
// with the form to add an entry, the form to change one, and the page that asks before one is
// removed.
package settings

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// List is a list of entries.
type List struct {
	Frame   layout.Frame
	Sub     string
	Tabs    []ui.Tab
	Notices []ui.Notice
	// Top and Bottom are shown above and below the entries; nil for nothing.
	Top, Bottom templ.Component
	// ID and Row are the test ids of the table and its rows.
	ID, Row string
	Columns []Column
	Rows    []Row
	Empty   ui.Empty // if there are no rows
	// Form adds an entry, under the heading Add; nil if the caller may not.
	Add  string
	Form templ.Component
}

// Column is the head of a column.
type Column struct{ Label, Class string }

// Row is an entry. Fixed: it comes from the command line.
type Row struct {
	Cells   templ.Component
	Actions []ui.Button
	Fixed   bool
}

// Form is the form to add or change an entry, with the values that were typed. It never shows a secret.
type Form struct {
	Values url.Values
	// Editing: the entry exists, so its name can't change.
	Editing bool
	// Action and TestAction are the targets of the form, and Verb is its main button.
	Action, TestAction, Verb string
	// Verdict is the result of a test. Anyway offers to store the entry in spite of it.
	Verdict *ui.Note
	Anyway  bool
}

// Examples in the forms are the same in every language.
const (
	exampleServers   = "zk1:2181,zk2:2181"
	exampleNamespace = "team/billing"
	exampleHost      = "db.example.com"
	exampleOptions   = "sslmode=require search_path=jobs"
)

var (
	acls        = []string{"digest", "x509", "open"}
	sourceTypes = []string{"mysql", "postgres", "sqlite"}
)

// secretLabel is whether an entry has a secret.
func secretLabel(t i18n.Lang, has, fixed bool) string {
	switch {
	case fixed:
		return "–"
	case has:
		return t.RegistriesYes()
	}
	return t.RegistriesNo()
}

// sourceAddress is the place of a data source.
func sourceAddress(d api.DataSource) string {
	if d.Fixed {
		return "–"
	}
	return strings.TrimPrefix(d.URL, "jdbc:")
}

// days are the lifetimes of a token to choose from.
var days = []int{7, 30, 90, 180, 365}

// DefaultDays is the lifetime in an empty form.
const DefaultDays = "90"

// chosenDays reports whether a lifetime is the one in a form.
func chosenDays(v url.Values, n int) bool {
	return strconv.Itoa(n) == cmp.Or(v.Get("days"), DefaultDays)
}

// scopeLabels are the scopes with their rights.
var scopeLabels = map[string]func(i18n.Lang) string{
	"read": i18n.Lang.TokensScopeRead, "operate": i18n.Lang.TokensScopeOperate,
	"configure": i18n.Lang.TokensScopeConfigure,
}

// jobsOf names the jobs of a pattern.
func jobsOf(t i18n.Lang, pattern string) string {
	if pattern == "*" {
		return t.TokensAllJobs()
	}
	return pattern
}
