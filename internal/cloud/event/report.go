package event

import "time"

// Path is the path of reports below the console's address.
const Path = "/api/cloud/events"

// Limits of a report. A larger one is answered with 413.
const (
	MaxBytes      = 256 << 10
	MaxExecutions = 500
	// MaxCause is the size of a failure's cause in bytes.
	MaxCause = 4 << 10
)

// Report is the body of a request. The answer is 202 once the console has stored the rows. A report
// may be repeated, because rows are identified by id.
type Report struct {
	Executions []Execution `json:"executions"`
}

// Execution is one run of one shard. It's reported at its start and again at its end, with the same id.
type Execution struct {
	// ID is a UUID. The row's id is computed from it, the job and the shard.
	ID string `json:"id"`
	// TaskID is ElasticJob's five-part id of the process.
	TaskID string `json:"taskId"`
	Item   int    `json:"item"`
	Host   string `json:"hostname"`
	IP     string `json:"ip"`
	// Scheduled is the fire time, and Started when the handler was called. Ended is nil until the end.
	Scheduled time.Time  `json:"scheduledAt"`
	Started   time.Time  `json:"startTime"`
	Ended     *time.Time `json:"completeTime,omitempty"`
	// Cause is the reason for a failure, else "".
	Cause string `json:"failureCause,omitempty"`
}
