package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// countEvery is how often a serving console counts what ended: as long as the
// shortest bucket. Several consoles of one database count the same.
const countEvery = time.Minute

// keep has work go on beside the site until it stops; the label says what ends then.
func (s *site) keep(ctx context.Context, label string, work func(context.Context)) {
	s.keepFor(ctx, label, 5*time.Second, work)
}

// keepFor is keep for work that may take until limit to end.
func (s *site) keepFor(ctx context.Context, label string, limit time.Duration, work func(context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	s.cleanups.Add(label, limit, func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}

// count counts now and every minute until the context ends. Counts that are missing
// are made up for as far as the log reaches back, a part each minute.
func (s *site) count(ctx context.Context) {
	ticker := time.NewTicker(countEvery)
	defer ticker.Stop()
	for failing := false; ; {
		_, err := rdb.Count(ctx, s.database.Database, time.Now())
		if ctx.Err() != nil {
			return
		}
		if err != nil && !failing { // once, not each minute
			s.log.WarnContext(ctx, "the results of executions could not be counted, the next try is in a minute", slog.Any("err", err))
		}
		failing = err != nil
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
