package jobs

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// RequestedProps is the page of the runs of a job that were requested.
type RequestedProps struct {
	Job JobHead
	// NewHref leads to the form; empty for whoever may not request runs.
	NewHref string
	Views   []ui.Tab
	Filter  RequestedFilter
	Rows    []RequestedRow
	Empty   *ui.Empty
	Pager   *ui.Pager
}

// RequestedFilter is the form that narrows the list. State is kept, as the views choose it.
type RequestedFilter struct {
	Href, State, Key, From, To string
	Origins                    []ui.Choice
	// Active: the list is narrowed by the form; ClearHref is without that.
	Active    bool
	ClearHref string
}

// RequestedRow is one run of the list.
type RequestedRow struct {
	ID, Short, Href   string
	State             ui.State
	By, Note          string
	Due               ui.Time
	Waited, Took      string
	Shards            string
	CancelHref, Start string // empty if it cannot be cancelled, or started
}

// RequestedRunProps is the page of one requested run.
type RequestedRunProps struct {
	Frame                  layout.Frame
	Job, JobHref, ListHref string
	Heading, Sub           string
	State                  ui.Chip
	Notice, From           *ui.Note // From says that the run is no more in the registry
	Facts                  []ui.Fact
	Links                  []RequestedLink // what belongs to the run: its executions, the run it repeats
	Actions                []ui.Button
	Steps                  []RequestedStep
	// Timeline is the executions over time; nil if the history has none.
	Timeline *runs.RunProps
	Shards   []RequestedShard
	// Attempts are the headings of the attempts of Shards; EarlierAttempts have no column.
	Attempts              []string
	EarlierAttempts       int
	ShardsSub, ShardsNone string
	ShardsError           string // of shards that are not listed one by one
	Log                   runs.Log
	// Ended: nothing of the page changes any more.
	Ended              bool
	Params, ParamsNone string
	// Result has the results of the shards as JSON; empty if there are none.
	Result string
}

// RequestedLink leads to what belongs to a run.
type RequestedLink struct{ Label, Text, Href, TestID string }

// RequestedStep is something that happened to a run.
type RequestedStep struct {
	At        ui.Time
	Tone      ui.Tone
	Text, Who string
	Message   string
}

// RequestedShard is a shard of a run.
type RequestedShard struct {
	Number   string
	State    ui.State
	Instance string
	Since    ui.Time
	Error    string
	Result   string
	Progress *RequestedProgress // nil if the handler has not said how far it is
	LogHref  string             // empty if it has logged nothing
	Attempts []RequestedAttempt // a cell for each heading
}

// RequestedAttempt is an attempt at a shard, without executions if the shard took no part.
type RequestedAttempt struct {
	Executions []RequestedExecution
	LogHref    string // empty if it has logged nothing
}

// RequestedExecution is an execution of an attempt. Took is empty if its end is unknown.
type RequestedExecution struct {
	State ui.State
	Took  string
}

// RequestedProgress is how far the handler of a shard is; Value is from 0 to 1.
type RequestedProgress struct{ Label, Value, Text string }

// RequestProps is the form that requests a run.
type RequestProps struct {
	Frame          layout.Frame
	Job, JobHref   string
	ListHref, Post string
	Again          string // the run that is repeated, empty for none
	Notices        []ui.Notice
	FillHref       string // fills it in as the last run was requested
	Params         RequestField
	Fields         *RequestParams // nil if the job's schema makes no fields
	When           RequestWhen
	Shards         *RequestShards // nil if each run is assigned to one shard
	Effects        []string
	Overlaps       []RequestChoice
	Note           RequestField
	NoteMost       string
	Wrong          int
	Curl           string
}

// RequestField is a field with what is wrong with it, empty for nothing.
type RequestField struct{ Value, Error string }

// RequestParams are the fields that the schema of a job's parameters makes. With AsJSON
// there are none, but a way to them.
type RequestParams struct {
	Fields             []RequestParam
	AsJSON             bool
	FormHref, JSONHref string
	Schema             string // which one it is
	Secrets            bool
}

// RequestParamKind is how a parameter is asked for.
type RequestParamKind int

// How parameters are asked for.
const (
	ParamInput RequestParamKind = iota
	ParamArea
	ParamSelect
	ParamCheck
	ParamLines
	ParamJSON
	ParamGroup
	ParamChips // of a list, those that are chosen
)

// RequestParam is a field for a parameter.
type RequestParam struct {
	Kind             RequestParamKind
	Name, ID         string
	Label, Help      string
	Value, Error     string
	Required, Secret bool
	Type             string // of an input
	Min, Max, Step   string
	InUTC            bool
	Choices          []ui.Choice    // of a select, or boxes
	Below            []RequestParam // of a group
}

// chosen is how many of the choices are.
func (p RequestParam) chosen() (n int) {
	for _, c := range p.Choices {
		if c.Selected {
			n++
		}
	}
	return n
}

// help are the texts about the field.
func (p RequestParam) help() string {
	var ids []string
	if p.Help != "" || p.Kind == ParamLines || p.Kind == ParamJSON || p.InUTC {
		ids = append(ids, p.ID+"-help")
	}
	if p.Error != "" {
		ids = append(ids, p.ID+"-error")
	}
	return strings.Join(ids, " ")
}

func (p RequestParam) describedBy() templ.Attributes {
	if ids := p.help(); ids != "" {
		return templ.Attributes{"aria-describedby": ids}
	}
	return nil
}

// bounds are those of a number, and what is between two of them.
func (p RequestParam) bounds() templ.Attributes {
	a := templ.Attributes{}
	for name, value := range map[string]string{"min": p.Min, "max": p.Max, "step": p.Step} {
		if value != "" {
			a[name] = value
		}
	}
	return a
}

// rows are how many lines are shown at first.
func (p RequestParam) rows() string {
	return strconv.Itoa(max(3, min(14, 1+strings.Count(p.Value, "\n"))))
}

// RequestWhen is when the run begins.
type RequestWhen struct {
	Choice    string // now, in or at
	In        string
	Units     []ui.Choice
	At, Error string
}

// RequestShards are the shards that take part, by the instance that owns them: boxes if there are
// few, else a text such as 0-3,7.
type RequestShards struct {
	Owners []RequestOwner
	Text   string
	Last   string // the greatest number
	Error  string
}

// Count returns the number of boxes, and how many of them are disabled.
func (p *RequestShards) Count() (boxes, off int) {
	for _, o := range p.Owners {
		boxes += len(o.Boxes)
		for _, b := range o.Boxes {
			if b.Off {
				off++
			}
		}
	}
	return boxes, off
}

// RequestOwner is an instance with its shards; Count is their number in words.
type RequestOwner struct {
	Name, Count string
	Boxes       []RequestShard
}

// RequestShard is the box of a shard. Off is set if the shard is disabled.
type RequestShard struct {
	Number      string
	State       ui.State
	Chosen, Off bool
}

// RequestChoice is one of several, with a sentence about it.
type RequestChoice struct {
	Value, Label, Text string
	Chosen             bool
	Usual              bool // as the job is configured
}

// RequestCancelProps asks before a run is cancelled.
type RequestCancelProps struct {
	Frame             layout.Frame
	Heading           string
	Job, JobHref      string
	ListHref, RunHref string
	List, Submit      string // the labels of the crumb and of the button
	Back              string // the label of RunHref
	Post              string
	Effects           []string
	Reason            RequestField
	ReasonMost        string
	Curl              string
}

// HoldProps asks what of a job is to stand still.
type HoldProps struct {
	Frame        layout.Frame
	Heading      string
	Job, JobHref string
	Post         string
	Choices      []RequestChoice
	What         jobrun.Held // as chosen
	WhatError    string
	Effects      []string
	Reason       RequestField
	ReasonMost   string
	Curl         string
}

// rows are how many lines of the field are shown at first.
func (f RequestField) rows() string {
	return strconv.Itoa(max(5, min(14, 1+strings.Count(f.Value, "\n"))))
}

func (f RequestField) help(id string) string {
	if f.Error == "" {
		return id + "-help"
	}
	return id + "-help " + id + "-error"
}

// exampleParams shows what parameters look like.
const exampleParams = `{"month": "2026-10", "dryRun": true}`
