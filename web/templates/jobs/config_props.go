package jobs

import (
	"cmp"
	"context"

	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ConfigPage begins the pages of a configuration that is edited.
type ConfigPage struct {
	Frame        layout.Frame
	Job, JobHref string // empty if the job is new
	// At is the address of the editor. Forms that save go there, and others to its preview.
	At      string
	Notices []ui.Notice
	Hidden  [][2]string // fields by name
}

// head is the page's head; its heading is the frame's title.
func (p ConfigPage) head(ctx context.Context) layout.Frame {
	crumbs := jobsCrumbs(ctx)
	if p.JobHref != "" {
		crumbs = jobCrumbs(ctx, p.Job, p.JobHref)
	}
	return p.Frame.With(layout.Head{Crumbs: crumbs})
}

// back leaves the editor.
func (p ConfigPage) back() string { return cmp.Or(p.JobHref, "/jobs") }

// ConfigProps is the editor of a job's configuration.
type ConfigProps struct {
	ConfigPage
	// Head is the head of the job's pages; nil if the job is new or can't be read.
	Head     *JobHead
	Tabs     []ui.Tab
	Operates bool   // the fields can be changed
	Revision string // empty if the job is new
	// Author saved it at SavedAt; empty if it's unknown.
	Author  string
	SavedAt ui.Time
	// Versions means that earlier ones are kept.
	Versions bool
	// Duplicate is where a job like this one is created; empty if it can't be.
	Duplicate string
	// AsText shows Text instead of Groups. TextTab is the word for it, and TextError has its problems.
	AsText                   bool
	Text, TextTab, TextError string
	Groups                   []ConfigGroup
	Beside                   ConfigBeside
}

// frame is the frame of the job's pages, if it has any.
func (p ConfigProps) frame(ctx context.Context) layout.Frame {
	if p.Head != nil {
		return p.Head.frame(ctx)
	}
	return p.head(ctx)
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
	Effects []Effect
	Curl    string
	// Nothing: there is nothing to save. Fresh: it is a new job.
	Nothing, Fresh bool
}

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
	FieldArea   FieldKind = "area"
	FieldNumber FieldKind = "number"
	FieldSwitch FieldKind = "switch"
	FieldSelect FieldKind = "select"
)

// FieldDef is a field of the form.
type FieldDef struct {
	Name        string
	Label, Help func(i18n.Lang) string // Help is nil for none
	Wide, Mono  bool
	Suggest     []string // values that a text often has
	Choices     []string // of a property; the first is the usual one
	Most        int      // of a property that is a number
	Area        bool
}

// ConfigField is a field with its value.
type ConfigField struct {
	FieldDef
	Kind            FieldKind // a text if it's empty
	Error           string
	Value           string
	On              bool
	Lowest, Highest int
	Changed, HasWas bool
	Was             string
	Options         []ui.Choice // of a select
}

func (f ConfigField) id() string { return "f-" + f.Name }

// class is the class of the field's kind.
func (f ConfigField) class() string { return "cfg-" + cmp.Or(string(f.Kind), "text") }

// describedBy are the ids of the field's error and help.
func (f ConfigField) describedBy() string {
	ids := ""
	if f.Error != "" {
		ids = f.id() + "-error "
	}
	if f.Help != nil {
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
	ConfigPage
	Preview
	Reason string
}

// Effect is a consequence of a change.
type Effect struct {
	Code string
	Tone ui.Tone
	Text string
}

// ConflictProps asks which of two changes counts.
type ConflictProps struct {
	ConfigPage
	Text string
	Rows []editor.Conflict
}
