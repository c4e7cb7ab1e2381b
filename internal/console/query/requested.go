package query

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// RequestedStates are the states of requested runs, in the order in which a run can
// have them.
var RequestedStates = []string{"scheduled", "queued", "running", "succeeded", "failed", "cancelled", "skipped", "expired"}

// RequestedOrigins are where requests for runs come from.
var RequestedOrigins = []string{"code", "page", "api", "cli", "again", "backfill", "retry"}

// Requested says which of the requested runs of a job are listed.
type Requested struct {
	// Key is the idempotency key or the id of a run, Origin one of [RequestedOrigins].
	State, Key, Origin, Cursor string
	// Job is the only job of a list of all jobs, empty for all of them; addresses name it otherwise.
	Job      string
	From, To time.Time // when they were submitted
	Limit    int
}

// RequestedNames are the parameters of the page of them.
var RequestedNames = []string{"state", "key", "origin", "from", "to", "cursor"}

// ParseRequested reads it from a query string.
func ParseRequested(v url.Values) (r Requested, problems Problems) {
	r = Requested{State: v.Get("state"), Key: strings.TrimSpace(v.Get("key")), Origin: v.Get("origin"), Cursor: v.Get("cursor")}
	if r.State != "" && !slices.Contains(RequestedStates, r.State) {
		problems = append(problems, unknown("state", r.State, view.Join(RequestedStates)))
		r.State = ""
	}
	if r.Origin != "" && !slices.Contains(RequestedOrigins, r.Origin) {
		problems = append(problems, unknown("origin", r.Origin, view.Join(RequestedOrigins)))
		r.Origin = ""
	}
	r.From, r.To, problems = ParseRange(v.Get("from"), v.Get("to"), problems)
	r.Limit, problems = parseLimit(v.Get("limit"), DefaultPageSize, problems)
	return r, problems
}

// Narrow reports whether not every run is listed.
func (r Requested) Narrow() bool { return len(r.Values()) > 0 }

// Values is the query string of the filter, without a place in the list.
func (r Requested) Values() url.Values {
	v := url.Values{}
	set := func(name, text string) {
		if text != "" {
			v.Set(name, text)
		}
	}
	set("state", r.State)
	set("key", r.Key)
	set("origin", r.Origin)
	if !r.From.IsZero() {
		set("from", r.From.Format(time.RFC3339Nano))
	}
	if !r.To.IsZero() {
		set("to", r.To.Format(time.RFC3339Nano))
	}
	return v
}

// RunLog says which lines of the log of a requested run are shown. What is not asked is
// -1 of the shard, and 0 of the others.
type RunLog struct {
	Shard, Attempt, After, Limit int
	Execution                    string // only of this one, over REST
	All                          bool   // every line, on a page
	Last                         bool   // the last lines and not the first ones; addresses don't ask for it
}

// ParseRunLog reads it from a query string; shard is what the number of the shard is
// called there, most the highest limit.
func ParseRunLog(v url.Values, shard string, most int) (r RunLog, problems Problems) {
	read := func(name string, usual, least, most int, wrong func(text string) Problem) int {
		text := v.Get(name)
		if text == "" {
			return usual
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			problems = append(problems, wrong(text))
			return usual
		}
		return n
	}
	number := func(name string, most int) func(string) Problem {
		return func(text string) Problem { return noNumber(name, text, most) }
	}
	r.Execution = v.Get("execution")
	r.Shard = read(shard, -1, 0, math.MaxInt32, func(text string) Problem { return About(text, i18n.Lang.AddressShard) })
	r.Attempt = read("attempt", 0, 1, math.MaxInt32, number("attempt", math.MaxInt32))
	r.After = read("after", 0, 0, math.MaxInt32, number("after", math.MaxInt32))
	r.Limit = read("limit", DefaultLogLines, 1, most, number("limit", most))
	if r.All = v.Get("lines") == "all"; v.Get("lines") != "" && !r.All {
		problems = append(problems, unknown("lines", v.Get("lines"), "all"))
	}
	return r, problems
}

// DefaultLogLines is how many lines of a log are shown unless more are asked for.
const DefaultLogLines = 200
