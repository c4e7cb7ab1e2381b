package usercode

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// lines is a log with a channel of lines.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// Contain returns the call's error, a panic with its stack, or ErrExited.
func TestContainReturnsTheResult(t *testing.T) {
	t.Parallel()
	calls := NewCalls(slog.New(slog.DiscardHandler))
	failure := errors.New("no paper")
	for name, c := range map[string]struct {
		fn   func(context.Context) error
		fine func(error) bool
	}{
		"nil":   {func(context.Context) error { return nil }, func(err error) bool { return err == nil }},
		"error": {func(context.Context) error { return failure }, func(err error) bool { return errors.Is(err, failure) }},
		"panic": {func(context.Context) error { panic("out of ink") }, func(err error) bool {
			p, ok := errors.AsType[*PanicError](err)
			return ok && p.Value == "out of ink" && strings.HasPrefix(err.Error(), "panic: out of ink\n") && strings.Contains(string(p.Stack), "calls_test.go")
		}},
		"Goexit": {func(context.Context) error { runtime.Goexit(); return nil }, func(err error) bool { return errors.Is(err, ErrExited) }},
	} {
		if err := calls.Contain(t.Context(), name, c.fn); !c.fine(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if running := calls.Running(); running != "" {
		t.Errorf("still running: %s", running)
	}
}

// A call that ignores its context is awaited, listed while it runs, and logged after two seconds
// and when it returns.
func TestMS44CallThatIgnoresItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := make(lines, 9)
		calls := NewCalls(slog.New(slog.NewTextHandler(log, nil)))
		ctx, cancel := context.WithCancelCause(t.Context())
		release, done := make(chan struct{}), make(chan error, 1)
		start := time.Now()
		go func() {
			done <- calls.Contain(ctx, "handler of shard 1", func(context.Context) error { <-release; return nil })
		}()
		synctest.Wait()
		if want := "handler of shard 1 since " + start.Format(time.RFC3339); calls.Running() != want {
			t.Errorf("running: %q, want %q", calls.Running(), want)
		}
		cancel(errors.New("the run took too long"))
		time.Sleep(Grace - time.Millisecond)
		synctest.Wait()
		if len(log) > 0 {
			t.Errorf("reported too early: %s", <-log)
		}
		line := <-log
		for _, want := range []string{"a call ignores its context", `call="handler of shard 1"`, `cause="the run took too long"`} {
			if !strings.Contains(line, want) {
				t.Errorf("no %s in %s", want, line)
			}
		}
		select {
		case err := <-done:
			t.Fatalf("Contain did not wait: %v", err)
		default:
		}
		close(release)
		if err, line := <-done, <-log; err != nil || !strings.Contains(line, "a call that ignored its context has returned") {
			t.Errorf("%v, log: %s", err, line)
		}
	})
}

// Running lists the oldest calls, and how many more there are.
func TestRunningNamesTheOldest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := NewCalls(slog.New(slog.DiscardHandler))
		release := make(chan struct{})
		for i := range 12 {
			name := "call " + string(rune('l'-i))
			go func() {
				_ = calls.Contain(t.Context(), name, func(context.Context) error { <-release; return nil })
			}()
			time.Sleep(time.Second)
		}
		running := strings.Split(calls.Running(), ", ")
		if len(running) != 11 || !strings.HasPrefix(running[0], "call l since ") || !strings.HasPrefix(running[9], "call c since ") || running[10] != "and 2 more" {
			t.Errorf("%q", running)
		}
		close(release)
		synctest.Wait()
	})
}

// An error because of an ended context includes the reason. Other errors don't change.
func TestW91CauseOfAnEndedContext(t *testing.T) {
	timeout, disk := errors.New("the run exceeded the job's timeout"), errors.New("disk is full")
	ended := func() context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(timeout)
		return ctx
	}
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"bare":                  {ended(), context.Canceled, "the run exceeded the job's timeout"},
		"wrapped":               {ended(), fmt.Errorf("query: %w", context.Canceled), "the run exceeded the job's timeout: query: context canceled"},
		"with the cause":        {ended(), fmt.Errorf("%w, says %w", timeout, context.Canceled), "the run exceeded the job's timeout, says context canceled"},
		"another error":         {ended(), disk, "disk is full"},
		"the context goes on":   {t.Context(), context.Canceled, "context canceled"},
		"a deadline of its own": {ended(), context.DeadlineExceeded, "context deadline exceeded"},
	} {
		got := NewCalls(slog.New(slog.DiscardHandler)).Contain(c.ctx, "handler", func(context.Context) error { return c.err })
		if got == nil || got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
	if got := Caused(ended(), nil); got != nil {
		t.Errorf("no error became %v", got)
	}
}
