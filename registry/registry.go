package registry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/connection"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// openTimeout bounds an Open whose context has no deadline.
const openTimeout = 30 * time.Second

var (
	// ErrUnavailable says that no server gave the registry a session in time.
	ErrUnavailable = errors.New("ZooKeeper is unavailable")
	// ErrNoChroot says that the ensemble has no node of the name that stands
	// behind the last address.
	ErrNoChroot = zk.ErrNoChroot
)

// Config says which namespace of which ensemble a registry is.
type Config struct {
	// Namespace is the path prefix of all jobs, such as "billing": that of the
	// agents. Required.
	Namespace string

	// ZooKeeper says where the ensemble is. Servers is required.
	ZooKeeper ZooKeeper

	// Logger receives changes of the connection. Defaults to [slog.Default].
	Logger *slog.Logger
}

// Validate returns all problems of cfg joined, each naming its field and what
// is allowed; nil if there is none. [Open] calls it.
func (cfg Config) Validate() error {
	var errs []error
	if _, err := jobtree.NewNamespace(cfg.Namespace); err != nil {
		errs = append(errs, fmt.Errorf("Namespace: %w", err))
	}
	if err := cfg.ZooKeeper.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("ZooKeeper: %w", err))
	}
	return errors.Join(errs...)
}

// Registry is an open connection to a namespace. Get one from [Open]; the zero
// value is not usable. It is safe for concurrent use, and several in one process
// are independent.
type Registry connection.Connection

// Open connects to the ensemble and waits for a session, as long as ctx lasts
// and for 30 seconds if it has no deadline. Later it reconnects by itself. The
// error lists every problem of cfg, or wraps [ErrUnavailable] or [ErrNoChroot];
// then nothing is left open.
//
// Open logs a warning if everybody who reaches the ensemble could change what is
// created through the registry, because there is neither a Digest nor an ACL.
func Open(ctx context.Context, cfg Config) (*Registry, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("registry config: %w", err)
	}
	namespace, err := jobtree.NewNamespace(cfg.Namespace)
	if err != nil {
		return nil, fmt.Errorf("registry config: Namespace: %w", err)
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, openTimeout)
		defer cancel()
	}
	client := cfg.client()
	if client.OpenToAll() {
		cfg.Logger.WarnContext(ctx, "registry access", slog.String("note", zk.OpenWarning))
	}
	connected, err := zk.Connect(ctx, client)
	switch {
	case err == nil:
		return (*Registry)(connection.New(connected, namespace)), nil
	case errors.Is(err, zk.ErrUnavailable) && !errors.Is(err, ErrNoChroot):
		return nil, fmt.Errorf("open registry %q: %w: %w", cfg.Namespace, ErrUnavailable, err)
	}
	return nil, fmt.Errorf("open registry %q: %w", cfg.Namespace, err)
}

// Namespace is that of the [Config].
func (r *Registry) Namespace() string { return r.connection().Namespace().String() }

// Connected reports whether there is a session now: what a readiness check asks.
func (r *Registry) Connected() bool { return r.connection().Client().State() == zk.Connected }

// Close ends the session and waits for what runs in the background, a few
// seconds at most. Close what was made from the registry before. Later calls do
// nothing.
func (r *Registry) Close() error { return r.connection().Client().Close() }

func (r *Registry) connection() *connection.Connection { return (*connection.Connection)(r) }
