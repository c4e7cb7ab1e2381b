package query

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
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
func ParseRuns(v url.Values, usual int) (f rdb.RunFilter, problems Problems) {
	e, problems := ParseExecutions(url.Values{
		"job": v["job"], "jobName": v["jobName"], "match": v["match"], "failure": v["failure"], "took": v["took"], "state": v["state"],
		"ip": v["ip"], "from": v["from"], "to": v["to"], "limit": v["limit"], "cursor": v["cursor"],
	}, usual)
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

// RunsPage is what the address of the page of runs asks for: a filter, and what only pages have.
type RunsPage struct {
	Filter rdb.RunFilter
	// Last is the span up to now, one of [Spans]; empty if the filter has bounds.
	Last        string
	Label, Name string // the jobs have these in their label and their name
	Left        string // the part of the search that isn't understood
	// Status means the status trail: then the filter has a job and bounds only, and State is for its steps.
	Status bool
	State  tracing.State
}

// RunsPageNames are the parameters of the page of runs that aren't in [RunsNames].
var RunsPageNames = []string{"q", "label", "name", "level", "last"}

// DefaultSpan is how far back the page of runs looks if its address has no bounds.
const DefaultSpan = "24h"

// ParseRunsPage reads the address of the page of runs.
func ParseRunsPage(v url.Values) (p RunsPage, problems Problems) {
	text := func(name string) string { return strings.TrimSpace(v.Get(name)) }
	switch level := v.Get("level"); level {
	case "", "run":
	case "status":
		p.Status = true
		p.State, problems = parseState(v.Get("state"))
		for _, name := range []string{"failure", "took", "ip", "trigger", "started", "match"} {
			if v.Get(name) != "" {
				problems = append(problems, func(l i18n.Lang) string { return l.AddressNotSteps(name) })
			}
		}
		v = url.Values{"job": v["job"], "from": v["from"], "to": v["to"], "last": v["last"], "limit": v["limit"], "cursor": v["cursor"]}
	default:
		problems = append(problems, About(level, i18n.Lang.AddressLevel))
	}
	p.Label, p.Name, p.Left = text("label"), text("name"), text("q")
	filter, more := ParseRuns(v, ScreenRows)
	p.Filter, problems = filter, append(problems, more...)
	if !filter.From.IsZero() || !filter.To.IsZero() {
		return p, problems
	}
	p.Last = cmp.Or(v.Get("last"), DefaultSpan)
	if !slices.Contains(Spans, p.Last) {
		problems = append(problems, unknown("last", p.Last, view.Join(Spans)))
		p.Last = DefaultSpan
	}
	return p, problems
}

// Values is the query string of the page, without the cursor and without defaults.
func (p RunsPage) Values() url.Values {
	p.Filter.Cursor = ""
	v := RunValues(p.Filter)
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("label", p.Label)
	set("name", p.Name)
	if p.Last != DefaultSpan {
		set("last", p.Last)
	}
	if p.Status {
		v.Set("level", "status")
		set("state", string(p.State))
	}
	return v
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

// ParseLanes reads whether the page of a run draws all lanes.
func ParseLanes(v url.Values) (all bool, problems Problems) {
	switch text := v.Get("lanes"); text {
	case "", "all":
		return text != "", nil
	default:
		return false, Problems{About(text, i18n.Lang.RunNoLanes)}
	}
}
