package task

import (
	"encoding/json"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/commandline"
)

// maxArgument is the size of one argument in bytes, because Linux allows 128 KiB with the terminating zero.
const maxArgument = 128<<10 - 1

// ContextJSON returns the sharding context of a task. Run parameters that would make it too long
// for an argument are left out; they are also in [RunParameters]. The error is an [*Error].
func (t Task) ContextJSON() (string, error) {
	c := commandline.ShardingContext{
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
