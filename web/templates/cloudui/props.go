package cloudui

import (
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Head is what the pages of the area have above their content.
type Head struct {
	Frame layout.Frame
	// Tabs are the parts of the area; none on a page about one thing.
	Tabs   []ui.Tab
	Crumbs []layout.Crumb
	// Heading is the page's; Mono says that it is a name.
	Heading string
	Mono    bool
	Sub     string
	State   *ui.Chip // beside the heading, nil for none
	Actions []ui.Button
	Notices []ui.Notice
}

// RunsProps is the list of runs.
type RunsProps struct {
	Head  Head
	Views []ui.Tab
	// Job is the name that the list is narrowed by, State the state; ClearHref is the
	// list without the name.
	Job, State, ClearHref string
	Rows                  []runs.Row
	Empty                 *ui.Empty
	Pager                 ui.Pager
}

// RunProps is a run.
type RunProps struct {
	Head    Head
	Facts   []ui.Fact
	Reasons []Reason
	// Cells are all shards by state; nil where the timeline has all of them.
	Cells    *chart.Cells
	CellsSub string
	Timeline runs.RunProps
	// NoTasks says why there is no timeline yet; empty if there is one.
	NoTasks string
	Ended   bool
	// Processes are those of a DAEMON, in the place of the timeline; nil for other runs.
	Processes *Processes
}

// Processes are those of a DAEMON job, one per shard.
type Processes struct {
	Rows []Process
	// Shared says that they share the shards, so that their numbers say nothing of those.
	Shared bool
	More   string // how many are not listed, in words; empty for none
	None   *ui.Empty
	// ExecutionsHref is what they ran.
	ExecutionsHref string
}

// Process is the newest process of a shard.
type Process struct {
	Shard, Href, LogHref    string
	State                   ui.State
	Since                   ui.Time
	Restarts, Node, Message string
}

// Reason keeps a run from going on.
type Reason struct {
	Count string
	Text  string
	Since ui.Time
}

// ShardProps is a shard of a run.
type ShardProps struct {
	Head     Head
	Facts    []ui.Fact
	Attempts []Attempt
	Log      Log
	Ended    bool
}

// Attempt is a process that ran the shard, or will.
type Attempt struct {
	Number, Href string
	Shown        bool // its log is
	State        ui.State
	Node         string
	Start        ui.Time
	Took         string
	Message      string
}

// Log is what a process wrote.
type Log struct {
	Sub      string
	None     string // why there is no text; empty if there is
	Text     string
	Label    string
	More     *ui.Tab // to all lines, or back to the last ones
	Download string
}

// ConfirmProps is the question before something that cannot be taken back.
type ConfirmProps struct {
	Head    Head
	Effects []string
	Post    string
	Verb    string
	Back    string
	// Choices are the ways to do it, of which one is chosen; none for one way alone.
	ChoicesTitle string
	Choices      []Choice
	// Typed is the name that has to be typed, empty for none; Wrong is what was typed
	// instead.
	Typed, Wrong, Error string
	// Refused says why it cannot be done at all.
	Refused string
	Curl    string
}

// Choice is a way to do something.
type Choice struct {
	Value, Label, Text string
	Chosen             bool
	// Off says why it cannot be chosen; empty if it can.
	Off string
}

// JobsProps is the list of jobs.
type JobsProps struct {
	Head  Head
	Views []ui.Tab
	Rows  []JobRow
	Empty *ui.Empty
}

// JobRow is a job in a list.
type JobRow struct {
	Name, Href, Type string
	Namespace        string // of a cluster; empty where there are not several
	App, AppHref     string
	State            ui.State
	Shards           string
	Next             ui.Time
	NextNone         string // why there is no next fire time; empty if there is
	Strip            ui.Strip
	Trigger          *ui.Button // nil for who may not
}

// JobProps is a job.
type JobProps struct {
	Head     Head
	Facts    []ui.Fact
	App      string
	AppHref  string
	Schedule Schedule
	Rows     []runs.Row
	RunsHref string
	RunsNone string // why there is no run; empty if there is
	Values   []ui.Fact
	// Processes are those of a DAEMON, in the place of the runs; nil for other jobs.
	Processes *Processes
}

// Schedule is when a job fires.
type Schedule struct {
	Words, Cron, Zone string
	Fires             []NextFire
	None              string // why there are no fire times
}

// NextFire is a fire time to come.
type NextFire struct {
	At, In ui.Time
	There  string // the same in the job's zone, empty if that is the page's
}

// TriggerProps is the form that asks for a run.
type TriggerProps struct {
	Head                Head
	Post, Back          string
	Params, ParamsError string
	Shards, ShardsError string
	Last                string // the last shard
	Effects             []string
	Curl                string
}

// AppsProps is the list of applications.
type AppsProps struct {
	Head  Head
	Rows  []AppRow
	Empty *ui.Empty
}

// AppRow is an application in the list.
type AppRow struct {
	Name, Href, Program, Needs, Jobs string
	Namespace                        string // of a cluster; empty where there are not several
	State                            ui.State
}

// AppProps is an application.
type AppProps struct {
	Head     Head
	Facts    []ui.Fact
	Env      []ui.Fact
	Jobs     []JobRow
	JobsNone string // why there are no jobs; empty if there are
}

// OverviewProps is the area at a glance.
type OverviewProps struct {
	Head               Head
	Facts              []ui.Fact
	JobViews, RunViews []ui.Tab
	Look               []JobRow // jobs that want a look
	Rows               []runs.Row
	RunsHref           string
	RunsNone           *ui.Empty
	// Week is how many tasks ran at a time, nil if nobody has counted; Most the greatest
	// number and WeekWord what it counts.
	Week           *chart.Bars
	Most, WeekWord string
}

// QueuesProps is what runs, what waits and what is tried again.
type QueuesProps struct {
	Head Head
	Tabs []ui.Tab
	// Note says what the tab shows.
	Note  string
	Rows  []QueueRow
	More  string // how many are not listed, in words; empty for none
	Empty *ui.Empty
}

// QueueRow is a task, a fire time or a request.
type QueueRow struct {
	Key, Label, Href string
	Job, JobHref     string
	State            ui.State
	Where            string
	At               ui.Time
}

// FormProps is the form of an application or a job.
type FormProps struct {
	Head       Head
	Post, Back string
	// Seen says which document was shown; empty for a new one.
	Seen     string
	Sections []FormSection
	Problems []string // that are not of one field
	// Review shows Changes and Effects, to be saved; the fields are carried along.
	Review  bool
	Changes []FormChange
	Effects []string
	Curl    string
}

// FormSection are fields that belong together.
type FormSection struct {
	Title  string
	Fields []FormField
}

// FieldKind is how a field is entered.
type FieldKind int

// The kinds of fields.
const (
	FieldText FieldKind = iota
	FieldCode
	FieldLines
	FieldCheck // Value is empty for no
	FieldChoice
)

// FormField is one field.
type FormField struct {
	Name, Label, Help, Value, Error string
	Kind                            FieldKind
	Choices                         []string
	Fixed                           bool
}

// FormChange is what becomes of a field.
type FormChange struct{ Label, Before, After string }
