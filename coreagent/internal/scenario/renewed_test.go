package scenario_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestSessionRenewedJustBeforeAFireTime ends the session while a run has marked its shards and
// waits for its fire time. The next session begins before the fire time, so the run should take
// place.
func TestSessionRenewedJustBeforeAFireTime(t *testing.T) {
	t.Parallel()
	for before := time.Millisecond; before <= 256*time.Millisecond; before *= 2 {
		synctest.Test(t, func(t *testing.T) {
			srv := zkfake.New(zkfake.Options{})
			agent := bubbleAgent(t, srv)
			var mu sync.Mutex
			runs := map[time.Time]int{}
			agent.HandleFunc(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 1, Failover: true}, func(_ context.Context, s *coreagent.Shard) error {
				mu.Lock()
				defer mu.Unlock()
				runs[s.ScheduledAt.Truncate(time.Second)]++
				return nil
			})
			if err := agent.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			first := time.Now().Truncate(time.Minute).Add(time.Minute)
			time.Sleep(time.Until(first.Add(30*time.Second - before)))
			for _, s := range srv.Sessions() {
				srv.ExpireSession(s.ID)
			}
			time.Sleep(before + 35*time.Second)
			synctest.Wait()
			mu.Lock()
			for fire := range 7 {
				if at := first.Add(time.Duration(fire) * 10 * time.Second); runs[at] != 1 {
					t.Errorf("session ended %v before %v: %d runs for %v", before, first.Add(30*time.Second).Format(time.TimeOnly), runs[at], at.Format(time.TimeOnly))
				}
			}
			mu.Unlock()
			stopAll(t, agent, srv)
		})
	}
}
