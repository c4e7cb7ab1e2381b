package scenario_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestRetryOfAFireIsHeldWithTheSchedule: the next attempt of a fire time waits while the
// schedule is held, and not while only requests are.
func TestRetryOfAFireIsHeldWithTheSchedule(t *testing.T) {
	t.Parallel()
	for what, waits := range map[string]bool{jobtree.HoldSchedule: true, jobtree.HoldAll: true, jobtree.HoldRequests: false} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			var broken atomic.Bool
			w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
				if broken.Load() && s.Run.Attempt < 2 {
					return errPaper
				}
				return nil
			})
			w.open(1, coreagent.Job{Cron: "0 * * * * ?"}, map[string]string{runs.PropRetries: "1", runs.PropBackoff: "5s"})
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
