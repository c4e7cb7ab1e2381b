package runhistory

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// notes is a recorder that keeps its input.
type notes struct {
	tracing.Recorder
	mu       sync.Mutex
	lines    []tracing.LogLine
	progress []tracing.Progress
}

func (n *notes) RecordRun(tracing.RunRecord)   {}
func (n *notes) RecordRunStep(tracing.RunStep) {}

func (n *notes) RecordLogLine(l tracing.LogLine) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, l)
}

func (n *notes) RecordProgress(p tracing.Progress) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.progress = append(n.progress, p)
}

func (n *notes) texts() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	texts := make([]string, len(n.lines))
	for i, l := range n.lines {
		texts[i] = l.Message
		if l.Seq != i+1 {
			texts[i] = fmt.Sprintf("line %d has the number %d", i+1, l.Seq)
		}
	}
	return texts
}

func begin(limits Limits) (*notes, *Stream) {
	n := &notes{Recorder: tracing.Discard}
	return n, New(n, nil, limits, time.Now).Begin(tracing.Execution{ID: "e", RunID: "r", JobName: "job", Item: 2, Attempt: 1}, true)
}

// Beyond the limits, only the last hundred lines should be kept.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		limits Limits
		lines  int
		want   []string // the first and last lines, and their number
		total  int
	}{
		"few":        {Limits{}, 3, []string{"line 1", "line 3"}, 3},
		"tail":       {Limits{Lines: 10}, 60, []string{"line 1", "line 60"}, 60},
		"left out":   {Limits{Lines: 10}, 345, []string{"line 1", "line 345"}, 111},
		"bytes":      {Limits{Bytes: 12}, 3, []string{"line 1", "line 3"}, 3},
		"none":       {Limits{Lines: -1}, 3, nil, 0},
		"too quiet":  {Limits{Level: slog.LevelWarn}, 3, nil, 0},
		"wide lines": {Limits{Lines: 1}, 1 + tailLines, []string{"line 1", "line 101"}, 1 + tailLines},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, s := begin(tc.limits)
			for i := range tc.lines {
				s.Line(time.Now(), slog.LevelInfo, fmt.Sprintf("line %d", i+1))
			}
			s.End()
			s.Line(time.Now(), slog.LevelError, "after the end")
			s.End()
			got := n.texts()
			if len(got) != tc.total || tc.total > 0 && (got[0] != tc.want[0] || got[len(got)-1] != tc.want[1]) {
				t.Fatalf("%d lines: %q", len(got), got)
			}
			if name == "left out" && (got[10] != "235 lines were left out" || got[11] != "line 246") {
				t.Errorf("%q", got[9:13])
			}
		})
	}
}

// A process should only record a limited number of lines per second.
func TestProcessIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n, s := begin(Limits{Lines: 100_000, Bytes: 1 << 30})
		for range 2 {
			for i := range mostPerSecond + 7 {
				s.Line(time.Now(), slog.LevelInfo, fmt.Sprint(i))
			}
			time.Sleep(time.Second)
		}
		s.End()
		got := n.texts()
		if len(got) != 2*mostPerSecond+1 || got[len(got)-1] != "14 lines were left out: the process logged more than 5000 lines in a second" {
			t.Errorf("%d lines, the last one %q", len(got), got[len(got)-1])
		}
	})
}

// A handler's log should be limited no matter how much it logs, with a line for the number of
// dropped lines. Text should be cut between characters.
func TestR54MillionLines(t *testing.T) {
	t.Parallel()
	const lines = 1_000_000
	n, s := begin(Limits{})
	s.Line(time.Now(), slog.LevelInfo, strings.Repeat("é", 500_000))
	s.Line(time.Now(), slog.LevelInfo, "a\xffb")
	for range lines {
		s.Line(time.Now(), slog.LevelInfo, "a line of the log")
	}
	s.End()
	got := n.texts()
	if len(got) != defaultLines+1+tailLines {
		t.Errorf("%d lines are stored", len(got))
	}
	if want := fmt.Sprintf("%d lines were left out", lines+2-defaultLines-tailLines); got[defaultLines] != want {
		t.Errorf("%q, want %q", got[defaultLines], want)
	}
	if size := utf8.RuneCountInString(got[0]); size > tracing.MaxLogLine || !utf8.ValidString(got[0]) || !utf8.ValidString(got[1]) {
		t.Errorf("%d characters of a long line; %q", size, got[1])
	}
}

// Progress should be recorded at most once per second, and the last one always.
func TestProgressOncePerSecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n, s := begin(Limits{})
		began := time.Now()
		for i := range 21 {
			s.Progress(float64(i)/10-0.5, fmt.Sprint(i)) // from below 0 to above 1
			time.Sleep(110 * time.Millisecond)           // never at the moment when one is recorded
		}
		s.Progress(0.9, "wait")
		time.Sleep(2 * time.Second)
		s.Progress(0.95, "soon")
		s.Progress(1, "end")
		if s.Progress(math.NaN(), "") {
			t.Error("NaN was taken")
		}
		s.End()
		s.Progress(0.1, "after the end")
		var got []string
		for _, p := range n.progress {
			got = append(got, fmt.Sprintf("%v %.2f %s", p.At.Sub(began), p.Fraction, p.Message))
		}
		want := []string{"0s 0.00 0", "990ms 0.40 9", "1.98s 1.00 18", "2.31s 0.90 wait", "4.31s 0.95 soon", "4.31s 1.00 end"}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// Records with a handler's context should go to its run's log and to the base handler, once each,
// with their attributes and groups.
func TestHandler(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	base := NewHandler(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn}))
	n, s := begin(Limits{})
	ctx := WithStream(t.Context(), s)
	log := slog.New(base)
	log.InfoContext(ctx, "plain")
	log.With("a", 1).WithGroup("g").WarnContext(ctx, "grouped", "b", "two words", "level", "high")
	log.DebugContext(ctx, "too quiet")
	log.WarnContext(context.Background(), "of nobody")
	own := slog.New(ForStream(base, s, []slog.Attr{slog.Int("shard", 2)}))
	own.Warn("own", "time", "noon")
	own.WarnContext(ctx, "own, with a context")
	s.End()
	if want := []string{"plain", `grouped a=1 g.b="two words" g.level=high`, "own time=noon", "own, with a context"}; !slices.Equal(n.texts(), want) {
		t.Errorf("the run's log is %q, want %q", n.texts(), want)
	}
	text := out.String()
	if strings.Count(text, "\n") != 4 || strings.Contains(text, "plain") || !strings.Contains(text, `msg=own shard=2 time=noon`) {
		t.Errorf("the base has\n%s", text)
	}
	if l := n.lines[1]; l.Level != "WARN" || l.RunID != "r" || l.JobName != "job" || l.Item != 2 || l.Attempt != 1 || l.ExecutionID != "e" || l.At.IsZero() {
		t.Errorf("%+v", l)
	}
}

// Without a recorder of runs, there should be no cost.
func TestWithoutARecorderOfRuns(t *testing.T) {
	t.Parallel()
	h := New(tracing.Discard, nil, Limits{}, time.Now)
	s := h.Begin(tracing.Execution{}, true)
	if h != nil || s != nil || h.Of("job", nil) != nil || s.Takes(slog.LevelError) || WithStream(t.Context(), s) != t.Context() {
		t.Error("something is there")
	}
	s.Line(time.Now(), slog.LevelError, "")
	s.Progress(1, "")
	s.End()
}

// BenchmarkLine is B11: a log line, from the call to its return.
func BenchmarkLine(b *testing.B) {
	n := &notes{Recorder: tracing.Discard}
	s := New(n, nil, Limits{Lines: math.MaxInt, Bytes: math.MaxInt}, time.Now).Begin(tracing.Execution{ID: "e"}, true)
	log := slog.New(ForStream(slog.DiscardHandler, s, nil))
	b.ReportAllocs()
	for b.Loop() {
		log.Info("a line of the log", "tenant", 17)
		n.lines = n.lines[:0]
	}
}
