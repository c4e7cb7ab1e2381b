package runs

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// sharedFor is how long an answer of the history is given to others who ask the
	// same: no longer than a page takes to be out of date by itself.
	sharedFor = 5 * time.Second
	// sharedFrom is how long an answer must have taken for that. What comes at once is
	// asked for each time.
	sharedFrom = 25 * time.Millisecond
	// mostShared is how many answers are kept or waited for; further ones are read by
	// each request for itself.
	mostShared = 64
)

// shared lets requests that ask the same of the history at the same time, or some
// seconds later, have one answer. The zero value is ready. Answers belong to several
// requests and must not be changed.
type shared[T any] struct {
	mu      sync.Mutex
	answers map[string]*answer[T]
}

// answer is what one request reads and others wait for.
type answer[T any] struct {
	done  chan struct{} // closed when it is read
	asked time.Time
	read  bool // with the lock of shared held
	value T
	err   error
}

// errUnread is the error of an answer that was not read to its end.
var errUnread = errors.New("the request that read this for others has failed")

// of returns the answer to a question. The first caller reads it, within a timeout of its own, so that the others
// get it even if the first one leaves.
func (h *shared[T]) of(
	ctx context.Context, timeout time.Duration, question string, read func(context.Context) (T, error),
) (T, error) {
	a, first := h.join(question, time.Now())
	switch {
	case a == nil:
		return read(ctx)
	case first:
		defer h.leave(question, a)
		forAll, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		a.value, a.err = read(forAll)
		return a.value, a.err
	}
	select {
	case <-a.done:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// join returns the answer to a question, and whether the caller is the one who reads
// it; nil if the caller reads for itself.
func (h *shared[T]) join(question string, now time.Time) (a *answer[T], first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for q, other := range h.answers {
		if other.read && now.Sub(other.asked) >= sharedFor {
			delete(h.answers, q)
		}
	}
	if a = h.answers[question]; a != nil {
		return a, false
	}
	if len(h.answers) >= mostShared {
		return nil, false
	}
	if h.answers == nil {
		h.answers = make(map[string]*answer[T])
	}
	a = &answer[T]{done: make(chan struct{}), asked: now, err: errUnread}
	h.answers[question] = a
	return a, true
}

// leave hands out an answer, and keeps it if it is worth that.
func (h *shared[T]) leave(question string, a *answer[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a.read = true
	if a.err != nil || time.Since(a.asked) < sharedFrom {
		delete(h.answers, question)
	}
	close(a.done)
}
