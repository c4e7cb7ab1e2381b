package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// ErrSpoolFull is what [Spool.Write] returns when the database is away and the
// disk space it may use is used up.
var ErrSpoolFull = errors.New("trace spool is full")

// SpoolOptions tunes a [Spool]; the zero value is what most processes want.
type SpoolOptions struct {
	// MaxBytes bounds the files. Defaults to 256 MiB, some 400,000 events.
	MaxBytes int64
	// WriteTimeout bounds a write of new events before they go to a file
	// instead: until then they wait in the recorder's memory. Defaults to 2 s.
	WriteTimeout time.Duration
	// DrainTimeout bounds a write of events from a file. Defaults to 15 s.
	DrainTimeout time.Duration
	// RetryMin and RetryMax bound the pause after a failed write, which doubles
	// from one to the other. Default to 200 ms and 2 s.
	RetryMin, RetryMax time.Duration
	// Logger hears of outages. Defaults to slog.Default().
	Logger *slog.Logger
}

func (o SpoolOptions) withDefaults() SpoolOptions {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 256 << 20
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = 2 * time.Second
	}
	if o.DrainTimeout <= 0 {
		o.DrainTimeout = 15 * time.Second
	}
	if o.RetryMin <= 0 {
		o.RetryMin = 200 * time.Millisecond
	}
	if o.RetryMax <= 0 {
		o.RetryMax = 2 * time.Second
	}
	o.RetryMax = max(o.RetryMax, o.RetryMin)
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

// SpoolStats tells what a [Spool] holds and what became of the rest.
type SpoolStats struct {
	// Bytes is the size of the files that wait for the database.
	Bytes int64
	// Spooled, Drained and Failed count events that went to a file, that came
	// from one into the sink, and that the sink refused then.
	Spooled, Drained, Failed uint64
	// Damaged counts lines that could not be read and whose events are lost.
	Damaged uint64
	// Lost counts the events of files that were removed from outside. A file of an earlier
	// process counts as one.
	Lost uint64
	// LastError is the failure of the current outage, nil if there is none.
	LastError error
}

// Spool is a [Sink] that keeps events in files while another sink cannot take
// them. It stands between an [Async] and the database:
//
//	Async ──▶ Spool ──▶ database
//	            └─ away ─▶ files ─ back ─▶ database
//
// Events reach the sink in the order in which they were written: while files
// wait, new events join their end. What a process leaves behind is taken up by
// the next one with the same folder; a batch that was under way then is written
// again, which sinks take once. Files are synced to the disk. When they are as
// big as they may get, Write fails and the events wait, and in the end are
// dropped and counted, in the recorder. If a file is removed from outside its events are
// lost; the log has an error, and the others are written.
type Spool struct {
	sink Sink
	opts SpoolOptions
	dir  string
	lock *os.File

	stop context.CancelFunc
	base context.Context
	wake chan struct{} // capacity 1: there is a file
	done chan struct{}

	mu       sync.Mutex
	segments []segment // oldest first; the last one may be open
	active   *os.File  // nil: no file takes events
	next     uint64    // number of the next file
	stats    SpoolStats
	closed   bool
	logged   bool // the outage has its line in the log
}

// NewSpool opens the folder, creating it if need be, and begins to write what
// is left in it. No two processes can have one folder. It must be closed, after
// the recorder.
func NewSpool(dir string, sink Sink, opts SpoolOptions) (*Spool, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("trace spool: %w", err)
	}
	lock, err := lockFolder(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, fmt.Errorf("trace spool %s: %w; another process uses it, give each its own folder", dir, err)
	}
	segments, next, err := findSegments(dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("trace spool: %w", err), lock.Close())
	}
	base, stop := context.WithCancel(context.Background())
	s := &Spool{
		sink: sink, opts: opts.withDefaults(), dir: dir, lock: lock, base: base, stop: stop,
		wake: make(chan struct{}, 1), done: make(chan struct{}), segments: segments, next: next,
	}
	for _, left := range segments {
		s.stats.Bytes += left.size
	}
	if len(segments) > 0 {
		s.opts.Logger.LogAttrs(base, slog.LevelInfo, "trace events of an earlier run wait to be stored",
			slog.String("spool", dir), slog.Int64("bytes", s.stats.Bytes))
		signal(s.wake)
	}
	go s.work()
	return s, nil
}

// Stats returns the counters.
func (s *Spool) Stats() SpoolStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// Write implements [Sink]: it hands the events on or, if that fails or others
// wait, puts them into a file. It must not be called concurrently, which
// [Async] does not.
func (s *Spool) Write(ctx context.Context, events []Event) error {
	if len(events) == 0 {
		return nil
	}
	s.mu.Lock()
	waiting, closed := len(s.segments) > 0, s.closed
	s.mu.Unlock()
	if closed {
		return errors.New("the trace spool is closed")
	}
	// Files come into being here alone, so that without one nobody else writes.
	if !waiting {
		direct, cancel := context.WithTimeout(ctx, s.opts.WriteTimeout)
		err := call(direct, s.sink, events)
		cancel()
		if err == nil || errors.Is(err, ErrRejected) {
			return err
		}
		s.suffer(err)
	}
	return s.keep(events)
}

// keep appends events to the newest file.
func (s *Spool) keep(events []Event) error {
	data, err := encodeEvents(events)
	if err != nil {
		return fmt.Errorf("trace spool: %w: %w", ErrRejected, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stats.Bytes+int64(len(data)) > s.opts.MaxBytes {
		return errors.Join(fmt.Errorf("%w: %d bytes in %s", ErrSpoolFull, s.stats.Bytes, s.dir), s.stats.LastError)
	}
	if err := s.openLocked(); err != nil {
		return fmt.Errorf("trace spool: %w", err)
	}
	open := &s.segments[len(s.segments)-1]
	_, err = s.active.Write(data)
	if err == nil {
		err = s.active.Sync()
	}
	if err != nil { // such as a full disk: what is half written goes
		err = errors.Join(err, s.active.Truncate(open.size))
		_, seekErr := s.active.Seek(open.size, 0)
		return fmt.Errorf("trace spool: %w", errors.Join(err, seekErr))
	}
	open.size, open.events = open.size+int64(len(data)), open.events+len(events)
	s.stats.Bytes += int64(len(data))
	s.stats.Spooled += uint64(len(events))
	if open.size >= segmentBytes {
		err = s.finishLocked()
	}
	signal(s.wake)
	return err
}

// openLocked makes sure that a file takes events, and that it still has its name: if it or
// the folder was removed, the events to come go to another file.
func (s *Spool) openLocked() error {
	if s.active != nil {
		_, err := os.Stat(s.segments[len(s.segments)-1].path)
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := s.finishLocked(); err != nil {
			return err
		}
	}
	path := segmentPath(s.dir, s.next)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if errors.Is(err, os.ErrNotExist) {
		if err := s.restoreFolder(); err != nil {
			return err
		}
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	}
	if err != nil {
		return err
	}
	s.active, s.segments, s.next = file, append(s.segments, segment{path: path}), s.next+1
	return nil
}

// restoreFolder makes a folder again that was removed, and locks it.
func (s *Spool) restoreFolder() error {
	if err := os.MkdirAll(s.dir, 0o750); err != nil {
		return err
	}
	lock, err := lockFolder(filepath.Join(s.dir, "lock"))
	if err != nil {
		return err
	}
	old := s.lock
	s.lock = lock
	return old.Close()
}

// finishLocked closes the file that takes events; the next ones get another.
func (s *Spool) finishLocked() error {
	if s.active == nil {
		return nil
	}
	err := s.active.Close()
	s.active = nil
	if err != nil {
		return fmt.Errorf("trace spool: %w", err)
	}
	return nil
}

// Close stops writing. What is in files stays there for the next process.
func (s *Spool) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.done
		return nil
	}
	s.closed = true
	err := s.finishLocked()
	s.mu.Unlock()
	s.stop()
	<-s.done
	if left := s.Stats().Bytes; left > 0 {
		s.opts.Logger.LogAttrs(context.Background(), slog.LevelWarn, "trace events are left in the spool and stored by the next process that uses it",
			slog.String("spool", s.dir), slog.Int64("bytes", left))
	}
	return errors.Join(err, s.lock.Close())
}

// work drains files, oldest first, until the spool is closed.
func (s *Spool) work() {
	defer close(s.done)
	pause := time.Duration(0)
	for {
		s.mu.Lock()
		var oldest segment
		if len(s.segments) > 0 {
			if len(s.segments) == 1 { // perhaps open: what comes goes into another file
				if err := s.finishLocked(); err != nil {
					s.stats.LastError = err
				}
			}
			oldest = s.segments[0]
		}
		s.mu.Unlock()
		if oldest.path == "" {
			select {
			case <-s.wake:
				continue
			case <-s.base.Done():
				return
			}
		}
		err := s.drain(oldest)
		if s.base.Err() != nil {
			return
		}
		if err == nil {
			pause = 0
			continue
		}
		s.suffer(err)
		pause = min(max(2*pause, s.opts.RetryMin), s.opts.RetryMax)
		timer := time.NewTimer(pause - rand.N(pause/4+1)) // agents must not return as one
		select {
		case <-timer.C:
		case <-s.base.Done():
			timer.Stop()
			return
		}
	}
}

// drain writes a file's events and removes it. Where it stops, it begins again
// from the file's start: sinks take an event once.
func (s *Spool) drain(from segment) error {
	events, damaged, err := readSegment(from.path)
	if errors.Is(err, os.ErrNotExist) {
		s.lose(from)
		return nil
	}
	if err != nil {
		return fmt.Errorf("trace spool: %w", err)
	}
	refused := 0
	for batch := range slices.Chunk(events, drainBatch) {
		failed, err := s.store(batch)
		if err != nil {
			return err
		}
		refused += failed
	}
	if err := os.Remove(from.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("trace spool: %w", err)
	}
	if damaged > 0 {
		s.opts.Logger.LogAttrs(s.base, slog.LevelWarn, "lines of a spool file are damaged, as by a power failure; their events are lost, the others are stored",
			slog.String("file", from.path), slog.Int("lost", damaged), slog.Int("events", len(events)))
	}
	s.mu.Lock()
	s.stats.Damaged += uint64(damaged)
	s.forgetOldest(from.size)
	s.stats.Drained += uint64(len(events) - refused)
	s.stats.Failed += uint64(refused)
	over := len(s.segments) == 0
	told := s.logged
	if over {
		s.stats.LastError, s.logged = nil, false
	}
	spooled := s.stats.Spooled
	s.mu.Unlock()
	if over && told {
		s.opts.Logger.LogAttrs(s.base, slog.LevelInfo, "trace events are stored again; those in the spool are, too",
			slog.Uint64("spooled", spooled), slog.Int("refused", refused))
	}
	return nil
}

// lose gives up the oldest file, which was removed.
func (s *Spool) lose(file segment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOldest(file.size)
	s.stats.Lost += uint64(max(file.events, 1)) //nolint:gosec // at most a file's lines
	s.opts.Logger.LogAttrs(s.base, slog.LevelError, "a spool file was removed; its trace events are lost, the others are stored",
		slog.String("file", file.path), slog.Int("events", file.events), slog.Int64("bytes", file.size))
}

// forgetOldest takes the oldest file off the list. The lock is held.
func (s *Spool) forgetOldest(size int64) {
	s.segments = s.segments[1:]
	s.stats.Bytes -= size
}

// store writes a batch. One that is refused is halved until the event at fault
// is alone, and that one is given up.
func (s *Spool) store(batch []Event) (failed int, err error) {
	ctx, cancel := context.WithTimeout(s.base, s.opts.DrainTimeout)
	err = call(ctx, s.sink, batch)
	cancel()
	switch {
	case err == nil || !errors.Is(err, ErrRejected):
		return 0, err
	case len(batch) == 1:
		s.opts.Logger.LogAttrs(s.base, slog.LevelError, "trace event refused and given up; the text or the table is at fault, not the connection",
			slog.String("job", jobOf(batch[0])), slog.Any("err", err))
		return 1, nil
	}
	half := len(batch) / 2
	for _, part := range [][]Event{batch[:half], batch[half:]} {
		n, err := s.store(part)
		failed += n
		if err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// suffer notes a failure and logs the first of an outage.
func (s *Spool) suffer(err error) {
	s.mu.Lock()
	first := !s.logged
	s.stats.LastError, s.logged = err, true
	s.mu.Unlock()
	if first {
		s.opts.Logger.LogAttrs(s.base, slog.LevelWarn, "trace events cannot be stored and wait in files; jobs go on; check the tracing database",
			slog.String("spool", s.dir), slog.Int64("max_bytes", s.opts.MaxBytes), slog.Any("err", err))
	}
}
