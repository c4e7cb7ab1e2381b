package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// newRegistry is a registry of this process's own metrics, with those of the
// runtime in it.
func newRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return reg
}

// metricsAddress completes the value of --metrics-addr: without a host only
// this machine is answered, because the listener asks nobody who he is.
func metricsAddress(addr string) string {
	if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// answerMetrics listens for Prometheus, if asked to.
func answerMetrics(ctx context.Context, addr string, metrics http.Handler, cleanup *cleanups, log *slog.Logger) error {
	if addr == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", metricsAddress(addr))
	if err != nil {
		return fail("--metrics-addr takes host:port of this machine, such as 127.0.0.1:9464; :9464 is the same, 0.0.0.0:9464 answers everybody; port 0 picks a free one.", "--metrics-addr %q: %w", addr, err)
	}
	log.InfoContext(ctx, "answering Prometheus", slog.String("address", "http://"+listener.Addr().String()+"/metrics"))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	serveAside(listener, mux, "stop answering Prometheus", cleanup, log)
	return nil
}

// serveAside serves a small interface on a listener of its own until the
// cleanup.
func serveAside(listener net.Listener, handler http.Handler, stop string, cleanup *cleanups, log *slog.Logger) {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: serverErrors(log),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	cleanup.add(stop, time.Second, func(ctx context.Context) error {
		err := server.Shutdown(ctx)
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	})
}
