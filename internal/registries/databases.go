package registries

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// DatabaseOptions say how trace databases are connected to.
type DatabaseOptions struct {
	// Allow is what may be connected to.
	Allow outbound.List
	// Folder is where files are looked for, and nowhere else.
	Folder string
	// Idle is how long a connection is kept that nobody uses. 0 means
	// [DefaultIdle].
	Idle time.Duration
	// Logger defaults to [slog.Default].
	Logger *slog.Logger
}

// source is one trace database, opened.
type source struct {
	db      *store.DB
	history *rdb.Store
}

// Databases are the open trace databases. They are only read; nothing is
// created or changed in them. It is safe for concurrent use.
type Databases struct {
	opts   DatabaseOptions
	cached *cache[source]
}

// NewDatabases returns a pool without connections. Close it.
func NewDatabases(opts DatabaseOptions) *Databases {
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	return &Databases{opts: opts, cached: newCache(opts.Idle, func(s source) {
		if err := s.db.Close(); err != nil {
			opts.Logger.Warn("close a trace database", slog.Any("err", err))
		}
	})}
}

// Allowed reports whether the database may be connected to; an error wraps
// [outbound.ErrForbidden].
func (d *Databases) Allowed(s settings.DataSource) error {
	if s.Type == store.SQLite {
		return nil // its place is decided here, not by who enters it
	}
	return d.opts.Allow.Check(s.Address())
}

func (d *Databases) open(ctx context.Context, s settings.DataSource) (*store.DB, error) {
	if err := d.Allowed(s); err != nil {
		return nil, fmt.Errorf("data source %q: %w", s.Name, err)
	}
	db, err := store.OpenFields(ctx, s.Fields, d.opts.Folder, d.opts.Allow.Dial, d.opts.Logger)
	if err != nil {
		return nil, fmt.Errorf("data source %q: %w", s.Name, err)
	}
	return db, nil
}

// Use returns what reads a trace database; release returns it.
func (d *Databases) Use(ctx context.Context, s settings.DataSource) (history *rdb.Store, release func(), err error) {
	// Asked again each time: what is stored may be older than the list.
	if err := d.Allowed(s); err != nil {
		return nil, nil, fmt.Errorf("data source %q: %w", s.Name, err)
	}
	found, release, err := d.cached.take(s.Name, s.Revision, func() (source, error) {
		db, err := d.open(ctx, s)
		if err != nil {
			return source{}, err
		}
		// If the database doesn't answer, the page's own query reports that.
		if findings, err := rdb.Findings(ctx, db.Database); err == nil {
			for _, f := range findings {
				f.Log(ctx, d.opts.Logger.With(slog.String("data_source", s.Name)))
			}
		}
		return source{db, rdb.NewStore(db.Database)}, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return found.history, release, nil
}

// Probe connects anew, asks for an answer and for the trace tables, says what they
// have, and leaves nothing behind.
func (d *Databases) Probe(ctx context.Context, s settings.DataSource) (found rdb.Description, err error) {
	db, err := d.open(ctx, s)
	if err != nil {
		return found, err
	}
	err = db.Ping(ctx)
	if err == nil {
		found, err = rdb.NewStore(db.Database).Describe(ctx)
	}
	return found, errors.Join(err, db.Close())
}

// Forget closes the connection to a data source that was removed, as soon as
// nobody uses it.
func (d *Databases) Forget(name string) { d.cached.forget(name) }

// Close closes every connection and waits for it.
func (d *Databases) Close() { d.cached.close() }
