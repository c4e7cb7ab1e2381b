package snapshot

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

const (
	maxRequest    = 1024        // bytes of a request line
	lingerTimeout = time.Second // for a client to hang up after its answer
	waitingFactor = 4           // times [Limits.Silent] is the maximum number of connections

	// acceptPause follows a failure to accept a connection, for example because of too many open files.
	acceptPause = 100 * time.Millisecond
)

// Options configures a [Server]. All fields except Host, Port and Cache are required.
type Options struct {
	// Host is the address to listen on. Defaults to 127.0.0.1.
	Host string
	// Port is 0 to 65535. With 0 the system selects one, which [Server.Addr] returns.
	Port int

	// Client reads the tree.
	Client *zk.Client
	// Tree is the namespace of the jobs. Clients can request all of them.
	Tree jobtree.Namespace
	// Cache returns this process's memory of a job, or nil if it doesn't serve the job. If Cache is
	// nil, nothing is compared.
	Cache func(job string) Cache

	// Log receives the dumps and their errors.
	Log *slog.Logger

	Limits Limits
}

// Limits limit a [Server] and its clients.
type Limits struct {
	Request     time.Duration // for a client to send its line
	Dump        time.Duration // for reading a tree
	Write       time.Duration // for a client to receive its answer
	Connections int           // answered at the same time; others with a request wait
	Silent      int           // connections without a request; beyond it the oldest one is closed
	Bytes       int           // of an answer
}

// DefaultLimits suit every agent.
var DefaultLimits = Limits{
	Request: 5 * time.Second, Dump: 30 * time.Second, Write: 10 * time.Second,
	Connections: 4, Silent: 64, Bytes: 8 << 20,
}

type Server struct {
	opts     Options
	listener net.Listener
	slots    chan struct{} // connections being answered
	base     context.Context
	abort    context.CancelFunc // ends running dumps
	tasks    sync.WaitGroup

	accepting context.Context // ends when no more connections are accepted
	refuse    context.CancelFunc

	mu     sync.Mutex
	conns  map[net.Conn]bool
	silent []net.Conn // connections without a request, oldest first
}

// Listen starts a server. An error names the address and the reason. ElasticJob only logs it,
// because a job must not fail without a dump service. ctx limits the start only.
func Listen(ctx context.Context, opts Options) (*Server, error) {
	if opts.Port < 0 || opts.Port > 65535 {
		return nil, fmt.Errorf("dump service: port %d is outside 0 to 65535", opts.Port)
	}
	opts.Host = cmp.Or(opts.Host, "127.0.0.1")
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(opts.Host, strconv.Itoa(opts.Port)))
	if err != nil {
		return nil, fmt.Errorf("dump service: %w", err)
	}
	base, abort := context.WithCancel(context.Background())
	accepting, refuse := context.WithCancel(base)
	s := &Server{
		opts: opts, listener: listener, slots: make(chan struct{}, opts.Limits.Connections),
		base: base, abort: abort, accepting: accepting, refuse: refuse, conns: make(map[net.Conn]bool),
	}
	if addr, ok := listener.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		opts.Log.WarnContext(ctx, "dump service: every client that reaches this address can read every job of the namespace", "address", addr.String())
	}
	s.tasks.Go(s.accept)
	return s, nil
}

func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close stops listening, closes connections without a request, and lets the others receive their
// answer until ctx ends. The error reports cut answers. Close may be called more than once.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.refuse()
	_ = s.listener.Close() // In any case, no more connections are accepted.
	for conn := range s.conns {
		_ = conn.SetReadDeadline(time.Now()) // Only requests are read.
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.tasks.Wait() // All waits of a connection are limited, so this ends.
		close(done)
	}()
	defer s.abort()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.abort()
	s.mu.Lock()
	cut := len(s.conns)
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	<-done
	if cut == 0 {
		return nil
	}
	return fmt.Errorf("dump service: %d connections were cut off: %w", cut, context.Cause(ctx))
}

// accept accepts connections and reads each at once, because silent ones must not keep out others.
func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			s.opts.Log.Warn("dump service: a connection could not be accepted", "err", err)
			_ = sleep.For(s.accepting, acceptPause) // Accept fails once it has ended.
			continue
		}
		if !s.enter(conn) {
			_ = conn.Close() // The service is closing or full, and there was no request yet.
			continue
		}
		s.tasks.Go(func() {
			defer s.leave(conn)
			s.serve(conn)
		})
	}
}

// enter registers a connection, so that Close finds it, and sets the deadline of its request.
func (s *Server) enter(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accepting.Err() != nil || len(s.conns) >= waitingFactor*s.opts.Limits.Silent || conn.SetReadDeadline(time.Now().Add(s.opts.Limits.Request)) != nil {
		return false
	}
	s.conns[conn] = true
	if s.silent = append(s.silent, conn); len(s.silent) > s.opts.Limits.Silent {
		_ = s.silent[0].Close() // Its next read notices that.
		s.silent = s.silent[1:]
	}
	return true
}

func (s *Server) asked(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = slices.DeleteFunc(s.silent, func(c net.Conn) bool { return c == conn })
}

func (s *Server) leave(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
	s.silent = slices.DeleteFunc(s.silent, func(c net.Conn) bool { return c == conn })
	_ = conn.Close() // Already closed, if all went well.
}

// serve answers one connection. As in ElasticJob, anything but a request gets no answer.
func (s *Server) serve(conn net.Conn) {
	log := s.opts.Log.With("client", conn.RemoteAddr().String())
	line, err := readLine(conn)
	if err != nil {
		log.Debug("dump service: no request came", "err", err)
		return
	}
	job, ok := parse(line)
	if !ok {
		log.Debug("dump service: not a request")
		return
	}
	s.asked(conn)
	ctx, cancel := context.WithTimeout(s.base, s.opts.Limits.Dump)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		log.Warn("dump service: closed without an answer", "job", job, "err", context.Cause(ctx))
		return
	}
	var cache Cache
	if s.opts.Cache != nil {
		cache = s.opts.Cache(job)
	}
	text, err := Dump(ctx, s.opts.Client, s.opts.Tree.Job(job), cache, s.opts.Limits.Bytes)
	if err != nil {
		log.Warn("dump service: closed without an answer", "job", job, "err", err)
		return
	}
	if err := s.answer(conn, text); err != nil {
		log.Warn("dump service: the answer did not arrive", "job", job, "err", err)
		return
	}
	log.Info("dump service: job dumped", "job", job, "bytes", len(text))
}

// answer sends text and waits a moment for the client to hang up. Closing with unread input would
// reset the connection and destroy the part of the answer that the client hasn't received yet.
func (s *Server) answer(conn net.Conn, text []byte) error {
	if err := conn.SetWriteDeadline(time.Now().Add(s.opts.Limits.Write)); err != nil {
		return err
	}
	if _, err := conn.Write(text); err != nil {
		return err
	}
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	if err := half.CloseWrite(); err != nil {
		return err
	}
	if err := conn.SetReadDeadline(time.Now().Add(lingerTimeout)); err != nil {
		return err
	}
	_, _ = io.CopyN(io.Discard, conn, maxRequest) // The client's input doesn't matter, nor how it ends.
	return nil
}

// readLine returns the first line from a client. The end of its input also ends the line.
func readLine(conn net.Conn) (string, error) {
	in := bufio.NewReaderSize(conn, maxRequest)
	var line strings.Builder
	for {
		c, err := in.ReadByte()
		switch {
		case err != nil && (!errors.Is(err, io.EOF) || line.Len() == 0):
			return "", err
		case err != nil, c == '\n', c == '\r':
			return line.String(), nil
		case line.Len() == maxRequest:
			return "", fmt.Errorf("the request is longer than %d bytes", maxRequest)
		}
		line.WriteByte(c)
	}
}

// parse returns the job in a request, which must be exactly dump@<job>.
func parse(line string) (job string, ok bool) {
	command, job, _ := strings.Cut(line, "@")
	if command != "dump" || strings.Contains(job, "@") || jobconfig.ValidateName(job) != nil {
		return "", false
	}
	return job, true
}
