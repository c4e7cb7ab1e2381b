// Package audit is the page that lists who changed what.
package audit

import (
	"net/url"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Change is a record of the audit in words.
type Change struct {
	settings.Record
	// Did is what was done, and Targets to what.
	Did, Targets string
	// Notes are what else is known, and Reason is in somebody's own words.
	Notes, Reason string
	// End is the outcome in words, and Tone its tone.
	End  string
	Tone ui.Tone
}

// Row is a record in the list.
type Row struct {
	Change
	When ui.Time
	// Href leads to what it changed, under the label; empty for nowhere.
	Href, HrefLabel string
	// Diff is a change of a configuration; nil if it isn't known.
	Diff *Diff
}

// Diff is a change of a configuration: its fields, and its lines. More is how many lines are left out.
type Diff struct {
	Fields []editor.Change
	Lines  []ui.DiffLine
	More   int
}

// short reports whether the change fits into a line.
func (d Diff) short() bool {
	return len(d.Fields) == 1 && len(d.Fields[0].Before)+len(d.Fields[0].After) <= 60
}

// Props is the page, with its filter as [query.AuditValues] has it.
type Props struct {
	Frame         layout.Frame
	Asked         url.Values
	Kinds, Ranges []ui.Tab
	// Registries is empty if there is only one.
	Actions, Outcomes, Registries []ui.Choice
	Rows                          []Row
	Empty                         *ui.Empty
	Pager                         ui.Pager
}

// With is the address of the page with other values of some parameters, given as names and values.
func (p Props) With(pairs ...string) string { return query.With("/audit", p.Asked, pairs...) }

// filtered reports whether the list is another one than the page without a filter.
func (p Props) filtered() bool { return len(p.Asked) != 1 || p.Asked.Get("kind") != query.AuditChanges }

// opened reports whether a field of the second form has a value.
func (p Props) opened() bool {
	for _, name := range []string{"user", "target", "outcome", "action", "registry", "from", "to"} {
		if p.Asked.Has(name) {
			return true
		}
	}
	return false
}
