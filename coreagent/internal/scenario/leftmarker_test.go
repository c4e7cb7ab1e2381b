package scenario_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestV11MarkerLeftByALivingJavaAgent: a Java agent leaves the running marker of a failed shard,
// and lives on. Such a marker looks like the marker of a current run, so we can't remove it on suspicion.
// Resharding should wait, Explain should name the likely reason, and an operator who names the
// instance can remove the marker.
func TestV11MarkerLeftByALivingJavaAgent(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2, Failover: true, Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}}
		one := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", one.id, one.id)
		b.put(tree.Server("10.0.0.2"), jobtree.ServerEnabled)
		_, err := b.client.Create(b.ctx(), tree.Instance(javaID), jobtree.EncodeInstance(jobtree.InstanceInfo{ID: javaID, ServerIP: "10.0.0.2"}), zk.Ephemeral)
		b.must(err)
		b.awaitOwners("job", javaID, one.id)
		sleepUntilNext(time.Minute)
		b.put(tree.ItemRunning(0), javaID)
		time.Sleep(30 * time.Second)

		operator := lifecycle.NewOperator(treetest.Registry(b.client, b.tree))
		if err := operator.ClearRunning(b.ctx(), "job", 0, javaID); !errors.Is(err, lifecycle.ErrConflict) {
			b.Errorf("the marker of half a minute ago: %v, want ErrConflict", err)
		}
		two := b.agent(3).serve(job, nil).start() // This moves the shard.
		b.put(tree.Server("10.0.0.2"), jobtree.ServerDisabled)
		time.Sleep(30 * time.Minute)
		if owner, _ := b.get(tree.ItemRunning(0)); owner != javaID || b.runs.count("job", 0) > 1 {
			b.Errorf("the marker of a living agent was removed by a guess: it is %q, and the shard ran %d times", owner, b.runs.count("job", 0))
		}
		explanation, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Explain(b.ctx(), "job")
		b.must(err)
		named := false
		for _, f := range explanation.Findings {
			named = named || f.Code == statistics.CodeOverrun && f.Instance == javaID && strings.Contains(f.Advice, "DELETE /api/jobs/job/sharding/0/running?instance=10.0.0.2%40-%401")
		}
		if !named {
			b.Errorf("Explain does not name the remedy: %.2000v", explanation.Findings)
		}

		for instance, want := range map[string]error{"": lifecycle.ErrInvalid, "10.0.0.2": lifecycle.ErrInvalid, one.id: lifecycle.ErrConflict} {
			if err := operator.ClearRunning(b.ctx(), "job", 0, instance); !errors.Is(err, want) {
				b.Errorf("confirmed with %q: %v, want %v", instance, err, want)
			}
		}
		if err := operator.ClearRunning(b.ctx(), "job", 1, javaID); !errors.Is(err, lifecycle.ErrNotFound) {
			b.Errorf("a shard without a marker: %v, want ErrNotFound", err)
		}
		b.must(operator.ClearRunning(b.ctx(), "job", 0, javaID))
		b.awaitOwners("job", two.id, one.id)
		at := sleepUntilNext(time.Minute)
		time.Sleep(time.Second)
		if counts := b.runs.completions("job", 2, at, at.Add(time.Second)); counts[0] != 1 || counts[1] != 1 {
			b.Errorf("completed %v at the next fire time", counts)
		}
	})
}

// TestV11MarkersOfGoAgentsStay: Go agents clear their markers, so a remaining marker belongs to a
// current run.
func TestV11MarkersOfGoAgentsStay(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		one := b.agent(1)
		one.serve(coreagent.Job{Name: "job", Shards: 1}, one.work(10*time.Minute)).start()
		b.awaitOwners("job", one.id)
		one.triggerHere("job")
		time.Sleep(5 * time.Minute)
		if err := lifecycle.NewOperator(treetest.Registry(b.client, b.tree)).ClearRunning(b.ctx(), "job", 0, one.id); !errors.Is(err, lifecycle.ErrConflict) {
			b.Errorf("%v, want ErrConflict", err)
		}
		if !b.exists(b.tree.Job("job").ItemRunning(0)) {
			b.Error("the marker of a run is removed")
		}
	})
}
