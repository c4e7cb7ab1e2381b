package runhistory

import (
	"log/slog"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Limits limit the log of an execution.
type Limits struct {
	Level slog.Level // the lowest recorded level
	Lines int        // negative means none
	Bytes int
}

// Defaults of [Limits], and limits per process.
const (
	defaultLines  = 1000
	defaultBytes  = 256 << 10
	tailLines     = 100
	mostPerSecond = 5000
	progressEvery = time.Second
)

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

// Stream is the log and the progress of one execution. It's safe for concurrent use. After its end
// it ignores further calls. A nil Stream ignores all.
type Stream struct {
	history *History
	key     tracing.Progress // the fields that identify the execution
	logs    bool             // false: only the progress is recorded

	mu      sync.Mutex
	closed  bool
	seq     int
	bytes   int
	dropped int               // lines beyond the process's limit
	left    int               // lines beyond the execution's limits
	tail    []tracing.LogLine // a ring with the last of these

	progress tracing.Progress // the latest
	pending  bool             // it isn't recorded yet
	recorded time.Time        // when one was last recorded
	timer    *time.Timer
}

// Begin returns the stream of an execution, of a fire time as well as of a requested run. Without
// logs it ignores log lines.
func (h *History) Begin(e tracing.Execution, logs bool) *Stream {
	if h == nil || h.recorder == nil {
		return nil
	}
	return &Stream{history: h, logs: logs, key: tracing.Progress{ExecutionID: e.ID, RunID: e.RunID, JobName: e.JobName, Item: e.Item, Attempt: e.Attempt}}
}

// Takes reports whether lines of a level are recorded.
func (s *Stream) Takes(level slog.Level) bool {
	return s != nil && s.logs && s.history.limits.Lines > 0 && level >= s.history.limits.Level
}

func (s *Stream) Line(at time.Time, level slog.Level, message string) {
	if !s.Takes(level) {
		return
	}
	line := s.line(at, level, clip(message, tracing.MaxLogLine))
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

// record numbers a line and passes it on. s.mu must be held.
func (s *Stream) record(line tracing.LogLine) {
	s.seq++
	line.Seq = s.seq
	s.history.recorder.RecordLogLine(line)
}

// Progress records the progress of an execution, at most once a second, and always the latest. It
// returns false if fraction is NaN.
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

// End ends the stream and records everything pending.
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

func (s *Stream) note(text string) {
	s.record(s.line(s.history.now(), slog.LevelWarn, text))
}

func (s *Stream) line(at time.Time, level slog.Level, message string) tracing.LogLine {
	return tracing.LogLine{
		ExecutionID: s.key.ExecutionID, RunID: s.key.RunID, JobName: s.key.JobName, Item: s.key.Item, Attempt: s.key.Attempt,
		At: at, Level: levelName(level), Message: message,
	}
}

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
