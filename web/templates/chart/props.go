package chart

import (
	"fmt"
	"strconv"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Bars are counts over time: what went well above the line, what failed or was
// lost below it on a root scale of its own.
type Bars struct {
	// Label says in a sentence what the columns show.
	Label   string
	Columns []Column
	Axis    []Tick
	// Marks are labels next to columns, at the top.
	Marks []Tick
	// Brush: columns can be selected together; the page needs brush.js.
	Brush bool
	// UpOnly: nothing can fail in it, so that there is no room below the line.
	UpOnly bool
}

// role is that of a picture, unless it has links.
func (b Bars) role() string {
	for _, c := range b.Columns {
		if c.Href != "" {
			return "group"
		}
	}
	return "img"
}

// Column is one span of time.
type Column struct {
	OK, Bad, Lost int
	// Unknown is drawn as a gap, whatever the counts are.
	Unknown bool
	Title   string
	// Href leads to what it counts; empty for nowhere.
	Href string
}

// Tick is a word at a place of an axis, 0 to 1.
type Tick struct {
	At    float64
	Label string
}

// Anchor keeps the word within the axis.
func (t Tick) Anchor() string {
	switch {
	case t.At < 0.05:
		return "start"
	case t.At > 0.95:
		return "end"
	}
	return "middle"
}

// side and aside put a mark to the right of its column, or to the left if there's no room.
func (t Tick) side() string {
	if t.At > 0.7 {
		return "end"
	}
	return "start"
}

func (t Tick) aside() string {
	if t.At > 0.7 {
		return "-8"
	}
	return "8"
}

// Geometry of bars, in pixels of height.
const (
	barsUp   = 52
	barsDown = 30
	barsAxis = 18
)

// barsStep is how wide a column is drawn, which is then stretched to what there is.
const barsStep = 100

// rect is a rectangle of bars or lanes: x and width in per cent.
type rect struct{ class, x, width, y, height string }

// under is the height of the bars with what lies below the line.
func (b Bars) under() int {
	if b.UpOnly {
		return barsUp
	}
	return barsUp + barsDown
}

// most is the highest column above the line and the deepest below.
func (b Bars) most() (up, down float64) {
	for _, c := range b.Columns {
		up, down = max(up, float64(c.OK)), max(down, float64(c.Bad+c.Lost))
	}
	return up, down
}

// below is how deep a column hangs, and how much of that failed.
func (c Column) below(worst float64) (down, bad float64) {
	down = Root(float64(c.Bad+c.Lost), worst) * (barsDown - 2)
	return down, down * Linear(float64(c.Bad), 0, float64(c.Bad+c.Lost))
}

// shapes are what ran and what failed.
func (b Bars) shapes() shapes {
	var m shapes
	most, worst := b.most()
	for i, c := range b.Columns {
		if c.Unknown {
			continue
		}
		x := float64(i*barsStep + barsStep*2/25)
		add := func(class string, y, height float64) {
			if height > 0 {
				m.add(class, box(x, y, barsStep*21/25, height))
			}
		}
		up := Linear(float64(c.OK), 0, most) * (barsUp - 2)
		add("f-band", barsUp-up, up)
		_, bad := c.below(worst)
		add("f-bad", barsUp+1, bad)
	}
	return m
}

// rects are what cannot be stretched: gaps, which are hatched, and losses, which are
// outlines.
func (b Bars) rects() []rect {
	_, worst := b.most()
	var list []rect
	step := 1 / float64(max(1, len(b.Columns)))
	for i, c := range b.Columns {
		if c.Unknown {
			list = append(list, rect{"f-hatch", Percent(float64(i) * step), Percent(step), "0", strconv.Itoa(barsUp)})
			continue
		}
		if down, bad := c.below(worst); c.Lost > 0 {
			list = append(list, rect{"l-bad", Percent((float64(i) + 0.08) * step), Percent(0.84 * step), pixels(barsUp + 1 + bad), pixels(down - bad)})
		}
	}
	return list
}

// Lanes are spans of time beside each other: the shards of a run, the attempts of a
// shard. From and To of a span are shares of the whole, 0 to 1.
type Lanes struct {
	Label string
	Lanes []Lane
	Axis  []Tick
	// Lines cross all lanes, such as the end of an instance.
	Lines []Tick
}

// Lane is one line.
type Lane struct {
	Label, Href string
	Tone        ui.Tone
	// Note stands at its end: a duration, a cause.
	Note  string
	Spans []Span
}

// Span is a part of a lane.
type Span struct {
	From, To float64
	// Tone of what happened; waiting is hatched instead.
	Tone ui.Tone
	Wait bool
	// Text stands in it if there is room, such as the number of the attempt.
	Text  string
	Title string
}

func (s Span) class() string {
	switch {
	case s.Wait:
		return "f-hatch"
	case s.Tone == ui.ToneLost:
		return "l-bad"
	}
	return fill(s.Tone)
}

// laneUnits is how wide a lane is drawn, which is then stretched to what there is.
const laneUnits = 1000

// plain spans say nothing of their own: those of a tone are drawn as one.
func (s Span) plain() bool {
	return !s.Wait && s.Text == "" && s.Title == "" && (s.Tone == ui.ToneOK || s.Tone == ui.ToneBad)
}

// shapes are the plain spans, as strokes.
func (l Lane) shapes() shapes {
	var m shapes
	for _, s := range l.Spans {
		if s.plain() {
			m.add(stroke(s.Tone), fmt.Sprintf("M%d 11h%d", int(s.From*laneUnits), max(4, int((s.To-s.From)*laneUnits))))
		}
	}
	return m
}

func (s Span) width() string { return Percent(max(0.004, s.To-s.From)) }

// Grid is the runs of a job, newest at the right, by shard: a bar for the duration
// and a cell for each shard.
type Grid struct {
	Label string
	// Longest says how long the tallest bar is.
	Longest string
	// Rows are the shards.
	Rows []GridRow
	Runs []GridRun
}

// GridRow is the name of a row; Bad stands out.
type GridRow struct {
	Label string
	Bad   bool
}

// GridRun is a column.
type GridRun struct {
	Href, Title string
	// Tick is the time below it, empty for none.
	Tick string
	Tone ui.Tone
	// Duration is relative to the longest, 0 to 1.
	Duration float64
	// Cells are the tones of the rows, in their order.
	Cells []ui.Tone
}

// Geometry of a grid, in pixels.
const (
	gridStep = 16
	gridCell = 13
	gridBars = 40
	gridGap  = 4
	gridAxis = 16
)

func (g Grid) width() string { return strconv.Itoa(max(1, len(g.Runs)) * gridStep) }

func (g Grid) high() int { return gridBars + gridGap + len(g.Rows)*gridStep }

func (g Grid) height() string { return strconv.Itoa(g.high() + gridAxis) }

// rowY is where the name of a row stands.
func rowY(i int) string { return strconv.Itoa(gridBars + gridGap + i*gridStep + 10) }

func columnX(i int) string { return strconv.Itoa(i * gridStep) }

func (g Grid) shapes() shapes {
	var m shapes
	for i, run := range g.Runs {
		x, height := float64(i*gridStep), 3+Linear(run.Duration, 0, 1)*(gridBars-4)
		m.add(gridClass(run.Tone), bar(run.Tone, x, gridBars-height, height))
		for row, tone := range run.Cells[:min(len(run.Cells), len(g.Rows))] {
			m.add(gridClass(tone), mark(tone, x, float64(gridBars+gridGap+row*gridStep)))
		}
	}
	return m
}

// bar is the bar of a run. Its shape shows how the run ended, without colours too: a failed one is
// wide and has notches.
func bar(tone ui.Tone, x, y, height float64) (path string) {
	switch tone {
	case ui.ToneBad:
		for foot := y + height; foot > y; foot -= 4 {
			path += box(x, max(y, foot-3), gridCell, min(3, foot-y))
		}
		return path
	case ui.ToneLost, ui.ToneRun:
		return box(x+1, y+1, gridCell-2, height-2)
	case ui.ToneOff:
		return box(x+1, y, 4, height) + box(x+8, y, 4, height)
	}
	return box(x+2, y, gridCell-4, height)
}

// mark is the mark of a state in a cell of 13 pixels. Each state has a shape of its own, so it is
// clear without colours. Most are fine, and their mark is small.
func mark(tone ui.Tone, x, y float64) string {
	at := func(dx, dy float64) string { return "M" + pixels(x+dx) + " " + pixels(y+dy) }
	switch tone {
	case ui.ToneOK:
		return box(x+3, y+3, 7, 7)
	case ui.ToneBad: // a square with a cross cut out
		return box(x, y, gridCell, gridCell) + at(4, 2.6) + "l-1.4 1.4 2.5 2.5-2.5 2.5 1.4 1.4 2.5-2.5 2.5 2.5 1.4-1.4-2.5-2.5 2.5-2.5-1.4-1.4-2.5 2.5z"
	case ui.ToneLost:
		return box(x+1, y+1, gridCell-2, gridCell-2)
	case ui.ToneRun:
		return at(2.5, 1) + "l9 5.5-9 5.5z"
	case ui.ToneWarn:
		return at(6.5, 0) + "l6.5 6.5-6.5 6.5-6.5-6.5z"
	case ui.ToneOff:
		return box(x+1, y, 4, gridCell) + box(x+8, y, 4, gridCell)
	}
	return box(x+3, y+6, 7, 1.5)
}

func gridClass(tone ui.Tone) string {
	switch tone {
	case ui.ToneLost:
		return "l-bad"
	case ui.ToneRun:
		return "l-run"
	case ui.ToneQuiet, ui.ToneSkip:
		return "f-none"
	}
	return fill(tone)
}

// Share is how a whole is divided: the jobs by state. Each part that is not empty
// is seen, however small it is.
type Share struct {
	Label string
	Parts []Part
}

// Part is one of them.
type Part struct {
	Tone  ui.Tone
	Count int
	Title string
}

// least is the smallest share that is still seen.
const least = 0.004

func (s Share) rects() []rect {
	total, wide := 0.0, 0.0
	for _, p := range s.Parts {
		total += float64(p.Count)
	}
	widths := make([]float64, len(s.Parts))
	for i, p := range s.Parts {
		if p.Count > 0 {
			widths[i] = max(least, float64(p.Count)/total)
		}
		wide += widths[i]
	}
	var list []rect
	at := 0.0
	for i, p := range s.Parts {
		if p.Count > 0 {
			width := widths[i] / wide
			list = append(list, rect{fill(p.Tone), Percent(at), Percent(max(least/2, width-0.002)), "0", "12"})
			at += width
		}
	}
	return list
}

// Cells is many things with a state each, such as the shards of a job: a line per
// group, in it a cell per thing.
type Cells struct {
	Label string
	Rows  []CellRow
}

// CellRow is one line.
type CellRow struct {
	Label, Href string
	// Note stands at its end: which they are.
	Note  string
	Title string
	Tone  ui.Tone // of the label
	// Picked: it is the one that is shown in full.
	Picked bool
	Cells  []ui.Tone
}

// Geometry of cells, in pixels.
const (
	cellStep  = 14
	cellsWide = 50 // a longer line is broken
)

func (r CellRow) width() string { return strconv.Itoa(min(max(1, len(r.Cells)), cellsWide) * cellStep) }

func (r CellRow) height() string {
	return strconv.Itoa((max(1, len(r.Cells)) + cellsWide - 1) / cellsWide * cellStep)
}

func (r CellRow) shapes() shapes {
	var m shapes
	for i, tone := range r.Cells {
		x, y := float64(i%cellsWide*cellStep), float64(i/cellsWide*cellStep)
		m.add(gridClass(tone), mark(tone, x, y))
	}
	return m
}
