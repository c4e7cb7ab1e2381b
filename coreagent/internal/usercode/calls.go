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

	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// Grace is how long a call gets to return after its context has ended, before the
// log tells of it.
const Grace = 2 * time.Second

// PanicError is a panic of user code, recovered.
type PanicError struct {
	Value any
	Stack []byte
	text  string // of Value, whose own methods may panic, too
}

// Error returns the panic's value and stack, for the trace row.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %s\n\n%s", e.text, e.Stack) }

// ErrExited is how a call came to its end that ended its goroutine.
var ErrExited = errors.New("the call ended its goroutine instead of returning")

// call is user code that runs.
type call struct {
	what  string
	since time.Time
}

// Calls is the user code of one job that runs. Its methods may be called at the
// same time.
type Calls struct {
	log *slog.Logger

	mu   sync.Mutex
	list map[*call]bool // nil before the first
}

// NewCalls returns the calls of a job, of which none runs yet. log reports those
// that ignore their context.
func NewCalls(log *slog.Logger) *Calls { return &Calls{log: log} }

// callerKey is the key under which the context of user code names the job's calls.
type callerKey struct{}

// Called reports whether ctx is the context of one of these calls, or derived from it.
func (s *Calls) Called(ctx context.Context) bool { return ctx.Value(callerKey{}) == s }

// Contain runs user code and returns its error, frozen; a panic is one, a [PanicError]. It
// waits for the end of the call however long that takes, also after ctx has ended.
// what names the call in logs and errors.
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
		s.awaitDisobedient(ctx, c, done)
	}
	return result
}

// recovered returns the error of a call, frozen; a panic is an error.
func recovered(ctx context.Context, what string, fn func(ctx context.Context) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack(), text: usererror.PanicText(value)}
		}
	}()
	return Caused(ctx, usererror.Freeze(what, fn(ctx)))
}

// Caused returns the error of a call with the reason why its context has ended. An error such as
// "context deadline exceeded" alone could mean the job's timeout as well as a lost session.
func Caused(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case err == nil, cause == nil, !errors.Is(err, ctx.Err()), errors.Is(err, cause):
		return err
	}
	return &causedError{cause, err}
}

// causedError is an error that comes from a context's end.
type causedError struct{ cause, err error }

func (e *causedError) Error() string {
	switch text := e.err.Error(); text {
	case context.Canceled.Error(), context.DeadlineExceeded.Error():
		return e.cause.Error()
	default:
		return e.cause.Error() + ": " + text
	}
}

// Unwrap returns the cause and the error.
func (e *causedError) Unwrap() []error { return []error{e.cause, e.err} }

func (s *Calls) begin(what string) *call {
	c := &call{what: what, since: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		s.list = make(map[*call]bool)
	}
	s.list[c] = true
	return c
}

func (s *Calls) end(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.list, c)
}

// awaitDisobedient waits for a call whose context has ended, and says so in the
// log from time to time.
func (s *Calls) awaitDisobedient(ctx context.Context, c *call, done <-chan struct{}) {
	pause := Grace
	told := false
	for {
		timer := time.NewTimer(pause)
		select {
		case <-done:
			timer.Stop()
			if told {
				s.log.InfoContext(ctx, "a call that ignored its context has returned", "call", c.what, "since", c.since, "took", time.Since(c.since))
			}
			return
		case <-timer.C:
			told = true
			s.log.ErrorContext(ctx, "a call ignores its context; the job waits for it", "call", c.what, "since", c.since, "cause", context.Cause(ctx))
			pause = min(4*pause, time.Hour)
		}
	}
}

// Running describes the user code that runs, the oldest first; "" if none does.
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
