package coreagent_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/registry"
)

func sendInvoices(ctx context.Context, shard, total int) error {
	fmt.Printf("sending part %d of %d\n", shard, total)
	return ctx.Err()
}

// A process that sends invoices every five minutes, in three parts, together with every other
// process that runs the same program.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	agent, err := coreagent.New(coreagent.Config{
		Namespace: "billing",
		ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:2181"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	agent.HandleFunc(coreagent.Job{Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 0/5 * * * ?"}, Shards: 3},
		func(ctx context.Context, s *coreagent.Shard) error {
			return sendInvoices(ctx, s.Item, s.Total)
		})

	if err := agent.Run(ctx); err != nil {
		log.Fatal(err)
	}
}

type order struct{ ID int }

func openOrders(context.Context, *coreagent.Shard) ([]order, error) { return nil, nil }
func shipOrders(context.Context, *coreagent.Shard, []order) error   { return nil }

// A streaming dataflow job fetches and processes until no data are left.
func ExampleDataflow() {
	var agent *coreagent.Agent // from New
	if agent == nil {
		return
	}
	err := agent.Add(coreagent.Job{Name: "ship-orders", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 4},
		coreagent.Dataflow[order]{Streaming: true, Fetch: openOrders, Process: shipOrders})
	if err != nil {
		log.Fatal(err)
	}
}

// A one-off job has no schedule: it runs when it's triggered, here by the process itself. The
// server is for tests; yours is a ZooKeeper.
func ExampleAgent_Trigger() {
	server, err := coreagenttest.Listen()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "billing", ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	ran := make(chan string)
	agent.HandleFunc(coreagent.Job{Name: "year-end", Shards: 1, ShardParameters: "0=2026"},
		func(_ context.Context, s *coreagent.Shard) error {
			ran <- fmt.Sprintf("closed %s, shard %d of %d", s.Parameter, s.Item, s.Total)
			return nil
		})
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if err := agent.Trigger(ctx, "year-end"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-ran)
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: closed 2026, shard 0 of 1
}

func ExampleJob_NextFires() {
	job := coreagent.Job{Name: "report", Schedule: coreagent.Schedule{Cron: "0 30 8 ? * MON-FRI", Zone: "GMT+08:00"}}
	friday := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	times, err := job.NextFires(friday, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, at := range times {
		fmt.Println(at.Format("Mon 2006-01-02 15:04 -07:00"))
	}
	// Output:
	// Mon 2026-11-23 08:30 +08:00
	// Tue 2026-11-24 08:30 +08:00
	// Wed 2026-11-25 08:30 +08:00
}
