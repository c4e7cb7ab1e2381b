package console

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// executionBody is ElasticJob's JobExecutionEvent and the state derived from
// it.
type executionBody struct {
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
}

// statusBody is ElasticJob's JobStatusTraceEvent.
type statusBody struct {
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

// pageBody is a part of the history; nextCursor leads to the next part and is
// absent in the last one.
type pageBody[T any] struct {
	Rows       []T    `json:"rows"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// apiExecutions answers with executions, newest first.
func (s *Console) apiExecutions(c *gin.Context) {
	filter, problems := parseExecutionFilter(c.Request.URL.Query())
	if len(problems) > 0 {
		s.fail(c, invalid(strings.Join(problems, "; ")+".", "Correct the query string."))
		return
	}
	page, err := s.readExecutions(c, filter)
	if err != nil {
		s.fail(c, err)
		return
	}
	body := pageBody[executionBody]{Rows: []executionBody{}, NextCursor: page.NextCursor}
	for _, e := range page.Rows {
		body.Rows = append(body.Rows, executionJSON(e))
	}
	writeJSON(c, http.StatusOK, body)
}

func executionJSON(e tracing.Execution) executionBody {
	state := rdb.RunFailed
	switch {
	case isRunning(e):
		state = rdb.RunRunning
	case e.Success:
		state = rdb.RunSuccess
	}
	return executionBody{
		ID: e.ID, Hostname: e.Hostname, IP: e.IP, TaskID: e.TaskID, JobName: e.JobName, Source: string(e.Source),
		ShardingItem: e.Item, StartTime: optionalTime(e.StartTime), CompleteTime: optionalTime(e.CompleteTime),
		State: string(state), Success: e.Success, FailureCause: e.FailureCause,
	}
}

// apiStatuses answers with the steps of tasks, newest first.
func (s *Console) apiStatuses(c *gin.Context) {
	filter, problems := parseStatusFilter(c.Request.URL.Query())
	if len(problems) > 0 {
		s.fail(c, invalid(strings.Join(problems, "; ")+".", "Correct the query string."))
		return
	}
	page, err := s.readStatuses(c, filter)
	if err != nil {
		s.fail(c, err)
		return
	}
	body := pageBody[statusBody]{Rows: []statusBody{}, NextCursor: page.NextCursor}
	for _, st := range page.Rows {
		body.Rows = append(body.Rows, statusJSON(st))
	}
	writeJSON(c, http.StatusOK, body)
}

func statusJSON(st tracing.Status) statusBody {
	return statusBody{
		ID: st.ID, JobName: st.JobName, OriginalTaskID: st.OriginalTaskID, TaskID: st.TaskID, SlaveID: st.SlaveID,
		Source: st.Source, ExecutionType: st.ExecutionType, ShardingItems: append([]int{}, st.Items...),
		State: string(st.State), Message: st.Message, CreationTime: optionalTime(st.CreationTime),
	}
}
