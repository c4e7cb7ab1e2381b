package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// pipes is a listener of connections in memory.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

const slowHead = "POST /api/login HTTP/1.1\r\nHost: x\r\n"

// slowRequests are ways to hold a connection, and how long each may last.
var slowRequests = map[string]struct {
	first string // sent at once
	drip  string // then over and over, each second
	reads bool
	most  time.Duration
}{
	"nothing":         {"", "", true, cli.ReadHeaderTimeout},
	"headers slowly":  {slowHead, "X", true, cli.ReadHeaderTimeout},
	"a body slowly":   {slowHead + "Content-Length: 1000\r\n\r\n", "x", true, cli.ReadTimeout + time.Second},
	"chunks slowly":   {slowHead + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", true, cli.ReadTimeout + time.Second},
	"reads nothing":   {"GET /large HTTP/1.1\r\nHost: x\r\n\r\n", "", false, cli.WriteTimeout + time.Second},
	"asks no more":    {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "", true, cli.IdleTimeout + time.Second},
	"endless headers": {slowHead + "X: " + strings.Repeat("x", cli.MaxHeader+8<<10) + "\r\n", "", true, time.Second},
}

// TestC09SlowRequestsAreCutOff: whoever says nothing, or sends headers or a body
// a byte at a time, or does not read the answer, is cut off after a while, and
// whoever sends headers without end at once.
func TestC09SlowRequestsAreCutOff(t *testing.T) {
	t.Parallel()
	for name, c := range slowRequests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				listener := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
				server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if r.URL.Path == "/large" {
						_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
					}
				}), slog.New(slog.DiscardHandler))
				var group sync.WaitGroup
				group.Go(func() { _ = server.Serve(listener) })
				ours, theirs := net.Pipe()
				listener.conns <- theirs
				start := time.Now()
				gone := make(chan struct{})
				group.Go(func() {
					if _, err := io.WriteString(ours, c.first); err != nil {
						return
					}
					tick := time.NewTicker(time.Second)
					defer tick.Stop()
					for {
						select {
						case <-tick.C:
							if _, err := io.WriteString(ours, c.drip); err != nil {
								return
							}
						case <-gone:
							return
						}
					}
				})
				if !c.reads {
					<-time.After(c.most)
				}
				_, err := io.Copy(io.Discard, ours) // until it is closed
				if took := time.Since(start); err != nil || took > c.most {
					t.Errorf("cut off after %s, want %s: %v", took, c.most, err)
				}
				close(gone)
				ours.Close()
				_ = server.Close()
				group.Wait()
			})
		})
	}
}
