package rdb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Options tunes a [Recorder]. The zero value suits most programs.
type Options struct {
	// Spool is a folder for events while the database is away, up to 256 MiB, kept across restarts.
	// Each process needs its own. If it's empty, the newest 10,000 events wait in memory.
	Spool string
	// KeepTables leaves the tables as they are. By default they are created or migrated when the
	// database is opened.
	KeepTables bool
	// Logger logs outages and slow statements. Defaults to slog.Default().
	Logger *slog.Logger
}

// Pauses between two tries to open the database.
const (
	openPauseMin = 200 * time.Millisecond
	openPauseMax = 5 * time.Second
)

// Recorder is a [tracing.RunRecorder] that writes to a database. It opens and migrates the database
// in the background, retrying until that succeeds; events wait until then. If the file of a SQLite
// database is removed, the recorder logs an error and creates a new one.
//
// An agent closes its Recorder when it stops; see [Recorder.AgentStopped].
type Recorder struct {
	*tracing.Async
	spool *tracing.Spool
	sink  *openingSink
}

var _ tracing.RunRecorder = (*Recorder)(nil)

// NewRecorder returns at once, even if the database doesn't answer. It fails if the data source name is
// wrong or the spool's folder can't be used. The recorder must be closed, by its agent or with Close.
func NewRecorder(s Source, o Options) (*Recorder, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("new recorder: %w", err)
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Recorder{sink: &openingSink{
		source: s, opts: o, cancel: cancel, ended: make(chan struct{}), state: sinkState{changed: make(chan struct{})},
	}}
	var target tracing.Sink = r.sink
	if o.Spool != "" {
		spool, err := tracing.NewSpool(o.Spool, r.sink, tracing.SpoolOptions{Logger: o.Logger})
		if err != nil {
			cancel()
			return nil, fmt.Errorf("new recorder: %w", err)
		}
		r.spool, target = spool, spool
	}
	r.Async = tracing.NewAsync(target, tracing.AsyncOptions{Logger: o.Logger, RetryMax: openPauseMax})
	go r.sink.keepOpen(ctx)
	return r, nil
}

// SpoolStats returns the counters of the spool, all zero without one.
func (r *Recorder) SpoolStats() tracing.SpoolStats {
	if r.spool == nil {
		return tracing.SpoolStats{}
	}
	return r.spool.Stats()
}

// Close writes the waiting events and closes the database. If ctx ends first, events in memory are lost and the
// error has their number; events in the spool stay there for the next start. It may be called more than once.
func (r *Recorder) Close(ctx context.Context) error {
	err := r.Async.Close(ctx)
	if r.spool != nil {
		err = errors.Join(err, r.spool.Close())
	}
	return errors.Join(err, r.sink.close())
}

// AgentStopped closes the recorder. An agent calls it after its last event. If two agents share a
// Recorder, hide the method, for example with struct{ tracing.RunRecorder }{recorder}, and close
// the recorder in the program.
func (r *Recorder) AgentStopped(ctx context.Context) error { return r.Close(ctx) }

// openingSink writes to a database that another goroutine opens.
type openingSink struct {
	source Source
	opts   Options
	cancel context.CancelFunc // ends keepOpen
	ended  chan struct{}      // closed when keepOpen has ended
	// closeErr is set by keepOpen before its end.
	closeErr error

	mu    sync.Mutex
	state sinkState
}

// sinkState is the result of the last try to open the database. Without a sink and an error, the
// first try is still under way.
type sinkState struct {
	sink    *Sink
	err     error
	changed chan struct{} // closed when a newer state replaces this one
}

func (s *openingSink) set(sink *Sink, err error) (changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.state.changed)
	s.state = sinkState{sink, err, make(chan struct{})}
	return s.state.changed
}

func (s *openingSink) current() sinkState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

func (s *openingSink) Write(ctx context.Context, events []tracing.Event) error {
	now := s.current()
	for now.sink == nil && now.err == nil {
		select {
		case <-now.changed:
			now = s.current()
		case <-ctx.Done():
			return fmt.Errorf("%s isn't open yet: %w", s.source, context.Cause(ctx))
		}
	}
	if now.err != nil {
		return now.err
	}
	err := now.sink.Write(ctx, events)
	if errors.Is(err, database.ErrRemoved) {
		s.reopen(now.sink, err)
	}
	return err
}

// reopen makes keepOpen open the database again, unless it already does.
func (s *openingSink) reopen(lost *Sink, err error) {
	if s.current().sink != lost {
		return
	}
	s.opts.Logger.Error("the file of the trace database was removed and its events are lost; "+
		"later events go to a new file", slog.Any("err", err))
	s.set(nil, nil)
}

// keepOpen opens the database, and again if its file was removed.
func (s *openingSink) keepOpen(ctx context.Context) {
	defer close(s.ended)
	for pause := openPauseMin; ctx.Err() == nil; {
		db, err := s.open(ctx)
		if err != nil {
			if ctx.Err() == nil && s.current().err == nil {
				s.opts.Logger.WarnContext(ctx, "the trace database can't be opened and is tried again; "+
					"jobs continue and events wait", slog.Any("err", err))
			}
			s.set(nil, err)
			_ = sleep.For(ctx, pause) // the loop checks ctx
			pause = min(2*pause, openPauseMax)
			continue
		}
		pause = openPauseMin
		sink := NewSink(db)
		sink.Logger = s.opts.Logger
		changed := s.set(sink, nil)
		s.opts.Logger.InfoContext(ctx, "recording runs", slog.String("database", db.String()))
		select {
		case <-changed:
		case <-ctx.Done():
		}
		s.closeErr = db.Close()
	}
	s.set(nil, errors.New("the recorder is closed"))
}

func (s *openingSink) open(ctx context.Context) (*DB, error) {
	db, err := Open(ctx, s.source, s.opts.Logger)
	if err != nil || s.opts.KeepTables {
		return db, err
	}
	// An account that may not create tables is enough if there's nothing to migrate.
	pending, err := db.Pending(ctx)
	if err == nil && pending > 0 {
		err = db.Migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// close ends keepOpen, which closes the database.
func (s *openingSink) close() error {
	s.cancel()
	<-s.ended
	return s.closeErr
}
