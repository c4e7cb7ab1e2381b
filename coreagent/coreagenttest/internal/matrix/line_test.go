package matrix_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// line is the network between one agent and the server.
type line struct {
	server *coreagenttest.Server

	mu    sync.Mutex
	fault fault
	ends  chan struct{} // closed when the fault ends
	conns []*conn
}

type fault int

const (
	intact fault = iota
	// closed: connections break at once and new ones are refused, as if the process had died.
	closed
	// silent: packets get lost both ways without an error, as in a partition.
	silent
)

var errRefused = errors.New("connection refused")

func (l *line) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	for {
		l.mu.Lock()
		switch l.fault {
		case intact:
			defer l.mu.Unlock()
			inner, err := l.server.Dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			c := &conn{Conn: inner}
			l.conns = append(l.conns, c)
			return c, nil
		case closed:
			defer l.mu.Unlock()
			return nil, errRefused
		}
		repaired := l.ends
		l.mu.Unlock()
		select {
		case <-repaired:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *line) breakBy(f fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault, l.ends = f, make(chan struct{})
	for _, c := range l.conns {
		if f == closed {
			_ = c.Close() // The peer should see the end of the stream.
		} else {
			c.silent.Store(true)
		}
	}
}

// repair makes a broken line intact. Connections that lost packets break, because a stream with a
// gap is useless.
func (l *line) repair() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = intact
	close(l.ends)
	for _, c := range l.conns {
		_ = c.Close() // It may be closed already.
	}
	l.conns = nil
}

// conn loses all packets while the line is silent.
type conn struct {
	net.Conn

	silent atomic.Bool
}

func (c *conn) Write(p []byte) (int, error) {
	if c.silent.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *conn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || !c.silent.Load() {
			return n, err
		}
	}
}
