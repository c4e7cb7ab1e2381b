package ui

import (
	"cmp"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// RunRows are runs as lines of a table.
func RunRows(l i18n.Lang, list []rdb.Run, now time.Time) []runs.Row {
	var longest time.Duration
	for _, r := range list {
		longest = max(longest, RunTook(r, now))
	}
	rows := make([]runs.Row, 0, len(list))
	for _, r := range list {
		row := runs.Row{
			Href: RunPath(r.JobName, r.ID), Key: query.RowKey(r.JobName + "/" + r.ID), Start: runBegan(l, r, now), Job: r.JobName, JobHref: app.JobPath("/jobs", r.JobName),
			State: RunChip(l, r.State).State(), Cells: cells(r),
			Shards: ShardsLabel(l, r), Words: shardsWords(l, r), Took: Took(l, RunTook(r, now)), Tone: RunTone(r.State),
			Trigger: RunTrigger(l, r.Trigger), Error: explain.Short(view.FirstLine(r.Cause)), Title: view.Clip(r.Cause, 160),
		}
		switch {
		case r.State == rdb.RunRunning:
			row.Took = l.RunSoFar(ui.Span(l, RunTook(r, now)))
		case r.End.IsZero():
			row.Took = l.RunUnknown()
		}
		if r.State == rdb.RunLost && row.Error == "" {
			row.Error = l.RunsLostNote()
		}
		row.Share = float64(RunTook(r, now)) / float64(max(longest, 1))
		rows = append(rows, row)
	}
	return rows
}

// RunChip is the state of a run.
func RunChip(l i18n.Lang, state rdb.RunState) ui.Chip {
	return ui.Chip{Tone: RunTone(state), Label: RunState(l, state), TestID: "run-state"}
}

// ExecutionOf is an execution as a line of a table.
func ExecutionOf(l i18n.Lang, e tracing.Execution, now time.Time) runs.Execution {
	state := rdb.StateOf(e)
	row := runs.Execution{
		Execution: e, State: RunChip(l, state).State(), Took: l.RunUnknown(), Trigger: RunTrigger(l, rdb.TriggerOf(e)),
		Href: ExecutionHref(e),
	}
	switch {
	case state == rdb.RunLost:
		row.State.Title = l.RunLostText()
	case state == rdb.RunRunning:
		row.Took = l.RunSoFar(ui.Span(l, now.Sub(e.StartTime)))
	case !e.CompleteTime.IsZero():
		row.Took = Took(l, e.CompleteTime.Sub(e.StartTime))
	}
	return row
}

// runBegan is the fire time of a run, or when it began, with as much date as it needs.
func runBegan(l i18n.Lang, r rdb.Run, now time.Time) ui.Time {
	return view.ListTime(l, cmp.Or(r.ScheduledAt, r.Start), now)
}

// ShardsLabel counts the shards of a run in a sentence.
func ShardsLabel(l i18n.Lang, r rdb.Run) string {
	label := l.RunsShardsLabel(r.Shards, r.Failed, r.Lost, r.Running)
	if r.Cancelled > 0 {
		return JoinNotes(label, l.BackfillCancelled(r.Cancelled))
	}
	return label
}

// shardsWords counts the shards of a run by how they ended.
func shardsWords(l i18n.Lang, r rdb.Run) string {
	var parts []string
	for _, p := range []struct {
		n    int
		word func(i18n.Lang, int) string
	}{
		{r.Succeeded, i18n.Lang.RunsNOk}, {r.Failed, i18n.Lang.JobsNFailed}, {r.Lost, i18n.Lang.RunsNLost},
		{r.Cancelled, i18n.Lang.BackfillCancelled}, {r.Running, i18n.Lang.JobsNRunning},
	} {
		if p.n > 0 {
			parts = append(parts, p.word(l, p.n))
		}
	}
	return strings.Join(parts, " · ")
}

// cells are the states of a run's shards, of many those that did not succeed first.
func cells(r rdb.Run) (list []ui.Tone) {
	for i, e := range r.Executions {
		if i+1 < len(r.Executions) && r.Executions[i+1].Item == e.Item {
			continue // the last attempt counts
		}
		list = append(list, RunTone(rdb.StateOf(e)))
	}
	return Cells(list)
}

// RunTook is how long a run took, up to now if it goes on; zero if nobody knows.
func RunTook(r rdb.Run, now time.Time) time.Duration {
	switch {
	case r.State == rdb.RunRunning:
		return now.Sub(r.Start)
	case r.End.IsZero():
		return 0
	}
	return r.End.Sub(r.Start)
}
