package coreagent_test

import (
	"context"
	"fmt"
	"log"
	"os/signal"
	"syscall"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

func sendInvoices(ctx context.Context, item, total int) error {
	fmt.Printf("sending part %d of %d\n", item, total)
	return ctx.Err()
}

// A process that sends invoices every five minutes, in three parts, together
// with every other process that runs the same program.
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
	agent.HandleFunc(coreagent.Job{Name: "invoices", Cron: "0 0/5 * * * ?", Shards: 3},
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

// A streaming dataflow job fetches and processes until nothing is left.
func ExampleDataflow() {
	var agent *coreagent.Agent // from New
	if agent == nil {
		return
	}
	err := agent.Add(coreagent.Job{Name: "ship-orders", Cron: "0 * * * * ?", Shards: 4},
		coreagent.Dataflow[order]{Streaming: true, Fetch: openOrders, Process: shipOrders})
	if err != nil {
		log.Fatal(err)
	}
}
