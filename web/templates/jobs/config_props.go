package jobs

import (
	"context"

	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ConfigProps is the editor of a job's configuration.
type ConfigProps struct {
	Frame        layout.Frame
	Heading      string
	Job, JobHref string // empty while the job is new
	// Head is that of the pages of the job; nil while it is new, or cannot be read.
	Head *JobHead
	Tabs []ui.Tab
	// Operates: the fields can be changed.
	Operates bool
	Revision string
	// Save stores the form at once, for scripts that show what changes; empty while the job is new.
	Save string
	// Author saved it at SavedAt; empty if nobody knows.
	Author   string
	SavedAt  ui.Time
	Versions string // where earlier ones are listed; empty if nobody keeps them
	// Duplicate is where a job like this is created; empty if it cannot be.
	Duplicate string
	Notices   []ui.Notice
	// AsText shows Text instead of Groups; TextTab is the word for it, and
	// TextError what is wrong with it.
	AsText             bool
	Text, TextTab      string
	TextError          string
	FormHref, TextHref string // the other views, for readers
	Groups             []ConfigGroup
	Hidden             []Hidden
	Action             string // where the form goes
	Discard            string // where it does not
	Beside             ConfigBeside
}

// ConfigBeside is what stands beside the form and follows what is typed.
type ConfigBeside struct {
	// Alone: it is sent without its page, whose count of changes it brings along.
	Alone, Operates bool
	// Fresh: the job is new, so that what is typed differs from nothing.
	Fresh          bool
	Changes, Wrong int
	// Changed are the keys that differ from what is stored, with what stands there; for
	// an answer alone.
	Changed []ConfigField
	// Stale: somebody has stored another revision meanwhile, which says who and what.
	Stale   string
	Cron    *CronProps // nil: the assistant has nothing to say
	Preview *Preview   // nil: nothing can be stored
}

// Preview is what a change would do, and the request that makes it.
type Preview struct {
	Lines   []ui.DiffLine
	Effects []EffectRow
	Curl    string
	// Nothing: there is nothing to save. Fresh: it is a new job.
	Nothing, Fresh bool
}

// frame is the frame of the editor: that of the job's pages, once there are any.
func (p ConfigProps) frame(ctx context.Context) layout.Frame {
	if p.Head != nil {
		return p.Head.frame(ctx)
	}
	return p.Frame.With(layout.Head{Heading: p.Heading, Crumbs: configCrumbs(ctx, p.Job, p.JobHref)})
}

// Hidden is a field that nobody sees.
type Hidden struct{ Name, Value string }

// ConfigGroup is a part of the form.
type ConfigGroup struct {
	ID, Title string
	Fields    []ConfigField
	// Props are the properties of the last group, with rows for new ones.
	Props     []PropRow
	HasProps  bool
	PropError string
	// Folded: it is opened on demand.
	Folded bool
}

// FieldKind is how a value is asked for.
type FieldKind string

// The kinds of fields.
const (
	FieldText   FieldKind = "text"
	FieldArea   FieldKind = "area"
	FieldNumber FieldKind = "number"
	FieldSwitch FieldKind = "switch"
	FieldSelect FieldKind = "select"
)

// ConfigField is one key of the form.
type ConfigField struct {
	Kind             FieldKind
	Name, Label      string
	Help, Error      string
	Value            string
	On               bool
	Least, Most      int
	Suggest          []string // values that a text often has
	Changed, HasWas  bool
	Was              string
	Wide, Mono, Lone bool // Lone: one column of four
	Locked           bool
	Choices          []ui.Choice // of a select
}

func (f ConfigField) id() string { return "f-" + f.Name }

// describedBy are the ids of what is said about the field.
func (f ConfigField) describedBy() string {
	ids := ""
	if f.Error != "" {
		ids = f.id() + "-error "
	}
	if f.Help != "" {
		ids += f.id() + "-help"
	}
	return ids
}

// PropRow is one property.
type PropRow struct {
	Key, Value string
	Changed    bool
}

// ReviewProps is what a change would do.
type ReviewProps struct {
	Frame        layout.Frame
	Heading      string
	Job, JobHref string
	Notices      []ui.Notice
	Preview
	Hidden []Hidden
	Action string // where the form that saves goes
	Edit   string // where the form that goes on editing goes
	Save   string // the word on the button
	Reason string
}

// EffectRow is one thing that happens.
type EffectRow struct {
	Tone ui.Tone
	Text string
	Code string
}

// ConflictProps asks which of two changes is meant.
type ConflictProps struct {
	Frame        layout.Frame
	Job, JobHref string
	Text         string
	Rows         []ConflictRow
	Hidden       []Hidden
	Action       string
	Discard      string
}

// ConflictRow is a key that both have changed.
type ConflictRow struct{ Key, Base, Mine, Theirs string }
