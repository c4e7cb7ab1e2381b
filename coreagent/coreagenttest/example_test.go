package coreagenttest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"

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
		Logger:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	agent.HandleFunc(coreagent.Job{Name: "greet", Cron: "* * * * * ?", Shards: 1, ShardParameters: "0=Beijing"},
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
