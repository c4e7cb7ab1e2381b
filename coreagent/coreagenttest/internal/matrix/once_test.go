package matrix_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// TestW73InterruptedShardsRunOnce: two agents share the shards and one is killed at work. The other
// one must run each interrupted shard once for that fire time, no matter how many there are.
func TestW73InterruptedShardsRunOnce(t *testing.T) {
	t.Parallel()
	sizes := []int{2, 4, 6, 8}
	for _, after := range []time.Duration{time.Second, 30 * time.Second, 55 * time.Second, 62 * time.Second} {
		t.Run(fmt.Sprintf("killed after %v", after), func(t *testing.T) {
			t.Parallel()
			var h history
			synctest.Test(t, func(t *testing.T) {
				var works []work
				for _, shards := range sizes {
					works = append(works, work{failingOver(fmt.Sprint(shards), shards), lasting(70 * time.Second)})
				}
				until(clock(0, 58, 0))
				f := newFleet(t, 2*time.Second, works...)
				f.start("a", "10.0.0.1", "1")
				f.start("b", "10.0.0.2", "2")
				until(clock(1, 0, 0).Add(after))
				f.kill("a")
				until(clock(1, 40, 0))
				h = f.stopAll()
			})
			for _, shards := range sizes {
				t.Run(fmt.Sprintf("%d shards", shards), func(t *testing.T) {
					h.judge(t, fmt.Sprint(shards), shards, onceAt(clock(1, 0, 0)))
				})
			}
			if !h.failedOver() {
				t.Error("nothing was failed over")
			}
		})
	}
}

func failingOver(name string, shards int) coreagent.Job {
	return coreagent.Job{Name: name, Schedule: coreagent.Schedule{Cron: hourly, Zone: "GMT"}, Shards: shards, Failover: true}
}
