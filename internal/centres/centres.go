// Package centres keeps the connections to the registry centres that people
// have entered: one session, one watching reader and one operator for each,
// opened when it is first used and closed when nobody has used it for a while,
// when it was changed or removed, and at the end.
//
//	request ─▶ Use(centre) ─┬─ same revision: the connection there is
//	                        └─ new or changed: open, the old one closes
//	                           when its last user has gone
//
// Nothing is connected to that the list of allowed addresses does not have.
package centres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// ErrClosed says that the pool was closed.
var ErrClosed = errors.New("registry centres closed")

const (
	// firstWait is how long the first users of a connection wait for it.
	firstWait = 3 * time.Second
	// testWait bounds a test.
	testWait = 5 * time.Second
	// DefaultIdle is how long a connection is kept that nobody uses.
	DefaultIdle = 10 * time.Minute
)

// Options say how centres are connected to.
type Options struct {
	// Allow is what may be connected to.
	Allow outbound.List
	// SessionTimeout is what is asked of ZooKeeper; 0 for its default.
	SessionTimeout time.Duration
	// Idle is how long a connection is kept that nobody uses. 0 means
	// [DefaultIdle].
	Idle time.Duration
	// Logger defaults to [slog.Default].
	Logger *slog.Logger
}

// Connection is one centre, opened.
type Connection struct {
	Jobs     *statistics.Reader
	Operator *lifecycle.Operator
	Client   *zk.Client

	revision int64
	until    time.Time // users wait for the first session until then
	users    int
	left     time.Time // when the last user went
	gone     bool      // no longer in the pool; closes with its last user
}

// Pool is the open connections. It is safe for concurrent use.
type Pool struct {
	opts Options

	mu     sync.Mutex
	open   map[string]*Connection
	closed bool
	tasks  sync.WaitGroup
	end    chan struct{}
}

// NewPool returns a pool without connections. Close it.
func NewPool(opts Options) *Pool {
	if opts.Idle == 0 {
		opts.Idle = DefaultIdle
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	p := &Pool{opts: opts, open: make(map[string]*Connection), end: make(chan struct{})}
	p.tasks.Go(p.sweep)
	return p
}

// Allowed reports whether every server of a centre may be connected to; an
// error wraps [outbound.ErrForbidden] or says which is no address.
func (p *Pool) Allowed(servers []string) error {
	for _, s := range servers {
		if err := p.opts.Allow.Check(s); err != nil {
			return err
		}
	}
	return nil
}

// config is the client's configuration for a centre that is allowed.
func (p *Pool) config(r settings.Registry) (zk.Config, jobtree.Namespace, error) {
	ns, err := jobtree.NewNamespace(r.Namespace)
	if err == nil {
		err = p.Allowed(r.Servers)
	}
	return zk.Config{
		Servers: r.Servers, Digest: r.Digest, SessionTimeout: p.opts.SessionTimeout, Logger: p.opts.Logger.With(slog.String("registry", r.Name)),
		Dial: p.opts.Allow.Dial,
	}, ns, err
}

// Use returns the connection to a centre, which release gives back. A
// connection that was just opened is waited for a little; one that is not
// connected by then is returned too, and its reads say why.
func (p *Pool) Use(ctx context.Context, r settings.Registry) (c *Connection, release func(), err error) {
	// Asked again each time: what the database has may be older than the list.
	config, ns, err := p.config(r)
	if err != nil {
		return nil, nil, fmt.Errorf("registry centre %q: %w", r.Name, err)
	}
	if c, err = p.take(r, config, ns); err != nil {
		return nil, nil, fmt.Errorf("registry centre %q: %w", r.Name, err)
	}
	if wait := time.Until(c.until); wait > 0 {
		ctx, cancel := context.WithTimeout(ctx, wait)
		_ = c.Client.AwaitConnected(ctx) // the reads that follow tell the reason
		cancel()
	}
	return c, sync.OnceFunc(func() { p.giveBack(c) }), nil
}

func (p *Pool) take(r settings.Registry, config zk.Config, ns jobtree.Namespace) (*Connection, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	c := p.open[r.Name]
	if c != nil && c.revision == r.Revision {
		c.users++
		return c, nil
	}
	client, err := zk.Open(config)
	if err != nil {
		return nil, err
	}
	if c != nil {
		p.drop(r.Name, c)
	}
	c = &Connection{
		Jobs: statistics.NewWatchingReader(client, ns), Operator: lifecycle.NewOperator(client, ns), Client: client,
		revision: r.Revision, until: time.Now().Add(firstWait), users: 1,
	}
	p.open[r.Name] = c
	return c, nil
}

func (p *Pool) giveBack(c *Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.users--
	c.left = time.Now()
	if c.gone && c.users == 0 {
		p.shut(c)
	}
}

// drop takes a connection out of the pool. Called with mu held.
func (p *Pool) drop(name string, c *Connection) {
	delete(p.open, name)
	c.gone = true
	if c.users == 0 {
		p.shut(c)
	}
}

// shut closes one connection, which can take a second. Called with mu held.
func (p *Pool) shut(c *Connection) {
	p.tasks.Go(func() {
		c.Jobs.Close()
		if err := c.Client.Close(); err != nil {
			p.opts.Logger.Warn("close a registry centre's session", slog.Any("err", err))
		}
	})
}

// Forget closes the connection to a centre that was removed, as soon as nobody
// uses it.
func (p *Pool) Forget(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.open[name]; c != nil {
		p.drop(name, c)
	}
}

// Open returns how many connections there are.
func (p *Pool) Open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}

// sweep closes what nobody uses.
func (p *Pool) sweep() {
	ticker := time.NewTicker(max(p.opts.Idle/4, 10*time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-ticker.C:
		}
		p.mu.Lock()
		for name, c := range p.open {
			if c.users == 0 && time.Since(c.left) > p.opts.Idle {
				p.drop(name, c)
			}
		}
		p.mu.Unlock()
	}
}

// Test connects to a centre, presents its digest and reads the namespace. It
// leaves nothing behind. Errors say why not.
func (p *Pool) Test(ctx context.Context, r settings.Registry) error {
	config, ns, err := p.config(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, testWait)
	defer cancel()
	client, err := zk.Connect(ctx, config)
	if err != nil {
		return err
	}
	_, _, err = client.Children(ctx, ns.Root())
	if errors.Is(err, zk.ErrNoNode) { // no agent has been there yet
		err = nil
	}
	return errors.Join(err, client.Close())
}

// Close closes every connection and waits for it.
func (p *Pool) Close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.end)
		for name, c := range p.open {
			c.users = 0 // the requests are over, or wait for what will not come
			p.drop(name, c)
		}
	}
	p.mu.Unlock()
	p.tasks.Wait()
}
