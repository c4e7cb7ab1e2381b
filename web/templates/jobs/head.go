package jobs

import (
	"context"

	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// JobHead is what all pages of a job begin with.
type JobHead struct {
	Frame             layout.Frame
	Name, Description string
	Href              string
	// Status is how the job is, Short why in a few words and Reason in a sentence;
	// WhyHref explains it.
	Status                 ui.Chip
	Short, Reason, WhyHref string
	Story                  Story
	// Disabled is who disabled it, and why; nil if nobody did.
	Disabled *ui.Note
	// Held is who has it stand still, and why; nil if nobody has.
	Held *ui.Note
	// Actions are the buttons of an operator, and More what else there is behind three
	// dots; nobody else has any.
	Actions []ui.Button
	More    ui.Menu
	Tabs    []ui.Tab
}

func (p JobHead) frame(ctx context.Context) layout.Frame {
	return p.Frame.With(layout.Head{Heading: p.Name, Mono: true, Beside: headState(p), Sub: p.Description, Crumbs: jobsCrumbs(ctx), Actions: headActions(p)})
}
