package runhistory

import (
	"log/slog"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Limits bound the log of an execution.
type Limits struct {
	Level slog.Level // the least that is recorded
	Lines int        // negative: none
	Bytes int
}

// The defaults of [Limits], and what bounds a process.
const (
	defaultLines  = 1000
	defaultBytes  = 256 << 10
	tailLines     = 100
	mostPerSecond = 5000
	progressEvery = time.Second
)

func (l Limits) withDefaults() Limits {
	if l.Lines == 0 {
		l.Lines = defaultLines
	}
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	return l
}

// rate counts the lines of a process within a second.
type rate struct {
	mu    sync.Mutex
	since time.Time
	lines int
}

func (r *rate) take(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if since := now.Sub(r.since); since < 0 || since >= time.Second {
		r.since, r.lines = now, 0
	}
	r.lines++
	return r.lines <= mostPerSecond
}

// Stream is the log and the progress of one execution: an attempt at a shard. It may be
// used by any number of goroutines, also after its end, when it takes nothing more. A nil
// one takes nothing.
type Stream struct {
	history *History
	key     tracing.Progress // its fields that name the execution

	mu      sync.Mutex
	closed  bool
	seq     int
	bytes   int
	dropped int               // lines beyond what the process may record
	left    int               // lines beyond the execution's own bounds
	tail    []tracing.LogLine // the last of those, a ring

	progress tracing.Progress // the last that was said
	pending  bool             // it is not recorded yet
	recorded time.Time        // when one was
	timer    *time.Timer
}

// Begin returns the stream of an execution.
func (h *History) Begin(e tracing.Execution) *Stream {
	if h == nil || h.recorder == nil {
		return nil
	}
	return &Stream{history: h, key: tracing.Progress{ExecutionID: e.ID, RunID: e.RunID, JobName: e.JobName, Item: e.Item, Attempt: e.Attempt}}
}

// Takes reports whether lines of a level are recorded.
func (s *Stream) Takes(level slog.Level) bool {
	return s != nil && s.history.limits.Lines > 0 && level >= s.history.limits.Level
}

// Line records a line of the log.
func (s *Stream) Line(at time.Time, level slog.Level, message string) {
	if !s.Takes(level) {
		return
	}
	line := tracing.LogLine{
		ExecutionID: s.key.ExecutionID, RunID: s.key.RunID, JobName: s.key.JobName, Item: s.key.Item, Attempt: s.key.Attempt,
		At: at, Level: levelName(level), Message: clip(message, tracing.MaxLogLine),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	limits := s.history.limits
	if s.left > 0 || s.seq >= limits.Lines || s.bytes+len(line.Message) > limits.Bytes {
		if len(s.tail) < tailLines {
			s.tail = append(s.tail, line)
		} else {
			s.tail[s.left%tailLines] = line
		}
		s.left++
		return
	}
	if !s.history.rate.take(s.history.now()) {
		s.dropped++
		return
	}
	s.bytes += len(line.Message)
	s.record(line)
}

// record numbers a line and hands it on; s.mu is held.
func (s *Stream) record(line tracing.LogLine) {
	s.seq++
	line.Seq = s.seq
	s.history.recorder.RecordLogLine(line)
}

// Progress records how far the execution is: at most once a second, and always the last
// that was said. It reports false if fraction is no number.
func (s *Stream) Progress(fraction float64, message string) bool {
	if math.IsNaN(fraction) {
		return false
	}
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return true
	}
	now := s.history.now()
	s.progress = s.key
	s.progress.Fraction, s.progress.Message, s.progress.At = min(max(fraction, 0), 1), clip(message, tracing.MaxReason), now
	since := now.Sub(s.recorded)
	if since >= progressEvery || since < 0 {
		s.recordProgress(now)
		return true
	}
	if !s.pending {
		s.pending = true
		s.timer = time.AfterFunc(progressEvery-since, s.recordPending)
	}
	return true
}

func (s *Stream) recordProgress(now time.Time) {
	s.pending, s.recorded = false, now
	s.history.recorder.RecordProgress(s.progress)
}

func (s *Stream) recordPending() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending && !s.closed {
		s.recordProgress(s.history.now())
	}
}

// End ends the stream: what was kept back is recorded.
func (s *Stream) End() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.pending {
		s.recordProgress(s.history.now())
	}
	if s.dropped > 0 {
		s.note(strconv.Itoa(s.dropped) + " lines were left out: the process logged more than " + strconv.Itoa(mostPerSecond) + " lines in a second")
	}
	if s.left == 0 {
		return
	}
	if out := s.left - len(s.tail); out > 0 {
		s.note(strconv.Itoa(out) + " lines were left out")
	}
	for i := range s.tail {
		at := i
		if s.left > tailLines {
			at = (s.left + i) % tailLines
		}
		s.record(s.tail[at])
	}
	s.tail = nil
}

// note records a line of our own.
func (s *Stream) note(text string) {
	s.record(tracing.LogLine{
		ExecutionID: s.key.ExecutionID, RunID: s.key.RunID, JobName: s.key.JobName, Item: s.key.Item, Attempt: s.key.Attempt,
		At: s.history.now(), Level: levelName(slog.LevelWarn), Message: text,
	})
}

// levelName is one of four words.
func levelName(level slog.Level) string {
	switch {
	case level < slog.LevelInfo:
		return "DEBUG"
	case level < slog.LevelWarn:
		return "INFO"
	case level < slog.LevelError:
		return "WARN"
	}
	return "ERROR"
}
