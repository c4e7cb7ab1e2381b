// Package registries keeps the connections to the registries and the trace
// databases that people have entered: for a registry one watching
// reader and one operator, opened when it is first used and closed when nobody
// has used it for a while, when it was changed or removed, and at the end.
// Registries of one ensemble share a session if they have the same digest,
// certificates and ACL, because a ZooKeeper server limits the connections per address.
//
//	request ─▶ Use(registry) ─┬─ same revision: the connection there is
//	                        └─ new or changed: open, the old one closes
//	                           when its last user has left
//
// Nothing is connected to that the list of allowed addresses does not have.
//
// [Registries], [Traces] and [Health] say it in the types of the console, which
// declares what it needs and imports neither this package nor internal/zk.
package registries

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/connection"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/statistics"
)

const (
	// firstWait is how long the first users of a connection wait for it.
	firstWait = 3 * time.Second
	// testWait bounds a test.
	testWait = 5 * time.Second
)

// Options say how registries are connected to.
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

// Connection is one registry, opened.
type Connection struct {
	Jobs     *statistics.Reader
	Operator *lifecycle.Operator
	Client   *zk.Client

	until time.Time // users wait for the first session until then
	leave func()    // ends the session with its last registry
}

// identity is what registries must have in common to share a session.
type identity struct {
	servers, digest string
	access          settings.Access
}

// session is a ZooKeeper session and the namespaces that are read through it.
type session struct {
	client *zk.Client
	roots  []string
}

// Pool is the open connections. It is safe for concurrent use.
type Pool struct {
	opts   Options
	cached *cache[*Connection]

	mu       sync.Mutex
	sessions map[identity][]*session
}

// NewPool returns a pool without connections. Close it.
func NewPool(opts Options) *Pool {
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	p := &Pool{opts: opts, sessions: make(map[identity][]*session)}
	p.cached = newCache(opts.Idle, func(c *Connection) {
		c.Jobs.Close()
		c.leave()
	})
	return p
}

// join returns the client of a session for a registry. A client passes the events of a node to
// one reader only, so namespaces that contain each other don't share a session.
func (p *Pool) join(r settings.Registry, config zk.Config, ns jobtree.Namespace) (client *zk.Client, leave func(), err error) {
	hosts, chroot, err := zk.ParseServers(r.Servers)
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(hosts)
	who := identity{strings.Join(hosts, ",") + chroot, r.Digest, r.Access}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.sessions[who], func(s *session) bool {
		return !slices.ContainsFunc(s.roots, func(root string) bool { return contains(root, ns.Root()) || contains(ns.Root(), root) })
	})
	if i < 0 {
		config.Logger = p.opts.Logger.With(slog.String("zookeeper", who.servers))
		client, err := zk.Open(config)
		if err != nil {
			return nil, nil, err
		}
		i = len(p.sessions[who])
		p.sessions[who] = append(p.sessions[who], &session{client: client})
	}
	s := p.sessions[who][i]
	s.roots = append(s.roots, ns.Root())
	return s.client, func() { p.leave(who, s, ns.Root()) }, nil
}

// contains reports whether a node is another one, or above it.
func contains(above, path string) bool { return strings.HasPrefix(path+"/", above+"/") }

// leave ends a session that no registry uses any more.
func (p *Pool) leave(who identity, s *session, root string) {
	p.mu.Lock()
	s.roots = slices.DeleteFunc(s.roots, func(other string) bool { return other == root })
	last := len(s.roots) == 0
	if last {
		p.sessions[who] = slices.DeleteFunc(p.sessions[who], func(other *session) bool { return other == s })
		if len(p.sessions[who]) == 0 {
			delete(p.sessions, who)
		}
	}
	p.mu.Unlock()
	if !last {
		return
	}
	if err := s.client.Close(); err != nil {
		p.opts.Logger.Warn("close a session of registries", slog.String("zookeeper", who.servers), slog.Any("err", err))
	}
}

// Allowed reports whether every server of a registry may be connected to; an
// error wraps [outbound.ErrForbidden] or says which is no address.
func (p *Pool) Allowed(r settings.Registry) error {
	hosts, _, err := zk.ParseServers(r.Servers)
	if err != nil {
		return err
	}
	for _, s := range hosts {
		if err := p.opts.Allow.Check(s); err != nil {
			return err
		}
	}
	return nil
}

// config is the client's configuration for a registry that is allowed.
func (p *Pool) config(r settings.Registry) (zk.Config, jobtree.Namespace, error) {
	ns, err := jobtree.NewNamespace(r.Namespace)
	if err == nil {
		err = p.Allowed(r)
	}
	config := zk.Config{
		Servers: r.Servers, Digest: r.Digest, SessionTimeout: p.opts.SessionTimeout, Logger: p.opts.Logger.With(slog.String("registry", r.Name)),
		Dial: p.opts.Allow.Dial, ACL: zk.ACL(r.Access.ACL),
	}
	if err == nil && r.Access.TLS {
		config.TLS, err = certificates(r.Access).Config()
	}
	return config, ns, err
}

// certificates are those of a stored registry.
func certificates(a settings.Access) zk.Certificates {
	return zk.Certificates{CA: []byte(a.CA), Cert: []byte(a.Cert), Key: []byte(a.Key), ServerName: a.ServerName}
}

// Use returns the connection to a registry, which release returns to the cache. A
// connection that was just opened is waited for a little; one that is not
// connected by then is returned too, and its reads say why.
func (p *Pool) Use(ctx context.Context, r settings.Registry) (c *Connection, release func(), err error) {
	// Asked again each time: what the database has may be older than the list.
	config, ns, err := p.config(r)
	if err != nil {
		return nil, nil, fmt.Errorf("registry %q: %w", r.Name, err)
	}
	c, release, err = p.cached.take(r.Name, r.Revision, func() (*Connection, error) {
		client, leave, err := p.join(r, config, ns)
		if err != nil {
			return nil, err
		}
		opened := (*registry.Registry)(connection.New(client, ns))
		return &Connection{
			Jobs: statistics.NewWatchingReader(opened), Operator: lifecycle.NewOperator(opened).DialWith(p.opts.Allow.Dial), Client: client,
			until: time.Now().Add(firstWait), leave: leave,
		}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("registry %q: %w", r.Name, err)
	}
	if wait := time.Until(c.until); wait > 0 {
		ctx, cancel := context.WithTimeout(ctx, wait)
		_ = c.Client.AwaitConnected(ctx) // the reads that follow tell the reason
		cancel()
	}
	return c, release, nil
}

// Opened returns the connection that there is to a registry, which release returns
// to the cache, and opens none.
func (p *Pool) Opened(r settings.Registry) (c *Connection, release func(), open bool) {
	return p.cached.peek(r.Name, r.Revision)
}

// Forget closes the connection to a registry that was removed, as soon as nobody
// uses it.
func (p *Pool) Forget(name string) { p.cached.forget(name) }

// Open returns how many connections there are.
func (p *Pool) Open() int { return p.cached.count() }

// Close closes every connection and waits for it.
func (p *Pool) Close() { p.cached.close() }
