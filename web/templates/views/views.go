// Package views is the page about the views of lists that were saved: what there is, and
// the form to save one.
package views

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Row is one view.
type Row struct {
	Name, Href, List string
	// Query is what it asks for, Owner who has it and By who saved it.
	Query, Owner, By string
	At               ui.Time
	// Area and Shared say to its form which one it is.
	Area   string
	Shared bool
}

// ListProps is the page.
type ListProps struct {
	Frame   layout.Frame
	Notices []ui.Notice
	Rows    []Row
	Empty   *ui.Empty
	// Form saves one; nil if no selection was asked for.
	Form *Form
}

// Form saves a view.
type Form struct {
	Area, Query, Name string
	Shared            bool
	// List is the list that it is about, and Back its address.
	List, Back string
	// Selects is the query as people read it; empty for all of the list.
	Selects string
	Curl    string
	MaxName string
}
