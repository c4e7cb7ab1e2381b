package runs

import (
	"slices"
	"strconv"

	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ListProps is the page of runs.
type ListProps struct {
	Frame  layout.Frame
	Levels []ui.Tab
	Ranges []ui.Tab
	CSV    string // where the exports are; empty for none
	JSON   string
	Filter Filter
	// Views were saved; SaveHref saves what is shown, empty for who may not.
	Views    []ui.Tab
	SaveHref string
	Notices  []ui.Notice
	Facets   []Facet
	Selected string // how many runs there are, in words; empty if nobody knows
	Bars     *chart.Bars
	BarsNote string
	// AnyTime is the list without the time that was chosen; empty if none was.
	AnyTime string
	Took    *Took
	// ChartProblem and FacetProblem say that a part could not be read.
	ChartProblem, FacetProblem *ui.Problem
	Rows                       []Row
	Steps                      []StepRow
	// Status: the level is that of the status trail, of which there are Steps.
	Status  bool
	Grouped bool // some runs are
	Empty   *ui.Empty
	Pager   ui.Pager
}

// Filter is the form as it was sent.
type Filter struct {
	Job, IP, Failure, Took, From, To, Last string
	Matches, States, Triggers              []ui.Choice
	Started, Sizes                         []ui.Choice
	Active                                 bool
	// Search is the filter as a text, Suggestions how it may go on, Kept the
	// parameters that it does not say and KeptJobs those that only it says.
	Search         string
	Suggestions    []string
	Kept, KeptJobs [][2]string
	// More: a filter is set that is folded away.
	More bool
	// Level is kept by the form; ClearHref is the list without a filter.
	Level, ClearHref string
}

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
	Marks               []Tick // p50, p95, p99
	Axis                []Tick
}

// Bin is a bar of a distribution and the tick of the day before, as shares of the
// tallest.
type Bin struct {
	X, Width    Percent
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
	Share   Percent // of the longest on the page
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

// StepRow is a step of the status trail in the table.
type StepRow struct {
	At                            ui.Time
	Job, JobHref                  string
	State, Where, Shards, Message string
	Bad                           bool
	Task                          string
}

// markY keeps the words of percentiles apart that lie beside each other.
func markY(i int) string { return strconv.Itoa(10 + 12*i) }
