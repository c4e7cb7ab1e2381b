package runs

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/history"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// executionsPage is the list of what ran.
func (s *runs) executionsPage(c *gin.Context) {
	filter, hints := query.ParseExecutionsPage(c.Request.URL.Query())
	var found rdb.ExecutionPage
	ask := filter
	rows, next, err := query.Leaf(0, filter.Limit, filter.Cursor, func(limit int, cursor string) ([]tracing.Execution, string, error) {
		ask.Limit, ask.Cursor = limit, cursor
		page, err := s.ReadExecutions(c, ask)
		return page.Rows, page.NextCursor, err
	})
	found.Rows, found.NextCursor = rows, next
	f := s.Frame(c, "", console.AreaExecutions)
	if filter.Cursor == "" {
		f.LiveSeconds = console.LiveSeconds
	}
	l := i18n.From(c.Request.Context())
	props := executionsProps(l, f, filter, found, s.Now())
	props.Levels = executionLevels(l, filter)
	if lacks, err := s.HistoryLacks(c); err == nil && len(lacks) > 0 {
		props.Notices = append(props.Notices, pageui.MissingColumns(l, lacks))
	}
	props.Frame.Ignored = append(props.Frame.Ignored, hints.In(i18n.From(c.Request.Context()))...)
	status := http.StatusOK
	if err != nil {
		props.Empty, status = pageui.Unread(s.Console, c, &props.Frame, err, "executions-unavailable")
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
func executionsProps(l i18n.Lang, f layout.Frame, filter rdb.ExecutionFilter, page rdb.ExecutionPage, now time.Time) history.ExecutionsProps {
	p := history.ExecutionsProps{
		Frame: f,
		Filter: history.ExecutionsFilter{
			Job: filter.JobName + filter.JobPrefix, IP: filter.IP, Failure: filter.FailureText, From: query.InputTime(filter.From), To: query.InputTime(filter.To),
			States:  []ui.Choice{{Value: "", Label: l.RunsAny(), Selected: filter.State == ""}},
			Sizes:   pageui.PageSizes(filter.Limit),
			Matches: []ui.Choice{{Value: "exact", Label: l.RunsMatchExact(), Selected: filter.JobPrefix == ""}, {Value: "prefix", Label: l.RunsMatchPrefix(), Selected: filter.JobPrefix != ""}},
		},
		Runs:  history.RunsProps{Runs: runRows(l, page.Rows, now), Columns: runColumns(l, filter)},
		Pager: ui.Pager{Summary: l.ExecutionsCount(len(page.Rows))},
	}
	if filter.Item != nil {
		p.Filter.Item = strconv.Itoa(*filter.Item)
	}
	for _, state := range query.RunStates {
		p.Filter.States = append(p.Filter.States, ui.Choice{Value: string(state), Label: pageui.RunState(l, state), Selected: state == filter.State})
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
	p.Pager.PrevLabel, p.Pager.NextLabel = pagerLabels(l, filter)
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
		p.Empty = &ui.Empty{Heading: l.ExecutionsEmpty(), Text: l.ExecutionsEmptyText(), TestID: "executions-empty"}
		if p.Filter.Active || filter.Cursor != "" {
			p.Empty = &ui.Empty{Heading: l.ExecutionsNoMatch(), Text: l.ExecutionsNoMatchText(), Href: "/executions", Label: l.ExecutionsShowAll(), TestID: "executions-empty"}
		}
		if page.NextCursor != "" {
			p.Empty = &ui.Empty{Heading: l.RunsPartial(), Text: l.ExecutionsPartialText((query.MostTurns + 1) * rdb.MaxLooked), Href: p.Pager.Next, Label: l.RunsLookFurther(), TestID: "executions-partial"}
		}
	}
	return p
}

// pagerLabels name the ways through the list.
func pagerLabels(l i18n.Lang, f rdb.ExecutionFilter) (prev, next string) {
	switch {
	case f.Sort != "" && f.Sort != rdb.SortStart:
		return l.ExecutionsFirst(), l.ExecutionsNext()
	case f.Ascending:
		return l.ExecutionsOldest(), l.ExecutionsNewer()
	}
	return l.RunsNewest(), l.RunsOlder()
}

// runColumns are the heads of the list, each with the way to sort by it.
func runColumns(l i18n.Lang, f rdb.ExecutionFilter) []ui.Column {
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
		column(l.RunsJob(), rdb.SortJob, "c-name"), column(l.RunShard(), "", "num c-shards"), column(l.RunResult(), "", "c-next"), column(l.RunStarted(), rdb.SortStart, "c-next"),
		column(l.RunDuration(), rdb.SortDuration, "num c-last p1"), column(l.RunEnded(), rdb.SortComplete, "c-last p3"), column(l.RunsTrigger(), "", "c-last p3"),
		column(l.RunsInstance(), rdb.SortIP, "c-here p2"), column(l.RunsCause(), "", "wide"),
	}
}

func runRows(l i18n.Lang, list []tracing.Execution, now time.Time) []history.Run {
	rows := make([]history.Run, 0, len(list))
	for _, r := range list {
		row := history.Run{
			Key:     query.RowKey(r.ID),
			RunHref: pageui.ExecutionHref(r),
			Job:     r.JobName, JobHref: console.JobPath("/jobs", r.JobName),
			Item: strconv.Itoa(r.Item), Start: pageui.ListTime(l, r.StartTime, now), End: endTime(l, r, now),
			Trigger: pageui.RunTrigger(l, rdb.TriggerOf(r)), Host: r.Hostname, IP: r.IP, TaskID: r.TaskID,
		}
		row.Cause, row.CauseRest = causeOf(r.FailureCause)
		state := rdb.StateOf(r)
		row.State = stateChip(l, state)
		switch {
		case state == rdb.RunLost:
			row.State.Title, row.Took = l.RunLostText(), l.RunUnknown()
		case state == rdb.RunRunning:
			row.Took = l.RunSoFar(ui.Span(l, now.Sub(r.StartTime)))
		case r.CompleteTime.IsZero():
			row.Took = l.RunUnknown()
		default:
			row.Took = pageui.Took(l, r.CompleteTime.Sub(r.StartTime))
		}
		if r.Hostname == r.IP {
			row.Host = ""
		}
		rows = append(rows, row)
	}
	return rows
}

// endTime is when a run ended, nothing if nobody knows.
func endTime(l i18n.Lang, r tracing.Execution, now time.Time) ui.Time {
	if r.CompleteTime.IsZero() {
		return ui.Time{}
	}
	return pageui.ListTime(l, r.CompleteTime, now)
}

// mostCause bounds how much of a failure the list has.
const mostCause = 1000

// causeOf is a failure as a line, and what else it says.
func causeOf(cause string) (line, rest string) {
	line = pageui.FirstLine(cause)
	cause = strings.TrimSpace(cause)
	if cause == line {
		return line, ""
	}
	if after, ok := strings.CutPrefix(cause, line+"\n"); ok {
		cause = after
	}
	return line, view.Clip(cause, mostCause)
}
