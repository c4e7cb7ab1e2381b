package jobs

import (
	"context"

	"github.com/a-h/templ"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// BulkBar is below a list of jobs: what can be done with those that are selected.
type BulkBar struct {
	// All selects every job of the view, on all its pages: AllHref is the list with
	// them selected. AllChosen: it is that list; then Clear leads back.
	All, AllHref string
	AllChosen    bool
	// Count is how many jobs AllChosen is about.
	Count int
	Clear string
	// Filter are the fields that say which jobs those are, Return is the list.
	Filter [][2]string
	Return string
	// Actions are the buttons.
	Actions []BulkButton
	// Export is where the configurations are.
	Export string
	// Menu is the menu behind the dots of each row.
	Menu []ui.MenuEntry
}

// BulkButton leads to the page that asks.
type BulkButton struct {
	Verb, Label string
}

// BulkProps asks before an action on several jobs, or on several parts of one, and
// says what it would do to each.
type BulkProps struct {
	Frame   layout.Frame
	Heading string
	// Job is the one, if there is one alone, JobHref its page.
	Job, JobHref string
	Notices      []ui.Notice
	Empty        *ui.Empty
	Counts       []BulkCount
	Sum          string // what is written
	Rows         []BulkRow
	Effects      []string
	// RowLabel says what the rows are, Subject what the first column is.
	RowLabel, Subject string
	// Post is where the form goes, Fields are what it sends as it is, besides each
	// of Names as Field.
	Post   string
	Fields [][2]string
	Field  string
	Verb   string
	Names  []string
	Return string
	// Once names the form: one that is sent twice is carried out once.
	Once string
	// Reason is nil for an action without one, Again for one that is not taken
	// back by itself; NoAgain says why a console cannot.
	Reason  *BulkReason
	Again   *BulkAgain
	NoAgain string
	// What are what of the jobs can be held, for that action alone.
	What []ui.Choice
	// Label asks for the label, nil for another action.
	Label  *BulkLabel
	Button string // empty: there is nothing to do
	Curl   string
}

// BulkLabel asks what jobs are labelled with.
type BulkLabel struct {
	Value, Error, Most string
	// Known are the labels that there are, Fields what the form sends besides.
	Known  []string
	Fields [][2]string
}

// BulkCount is a number with what it counts.
type BulkCount struct {
	N, Text string
	Tone    ui.Tone
}

// BulkRow is one job, or a part of one.
type BulkRow struct {
	Name, Href string
	Tone       ui.Tone
	What, How  string // "Disable", "on 3 servers"
	Note       string
	Quiet      bool
}

// BulkReason is the field for the reason.
type BulkReason struct {
	// Hint says where it is shown.
	Hint         string
	Value, Error string
	Required     bool
	Most         string
}

// BulkAgain are the fields for the time at which jobs are enabled again.
type BulkAgain struct {
	Choices         []ui.Choice
	At, From, Until string // of the field for a time
	Error           string
}

// ChangeProps is what became of an action on several jobs.
type ChangeProps struct {
	Frame   layout.Frame
	Heading string
	Sub     string
	Counts  []BulkCount
	Rows    []BulkRow
	// RowLabel says what the rows are, Subject what the first column is.
	RowLabel, Subject string
	// Back is the page it was about.
	Back, BackLabel string
	// Notice says that it is under way, or that it was taken back.
	Notice *ui.Notice
	// Undo is where the form goes that takes it back, UndoNote until when, or why
	// not.
	Undo, UndoNote string
	// Download is the address of the outcome as a file, without its format.
	Download string
}

// refusedTitle says on an action why it is off; an action that is not has no title.
func refusedTitle(ctx context.Context) templ.Attributes {
	if why := ui.Refused(ctx); why != "" {
		return templ.Attributes{"title": why}
	}
	return nil
}
