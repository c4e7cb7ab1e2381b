// Package palette draws what the command palette finds, as a page and as the part of
// it that the script shows in a dialog, and the page about keys.
package palette

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Props is the page.
type Props struct {
	Frame layout.Frame
	Query string
	// Groups are what was found; Empty says that nothing was.
	Groups []Group
	Empty  string
}

// Group is what was found of one kind.
type Group struct {
	Title   string
	Entries []Entry
	// On has the buttons of the first job.
	On []ui.Button
}

// Entry leads somewhere. Every second part of its name is what was looked for.
type Entry struct {
	Icon, Href string
	Parts      []string
	Mono       bool
	Note       string
	State      *ui.State
	// Job is the name to look for to act on it; empty for what is no job.
	Job string
}

// KeysProps is the page about keys.
type KeysProps struct {
	Frame layout.Frame
	Off   bool
	Rows  []KeyRow
}

// KeyRow is what some keys do.
type KeyRow struct {
	Keys []string
	Text string
}
