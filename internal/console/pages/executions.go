package pages

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/history"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// executionsPage is the list of what ran.
func (s *Pages) executionsPage(c *gin.Context) {
	filter, hints := query.ParseExecutions(c.Request.URL.Query())
	var runs rdb.ExecutionPage
	ask := filter
	rows, next, err := query.Leaf(0, filter.Limit, filter.Cursor, func(limit int, cursor string) ([]tracing.Execution, string, error) {
		ask.Limit, ask.Cursor = limit, cursor
		page, err := s.ReadExecutions(c, ask)
		return page.Rows, page.NextCursor, err
	})
	runs.Rows, runs.NextCursor = rows, next
	f := s.Frame(c, "", console.AreaExecutions)
	if err == nil && filter.Cursor == "" {
		f.LiveSeconds = console.LiveSeconds
	}
	props := executionsProps(f, filter, runs, s.Now())
	props.Levels = executionLevels(i18n.From(c.Request.Context()), filter)
	if len(hints) > 0 {
		props.Notices = append(props.Notices, ui.Notice{
			Tone: ui.ToneWarn, Heading: "A part of the filter was ignored", Text: strings.Join(hints, "; ") + ".", TestID: "query-hint",
		})
	}
	status := http.StatusOK
	if err != nil {
		p := console.AsProblem(err)
		status = p.Status()
		s.LogFailure(c, p)
		props.Empty = &ui.Empty{Heading: p.Message, Text: p.Hint, TestID: "executions-unavailable"}
	}
	s.Render(c, status, history.Executions(props))
}

// executionLevels lead from the executions of a filter to their runs and steps.
func executionLevels(l i18n.Lang, f rdb.ExecutionFilter) []ui.Tab {
	e := explorer{lang: l, filter: rdb.RunFilter{JobName: f.JobName, JobPrefix: f.JobPrefix, IP: f.IP, State: f.State, FailureText: f.FailureText, MinDuration: f.MinDuration, From: f.From, To: f.To}}
	levels := e.levels()
	levels[0].Active, levels[1].Active = false, true
	return levels
}

// executionsProps builds the view model.
func executionsProps(f layout.Frame, filter rdb.ExecutionFilter, page rdb.ExecutionPage, now time.Time) history.ExecutionsProps {
	p := history.ExecutionsProps{
		Frame: f,
		Filter: history.ExecutionsFilter{
			Job: filter.JobName + filter.JobPrefix, IP: filter.IP, Failure: filter.FailureText, From: query.InputTime(filter.From), To: query.InputTime(filter.To),
			States:  []ui.Choice{{Value: "", Label: "any", Selected: filter.State == ""}},
			Sizes:   sizeChoices(filter.Limit),
			Matches: []ui.Choice{{Value: "exact", Label: "is", Selected: filter.JobPrefix == ""}, {Value: "prefix", Label: "begins with", Selected: filter.JobPrefix != ""}},
		},
		Runs:  history.RunsProps{Runs: runRows(page.Rows, now), Columns: runColumns(filter)},
		Pager: ui.Pager{PrevLabel: "Newest", NextLabel: "Older", Summary: view.Plural(len(page.Rows), "execution") + " on this page"},
	}
	if filter.Item != nil {
		p.Filter.Item = strconv.Itoa(*filter.Item)
	}
	for _, state := range query.RunStates {
		p.Filter.States = append(p.Filter.States, ui.Choice{Value: string(state), Label: string(state), Selected: state == filter.State})
	}
	if filter.MinDuration > 0 {
		p.Filter.Took = query.SpanText(filter.MinDuration)
	}
	if filter.Sort != rdb.SortStart {
		p.Filter.Sort = string(filter.Sort)
	}
	if filter.Ascending {
		p.Filter.Order = "asc"
	}
	p.Pager.PrevLabel, p.Pager.NextLabel = pagerLabels(filter)
	bare := filter
	bare.Cursor, bare.Limit, bare.Sort, bare.Ascending = "", 0, "", false
	p.Filter.Active = len(query.ExecutionValues(bare)) > 0

	if filter.Cursor != "" {
		start := filter
		start.Cursor = ""
		p.Pager.Prev = query.WithQuery("/executions", query.ExecutionValues(start))
	}
	if page.NextCursor != "" {
		next := filter
		next.Cursor = page.NextCursor
		p.Pager.Next = query.WithQuery("/executions", query.ExecutionValues(next))
	}
	if len(page.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: "No execution recorded yet.", Text: "Runs appear here when the agents write to the console's trace database.", TestID: "executions-empty"}
		if p.Filter.Active || filter.Cursor != "" {
			p.Empty = &ui.Empty{Heading: "No execution matches the filter.", Text: "The IP is compared exactly, and so is the job unless it is asked for by its begin; times are UTC.", Href: "/executions", Label: "Show all executions", TestID: "executions-empty"}
		}
		if page.NextCursor != "" {
			p.Empty = &ui.Empty{Heading: "No match so far.", Text: fmt.Sprintf("%s executions were looked through, and there are more.", view.Thousands((query.MostTurns+1)*rdb.MaxLooked)), Href: p.Pager.Next, Label: "Look further", TestID: "executions-partial"}
		}
	}
	return p
}

// pagerLabels name the ways through the list.
func pagerLabels(f rdb.ExecutionFilter) (prev, next string) {
	switch {
	case f.Sort != "" && f.Sort != rdb.SortStart:
		return "First", "Next"
	case f.Ascending:
		return "Oldest", "Newer"
	}
	return "Newest", "Older"
}

// runColumns are the heads of the list, each with the way to sort by it.
func runColumns(f rdb.ExecutionFilter) []ui.Column {
	column := func(label string, key rdb.SortKey, class string) ui.Column {
		col := ui.Column{Label: label, Class: class}
		if key == "" {
			return col
		}
		sorted := f
		sorted.Cursor, sorted.Sort, sorted.Ascending = "", key, false
		if now := cmp.Or(f.Sort, rdb.SortStart); now == key {
			sorted.Ascending = !f.Ascending
			col.Sorted = map[bool]string{false: "descending", true: "ascending"}[f.Ascending]
		}
		col.Href = query.WithQuery("/executions", query.ExecutionValues(sorted))
		return col
	}
	return []ui.Column{
		column("Job", rdb.SortJob, ""), column("Shard", "", "num"), column("Result", "", ""), column("Started", rdb.SortStart, ""),
		column("Took", rdb.SortDuration, "num"), column("Ended", rdb.SortComplete, ""), column("Why it ran", "", ""),
		column("Where", rdb.SortIP, ""), column("Failure", "", "wide"),
	}
}

func runRows(runs []tracing.Execution, now time.Time) []history.Run {
	rows := make([]history.Run, 0, len(runs))
	for _, r := range runs {
		id, _ := rdb.RunOf(r)
		row := history.Run{
			RunHref: query.WithQuery(runPath(r.JobName, id), url.Values{"shard": {strconv.Itoa(r.Item)}}),
			Job:     r.JobName, JobHref: console.JobPath("/jobs", r.JobName),
			Item: strconv.Itoa(r.Item), Start: view.DateTime(r.StartTime), End: endTime(r),
			Source: sourceWord(r.Source), Host: r.Hostname, IP: r.IP, TaskID: r.TaskID,
			Cause: r.FailureCause, CauseHead: headline(r.FailureCause),
		}
		switch {
		case r.Lost:
			row.State = ui.Chip{Tone: ui.ToneWarn, Label: "Lost", Title: lostTitle, TestID: "run-state"}
			row.Took = "unknown"
		case r.Running():
			row.State = ui.Chip{Tone: ui.ToneRun, Label: "Running", TestID: "run-state"}
			row.Took = view.Span(now.Sub(r.StartTime)) + " so far"
		case r.Success:
			row.State = ui.Chip{Tone: ui.ToneOK, Label: "Success", TestID: "run-state"}
			row.Took = view.Took(r.CompleteTime.Sub(r.StartTime))
		default:
			row.State = ui.Chip{Tone: ui.ToneBad, Label: "Failed", TestID: "run-state"}
			row.Took = "unknown"
			if !r.CompleteTime.IsZero() {
				row.Took = view.Took(r.CompleteTime.Sub(r.StartTime))
			}
		}
		if r.Hostname == r.IP {
			row.Host = ""
		}
		rows = append(rows, row)
	}
	return rows
}

// endTime is when a run ended, nothing if nobody knows.
func endTime(r tracing.Execution) ui.Time {
	if r.CompleteTime.IsZero() {
		return ui.Time{}
	}
	return view.DateTime(r.CompleteTime)
}

func sourceWord(s tracing.Source) string {
	switch s {
	case tracing.SourceNormal:
		return "schedule or trigger"
	case tracing.SourceMisfire:
		return "misfire"
	case tracing.SourceFailover:
		return "failover"
	}
	return strings.ToLower(string(s))
}

// headline is the first line of a failure, short enough for a table.
func headline(cause string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cause), "\n")
	return view.Clip(strings.TrimSpace(line), 120)
}
