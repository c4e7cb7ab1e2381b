package tracing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// fakeSink keeps the events it gets and fails on demand.
type fakeSink struct {
	mu      sync.Mutex
	err     error
	hang    bool
	batches [][]Event
	calls   int
	refuse  func(Event) bool
}

func (s *fakeSink) Write(ctx context.Context, events []Event) error {
	s.mu.Lock()
	s.calls++
	err, hang := s.err, s.hang
	s.mu.Unlock()
	if hang {
		<-ctx.Done()
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		for _, event := range events {
			if s.refuse(event) {
				return fmt.Errorf("row: %w", ErrRejected)
			}
		}
	}
	s.batches = append(s.batches, append([]Event(nil), events...))
	return nil
}

func (s *fakeSink) set(f func(*fakeSink)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s)
}

// ids returns the ids of the stored statuses in the order of writing.
func (s *fakeSink) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, batch := range s.batches {
		for _, event := range batch {
			if event.Status != nil {
				ids = append(ids, event.Status.ID)
			} else {
				ids = append(ids, event.Execution.ID)
			}
		}
	}
	return ids
}

func (s *fakeSink) sizes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sizes []int
	for _, batch := range s.batches {
		sizes = append(sizes, len(batch))
	}
	return sizes
}

func status(i int) Status { return Status{ID: fmt.Sprint(i), JobName: "j"} }

func closeNow(t *testing.T, a *Async) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := a.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestAsyncBatchesByDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{}
		a := NewAsync(sink, AsyncOptions{BatchSize: 10, BatchDelay: time.Second})
		a.RecordStatus(status(1))
		time.Sleep(999 * time.Millisecond)
		a.RecordStatus(status(2))
		synctest.Wait()
		if got := sink.sizes(); got != nil {
			t.Fatalf("written before the delay: %v", got)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if diff := cmp.Diff([]int{2}, sink.sizes()); diff != "" {
			t.Fatal(diff)
		}
		closeNow(t, a)
	})
}

func TestAsyncBatchesBySize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{}
		a := NewAsync(sink, AsyncOptions{BatchSize: 10, BatchDelay: time.Hour})
		for i := range 25 {
			a.RecordStatus(status(i))
		}
		synctest.Wait()
		if diff := cmp.Diff([]int{10, 10}, sink.sizes()); diff != "" {
			t.Fatal(diff)
		}
		closeNow(t, a)
		if diff := cmp.Diff([]int{10, 10, 5}, sink.sizes()); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(Stats{Written: 25}, a.Stats()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestAsyncRetriesKeepOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		sink := &fakeSink{err: errors.New("gone")}
		a := NewAsync(sink, AsyncOptions{BatchSize: 3, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		var want []string
		for i := range 10 {
			a.RecordStatus(status(i))
			want = append(want, fmt.Sprint(i))
		}
		time.Sleep(10 * time.Minute)
		sink.set(func(s *fakeSink) {
			if s.calls < 35 || s.calls > 80 {
				t.Errorf("%d writes in ten minutes; the pause must grow to 15 s and no further", s.calls)
			}
			s.err = nil
		})
		if stats := a.Stats(); stats.Queued != 10 || stats.LastError == nil || stats.Retries == 0 {
			t.Errorf("during the outage: %+v", stats)
		}
		time.Sleep(time.Minute)
		if diff := cmp.Diff(want, sink.ids()); diff != "" {
			t.Fatal(diff)
		}
		closeNow(t, a)
		if stats := a.Stats(); stats.Written != 10 || stats.LastError != nil {
			t.Errorf("after the outage: %+v", stats)
		}
		if n := strings.Count(log.String(), "\n"); n != 2 {
			t.Errorf("want one line at the beginning and one at the end of the outage:\n%s", log.String())
		}
	})
}

func TestAsyncDropsWhenFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		sink := &fakeSink{err: errors.New("gone")}
		a := NewAsync(sink, AsyncOptions{QueueSize: 80, BatchSize: 10, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		for i := range 500 {
			a.RecordStatus(status(i))
		}
		if stats := a.Stats(); stats.Queued != 70 || stats.Dropped != 430 {
			t.Fatalf("starts and statuses may take seven eighths: %+v", stats)
		}
		for i := range 20 {
			a.RecordExecution(Execution{ID: fmt.Sprint(1000 + i), JobName: "j", CompleteTime: time.Now()})
		}
		if stats := a.Stats(); stats.Queued != 80 || stats.Dropped != 440 {
			t.Fatalf("ends may take all: %+v", stats)
		}
		time.Sleep(time.Hour)
		sink.set(func(s *fakeSink) { s.err = nil })
		time.Sleep(time.Minute)
		if stats := a.Stats(); stats.Queued != 0 || stats.Written != 80 {
			t.Fatalf("after the outage: %+v", stats)
		}
		closeNow(t, a)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if len(lines) != 3 || !strings.Contains(lines[2], "dropped=440") {
			t.Errorf("want begin, loss and end with the count:\n%s", log.String())
		}
	})
}

func TestAsyncBoundsMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{hang: true}
		a := NewAsync(sink, AsyncOptions{QueueBytes: 1 << 20, Logger: quiet()})
		huge := strings.Repeat("é", 1<<20)
		for i := range 1000 {
			a.RecordStatus(Status{ID: fmt.Sprint(i), Message: huge})
		}
		stats := a.Stats()
		if stats.Queued == 0 || stats.Queued > 1<<20/8000 || stats.Queued+int(stats.Dropped) != 1000 {
			t.Fatalf("%+v", stats)
		}
		sink.set(func(s *fakeSink) { s.hang = false })
		closeNow(t, a)
		for _, batch := range sink.batches {
			for _, event := range batch {
				if n := utf8.RuneCountInString(event.Status.Message); n != MaxText {
					t.Fatalf("message of %d characters", n)
				}
			}
		}
	})
}

func TestAsyncCloseKeepsDeadline(t *testing.T) {
	for name, sink := range map[string]*fakeSink{
		"failing": {err: errors.New("connection refused")},
		"hanging": {hang: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := NewAsync(sink, AsyncOptions{Logger: quiet()})
			for i := range 7 {
				a.RecordStatus(status(i))
			}
			time.Sleep(time.Minute)
			begin := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			err := a.Close(ctx)
			if took := time.Since(begin); took != 3*time.Second {
				t.Errorf("%s: Close took %s", name, took)
			}
			if err == nil || !strings.Contains(err.Error(), "7 events") {
				t.Errorf("%s: %v", name, err)
			}
			if name == "failing" && !errors.Is(err, sink.err) {
				t.Errorf("cause is missing: %v", err)
			}
			a.RecordStatus(status(8))
			if stats := a.Stats(); stats.Dropped != 8 || stats.Queued != 0 {
				t.Errorf("%s: %+v", name, stats)
			}
			if err := a.Close(ctx); err != nil {
				t.Errorf("second Close: %v", err)
			}
		})
	}
}

func TestAsyncCloseFlushesWhenSinkReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{err: errors.New("gone")}
		a := NewAsync(sink, AsyncOptions{Logger: quiet()})
		a.RecordStatus(status(1))
		time.Sleep(time.Hour)
		time.AfterFunc(4*time.Second, func() { sink.set(func(s *fakeSink) { s.err = nil }) })
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := a.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if a.Stats().Written != 1 {
			t.Fatalf("%+v", a.Stats())
		}
	})
}

func TestAsyncIsolatesRejectedEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{refuse: func(e Event) bool { return e.Status.ID == "13" || e.Status.ID == "14" }}
		a := NewAsync(sink, AsyncOptions{BatchSize: 50, Logger: quiet()})
		var want []string
		for i := range 60 {
			a.RecordStatus(status(i))
			if i != 13 && i != 14 {
				want = append(want, fmt.Sprint(i))
			}
		}
		closeNow(t, a)
		if diff := cmp.Diff(want, sink.ids()); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(Stats{Written: 58, Failed: 2}, a.Stats()); diff != "" {
			t.Fatal(diff)
		}
	})
}

type panicSink struct{}

func (panicSink) Write(context.Context, []Event) error { panic("bug") }

func TestAsyncSurvivesPanickingSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAsync(panicSink{}, AsyncOptions{Logger: quiet()})
		a.RecordStatus(status(1))
		closeNow(t, a)
		if a.Stats().Failed != 1 {
			t.Fatalf("%+v", a.Stats())
		}
	})
}

// TestAsyncAccounts combines producers, outages and Close at random. Every event should be
// accounted for, and each producer's events should stay in order.
func TestAsyncAccounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		producers := rapid.IntRange(1, 5).Draw(rt, "producers")
		each := rapid.IntRange(0, 60).Draw(rt, "each")
		queue := rapid.IntRange(1, 100).Draw(rt, "queue")
		batch := rapid.IntRange(1, 20).Draw(rt, "batch")
		flaky := rapid.IntRange(0, 3).Draw(rt, "flaky")
		synctest.Test(t, func(t *testing.T) {
			sink := &flakySink{every: int64(flaky)}
			a := NewAsync(sink, AsyncOptions{QueueSize: queue, BatchSize: batch, Logger: quiet()})
			var wg sync.WaitGroup
			for p := range producers {
				wg.Go(func() {
					for i := range each {
						a.RecordStatus(Status{ID: fmt.Sprintf("%d-%03d", p, i), JobName: fmt.Sprint(p)})
						time.Sleep(time.Duration(p) * 10 * time.Millisecond)
					}
				})
			}
			wg.Wait()
			closeNow(t, a)
			stats := a.Stats()
			if total := stats.Written + stats.Dropped + stats.Failed; total != uint64(producers*each) || stats.Queued != 0 {
				t.Errorf("%d recorded, %+v", producers*each, stats)
			}
			last := map[string]string{}
			for _, e := range sink.stored {
				if e.Status.ID <= last[e.Status.JobName] {
					t.Errorf("%s after %s", e.Status.ID, last[e.Status.JobName])
				}
				last[e.Status.JobName] = e.Status.ID
			}
			if len(sink.stored) != int(stats.Written) {
				t.Errorf("%d stored, %+v", len(sink.stored), stats)
			}
		})
	})
}

type flakySink struct {
	every  int64
	calls  atomic.Int64
	stored []Event
}

func (s *flakySink) Write(_ context.Context, events []Event) error {
	if n := s.calls.Add(1); s.every > 0 && n%(s.every+1) != 0 {
		return errors.New("flaky")
	}
	s.stored = append(s.stored, events...)
	return nil
}

func TestDiscard(t *testing.T) {
	Discard.RecordExecution(Execution{})
	Discard.RecordStatus(Status{})
}

func BenchmarkAsyncRecord(b *testing.B) {
	a := NewAsync(&nullSink{}, AsyncOptions{QueueSize: 1 << 20})
	e := Execution{ID: "0198f3c2-0000-7000-8000-000000000000", JobName: "invoices", StartTime: time.Now()}
	b.ReportAllocs()
	for b.Loop() {
		a.RecordExecution(e)
	}
	if err := a.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
}

type nullSink struct{}

func (*nullSink) Write(context.Context, []Event) error { return nil }
