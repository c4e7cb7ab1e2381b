package servers

import (
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ServerProps is the page of one server.
type ServerProps struct {
	Frame   layout.Frame
	IP      string
	State   ui.Chip
	Reason  string
	Notices []ui.Notice
	// Actions are for who may.
	Actions   []ui.Button
	Ran       Ran
	Instances []InstanceRow
	// MoreInstances says how many are not listed; empty if all are.
	MoreInstances string
	Jobs          []JobRow
	JobsSub       string
	JobsPager     ui.Pager
	// Operates says that there is a column of buttons.
	Operates bool
}

// Ran is what ran on the server.
type Ran struct {
	// Problem is set while the history cannot be read.
	Problem *ui.Problem
	Sub     string
	Lanes   chart.Lanes
	Spans   []ui.Tab
	// At is what stands in the field for an instant, AtTitle is the heading above
	// what ran then; empty if none was asked for.
	At, AtTitle string
	// Span and Action belong to the form.
	Span, Action string
	Rows         []ExecutionRow
	// RowsNote says that there may be more.
	RowsNote, RunsHref string
	ExecutionsHref     string
}

// ExecutionRow is an execution that went on at an instant.
type ExecutionRow struct {
	Job, JobHref, Shard, RunHref string
	State                        ui.State
	Took, Cause                  string
}

// InstanceRow is a live instance of the server.
type InstanceRow struct {
	ID                  string
	Jobs, Shards, Leads string
	Since               ui.Time
}

// JobRow is a job of the server.
type JobRow struct {
	Name, Href string
	Key        string // names the row when the page asks for the list again
	State      ui.State
	Here       ui.State
	Shards     string
	Instances  string
	Last       ui.Time
	LastState  ui.State
	Actions    []ui.Button
}

// ConfirmProps asks before an action on a server.
type ConfirmProps struct {
	Frame            layout.Frame
	IP, Href         string
	Heading          string
	Effects          []string
	Groups           []Group
	Action, Verb     string
	Danger           bool
	Reason           string // as it was typed before
	Curl             string
	Refused, Nothing string
}

// Group is a list of names with a heading.
type Group struct {
	Heading string
	Names   []string
	// More says how many are not listed.
	More   string
	TestID string
}

// CleanUpProps asks before the entries of servers are removed.
type CleanUpProps struct {
	Frame   layout.Frame
	Notices []ui.Notice
	// Sum says what is removed if the ticks stay as they are.
	Sum  string
	Rows []CleanUpRow
	// More says that there are servers which are not listed.
	More string
	// Reason is what was typed before.
	Reason string
	Curl   string
}

// CleanUpRow is a server without instances.
type CleanUpRow struct {
	IP, Href, Jobs, Note string
	// Last is when an execution began there last, as far as the history tells.
	Last   ui.Time
	Ticked bool
}
