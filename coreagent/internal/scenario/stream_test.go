package scenario_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// streams are streaming jobs with endless data. Each batch takes a second.
type streams struct {
	mu   sync.Mutex
	last map[string]map[int]time.Time // when the newest batch began, by agent and shard
}

func (s *streams) flow(agent string) coreagent.Dataflow[int] {
	return coreagent.Dataflow[int]{
		Streaming: true,
		Fetch:     func(context.Context, *coreagent.Shard) ([]int, error) { return []int{1}, nil },
		Process: func(ctx context.Context, shard *coreagent.Shard, _ []int) error {
			s.mu.Lock()
			if s.last == nil {
				s.last = make(map[string]map[int]time.Time)
			}
			if s.last[agent] == nil {
				s.last[agent] = make(map[int]time.Time)
			}
			s.last[agent][shard.Item] = time.Now()
			s.mu.Unlock()
			select {
			case <-time.After(time.Second):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		},
	}
}

// flows reports whether an agent has just begun a batch of a shard.
func (s *streams) flows(agent string, shard int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.last[agent][shard]) < 2*time.Second
}

// TestW100StreamEndsOnResharding: a stream without running markers should end for a resharding,
// although the resharding is over before the stream has finished its batch.
func TestW100StreamEndsOnResharding(t *testing.T) {
	t.Parallel()
	for name, monitored := range map[string]bool{"monitored": true, "not monitored": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				var all streams
				job := coreagent.Job{Name: "flow", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Unmonitored: !monitored}
				one, two := b.agent(1), b.agent(2)
				b.must(one.Add(job, all.flow(one.id)))
				one.start()
				b.await("it streams both", func() bool { return all.flows(one.id, 0) && all.flows(one.id, 1) })
				time.Sleep(10*time.Second + 300*time.Millisecond)
				b.must(two.Add(job, all.flow(two.id)))
				two.start()
				b.awaitOwners("flow", two.id, one.id)
				time.Sleep(5 * time.Second)
				for range 20 {
					time.Sleep(time.Second)
					if all.flows(one.id, 0) || !all.flows(two.id, 0) || !all.flows(one.id, 1) || all.flows(two.id, 1) {
						t.Fatalf("shard 0 streams on the old owner: %v, on the new one: %v; shard 1: %v, %v",
							all.flows(one.id, 0), all.flows(two.id, 0), all.flows(one.id, 1), all.flows(two.id, 1))
					}
				}
			})
		})
	}
}

// TestW103StreamEndsWhenItsJobLeaves: the stream should end after its current batch. The drain is
// meant for that batch, so no stream should need all of it.
func TestW103StreamEndsWhenItsJobLeaves(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(b *fixture, m *member) error{
		"Stop":   func(b *fixture, m *member) error { return m.Stop(b.ctx()) },
		"Remove": func(b *fixture, m *member) error { return m.Remove(b.ctx(), "flow") },
		"shut down": func(b *fixture, m *member) error {
			b.delete(b.tree.Job("flow").Instance(m.id))
			return nil
		},
	} {
		for kind, failover := range map[string]bool{"plain": false, "failover": true} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					var all streams
					m := b.agent(1)
					b.must(m.Add(coreagent.Job{Name: "flow", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1, Failover: failover}, all.flow(m.id)))
					m.start()
					b.await("it streams", func() bool { return all.flows(m.id, 0) })
					time.Sleep(5*time.Second + 300*time.Millisecond)
					at := time.Now()
					b.must(leave(b, m))
					if took := time.Since(at); took > time.Second {
						t.Errorf("it took %v", took)
					}
					time.Sleep(3 * time.Second)
					if all.flows(m.id, 0) {
						t.Error("it streams on")
					}
					executed := m.trace.executed("flow")
					if last := executed[len(executed)-1]; !last.Success || last.FailureCause != "" {
						t.Errorf("recorded: %+v", last)
					}
				})
			})
		}
	}
}
