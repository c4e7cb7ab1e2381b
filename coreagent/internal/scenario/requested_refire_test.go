package scenario_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestRetryOfAFireIsHeldWithTheSchedule: a fire time's next attempt should wait while the schedule
// is held, but not while only requests are held.
func TestRetryOfAFireIsHeldWithTheSchedule(t *testing.T) {
	t.Parallel()
	for what, waits := range map[jobrun.Held]bool{jobrun.HeldSchedule: true, jobrun.HeldAll: true, jobrun.HeldRequests: false} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			var broken atomic.Bool
			w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
				if broken.Load() && s.Run.Attempt < 2 {
					return errPaper
				}
				return nil
			})
			w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}}, map[string]string{runs.PropRetries: "1", runs.PropBackoff: "5s"})
			broken.Store(true)
			sleepUntilNext(time.Minute)
			time.Sleep(time.Second)
			broken.Store(false)
			w.must(w.store.Hold(b.ctx(), jobtree.Hold{What: what, By: "root"}))
			again := func() (n int) {
				for _, e := range w.doneAll() {
					if e.run != "" {
						n++
					}
				}
				return n
			}
			time.Sleep(19 * time.Second)
			if got := again(); (got == 0) != waits || got > 1 {
				t.Errorf("%s is held: the fire time was tried %d times again", what, got)
			}
			w.must(w.store.Release(b.ctx()))
			time.Sleep(10 * time.Second)
			if got := again(); got != 1 {
				t.Errorf("%s was released: the fire time was tried %d times again", what, got)
			}
			w.awaitNoRuns()
		})
	}
}

// If a handler asks for a retry time, a fire time's next attempt should begin then, not after the
// job's back-off.
func TestRetryAfterOfAFireTime(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var mu sync.Mutex
		var began []time.Time
		w := newWorkshop(b, func(_ context.Context, _ *coreagent.Shard) error {
			mu.Lock()
			defer mu.Unlock()
			if began = append(began, time.Now()); len(began) == 1 {
				return coreagent.RetryAfter(errPaper, 5*time.Minute)
			}
			return nil
		})
		w.open(1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, map[string]string{runs.PropRetries: "1", runs.PropBackoff: "5s"})
		fire := sleepUntilNext(time.Hour)
		time.Sleep(10 * time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if len(began) != 2 || began[1].Sub(fire).Round(time.Minute) != 5*time.Minute {
			t.Errorf("attempts at %v", began)
		}
	})
}
