package scenario_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/registry"
)

func bubbleAgent(t *testing.T, srv *zkfake.Server) *coreagent.Agent {
	t.Helper()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "cost", Address: "10.0.0.1", InstanceSuffix: "1",
		ZooKeeper: registry.ZooKeeper{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial},
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

func stopAll(t *testing.T, agent *coreagent.Agent, srv *zkfake.Server) {
	t.Helper()
	if err := agent.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
}

// TestCostOfAFire: a run should cost one transaction to mark its shards, one to clear them, and no
// read, no matter how many shards it has. Without monitorExecution it should cost nothing.
func TestCostOfAFire(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		job    coreagent.Job
		writes int // per fire
	}{
		"monitored":  {coreagent.Job{}, 2},
		"failover":   {coreagent.Job{Failover: true}, 2},
		"unmarked":   {coreagent.Job{Unmonitored: true}, 0},
		"no misfire": {coreagent.Job{Schedule: coreagent.Schedule{SkipMisfires: true}}, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			srv := zkfake.New(zkfake.Options{})
			agent := bubbleAgent(t, srv)
			c.job.Name, c.job.Schedule.Cron, c.job.Shards = "job", "0/10 * * * * ?", 10
			var runs atomic.Int64
			agent.HandleFunc(c.job, func(context.Context, *coreagent.Shard) error { runs.Add(1); return nil })
			if err := agent.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute + 5*time.Second)))
			synctest.Wait()
			before := runs.Load()
			srv.ResetStats()
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			const fires = 30
			stats := srv.Stats()
			if got := runs.Load() - before; got != fires*10 {
				t.Errorf("%s: %d runs, want %d", name, got, fires*10)
			}
			if stats.Writes != fires*c.writes || stats.Reads != 0 {
				t.Errorf("%s: %d writes and %d reads in %d fires, want %d and 0: %v", name, stats.Writes, stats.Reads, fires, fires*c.writes, stats.Ops)
			}
			stopAll(t, agent, srv)
		})
	}
}

// TestIdleJobsCostNoGoroutine: a thousand jobs in one process should fire on time. Between two fire
// times they should need no goroutines and send no requests.
func TestIdleJobsCostNoGoroutine(t *testing.T) {
	const jobs = 1000
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		agent := bubbleAgent(t, srv)
		var runs atomic.Int64
		add := func(i int) {
			agent.HandleFunc(coreagent.Job{Name: fmt.Sprintf("job-%d", i), Schedule: coreagent.Schedule{Cron: "0 * * * * ?", Zone: "GMT"}, Shards: 1},
				func(_ context.Context, s *coreagent.Shard) error {
					if !time.Now().Equal(s.ScheduledAt) {
						t.Errorf("%s fires at %v instead of %v", s.Job, time.Now(), s.ScheduledAt)
					}
					runs.Add(1)
					return nil
				})
		}
		add(0)
		if err := agent.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		settle := func() {
			time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute + 30*time.Second)))
			synctest.Wait()
		}
		// While the runtime moves ended goroutines between its lists, it counts up to 32 too many.
		goroutines := func() int {
			least := runtime.NumGoroutine()
			for range 10 {
				synctest.Wait()
				least = min(least, runtime.NumGoroutine())
			}
			return least
		}
		settle()
		one := goroutines()
		for i := 1; i < jobs; i++ {
			add(i)
		}
		settle()
		settle()
		// The runtime and earlier tests may have some dozens of goroutines.
		if many := goroutines(); many > one+jobs/10 {
			t.Errorf("%d goroutines with one job, %d with %d", one, many, jobs)
		}
		before := runs.Load()
		srv.ResetStats()
		for range 3 {
			settle()
		}
		if got := runs.Load() - before; got != 3*jobs {
			t.Errorf("%d runs in three minutes, want %d", got, 3*jobs)
		}
		// Jobs that fire together should be marked together.
		if stats := srv.Stats(); stats.Writes == 0 || stats.Writes > 2*3*jobs/4 || stats.Reads != 0 {
			t.Errorf("%d writes and %d reads, want a fraction of %d and 0: %v", stats.Writes, stats.Reads, 2*3*jobs, stats.Ops)
		}
		stopAll(t, agent, srv)
	})
}
