package jobs

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// BackfillProps asks between which moments the fire times are for which runs are
// requested, and says which they are.
type BackfillProps struct {
	Frame            layout.Frame
	Heading          string
	Job, JobHref     string
	Post             string
	From, To, Params RequestField
	Effects          []string
	Preview          *BackfillPreview // nil before anybody has asked
	Curl             string
}

// BackfillPreview is what a backfill would do.
type BackfillPreview struct {
	Any               bool // there is something to do
	Count, Note, More string
	Times             []ui.Time
	Refused           []BackfillRefused
	// RefusedCount says how many there are, and RefusedMore how many are not listed.
	RefusedCount, RefusedMore string
}

// BackfillRefused is a time that gets no run, and the property that says so.
type BackfillRefused struct {
	At  ui.Time
	Why string
}
