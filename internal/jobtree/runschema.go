package jobtree

import (
	"encoding/json"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// Params is the node with the schema of the job's parameters. Java agents don't know it.
func (j Job) Params() string { return j.path("/extension/params") }

// RunSchema is the data of [Job.Params]: a JSON Schema and the agent that wrote it.
type RunSchema struct {
	Schema json.RawMessage `json:"schema"`
	By     string          `json:"by"`
	At     int64           `json:"at"` // milliseconds
}

// Encode returns the node's data.
func (s RunSchema) Encode() ([]byte, error) { return rawjson.Marshal(s) }

// DecodeRunSchema reads the data of [RunSchema.Encode].
func DecodeRunSchema(data []byte) (s RunSchema, err error) {
	if err := json.Unmarshal(data, &s); err != nil {
		return RunSchema{}, err
	}
	if len(s.Schema) == 0 {
		return RunSchema{}, errors.New("it has no schema")
	}
	return s, nil
}
