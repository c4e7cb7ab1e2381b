// Package oneshard lets the test kit run one shard without a server.
//
//	coreagenttest.RunShard ──▶ Run ──▶ (set by package coreagent) ──▶ Handler.Handle
//
// A shard has unexported parts that only package coreagent can fill in, and an
// exported way to do so would be of no use to anybody but tests. So coreagent
// leaves the function here, where the test kit finds it. The types are hidden
// behind any because this package must not import coreagent.
package oneshard

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Requested is the requested run that a shard is run for.
type Requested struct {
	ID               string
	Params           []byte // one JSON object, nil for none
	Attempt, Retries int
	Key, Note        string
	Recorder         tracing.RunRecorder   // of the log and the progress
	SetResult        func(json.RawMessage) // what the shard returns
}

// Run runs one shard of a coreagent.Job with a coreagent.Handler as an agent
// would and returns what the handler returned. invalid says that err is about
// the job or the shard and the handler did not run. Package coreagent sets it
// when it is initialized.
// requested is nil for a fire time.
var Run func(ctx context.Context, job, handler any, item int, requested *Requested, log *slog.Logger) (invalid bool, err error)
