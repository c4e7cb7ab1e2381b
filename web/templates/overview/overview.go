// Package overview is the first page: what needs attention, and what fires next.
package overview

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Props is the overview.
type Props struct {
	Frame   layout.Frame
	Tiles   []Tile
	Notices []ui.Notice
	Summary Summary
	Cards   Cards
	// Starter is shown if there's no job yet.
	Starter *ui.Empty
	// Attention are the lines about what is wrong, the worst first.
	Attention     []Attention
	AttentionMore string
	AttentionHref string
	Calm          string // said when there is none
}

// Tile is a number with a way to what it counts.
type Tile struct {
	Label, Count, Href string
	Tone               ui.Tone
	TestID             string
}

// Attention is something that is wrong: a job, or a cause that jobs have in common.
type Attention struct {
	Name, Href string
	Plain      bool // the name is no job's
	Status     ui.Chip
	Reason     string
	Jobs       string // the first of several
	Since      ui.Time
	Action     *ui.Button
}
