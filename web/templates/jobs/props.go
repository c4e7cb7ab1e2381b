package jobs

import (
	"strconv"

	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ListProps is the list of jobs.
type ListProps struct {
	Frame  layout.Frame
	Filter Filter
	Tabs   []ui.Tab
	// SaveHref saves what is shown as a view; empty for who may not.
	SaveHref string
	Notices  []ui.Notice
	Columns  []ui.Column
	Rows     []Row
	Pager    ui.Pager
	Empty    *ui.Empty
	// Operates says that there is a column of buttons.
	Operates bool
	// Moved says that rows would have another place in a new list, which is at
	// MovedHref; empty if none would.
	Moved, MovedHref string
	// Bulk is what can be done with several jobs, nil if nothing.
	Bulk *BulkBar
	// NewHref is where a job is created; empty for those who may not.
	NewHref string
}

// frame is the frame with the way to a new job in its head.
func (p ListProps) frame() layout.Frame {
	f := p.Frame
	if p.NewHref != "" {
		f.Head.Actions = newJob(p.NewHref)
	}
	return f
}

// Term is an example of a search term.
type Term struct{ Text, Means, Href string }

// Filter is the search form.
type Filter struct {
	Query  string
	Sizes  []ui.Choice
	Active bool
	// Tokens are the filters in Query.
	Tokens []Token
	// Terms are examples of search terms, each with its meaning.
	Terms []Term
	// Suggestions are searches that go on from Query.
	Suggestions []string
	// Hidden fields keep what the form does not show.
	Status, State, Sort, Order string
}

// Token is a filter of the search; at Href it is left out.
type Token struct{ Text, Href string }

// Row is one job of the list.
type Row struct {
	Name, Href, Description string
	// Key names the row when the script asks for the same rows again. Left: the
	// job is no longer among those asked for.
	Key   string
	Left  bool
	State ui.State
	// Held says that the job is held, by whom and since when; nil if it is not.
	Held *ui.State
	// CronWords say the schedule and its zone.
	Cron, CronWords string
	// Next is the next fire; NextNote stands there when there is none, and Late, which
	// is the one before it, when that passed without a run.
	Next      ui.Time
	Late      ui.Time
	NextNote  string
	Shards    string
	Instances string
	Strip     ui.Strip
	LastAt    ui.Time
	Run       ui.IconButton
	Menu      ui.RowMenu
}

// longName is how many bytes of a name certainly fit into its column.
const longName = 20

// title is what the name's cell has no room for.
func (r Row) title() string {
	switch {
	case len(r.Name) <= longName:
		return r.Description
	case r.Description != "":
		return r.Name + "\n" + r.Description
	}
	return r.Name
}

// DetailProps is the page of one job.
type DetailProps struct {
	Job      JobHead
	Notices  []ui.Notice
	Facts    []ui.Fact
	Schedule Schedule
	Matrix   Matrix

	// ConfigHref is where the configuration is edited, or seen as a form; ConfigMore
	// says which, and is empty if neither can be.
	ConfigHref, ConfigMore string
	// ConfigError says why nobody can read it; Config is then what is stored.
	ConfigError, Config string

	// Grid is its last runs by shard and Durations how long they took, nil if there
	// is none.
	Grid      *runs.GridProps
	Durations *Durations

	Runs      []runs.Row
	RunsEmpty *ui.Empty
	RunsHref  string
}

// scheduleHref is where the schedule is edited; empty if it cannot be.
func (p DetailProps) scheduleHref() string {
	if p.ConfigMore == "" {
		return ""
	}
	return p.ConfigHref
}

// Durations is how long the last runs of a job took.
type Durations struct {
	Sub, Label string
	Numbers    []ui.Fact
	// Slower: the last run took much longer than usual.
	Slower   bool
	MoreHref string // leads to more of them, compared with the day before
	Bars     []DurationBar
	Axis     []string
}

// DurationBar is how many runs took about as long, Bad of them without success; Most
// is the number of the tallest bar.
type DurationBar struct{ All, Bad, Most int }

// durationsHeight is how high the tallest is, in pixels.
const durationsHeight = 40

func (b DurationBar) tall() int { return max(b.All*durationsHeight/max(b.Most, 1), 2) }

func (b DurationBar) height() string { return strconv.Itoa(b.tall()) }

func (b DurationBar) y() string { return strconv.Itoa(durationsHeight - b.tall()) }

func (b DurationBar) class() string {
	if b.Bad*2 > b.All {
		return "f-bad"
	}
	return "f-band"
}

// Schedule is when the job fires.
type Schedule struct {
	Cron  string
	Words string // the same in words, empty if there are none
	Zone  string
	Note  string
	// Rules are the properties that say which times are fire times.
	Rules []ui.Fact
	Fires []Fire
	Error string
	// Herd says how many fire together with it; nil for few.
	Herd *ui.Note
}

// Fire is one instant to come: in UTC, and in the job's zone if that differs.
type Fire struct {
	At    ui.Time
	In    ui.Time
	Local string
	// Refused says why the time is no fire time; empty if it is one. Last is the last
	// of several in a row.
	Refused string
	Last    *ui.Time
}

// Shard is one shard of the job.
type Shard struct {
	Item, Parameter string
	State           ui.State
	Reason          string
	Instance, IP    string
	// Running is since when it runs, empty if it does not; RunningOn where, if
	// that is not its owner.
	Running   ui.Time
	RunningOn string
	// Last is when its last execution ended, or began if nobody knows, LastHref its
	// run, and Cause why it failed.
	Last            ui.Time
	LastHref, Cause string
	// P95 is how long 95 of 100 of its last executions took at most; P95Title says of
	// how many.
	P95, P95Title string
	// Markers are what else is set on the shard: failed over, misfire, disabled.
	Markers []ui.Chip
	// Key names the row, Pick is the label of its box, and Buttons ask before
	// something is done with it alone; for those who may.
	Key, Pick string
	Buttons   []ui.Button
}

// Server is one server of the job with the instances it runs.
type Server struct {
	IP        string
	State     ui.Chip
	Instances []Instance
}

// Instance is one process.
type Instance struct {
	ID     string
	Leader bool
	Since  ui.Time
	Shards string
	Agent  string // what its agent announces
}

// ExplainProps is why a job does not run.
type ExplainProps struct {
	Job     JobHead
	Notices []ui.Notice
	// Heading is the answer as a statement, Summary goes on.
	Heading, Summary string
	Status           ui.Chip
	Findings         []Finding
	Checks           []CheckRow
	Form             PastForm // asks for a past time
	AsText           string   // where the same is as plain text
	// Around is what happened lately, the newest first; AroundHref leads to more.
	Around     []Happened
	AroundHref string
}

// Finding is one reason.
type Finding struct {
	Code             string
	Effect           ui.Chip
	Sentence, Advice string
	// Node is what it was concluded from, and Value what stood there.
	Node, Value string
	Since       ui.Time
	Remedy      *ui.Button // leads to where something can be done; nil for nowhere
	// Alike says that other jobs fail alike, and Others lists them all; empty if none do.
	Alike, Others string
}

// CheckRow is a rule that holds, with what was looked at.
type CheckRow struct{ Code, Text, Note, Node string }
