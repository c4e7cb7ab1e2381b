package query

import (
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

// RunStates are the states an execution can be filtered by.
var RunStates = []rdb.RunState{rdb.RunRunning, rdb.RunSuccess, rdb.RunFailed, rdb.RunLost, rdb.RunCancelled}

// ExecutionsNames are the parameters of the list of executions, some with a second
// name.
var ExecutionsNames = []string{
	"job", "jobName", "match", "failure", "took", "sort", "order", "ip", "taskId", "cursor", "item", "shardingItem", "state", "isSuccess",
	"from", "startTime", "to", "endTime", "limit", "per_page",
}

// ParseExecutions reads the filter of executions from a query string. Like
// [ParseJobs] it leaves out what it does not understand and says so.
//
// Names are those of the pages; ElasticJob's own (jobName, isSuccess,
// startTime, endTime, per_page) are understood too. Without a size in the address a page has usual rows.
func ParseExecutions(v url.Values, usual int) (f rdb.ExecutionFilter, problems Problems) {
	fail := func(p Problem) { problems = append(problems, p) }

	f.JobName = strings.TrimSpace(first(v, "job", "jobName"))
	switch match := v.Get("match"); match {
	case "", "exact":
	case "prefix":
		f.JobName, f.JobPrefix = "", f.JobName
	default:
		fail(Neither("match", match, "exact", "prefix"))
	}
	f.FailureText = strings.TrimSpace(v.Get("failure"))
	if text := strings.TrimSpace(v.Get("took")); text != "" {
		var ok bool
		if f.MinDuration, ok = parseSpan(text); !ok {
			fail(About(text, i18n.Lang.AddressSpan))
		}
	}
	if sort := v.Get("sort"); sort != "" {
		i := slices.IndexFunc(runSorts, func(s runSort) bool { return sort == string(s.key) || sort == s.java })
		if i < 0 {
			fail(unknown("sort", sort, view.Join(SortKeys())))
		} else {
			f.Sort = runSorts[i].key
		}
	}
	switch order := strings.ToLower(v.Get("order")); order {
	case "", "desc":
	case "asc":
		f.Ascending = true
	default:
		fail(Neither("order", order, "asc", "desc"))
	}
	f.IP = strings.TrimSpace(v.Get("ip"))
	f.TaskID = strings.TrimSpace(v.Get("taskId"))
	f.Cursor = v.Get("cursor")
	if text := strings.TrimSpace(first(v, "item", "shardingItem")); text != "" {
		if n, err := strconv.Atoi(text); err == nil && n >= 0 {
			f.Item = &n
		} else {
			fail(About(text, i18n.Lang.AddressShard))
		}
	}
	f.State = parseRunState(v, fail)
	f.From, f.To, problems = ParseRange(first(v, "from", "startTime"), first(v, "to", "endTime"), problems)
	f.Limit, problems = parseLimit(first(v, "limit", "per_page"), usual, problems)
	return f, problems
}

// parseRunState reads the state of runs, by our name or as Java's console asks for it.
func parseRunState(v url.Values, fail func(Problem)) rdb.RunState {
	state := rdb.RunState(v.Get("state"))
	if state != "" {
		if slices.Contains(RunStates, state) {
			return state
		}
		fail(unknown("state", string(state), view.Join(RunStates)))
	}
	switch ok := v.Get("isSuccess"); ok {
	case "":
	case "1", "true":
		return rdb.RunSuccess
	case "0", "false":
		return rdb.RunFailed
	default:
		fail(Neither("isSuccess", ok, "true", "false"))
	}
	return ""
}

// runSort is a column that executions can be sorted by, with the name that
// ElasticJob's clients know it by.
type runSort struct {
	key  rdb.SortKey
	java string
}

var runSorts = []runSort{
	{rdb.SortStart, "startTime"}, {rdb.SortComplete, "completeTime"}, {rdb.SortDuration, ""}, {rdb.SortJob, "jobName"}, {rdb.SortIP, ""},
}

// SortKeys are the columns that executions can be sorted by.
func SortKeys() (keys []rdb.SortKey) {
	for _, s := range runSorts {
		keys = append(keys, s.key)
	}
	return keys
}

// parseSpan reads a length of time; a bare number is one of seconds.
func parseSpan(text string) (time.Duration, bool) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		ok := seconds >= 0 && seconds < 1e9 // and not a number, which is neither
		return time.Duration(seconds * float64(time.Second)), ok
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// ParseStatuses reads the filter of the status trail.
func ParseStatuses(v url.Values) (f rdb.StatusFilter, problems Problems) {
	f.JobName = strings.TrimSpace(first(v, "job", "jobName"))
	f.TaskID = strings.TrimSpace(v.Get("taskId"))
	f.SlaveID = strings.TrimSpace(v.Get("slaveId"))
	f.Source = v.Get("source")
	f.ExecutionType = v.Get("executionType")
	f.Cursor = v.Get("cursor")
	f.State, problems = parseState(v.Get("state"))
	f.From, f.To, problems = ParseRange(first(v, "from", "startTime"), first(v, "to", "endTime"), problems)
	f.Limit, problems = parseLimit(first(v, "limit", "per_page"), DefaultPageSize, problems)
	return f, problems
}

func first(v url.Values, names ...string) string {
	for _, name := range names {
		if s := v.Get(name); s != "" {
			return s
		}
	}
	return ""
}

func parseLimit(text string, usual int, problems Problems) (int, Problems) {
	if text == "" {
		return usual, problems
	}
	most := PageSizes[len(PageSizes)-1]
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return usual, append(problems, noNumber("limit", text, most))
	}
	return n, problems
}

// ParseRange reads the bounds of a span of time; what it does not understand is
// zero, and named in problems.
func ParseRange(from, to string, problems Problems) (a, b time.Time, _ Problems) {
	read := func(name, text string) time.Time {
		t, ok := parseTime(text)
		if !ok {
			problems = append(problems, func(l i18n.Lang) string { return l.AddressTime(name, quoted(text)) })
		}
		return t
	}
	a, b = read("from", from), read("to", to)
	if !a.IsZero() && !b.IsZero() && b.Before(a) {
		problems = append(problems, i18n.Lang.AddressRange)
	}
	return a, b, problems
}

// ParseInstant reads an instant as parameters have it; ok is false for what is none.
func ParseInstant(text string) (t time.Time, ok bool) { return parseTime(text) }

// parseTime reads an instant as browsers, people and ElasticJob's clients write
// it; without a zone it is UTC. Empty is no time and no mistake.
func parseTime(text string) (time.Time, bool) { return parseTimeIn(text, time.UTC) }

// parseTimeIn is parseTime with another zone for an instant without one.
func parseTimeIn(text string, zone *time.Location) (time.Time, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, true
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(form, text, zone); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// ExecutionValues is the query string of a filter for a page.
func ExecutionValues(f rdb.ExecutionFilter) url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("job", f.JobName+f.JobPrefix)
	if f.JobPrefix != "" {
		v.Set("match", "prefix")
	}
	set("failure", f.FailureText)
	if f.MinDuration > 0 {
		v.Set("took", SpanText(f.MinDuration))
	}
	if f.Sort != rdb.SortStart {
		set("sort", string(f.Sort))
	}
	if f.Ascending {
		v.Set("order", "asc")
	}
	set("ip", f.IP)
	set("taskId", f.TaskID)
	set("state", string(f.State))
	if f.Item != nil {
		set("item", strconv.Itoa(*f.Item))
	}
	set("from", InputTime(f.From))
	set("to", InputTime(f.To))
	if f.Limit != ScreenRows && f.Limit != 0 {
		set("limit", strconv.Itoa(f.Limit))
	}
	set("cursor", f.Cursor)
	return v
}

// SpanText is a length of time as it is written into the filter.
func SpanText(d time.Duration) string {
	text := d.String() // 5m0s
	for _, nothing := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, nothing) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// InputTime is an instant as a datetime-local input holds it.
func InputTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	if t.Second() != 0 {
		return t.UTC().Format("2006-01-02T15:04:05")
	}
	return t.UTC().Format("2006-01-02T15:04")
}

// ExecutionsHref is where the executions of a job are listed.
func ExecutionsHref(job string) string {
	return WithQuery("/executions", ExecutionValues(rdb.ExecutionFilter{JobName: job}))
}

// parseState reads a step of the status trail.
func parseState(text string) (tracing.State, Problems) {
	if text == "" || slices.Contains(TraceStates, tracing.State(text)) {
		return tracing.State(text), nil
	}
	return "", Problems{unknown("state", text, view.Join(TraceStates))}
}

// TraceStates are all steps a status trail can have.
var TraceStates = []tracing.State{
	tracing.StateStaging, tracing.StateRunning, tracing.StateFinished, tracing.StateKilled, tracing.StateLost,
	tracing.StateFailed, tracing.StateError, tracing.StateDropped, tracing.StateGone, tracing.StateGoneByOperator,
	tracing.StateUnreachable, tracing.StateUnknown,
}
