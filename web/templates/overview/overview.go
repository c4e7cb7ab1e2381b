// Package overview is the first page: what wants a hand, and what fires next.
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
	// Attention are the jobs that want a hand, the worst first.
	Attention     []Attention
	AttentionMore string
	AttentionHref string
	Calm          string // said when there is none
	// Upcoming are the next fires over all jobs.
	Upcoming      []Upcoming
	UpcomingEmpty string
	// Failures are the latest failed runs.
	Failures      []Failure
	FailuresEmpty string
	FailuresHref  string
}

// Tile is a number with a way to what it counts.
type Tile struct {
	Label, Count, Href string
	Tone               ui.Tone
	TestID             string
}

// Attention is one job that wants a hand.
type Attention struct {
	Name, Href string
	Status     ui.Chip
	Reason     string
}

// Upcoming is one fire to come.
type Upcoming struct {
	Name, Href string
	In         ui.Time
	At         string
}

// Failure is one failed run.
type Failure struct {
	Job, JobHref, Item string
	At                 ui.Time
	Cause              string
}
