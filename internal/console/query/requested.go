package query

import (
	"net/url"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// RequestedStates are the states of requested runs, in the order in which a run can
// have them.
var RequestedStates = []string{"scheduled", "queued", "running", "succeeded", "failed", "cancelled", "skipped", "expired"}

// RequestedNames are the parameters of the list of requested runs.
var RequestedNames = []string{"state", "key", "limit", "cursor"}

// Requested says which of the requested runs of a job are listed.
type Requested struct {
	State, Key, Cursor string
	Limit              int
}

// ParseRequested reads it from a query string.
func ParseRequested(v url.Values) (r Requested, problems Problems) {
	r = Requested{State: v.Get("state"), Key: v.Get("key"), Cursor: v.Get("cursor")}
	if r.State != "" && !slices.Contains(RequestedStates, r.State) {
		problems = append(problems, unknown("state", r.State, view.Join(RequestedStates)))
		r.State = ""
	}
	r.Limit, problems = parseLimit(v.Get("limit"), DefaultPageSize, problems)
	return r, problems
}
