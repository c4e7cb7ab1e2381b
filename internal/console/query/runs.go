package query

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Triggers are why runs can have been started, as they can be filtered by.
var Triggers = []tracing.Trigger{
	tracing.TriggerSchedule, tracing.TriggerManual, tracing.TriggerAPI, tracing.TriggerMisfire, tracing.TriggerFailover, tracing.TriggerRetry,
}

// RunsNames are the parameters of the list of runs.
var RunsNames = []string{"job", "jobName", "match", "failure", "took", "state", "ip", "from", "to", "limit", "cursor", "trigger", "started"}

// ParseRuns reads the filter of runs from a query string. Like [ParseJobs] it
// leaves out what it does not understand and says so. Names are those of
// [ParseExecutions], and started=in, which makes from and to bounds of the start.
func ParseRuns(v url.Values) (f rdb.RunFilter, problems Problems) {
	return parseRuns(v, DefaultPageSize)
}

// ParseRunsPage reads the filter of the page of runs: as [ParseRuns] does, but a page
// whose address names no size has [ScreenRows].
func ParseRunsPage(v url.Values) (f rdb.RunFilter, problems Problems) {
	return parseRuns(v, ScreenRows)
}

func parseRuns(v url.Values, size int) (f rdb.RunFilter, problems Problems) {
	e, problems := parseExecutions(url.Values{
		"job": v["job"], "jobName": v["jobName"], "match": v["match"], "failure": v["failure"], "took": v["took"], "state": v["state"],
		"ip": v["ip"], "from": v["from"], "to": v["to"], "limit": v["limit"], "cursor": v["cursor"],
	}, size)
	f = rdb.RunFilter{JobName: e.JobName, JobPrefix: e.JobPrefix, FailureText: e.FailureText, MinDuration: e.MinDuration, State: e.State,
		IP: e.IP, From: e.From, To: e.To, Limit: e.Limit, Cursor: e.Cursor}
	if text := v.Get("trigger"); text != "" {
		if f.Trigger = tracing.Trigger(text); !slices.Contains(Triggers, f.Trigger) {
			f.Trigger = ""
			problems = append(problems, unknown("trigger", text, view.Join(Triggers)))
		}
	}
	switch started := v.Get("started"); started {
	case "", "any":
	case "in":
		f.StartedIn = true
	default:
		problems = append(problems, Neither("started", started, "in", "any"))
	}
	return f, problems
}

// RunValues is the query string of a filter for a page.
func RunValues(f rdb.RunFilter) url.Values {
	v := ExecutionValues(rdb.ExecutionFilter{JobName: f.JobName, JobPrefix: f.JobPrefix, FailureText: f.FailureText, MinDuration: f.MinDuration,
		State: f.State, IP: f.IP, From: f.From, To: f.To, Limit: f.Limit, Cursor: f.Cursor})
	if f.Trigger != "" {
		v.Set("trigger", string(f.Trigger))
	}
	if f.StartedIn {
		v.Set("started", "in")
	}
	return v
}

// Spans are the lengths of time up to now that runs are asked for, and "all".
var Spans = []string{"1h", "2h", "24h", "7d", "all"}

// GridSpans are those that the grid of a job's runs is asked for.
var GridSpans = []string{"6h", "24h", "7d"}

// ParseGridSpan is the length of time of one of the [GridSpans].
func ParseGridSpan(text string) (time.Duration, bool) { return spanOf(text, GridSpans) }

// ParseSpan is the length of time of one of the [Spans]; zero of all.
func ParseSpan(text string) (time.Duration, bool) { return spanOf(text, Spans) }

// spanOf is the length of time of one of several spans.
func spanOf(text string, spans []string) (time.Duration, bool) {
	if !slices.Contains(spans, text) {
		return 0, false
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		return time.Duration(n) * 24 * time.Hour, err == nil
	}
	d, _ := time.ParseDuration(text)
	return d, true
}
