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

// keepHealth keeps the health of all jobs up to date until the site stops.
func (s *site) keepHealth(ctx context.Context) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.pages.KeepHealth(ctx)
	}()
	s.cleanups.add("stop reading the newest runs", 5*time.Second, func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}

// keepCounting counts now and every minute until the site stops. Counts that
// are missing are made up for as far as the log reaches back.
func (s *site) keepCounting(ctx context.Context) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(countEvery)
		defer ticker.Stop()
		for failing := false; ; {
			err := rdb.Count(ctx, s.database.DB, time.Now())
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
	}()
	s.cleanups.add("stop counting results", 5*time.Second, func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}
