package snapshot

import (
	"bufio"
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
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// maxRequest bounds a request line, in bytes.
const maxRequest = 1024

// lingerTimeout is how long a client that has its answer may take to hang up.
const lingerTimeout = time.Second

// waitingFactor times [Options.MaxSilent] is how many connections there may be.
const waitingFactor = 4

// acceptPause follows a failure to accept a connection, such as too many open
// files.
const acceptPause = 100 * time.Millisecond

// Options configures a [Server]. Client and Tree are required.
type Options struct {
	// Host is the address to listen on. Defaults to 127.0.0.1.
	Host string
	// Port is 0 to 65535; 0 takes a free one, which [Server.Addr] tells.
	Port int

	// Client reads the tree.
	Client *zk.Client
	// Tree is the namespace of the jobs. All of its jobs can be asked for.
	Tree jobtree.Namespace
	// Cache returns what this process has in memory of a job, nil if it does
	// not serve the job. A nil Cache means that there is nothing to compare.
	Cache func(job string) Cache

	// Log hears of dumps and of what went wrong with them. Defaults to
	// [slog.Default].
	Log *slog.Logger

	// RequestTimeout is how long a client may take to send its line. Defaults
	// to 5 seconds.
	RequestTimeout time.Duration
	// DumpTimeout bounds the reading of a tree. Defaults to 30 seconds.
	DumpTimeout time.Duration
	// WriteTimeout is how long a client may take to receive its answer.
	// Defaults to 10 seconds.
	WriteTimeout time.Duration
	// MaxConnections bounds the connections that are answered at the same time;
	// more that have asked wait. Defaults to 4.
	MaxConnections int
	// MaxSilent bounds the connections that have not asked for anything yet; of
	// more the oldest is closed. Defaults to 64.
	MaxSilent int
	// MaxBytes bounds an answer. Defaults to 8 MiB.
	MaxBytes int
}

func (o Options) withDefaults() Options {
	if o.Host == "" {
		o.Host = "127.0.0.1"
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.RequestTimeout <= 0 {
		o.RequestTimeout = 5 * time.Second
	}
	if o.DumpTimeout <= 0 {
		o.DumpTimeout = 30 * time.Second
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = 10 * time.Second
	}
	if o.MaxConnections <= 0 {
		o.MaxConnections = 4
	}
	if o.MaxSilent <= 0 {
		o.MaxSilent = 64
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 8 << 20
	}
	return o
}

// Server answers requests for dumps until it is closed.
type Server struct {
	opts     Options
	listener net.Listener
	slots    chan struct{} // connections being answered
	base     context.Context
	abort    context.CancelFunc // ends dumps under way
	tasks    sync.WaitGroup

	mu      sync.Mutex
	closing chan struct{}
	closed  bool
	conns   map[net.Conn]bool
	silent  []net.Conn // those that have not asked yet, the oldest first
}

// Listen starts a server. The error says which address could not be taken and
// why; ElasticJob only logs it, because a job must not fail for the lack of a
// dump service. ctx bounds the start only.
func Listen(ctx context.Context, opts Options) (*Server, error) {
	if opts.Port < 0 || opts.Port > 65535 {
		return nil, fmt.Errorf("dump service: port %d is outside 0 to 65535", opts.Port)
	}
	opts = opts.withDefaults()
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(opts.Host, strconv.Itoa(opts.Port)))
	if err != nil {
		return nil, fmt.Errorf("dump service: %w", err)
	}
	base, abort := context.WithCancel(context.Background())
	s := &Server{
		opts: opts, listener: listener, slots: make(chan struct{}, opts.MaxConnections),
		base: base, abort: abort, closing: make(chan struct{}), conns: make(map[net.Conn]bool),
	}
	if addr, ok := listener.Addr().(*net.TCPAddr); ok && !addr.IP.IsLoopback() {
		opts.Log.WarnContext(ctx, "dump service: whoever reaches this address can read every job of the namespace", "address", addr.String())
	}
	s.tasks.Go(s.accept)
	return s, nil
}

// Addr is where the server listens.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Close stops listening, hangs up on clients that have not asked for anything
// yet and lets the others have their answer until ctx ends; a ctx without a
// deadline gets one of 5 seconds. The error tells that answers were cut off.
// Close may be called more than once.
func (s *Server) Close(ctx context.Context) error {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
	}
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
		_ = s.listener.Close() // Whatever it says, nobody accepts any more.
		for conn := range s.conns {
			_ = conn.SetReadDeadline(time.Now()) // Only requests are read.
		}
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.tasks.Wait() // Everything a connection waits for is bounded, so this ends.
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

// accept takes connections. Each is heard at once: those that say nothing must
// not keep out who does.
func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			s.opts.Log.Warn("dump service: a connection could not be accepted", "err", err)
			pause := time.NewTimer(acceptPause)
			select {
			case <-pause.C:
			case <-s.closing:
			}
			pause.Stop()
			continue
		}
		if !s.enter(conn) {
			_ = conn.Close() // The service is closing, or full: nothing was asked yet.
			continue
		}
		s.tasks.Go(func() {
			defer s.leave(conn)
			s.serve(conn)
		})
	}
}

// enter notes a connection, so that Close finds it, and gives it its time for
// the request.
func (s *Server) enter(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.conns) >= waitingFactor*s.opts.MaxSilent || conn.SetReadDeadline(time.Now().Add(s.opts.RequestTimeout)) != nil {
		return false
	}
	s.conns[conn] = true
	if s.silent = append(s.silent, conn); len(s.silent) > s.opts.MaxSilent {
		_ = s.silent[0].Close() // It sees so when it reads.
		s.silent = s.silent[1:]
	}
	return true
}

// asked notes that a connection has said something.
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
	_ = conn.Close() // Closed already, if all went well.
}

// serve answers one connection. Whatever is not a request gets no answer, as in
// ElasticJob.
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
	ctx, cancel := context.WithTimeout(s.base, s.opts.DumpTimeout)
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
	text, err := Dump(ctx, s.opts.Client, s.opts.Tree.Job(job), cache, s.opts.MaxBytes)
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

// answer sends text and waits a moment for the client to hang up: closing
// while something of the client's is unread would reset the connection and
// destroy what the client has not received yet.
func (s *Server) answer(conn net.Conn, text []byte) error {
	if err := conn.SetWriteDeadline(time.Now().Add(s.opts.WriteTimeout)); err != nil {
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
	_, _ = io.CopyN(io.Discard, conn, maxRequest) // Nothing it says matters, nor how it ends.
	return nil
}

// readLine returns the first line a client sends, which may also end with what
// the client sends at all.
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

// parse returns the job that a line asks for: dump@<job>, to the letter.
func parse(line string) (job string, ok bool) {
	command, job, _ := strings.Cut(line, "@")
	if command != "dump" || strings.Contains(job, "@") || jobconfig.ValidateName(job) != nil {
		return "", false
	}
	return job, true
}
