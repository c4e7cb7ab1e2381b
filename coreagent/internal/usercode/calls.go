package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// User code runs in a goroutine of its own, is noted while it runs, and is
// waited for however long it takes: starting an item again beside a call of it
// that has not returned would break the promise that it runs once at a time.
//
//	contain ──▶ goroutine: handler, listener, error handler
//	   │            panic, Goexit ──▶ error
//	   ▼
//	calls of the job ──▶ log, when one goes on after its context has ended
//	                ──▶ error of Stop, when one is left behind

// PanicError is a panic of user code, recovered.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the panic's value and stack, for the trace row.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

var errGoexit = errors.New("the call ended its goroutine instead of returning")

// call is user code that runs.
type call struct {
	what  string
	since time.Time
}

// contain runs user code and returns its error; a panic is one.
func (j *Job) contain(ctx context.Context, what string, fn func(ctx context.Context) error) error {
	c := &call{what: what, since: time.Now()}
	j.mu.Lock()
	if j.calls == nil {
		j.calls = make(map[*call]bool)
	}
	j.calls[c] = true
	j.mu.Unlock()

	result := errGoexit
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if value := recover(); value != nil {
				result = &PanicError{Value: value, Stack: debug.Stack()}
			}
		}()
		result = fn(ctx)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		j.awaitDisobedient(ctx, c, done)
	}
	j.mu.Lock()
	delete(j.calls, c)
	j.mu.Unlock()
	return result
}

// awaitDisobedient waits for a call whose context has ended, and says so in the
// log from time to time.
func (j *Job) awaitDisobedient(ctx context.Context, c *call, done <-chan struct{}) {
	pause := cancelGrace
	told := false
	for {
		timer := time.NewTimer(pause)
		select {
		case <-done:
			timer.Stop()
			if told {
				j.log.Info("a call that ignored its context has returned", "call", c.what, "since", c.since, "took", time.Since(c.since))
			}
			return
		case <-timer.C:
			told = true
			j.log.Error("a call ignores its context; the job waits for it", "call", c.what, "since", c.since, "cause", context.Cause(ctx))
			pause = min(4*pause, time.Hour)
		}
	}
}

// running describes the user code that runs, the oldest first.
func (j *Job) running() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	list := make([]*call, 0, len(j.calls))
	for c := range j.calls {
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

// handle passes a failure of the job to its error handler. A non-nil result
// stops the run.
func (j *Job) handle(ctx context.Context, failure error) error {
	var stop error
	if err := j.contain(ctx, "error handler", func(ctx context.Context) error {
		stop = j.errors.Handle(ctx, failure)
		return nil
	}); err != nil {
		j.log.Error("Job '"+j.Name()+"' exception occur in job processing", "err", failure, "error handler", err)
		return nil
	}
	if stop == nil {
		return nil
	}
	return &thrownError{stop.Error()}
}

// thrownError ends a run because the error handler says so. It wraps nothing:
// whatever the cause was, the run is not to be repeated for it.
type thrownError struct{ text string }

func (e *thrownError) Error() string { return e.text }
