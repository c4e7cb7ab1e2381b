package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagentprom"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// closeTimeout bounds what is done after the last shard has ended.
const closeTimeout = 10 * time.Second

// options are what main reads from its flags.
type options struct {
	namespace string
	zookeeper registry.ZooKeeper
	listen    string
	history   rdb.Source
	ratesURL  string
	drain     time.Duration
	log       *slog.Logger
}

// service is the agent and what surrounds it. Open it, then serve.
type service struct {
	log      *slog.Logger
	drain    time.Duration
	recorder *rdb.Recorder
	health   *health
	agent    *coreagent.Agent
	listener net.Listener
	http     *http.Server
}

// open prepares everything that can fail for good: the port, the declared jobs. The
// database may be away. After an error nothing is left open.
func open(ctx context.Context, opts options, s *shop) (_ *service, err error) {
	v := &service{log: opts.log, drain: opts.drain, health: new(health)}
	defer func() {
		if err != nil {
			err = errors.Join(err, v.close(ctx))
		}
	}()
	if v.recorder, err = rdb.NewRecorder(opts.history, rdb.Options{Logger: opts.log}); err != nil {
		return nil, err
	}
	registerer := prometheus.NewRegistry()
	registerer.MustRegister(collectors.NewGoCollector())
	metrics, err := coreagentprom.New(registerer, coreagentprom.Options{Recorder: v.recorder.Stats})
	if err != nil {
		return nil, err
	}
	v.agent, err = coreagent.New(coreagent.Config{
		Namespace: opts.namespace, ZooKeeper: opts.zookeeper,
		Tracing: v.recorder, Observer: observers{metrics, v.health},
		Logger: opts.log,
	})
	if err != nil {
		return nil, err
	}
	if err := addJobs(v.agent, s, opts.ratesURL); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", v.health.live)
	mux.HandleFunc("GET /readyz", v.health.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(registerer, promhttp.HandlerOpts{}))
	v.http = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second}
	if v.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", opts.listen); err != nil {
		return nil, err
	}
	return v, nil
}

// addr is where health and metrics are answered.
func (v *service) addr() string { return v.listener.Addr().String() }

// serve serves the jobs until ctx ends, or HTTP cannot be served any more, and
// stops in order: not ready, running shards end, what they have recorded is written,
// the rest closes.
func (v *service) serve(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(ctx, func() { v.health.stopping.Store(true) })()
	served := make(chan error, 1)
	go func() {
		err := v.http.Serve(v.listener)
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		end(err) // Without health nobody would notice what happens to the jobs.
		served <- err
	}()
	v.log.InfoContext(ctx, "the service starts", slog.String("address", v.addr()))
	err := v.run(ctx)
	err = errors.Join(err, v.close(ctx))
	return errors.Join(err, <-served)
}

// run is [coreagent.Agent.Run], which a service without a readiness check would
// call: it says when the jobs are registered.
func (v *service) run(ctx context.Context) error {
	if err := v.agent.Start(ctx); err != nil {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return nil // Stopped before ZooKeeper answered: nothing is left behind.
		}
		return err
	}
	v.health.registered.Store(true)
	<-ctx.Done()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), v.drain)
	defer cancel()
	return v.agent.Stop(drain)
}

// close ends what is open, the agent's events first. HTTP is last: until then
// somebody may look at how the service stops.
func (v *service) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	var errs []error
	if v.recorder != nil {
		errs = append(errs, v.recorder.Close(ctx)) // again, unless the agent never started
	}
	if v.http != nil {
		if err := v.http.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("stop HTTP: %w", err))
		}
	}
	return errors.Join(errs...)
}
