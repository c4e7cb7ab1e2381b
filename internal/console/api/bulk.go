package api

import "github.com/elasticjob-go/elasticjob/jobrun"

// BulkRequest is one action on many jobs. Preview has no default: the caller of an action on many
// jobs must choose.
type BulkRequest struct {
	Order   string   `json:"order"`
	Jobs    []string `json:"jobs"`
	Preview *bool    `json:"preview"`
	// Reason is for the audit and with the job.
	Reason string `json:"reason,omitempty"`
	// Label is the label that the order label writes; empty removes the label.
	Label *string `json:"label,omitempty"`
	// What names the part of each job that the order hold holds: schedule, requests or all.
	What jobrun.Held `json:"what,omitempty"`
	// EnableAt is when the console enables disabled jobs again; empty for never.
	EnableAt string `json:"enableAt,omitempty"`
}

// Bulk is the outcome of an action on many jobs, in the order of the request.
type Bulk struct {
	Order   string       `json:"order"`
	Preview bool         `json:"preview"`
	Done    int          `json:"done"`
	Refused int          `json:"refused"`
	Results []BulkResult `json:"results"`
}

// BulkResult is one job of a bulk action. Without a code the action was carried out, or would be.
type BulkResult struct {
	Job      string   `json:"job"`
	Code     string   `json:"code,omitempty"`
	Message  string   `json:"message,omitempty"`
	Affected []string `json:"affected"`
	Skipped  []Skip   `json:"skipped"`
	// CancelledRuns counts the requested runs that remove cancels.
	CancelledRuns int `json:"cancelledRuns,omitempty"`
}

// ViewRequest saves a selection of a list under a name.
type ViewRequest struct {
	// Area is the list: jobs or runs.
	Area string `json:"area"`
	Name string `json:"name"`
	// Query is the query of the list's address.
	Query string `json:"query"`
	// Shared views are for all users, not only for the caller.
	Shared bool `json:"shared"`
}

// View is a saved selection of a list.
type View struct {
	ViewRequest
	User string `json:"user"`
	At   string `json:"at"`
}
