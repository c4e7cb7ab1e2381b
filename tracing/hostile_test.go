package tracing

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// sinkError is returned as a nil pointer, so its methods panic.
type sinkError struct{ text string }

func (e *sinkError) Error() string { return e.text }
func (e *sinkError) Is(error) bool { return e.text == "rejected" }

// TestW93HostileSink: if a sink's error panics when it's read, the sink should count as
// unavailable. The events should wait and be stored later, with and without a spool.
func TestW93HostileSink(t *testing.T) {
	for _, spooled := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			sink := &fakeSink{err: (*sinkError)(nil)}
			var log strings.Builder
			logger := slog.New(slog.NewTextHandler(&log, nil))
			var to Sink = sink
			if spooled {
				spool, err := NewSpool(t.TempDir(), sink, SpoolOptions{Logger: logger})
				if err != nil {
					t.Fatal(err)
				}
				defer func() {
					if err := spool.Close(); err != nil {
						t.Error(err)
					}
				}()
				to = spool
			}
			a := NewAsync(to, AsyncOptions{Logger: logger})
			a.RecordStatus(status(1))
			time.Sleep(time.Minute)
			const want = "the trace sink returned an error whose Error method panicked: "
			if got := a.Stats().LastError; !spooled && (got == nil || !strings.HasPrefix(got.Error(), want) || errors.Is(got, ErrRejected)) {
				t.Errorf("last error: %v", got)
			}
			sink.set(func(s *fakeSink) { s.err = nil })
			time.Sleep(time.Minute)
			closeNow(t, a)
			synctest.Wait()
			if got := sink.ids(); !slices.Equal(got, []string{"1"}) {
				t.Errorf("stored %q", got)
			}
			if !strings.Contains(log.String(), "whose Error method panicked") {
				t.Errorf("log: %s", log.String())
			}
		})
	}
}

// exitingSink ends the goroutine that calls it.
type exitingSink struct{}

func (exitingSink) Write(context.Context, []Event) error {
	runtime.Goexit()
	return nil
}

// TestW95ExitingSink: a sink that ends its goroutine refuses the events. The recorder should count
// them and continue.
func TestW95ExitingSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAsync(exitingSink{}, AsyncOptions{Logger: slog.New(slog.DiscardHandler)})
		a.RecordStatus(status(1))
		time.Sleep(time.Minute)
		a.RecordStatus(status(2))
		closeNow(t, a)
		if stats := a.Stats(); stats.Failed != 2 || stats.Written != 0 || stats.Queued != 0 {
			t.Errorf("%+v", stats)
		}
	})
}
