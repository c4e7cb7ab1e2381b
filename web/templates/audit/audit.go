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
	Action, Words       string
	Target, Detail      string
	Registry, RequestID string
	Outcome             ui.Chip
}

// ListProps is the page, with its filter as it was sent.
type ListProps struct {
	Frame                           layout.Frame
	User, Target, Outcome, From, To string
	Active                          bool // something is filtered
	Notices                         []ui.Notice
	Rows                            []Row
	Empty                           *ui.Empty
	Pager                           ui.Pager
}
