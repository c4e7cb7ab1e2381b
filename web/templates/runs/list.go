package runs

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Level is what a row of the list is.
type Level string

// The levels, as addresses have them.
const (
	Runs       Level = ""
	Executions Level = "execution"
	Steps      Level = "status"
)

// Path is the page of a level.
func (l Level) Path() string {
	if l == Executions {
		return "/executions"
	}
	return "/runs"
}

// ListProps is the page of runs, executions or steps.
type ListProps struct {
	Frame            layout.Frame
	Level            Level
	Asked            url.Values // the address without the cursor
	Now              time.Time
	Levels, Ranges   []ui.Tab
	CSV, JSON        string // the addresses of the exports; empty if there are none
	States, Triggers []ui.Choice
	Sizes            []ui.Choice
	// Search is the filter as a text, which may be continued with one of the Suggestions.
	Search      string
	Suggestions []string
	// Views are the saved views. SaveHref saves the current one; empty if the user may not save views.
	Views    []ui.Tab
	SaveHref string
	Notices  []ui.Notice
	Facets   []Facet
	Selected string // how many runs there are; empty if it's unknown
	Bars     *chart.Bars
	BarsNote string
	AnyTime  string // the list without its bounds of time; empty if it has none
	Took     *Took
	// ChartProblem and FacetProblem are set if a part can't be read.
	ChartProblem, FacetProblem *ui.Problem
	Rows                       []Row
	Executions                 []Execution
	Columns                    []ui.Column // the headings of Executions
	Steps                      []tracing.Status
	Grouped                    bool // some runs are
	Empty                      *ui.Empty
	Pager                      ui.Pager
}

// Filtered reports whether the list has a filter other than its bounds up to now, its order and its size.
func (p ListProps) Filtered() bool {
	for name := range p.Asked {
		if !slices.Contains([]string{"last", "level", "limit", "sort", "order"}, name) {
			return true
		}
	}
	return false
}

// opened reports whether a filter is set that the search of runs doesn't have.
func (p ListProps) opened() bool {
	return p.Asked.Has("from") || p.Asked.Has("to") || p.Asked.Has("started") || p.Asked.Has("limit")
}

func (p ListProps) head(l i18n.Lang) layout.Head {
	h := layout.Head{Heading: l.RunsTitle(), Actions: listActions(p)}
	if p.Level == Executions {
		h.Sub = l.FrameRunsSub()
	}
	return h
}

// cleared is the list without a filter.
func (p ListProps) cleared() string {
	if p.Level == Steps {
		return "/runs?level=status"
	}
	return p.Level.Path()
}

// Execution is an execution in a table.
type Execution struct {
	tracing.Execution
	State         ui.State
	Took, Trigger string
	Href          string // the page of its run, with its shard opened
}

// host is the name of the host; empty if it's the address.
func (e Execution) host() string {
	if e.Hostname == e.IP {
		return ""
	}
	return e.Hostname
}

// maxCause bounds the part of a failure in the list, in bytes.
const maxCause = 1000

// cause is a failure as a line, and more of it if the line isn't all.
func (e Execution) cause() (line, rest string) {
	line, rest = view.FirstLine(e.FailureCause), strings.TrimSpace(e.FailureCause)
	if rest == line {
		return line, ""
	}
	return line, view.Clip(strings.TrimPrefix(rest, line+"\n"), maxCause)
}

// isBad reports whether a step is a failure.
func isBad(state tracing.State) bool {
	return slices.Contains([]tracing.State{tracing.StateError, tracing.StateFailed, tracing.StateLost, tracing.StateKilled}, state)
}

// maxMessage bounds the message of a step, in bytes.
const maxMessage = 300

// Facet is a property of runs with the number of runs for each of its values.
type Facet struct {
	Name   string
	Values []FacetValue
	// More is how many values are not shown.
	More int
}

// FacetValue leads to the list with that value, or without if it is chosen.
type FacetValue struct {
	Label, Count, Href string
	Tone               ui.Tone
	Chosen, Mono       bool
}

// shortValue is how many bytes of a value certainly have room.
const shortValue = 18

// Took is how long executions took, compared with the day before.
type Took struct {
	Sub, Label, Verdict string
	Worse               bool
	Bins                []Bin
	Marks               []chart.Tick // p50, p95, p99
	Axis                []chart.Tick
}

// Bin is a bar of a distribution and the tick of the day before, as shares of the
// tallest.
type Bin struct {
	Now, Before float64
	Title       string
}

// The height of a distribution in pixels.
const tookHeight = 64

func (b Bin) y() string      { return strconv.Itoa(tookHeight - int(b.Now*tookHeight)) }
func (b Bin) height() string { return strconv.Itoa(int(b.Now * tookHeight)) }
func (b Bin) tick() string   { return strconv.Itoa(tookHeight - int(b.Before*tookHeight)) }

// Row is a run in the table.
type Row struct {
	Href    string
	Key     string // names the run when the page asks for the list again
	Start   ui.Time
	Job     string
	JobHref string
	State   ui.State
	// Cells are the states of its first shards, Shards what they are in words, and Words
	// the same in a few.
	Cells   []ui.Tone
	Shards  string
	Words   string
	Took    string
	Share   float64 // of the longest on the page
	Tone    ui.Tone
	Trigger string
	Error   string
	Title   string // the whole failure
}

// MaxCells is how many shards of a run the table draws.
const MaxCells = 16

// cellStep is how far shards are apart; one is 5 wide.
const cellStep = 7

func (r Row) cellsWidth() string { return strconv.Itoa(max(1, len(r.Cells)) * cellStep) }

// shape is what is drawn of the shards of a state.
type shape struct{ class, path string }

// shapes are the shards, one path for each state. Those that succeeded, which are
// quiet, and those that failed are lines that the style sheet makes cells of.
func (r Row) shapes() (list []shape) {
	for i := 0; i < len(r.Cells); {
		end := i + 1
		for end < len(r.Cells) && r.Cells[end] == r.Cells[i] {
			end++
		}
		m := cellsOf(r.Cells[i], i, end)
		if at := slices.IndexFunc(list, func(other shape) bool { return other.class == m.class }); at >= 0 {
			list[at].path += m.path
		} else {
			list = append(list, m)
		}
		i = end
	}
	return list
}

// cellsOf draws the shards from begin to before end, which have one state.
func cellsOf(tone ui.Tone, begin, end int) shape {
	line := func(class, y string) shape {
		return shape{class, "M" + strconv.Itoa(begin*cellStep) + " " + y + "h" + strconv.Itoa((end-begin)*cellStep-2)}
	}
	m := shape{class: "f-" + string(tone)}
	switch tone {
	case ui.ToneOK:
		return line("bar-ok", "8")
	case ui.ToneBad:
		return line("bar-failed", "7.5")
	case ui.ToneLost:
		m.class = "l-bad"
	case ui.ToneRun:
		m.class = "l-run"
	}
	for i := begin; i < end; i++ {
		x := strconv.Itoa(i * cellStep)
		if tone == ui.ToneOff { // a pause sign
			m.path += "M" + x + " 2h2v11h-2zm3 0h2v11h-2z"
			continue
		}
		m.path += "M" + x + " 2h5v11h-5z"
	}
	return m
}

// markY keeps the words of percentiles apart that lie beside each other.
func markY(i int) string { return strconv.Itoa(10 + 12*i) }
