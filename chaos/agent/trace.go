package main

import (
	"context"
	"sync"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// countedRecorder writes down which rows the history must have.
type countedRecorder struct {
	tracing.Recorder
	book *ledger.Writer
}

func (r *countedRecorder) RecordExecution(e tracing.Execution) {
	mustWrite(r.book, ledger.Record{
		What: ledger.Row, ID: e.ID, Job: e.JobName, Item: e.Item, Source: string(e.Source),
		Complete: !e.CompleteTime.IsZero(), Success: e.Success,
	})
	r.Recorder.RecordExecution(e)
}

// lateSink opens its database when there is something to write: it may be away
// when the agent starts.
type lateSink struct {
	dsn string

	mu   sync.Mutex
	db   *store.DB
	sink *rdb.Sink
}

// Write implements [tracing.Sink].
func (s *lateSink) Write(ctx context.Context, events []tracing.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sink == nil {
		db, err := store.Open(ctx, s.dsn, nil)
		if err != nil {
			return err
		}
		s.db, s.sink = db, rdb.NewSink(db.DB)
	}
	return s.sink.Write(ctx, events)
}

func (s *lateSink) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}
