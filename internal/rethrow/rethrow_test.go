package rethrow_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/rethrow"
)

// TestPanicReachesWhoWaits: with the stack of where it was, after all others
// have ended; errors are those of an errgroup.
func TestPanicReachesWhoWaits(t *testing.T) {
	t.Parallel()
	group, ctx := rethrow.WithContext(context.Background())
	group.SetLimit(2)
	ended := false
	group.Go(func() error { <-ctx.Done(); ended = true; return ctx.Err() })
	group.Go(outOfPaper)
	defer func() {
		p, ok := recover().(*rethrow.Panic)
		if !ok || p.Value != "out of paper" || !strings.Contains(string(p.Stack), "outOfPaper") || !ended {
			t.Errorf("%+v, others ended: %v", p, ended)
		}
		if again := rethrow.Recovered(p); again != p {
			t.Errorf("brought on, it is %v", again)
		}
	}()
	t.Error(group.Wait())
}

func outOfPaper() error { panic("out of paper") }

func TestErrorsAreReturned(t *testing.T) {
	t.Parallel()
	group, _ := rethrow.WithContext(context.Background())
	full := errors.New("full")
	group.Go(func() error { return full })
	group.Go(func() error { return nil })
	if err := group.Wait(); !errors.Is(err, full) {
		t.Error(err)
	}
}
