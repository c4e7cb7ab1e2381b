package demo

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Time limits of an agent's end: what is running is asked to stop, then the
// recorded events are written.
const (
	stopLimit  = 5 * time.Second
	flushLimit = 3 * time.Second
)

// AgentOptions is what an agent process gets on its command line. All
// fields are required.
type AgentOptions struct {
	// ZooKeeper is the registry, host:port.
	ZooKeeper []string
	// Namespace is where the agents register.
	Namespace string
	// SessionTimeout decides how soon a killed agent's shards move.
	SessionTimeout time.Duration
	// Address is the IP address the agent announces.
	Address string
	// DSN is the database of the trace rows.
	DSN string
	// Shop is the address of the shop, http://host:port.
	Shop string
	// Life is read until its end, which means that the parent has ended.
	Life io.Reader
	// Started is called once the agent serves its jobs.
	Started func()
	Logger  *slog.Logger
}

// RunAgent serves the eight jobs until ctx ends or Life does, then stops them
// and writes what was recorded. It is the body of an agent process.
func RunAgent(ctx context.Context, opts AgentOptions) (err error) {
	ctx, parentGone := context.WithCancelCause(ctx)
	defer parentGone(nil)
	go func() {
		// Nothing is ever written to this pipe; any end of it is the parent's.
		_, readErr := io.Copy(io.Discard, opts.Life)
		parentGone(errors.Join(errors.New("the demo has ended"), readErr))
	}()

	recorder, err := rdb.NewRecorder(store.Source(opts.DSN), rdb.Options{Logger: opts.Logger})
	if err != nil {
		return err
	}
	defer func() {
		flush, cancel := context.WithTimeout(context.Background(), flushLimit)
		defer cancel()
		err = errors.Join(err, recorder.Close(flush))
	}()

	agent, err := coreagent.New(coreagent.Config{
		Namespace: opts.Namespace,
		ZooKeeper: registry.ZooKeeper{Servers: opts.ZooKeeper, SessionTimeout: opts.SessionTimeout, ACL: "open"},
		Address:   opts.Address,
		Tracing:   recorder,
		Logger:    opts.Logger,
	})
	if err != nil {
		return err
	}
	for _, e := range jobs(opts.Shop) {
		if err := agent.Add(e.job, e.handler); err != nil {
			return err
		}
	}
	if err := agent.Start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	opts.Started()
	<-ctx.Done()
	opts.Logger.InfoContext(ctx, "asked to end", slog.Any("cause", context.Cause(ctx)))
	stopping, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	return agent.Stop(stopping)
}
