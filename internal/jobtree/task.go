package jobtree

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// executionType is the only execution type ElasticJob-Lite writes into task ids.
const executionType = "READY"

// unknownInstance replaces an unknown instance in a task id, as in ElasticJob.
const unknownInstance = "127.0.0.1" + idSeparator + "1"

// TaskParts are the five parts of a task id.
type TaskParts struct {
	Job           string
	Items         []int  // in the id's order; may be nil
	ExecutionType string // READY in ElasticJob-Lite
	IP            string // the server's address; ElasticJob calls it slave id
	Suffix        string // the instance id's text after the address, usually a PID
	Turn          string // unique part, "" in task ids of Java engines
}

// turnLength characters of turnAlphabet make a task id unique: 50 bits.
const (
	turnLength    = 10
	turnAlphabet  = "abcdefghijklmnopqrstuvwxyz234567"
	turnSeparator = "_"
)

// NewTurn returns a random unique part of a task id.
func NewTurn() string {
	var turn [turnLength]byte
	bits := rand.Uint64()
	for i := range turn {
		turn[i] = turnAlphabet[bits%uint64(len(turnAlphabet))]
		bits /= uint64(len(turnAlphabet))
	}
	return string(turn[:])
}

func cutTurn(part string) (suffix, turn string) {
	at := len(part) - turnLength - len(turnSeparator)
	if at < 1 || !strings.HasPrefix(part[at:], turnSeparator) || strings.Trim(part[at+len(turnSeparator):], turnAlphabet) != "" {
		return part, ""
	}
	return part[:at], part[at+len(turnSeparator):]
}

func (p TaskParts) InstanceID() string { return NewInstanceID(p.IP, p.Suffix) }

// TaskID builds the id of one execution of shards on an instance, for example
// demo@-@0,1,2@-@READY@-@10.0.0.1@-@4242. Shards keep their order. An empty instanceID becomes
// 127.0.0.1@-@1, as in ElasticJob. ElasticJob's id is the same for all runs of the same shards on
// the same instance. Ours is unique, because it ends with an underscore and a turn of [NewTurn];
// with an empty turn it's the same as ElasticJob's.
func TaskID(job string, items []int, instanceID, turn string) string {
	if instanceID == "" {
		instanceID = unknownInstance
	}
	if turn != "" {
		instanceID += turnSeparator + turn
	}
	return strings.Join([]string{job, strings.Join(ItemNames(items), ","), executionType, instanceID}, idSeparator)
}

// ParseTaskID splits a task id. It needs exactly five parts and numeric shards.
func ParseTaskID(id string) (TaskParts, error) {
	parts := strings.Split(id, idSeparator)
	if len(parts) != 5 {
		return TaskParts{}, fmt.Errorf("parse task id %q: %d parts separated by %q, want 5", id, len(parts), idSeparator)
	}
	t := TaskParts{Job: parts[0], ExecutionType: parts[2], IP: parts[3]}
	t.Suffix, t.Turn = cutTurn(parts[4])
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
