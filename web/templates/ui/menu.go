package ui

// IconButton is a button of a row that shows a shape alone: its label is read out,
// and shown on hover.
type IconButton struct {
	Icon  string // of [Icon]
	Label string
	// Form is the id of the form it sends, Post where to.
	Form, Post string
	// Refused says why it cannot be pressed; empty if it can.
	Refused string
	TestID  string
}

func (b IconButton) title() string {
	if b.Refused != "" {
		return b.Label + ": " + b.Refused
	}
	return b.Label
}

// Menu is what else can be done, behind three dots. It opens without a script.
type Menu struct {
	Label   string // read out, and shown on hover
	Large   bool   // it stands beside the buttons of a page, not in a row
	Entries []MenuEntry
}

func (m Menu) class() string {
	if m.Large {
		return "btn"
	}
	return "icon-btn"
}

// MenuEntry leads somewhere. A label that ends in … asks first.
type MenuEntry struct {
	Label, Href string
	Danger      bool
	TestID      string
}
