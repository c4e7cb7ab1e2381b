package ui

// IconButton is a link in a row that shows a play icon alone. Screen readers read its
// label, and the browser shows it on hover.
type IconButton struct {
	Label, Href string
	// Refused is the reason why it's disabled; empty if it isn't.
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
