package jobtree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/nodename"
)

// RunBy says who asked for something about a run, and from where.
type RunBy struct {
	Kind string `json:"kind,omitempty"` // code, page, api, cli, retry, backfill, again
	Name string `json:"name,omitempty"`
	From string `json:"from,omitempty"`
}

// RunRequest is the data of a waiting run: what was asked for, and what became of
// earlier attempts. Times and spans are in milliseconds, 0 for none.
type RunRequest struct {
	Version  int             `json:"v"`
	ID       string          `json:"id"`
	At       int64           `json:"at"` // when it was submitted
	By       RunBy           `json:"by"`
	Params   json.RawMessage `json:"params,omitempty"`
	Due      int64           `json:"due"`
	Expires  int64           `json:"expires,omitempty"`
	Expiry   int64           `json:"expiry,omitempty"` // from Due to Expires; 0 until the run waits again
	Fire     int64           `json:"fire,omitempty"`
	Shards   RunShards       `json:"items,omitempty"` // none is all
	Assign   string          `json:"deal"`            // RunEach or RunOne
	Overlap  string          `json:"overlap,omitempty"`
	Retries  int             `json:"retries,omitempty"`
	Backoff  int64           `json:"backoff,omitempty"`
	MostWait int64           `json:"backoffMax,omitempty"`
	Attempt  int             `json:"attempt"`
	Losses   int             `json:"losses,omitempty"` // how often an instance lost its session while it worked on the run
	Snoozes  int             `json:"snoozes,omitempty"`
	Returns  int             `json:"returns,omitempty"` // how often it went back to the queue in the middle of an attempt
	SoFar    *RunSoFar       `json:"sofar,omitempty"`
	// ShardLosses[k] are the shards that were lost more than k times. Versions without the
	// field keep it, but don't add to it.
	ShardLosses []RunShards `json:"shardLosses,omitempty"`
	// FailedBefore are the shards that failed in an earlier attempt and have not ended
	// otherwise since.
	FailedBefore RunShards `json:"failedBefore,omitempty"`
	Key          string    `json:"key,omitempty"`
	KeyFor       int64     `json:"keyFor,omitempty"` // negative: until the end only
	Note         string    `json:"note,omitempty"`
	Manual       bool      `json:"manual,omitempty"`
	Parent       string    `json:"parent,omitempty"`
	Backfill     string    `json:"backfill,omitempty"`
	Error        string    `json:"error,omitempty"` // of the last attempt
	Began        int64     `json:"began,omitempty"` // when its first handler began

	unknown map[string]json.RawMessage
}

// How a run is assigned: to each of its shards, or to one shard that is free.
const (
	RunEach = "each"
	RunOne  = "one"
)

// RunSoFar are the shards that earlier attempts have settled, and the first of their results.
type RunSoFar struct {
	OK      RunShards         `json:"ok,omitempty"`
	Skipped RunShards         `json:"skip,omitempty"`
	Results map[int]RunResult `json:"result,omitempty"`
}

// RunOpen says who began a run, and when.
type RunOpen struct {
	At int64  `json:"at"`
	By string `json:"by"`
}

// RunClaim is the hold that an instance has on a shard of a run. Nobody else has the
// same nonce.
type RunClaim struct {
	Instance string `json:"i"`
	Session  string `json:"s"`
	Nonce    string `json:"n"`
	At       int64  `json:"at"`
}

// RunCancel says who wants a run to end.
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
	Errors    map[int]string    `json:"fail,omitempty"` // of some that failed
	Results   map[int]RunResult `json:"result,omitempty"`
	Snoozed   map[int]int64     `json:"snooze,omitempty"`    // shards that are to run again, and when
	Permanent bool              `json:"permanent,omitempty"` // no attempt more is of use
	After     int64             `json:"after,omitempty"`     // when to try again at the earliest
	Cancelled *RunCancel        `json:"cancel,omitempty"`
	Lost      string            `json:"lost,omitempty"` // why the run failed for good, if by losses
}

// RunResult is what a handler has left as the result of a shard.
type RunResult = json.RawMessage

// RunOutcome is the data of a run that has ended.
type RunOutcome struct {
	Version int               `json:"v"`
	ID      string            `json:"id"`
	State   string            `json:"state"`
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
	Waited  bool              `json:"waited,omitempty"` // it ended while it waited, so no handler ended it
	Errors  map[int]string    `json:"errors,omitempty"`
	Results map[int]RunResult `json:"result,omitempty"`
	By      RunBy             `json:"by"`
	Key     string            `json:"key,omitempty"`
	Note    string            `json:"note,omitempty"`
	Parent  string            `json:"parent,omitempty"`
	Assign  string            `json:"deal,omitempty"`
	// The shards that were asked for, none for all; those that failed and those that were
	// cancelled, none if there are too many to name.
	Shards       RunShards `json:"items,omitempty"`
	FailedShards RunShards `json:"failedShards,omitempty"`
	CutShards    RunShards `json:"cutShards,omitempty"`
	// Params are the parameters if they are few; HasParams says that there were any.
	Params    json.RawMessage `json:"params,omitempty"`
	HasParams bool            `json:"hasParams,omitempty"`

	unknown map[string]json.RawMessage
}

// RunKey is the data of an idempotency key's node. Until is in milliseconds, 0 while
// the run has not ended.
type RunKey struct {
	ID    string `json:"id"`
	Hash  string `json:"hash"` // of the parameters
	Until int64  `json:"until,omitempty"`
}

var errRunLife = errors.New("it does not say to which opening of a run it belongs")

var errRunFormat = errors.New("it is of a format that this version does not know")

// Encode returns the node's data. Keys that a later version has added stay.
func (r RunRequest) Encode() ([]byte, error) { return encodeWith(r, r.unknown) }

// DecodeRunRequest reads what Encode has written.
func DecodeRunRequest(data []byte) (r RunRequest, err error) {
	r.unknown, err = decodeWith(data, &r)
	if err == nil && r.Version != 1 {
		err = errRunFormat
	}
	return r, err
}

// Encode returns the node's data. Keys that a later version has added stay.
func (r RunRecord) Encode() ([]byte, error) { return encodeWith(r, r.unknown) }

// DecodeRunRecord reads what Encode has written.
func DecodeRunRecord(data []byte) (r RunRecord, err error) {
	r.unknown, err = decodeWith(data, &r)
	switch {
	case err != nil:
	case r.Version != 1:
		err = errRunFormat
	case r.Life == "" || nodename.Check(r.Life) != nil || strings.Contains(r.Life, "/"):
		err = errRunLife
	}
	return r, err
}

// Encode returns the node's data. Keys that a later version has added stay.
func (o RunOutcome) Encode() ([]byte, error) { return encodeWith(o, o.unknown) }

// DecodeRunOutcome reads what Encode has written.
func DecodeRunOutcome(data []byte) (o RunOutcome, err error) {
	o.unknown, err = decodeWith(data, &o)
	if err == nil && o.Version != 1 {
		err = errRunFormat
	}
	return o, err
}

// Encode returns the node's data.
func (k RunKey) Encode() ([]byte, error) { return json.Marshal(k) }

// DecodeRunKey reads what Encode has written.
func DecodeRunKey(data []byte) (k RunKey, err error) {
	err = json.Unmarshal(data, &k)
	return k, err
}

// encodeWith writes a value and the keys that it has no field for. Parameters stay as they
// are, byte for byte but for blanks.
func encodeWith(value any, unknown map[string]json.RawMessage) ([]byte, error) {
	data, err := marshal(value)
	if err != nil || len(unknown) == 0 {
		return data, err
	}
	var known map[string]json.RawMessage
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, err
	}
	all := maps.Clone(unknown)
	maps.Copy(all, known)
	return marshal(all)
}

// marshal is json.Marshal that leaves <, > and & alone.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// decodeWith reads a value and returns the keys that it has no field for.
func decodeWith(data []byte, value any) (unknown map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(data, value); err != nil {
		return nil, fmt.Errorf("a run's node cannot be read: %w", err)
	}
	if err := json.Unmarshal(data, &unknown); err != nil {
		return nil, err
	}
	for _, key := range fieldsOf(value) {
		delete(unknown, key)
	}
	return unknown, nil
}

// fieldsOf are the keys of a pointer to a struct, those of embedded structs included.
func fieldsOf(value any) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(value).Elem()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			keys = append(keys, name)
		}
	}
	return keys
}
