package coreagent_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

type sumOf struct {
	Numbers []int  `json:"numbers" param:"maxItems=3"`
	Do      string `json:"do,omitempty"`
}

type total struct {
	Sum int
	By  string
}

// TestW05Call: a caller gets the result or the right error for each end of a run.
func TestW05Call(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := coreagenttest.NewPipeServer(t)
		agent := func(address string) *coreagent.Agent {
			a, err := coreagent.New(coreagent.Config{Namespace: "test", Address: address, ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		sums, plain := coreagent.NewFunc[sumOf, total]("sums"), coreagent.NewFunc[sumOf, *total]("plain")
		client, serves := agent("10.0.0.1"), agent("10.0.0.2")
		calls := 0
		add := func(job coreagent.Job, h coreagent.Handler) {
			if err := serves.Add(job, h); err != nil {
				t.Fatal(err)
			}
		}
		add(coreagent.Job{Name: "sums", Shards: 1, Requests: coreagent.Requests{Assign: coreagent.AssignOne}}, sums.Handler(func(ctx context.Context, _ *coreagent.Shard, p sumOf) (total, error) {
			calls++
			result := total{By: strings.Repeat("x", len(p.Do))}
			for _, n := range p.Numbers {
				result.Sum += n
			}
			switch p.Do {
			case "fail":
				return result, errors.New("no numbers today")
			case "skip":
				return result, coreagent.SkipRun("nothing to add")
			case "wait":
				<-ctx.Done()
				return result, context.Cause(ctx)
			case "large":
				result.By = strings.Repeat("x", 3000)
			}
			return result, nil
		}))
		// Two shards, and a handler without a result.
		add(coreagent.Job{Name: "plain", Shards: 2}, plain.Trigger.Handler(func(_ context.Context, s *coreagent.Shard, p sumOf) error {
			if p.Do == "result" {
				return s.Result(nil)
			}
			return nil
		}))
		ctx := t.Context()
		if _, err := sums.Call(ctx, client, sumOf{}, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrNotStarted) {
			t.Error(err)
		}
		for _, a := range []*coreagent.Agent{client, serves} {
			if err := a.Start(ctx); err != nil {
				t.Fatal(err)
			}
		}
		keyed := coreagent.RunOptions{Key: "k"}
		for range 2 {
			if got, err := sums.Call(ctx, client, sumOf{Numbers: []int{1, 2, 3}}, keyed); err != nil || got != (total{Sum: 6}) || calls != 1 {
				t.Errorf("%+v, %v, %d calls", got, err, calls)
			}
		}
		if _, err := sums.Call(ctx, client, sumOf{Numbers: make([]int, 4)}, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrParams) || calls != 1 {
			t.Errorf("%v, %d calls", err, calls)
		}
		failsWith := func(f func(ctx context.Context) error, want error, state coreagent.RunState, text string) *coreagent.RunError {
			t.Helper()
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			err := f(ctx)
			failed, ok := errors.AsType[*coreagent.RunError](err)
			if !ok || failed.Run.ID == "" || failed.Run.State != state || want != nil && !errors.Is(err, want) {
				t.Fatalf("%v, want %s, %v", err, state, want)
			}
			if want := fmt.Sprintf(text, failed.Run.ID); err.Error() != want {
				t.Errorf("\n got %s\nwant %s", err, want)
			}
			return failed
		}
		sum := func(do string) func(ctx context.Context) error {
			return func(ctx context.Context) error {
				got, err := sums.Call(ctx, client, sumOf{Do: do}, coreagent.RunOptions{})
				if got != (total{}) {
					t.Errorf("%+v with %v", got, err)
				}
				return err
			}
		}
		failsWith(sum("fail"), nil, coreagent.StateFailed, `call job "sums": run %s: failed: 1 of 1 shards failed; shard 0: no numbers today`)
		failsWith(sum("skip"), nil, coreagent.StateSkipped, `call job "sums": run %s: skipped: no shard had anything to do`)
		failsWith(sum("large"), nil, coreagent.StateFailed, `call job "sums": run %s: failed: 1 of 1 shards failed; shard 0: Result: 3017 bytes; at most 2048 are kept`)
		// The end of ctx ends the wait, and not the run.
		waits := failsWith(sum("wait"), context.DeadlineExceeded, "", `call job "sums": run %s: context deadline exceeded`)
		if status, err := client.RunStatus(ctx, "sums", waits.Run.ID); err != nil || status.State != coreagent.StateRunning {
			t.Errorf("%+v, %v", status, err)
		}
		if _, err := client.CancelRun(ctx, "sums", waits.Run.ID, ""); err != nil {
			t.Error(err)
		}
		for do, text := range map[string]string{
			"":       `call job "plain": run %s: the run has no result to return: 2 shards succeeded and 0 results are kept; Call needs one of each`,
			"result": `call job "plain": run %s: the run has no result to return: 2 shards succeeded and 2 results are kept; Call needs one of each`,
		} {
			failsWith(func(ctx context.Context) error {
				_, err := plain.Call(ctx, client, sumOf{Do: do}, coreagent.RunOptions{})
				return err
			}, coreagent.ErrNoResult, coreagent.StateSucceeded, text)
		}
		if got, err := plain.Call(ctx, client, sumOf{Do: "result"}, coreagent.RunOptions{Shards: []int{1}}); err != nil || got != nil {
			t.Errorf("one shard of two: %+v, %v", got, err)
		}
		for _, a := range []*coreagent.Agent{client, serves} {
			if err := a.Stop(ctx); err != nil {
				t.Error(err)
			}
		}
		if sums.Handler(nil) != nil {
			t.Error("a handler without a function")
		}
	})
}
