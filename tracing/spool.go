package tracing

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// ErrSpoolFull is returned by [Spool.Write] if the database is away and the disk space is used up.
var ErrSpoolFull = errors.New("trace spool is full")

// SpoolOptions tunes a [Spool]. The zero value suits most processes.
type SpoolOptions struct {
	// MaxBytes limits the files. Defaults to 256 MiB, some 400,000 events.
	MaxBytes int64
	// WriteTimeout limits a write of new events. After it they go to a file; until then they wait
	// in the recorder's memory. Defaults to 2 s.
	WriteTimeout time.Duration
	// DrainTimeout limits a write of events from a file. Defaults to 15 s.
	DrainTimeout time.Duration
	// RetryMin and RetryMax limit the pause after a failed write. It starts at RetryMin and doubles
	// up to RetryMax. They default to 200 ms and 2 s.
	RetryMin, RetryMax time.Duration
	// Logger logs outages. Defaults to slog.Default().
	Logger *slog.Logger
}

func (o SpoolOptions) withDefaults() SpoolOptions {
	o.MaxBytes = positive(o.MaxBytes, 256<<20)
	o.WriteTimeout, o.DrainTimeout = positive(o.WriteTimeout, 2*time.Second), positive(o.DrainTimeout, 15*time.Second)
	o.RetryMin = positive(o.RetryMin, 200*time.Millisecond)
	o.RetryMax = max(positive(o.RetryMax, 2*time.Second), o.RetryMin)
	o.Logger = cmp.Or(o.Logger, slog.Default())
	return o
}

// SpoolStats counts the events of a [Spool].
type SpoolStats struct {
	// Bytes is the size of the files that wait for the database.
	Bytes int64
	// Spooled counts events written to a file, Drained those written from a file to the sink, and
	// Failed events that the sink then refused.
	Spooled, Drained, Failed uint64
	// Damaged counts unreadable lines. Their events are lost.
	Damaged uint64
	// Lost counts the events of files removed by others; a file of an earlier process counts as 1.
	Lost uint64
	// LastError is the error of the current outage, or nil.
	LastError error
}

// Spool is a [Sink] that keeps events in files while another sink can't take them. It sits between
// an [Async] and the database:
//
//	Async ──▶ Spool ──▶ database
//	            └─ away ─▶ files ─ back ─▶ database
//
// Events reach the sink in the order of writing, because new events go to the end of the files while
// any file waits. The next process with the same folder takes over the files; it repeats a batch that
// was under way, and sinks store an event only once. Files are synced to disk. When they reach
// MaxBytes, Write fails and events wait in the recorder, which finally drops and counts them. If a file
// is removed by others, its events are lost and an error is logged; the other files are still written.
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
	segments []segment // oldest first
	open     bool      // the last segment takes further events
	next     uint64    // number of the next file
	stats    SpoolStats
	closed   bool
	logged   bool // the outage has been logged
}

// NewSpool opens the folder, or creates it, and starts to write the events left in it. Two
// processes can't share a folder. Close the spool after the recorder.
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
		wake.Up(s.wake)
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

// Write implements [Sink]: it forwards the events or, if that fails or others are waiting, appends
// them to a file. It must not be called concurrently; [Async] doesn't.
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
	// Only this method creates files, so if there is none, nothing else writes to the sink now.
	if !waiting {
		direct, cancel := context.WithTimeout(ctx, s.opts.WriteTimeout)
		err := call(direct, s.sink, events)
		cancel()
		if err == nil || errors.Is(err, ErrRejected) {
			return err
		}
		s.recordFailure(err)
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
	file, err := s.openLocked()
	if err != nil {
		return fmt.Errorf("trace spool: %w", err)
	}
	last := &s.segments[len(s.segments)-1]
	if _, err = file.Write(data); err == nil {
		err = file.Sync()
	}
	if err != nil { // such as a full disk: remove the half-written part
		return fmt.Errorf("trace spool: %w", errors.Join(err, file.Truncate(last.size), file.Close()))
	}
	last.size, last.events = last.size+int64(len(data)), last.events+len(events)
	s.stats.Bytes += int64(len(data))
	s.stats.Spooled += uint64(len(events))
	s.open = last.size < segmentBytes
	wake.Up(s.wake)
	return file.Close()
}

// openLocked opens the last file, or a new one. If the file or the folder was removed, further events
// go to a new file.
func (s *Spool) openLocked() (*os.File, error) {
	if s.open {
		file, err := os.OpenFile(s.segments[len(s.segments)-1].path, os.O_WRONLY|os.O_APPEND, 0)
		if !errors.Is(err, os.ErrNotExist) {
			return file, err
		}
	}
	path := segmentPath(s.dir, s.next)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if errors.Is(err, os.ErrNotExist) {
		if err := s.restoreFolder(); err != nil {
			return nil, err
		}
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	}
	if err == nil {
		s.open, s.segments, s.next = true, append(s.segments, segment{path: path}), s.next+1
	}
	return file, err
}

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

// Close stops writing. The files stay for the next process.
func (s *Spool) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.done
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.stop()
	<-s.done
	if left := s.Stats().Bytes; left > 0 {
		s.opts.Logger.LogAttrs(context.Background(), slog.LevelWarn, "trace events remain in the spool; the next process that uses it will store them",
			slog.String("spool", s.dir), slog.Int64("bytes", left))
	}
	return s.lock.Close()
}

// work drains files, oldest first, until the spool is closed.
func (s *Spool) work() {
	defer close(s.done)
	pause := time.Duration(0)
	for {
		s.mu.Lock()
		var oldest segment
		if len(s.segments) > 0 {
			s.open = s.open && len(s.segments) > 1 // while it's drained, further events go to a new file
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
		s.recordFailure(err)
		pause = min(max(2*pause, s.opts.RetryMin), s.opts.RetryMax)
		if sleep.For(s.base, pause-rand.N(pause/4+1)) != nil { // agents shouldn't all return at once
			return
		}
	}
}

// drain writes a file's events and removes the file. After an error it starts again at the
// beginning, which we may do because sinks store an event only once.
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
		_, failed, err := deliver(s.base, s.sink, s.opts.DrainTimeout, s.opts.Logger, batch)
		if err != nil {
			return err
		}
		refused += failed
	}
	if err := os.Remove(from.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("trace spool: %w", err)
	}
	if damaged > 0 {
		s.opts.Logger.LogAttrs(s.base, slog.LevelWarn, "a spool file has damaged lines, for example after a power failure; their events are lost, the others are stored",
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
		s.opts.Logger.LogAttrs(s.base, slog.LevelInfo, "trace events are stored again, including those in the spool",
			slog.Uint64("spooled", spooled), slog.Int("refused", refused))
	}
	return nil
}

// lose drops the oldest file from the list because it was removed by others.
func (s *Spool) lose(file segment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetOldest(file.size)
	s.stats.Lost += uint64(max(file.events, 1)) //nolint:gosec // at most a file's lines
	s.opts.Logger.LogAttrs(s.base, slog.LevelError, "a spool file was removed; its trace events are lost, the others are stored",
		slog.String("file", file.path), slog.Int("events", file.events), slog.Int64("bytes", file.size))
}

// forgetOldest takes the oldest file off the list. The caller must hold the lock.
func (s *Spool) forgetOldest(size int64) {
	s.segments = s.segments[1:]
	s.stats.Bytes -= size
}

// recordFailure records a failure and logs the first one of an outage.
func (s *Spool) recordFailure(err error) {
	s.mu.Lock()
	first := !s.logged
	s.stats.LastError, s.logged = err, true
	s.mu.Unlock()
	if first {
		s.opts.Logger.LogAttrs(s.base, slog.LevelWarn, "trace events can't be stored and wait in files; jobs continue; check the tracing database",
			slog.String("spool", s.dir), slog.Int64("max_bytes", s.opts.MaxBytes), slog.Any("err", err))
	}
}

const (
	// segmentBytes is the size at which the spool starts a new file. It reads a whole file into memory.
	segmentBytes = 1 << 20
	// drainBatch is the number of events written at once from a file.
	drainBatch = 600
)

// segment is a file of events, one JSON document per line. A version that doesn't know a kind of
// event counts its lines as damaged and reads the others.
type segment struct {
	path   string
	size   int64
	events int // 0 for a file of an earlier process
}

func segmentPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%016d.events", number))
}

// findSegments returns the files of a folder, oldest first, and the number for the next file.
func findSegments(dir string) (found []segment, next uint64, err error) {
	paths, err := listEvents(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, path := range paths { // sorted by name, so by number
		var number uint64
		if _, err := fmt.Sscanf(filepath.Base(path), "%d.events", &number); err != nil {
			continue // not our file
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, 0, err
		}
		found, next = append(found, segment{path: path, size: info.Size()}), number+1
	}
	return found, next, nil
}

// listEvents doesn't use a pattern, because the folder's name may look like one.
func listEvents(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".events" && entry.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, entry.Name()))
		}
	}
	return paths, err
}

func encodeEvents(events []Event) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // ends each document with a newline
	encoder.SetEscapeHTML(false)
	for _, event := range events {
		if err := encoder.Encode(event); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// readSegment reads a file. It skips and counts damaged lines: incomplete lines, or lines of zeros
// after the machine stopped during a write.
func readSegment(path string) (events []Event, damaged int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				damaged++
			}
			return events, damaged, nil
		}
		if err != nil {
			return nil, 0, err
		}
		var event Event
		if json.Unmarshal(line, &event) != nil || !event.one() {
			damaged++
			continue
		}
		events = append(events, event)
	}
}
