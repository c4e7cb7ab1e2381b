// Package relay passes TCP connections on to a server, for programs that count
// what passes or let it go wrong.
//
//	client ──▶ Relay ──▶ server
//	              └─ Fault: stall, swallow, delay, refuse
//
// A relay listens on a free port of 127.0.0.1. Its methods may be called by any
// number of goroutines.
package relay

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Way is what becomes of the bytes of one direction.
type Way int

// The ways.
const (
	Pass    Way = iota
	Stall       // they wait until the fault is over
	Swallow     // they are lost, and when the fault is over so is the connection
)

// Fault is what goes wrong; the zero value is nothing.
type Fault struct {
	Requests Way           // Requests go to the server.
	Answers  Way           // Answers come from it.
	Delay    time.Duration // Delay is how much longer each piece takes, either way.
	Refuse   bool          // Refuse closes new connections.
}

// Options tunes a relay.
type Options struct {
	// Requests passes on what a client sends, until an error. Nil copies.
	Requests func(server io.Writer, client io.Reader) error
}

// Relay is a running relay.
type Relay struct {
	listener net.Listener
	to       string
	opts     Options
	tasks    sync.WaitGroup
	done     chan struct{}

	mu      sync.Mutex
	fault   Fault
	changed chan struct{} // closed and replaced with each fault
	conns   map[net.Conn]bool
	closed  bool
}

// Start starts a relay to an address.
func Start(to string, opts Options) (*Relay, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Relay{
		listener: listener, to: to, opts: opts,
		done: make(chan struct{}), changed: make(chan struct{}), conns: make(map[net.Conn]bool),
	}
	r.tasks.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			r.tasks.Go(func() { r.serve(conn) })
		}
	})
	return r, nil
}

// Addr is where clients connect to.
func (r *Relay) Addr() string { return r.listener.Addr().String() }

// Close ends all connections and waits for their end.
func (r *Relay) Close() {
	_ = r.listener.Close() // Ends the accepting.
	r.mu.Lock()
	if !r.closed {
		close(r.done)
	}
	r.closed = true
	r.mu.Unlock()
	r.Reset()
	r.tasks.Wait()
}

// Set lets connections go wrong, those that there are and new ones, until it is
// called again.
func (r *Relay) Set(f Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = f
	close(r.changed)
	r.changed = make(chan struct{})
}

// Reset breaks all connections, both ends of which learn of it.
func (r *Relay) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for conn := range r.conns {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // An end without farewell.
		}
		_ = conn.Close()
	}
}

func (r *Relay) now() (Fault, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fault, r.changed
}

// keep notes a connection, or closes it if the relay is closed.
func (r *Relay) keep(conn net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		_ = conn.Close()
		return false
	}
	r.conns[conn] = true
	return true
}

func (r *Relay) drop(conn net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, conn)
	_ = conn.Close()
}

func (r *Relay) serve(client net.Conn) {
	if fault, _ := r.now(); fault.Refuse {
		_ = client.Close()
		return
	}
	if !r.keep(client) {
		return
	}
	defer r.drop(client)
	server, err := net.DialTimeout("tcp", r.to, 5*time.Second)
	if err != nil || !r.keep(server) {
		return
	}
	defer r.drop(server)
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() {
		_ = r.copy(client, server, func(f Fault) Way { return f.Answers }) // Ends with either connection.
		_ = client.Close()
	})
	if r.opts.Requests != nil {
		_ = r.opts.Requests(server, client)
	} else {
		_ = r.copy(server, client, func(f Fault) Way { return f.Requests })
	}
	_, _ = server.Close(), client.Close()
}

var errBroken = errors.New("bytes of the connection were swallowed")

// copy passes bytes on as the fault of the moment says.
func (r *Relay) copy(to io.Writer, from io.Reader, way func(Fault) Way) error {
	buf := make([]byte, 32<<10)
	for swallowed := false; ; {
		n, err := from.Read(buf)
		if err != nil {
			return err
		}
		fault, changed := r.now()
		for way(fault) == Stall {
			select {
			case <-changed:
			case <-r.done:
				return net.ErrClosed
			}
			fault, changed = r.now()
		}
		if way(fault) == Swallow {
			swallowed = true
			continue
		}
		if swallowed {
			return errBroken
		}
		if fault.Delay > 0 {
			select {
			case <-time.After(fault.Delay):
			case <-r.done:
				return net.ErrClosed
			}
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return err
		}
	}
}
