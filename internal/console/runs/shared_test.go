package runs

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const timeout = 4 * time.Second

// TestRequestsShareAnAnswer: those that ask the same while it is read, and some
// seconds later; not for longer, and not what comes at once.
func TestRequestsShareAnAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h shared[int]
		reads := 0
		read := func(takes time.Duration) func(context.Context) (int, error) {
			return func(context.Context) (int, error) { reads++; time.Sleep(takes); return reads, nil }
		}
		ask := func(question string, takes time.Duration) int {
			n, err := h.of(t.Context(), timeout, question, read(takes))
			if err != nil {
				t.Error(err)
			}
			return n
		}
		var together sync.WaitGroup
		for range 5 {
			together.Go(func() {
				if n := ask("slow", time.Second); n != 1 {
					t.Errorf("answer %d to one of five who ask together", n)
				}
			})
		}
		together.Wait()
		time.Sleep(sharedFor - 2*time.Second)
		if n := ask("slow", time.Second); n != 1 {
			t.Errorf("answer %d soon after", n)
		}
		if n := ask("another", time.Second); n != 2 {
			t.Errorf("answer %d to another question", n)
		}
		if n := ask("slow", time.Second); n != 3 {
			t.Errorf("answer %d when the first is too old", n)
		}
		if first, second := ask("quick", time.Millisecond), ask("quick", time.Millisecond); first != 4 || second != 5 {
			t.Errorf("answers %d and %d that come at once", first, second)
		}
	})
}

// TestASharedAnswerIsForAll: who asks first and leaves does not take it along, who
// waits may leave, and a failure is kept for nobody.
func TestASharedAnswerIsForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h shared[int]
		leaving, leave := context.WithCancel(t.Context())
		var asked sync.WaitGroup
		ask := func(ctx context.Context, want int, wrong error) {
			asked.Go(func() {
				n, err := h.of(ctx, timeout, "q", func(ctx context.Context) (int, error) {
					select {
					case <-ctx.Done():
						return 0, ctx.Err()
					case <-time.After(time.Second):
						return 1, nil
					}
				})
				if n != want || !errors.Is(err, wrong) {
					t.Errorf("%d, %v; want %d, %v", n, err, want, wrong)
				}
			})
			synctest.Wait()
		}
		ask(leaving, 1, nil) // reads on
		ask(t.Context(), 1, nil)
		ask(leaving, 0, context.Canceled)
		leave()
		asked.Wait()

		broken := errors.New("broken")
		if _, err := h.of(t.Context(), timeout, "fails", func(context.Context) (int, error) { time.Sleep(time.Second); return 0, broken }); !errors.Is(err, broken) {
			t.Errorf("the failure is %v", err)
		}
		if n, err := h.of(t.Context(), timeout, "fails", func(context.Context) (int, error) { return 2, nil }); n != 2 || err != nil {
			t.Errorf("after a failure %d, %v", n, err)
		}
	})
}

// TestSharedAnswersAreBounded: beyond the bound each request reads for itself, and a
// request that panics leaves nobody waiting.
func TestSharedAnswersAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var h shared[int]
		slow := func(context.Context) (int, error) { time.Sleep(time.Second); return 1, nil }
		var asked sync.WaitGroup
		for i := range 2 * mostShared {
			asked.Go(func() {
				if _, err := h.of(t.Context(), timeout, strconv.Itoa(i), slow); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if n := len(h.answers); n != mostShared {
			t.Errorf("%d answers are kept", n)
		}
		asked.Wait()
		time.Sleep(sharedFor)
		func() {
			defer func() { _ = recover() }()
			_, _ = h.of(t.Context(), timeout, "panics", func(context.Context) (int, error) { panic("in a query") })
		}()
		if n := len(h.answers); n != 0 {
			t.Errorf("%d answers are left", n)
		}
	})
}
