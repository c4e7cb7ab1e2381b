package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Tone is the mood of a chip, a message or a button.
type Tone string

// The tones. Each has a colour and a glyph of its own.
const (
	ToneOK    Tone = "ok"    // as it should be
	ToneRun   Tone = "run"   // working right now
	ToneWarn  Tone = "warn"  // will put itself right, or wants a look
	ToneBad   Tone = "bad"   // broken; needs attention
	ToneLost  Tone = "lost"  // ended without a word
	ToneOff   Tone = "off"   // switched off by somebody
	ToneSkip  Tone = "skip"  // left out on purpose
	ToneQuiet Tone = "quiet" // nothing to say
)

// Tones are all of them.
var Tones = []Tone{ToneOK, ToneRun, ToneWarn, ToneBad, ToneLost, ToneOff, ToneSkip, ToneQuiet}

// Chip is a state: glyph and word.
type Chip struct {
	Tone   Tone
	Label  string
	Title  string // the longer explanation, shown on hover
	TestID string
}

// Time is an instant, shown in UTC. The script adds the reader's local time on
// hover.
type Time struct {
	// ISO is the instant as RFC 3339; empty if there is none.
	ISO string
	// Text is what is printed, unless Form says how Span is said.
	Text string
	Form TimeForm
	Span time.Duration
	// Title is the full date, for hovering and for those without the script.
	Title string
	// At and Layout say Text and Title anew in the zone of the page; without them
	// they stay.
	At     time.Time
	Layout string
	// Countdown makes the script count the text down to the instant.
	Countdown bool
}

// Flash is the outcome of the action that led to this page.
type Flash struct {
	Tone  Tone     `json:"t"`
	Title string   `json:"m"`
	Lines []string `json:"l,omitempty"`
	// Links are what can be done about it.
	Links []FlashLink `json:"a,omitempty"`
}

// FlashLink leads somewhere, or posts a form.
type FlashLink struct {
	Label  string `json:"t"`
	Href   string `json:"h"`
	Post   bool   `json:"p,omitempty"`
	TestID string `json:"i,omitempty"`
}

// Strip is the recent runs of a job as thin bars, oldest first. Successes are above
// the line, failures below it. Running ones are hollow, and cancelled ones have a dot on each side.
type Strip struct {
	Bars  []Bar
	Label string // the same in words
	Href  string // where the runs are listed
}

// Bar is one run.
type Bar struct {
	Tone   Tone // its outcome, one of stripClasses
	Height int  // 2 to 14: the duration relative to the others
}

// stripClasses are the looks of the outcomes.
var stripClasses = map[Tone]string{ToneOK: "bar-ok", ToneBad: "bar-failed", ToneRun: "bar-running", ToneOff: "f-off"}

// Geometry of a strip, in pixels: the line, which the style sheet draws, runs at 15
// of 22. Bars are strokes as wide as barWidth, which the style sheet knows, too; running
// ones are outlines.
const (
	barStep   = 6
	barWidth  = 4
	failedBar = 6
	stripLine = 15
	// MaxBar is the tallest bar above the line.
	MaxBar = 14
)

func (s Strip) width() string { return strconv.Itoa(max(1, len(s.Bars)) * barStep) }

// path draws the bars of one tone: failures hang below the line, always as deep.
func (s Strip) path(tone Tone) string {
	var d strings.Builder
	last := -1
	for i, b := range s.Bars {
		if b.Tone != tone {
			continue
		}
		x, y, to := i*barStep+1+barWidth/2, stripLine, stripLine-b.Height
		if tone == ToneBad {
			y, to = stripLine+1, stripLine+1+failedBar
		}
		switch {
		case tone == ToneRun:
			fmt.Fprintf(&d, "M%d.5 %d.5h%dv%dh-%[3]dz", x-barWidth/2, to, barWidth-1, b.Height-1)
		case tone == ToneOff: // a dot above the line and one below
			fmt.Fprintf(&d, "M%d %dh%dv3h-%[3]dzm0 6h%[3]dv3h-%[3]dz", x-barWidth/2, stripLine-4, barWidth)
		case tone == ToneBad && last >= 0:
			fmt.Fprintf(&d, "m%d-%dV%d", (i-last)*barStep, failedBar, to)
		case last >= 0:
			fmt.Fprintf(&d, "m%d %dV%d", (i-last)*barStep, s.Bars[last].Height, to)
		default:
			fmt.Fprintf(&d, "M%d %dV%d", x, y, to)
		}
		last = i
	}
	return d.String()
}

// Choice is one option of a select.
type Choice struct {
	Value, Label string
	Selected     bool
	Text         string // a sentence about it, next to a radio button
}

// Column is a table head that may sort.
type Column struct {
	Label string
	Href  string // empty: does not sort
	// Sorted is "ascending", "descending" or empty.
	Sorted string
	Class  string
}

// Pager is the way through the pages of a list.
type Pager struct {
	Summary    string // "1–50 of 1,204 jobs"
	Prev, Next string // addresses; empty at the ends
	PrevLabel  string
	NextLabel  string
}

// Empty is what a list shows instead of rows.
type Empty struct {
	Heading, Text string
	Href, Label   string
	Code          string // to copy, empty for none
	TestID        string
}

// Notice is a message within a page.
type Notice struct {
	Tone    Tone
	Heading string
	Text    string
	TestID  string
}
