package cloudui

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Path is the address of a page of the area; names are escaped.
func Path(parts ...string) string {
	path := "/cloud"
	for _, part := range parts {
		path += "/" + strings.ReplaceAll(url.PathEscape(part), "+", "%2B")
	}
	return path
}

// RunPath is the page of a run.
func RunPath(run string) string { return Path("runs", run) }

// RunsPath is the list of the runs of a job.
func RunsPath(job string) string { return "/cloud/runs?" + url.Values{"job": {job}}.Encode() }

// ShardPath is the page of a shard of a run.
func ShardPath(run string, shard int) string { return Path("runs", run, "items", strconv.Itoa(shard)) }

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
	// Cells are all shards by state; nil if the timeline has all of them.
	Cells    *chart.Cells
	CellsSub string
	Timeline runs.Timeline
	Ended    bool
	// Processes replace the timeline of a DAEMON; nil for other runs.
	Processes *Processes
}

// Processes are the newest processes of the shards of a DAEMON job.
type Processes struct {
	Job, Run string
	Rows     []Process
	// Shared means that they share the shards, so that their numbers aren't those of shards.
	Shared bool
	More   string // how many are not listed, in words; empty for none
	None   *ui.Empty
}

// Process is the newest process of a shard.
type Process struct {
	cloud.Task
	State ui.State
	Since ui.Time
}

// Reason keeps a run from going on.
type Reason struct {
	cloud.Reason
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
	cloud.Task
	Href  string
	Shown bool // its log is
	State ui.State
	Start ui.Time
	Took  string
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
	cloud.Job
	State    ui.State
	Next     ui.Time
	NextNone string // why there is no next fire time; empty if there is
	Strip    ui.Strip
	Trigger  *ui.Button // nil if the user may not
}

// JobProps is a job.
type JobProps struct {
	Head Head
	cloud.Job
	Facts    []ui.Fact
	Schedule Schedule
	Rows     []runs.Row
	Values   []ui.Fact
	// Processes replace the runs of a DAEMON; nil for other jobs.
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
	Head Head
	cloud.Job
	Params, ParamsError string
	Shards, ShardsError string
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
	cloud.App
	Program, Needs string
	Jobs           int
	State          ui.State
}

// AppProps is an application.
type AppProps struct {
	Head  Head
	Facts []ui.Fact
	Env   []ui.Fact
	Jobs  []JobRow
}

// OverviewProps is the area at a glance.
type OverviewProps struct {
	Head               Head
	Facts              []ui.Fact
	JobViews, RunViews []ui.Tab
	Look               []JobRow // jobs that need attention
	Rows               []runs.Row
	RunsNone           *ui.Empty
	Week               *chart.Bars // the numbers of tasks; nil if they weren't counted
	Most               int         // the greatest of them
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
	Job, Node        string
	State            ui.State
	At               ui.Time
}

// FormProps is the form of an application or a job.
type FormProps struct {
	Head       Head
	Post, Back string
	Seen       string // the revision that was shown; empty for a new document
	Sections   []FormSection
	Problems   []string // that are not about one field
	// With Changes the form asks whether to save them, and carries the fields along.
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
	Name, Help, Value, Error string
	Kind                     FieldKind
	Choices                  []string
	Fixed                    bool
}

// FormChange is what becomes of a field.
type FormChange struct{ Label, Before, After string }
