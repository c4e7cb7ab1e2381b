package ui

// IconButton is a button of a row that shows a shape alone, that of a start: its
// label is read out, and shown on hover.
type IconButton struct {
	Label string
	// Form is the id of the form it sends, Post where to.
	Form, Post string
	// Refused says why it cannot be pressed; empty if it can.
	Refused string
}

func (b IconButton) title() string {
	if b.Refused != "" {
		return b.Label + ": " + b.Refused
	}
	return b.Label
}

// Menu is what else can be done on a page, behind three dots. It opens without a
// script.
type Menu struct {
	Label   string // read out, and shown on hover
	Entries []MenuEntry
}

// MenuEntry leads somewhere. A label that ends in … asks first.
type MenuEntry struct {
	Label, Href string
	Danger      bool
	TestID      string
}

// PatternSubject stands in the addresses of a [MenuPattern] for the subject of a row.
const PatternSubject = "{}"

// RowMenu is what else can be done with the subject of a row: a link to its page
// that the script makes a menu, so that a page has its entries once.
type RowMenu struct {
	Label, Href string
	// Has are the entries that the row has, by their TestID.
	Has []string
}
