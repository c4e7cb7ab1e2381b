package jobs

import (
	"context"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/requested/params"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// RequestedProps is the page of the requested runs of a job.
type RequestedProps struct {
	Job     JobHead
	MayRun  bool
	Views   []ui.Tab
	Filter  query.Requested
	Origins []ui.Choice
	Rows    []RequestedRow
	Empty   *ui.Empty
	Pager   ui.Pager // not shown without rows
}

// RequestedRow is one run of the list.
type RequestedRow struct {
	jobrun.Run
	Job             string
	Look            ui.State
	Requester       string
	Waited, Took    string
	Time            ui.Time
	Done            string // the shards that have ended well, of all
	Cancels, Starts bool   // the buttons of an operator
}

// RequestedPath is the page of the requested runs of a job, or below it.
func RequestedPath(job string, more ...string) string {
	return api.JobPath("/jobs", job, append([]string{"requested-runs"}, more...)...)
}

// ShortID is the end of a run's id, which differs between the runs of one minute.
func ShortID(id string) string { return id[strings.LastIndexByte(id, '-')+1:] }

// RequestedRunProps is the page of one requested run.
type RequestedRunProps struct {
	Frame        layout.Frame
	Job, Sub     string
	State        ui.Chip
	Notice, From *ui.Note // From says that the run is no more in the registry
	Facts        []ui.Fact
	Actions      []ui.Button
	Steps        []RequestedStep
	// Timeline is the executions over time; nil if the history has none.
	Timeline *runs.Timeline
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
	Progress *tracing.Progress  // nil if the handler has not reported any
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

// RequestProps is the form that requests a run.
type RequestProps struct {
	Frame    layout.Frame
	Job      string
	Typed    url.Values        // the values of its fields
	Wrong    map[string]string // the errors, by field
	Notices  []ui.Notice
	Params   *RequestParams // nil if the job's schema makes no fields
	Units    []ui.Choice    // of a delay
	Shards   *RequestShards // nil if each run is assigned to one shard
	Effects  []string
	Overlaps []ui.Choice
	Curl     string
}

func (p RequestProps) field(name string) ui.Field {
	return ui.Field{Value: p.Typed.Get(name), Error: p.Wrong[name]}
}

// RequestShards are the shards that take part, by the instance that owns them: boxes if there are
// few, else a text such as 0-3,7.
type RequestShards struct {
	Owners []RequestOwner
	Last   string // the greatest number
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

// RequestCancelProps asks before a run or a backfill is cancelled.
type RequestCancelProps struct {
	Frame layout.Frame
	Job   string
	// List and ListHref are the last crumb; Back and BackHref lead back.
	List, ListHref, Back, BackHref string
	Submit, Post                   string
	Effects                        []string
	Reason                         ui.Field
	Curl                           string
}

// HoldProps asks which part of a job to hold.
type HoldProps struct {
	Frame     layout.Frame
	Job       string
	Choices   []ui.Choice
	What      jobrun.Held // as chosen
	WhatError string
	Reason    ui.Field
	Curl      string
}

// RequestParams are the fields that the schema of a job's parameters makes. With AsJSON
// there are none, but a way to them.
type RequestParams struct {
	Fields             []*params.Field
	AsJSON             bool
	FormHref, JSONHref string
	Schema             string // the id of the schema
	Secrets            bool
}

// exampleParams shows what parameters look like.
const exampleParams = `{"month": "2026-10", "dryRun": true}`

// mostReason bounds the reason of an action, as app.MaxReason does.
var mostReason = strconv.Itoa(view.MaxReason)

// requestedCrumbs lead to a page below a list of a job.
func requestedCrumbs(ctx context.Context, job, list, href string) []layout.Crumb {
	return append(jobCrumbs(ctx, job, api.JobPath("/jobs", job)), layout.Crumb{Label: list, Href: href})
}

func progressText(p tracing.Progress) string {
	text := strconv.Itoa(int(math.Floor(p.Fraction*100))) + "%"
	if p.Message != "" {
		text += " · " + p.Message
	}
	return text
}
