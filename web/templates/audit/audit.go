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
	CSV                           string // where the export is
	Notices                       []ui.Notice
	Rows                          []Row
	Empty                         *ui.Empty
	Pager                         ui.Pager
}
