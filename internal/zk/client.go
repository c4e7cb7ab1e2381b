package zk

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gozk "github.com/go-zookeeper/zk"
)

// Session timeouts outside these bounds are refused: shorter ones expire
// during a garbage collection, longer ones leave dead owners for minutes. The
// server may negotiate another value; [Session.Timeout] tells it.
const (
	MinSessionTimeout     = 200 * time.Millisecond
	MaxSessionTimeout     = 5 * time.Minute
	DefaultSessionTimeout = 30 * time.Second
	DefaultConnectTimeout = 5 * time.Second
	MaxConnectTimeout     = time.Hour
)

// maxReply is the longest reply that is believed. Lists of children may exceed
// what the server takes in requests by far.
const maxReply = 64 << 20

// Config says how to reach a ZooKeeper ensemble.
type Config struct {
	// Servers are "host:port" addresses of the ensemble; behind the last one may
	// stand a chroot, as in ZooKeeper's connect string: see [ParseServers]. It
	// must exist. Required.
	Servers []string
	// Digest is "user:password" for the digest scheme; nodes are then created
	// with all permissions for that user only, unless ACL says otherwise.
	Digest string
	// ACL says who may access what the client creates.
	ACL ACL
	// TLS has every connection made over TLS, on top of what Dial returns. Nil:
	// none. See [Certificates].
	TLS *tls.Config
	// SessionTimeout is what the client asks for. Zero means
	// [DefaultSessionTimeout]; the server may grant another value.
	SessionTimeout time.Duration
	// ConnectTimeout bounds one attempt: dialling, and again the handshake.
	// Zero means [DefaultConnectTimeout]; at most [MaxConnectTimeout].
	ConnectTimeout time.Duration
	// Dial opens the connection: for a proxy or an in-memory server.
	// Nil means TCP by [net.Dialer].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Logger receives state changes. Nil means [slog.Default].
	Logger *slog.Logger
	// Observe is notified of each request that was sent, when it has been answered
	// or given up: the kind of request, the time until then and the outcome. A
	// transaction that the server refused counts as answered. It must not
	// block. Nil means that nobody counts.
	Observe func(op string, took time.Duration, err error)
}

func (cfg Config) withDefaults() Config {
	if cfg.SessionTimeout == 0 {
		cfg.SessionTimeout = DefaultSessionTimeout
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = DefaultConnectTimeout
	}
	if cfg.Dial == nil {
		cfg.Dial = new(net.Dialer).DialContext
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return cfg
}

// Validate returns all problems of cfg joined, each naming the field.
func (cfg Config) Validate() error {
	var errs []error
	if len(cfg.Servers) == 0 {
		errs = append(errs, errors.New("Servers: empty; give at least one host:port"))
	}
	if _, _, err := ParseServers(cfg.Servers); err != nil && len(cfg.Servers) > 0 {
		errs = append(errs, fmt.Errorf("Servers: %w", err))
	}
	if cfg.Digest != "" && !strings.Contains(cfg.Digest, ":") {
		errs = append(errs, errors.New("Digest: not in the form user:password"))
	}
	if err := cfg.checkAccess(); err != nil {
		errs = append(errs, err)
	}
	if t := cfg.SessionTimeout; t != 0 && (t < MinSessionTimeout || t > MaxSessionTimeout) {
		errs = append(errs, fmt.Errorf("SessionTimeout: %v is outside %v to %v", t, MinSessionTimeout, MaxSessionTimeout))
	}
	if t := cfg.ConnectTimeout; t < 0 || t > MaxConnectTimeout {
		errs = append(errs, fmt.Errorf("ConnectTimeout: %v is outside 0 to %v", t, MaxConnectTimeout))
	}
	return errors.Join(errs...)
}

// Client is one ZooKeeper session after the other. It is safe for concurrent
// use; several clients in one process are independent.
type Client struct {
	cfg   Config
	acl   []gozk.ACL
	log   *slog.Logger
	conn  *gozk.Conn
	hosts *hosts

	chroot string // "" for the real root
	rooted bool   // the chroot was seen; only the supervisor looks

	check check

	life  context.Context // ends when the client closes
	end   context.CancelFunc
	tasks sync.WaitGroup
	calls sync.WaitGroup // library calls under way; grows under mu, and not once closed
	under atomic.Int64   // how many those are

	born    time.Time    // origin of contact, with its monotonic reading
	contact atomic.Int64 // when the newest answered request was sent, as nanoseconds after born
	window  atomic.Int64 // how long after contact the session is ours; 0 without a session
	granted atomic.Int32 // session timeout of the last handshake, in milliseconds
	wake    chan struct{}

	watched atomic.Bool                 // a watch was ever asked for
	current atomic.Pointer[contactConn] // the newest connection
	seen    atomic.Int64                // the newest transaction of a reply

	eventsMu sync.Mutex
	events   []gozk.Event // session events the library reported, in order

	mu        sync.RWMutex
	state     State
	session   Session
	since     time.Time
	lastErr   error
	authed    bool
	changed   chan struct{} // closed and replaced at each transition
	observers observers

	routes   routes
	together together
	absences absences
	many     many
}

// Open starts a client and returns at once; its state is [Suspended] until the
// first session. An error means that cfg is wrong.
func Open(cfg Config) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("zookeeper config: %w", err)
	}
	cfg = cfg.withDefaults()
	life, end := context.WithCancel(context.Background())
	c := &Client{
		cfg: cfg, acl: cfg.access(), log: cfg.Logger, hosts: &hosts{},
		life: life, end: end, born: time.Now(), wake: make(chan struct{}, 1),
		state: Suspended, since: time.Now(), changed: make(chan struct{}),
	}
	c.hosts.stuck = func() bool { return c.under.Load() > 0 }
	c.observers.wake = make(chan struct{}, 1)
	servers, chroot, err := ParseServers(cfg.Servers)
	if err != nil {
		end()
		return nil, fmt.Errorf("zookeeper config: Servers: %w", err)
	}
	c.chroot = chroot
	conn, libraryEvents, err := gozk.Connect(servers, cfg.SessionTimeout,
		gozk.WithDialer(c.dial), gozk.WithHostProvider(c.hosts), gozk.WithEventCallback(c.onEvent),
		gozk.WithLogger(libraryLog{cfg.Logger}), gozk.WithLogInfo(false), gozk.WithMaxBufferSize(maxReply))
	if err != nil {
		end()
		return nil, fmt.Errorf("zookeeper connect: %w", translate(err))
	}
	c.conn = conn
	c.tasks.Go(func() { c.awaitLibrary(libraryEvents) })
	c.tasks.Go(c.supervise)
	c.tasks.Go(func() { c.observers.deliver(c.life) })
	return c, nil
}

// awaitLibrary returns when the library has ended, which closes its events: the
// callback has seen them already. A library that hangs is left behind a while after
// Close, and said so.
func (c *Client) awaitLibrary(events <-chan gozk.Event) {
	over, late := c.life.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case _, open := <-events:
			if !open {
				return
			}
		case <-over:
			over, late = nil, time.After(libraryPatience)
		case <-late:
			c.log.Warn("the ZooKeeper library has not ended; it is left behind", "after", libraryPatience)
			return
		}
	}
}

// Connect is [Open] that waits for the first session, or for ctx, in which
// case the error tells the last thing that went wrong.
func Connect(ctx context.Context, cfg Config) (*Client, error) {
	c, err := Open(cfg)
	if err != nil {
		return nil, err
	}
	if err := c.AwaitConnected(ctx); err != nil {
		_ = c.Close() // The connection error is what the caller must see.
		return nil, err
	}
	return c, nil
}

// AwaitConnected returns when the client has a session, or with the reason
// why not when ctx ends, the client closes, or the ensemble has no such chroot:
// then the error is [ErrNoChroot]. The client goes on looking for it.
func (c *Client) AwaitConnected(ctx context.Context) error {
	for {
		state, changed := c.look()
		switch state {
		case Connected:
			return nil
		case Closed:
			return &Error{Op: "connect", Err: ErrClosed}
		}
		if err := c.Condition().LastError; errors.Is(err, ErrNoChroot) {
			return &Error{Op: "connect", Path: strings.Join(c.cfg.Servers, ","), Err: err}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return &Error{Op: "connect", Path: strings.Join(c.cfg.Servers, ","), Err: fmt.Errorf("%w (%w)", c.errNotConnected(), context.Cause(ctx))}
		}
	}
}

// Eventually runs fn in the background: as soon as the client is connected,
// and again after each [Retriable] failure, until it succeeds, fails for good,
// or the client closes. It is for what must not be left behind although the
// caller cannot wait. fn gets a context that ends with the client.
func (c *Client) Eventually(fn func(context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Closed {
		return // The session has ended, or ends with its timeout, and its nodes with it.
	}
	c.tasks.Go(func() {
		pause := time.NewTimer(0)
		defer pause.Stop()
		for c.AwaitConnected(c.life) == nil {
			err := fn(c.life)
			if err == nil || errors.Is(err, ErrClosed) {
				return // Done, or the session ends now, and with it what was to be done.
			}
			if !Retriable(err) && c.life.Err() == nil {
				c.log.Error("zookeeper background task", "err", err.Error())
				return
			}
			pause.Reset(eventuallyPause)
			select {
			case <-pause.C:
			case <-c.life.Done():
			}
		}
	})
}

// eventuallyPause keeps a task that fails at once from spinning.
const eventuallyPause = 100 * time.Millisecond

// Close ends the session, which removes its ephemeral nodes at once if a
// server can be reached, and waits for the client's goroutines, a few seconds
// at most plus what a running subscriber takes. Subscribers must not call it.
// Idempotent.
func (c *Client) Close() error {
	c.mu.Lock()
	if c.state == Closed {
		c.mu.Unlock()
		c.tasks.Wait()
		return nil
	}
	connected := c.state == Connected
	c.transition(Closed, nil)
	c.mu.Unlock()
	if connected {
		c.awaitCalls()
	}
	c.hosts.close()
	c.conn.Close()
	c.end()
	c.tasks.Wait()
	return nil
}

// libraryPatience is how long Close waits for the library to end: longer than the
// library itself waits for anything.
const libraryPatience = 10 * time.Second

// closeGrace is how long Close waits for the answers to abandoned requests.
const closeGrace = time.Second

// awaitCalls waits for the library calls under way, of which there are only
// those whose caller has given up. When the library closes first it hands them
// back to their goroutine while it may still be decoding their answer.
func (c *Client) awaitCalls() {
	done := make(chan struct{})
	c.tasks.Go(func() {
		c.calls.Wait()
		close(done)
	})
	limit := time.NewTimer(closeGrace)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
	}
}

// libraryLog sends the library's lines to slog at debug level: the state
// machine reports what matters.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(format string, args ...any) {
	if l.log.Enabled(context.Background(), slog.LevelDebug) {
		l.log.Debug("zookeeper library", "message", fmt.Sprintf(format, args...))
	}
}
