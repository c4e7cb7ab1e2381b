package task

import (
	"encoding/json"
	"fmt"
)

// maxArgument is how many bytes one argument of a program may have: Linux allows 128 KiB
// with the zero behind it.
const maxArgument = 128<<10 - 1

// shardingContext is what scripts get as their last argument, in the form and the order in
// which ElasticJob writes it.
type shardingContext struct {
	JobName            string  `json:"jobName"`
	TaskID             string  `json:"taskId"`
	ShardingTotalCount int     `json:"shardingTotalCount"`
	JobParameter       string  `json:"jobParameter"`
	ShardingItem       int     `json:"shardingItem"`
	ShardingParameter  *string `json:"shardingParameter,omitempty"`

	// Of a run that somebody asked for, which ElasticJob has not; as agents write them.
	RunID         string          `json:"runId,omitempty"`
	Attempt       int             `json:"attempt,omitempty"`
	RunParameters json.RawMessage `json:"runParameters,omitempty"`
}

// ContextJSON is the sharding context of a task. Parameters of the run that would make it
// too long for an argument are left out: they are in [RunParameters] as well. An error is
// an [*Error].
func (t Task) ContextJSON() (string, error) {
	c := shardingContext{
		JobName: t.Job, TaskID: t.ID, ShardingTotalCount: t.Total, JobParameter: t.JobParameter, ShardingItem: t.Item,
	}
	if t.HasParameter {
		c.ShardingParameter = &t.Parameter
	}
	if t.Manual() {
		c.RunID, c.Attempt, c.RunParameters = t.Run, t.Attempt, t.RunParameters
	}
	document, err := json.Marshal(c)
	if err == nil && len(document) > maxArgument && c.RunParameters != nil {
		c.RunParameters = nil
		document, err = json.Marshal(c)
	}
	switch {
	case err != nil:
		return "", &Error{JobParameter, "cannot be written as JSON: " + err.Error(), true}
	case len(document) > maxArgument:
		return "", &Error{JobParameter, fmt.Sprintf("is too long: as JSON the sharding context has %d bytes, and an argument of a program at most %d; shorten jobParameter of the job", len(document), maxArgument), true}
	}
	return string(document), nil
}
