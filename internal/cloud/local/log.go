package local

import (
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
)

// MaxLog is how many bytes of a task's log are kept.
const MaxLog = 10 << 20

const (
	// headLog is the size of the first segment, which stays.
	headLog = MaxLog / 2
	// tailSegment is the size of the others, of which the last tailSegments stay.
	tailSegment  = 1 << 20
	tailSegments = 5
	// keptTail is how much of the end goes into end.json.
	keptTail = 2048
	// followPause is the pause between two looks for more.
	followPause = 100 * time.Millisecond
)

// segmentSize is how many bytes a segment has at most.
func segmentSize(number int) int64 {
	if number == 0 {
		return headLog
	}
	return tailSegment
}

func segmentPath(folder string, number int) string {
	return filepath.Join(folder, logName+strconv.Itoa(number))
}

// logWriter keeps the beginning and the end of what is written, in files. It never fails
// and never blocks for long: what cannot be stored is left out.
type logWriter struct {
	folder string
	file   *os.File
	number int
	size   int64 // of the segment
	last   []byte
}

// Write implements io.Writer. It takes everything.
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
			return taken, nil // No room on the disk: the program goes on.
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

// tail is the end of what was written.
func (w *logWriter) tail() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(w.last[max(0, len(w.last)-keptTail):]), "\ufffd"))
}

// logReader reads the segments of a log one after the other.
type logReader struct {
	ctx    context.Context
	cancel context.CancelFunc
	folder string
	follow bool
	ended  func() bool // whether nothing will be written any more

	mu      sync.Mutex
	file    *os.File
	number  int
	offset  int64
	pending []byte // text that is to be returned first
	limit   int64  // bytes that may still be returned
}

// Read implements io.Reader.
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
		ended := r.ended() // Before the look: what is written afterwards would be missed.
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
		pause := time.NewTimer(followPause)
		select {
		case <-pause.C:
		case <-r.ctx.Done():
			pause.Stop()
			return 0, context.Cause(r.ctx)
		}
	}
}

// more reads what there is; 0 if there is nothing at present.
func (r *logReader) more(p []byte) (int, error) {
	for {
		if r.file == nil {
			f, err := os.Open(segmentPath(r.folder, r.number))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				next, ok := r.next()
				if ok {
					r.leaveOut(next)
					continue
				}
				return 0, nil
			case err != nil:
				return 0, err
			}
			r.file = f
		}
		n, err := r.file.ReadAt(p, r.offset)
		if n > 0 {
			r.offset += int64(n)
			return n, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if r.offset < segmentSize(r.number) {
			return 0, nil
		}
		_ = r.file.Close()
		r.file, r.number, r.offset = nil, r.number+1, 0
		if next, ok := r.next(); ok && next > r.number {
			r.leaveOut(next)
			return 0, nil
		}
	}
}

// next is the first segment from the present one on that exists.
func (r *logReader) next() (int, bool) {
	names, err := filepath.Glob(filepath.Join(r.folder, logName+"*"))
	if err != nil {
		return 0, false
	}
	first, found := 0, false
	for _, name := range names {
		n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(name), logName))
		if err == nil && n >= r.number && (!found || n < first) {
			first, found = n, true
		}
	}
	return first, found
}

// leaveOut goes on with a later segment and says how much is missing.
func (r *logReader) leaveOut(next int) {
	missing := int64(next-r.number) * tailSegment
	r.number = next
	if missing > 0 {
		r.pending = fmt.Appendf(nil, "\n[%d bytes are left out here: a log keeps %d]\n", missing, MaxLog)
	}
}

// Close implements io.Closer.
func (r *logReader) Close() error {
	r.cancel() // Ends a Read that waits.
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	f := r.file
	r.file, r.limit = nil, 0
	return f.Close()
}

// lastLines are the last lines of a text.
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
