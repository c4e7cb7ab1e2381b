// Package runs is the pages about runs: the list of them and one of them.
//
//	RunProps ──▶ Run     facts, timeline of shards, one shard opened, status trail
//	ListProps ─▶ List    filters, facets, when and how long, the table
//	GridProps ─▶ Grid    the last runs of a job by shard, a part of its page
//
// Charts are drawn by the server with per cent coordinates, so that they fit any
// width without a script and without a style of their own.
package runs

import (
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// RunProps is the page of one run.
type RunProps struct {
	Frame   layout.Frame
	Job     string
	JobHref string
	// ListHref is the list of the job's runs; Before and After are the runs beside
	// it, "" for none.
	ListHref, Before, After string
	Heading, Sub            string
	// Again runs the shards again that failed; nil if none did, and for those who may
	// not.
	Again   *ui.Button
	State   ui.Chip
	Notices []ui.Notice
	Facts   []Fact
	Ticks   []Tick
	Lanes   []Lane
	// Where is what lanes say where a shard ran; empty for its instance.
	Where string
	// Losses are the moments at which instances of the run left: a line through all
	// lanes.
	Losses []Tick
	// Others is how many shards succeeded that have no lane; AllHref shows them.
	Others  int
	AllHref string
	// Label is the timeline in a sentence.
	Label string
	// Opened is the shard that is shown in full; nil for none.
	Opened *Shard
	Trail  []Step
	// TrailLeftOut is how many earlier steps are not shown.
	TrailLeftOut int
}

func (p RunProps) where(l i18n.Lang) string {
	if p.Where != "" {
		return p.Where
	}
	return l.RunInstance()
}

// Fact is a name and a value.
type Fact struct {
	Name, Value string
	Mono        bool
	Tone        ui.Tone
}

// Tick is a place on the axis of time.
type Tick struct {
	X     Percent
	Label string
}

// Percent is a place or a length on an axis, from 0 to 100.
type Percent float64

func (p Percent) String() string { return strconv.FormatFloat(float64(p), 'f', 2, 64) + "%" }

// Lane is the line of a shard in the timeline.
type Lane struct {
	Item, Instances, Took string
	Tone                  ui.Tone
	Label                 string
	Href                  string
	Opened                bool
	Bars                  []Bar
}

// Bar is a part of a lane.
type Bar struct {
	Kind     BarKind
	X, Width Percent
	// Text stands in the bar, if there is room.
	Text  string
	Title string
}

// End is where the bar ends.
func (m Bar) End() Percent { return m.X + m.Width }

// Roomy reports whether a bar has room for a text.
func (m Bar) Roomy() bool { return m.Width > 4 }

// BarKind is what a bar shows.
type BarKind string

// The kinds.
const (
	BarOK        BarKind = "ok"
	BarFailed    BarKind = "bad"
	BarRunning   BarKind = "run"
	BarLost      BarKind = "lost"
	BarCancelled BarKind = "cancelled"
	BarWait      BarKind = "wait"
	BarFailover  BarKind = "hop"
)

func (k BarKind) class() string {
	if k == BarCancelled {
		return "f-off"
	}
	return "mark-" + string(k)
}

// Shard is a shard of the run in full.
type Shard struct {
	Number string
	State  ui.Chip
	// Cause is why it failed, with its first line apart; empty unless it did.
	CauseHead, Cause string
	// Alike is how many other shards failed so, AlikeHref where such runs are.
	Alike     int
	AlikeHref string
	Lost      bool
	// Again runs it again; nil for those who may not.
	Again    *ui.Button
	Attempts []Attempt
	Log      Log
}

// causeID is the element with all of the cause.
func (s Shard) causeID() string {
	if s.Cause == s.CauseHead {
		return "cause"
	}
	return "cause-text"
}

// Log is the log of one attempt of a shard, with ways to the others.
type Log struct {
	None, Hint       string // why there is none, and what can be done
	Label, Sub       string
	Shards, Attempts []ui.Tab
	// Many: there are too many shards for a way to each; Form asks for one by its number.
	Many        bool
	Form, Shard string
	More        ui.Tab // to all lines, or back to the last ones
	Full        string // the address of the full log in another program
	Lines       []LogLine
}

// LogLine is a line of a log.
type LogLine struct {
	No, Row     string
	At          ui.Time
	Level, Text string
}

// class is how a level looks.
func (l LogLine) class() string {
	return map[string]string{"ERROR": "text-bad", "WARN": "text-warn", "DEBUG": "dim"}[l.Level]
}

// Attempt is one execution of the shard.
type Attempt struct {
	Number   string
	State    ui.Chip
	Instance string
	Host     string
	Start    ui.Time
	Took     string
	Trigger  string
	Cause    string
	TaskID   string
}

// Step is a step of the status trail.
type Step struct {
	At      ui.Time
	State   string
	Bad     bool
	Where   string
	Message string
}

// anchor is where the text of a tick stands: the first one begins at the axis.
func anchor(i int) string {
	if i == 0 {
		return "start"
	}
	return "middle"
}
