package coreagenttest_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// TestClusterFailsOver runs in virtual time. Of three agents one is killed and one is stopped, and
// the last one should get all shards.
func TestClusterFailsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { clusterFailsOver(t) })
}

// TestClusterInRealTime does the same without a bubble.
func TestClusterInRealTime(t *testing.T) {
	t.Parallel()
	clusterFailsOver(t)
}

func clusterFailsOver(t *testing.T) {
	var mu sync.Mutex
	runs := make(map[int]int)
	cluster := coreagenttest.NewCluster(t, 3, func(number int, agent *coreagent.Agent) {
		agent.HandleFunc(coreagent.Job{Name: "report", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 6},
			func(context.Context, *coreagent.Shard) error {
				mu.Lock()
				defer mu.Unlock()
				runs[number]++
				return nil
			})
	})
	owned := func(want ...int) func() bool {
		return func() bool { return slices.Equal(cluster.Owners("report"), want) }
	}
	cluster.Await("two shards each", owned(2, 2, 1, 1, 0, 0))
	cluster.Await("all agents run", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(runs) == 3
	})
	cluster.Kill(2)
	cluster.Await("three shards each", owned(1, 1, 1, 0, 0, 0))
	if err := cluster.Agents[1].Stop(t.Context()); err != nil {
		t.Error(err)
	}
	cluster.Await("all shards", owned(0, 0, 0, 0, 0, 0))
	if owners := cluster.Owners("none"); owners != nil {
		t.Errorf("owners of a job that is not there: %v", owners)
	}
}

// TestClusterKillsDuringARun: the run should end before another agent gets the shard.
func TestClusterKillsDuringARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var cause error
		var order []int
		cluster := coreagenttest.NewCluster(t, 2, func(number int, agent *coreagent.Agent) {
			agent.HandleFunc(coreagent.Job{Name: "report", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1},
				func(ctx context.Context, _ *coreagent.Shard) error {
					mu.Lock()
					order = append(order, number)
					mu.Unlock()
					if number == 1 {
						<-ctx.Done()
						mu.Lock()
						cause = context.Cause(ctx)
						mu.Unlock()
					}
					return nil
				})
		})
		ran := func(number int) func() bool {
			return func() bool {
				mu.Lock()
				defer mu.Unlock()
				return slices.Contains(order, number)
			}
		}
		cluster.Await("a run", ran(1))
		cluster.Kill(1)
		cluster.Await("the other agent runs", ran(0))
		mu.Lock()
		defer mu.Unlock()
		if !errors.Is(cause, coreagent.ErrSessionLost) {
			t.Errorf("the run ended with %v", cause)
		}
	})
}

// TestRunShard: the handler should get the same shard as in an agent.
func TestRunShard(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	job := coreagent.Job{Name: "report", Shards: 3, ShardParameters: "0=a,2=c", Parameter: "p", Props: map[string]string{"k": "v"}, Timeout: 20 * time.Millisecond}
	var got coreagent.Shard
	err := coreagenttest.RunShard(t, job, coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		got = *s
		s.Log.InfoContext(ctx, "runs")
		<-ctx.Done()
		return errors.Join(boom, context.Cause(ctx))
	}), 2)
	if !errors.Is(err, boom) || !errors.Is(err, coreagent.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	if got.Job != "report" || got.Item != 2 || got.Total != 3 || got.Parameter != "c" || got.JobParameter != "p" || got.Props["k"] != "v" ||
		got.TaskID != "report@-@2@-@READY@-@127.0.0.1@-@1" || got.ScheduledAt.IsZero() || got.FencingToken != 1 || got.Log == nil {
		t.Errorf("shard %+v", got)
	}
}

// TestRunShardOfDataflow: streaming should end when no data are left.
func TestRunShardOfDataflow(t *testing.T) {
	t.Parallel()
	left := []int{1, 2, 3, 4, 5}
	var batches [][]int
	flow := coreagent.Dataflow[int]{
		Streaming: true,
		Fetch: func(context.Context, *coreagent.Shard) ([]int, error) {
			n := min(2, len(left))
			batch := left[:n]
			left = left[n:]
			return batch, nil
		},
		Process: func(_ context.Context, _ *coreagent.Shard, data []int) error {
			batches = append(batches, data)
			return nil
		},
	}
	if err := coreagenttest.RunShard(t, coreagent.Job{Name: "flow", Shards: 1}, flow, 0); err != nil {
		t.Error(err)
	}
	if len(batches) != 3 || len(batches[2]) != 1 {
		t.Errorf("batches %v", batches)
	}
}

// failing records that a test was ended instead of ending it.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Fatalf(string, ...any) { f.failed = true; panic(f) }

// TestRunShardRefuses: RunShard should refuse the same jobs as an agent.
func TestRunShardRefuses(t *testing.T) {
	t.Parallel()
	nop := coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil })
	for name, c := range map[string]struct {
		job     coreagent.Job
		handler coreagent.Handler
		item    int
	}{
		"no shards":       {coreagent.Job{Name: "job"}, nop, 0},
		"shard too large": {coreagent.Job{Name: "job", Shards: 2}, nop, 2},
		"negative shard":  {coreagent.Job{Name: "job", Shards: 2}, nop, -1},
		"nil handler":     {coreagent.Job{Name: "job", Shards: 2}, nil, 0},
		"broken dataflow": {coreagent.Job{Name: "job", Shards: 2}, coreagent.Dataflow[int]{}, 0},
	} {
		refuses(t, name, func(tb testing.TB) { _ = coreagenttest.RunShard(tb, c.job, c.handler, c.item) })
	}
}

// refuses expects that a call fails the test instead of panicking.
func refuses(t *testing.T, what string, call func(tb testing.TB)) {
	t.Helper()
	f := &failing{TB: t}
	defer func() {
		if r := recover(); r != f || !f.failed {
			t.Errorf("%s: accepted (%v)", what, r)
		}
	}()
	call(f)
}

// TestW98ClusterRefuses: a cluster should refuse invalid calls, and use a living agent.
func TestW98ClusterRefuses(t *testing.T) {
	prepare := func(_ int, agent *coreagent.Agent) {
		agent.HandleFunc(coreagent.Job{Name: "job", Shards: 1}, func(context.Context, *coreagent.Shard) error { return nil })
	}
	for name, call := range map[string]func(tb testing.TB){
		"no agents":      func(tb testing.TB) { coreagenttest.NewCluster(tb, 0, prepare) },
		"less than none": func(tb testing.TB) { coreagenttest.NewCluster(tb, -1, prepare) },
		"no function":    func(tb testing.TB) { coreagenttest.NewCluster(tb, 1, nil) },
		"kill -1":        func(tb testing.TB) { coreagenttest.NewCluster(tb, 1, prepare).Kill(-1) },
		"kill 1 of 1":    func(tb testing.TB) { coreagenttest.NewCluster(tb, 1, prepare).Kill(1) },
		"await nothing":  func(tb testing.TB) { coreagenttest.NewCluster(tb, 1, prepare).Await("nothing", nil) },
		"all are dead": func(tb testing.TB) {
			cluster := coreagenttest.NewCluster(tb, 1, prepare)
			cluster.Kill(0)
			cluster.Submit("job", nil, coreagent.RunOptions{})
		},
	} {
		synctest.Test(t, func(t *testing.T) { refuses(t, name, call) })
	}
	synctest.Test(t, func(t *testing.T) {
		cluster := coreagenttest.NewCluster(t, 3, prepare)
		cluster.Kill(0)
		if err := cluster.Agents[1].Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ended := cluster.AwaitRun("job", cluster.Submit("job", nil, coreagent.RunOptions{}).ID); ended.State != coreagent.StateSucceeded {
			t.Errorf("%+v", ended)
		}
	})
}
