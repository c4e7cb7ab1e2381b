package jobs

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// PastForm asks for a time.
type PastForm struct{ Action, At string }

// PastProps is what a job did at a time that has passed.
type PastProps struct {
	Frame        layout.Frame
	Job, JobHref string
	Heading      string
	Tabs         []ui.Tab
	Form         PastForm
	AsText       string // where the same is as plain text
	Tone         ui.Tone
	Verdict      string
	RunHref      string // the run that it is about; empty for none
	// Reasons are why it did not run, Unknown what is not on record.
	Reasons, Unknown []string
	Around           []Happened
}
