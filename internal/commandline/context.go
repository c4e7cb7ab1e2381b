package commandline

import "encoding/json"

// ShardingContext is the document for scripts and HTTP endpoints, in ElasticJob's form and order.
type ShardingContext struct {
	JobName            string  `json:"jobName"`
	TaskID             string  `json:"taskId"`
	ShardingTotalCount int     `json:"shardingTotalCount"`
	JobParameter       string  `json:"jobParameter"`
	ShardingItem       int     `json:"shardingItem"`
	ShardingParameter  *string `json:"shardingParameter,omitempty"`

	// For a requested run, which ElasticJob doesn't have.
	RunID         string          `json:"runId,omitempty"`
	Attempt       int             `json:"attempt,omitempty"`
	RunParameters json.RawMessage `json:"runParameters,omitempty"`
}
