package zk

import (
	"cmp"
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

// Session timeouts outside these bounds are refused: a shorter session could expire during a
// garbage collection, and a longer one leaves dead owners for minutes. The server may negotiate
// another value, see [Session.Timeout].
const (
	MinSessionTimeout     = 200 * time.Millisecond
	MaxSessionTimeout     = 5 * time.Minute
	DefaultSessionTimeout = 30 * time.Second
	DefaultConnectTimeout = 5 * time.Second
	MaxConnectTimeout     = time.Hour
)

// maxReply is the longest reply that the client accepts. A list of children may be much longer than
// the server's limit for requests.
const maxReply = 64 << 20

// Config has the addresses, the credentials and the limits of a connection to an ensemble.
type Config struct {
	// Servers are the "host:port" addresses of the ensemble. The last one may end in a chroot, as
	// in ZooKeeper's connect string, see [ParseServers]. The chroot must exist. Required.
	Servers []string
	// Digest is "user:password" for the digest scheme. Unless ACL overrides it, only this user has
	// permissions on new nodes.
	Digest string
	// ACL controls access to new nodes.
	ACL ACL
	// TLS secures every connection, on top of Dial. Nil means no TLS. See [Certificates].
	TLS *tls.Config
	// SessionTimeout is the requested timeout. Zero means [DefaultSessionTimeout]. The server may
	// grant another value.
	SessionTimeout time.Duration
	// ConnectTimeout bounds dialling, and then the handshake again. Zero means
	// [DefaultConnectTimeout]; at most [MaxConnectTimeout].
	ConnectTimeout time.Duration
	// Dial opens a connection, for example to a proxy or an in-memory server. Nil means TCP by
	// [net.Dialer].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Logger receives state changes. Nil means [slog.Default].
	Logger *slog.Logger
	// Observe is called after each sent request with its kind, duration and outcome. Requests that the
	// caller gave up count too. A refused transaction counts as answered. It must not block.
	// Optional.
	Observe func(op string, took time.Duration, err error)
}

func (cfg Config) withDefaults() Config {
	cfg.SessionTimeout = cmp.Or(cfg.SessionTimeout, DefaultSessionTimeout)
	cfg.ConnectTimeout = cmp.Or(cfg.ConnectTimeout, DefaultConnectTimeout)
	cfg.Logger = cmp.Or(cfg.Logger, slog.Default())
	if cfg.Dial == nil {
		cfg.Dial = new(net.Dialer).DialContext
	}
	return cfg
}

// Validate returns all problems of cfg joined. Each names its field.
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

// Client holds one ZooKeeper session after the other. It's safe for concurrent use, and several
// clients in one process are independent.
type Client struct {
	cfg   Config
	acl   []gozk.ACL
	log   *slog.Logger
	conn  *gozk.Conn
	hosts *hosts

	chroot string // "" for the real root
	rooted bool   // the chroot exists; used only by the supervisor

	check check

	life  context.Context // ends when the client closes
	end   context.CancelFunc
	tasks sync.WaitGroup
	calls sync.WaitGroup // pending library calls; grows under mu, and never after closing
	under atomic.Int64   // the number of calls

	born    time.Time    // origin of contact, with its monotonic reading
	contact atomic.Int64 // send time of the newest answered request, in nanoseconds after born
	window  atomic.Int64 // how long after contact we own the session; 0 without a session
	granted atomic.Int32 // session timeout of the last handshake, in milliseconds
	wake    chan struct{}

	watched atomic.Bool                 // a watch was requested at least once
	current atomic.Pointer[contactConn] // the newest connection
	seen    atomic.Int64                // newest transaction in a reply

	eventsMu sync.Mutex
	events   []gozk.Event // session events from the library, in order

	mu        sync.RWMutex
	state     State
	session   Session
	since     time.Time
	lastErr   error
	authed    bool
	changed   chan struct{} // closed and replaced at each transition
	observers observers

	routes   routes
	batcher  batcher
	absences absences
	many     many
}

// Open starts a client and returns at once. Its state is [Suspended] until the first session. An
// error means that cfg is invalid.
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

// awaitLibrary returns when the library has ended and closed its events; the callback has already
// handled them. If the library still hangs after libraryPatience, it logs a warning and returns.
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
			c.log.Warn("the ZooKeeper library did not stop in time; no longer waiting for it", "after", libraryPatience)
			return
		}
	}
}

// Connect is [Open] plus waiting for the first session. If ctx ends first, the error has the last
// failure.
func Connect(ctx context.Context, cfg Config) (*Client, error) {
	c, err := Open(cfg)
	if err != nil {
		return nil, err
	}
	if err := c.AwaitConnected(ctx); err != nil {
		_ = c.Close() // The caller needs the connection error instead.
		return nil, err
	}
	return c, nil
}

// AwaitConnected waits until the client has a session. It returns an error if ctx ends, the client
// closes, or the ensemble doesn't have the chroot ([ErrNoChroot]). The client keeps looking for the
// chroot.
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

// Eventually runs fn in the background for work that must be done although the caller can't wait.
// It starts once the client is connected and retries after each [Retriable] failure, until fn
// succeeds, fails for good, or the client closes, which also ends fn's context.
func (c *Client) Eventually(fn func(context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Closed {
		return // The nodes go with the session, at the latest after its timeout.
	}
	c.tasks.Go(func() {
		pause := time.NewTimer(0)
		defer pause.Stop()
		for c.AwaitConnected(c.life) == nil {
			err := fn(c.life)
			if err == nil || errors.Is(err, ErrClosed) {
				return // Done, or the session ends now and makes the task unnecessary.
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

// Close ends the session, which removes its ephemeral nodes at once if a server can be reached. It
// waits for the client's goroutines: a few seconds at most, plus the time of a running subscriber.
// Subscribers must not call it. Idempotent.
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

// libraryPatience is how long Close waits for the library to end. None of the library's own
// timeouts is longer.
const libraryPatience = 10 * time.Second

// closeGrace is how long Close waits for the answers to abandoned requests.
const closeGrace = time.Second

// awaitCalls waits for pending library calls. Only calls that their callers gave up are left here.
// If the library closed first, it would return such a call while it may still decode the answer.
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

// libraryLog logs the library's lines at debug level, because the state machine reports the
// important ones.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(format string, args ...any) {
	if l.log.Enabled(context.Background(), slog.LevelDebug) {
		l.log.Debug("zookeeper library", "message", fmt.Sprintf(format, args...))
	}
}
