package cli

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCleanupsRunBackwardsAndThrough(t *testing.T) {
	t.Parallel()
	var order []string
	c := Cleanups{Log: slog.New(slog.DiscardHandler)}
	step := func(name string, err error) {
		c.Add(name, time.Second, func(context.Context) error { order = append(order, name); return err })
	}
	step("first", nil)
	step("second", errors.New("broke"))
	step("third", nil)
	err := c.Run()
	if diff := cmp.Diff([]string{"third", "second", "first"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if err == nil || err.Error() != "second: broke" {
		t.Errorf("error %v, want the failed step by name", err)
	}
	if err := c.Run(); err != nil || len(order) != 3 {
		t.Errorf("a second run did something: %v, %v", err, order)
	}
}

func TestAHangingCleanupIsLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		ran := false
		c := Cleanups{Log: slog.New(slog.DiscardHandler)}
		c.Add("after it", time.Second, func(context.Context) error { ran = true; return nil })
		c.Add("hangs", 4*time.Second, func(context.Context) error { <-release; return nil })
		began := time.Now()
		err := c.Run()
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("took %v, want the limit and a quarter", took)
		}
		if err == nil || !strings.Contains(err.Error(), "hangs: did not end within 4s") {
			t.Errorf("error %v does not name the step and its limit", err)
		}
		if !ran {
			t.Error("the next step did not run")
		}
		close(release)
	})
}
