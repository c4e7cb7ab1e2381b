package coreagenttest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
)

// RunShard runs one shard of a job like an agent, but without an agent or a server, and returns the handler's
// result, to test a handler. The shard has the job's parameters and properties; its fencing token is 1.
//
// The context is the test's and ends after [coreagent.Job.Timeout], if set, with the cause
// [coreagent.ErrTimeout]. A panic of the handler fails the test like any other. The test also fails
// if an agent would refuse the job, or the job has no such shard. h is nil for a job of the type
// SCRIPT or HTTP; to test a type of the program's own, pass its handler and leave Job.Type empty.
func RunShard(tb testing.TB, job coreagent.Job, h coreagent.Handler, item int) error {
	tb.Helper()
	return runShard(tb, job, h, item, core.CallOf)
}

// runShard runs a shard with the call that prepare returns.
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
