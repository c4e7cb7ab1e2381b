package fleetsim_test

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"time"
)

// link is the network between one process and the server. Like TCP, it holds data that can't pass
// and delivers it later in order. A partition alone loses and closes nothing.
type link struct {
	dial func(context.Context, string, string) (net.Conn, error)

	mu      sync.Mutex
	refuse  bool
	deaf    bool // new connections are accepted but never answered
	in, out *gate
	conns   []*linkConn
	pumps   sync.WaitGroup
}

func newLink(dial func(context.Context, string, string) (net.Conn, error)) *link {
	return &link{dial: dial, in: newGate(), out: newGate()}
}

// gate is open or shut; goroutines can wait until it opens.
type gate struct {
	mu     sync.Mutex
	opened chan struct{} // closed while the gate is open
}

func newGate() *gate {
	g := &gate{opened: make(chan struct{})}
	close(g.opened)
	return g
}

func (g *gate) wait() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.opened
}

func (g *gate) isOpen() bool {
	select {
	case <-g.wait():
		return true
	default:
		return false
	}
}

func (g *gate) set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.opened:
		if !open {
			g.opened = make(chan struct{})
		}
	default:
		if open {
			close(g.opened)
		}
	}
}

var errRefused = errors.New("connection refused by the simulated network")

// Dial opens a connection, or waits while nothing passes.
func (l *link) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	deaf := l.deaf
	l.mu.Unlock()
	for _, g := range []*gate{l.out, l.in} {
		if deaf {
			break
		}
		select {
		case <-g.wait():
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refuse {
		return nil, errRefused
	}
	inner, err := l.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &linkConn{Conn: inner, link: l, closed: make(chan struct{}), turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	l.conns = append(slices.DeleteFunc(l.conns, (*linkConn).over), c)
	return c, nil
}

// shut blocks the given directions.
func (l *link) shut(in, out bool) {
	if in {
		l.in.set(false)
	}
	if out {
		l.out.set(false)
	}
}

// cut breaks open connections. If refuse is set, it refuses new ones until heal.
func (l *link) cut(refuse bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refuse = l.refuse || refuse
	for _, c := range l.conns {
		_ = c.Close() // that's the purpose
	}
	l.conns = nil
}

// mute is a half-open network: open connections break, and new ones are accepted, for example by a
// middlebox, but never answered.
func (l *link) mute() {
	l.cut(false)
	l.mu.Lock()
	l.deaf = true
	l.mu.Unlock()
	l.shut(true, true)
}

// heal unblocks everything, and delivers the held data first.
func (l *link) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refuse, l.deaf = false, false
	l.in.set(true)
	l.out.set(true)
	for _, c := range l.conns {
		l.pumps.Go(c.pump)
	}
}

// linkConn is one connection over a link.
type linkConn struct {
	net.Conn
	link      *link
	closed    chan struct{}
	closeOnce sync.Once

	turn chan struct{} // one token, for writing and for held
	held []byte

	mu       sync.Mutex
	deadline time.Time // for reading
}

func (c *linkConn) over() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

func (c *linkConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func (c *linkConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.deadline = t
	c.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

func (c *linkConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// Read returns received data once it may pass.
func (c *linkConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.link.in.isOpen() {
		return n, err
	}
	c.mu.Lock()
	deadline := c.deadline
	c.mu.Unlock()
	var expired <-chan time.Time
	if !deadline.IsZero() {
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-c.link.in.wait():
		return n, err
	case <-c.closed:
		return 0, net.ErrClosed
	case <-expired:
		return 0, os.ErrDeadlineExceeded
	}
}

// Write sends p, or buffers it like a kernel without acknowledgements.
func (c *linkConn) Write(p []byte) (int, error) {
	select {
	case <-c.turn:
	case <-c.closed:
		return 0, net.ErrClosed
	}
	defer func() { c.turn <- struct{}{} }()
	if !c.link.out.isOpen() {
		c.held = append(c.held, p...)
		return len(p), nil
	}
	if err := c.flush(); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

func (c *linkConn) flush() error {
	held := c.held
	c.held = nil
	if len(held) == 0 {
		return nil
	}
	_, err := c.Conn.Write(held)
	return err
}

// pump sends the held data without waiting for the next write.
func (c *linkConn) pump() {
	select {
	case <-c.turn:
	case <-c.closed:
		return
	}
	defer func() { c.turn <- struct{}{} }()
	if c.link.out.isOpen() {
		_ = c.flush() // the reader notices a broken connection
	}
}
