package scenario_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// TestClassConflictIsRefused starts a job whose name belongs to another class:
// Start says so, and the agent is stopped.
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

// TestLegacyJobIsRefused starts a job of a name that agents of ElasticJob 2.1
// serve: neither understands what the other writes, so nothing is written, not
// even by an agent that overwrites.
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
