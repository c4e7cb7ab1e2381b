package jobs

import (
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Matrix is which instance has which shard.
type Matrix struct {
	Sub      string
	MoreHref string // the shards as a table; empty for nowhere
	// Columns and Rows are the shards and the instances; of a job with many shards
	// there is Large instead.
	Columns []MatrixColumn
	Rows    []MatrixRow
	Large   *chart.Cells
	Sorts   []ui.Tab // of Large
	Legend  []ui.State
}

// MatrixColumn is a shard.
type MatrixColumn struct {
	Item, Parameter string
	RunHref         string // asks before the shard runs; empty if the user may not run it
}

// MatrixRow is an instance, alive or departed.
type MatrixRow struct {
	Instance string // its id; empty for shards without an owner
	Label    string // its address
	Leader   bool
	// Left is when it left, empty while it lives.
	Left  string
	Note  string
	Cells []MatrixCell
}

// MatrixCell is a shard on an instance; without a label it is not there.
type MatrixCell struct {
	Tone         ui.Tone
	Label, Title string
}

// Story is what became of the instances of a job, in sentences.
type Story struct{ Lines []string }

// ShardsProps is the page of a job's shards.
type ShardsProps struct {
	Job     JobHead
	Notices []ui.Notice
	Matrix  Matrix
	Search  *ShardSearch // nil for a job with few shards
	Heading string       // of the table
	AllHref string       // leads from the shards of one instance to all; empty if these are all
	Rows    []Shard
	Picks   *ShardPicks // what can be done with several, nil if nothing
	Summary string
	Pager   *ui.Pager
	Empty   *ui.Empty
	Servers []Server
	NoHost  *ui.Empty
	Reshard *Reshard // the dry run; nil if the configuration cannot be read
}

// ShardSearch is the form that looks for shards, with what was asked.
type ShardSearch struct {
	Action, Text, Order, Owner string
	States                     []ui.Choice
}

// Reshard is the form of a dry run, and the plan that it made.
type Reshard struct {
	Action              string
	Shards, With        string
	Strategies, Without []ui.Choice
	Error               string
	// Planned: the rest is a plan.
	Planned bool
	// Verdict says what moves, Load how many shards each instance has then, Waits
	// which moves wait.
	Verdict, Load, Waits string
	Rows                 []ReshardRow
	More                 string
	ConfigHref           string // where the change is made; empty if it is none of the configuration
	Curl                 string
	Link                 string // the address of the plan
}

// ReshardRow is a shard of the plan.
type ReshardRow struct {
	Shard, Now, Change, Then string
	Tone                     ui.Tone
}

// ShardPicks is what can be done with the shards that are selected: where their
// boxes lead.
type ShardPicks struct {
	Rerun, Disable, Enable string
	Clear                  string
}

// ActivityProps is what happened to a job and around it.
type ActivityProps struct {
	Job       JobHead
	Notices   []ui.Notice
	Rows      []Happened
	Notes     []string
	AuditHref string // all of its entries; empty for those who may not see them
}

// Happened is one thing that happened.
type Happened struct {
	At   ui.Time
	Tone ui.Tone
	Text string
	// Target is a name after the text, where the page isn't about it alone.
	Target string
	// Note is said besides: a reason, a refusal.
	Note string
	Kind string // "action" or the kind of the event
}
