package clouddaemon

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

	"github.com/elasticjob-go/elasticjob/internal/cloudtask"
)

// readLimit is how long a request may take to arrive.
const readLimit = 5 * time.Second

// readiness answers whether a process fires.
type readiness struct {
	ctx   context.Context // that of the loop
	began atomic.Bool

	server http.Server
	served chan struct{}
}

// serveReady listens on a port of all addresses: who asks does so from outside of the pod.
func serveReady(ctx context.Context, port int) (*readiness, error) {
	listener, err := new(net.ListenConfig).Listen(context.WithoutCancel(ctx), "tcp", net.JoinHostPort("", strconv.Itoa(port)))
	if err != nil {
		return nil, &cloudtask.Error{
			Variable: cloudtask.ReadyPort,
			Problem:  fmt.Sprintf("is %d, on which nobody can listen: %s; choose another cloud.ready.port of the job", port, reason(err)),
			Config:   true,
		}
	}
	r := &readiness{ctx: ctx, served: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("GET "+cloudtask.ReadyPath, r)
	r.server = http.Server{Handler: mux, ReadTimeout: readLimit, WriteTimeout: readLimit, MaxHeaderBytes: 8 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		defer close(r.served)
		_ = r.server.Serve(listener) // It ends with close.
	}()
	return r, nil
}

// reason is why nobody can listen, without the address that the caller has named.
func reason(err error) string {
	if number, is := errors.AsType[syscall.Errno](err); is {
		return number.Error()
	}
	return err.Error()
}

// begin says that the process fires from now on. A nil readiness is asked by nobody.
func (r *readiness) begin() {
	if r != nil {
		r.began.Store(true)
	}
}

func (r *readiness) close() {
	_ = r.server.Close()
	<-r.served
}

// ServeHTTP implements [http.Handler].
func (r *readiness) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	word := "the process fires"
	switch {
	case r.ctx.Err() != nil:
		word = "the process is being stopped"
		w.WriteHeader(http.StatusServiceUnavailable)
	case !r.began.Load():
		word = "the process has not begun to fire"
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = io.WriteString(w, word+"\n")
}
