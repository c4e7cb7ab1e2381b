package jobtree

import (
	"fmt"
	"strconv"
	"strings"
)

// executionType is the only execution type ElasticJob-Lite writes into task ids.
const executionType = "READY"

// unknownInstance stands in a task id when the instance is not known, as in
// ElasticJob.
const unknownInstance = "127.0.0.1" + idSeparator + "1"

// TaskParts are the five parts of a task id.
type TaskParts struct {
	Job           string
	Items         []int  // in the order of the id; nil if there are none
	ExecutionType string // READY in ElasticJob-Lite
	IP            string // the server's address; ElasticJob calls it slave id
	Suffix        string // what follows the address in the instance id, usually a PID
}

// InstanceID is the id of the instance that ran the task.
func (p TaskParts) InstanceID() string { return NewInstanceID(p.IP, p.Suffix) }

// TaskID builds the id of one execution of shards of a job on an instance, for
// example demo@-@0,1,2@-@READY@-@10.0.0.1@-@4242. Shards keep their order. An
// empty instanceID becomes 127.0.0.1@-@1, as in ElasticJob. The id is not
// unique per run: the same shards on the same instance have the same id.
func TaskID(job string, items []int, instanceID string) string {
	if instanceID == "" {
		instanceID = unknownInstance
	}
	var b strings.Builder
	b.Grow(len(job) + 4*len(items) + len(executionType) + len(instanceID) + 3*len(idSeparator))
	b.WriteString(job)
	b.WriteString(idSeparator)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(item))
	}
	b.WriteString(idSeparator)
	b.WriteString(executionType)
	b.WriteString(idSeparator)
	b.WriteString(instanceID)
	return b.String()
}

// ParseTaskID splits a task id. Exactly five parts are required and the shards
// must be numbers.
func ParseTaskID(id string) (TaskParts, error) {
	parts := strings.Split(id, idSeparator)
	if len(parts) != 5 {
		return TaskParts{}, fmt.Errorf("parse task id %q: %d parts separated by %q, want 5", id, len(parts), idSeparator)
	}
	t := TaskParts{Job: parts[0], ExecutionType: parts[2], IP: parts[3], Suffix: parts[4]}
	if parts[1] == "" {
		return t, nil
	}
	for _, text := range strings.Split(parts[1], ",") {
		item, err := strconv.Atoi(text)
		if err != nil {
			return TaskParts{}, fmt.Errorf("parse task id %q: shard %q is not an integer", id, text)
		}
		t.Items = append(t.Items, item)
	}
	return t, nil
}
