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
	"cmp"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// RunProps is the page of one run.
type RunProps struct {
	Frame         layout.Frame
	Job           string
	Before, After string // the runs of the job before and after this one; empty if there is none
	Heading, Sub  string
	Again         *ui.Button // runs the failed shards again; nil if there is none, or the user may not
	State         ui.Chip
	Notices       []ui.Notice
	Facts         []ui.Fact
	Timeline      Timeline
	Opened        *Shard // the shard that is shown in full; nil for none
	Trail         []tracing.Status
	TrailLeftOut  int // earlier steps that aren't shown
}

// Timeline is the shards of a run over time.
type Timeline struct {
	Label   string // the timeline in a sentence
	Ticks   []chart.Tick
	Lanes   []Lane
	Where   string       // the heading of the place where a shard ran; empty for its instance
	Losses  []chart.Tick // when instances of the run left: lines through all lanes
	Others  int          // shards that succeeded and have no lane
	AllHref string       // the page with all lanes
}

func (p Timeline) where(l i18n.Lang) string { return cmp.Or(p.Where, l.RunInstance()) }

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
	Tone     ui.Tone // the outcome of an execution, or [Waiting] or [FailingOver]
	X, Width float64 // shares of the axis
	Text     string  // in the bar, if it has room
	Title    string
}

// The time between executions.
const (
	Waiting     ui.Tone = "wait"
	FailingOver ui.Tone = "hop"
)

// End is where the bar ends.
func (m Bar) End() float64 { return m.X + m.Width }

// Roomy reports whether a bar has room for a text.
func (m Bar) Roomy() bool { return m.Width > 0.04 }

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
	Lines       []tracing.LogLine
	Now         time.Time
}

// logTime is the time of a line with milliseconds, and with the day unless that is today.
func (p Log) logTime(at time.Time) ui.Time {
	t := view.DateTime(at)
	if t.Layout = "15:04:05.000"; at.UTC().Format(time.DateOnly) != p.Now.UTC().Format(time.DateOnly) {
		t.Layout = "01-02 15:04:05.000"
	}
	t.Text = at.UTC().Format(t.Layout)
	return t
}

// logClasses are the looks of levels.
var logClasses = map[string]string{"ERROR": "text-bad", "WARN": "text-warn", "DEBUG": "dim"}

// Attempt is an execution of the shard.
type Attempt struct {
	Execution
	Number string
	Cause  string // a line; empty for the last attempt if the failure is above the table
}
