package zkfake

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Options configures a [Server]. The zero value is ready to use.
type Options struct {
	// TickTime is the server's unit of time and determines the limits of session timeouts. Defaults
	// to 2 s.
	TickTime time.Duration
	// MinSessionTimeout and MaxSessionTimeout bound the timeouts that clients can negotiate. They
	// default to 2 and 20 ticks.
	MinSessionTimeout, MaxSessionTimeout time.Duration
	// ContainerCheckInterval is the interval for deleting empty containers and overdue TTL nodes.
	// Defaults to one minute.
	ContainerCheckInterval time.Duration
	// MaxFrame is the largest request in bytes; a larger one ends its connection. Defaults to
	// 1048575, ZooKeeper's jute.maxbuffer.
	MaxFrame int
	// Answers replaces answers to four-letter words.
	Answers map[string]string
	// Logger gets expired sessions and broken connections. No logging by default.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	o.TickTime = cmp.Or(o.TickTime, 2*time.Second)
	o.MinSessionTimeout = cmp.Or(o.MinSessionTimeout, 2*o.TickTime)
	o.MaxSessionTimeout = cmp.Or(o.MaxSessionTimeout, 20*o.TickTime)
	o.ContainerCheckInterval = cmp.Or(o.ContainerCheckInterval, time.Minute)
	o.MaxFrame = cmp.Or(o.MaxFrame, 0xfffff)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// ErrClosed is the error of a closed server.
var ErrClosed = errors.New("zkfake: server closed")

type serverState int

const (
	running serverState = iota
	stopped
	closed
)

// Server is an in-process ZooKeeper server, created by [New] and ended by [Server.Close]. All
// methods are safe for concurrent use.
type Server struct {
	opts   Options
	secret [16]byte

	// mu guards the fields up to the empty line. It's never held while waiting.
	mu          sync.Mutex
	state       serverState
	tree        *tree
	zxid        int64
	author      int64 // session of the current transaction
	watches     [watchKinds]watchTable
	sessions    map[int64]*session
	nextSession int64
	started     time.Time
	reapRound   time.Duration
	connections uint64
	conns       map[*conn]struct{}
	listeners   []*listener
	stats       Stats

	hookMu     sync.Mutex // guards the hooks
	fault      func(Request) Fault
	watchFault func(WatchEvent) bool
	observer   func(Change)

	clock chan struct{}
	done  chan struct{} // closed by Close
	wg    sync.WaitGroup
}

// New starts a server for [Server.Dial]; for TCP call [Server.Listen]. For a synctest bubble, call
// it in the bubble.
func New(opts Options) *Server {
	s := &Server{
		opts:     opts.withDefaults(),
		tree:     newTree(),
		sessions: make(map[int64]*session),
		started:  time.Now(),
		conns:    make(map[*conn]struct{}),
		stats:    newStats(),
		clock:    make(chan struct{}, 1),
		done:     make(chan struct{}),
	}
	rand.Read(s.secret[:]) // never fails
	for kind := range s.watches {
		s.watches[kind] = make(watchTable)
	}
	// As in the real server: the start time is in the middle bits, so that different servers have
	// different ids, and a counter below.
	s.nextSession = int64(uint64(time.Now().UnixMilli())<<24>>8) | 1<<56
	s.wg.Go(s.runClock)
	return s
}

// listener is one TCP address, remembered so that Start can listen there again.
type listener struct {
	addr string
	ln   net.Listener // nil while stopped
}

// Listen accepts TCP connections on addr, for example "127.0.0.1:0", and returns the actual
// address. It may be called more than once.
func (s *Server) Listen(addr string) (net.Addr, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != running {
		return nil, fmt.Errorf("zkfake: listen on %s: %w", addr, s.down())
	}
	l := &listener{addr: addr}
	if err := s.open(l); err != nil {
		return nil, err
	}
	s.listeners = append(s.listeners, l)
	return l.ln.Addr(), nil
}

func (s *Server) open(l *listener) error {
	ln, err := net.Listen("tcp", l.addr)
	if err != nil {
		return fmt.Errorf("zkfake: %w", err)
	}
	l.addr, l.ln = ln.Addr().String(), ln
	s.wg.Go(func() {
		for {
			nc, err := ln.Accept()
			if err != nil {
				return // closed by Stop or Close
			}
			if s.serve(nc) != nil {
				nc.Close()
			}
		}
	})
	return nil
}

// Dial opens an in-memory connection; network and addr are ignored. While the server is stopped,
// the error wraps syscall.ECONNREFUSED.
func (s *Server) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("zkfake: dial: %w", err)
	}
	client, server := net.Pipe()
	if err := s.serve(server); err != nil {
		return nil, fmt.Errorf("zkfake: dial: %w", err)
	}
	return client, nil
}

func (s *Server) serve(nc net.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != running {
		return s.down()
	}
	c := s.newConn(nc)
	s.conns[c] = struct{}{}
	s.wg.Go(c.runReader)
	s.wg.Go(c.runWriter)
	return nil
}

func (s *Server) down() error {
	if s.state == closed {
		return ErrClosed
	}
	return syscall.ECONNREFUSED
}

// forget ends a connection for good. It's the writer's last call.
func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.close()
	delete(s.conns, c)
}

// Close ends all connections and waits for all goroutines of the server. It's idempotent and always
// returns nil, to implement io.Closer. Don't call it from a fault hook.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.state != closed {
		s.shut(closed)
		close(s.done)
	}
	s.mu.Unlock()
	s.wg.Wait()
	return nil
}

// Stop cuts all connections and refuses new ones. Data and sessions stay, and no session expires
// while the server is stopped. It does nothing unless the server is running.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == running {
		s.shut(stopped)
	}
}

func (s *Server) shut(state serverState) {
	s.state = state
	for _, l := range s.listeners {
		if l.ln != nil {
			l.ln.Close() // an error could only mean that it's already closed
			l.ln = nil
		}
	}
	for c := range s.conns {
		c.close()
	}
}

// Start makes a stopped server reachable again at the same addresses. Sessions get their whole
// timeout to reconnect, as after a restart of a real server. It does nothing if the server is
// running.
func (s *Server) Start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.state {
	case running:
		return nil
	case closed:
		return fmt.Errorf("zkfake: start: %w", ErrClosed)
	}
	for _, l := range s.listeners {
		if err := s.open(l); err != nil {
			s.shut(stopped)
			return err
		}
	}
	s.state = running
	for _, ss := range s.sessions {
		s.resumeSession(ss, ss.timeout)
	}
	s.wakeClock()
	return nil
}

// SessionInfo describes a session.
type SessionInfo struct {
	ID         int64
	Timeout    time.Duration // negotiated
	Connected  bool          // has a connection now
	Ephemerals int           // number of its nodes
}

// Sessions lists the live sessions by id.
func (s *Server) Sessions() []SessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]SessionInfo, 0, len(s.sessions))
	for id, ss := range s.sessions {
		list = append(list, SessionInfo{id, ss.timeout, ss.conn != nil, len(s.tree.ephemerals[id])})
	}
	slices.SortFunc(list, func(a, b SessionInfo) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// ExpireSession expires a session at once: it removes the ephemeral nodes before it returns and
// cuts the connection. It reports whether the session existed.
func (s *Server) ExpireSession(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[id]
	if ss != nil {
		s.expireSession(ss)
	}
	return ss != nil
}

// DropConnection cuts a session's connection, which the client may resume. It reports whether there
// was one.
func (s *Server) DropConnection(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[id]
	if ss == nil || ss.conn == nil {
		return false
	}
	ss.conn.close()
	return true
}

// DropConnections cuts all connections and returns their number.
func (s *Server) DropConnections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	dropped := 0
	for c := range s.conns {
		if !c.closed {
			c.close()
			dropped++
		}
	}
	return dropped
}
