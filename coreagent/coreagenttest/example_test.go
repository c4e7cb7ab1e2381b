package coreagenttest_test

import (
	"context"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"slices"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// An agent serves a job from a server that needs no installation.
func ExampleServer() {
	server, err := coreagenttest.Listen() // in a test: NewServer(t)
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	agent, err := coreagent.New(coreagent.Config{
		Namespace: "example",
		ZooKeeper: server.ZooKeeper(),
		Logger:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	agent.HandleFunc(coreagent.Job{Name: "greet", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1, ShardParameters: "0=Beijing"},
		func(_ context.Context, s *coreagent.Shard) error {
			if ctx.Err() == nil { // once is enough
				fmt.Printf("shard %d of %d greets %s\n", s.Item, s.Total, s.Parameter)
			}
			cancel()
			return nil
		})
	if err := agent.Run(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: shard 0 of 1 greets Beijing
}

// run runs a test function like "go test".
func run(name string, test func(t *testing.T)) {
	// A verbose run would print more than the example's own output.
	verbose := flag.Lookup("test.v")
	defer func(value string) { _ = verbose.Value.Set(value) }(verbose.Value.String())
	_ = verbose.Value.Set("false")
	every := func(string, string) (bool, error) { return true, nil }
	if testing.RunTests(every, []testing.InternalTest{{Name: name, F: test}}) {
		fmt.Println("ok")
	}
}

// RunShard tests a handler with one shard.
func ExampleRunShard() {
	run("TestReport", func(t *testing.T) {
		var greeted string
		greet := coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
			greeted = s.Parameter
			return nil
		})
		job := coreagent.Job{Name: "greet", Shards: 2, ShardParameters: "0=Beijing,1=Shanghai"}
		if err := coreagenttest.RunShard(t, job, greet, 1); err != nil {
			t.Fatal(err)
		}
		if greeted != "Shanghai" {
			t.Errorf("greeted %q", greeted)
		}
	})
	// Output: ok
}

// NewCluster tests what happens when one of several agents stops.
func ExampleNewCluster() {
	run("TestTakeOver", func(t *testing.T) {
		cluster := coreagenttest.NewCluster(t, 2, func(_ int, agent *coreagent.Agent) {
			agent.HandleFunc(coreagent.Job{Name: "greet", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2},
				func(context.Context, *coreagent.Shard) error { return nil })
		})
		cluster.Await("a shard each", func() bool { return slices.Equal(cluster.Owners("greet"), []int{1, 0}) })
		cluster.Kill(1)
		cluster.Await("both shards with the survivor", func() bool { return slices.Equal(cluster.Owners("greet"), []int{0, 0}) })
	})
	// Output: ok
}
