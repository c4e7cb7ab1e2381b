package coreagenttest

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// RunInput is the requested run for which [RunShardWith] runs a shard.
type RunInput struct {
	// ID is the run's. Defaults to "run".
	ID string
	// Params are nil, a [json.RawMessage], or anything that becomes a JSON object. They
	// are not checked against a schema: an agent checks them before the handler is called.
	Params any
	// Attempt counts from 1, the default; Retries is how many may follow the first.
	Attempt, Retries int
	Key, Note        string
}

// RunOutput is what a handler left behind beside its error.
type RunOutput struct {
	// Log are the lines of the run's log.
	Log []string
	// Progress is the last that the handler said of how far it is, from 0 to 1, and
	// Message the words beside it.
	Progress float64
	Message  string
	// Result is what [coreagent.Shard.Result] kept, nil for nothing.
	Result json.RawMessage
}

// RunShardWith runs one shard as [RunShard] does, for a requested run. It returns what
// the handler logged, said of its progress, and returned.
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
		})
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

// outputs is a recorder that keeps what one shard says.
type outputs struct {
	tracing.Recorder
	mu  *sync.Mutex
	out *RunOutput
}

func (o *outputs) RecordRun(tracing.Run)         {}
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

// Submit asks for a run of a job, as [coreagent.Agent.Submit] does from an agent that lives,
// and fails the test if it is refused. In a bubble of package testing/synctest the
// virtual time may pass meanwhile.
func (c *Cluster) Submit(job string, params any, o coreagent.RunOptions) coreagent.Ticket {
	c.tb.Helper()
	ctx, cancel := context.WithTimeout(c.tb.Context(), patience)
	defer cancel()
	ticket, err := c.living().Submit(ctx, job, params, o)
	if err != nil {
		c.tb.Fatalf("coreagenttest: %v", err)
	}
	return ticket
}

// AwaitRun waits until a run has ended and returns what became of it. It asks an
// agent that lives, for a minute at most, and fails the test then.
func (c *Cluster) AwaitRun(job, id string) coreagent.RunStatus {
	c.tb.Helper()
	ctx, cancel := context.WithTimeout(c.tb.Context(), patience)
	defer cancel()
	status, err := c.living().AwaitRun(ctx, job, id)
	if err != nil {
		c.tb.Fatalf("coreagenttest: %v", err)
	}
	return status
}
