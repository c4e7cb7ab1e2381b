package jobtree

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/nodename"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// RunBy is the origin of a request about a run.
type RunBy struct {
	Kind string `json:"kind,omitempty"` // code, page, api, cli, retry, backfill, again
	Name string `json:"name,omitempty"`
	From string `json:"from,omitempty"`
}

// RunRequest is the data of a waiting run: the request, and the results of earlier attempts. Times
// and spans are in milliseconds, 0 if unset.
type RunRequest struct {
	Version  int             `json:"v"`
	ID       string          `json:"id"`
	At       int64           `json:"at"` // time of the request
	By       RunBy           `json:"by"`
	Params   json.RawMessage `json:"params,omitempty"`
	Due      int64           `json:"due"`
	Expires  int64           `json:"expires,omitempty"`
	Expiry   int64           `json:"expiry,omitempty"` // from Due to Expires; 0 until the run waits again
	Fire     int64           `json:"fire,omitempty"`
	Shards   RunShards       `json:"items,omitempty"` // all if empty
	Assign   jobrun.Assign   `json:"deal"`
	Overlap  jobrun.Overlap  `json:"overlap,omitempty"`
	Retries  int             `json:"retries,omitempty"`
	Backoff  int64           `json:"backoff,omitempty"`
	MostWait int64           `json:"backoffMax,omitempty"`
	Attempt  int             `json:"attempt"`
	Losses   int             `json:"losses,omitempty"` // lost sessions of instances that worked on the run
	Snoozes  int             `json:"snoozes,omitempty"`
	Returns  int             `json:"returns,omitempty"` // how often it returned to the queue during an attempt
	SoFar    *RunSoFar       `json:"sofar,omitempty"`
	// ShardLosses[k] has the shards that were lost more than k times. Versions without the field
	// keep it, but don't add to it.
	ShardLosses []RunShards `json:"shardLosses,omitempty"`
	// FailedBefore has the shards that failed in an earlier attempt and haven't ended otherwise
	// since.
	FailedBefore RunShards `json:"failedBefore,omitempty"`
	Key          string    `json:"key,omitempty"`
	KeyFor       int64     `json:"keyFor,omitempty"` // negative: only until the end
	Note         string    `json:"note,omitempty"`
	Manual       bool      `json:"manual,omitempty"`
	Parent       string    `json:"parent,omitempty"`
	Backfill     string    `json:"backfill,omitempty"`
	Error        string    `json:"error,omitempty"` // of the last attempt
	Began        int64     `json:"began,omitempty"` // when the first handler began

	unknown map[string]json.RawMessage
}

// RunSoFar has the shards settled by earlier attempts, and their first results.
type RunSoFar struct {
	OK      RunShards         `json:"ok,omitempty"`
	Skipped RunShards         `json:"skip,omitempty"`
	Results map[int]RunResult `json:"result,omitempty"`
}

// RunOpen records the instance that began a run, and when.
type RunOpen struct {
	At int64  `json:"at"`
	By string `json:"by"`
}

// RunClaim is an instance's claim of a shard of a run. The nonce is unique.
type RunClaim struct {
	Instance string `json:"i"`
	Session  string `json:"s"`
	Nonce    string `json:"n"`
	At       int64  `json:"at"`
}

// RunCancel is the request to cancel a run.
type RunCancel struct {
	By     string `json:"by"`
	At     int64  `json:"at"`
	Reason string `json:"reason,omitempty"`
}

// RunRecord is the data of a run that has begun.
type RunRecord struct {
	RunRequest
	Life      string            `json:"life"` // see [Job.RunsLife]
	Open      RunOpen           `json:"open"`
	Total     int               `json:"total"` // shards of the job
	Waiting   RunShards         `json:"wait,omitempty"`
	OK        RunShards         `json:"ok,omitempty"`
	Skipped   RunShards         `json:"skip,omitempty"`
	Failed    RunShards         `json:"failed,omitempty"`
	Cut       RunShards         `json:"cut,omitempty"` // cancelled
	Claims    map[int]RunClaim  `json:"run,omitempty"`
	Errors    map[int]string    `json:"fail,omitempty"` // of some failed shards
	Results   map[int]RunResult `json:"result,omitempty"`
	Snoozed   map[int]int64     `json:"snooze,omitempty"`    // times at which shards must run again
	Permanent bool              `json:"permanent,omitempty"` // no further attempt helps
	After     int64             `json:"after,omitempty"`     // earliest time of the next attempt
	Cancelled *RunCancel        `json:"cancel,omitempty"`
	Lost      string            `json:"lost,omitempty"` // why losses made the run fail for good
}

// RunResult is a handler's result for a shard.
type RunResult = json.RawMessage

// RunOutcome is the data of a run that has ended.
type RunOutcome struct {
	Version int               `json:"v"`
	ID      string            `json:"id"`
	State   jobrun.State      `json:"state"`
	Reason  string            `json:"reason,omitempty"`
	At      int64             `json:"at"`
	Due     int64             `json:"due,omitempty"`
	Began   int64             `json:"started,omitempty"`
	Ended   int64             `json:"ended"`
	Attempt int               `json:"attempt"`
	Losses  int               `json:"losses,omitempty"`
	Snoozes int               `json:"snoozes,omitempty"`
	OK      int               `json:"ok,omitempty"`
	Failed  int               `json:"failed,omitempty"`
	Skipped int               `json:"skipped,omitempty"`
	Cut     int               `json:"cut,omitempty"`    // shards that were cancelled or given up
	Waited  bool              `json:"waited,omitempty"` // it ended while waiting, so no handler ended it
	Errors  map[int]string    `json:"errors,omitempty"`
	Results map[int]RunResult `json:"result,omitempty"`
	By      RunBy             `json:"by"`
	Key     string            `json:"key,omitempty"`
	Note    string            `json:"note,omitempty"`
	Parent  string            `json:"parent,omitempty"`
	Assign  jobrun.Assign     `json:"deal,omitempty"`
	// The requested shards, all if empty. The failed and the cancelled shards, empty if there are
	// too many.
	Shards       RunShards `json:"items,omitempty"`
	FailedShards RunShards `json:"failedShards,omitempty"`
	CutShards    RunShards `json:"cutShards,omitempty"`
	// Params are the parameters if they are short. HasParams is true if there were any.
	Params    json.RawMessage `json:"params,omitempty"`
	HasParams bool            `json:"hasParams,omitempty"`

	unknown map[string]json.RawMessage
}

// RunKey is the data of an idempotency key's node. Until is in milliseconds, and 0 until the run
// ends.
type RunKey struct {
	ID    string `json:"id"`
	Hash  string `json:"hash"` // of the parameters
	Until int64  `json:"until,omitempty"`
}

var errNoLife = errors.New("the life that identifies its run is missing or invalid")

var errRunFormat = errors.New("this version does not support its format")

// Encode returns the node's data. It keeps keys of later versions.
func (r RunRequest) Encode() ([]byte, error) { return encodeWith(r, r.unknown) }

func DecodeRunRequest(data []byte) (r RunRequest, err error) {
	r.unknown, err = decodeWith(data, &r)
	return r, err
}

// Encode returns the node's data. It keeps keys of later versions.
func (r RunRecord) Encode() ([]byte, error) { return encodeWith(r, r.unknown) }

func DecodeRunRecord(data []byte) (r RunRecord, err error) {
	r.unknown, err = decodeWith(data, &r)
	if err == nil && nodename.Check(r.Life) != nil {
		err = errNoLife
	}
	return r, err
}

// Encode returns the node's data. It keeps keys of later versions.
func (o RunOutcome) Encode() ([]byte, error) { return encodeWith(o, o.unknown) }

func DecodeRunOutcome(data []byte) (o RunOutcome, err error) {
	o.unknown, err = decodeWith(data, &o)
	return o, err
}

func (k RunKey) Encode() ([]byte, error) { return json.Marshal(k) }

func DecodeRunKey(data []byte) (k RunKey, err error) {
	err = json.Unmarshal(data, &k)
	return k, err
}

// encodeWith writes a value and its unknown keys. Parameters stay the same, byte for byte except
// for blanks.
func encodeWith(value any, unknown map[string]json.RawMessage) ([]byte, error) {
	data, err := rawjson.Marshal(value)
	if err != nil || len(unknown) == 0 {
		return data, err
	}
	var known map[string]json.RawMessage
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, err
	}
	all := maps.Clone(unknown)
	maps.Copy(all, known)
	return rawjson.Marshal(all)
}

// decodeWith reads a value of version 1 and returns its unknown keys.
func decodeWith(data []byte, value any) (unknown map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(data, value); err != nil {
		return nil, fmt.Errorf("a run's node cannot be read: %w", err)
	}
	if err := json.Unmarshal(data, &unknown); err != nil {
		return nil, err
	}
	if string(unknown["v"]) != "1" {
		return nil, errRunFormat
	}
	for _, key := range fieldsOf(value) {
		delete(unknown, key)
	}
	return unknown, nil
}

// fieldsOf returns the keys of a struct, including embedded structs.
func fieldsOf(value any) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(value).Elem()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			keys = append(keys, name)
		}
	}
	return keys
}

// Params is the node with the schema of the job's parameters. Java agents don't know it.
func (j Job) Params() string { return j.path("/extension/params") }

// RunSchema is the data of [Job.Params]: a JSON Schema and the agent that wrote it.
type RunSchema struct {
	Schema json.RawMessage `json:"schema"`
	By     string          `json:"by"`
	At     int64           `json:"at"` // milliseconds
}

func (s RunSchema) Encode() ([]byte, error) { return rawjson.Marshal(s) }

func DecodeRunSchema(data []byte) (s RunSchema, err error) {
	if err := json.Unmarshal(data, &s); err != nil {
		return RunSchema{}, err
	}
	if len(s.Schema) == 0 {
		return RunSchema{}, errors.New("it has no schema")
	}
	return s, nil
}
