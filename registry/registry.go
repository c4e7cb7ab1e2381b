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

// openTimeout bounds an Open without a deadline.
const openTimeout = 30 * time.Second

var (
	// ErrUnavailable means that no server gave the registry a session in time.
	ErrUnavailable = errors.New("ZooKeeper is unavailable")
	// ErrNoChroot means that the chroot after the last address doesn't exist.
	ErrNoChroot = zk.ErrNoChroot
)

// Config selects a namespace of an ensemble.
type Config struct {
	// Namespace is the path prefix of all jobs, such as "billing". The agents have the same.
	// Required.
	Namespace string

	// ZooKeeper has the connection settings. Servers is required.
	ZooKeeper ZooKeeper

	// Logger receives changes of the connection. Defaults to [slog.Default].
	Logger *slog.Logger
}

// Validate returns all problems of cfg joined, or nil. Each names its field and the allowed values.
// [Open] calls it.
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

// Registry is an open connection to a namespace. Get one from [Open], because the zero value isn't
// usable. It's safe for concurrent use, and several in one process are independent.
type Registry connection.Connection

// Open connects to the ensemble and waits for a session until ctx ends, or for 30 seconds if ctx
// doesn't have a deadline. Later it reconnects by itself. The error lists every problem of cfg, or
// wraps [ErrUnavailable] or [ErrNoChroot]. After an error nothing is left open.
//
// Open logs a warning if there's neither a Digest nor an ACL, because every user who reaches the
// ensemble could change our new nodes.
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

// Namespace returns the namespace of the [Config].
func (r *Registry) Namespace() string { return r.connection().Namespace().String() }

// Connected reports whether there's a session now, for a readiness check.
func (r *Registry) Connected() bool { return r.connection().Client().State() == zk.Connected }

// Close ends the session and waits for background work, a few seconds at most. Everything made from
// the registry should be closed first. Further calls do nothing.
func (r *Registry) Close() error { return r.connection().Client().Close() }

func (r *Registry) connection() *connection.Connection { return (*connection.Connection)(r) }
