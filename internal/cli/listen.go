package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
)

// Time limits of HTTP servers. Requests are small forms and pages; a client that sends more slowly
// only holds a connection.
const (
	ReadHeaderTimeout = 5 * time.Second
	ReadTimeout       = 15 * time.Second
	WriteTimeout      = 30 * time.Second
	IdleTimeout       = 2 * time.Minute
	MaxHeader         = 32 << 10
)

// Loopback reports whether only this machine reaches a host.
func Loopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// MetricsAddress completes the value of --metrics-addr: without a host only
// this machine is answered, because the listener asks for no password.
func MetricsAddress(addr string) string {
	if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// AnswerMetrics listens for Prometheus, if asked to.
func AnswerMetrics(ctx context.Context, addr string, metrics http.Handler, cleanup *Cleanups, log *slog.Logger) error {
	if addr == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", MetricsAddress(addr))
	if err != nil {
		return Fail("--metrics-addr takes host:port of this machine, such as 127.0.0.1:9464; :9464 is the same, 0.0.0.0:9464 answers every machine; port 0 picks a free one.", "--metrics-addr %q: %w", addr, err)
	}
	log.InfoContext(ctx, "answering Prometheus", slog.String("address", "http://"+listener.Addr().String()+"/metrics"))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	ServeAside(listener, mux, "stop answering Prometheus", cleanup, log)
	return nil
}

// ServeAside serves a small interface on a listener of its own until the
// cleanup.
func ServeAside(listener net.Listener, handler http.Handler, stop string, cleanup *Cleanups, log *slog.Logger) {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: ReadHeaderTimeout, ReadTimeout: ReadTimeout, WriteTimeout: WriteTimeout,
		IdleTimeout: IdleTimeout, MaxHeaderBytes: MaxHeader, ErrorLog: ServerErrors(log),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	cleanup.Add(stop, time.Second, func(ctx context.Context) error {
		err := server.Shutdown(ctx)
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	})
}
