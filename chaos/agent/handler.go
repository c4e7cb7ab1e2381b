package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

// errPlanned is the error of executions that should fail.
var errPlanned = errors.New("planned failure")

func handlerOf(job ledger.Job, book *ledger.Writer) coreagent.Handler {
	if !job.Dataflow {
		return coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error { return execute(ctx, job, s, book) })
	}
	flow := &flow{job: job, book: book, fetched: make(map[int]time.Time)}
	return coreagent.Dataflow[int]{Fetch: flow.fetch, Process: flow.process, Streaming: true}
}

// execute is one execution. It writes to the ledger, works, and writes again. It obeys its context
// and records that.
func execute(ctx context.Context, job ledger.Job, s *coreagent.Shard, book *ledger.Writer) error {
	r := ledger.Record{
		What: ledger.Began, Run: book.Next(), Job: job.Name, Item: s.Item, Source: string(s.Source),
		Fire: s.ScheduledAt.UnixMicro(), Token: s.FencingToken, Task: s.TaskID,
	}
	if ctx.Err() != nil {
		r.State = "ended" // A handler must not be called with an ended context.
	}
	mustWrite(book, r)
	err := work(ctx, job.Takes(s.Item, s.ScheduledAt))
	r.What, r.Outcome, r.State = ledger.Ended, ledger.Done, ""
	switch {
	case err != nil:
		r.Outcome = ledger.Cancelled
	case job.Fails(s.Item, s.ScheduledAt):
		r.Outcome, err = ledger.Failed, errPlanned
	}
	mustWrite(book, r)
	return err
}

func work(ctx context.Context, d time.Duration) error {
	if d > 0 {
		return sleep.For(ctx, d)
	}
	return context.Cause(ctx)
}

// flow is a dataflow job. Its shards have one portion of data for each fire time. The next fetch
// finds nothing, which ends the run.
type flow struct {
	job  ledger.Job
	book *ledger.Writer

	mu      sync.Mutex
	fetched map[int]time.Time // by shard: the fire time of the consumed data
}

func (f *flow) fetch(_ context.Context, s *coreagent.Shard) ([]int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fetched[s.Item].Equal(s.ScheduledAt) {
		delete(f.fetched, s.Item)
		return nil, nil
	}
	f.fetched[s.Item] = s.ScheduledAt
	return []int{s.Item}, nil
}

func (f *flow) process(ctx context.Context, s *coreagent.Shard, _ []int) error {
	err := execute(ctx, f.job, s, f.book)
	if err != nil { // The portion is available again.
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.fetched, s.Item)
	}
	return err
}
