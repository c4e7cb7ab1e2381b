package overview

import (
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Summary is the jobs in a sentence and as a bar.
type Summary struct {
	Jobs, Need string
	Share      chart.Share
}

// Cards are the parts of the overview beside what is wrong.
type Cards struct {
	Results    *chart.Bars // nil if nobody counted
	Totals     []Total
	ResultsURL string
	// NoResults is the text instead.
	NoResults  string
	Fires      *chart.Bars // nil if nothing fires
	FiresTotal string
	FiresNotes []string
	Fleet      []Box
	FleetSum   string
	FleetMore  string
	FleetNone  string // said instead
	Registries []RegistryLine
	// Changes are the last of operators; ShowsChanges: the reader may see them.
	Changes      []jobs.Happened
	ShowsChanges bool
}

// Total is a number with a word.
type Total struct {
	Count, Word string
	Href        string // empty for nowhere
	Tone        ui.Tone
}

// Box is a server.
type Box struct {
	Title, Href string
	Tone        ui.Tone
	// Load is the share of its jobs of the server that has most, 0 to 1.
	Load float64
}

func (b Box) height() string { return chart.Pixels(3 + b.Load*15) }

func (b Box) y() string { return chart.Pixels(20 - (3 + b.Load*15)) }

// RegistryLine is a registry.
type RegistryLine struct {
	Name, Href, Note string
	Tone             ui.Tone
}
