package coreagenttest

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// RunShard tests a handler. It runs one shard of a job like an agent, but without an agent or a
// server, and returns the handler's result. The shard has the job's parameters and properties; its
// fencing token is 1.
//
// The context is the test's and ends after [coreagent.Job.Timeout], if set, with the cause
// [coreagent.ErrTimeout]. A panic of the handler fails the test like any other panic. The test also
// fails if an agent would refuse the job, or the job has no such shard. h should be nil for a job
// of the type SCRIPT or HTTP. To test a type of your own, pass its handler and leave Job.Type
// empty.
func RunShard(tb testing.TB, job coreagent.Job, h coreagent.Handler, item int) error {
	tb.Helper()
	return runShard(tb, job, h, item, core.CallOf)
}

func runShard(tb testing.TB, job coreagent.Job, h coreagent.Handler, item int, prepare func(s *coreagent.Shard) core.Call) error {
	tb.Helper()
	s, h, err := job.NewShard(h, item)
	if err != nil {
		tb.Fatalf("coreagenttest: run shard: %v", err)
	}
	ctx := tb.Context()
	if job.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, job.Timeout, coreagent.ErrTimeout)
		defer cancel()
	}
	call := prepare(s)
	defer call.Stream.End()
	s = core.New(*s, call, slog.New(slog.NewTextHandler(tb.Output(), nil)))
	ctx = runhistory.WithStream(ctx, call.Stream)
	return usercode.Caused(ctx, h.Handle(ctx, s))
}

// RunInput is the requested run for [RunShardWith].
type RunInput struct {
	// ID defaults to "run".
	ID string
	// Params are nil, a [json.RawMessage], or anything that becomes a JSON object. They aren't
	// checked against a schema; an agent does that before it calls the handler.
	Params any
	// Attempt counts from 1, the default. Retries is how many attempts may follow the first.
	Attempt, Retries int
	Key, Note        string
}

// RunOutput is a handler's output in addition to its error.
type RunOutput struct {
	// Log has the lines of the run's log.
	Log []string
	// Progress is the handler's last progress, from 0 to 1, with its Message.
	Progress float64
	Message  string
	// Result is the value for [coreagent.Shard.Result], or nil.
	Result json.RawMessage
}

// RunShardWith runs one shard as [RunShard] does, for a requested run. It also returns the
// handler's log, progress and result.
func RunShardWith(tb testing.TB, job coreagent.Job, h coreagent.Handler, shard int, in RunInput) (RunOutput, error) {
	tb.Helper()
	var out RunOutput
	var mu sync.Mutex
	run := coreagent.RunInfo{
		ID: cmp.Or(in.ID, "run"), Requested: true, Attempt: max(in.Attempt, 1), Retries: in.Retries, Key: in.Key, Note: in.Note,
		HasParams: in.Params != nil, By: coreagent.RunBy{Kind: "code"},
	}
	if in.Params != nil {
		var err error
		if run.Params, err = json.Marshal(in.Params); err != nil {
			tb.Fatalf("coreagenttest: parameters: %v", err)
		}
	}
	err := runShard(tb, job, h, shard, func(s *coreagent.Shard) core.Call {
		s.Run = run
		call := core.CallOf(s)
		call.Stream = runhistory.New(&outputs{Recorder: tracing.Discard, mu: &mu, out: &out}, nil, runhistory.Limits{}, time.Now).Begin(tracing.Execution{
			ID: runs.NewID(time.Now()), JobName: job.Name, RunID: run.ID, Item: shard, Attempt: run.Attempt,
		}, true)
		call.SetResult = func(r json.RawMessage) {
			mu.Lock()
			defer mu.Unlock()
			out.Result = r
		}
		return call
	})
	mu.Lock()
	defer mu.Unlock()
	return out, err
}

// outputs is a recorder that keeps a shard's output.
type outputs struct {
	tracing.Recorder
	mu  *sync.Mutex
	out *RunOutput
}

func (o *outputs) RecordRun(tracing.RunRecord)   {}
func (o *outputs) RecordRunStep(tracing.RunStep) {}

func (o *outputs) RecordLogLine(l tracing.LogLine) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.out.Log = append(o.out.Log, l.Message)
}

func (o *outputs) RecordProgress(p tracing.Progress) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.out.Progress, o.out.Message = p.Fraction, p.Message
}

// Submit requests a run of a job with [coreagent.Agent.Submit] of a living agent, and fails the
// test if it's refused. In a bubble of package testing/synctest virtual time may pass.
func (c *Cluster) Submit(job string, params any, o coreagent.RunOptions) coreagent.Ticket {
	c.tb.Helper()
	ctx, cancel := context.WithTimeout(c.tb.Context(), awaitTimeout)
	defer cancel()
	ticket, err := c.living().Submit(ctx, job, params, o)
	if err != nil {
		c.tb.Fatalf("coreagenttest: %v", err)
	}
	return ticket
}

// AwaitRun waits until a run has ended and returns it. If that takes longer than a minute, it fails
// the test.
func (c *Cluster) AwaitRun(job, id string) jobrun.Run {
	c.tb.Helper()
	ctx, cancel := context.WithTimeout(c.tb.Context(), awaitTimeout)
	defer cancel()
	status, err := c.living().AwaitRun(ctx, job, id)
	if err != nil {
		c.tb.Fatalf("coreagenttest: %v", err)
	}
	return status
}
