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
	Parallel         RequestField
	ParallelHelp     string
	Effects          []string
	Rows             []BackfillRow    // the last backfills of the job
	UnderWay         bool             // the first of them has not ended
	Preview          *BackfillPreview // nil before anybody has asked
	Curl             string
}

// BackfillPreview is what a backfill would do.
type BackfillPreview struct {
	Any         bool // there is something to do
	Count, Span string
	Note, More  string
	Times       []ui.Time
	Refused     []BackfillRefused
	// RefusedCount says how many there are, and RefusedMore how many are not listed.
	RefusedCount, RefusedMore string
}

// BackfillRefused is a time that gets no run, and the property that says so.
type BackfillRefused struct {
	At  ui.Time
	Why string
}

// BackfillRow is a backfill and what became of its runs. CancelHref is empty once it has ended.
type BackfillRow struct {
	ID, By, Problem, CancelHref string
	State                       ui.State
	Requested, From, To         ui.Time
	Next                        *ui.Time
	Done, Total                 int
	Progress, Runs              string
}
