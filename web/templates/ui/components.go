package ui

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// State is the state of something in a table or a line: glyph and word, quiet where
// all is well.
type State struct {
	Tone  Tone
	Label string
	// Reason is a few words beside it; empty for none.
	Reason string
	Title  string // the longer explanation, shown on hover
	TestID string
}

// State is the chip as it stands in a table: quiet while all is well.
func (c Chip) State() State {
	return State{Tone: c.Tone, Label: c.Label, Title: c.Title, TestID: testID(c.TestID, "chip")}
}

// ButtonKind is how much a button stands out.
type ButtonKind string

// The kinds. A view has one main button; solid is for the last step of something
// that cannot be taken back.
const (
	ButtonPlain  ButtonKind = ""
	ButtonMain   ButtonKind = "main"
	ButtonQuiet  ButtonKind = "quiet"
	ButtonDanger ButtonKind = "danger"
	ButtonSolid  ButtonKind = "solid"
)

// Button leads somewhere, or posts a form. A label that ends in … asks first.
type Button struct {
	Kind  ButtonKind
	Small bool
	Icon  string // of [Icon], empty for none
	Label string
	// Href is where it leads; Post is where its form goes. One of them.
	Href, Post string
	// Return is the page to come back to after the form.
	Return string
	// Disabled says why it cannot be pressed; empty if it can.
	Disabled string
	// Subject completes the label for those who do not see what it belongs to.
	Subject string
	TestID  string
}

// acts reports whether it changes something, or asks first and then does.
func (b Button) acts() bool { return b.Post != "" || strings.HasSuffix(b.Label, "…") }

func (b Button) class() string {
	class := "btn"
	switch b.Kind {
	case ButtonPlain:
	case ButtonSolid:
		class += " btn-danger btn-solid"
	default:
		class += " btn-" + string(b.Kind)
	}
	if b.Small {
		class += " btn-s"
	}
	return class
}

// Tab is a view of a list, a part of a page, or a choice of a few.
type Tab struct {
	Label, Href string
	// Count stands beside it; empty for none.
	Count  string
	Tone   Tone // of its glyph, empty for none
	Active bool
	TestID string
}

// Card is a block of a page with a heading.
type Card struct {
	// ID is unique on the page; it names the heading.
	ID    string
	Title string
	// Region is the name of the live region that the card is; empty for none.
	Region string
	// Sub is a few words beside the title; MoreHref leads on.
	Sub            string
	More, MoreHref string
	// Choice is what it can show; empty for no choice. ChoiceLabel is read out.
	ChoiceLabel string
	Choice      []Tab
}

// Note is a message within a page or, as a banner, across it.
type Note struct {
	Tone  Tone
	Title string
	Text  string
	// Action is a way out; nil for none.
	Action *Button
	TestID string
}

// Problem is what a part of a page shows that could not be read; the rest lives.
type Problem struct {
	Title, Text string
	Again, Href string // the label and the address of the next try
}

// Fact is a name with its value.
type Fact struct {
	Label, Value string
	Mono, Warn   bool
	Note         string
	Href, TestID string // of a link, empty for none
}

// Field is the value of a field and its error, empty without one.
type Field struct{ Value, Error string }

// Rows is the number of lines of a text at first.
func (f Field) Rows() string { return strconv.Itoa(max(5, min(14, 1+strings.Count(f.Value, "\n")))) }

// Help are the ids of the texts about the field.
func (f Field) Help(id string) string {
	if f.Error == "" {
		return id + "-help"
	}
	return id + "-help " + id + "-error"
}

// Duration is how long something took.
type Duration struct {
	// ISO is it for machines, such as PT3M23S.
	ISO string
	// Text is what is printed: 3 min 23 s, in columns 3:23.
	Text  string
	Title string
}

// DiffKind is what happened to a line.
type DiffKind string

// The kinds of lines.
const (
	DiffSame    DiffKind = ""
	DiffAdded   DiffKind = "add"
	DiffRemoved DiffKind = "del"
)

// DiffLine is a line of a difference. Copying takes the text alone.
type DiffLine struct {
	No   string
	Kind DiffKind
	Text string
}

func (l DiffLine) sign() string {
	switch l.Kind {
	case DiffAdded:
		return "+"
	case DiffRemoved:
		return "−"
	case DiffSame:
	}
	return " "
}

// Current marks a link to where the reader is, for screen readers and for the style
// sheet.
func Current(active bool) templ.Attributes {
	if active {
		return templ.Attributes{"aria-current": "page"}
	}
	return nil
}
