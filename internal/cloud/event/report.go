package event

import "time"

// Path is where reports are posted to, below the address of the console.
const Path = "/api/cloud/events"

// The bounds of a report; a greater one is answered with 413.
const (
	MaxBytes      = 256 << 10
	MaxExecutions = 500
	// MaxCause is how many bytes of a failure's cause are reported.
	MaxCause = 4 << 10
)

// Report is the body of a request. It is answered with 202 when the console has taken the
// rows. The same report may come twice: a row is known by its id.
type Report struct {
	Executions []Execution `json:"executions"`
}

// Execution is one run of one shard, reported when it begins and once more when it has
// ended, under the same id.
type Execution struct {
	// ID is a UUID. That of the row is made of it, the job and the shard.
	ID string `json:"id"`
	// TaskID is ElasticJob's five-part id of the process.
	TaskID string `json:"taskId"`
	Item   int    `json:"item"`
	// Host and IP are those of the process.
	Host string `json:"hostname"`
	IP   string `json:"ip"`
	// Scheduled is the fire time, Started when the handler was called. Ended is nil as long
	// as it works.
	Scheduled time.Time  `json:"scheduledAt"`
	Started   time.Time  `json:"startTime"`
	Ended     *time.Time `json:"completeTime,omitempty"`
	// Cause is why it has failed, "" if it has not.
	Cause string `json:"failureCause,omitempty"`
}
