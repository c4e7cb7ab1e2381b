package scenario_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestClassConflictIsRefused starts a job with the name of a job of another class. Start should
// return that error, and the agent should stop.
func TestClassConflictIsRefused(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		namespace := zktest.Namespace(t)
		start := func(class string) (*coreagent.Agent, error) {
			agent, err := coreagent.New(coreagent.Config{
				Namespace: namespace, ZooKeeper: registry.ZooKeeper{Servers: []string{srv.Addr}},
				InstanceSuffix: class, Logger: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			agent.HandleFunc(coreagent.Job{Name: "job", Shards: 1, Class: class},
				func(context.Context, *coreagent.Shard) error { return nil })
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			return agent, agent.Start(ctx)
		}
		first, err := start("com.example.First")
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := first.Stop(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		}()
		second, err := start("com.example.Second")
		if !errors.Is(err, coreagent.ErrJobConflict) {
			t.Errorf("start with another class: %v, want ErrJobConflict", err)
		}
		select {
		case <-second.Done():
		default:
			t.Error("the refused agent is not stopped")
		}
	})
}

// TestLegacyJobIsRefused starts a job with a name that agents of ElasticJob 2.1 use. Neither
// version understands the other's data, so our agent shouldn't write anything, not even with
// Overwrite.
func TestLegacyJobIsRefused(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		const stored = `{"jobName":"job","jobClass":"com.example.Old","jobType":"SIMPLE","cron":"0 0 2 * * ?","shardingTotalCount":1}`
		b := newBesideJava(t, srv)
		b.create(b.tree.Config(), stored, zk.Persistent)
		err := b.agent.Start(t.Context())
		if !errors.Is(err, coreagent.ErrJobConflict) || !strings.Contains(err.Error(), "com.example.Old") {
			t.Errorf("start on a job of 2.1: %v, want ErrJobConflict that names its class", err)
		}
		names, _, err := b.client.Children(t.Context(), b.tree.Root())
		if err != nil || len(names) != 1 {
			t.Errorf("the job's node has the children %q (%v), want its configuration alone", names, err)
		}
		if data, _, err := b.client.Get(t.Context(), b.tree.Config()); string(data) != stored || err != nil {
			t.Errorf("the configuration became %s, %v", data, err)
		}
	})
}

// TestW02OthersServe: one of two jobs is refused. The other one should be served. The reason should
// be in the log, the registry and Explain. Once the stored job is removed, the refused job should
// be served too.
func TestW02OthersServe(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("taken")
		b.store(jobconfig.New("taken", 1), "com.example.Java")
		m := b.agent(1).serve(coreagent.Job{Name: "taken", Shards: 1, Class: "own"}, nil).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.awaitOwners("other", m.id)
		refused := m.Refused()
		if len(refused) != 1 || refused[0].Job != "taken" || !errors.Is(refused[0], coreagent.ErrJobConflict) {
			b.Fatalf("refused: %v", refused)
		}
		for _, want := range []string{"com.example.Java", "own"} {
			if reason, _ := b.get(tree.Refusal(m.id)); !strings.Contains(reason, want) {
				b.Errorf("the registry says %q, which lacks %q", reason, want)
			}
		}
		found, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Explain(b.ctx(), "taken")
		b.must(err)
		at := slices.IndexFunc(found.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeJobRefused })
		if at < 0 || found.Findings[at].Instance != m.id || found.Findings[at].Advice == "" {
			b.Errorf("explained as %+v", found.Findings)
		}
		if n := b.log.count("the job isn't served here"); n != 1 {
			b.Errorf("%d errors in the log, want one", n)
		}
		time.Sleep(10 * time.Minute)
		if n := b.log.count("the job isn't served here"); n != 1 {
			b.Errorf("%d errors in the log after ten minutes, want one", n)
		}
		_, err = b.client.Set(b.ctx(), tree.Root(), []byte("com.example.Renamed"), zk.AnyVersion)
		b.must(err)
		b.await("the new reason", func() bool {
			reason, _ := b.get(tree.Refusal(m.id))
			return strings.Contains(reason, "com.example.Renamed")
		})
		m.cut()
		b.await("the session to end", func() bool { return !b.exists(tree.Refusal(m.id)) })
		m.reconnect()
		b.await("the reason to be there again", func() bool { return b.exists(tree.Refusal(m.id)) })
		b.must(b.client.DeleteAll(b.ctx(), tree.Root()))
		b.awaitOwners("taken", m.id)
		if refused := m.Refused(); len(refused) > 0 || b.exists(tree.Refusal(m.id)) {
			b.Errorf("still refused: %v", refused)
		}
	})
}

// TestW02AddAndStrict: a job that's refused after the start should be reported the same way, and a
// strict agent shouldn't start with one.
func TestW02AddAndStrict(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		b.store(jobconfig.New("taken", 1), "com.example.Java")
		m := b.agent(1).serve(coreagent.Job{Name: "other", Shards: 1}, nil).start()
		b.must(m.Add(coreagent.Job{Name: "taken", Shards: 1, Class: "own"}, b.runs.handler(m.id, nil)))
		b.await("the refusal", func() bool { return len(m.Refused()) == 1 })
		b.must(m.Remove(b.ctx(), "taken"))
		if refused := m.Refused(); len(refused) > 0 || b.exists(b.tree.Job("taken").Refusal(m.id)) {
			b.Errorf("removed, and still refused: %v", refused)
		}
		strict := b.agent(2, func(c *coreagent.Config) { c.Strict = true }).
			serve(coreagent.Job{Name: "other", Shards: 1}, nil).serve(coreagent.Job{Name: "taken", Shards: 1, Class: "own"}, nil)
		if err := strict.Start(b.ctx()); !errors.Is(err, coreagent.ErrJobConflict) {
			b.Errorf("a strict start: %v", err)
		}
		b.awaitOwners("other", m.id)
	})
}

// TestW02Replace: if the registry would refuse the new job, Replace should fail and keep the old
// one.
func TestW02Replace(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Class: "one"}, nil).start()
		b.awaitOwners("job", m.id)
		for name, c := range map[string]struct {
			job  coreagent.Job
			want error
		}{
			"another class": {coreagent.Job{Name: "job", Shards: 1, Class: "two"}, coreagent.ErrJobConflict},
			"unknown":       {coreagent.Job{Name: "none", Shards: 1}, coreagent.ErrUnknownJob},
		} {
			if err := m.Replace(b.ctx(), c.job, b.runs.handler(m.id, nil)); !errors.Is(err, c.want) {
				b.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
		if err := m.Replace(b.ctx(), coreagent.Job{Name: "job"}, b.runs.handler(m.id, nil)); err == nil {
			b.Error("a job without shards is taken")
		}
		b.runsEverywhere("job", 1, time.Second, 10*time.Second)
		b.must(m.Replace(b.ctx(), coreagent.Job{Name: "job", Shards: 3, Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Class: "one", Overwrite: true}, b.runs.handler(m.id, nil)))
		b.awaitOwners("job", m.id, m.id, m.id)
	})
}
