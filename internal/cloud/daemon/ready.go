package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

const readLimit = 5 * time.Second

// Readiness answers readiness checks. A nil Readiness does nothing.
type Readiness struct {
	ctx   context.Context // ends when the process should end
	began atomic.Bool

	server http.Server
	served chan struct{}
}

// ServeReady listens on all addresses, because checks come from outside the pod. After ctx ends it
// answers that the process is stopping. It returns nil for port 0. The error is a [task.Error].
func ServeReady(ctx context.Context, port int) (*Readiness, error) {
	if port == 0 {
		return nil, nil
	}
	listener, err := new(net.ListenConfig).Listen(context.WithoutCancel(ctx), "tcp", net.JoinHostPort("", strconv.Itoa(port)))
	if err != nil {
		return nil, &task.Error{
			Variable: task.ReadyPort,
			Problem:  fmt.Sprintf("is %d, and listening on it failed: %s; choose another cloud.ready.port for the job", port, reason(err)),
			Config:   true,
		}
	}
	r := &Readiness{ctx: ctx, served: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("GET "+task.ReadyPath, r)
	r.server = http.Server{Handler: mux, ReadTimeout: readLimit, WriteTimeout: readLimit, MaxHeaderBytes: 8 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		defer close(r.served)
		_ = r.server.Serve(listener) // It ends with Close.
	}()
	return r, nil
}

// reason returns why listening failed, without the address, which the caller adds.
func reason(err error) string {
	if number, is := errors.AsType[syscall.Errno](err); is {
		return number.Error()
	}
	return err.Error()
}

// Begin marks the process as ready.
func (r *Readiness) Begin() {
	if r != nil {
		r.began.Store(true)
	}
}

func (r *Readiness) Close() {
	if r != nil {
		_ = r.server.Close()
		<-r.served
	}
}

func (r *Readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	word := "the process fires"
	switch {
	case r.ctx.Err() != nil:
		word = "the process is being stopped"
		w.WriteHeader(http.StatusServiceUnavailable)
	case !r.began.Load():
		word = "the process has not started to fire"
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = io.WriteString(w, word+"\n")
}
