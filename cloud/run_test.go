package cloud

import (
	"fmt"
	"testing"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestW41NextAttempts: a shard should wait between the end of one attempt and the start of the
// next, unless its run has ended or is suspended.
func TestW41NextAttempts(t *testing.T) {
	t.Parallel()
	task := func(shard, attempt int, state State, retry bool) Task {
		return Task{TaskRef: TaskRef{Shard: shard, Attempt: attempt}, State: state, Retry: retry}
	}
	tasks := []Task{
		task(4, 2, tracing.StateStaging, false), task(4, 1, tracing.StateFailed, true), // about to start again
		task(3, 1, tracing.StateStaging, false),                                        // its first attempt
		task(2, 1, tracing.StateFailed, true), task(2, 2, tracing.StateRunning, false), // started again
		task(1, 1, tracing.StateLost, true),    // waits
		task(0, 1, tracing.StateFailed, false), // failed for good
	}
	for state, want := range map[RunState]string{RunRunning: "1/1 4/2 ", RunWaiting: "1/1 4/2 ", RunSuspended: "", RunFailed: "", RunKilled: ""} {
		got := ""
		for _, t := range NextAttempts(RunStatus{State: state}, tasks) {
			got += fmt.Sprintf("%d/%d ", t.Shard, t.Attempt)
		}
		if got != want {
			t.Errorf("a run that is %s: shards and attempts %s, want %s", state, got, want)
		}
	}
}
