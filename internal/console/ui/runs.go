package ui

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// RunTone is the tone of a run's state.
func RunTone(state rdb.RunState) ui.Tone {
	return map[rdb.RunState]ui.Tone{
		rdb.RunRunning: ui.ToneRun, rdb.RunSuccess: ui.ToneOK, rdb.RunFailed: ui.ToneBad, rdb.RunLost: ui.ToneLost, rdb.RunCancelled: ui.ToneOff,
	}[state]
}

// RunState is the state of a run in words.
func RunState(l i18n.Lang, state rdb.RunState) string {
	switch state {
	case rdb.RunRunning:
		return l.RunStateRunning()
	case rdb.RunFailed:
		return l.RunStateFailed()
	case rdb.RunLost:
		return l.RunStateLost()
	case rdb.RunCancelled:
		return l.RequestStateCancelled()
	default:
		return l.RunStateSuccess()
	}
}

// RunTrigger is the trigger of a run in words.
func RunTrigger(l i18n.Lang, trigger tracing.Trigger) string {
	words := map[tracing.Trigger]func(i18n.Lang) string{
		tracing.TriggerSchedule: i18n.Lang.RunTriggerSchedule, tracing.TriggerManual: i18n.Lang.RunTriggerManual,
		tracing.TriggerAPI: i18n.Lang.RunTriggerApi, tracing.TriggerMisfire: i18n.Lang.RunTriggerMisfire,
		tracing.TriggerFailover: i18n.Lang.RunTriggerFailover, tracing.TriggerRetry: i18n.Lang.RunTriggerRetry,
	}
	switch word, known := words[trigger]; {
	case known:
		return word(l)
	case trigger == "":
		return l.RunTriggerUnknown()
	default:
		return string(trigger)
	}
}

// RunPath is the page of a run.
func RunPath(job, id string) string {
	return app.JobPath("/jobs", job, "runs", strings.ReplaceAll(url.PathEscape(id), "+", "%2B"))
}

// ExecutionHref is the page of the run of an execution, with its shard opened.
func ExecutionHref(e tracing.Execution) string {
	id, _ := rdb.RunOf(e)
	return query.WithQuery(RunPath(e.JobName, id), url.Values{"shard": {strconv.Itoa(e.Item)}})
}

// MissingColumns is the notice that the trace database lacks columns of runs.
func MissingColumns(l i18n.Lang, lacks []string) ui.Notice {
	text := l.RunLacksText(strings.Join(lacks, ", "))
	return ui.Notice{Tone: ui.ToneWarn, Heading: l.RunLacks(), Text: text, TestID: "run-lacks"}
}

// LastExecutions is the number of executions to read for the last ones of all shards of a job.
func LastExecutions(j statistics.Job) int { return min(StripRuns*max(j.Shards, 3), rdb.MaxLimit) }

// RanOn reports whether an execution was on an instance, by its task id.
func RanOn(r tracing.Execution, instance string) bool {
	parts, err := jobtree.ParseTaskID(r.TaskID)
	return err == nil && parts.InstanceID() == instance
}
