// Package sources is the pages about event-trace data sources: the list, with the form
// to enter one, and the form to change one.
package sources

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Row is one data source.
type Row struct {
	Name, Type, Address, User, Password, UsedBy string
	// The addresses of its actions, empty if there are none.
	TestAction, EditHref, RemoveHref string
}

// ListProps is the list.
type ListProps struct {
	Frame   layout.Frame
	Tabs    []ui.Tab
	Notices []ui.Notice
	Rows    []Row
	Empty   *ui.Empty
	// Own describes the data source of the command line; nil without one.
	Own *Described
	// Form is nil for who may not enter one.
	Form *Form
}

// Described is what a trace database has and lacks.
type Described struct {
	Problem *ui.Problem
	Facts   []ui.Fact
	// Advice is what to do about what it lacks; empty if it lacks nothing.
	Advice string
}

// Form is what was typed, without the password.
type Form struct {
	Name, Type, Host, Port, Database, User, Options string
	// Editing: the data source is there, with a password if HasPassword.
	Editing, HasPassword bool
	Action, TestAction   string
	// Verdict is what a test found; Anyway offers to store in spite of it.
	Verdict *ui.Note
	Anyway  bool
	Types   []ui.Choice
}

// EditProps is the form to change one.
type EditProps struct {
	Frame   layout.Frame
	Notices []ui.Notice
	Form    Form
	Curl    string
}

// What the form shows as it stands in a configuration, in every language.
const (
	exampleHost    = "db.example.com"
	exampleOptions = "sslmode=require search_path=jobs"
)
