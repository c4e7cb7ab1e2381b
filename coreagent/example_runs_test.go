package coreagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// A run with parameters, asked for by the process that serves the job or by any other.
// With a key it is placed once, however often it is asked for.
func ExampleAgent_Submit() {
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
	agent.HandleFunc(coreagent.Job{Name: "invoices", Shards: 4, Assign: coreagent.AssignOne, Retry: coreagent.Retry{Retries: 2, Backoff: time.Minute}},
		func(_ context.Context, s *coreagent.Shard) error {
			var p invoiceParams
			if err := json.Unmarshal(s.Run.Params, &p); err != nil {
				return coreagent.Permanent(err)
			}
			fmt.Println("invoices of", p.Month, "attempt", s.Run.Attempt)
			return nil
		})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	ticket, err := agent.Submit(ctx, "invoices", invoiceParams{Month: "2026-10"}, coreagent.RunOptions{Key: "invoices-2026-10"})
	if err != nil {
		log.Fatal(err)
	}
	status, err := agent.AwaitRun(ctx, "invoices", ticket.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.State)
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// invoices of 2026-10 attempt 1
	// succeeded
}
