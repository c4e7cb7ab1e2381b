package api

import (
	"encoding/json"
	"strconv"
	"time"
)

// Page is a part of the history. NextCursor leads to the next part and is absent in the last one.
type Page[T any] struct {
	Total int `json:"total"`
	// TotalExact is false if there may be more than Total rows.
	TotalExact bool   `json:"totalExact"`
	Rows       []T    `json:"rows"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// Total is a page of the history for clients of ElasticJob 3.x. Total is at most 10,000, because
// counting more would read the whole table.
type Total[T any] struct {
	Total int `json:"total"`
	Rows  []T `json:"rows"`
}

// ExecutionEvent is an execution with times as in 3.x: milliseconds since 1970, null while it runs.
type ExecutionEvent struct {
	Execution
	StartTime    int64   `json:"startTime"`
	CompleteTime *int64  `json:"completeTime"`
	FailureCause *string `json:"failureCause"`
}

// StatusEvent is a step of a task as in 3.x. ShardingItems is a list as Java prints it: [0, 3].
type StatusEvent struct {
	Status
	ShardingItems string `json:"shardingItems"`
	CreationTime  int64  `json:"creationTime"`
}

// Moment is an instant in a request as Jackson reads it: text, or milliseconds since 1970 as a
// number or as text. Null and the empty text are none.
type Moment string

// latestMoment is the last millisecond that text can name, in the year 9999.
const latestMoment = 253402300799999

// UnmarshalJSON implements [json.Unmarshaler]. It keeps a text that is no instant, so that the
// check of the request can name it.
func (m *Moment) UnmarshalJSON(data []byte) error {
	var text string
	if data[0] == '"' {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	} else if string(data) != "null" {
		text = string(data)
	}
	*m = Moment(text)
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && ms >= -latestMoment && ms <= latestMoment {
		*m = Moment(time.UnixMilli(ms).UTC().Format(time.RFC3339Nano))
	} else if t, err := time.Parse("2006-01-02T15:04:05.999999999-0700", text); err == nil { // as Jackson writes it
		*m = Moment(t.UTC().Format(time.RFC3339Nano))
	}
	return nil
}

// HistoryRequest is the body with which clients of ElasticJob's 3.x console ask for executions and for
// the steps of tasks. The bounds are exclusive.
type HistoryRequest struct {
	JobName          string          `json:"jobName"`
	IP               string          `json:"ip"`
	IsSuccess        json.RawMessage `json:"isSuccess"`
	Source           string          `json:"source"`
	ExecutionType    string          `json:"executionType"`
	State            string          `json:"state"`
	StartTimeFrom    Moment          `json:"startTimeFrom"`
	StartTimeTo      Moment          `json:"startTimeTo"`
	CreationTimeFrom Moment          `json:"creationTimeFrom"`
	CreationTimeTo   Moment          `json:"creationTimeTo"`
	PageSize         *int            `json:"pageSize"`
	PageNumber       *int            `json:"pageNumber"`
	Sort             string          `json:"sort"`
	Order            string          `json:"order"`
}

// Result is how many executions ended in a bucket.
type Result struct {
	Statistic
	SuccessCount int    `json:"successCount"`
	FailedCount  int    `json:"failedCount"`
	Interval     string `json:"statisticInterval"`
}

// Results is how many executions ended in a period. If not complete, a part of the period wasn't
// counted. From is absent if the period has no begin.
type Results struct {
	Result
	Complete bool   `json:"complete"`
	From     string `json:"from,omitempty"`
	To       string `json:"to"`
}
