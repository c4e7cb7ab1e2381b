package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

const (
	fireItems = 10
	// firesBefore let the agent register, shard and fill its caches.
	firesBefore = 3
	fires       = 10
)

// fire counts what the registry is asked while one job with ten local items
// fires ten times and nothing else changes.
func fire(ctx context.Context, _ string) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	server := zkfake.New(zkfake.Options{})
	defer func() { err = errors.Join(err, server.Close()) }()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "bench", ZooKeeper: coreagent.ZooKeeper{Servers: []string{addr.String()}},
		Address: "127.0.0.11", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	var runs atomic.Int64
	agent.HandleFunc(coreagent.Job{Name: "ticks", Cron: "* * * * * ?", Shards: fireItems},
		func(context.Context, *coreagent.Shard) error { runs.Add(1); return nil })
	if err := agent.Start(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, agent.Stop(context.WithoutCancel(ctx))) }()

	// Counters are read half a second after a fire, when its last write has
	// long been answered and the next fire has not begun.
	fired := func(n int64) error {
		for runs.Load() < n*fireItems {
			if err := pause(ctx, 5*time.Millisecond); err != nil {
				return fmt.Errorf("%d of %d items ran: %w", runs.Load(), n*fireItems, err)
			}
		}
		return pause(ctx, 500*time.Millisecond)
	}
	if err := fired(firesBefore); err != nil {
		return nil, err
	}
	server.ResetStats()
	began := runs.Load() / fireItems
	if err := fired(began + fires); err != nil {
		return nil, err
	}
	stats := server.Stats()
	counted := float64(runs.Load()/fireItems - began)
	how := fmt.Sprintf("one job, %d local items, monitor execution on, every second; counted by the registry over %g fires", fireItems, counted)
	return []figure{
		{"fire-writes-n10", float64(stats.Writes) / counted, "writes", 2, how + "; a transaction is one write"},
		{"fire-reads-n10", float64(stats.Reads) / counted, "reads", 0, how},
	}, nil
}

// pause waits unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
