package usercode

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// Grace is how long a call may take to return after its context has ended, before it's logged.
const Grace = 2 * time.Second

// PanicError is a recovered panic of user code.
type PanicError struct {
	Value any
	Stack []byte
	text  string // of Value, because Value's own methods may panic, too
}

// Error returns the panic's value and stack, for the trace row.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %s\n\n%s", e.text, e.Stack) }

// ErrExited is the error of a call that ended its goroutine.
var ErrExited = errors.New("the call ended its goroutine instead of returning")

type call struct {
	what  string
	since time.Time
}

// Calls holds the running user code of one job. It's safe for concurrent use.
type Calls struct {
	log *slog.Logger

	mu   sync.Mutex
	list map[*call]bool // nil before the first call
}

// NewCalls returns the empty calls of a job. Calls that ignore their context are logged to log.
func NewCalls(log *slog.Logger) *Calls { return &Calls{log: log} }

// callerKey is the context key for the Calls that called user code.
type callerKey struct{}

// Called reports whether ctx is the context of one of these calls, or derived from it.
func (s *Calls) Called(ctx context.Context) bool { return ctx.Value(callerKey{}) == s }

// Contain runs user code and returns its frozen error. A panic becomes a [PanicError]. It waits for
// the end of the call no matter how long that takes, even after ctx has ended. what names the call
// in logs and errors.
func (s *Calls) Contain(ctx context.Context, what string, fn func(ctx context.Context) error) error {
	c := s.begin(what)
	defer s.end(c)
	ctx = context.WithValue(ctx, callerKey{}, s)
	result := ErrExited
	done := make(chan struct{})
	go func() {
		defer close(done)
		result = recovered(ctx, what, fn)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		s.awaitLate(ctx, c, done)
	}
	return result
}

// recovered returns the frozen error of a call, or its panic as an error.
func recovered(ctx context.Context, what string, fn func(ctx context.Context) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack(), text: usererror.PanicText(value)}
		}
	}()
	return Caused(ctx, usererror.Freeze(what, fn(ctx)))
}

// Caused adds the reason of the context's end to the error of a call. Otherwise "context deadline
// exceeded" could mean the job's timeout or a lost session.
func Caused(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case err == nil, cause == nil, !errors.Is(err, ctx.Err()), errors.Is(err, cause):
		return err
	}
	return &causedError{cause, err}
}

// causedError is an error caused by a context's end.
type causedError struct{ cause, err error }

func (e *causedError) Error() string {
	switch text := e.err.Error(); text {
	case context.Canceled.Error(), context.DeadlineExceeded.Error():
		return e.cause.Error()
	default:
		return e.cause.Error() + ": " + text
	}
}

func (e *causedError) Unwrap() []error { return []error{e.cause, e.err} }

func (s *Calls) begin(what string) *call {
	c := &call{what: what, since: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	lazymap.Put(&s.list, c, true)
	return c
}

func (s *Calls) end(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.list, c)
}

// awaitLate waits for a call after its context has ended, and logs that from time to time.
func (s *Calls) awaitLate(ctx context.Context, c *call, done <-chan struct{}) {
	pause := Grace
	logged := false
	for {
		timer := time.NewTimer(pause)
		select {
		case <-done:
			timer.Stop()
			if logged {
				s.log.InfoContext(ctx, "a call that ignored its context has returned", "call", c.what, "since", c.since, "took", time.Since(c.since))
			}
			return
		case <-timer.C:
			logged = true
			s.log.ErrorContext(ctx, "a call ignores its context; the job waits for it", "call", c.what, "since", c.since, "cause", context.Cause(ctx))
			pause = min(4*pause, time.Hour)
		}
	}
}

// Running describes the running user code, oldest first; "" if there is none.
func (s *Calls) Running() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*call, 0, len(s.list))
	for c := range s.list {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *call) int {
		if byAge := a.since.Compare(b.since); byAge != 0 {
			return byAge
		}
		return strings.Compare(a.what, b.what)
	})
	const most = 10
	var texts []string
	for i, c := range list {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		texts = append(texts, fmt.Sprintf("%s since %s", c.what, c.since.Format(time.RFC3339)))
	}
	return strings.Join(texts, ", ")
}
