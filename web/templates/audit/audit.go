// Package audit is the page that lists who changed what.
package audit

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Row is one record.
type Row struct {
	At                 ui.Time
	User, Role, Remote string
	// Action is the request, Words what it asked for; empty if there are none.
	Action, Words string
	Target        string
	// Reason is why, in somebody's words; Detail what else is known, and Raw both as they
	// were recorded.
	Reason, Detail, Raw string
	Registry, RequestID string
	Outcome             ui.Chip
	// Href leads to what it changed, HrefLabel says what; empty for nowhere.
	Href, HrefLabel string
	// Diff is what it changed in a configuration; nil if that is not known.
	Diff *Diff
}

// Diff is what a change of a configuration changed: its fields, and its lines.
// More is how many lines are left out.
type Diff struct {
	Fields []Field
	Lines  []ui.DiffLine
	More   int
}

// Field is a key with its values; empty for none.
type Field struct{ Name, Before, After string }

// Short reports whether the change fits into a line.
func (d Diff) Short() bool {
	return len(d.Fields) == 1 && len(d.Fields[0].Before)+len(d.Fields[0].After) <= 60
}

// ListProps is the page, with its filter as it was sent.
type ListProps struct {
	Frame                        layout.Frame
	Text, User, Target, From, To string
	Kind, Last                   string
	Kinds, Ranges                []ui.Tab
	// Registries are none where there is but one.
	Actions, Outcomes, Registries []ui.Choice
	More                          bool   // the form of all filters is open
	Active                        bool   // something is filtered
	CSV, JSON                     string // where the exports are
	Notices                       []ui.Notice
	Rows                          []Row
	Empty                         *ui.Empty
	Pager                         ui.Pager
}
