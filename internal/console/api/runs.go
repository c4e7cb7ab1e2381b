package api

// Run is a run: all executions of one fire, trigger or request. Grouped:
// they do not name their run, as with Java engines, and were put together by the second in which
// they began.
type Run struct {
	JobName      string   `json:"jobName"`
	ID           string   `json:"id"`
	Grouped      bool     `json:"grouped"`
	State        string   `json:"state"`
	Trigger      string   `json:"trigger,omitempty"`
	ScheduledAt  string   `json:"scheduledAt,omitempty"`
	StartTime    string   `json:"startTime"`
	CompleteTime string   `json:"completeTime,omitempty"`
	Shards       int      `json:"shards"`
	Running      int      `json:"running"`
	Succeeded    int      `json:"succeeded"`
	Failed       int      `json:"failed"`
	Lost         int      `json:"lost"`
	Cancelled    int      `json:"cancelled"`
	FailedOver   int      `json:"failedOver"`
	Instances    []string `json:"instances"`
	FailureCause string   `json:"failureCause,omitempty"`
}

// Runs is a page of runs. Lacks names the columns of a run that the database
// has not: without them the run of an execution is unknown.
type Runs struct {
	Rows       []Run    `json:"rows"`
	NextCursor string   `json:"nextCursor,omitempty"`
	Lacks      []string `json:"lacks"`
}

// RunsExport is the runs of a filter. If not complete, there are more.
type RunsExport struct {
	Rows     []Run `json:"rows"`
	Complete bool  `json:"complete"`
}

// RunDetail is a run with its executions, the steps of its tasks, and the ids
// of the job's runs before and after it.
type RunDetail struct {
	Run
	Executions []Execution `json:"executions"`
	Truncated  bool        `json:"truncated"`
	Statuses   []Status    `json:"statuses"`
	Before     string      `json:"before,omitempty"`
	After      string      `json:"after,omitempty"`
}

// Execution is ElasticJob's JobExecutionEvent and the state derived from
// it.
type Execution struct {
	ID           string `json:"id"`
	Hostname     string `json:"hostname"`
	IP           string `json:"ip"`
	TaskID       string `json:"taskId"`
	JobName      string `json:"jobName"`
	Source       string `json:"source"`
	ShardingItem int    `json:"shardingItem"`
	StartTime    string `json:"startTime"`
	CompleteTime string `json:"completeTime,omitempty"`
	State        string `json:"state"`
	Success      bool   `json:"success"`
	FailureCause string `json:"failureCause,omitempty"`
	// The run of the execution; empty with Java engines.
	RunID       string `json:"runId,omitempty"`
	Attempt     int    `json:"attempt,omitempty"`
	Trigger     string `json:"trigger,omitempty"`
	ScheduledAt string `json:"scheduledAt,omitempty"`
}

// Status is ElasticJob's JobStatusTraceEvent.
type Status struct {
	ID             string `json:"id"`
	JobName        string `json:"jobName"`
	OriginalTaskID string `json:"originalTaskId"`
	TaskID         string `json:"taskId"`
	SlaveID        string `json:"slaveId"`
	Source         string `json:"source,omitempty"`
	ExecutionType  string `json:"executionType"`
	ShardingItems  []int  `json:"shardingItems"`
	State          string `json:"state"`
	Message        string `json:"message"`
	CreationTime   string `json:"creationTime"`
}
