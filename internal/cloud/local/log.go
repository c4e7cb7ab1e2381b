package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

// MaxLog is the number of bytes of a task's log that are kept.
const MaxLog = 10 << 20

const (
	// headLog is the size of the first segment, which is kept.
	headLog = MaxLog / 2
	// tailSegment is the size of the other segments. The last tailSegments are kept.
	tailSegment  = 1 << 20
	tailSegments = 5
	// keptTail is the number of last bytes in end.json.
	keptTail = 2048
	// followPause is the pause between two checks for more.
	followPause = 100 * time.Millisecond
)

func segmentSize(number int) int64 {
	if number == 0 {
		return headLog
	}
	return tailSegment
}

func segmentPath(folder string, number int) string {
	return filepath.Join(folder, logName+strconv.Itoa(number))
}

// logWriter keeps the beginning and the end of its input in files. It never fails and never blocks
// for long; it drops data that can't be stored.
type logWriter struct {
	folder string
	file   *os.File
	number int
	size   int64 // of the segment
	last   []byte
}

func (w *logWriter) Write(p []byte) (int, error) {
	taken := len(p)
	if w.last = append(w.last, p[max(0, len(p)-keptTail):]...); len(w.last) > 2*keptTail {
		w.last = append(w.last[:0], w.last[len(w.last)-keptTail:]...)
	}
	for len(p) > 0 {
		if w.size == segmentSize(w.number) {
			w.close()
			w.number++
			w.size = 0
			if old := w.number - tailSegments; old > 0 {
				_ = os.Remove(segmentPath(w.folder, old))
			}
		}
		if w.file == nil {
			f, err := os.OpenFile(segmentPath(w.folder, w.number), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
			if err != nil {
				return taken, nil
			}
			w.file = f
		}
		n := min(int64(len(p)), segmentSize(w.number)-w.size)
		written, err := w.file.Write(p[:n])
		if w.size += int64(written); err != nil {
			return taken, nil // The disk is full, but the program continues.
		}
		p = p[n:]
	}
	return taken, nil
}

func (w *logWriter) close() {
	if w.file != nil {
		_ = w.file.Close()
		w.file = nil
	}
}

func (w *logWriter) tail() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(w.last[max(0, len(w.last)-keptTail):]), "\ufffd"))
}

// logReader reads the segments of a log one after the other.
type logReader struct {
	ctx    context.Context
	cancel context.CancelFunc
	folder string
	follow bool
	ended  func() bool // whether nothing more will be written

	mu      sync.Mutex
	file    *os.File
	number  int
	offset  int64
	pending []byte // text to return first
	limit   int64  // bytes that may still be returned
}

func (r *logReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limit <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), r.limit)]
	for {
		if len(r.pending) > 0 {
			n := copy(p, r.pending)
			r.pending = r.pending[n:]
			r.limit -= int64(n)
			return n, nil
		}
		ended := r.ended() // Check before reading, so that no later output is missed.
		n, err := r.more(p)
		if n > 0 || err != nil {
			r.limit -= int64(n)
			return n, err
		}
		if len(r.pending) > 0 {
			continue
		}
		if !r.follow || ended {
			return 0, io.EOF
		}
		if err := sleep.For(r.ctx, followPause); err != nil {
			return 0, err
		}
	}
}

// more reads the available data; 0 if there is none now, or there is text to return first.
func (r *logReader) more(p []byte) (int, error) {
	for {
		if r.file == nil {
			next, ok := r.next()
			if r.leaveOut(next); !ok || len(r.pending) > 0 {
				return 0, nil
			}
			f, err := os.Open(segmentPath(r.folder, r.number))
			if errors.Is(err, fs.ErrNotExist) {
				continue // It was removed just now.
			}
			if err != nil {
				return 0, err
			}
			r.file = f
		}
		n, err := r.file.ReadAt(p, r.offset)
		r.offset += int64(n)
		switch {
		case n > 0:
			return n, nil
		case err != nil && !errors.Is(err, io.EOF):
			return 0, err
		case r.offset < segmentSize(r.number):
			return 0, nil
		}
		_ = r.file.Close()
		r.file, r.number, r.offset = nil, r.number+1, 0
	}
}

// next returns the first existing segment from the current one.
func (r *logReader) next() (int, bool) {
	names, err := filepath.Glob(filepath.Join(r.folder, logName+"*"))
	if err != nil {
		return r.number, false
	}
	first, found := r.number, false
	for _, name := range names {
		n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(name), logName))
		if err == nil && n >= r.number && (!found || n < first) {
			first, found = n, true
		}
	}
	return first, found
}

// leaveOut skips to a later segment with a note about the missing bytes.
func (r *logReader) leaveOut(next int) {
	if missing := int64(next-r.number) * tailSegment; missing > 0 {
		r.number, r.offset = next, 0
		r.pending = fmt.Appendf(nil, "\n[%d bytes are left out here: a log keeps %d]\n", missing, MaxLog)
	}
}

func (r *logReader) Close() error {
	r.cancel() // ends a waiting Read
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	f := r.file
	r.file, r.limit = nil, 0
	return f.Close()
}

func lastLines(text []byte, lines int) []byte {
	at := len(text)
	if at > 0 && text[at-1] == '\n' {
		at--
	}
	for ; at > 0; at-- {
		if text[at-1] == '\n' {
			if lines--; lines == 0 {
				break
			}
		}
	}
	return text[at:]
}

func (e *Engine) Logs(ctx context.Context, t cloud.TaskRef, o cloud.LogOptions) (io.ReadCloser, error) {
	fail := func(err error) error { return fmt.Errorf("log of shard %d of %s: %w", t.Shard, t.Run, err) }
	if err := e.usable(ctx); err != nil {
		return nil, fail(err)
	}
	a, err := e.find(t)
	if err != nil {
		return nil, fail(err)
	}
	limit := o.MaxBytes
	if limit <= 0 || limit > cloud.MaxLogBytes {
		limit = cloud.MaxLogBytes
	}
	ctx, cancel := context.WithCancel(ctx)
	unfollow := context.AfterFunc(e.ctx, cancel)
	r := &logReader{
		ctx: ctx, cancel: func() { unfollow(); cancel() }, folder: a.folder, follow: o.Follow,
		// There may be a note between head and tail.
		limit: MaxLog + 1<<10,
		ended: func() bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			return a.phase == over
		},
	}
	if o.Tail > 0 {
		if err := r.skipTo(o.Tail); err != nil {
			return nil, errors.Join(fail(err), r.Close())
		}
	}
	r.limit = min(r.limit, limit)
	if o.Follow && o.MaxBytes <= 0 {
		r.limit = 1 << 62 // The caller decides when to stop following.
	}
	return r, nil
}

// find returns the attempt for a log: by UID, else by number, else the last one.
func (e *Engine) find(t cloud.TaskRef) (*attempt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[t.Run]
	if r == nil {
		return nil, cloud.ErrNotFound
	}
	for _, s := range r.shards {
		if s.number != t.Shard {
			continue
		}
		at := len(s.attempts) - 1
		for i, a := range s.attempts {
			if t.UID != "" && a.task.UID == t.UID || t.UID == "" && t.Attempt == a.task.Attempt {
				at = i
			}
		}
		if at < 0 || t.UID != "" && s.attempts[at].task.UID != t.UID {
			return nil, cloud.ErrNotFound
		}
		return s.attempts[at], nil
	}
	return nil, cloud.ErrNotFound
}

// skipTo reads the existing log and keeps its last lines to return first.
func (r *logReader) skipTo(lines int) error {
	var there bytes.Buffer
	present := &logReader{ctx: r.ctx, folder: r.folder, limit: r.limit, ended: func() bool { return true }, cancel: func() {}}
	if _, err := io.Copy(&there, present); err != nil {
		return err
	}
	r.number, r.offset = present.number, present.offset
	r.pending = bytes.Clone(lastLines(there.Bytes(), lines))
	return present.Close()
}
