package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Cleanups are the steps that has to be undone when the program ends, in reverse order of
// its doing. Each step is named, bounded and logged; one that fails or hangs
// does not keep the next from running. Not safe for concurrent use.
type Cleanups struct {
	Log   *slog.Logger
	steps []cleanup
}

type cleanup struct {
	name  string
	limit time.Duration
	undo  func(ctx context.Context) error
}

// Add registers a step. undo should end with its ctx, limit after it began; if
// it does not, it is left behind and reported.
func (c *Cleanups) Add(name string, limit time.Duration, undo func(ctx context.Context) error) {
	c.steps = append(c.steps, cleanup{name, limit, undo})
}

// Run undoes everything, last first, and returns what went wrong, joined. A
// second call has nothing to do.
func (c *Cleanups) Run() error {
	var errs []error
	for len(c.steps) > 0 {
		step := c.steps[len(c.steps)-1]
		c.steps = c.steps[:len(c.steps)-1]
		began := time.Now()
		if err := step.run(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", step.name, err))
			c.Log.Warn("clean-up step failed, going on", slog.String("step", step.name), slog.Any("err", err))
			continue
		}
		c.Log.Debug("cleaned up", slog.String("step", step.name), slog.Duration("took", time.Since(began)))
	}
	return errors.Join(errs...)
}

func (s cleanup) run() error {
	// The program's own context has ended by now: that is why we are here.
	ctx, cancel := context.WithTimeout(context.Background(), s.limit)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.undo(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	// A step that heeds its context is about to return.
	select {
	case err := <-done:
		return err
	case <-time.After(s.limit / 4):
		return fmt.Errorf("did not end within %v", s.limit)
	}
}
