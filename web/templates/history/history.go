// Package history is the list of executions.
package history

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Run is one execution of one shard.
type Run struct {
	Key          string // names the row when the page asks for the list again
	Job, JobHref string
	// RunHref is the page of the run that it is a part of.
	RunHref    string
	Item       string
	State      ui.Chip
	Start, End ui.Time
	Took       string
	Trigger    string
	Host, IP   string
	TaskID     string
	// Cause is why it failed, in a line; CauseRest is more of it, empty if that is all.
	// The page of the run has the whole.
	Cause, CauseRest string
}

// RunsProps is a table of executions.
type RunsProps struct {
	Runs []Run
	// Columns are the heads, in the order of the cells.
	Columns []ui.Column
}

// ExecutionsProps is the page of executions.
type ExecutionsProps struct {
	Frame   layout.Frame
	Levels  []ui.Tab // runs, executions, status trail
	Filter  ExecutionsFilter
	Notices []ui.Notice
	Runs    RunsProps
	Empty   *ui.Empty
	Pager   ui.Pager
}

// ExecutionsFilter is the form above the list, as it was sent.
type ExecutionsFilter struct {
	Job, IP, Item, From, To string
	Failure, Took           string
	Sort, Order             string // kept by the form, changed by the heads
	Matches                 []ui.Choice
	States                  []ui.Choice
	Sizes                   []ui.Choice
	Active                  bool // something is filtered
}
