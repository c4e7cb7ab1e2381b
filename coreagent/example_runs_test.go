package coreagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// A run with parameters, requested by the process that serves the job or by any other. With a key
// it's placed once, however often it's requested.
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
	agent.HandleFunc(coreagent.Job{Name: "invoices", Shards: 4, Requests: coreagent.Requests{Assign: coreagent.AssignOne}, Retry: coreagent.Retry{Retries: 2, Backoff: time.Minute}},
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

// invoiceRun has the parameters of a job. Their tags are checked before a run is placed.
type invoiceRun struct {
	Month string `json:"month" param:"required;pattern=^\\d{4}-(0[1-9]|1[0-2])$;title=Month"`
	Size  int    `json:"size,omitempty" param:"min=1;max=1000;default=100"`
}

// A trigger is shared by the program that serves the job and programs that request runs: both have
// the same parameters, and errors in them are reported at once.
func ExampleTrigger() {
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
	invoices := coreagent.NewTrigger[invoiceRun]("invoices")
	err = agent.Add(coreagent.Job{Name: "invoices", Shards: 4, Requests: coreagent.Requests{Assign: coreagent.AssignOne}},
		invoices.Handler(func(_ context.Context, _ *coreagent.Shard, p invoiceRun) error {
			fmt.Println("invoices of", p.Month, "by", p.Size)
			return nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	_, err = invoices.Submit(ctx, agent, invoiceRun{Month: "October", Size: 5000}, coreagent.RunOptions{})
	if refused := (*coreagent.ParamsError)(nil); errors.As(err, &refused) {
		for _, p := range refused.Problems {
			fmt.Println(p.Path, "–", p.Text)
		}
	}
	ticket, err := invoices.Submit(ctx, agent, invoiceRun{Month: "2026-10"}, coreagent.RunOptions{Key: "invoices-2026-10"})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := agent.AwaitRun(ctx, "invoices", ticket.ID); err != nil {
		log.Fatal(err)
	}
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// month – "October" is not allowed; want text that matches ^\d{4}-(0[1-9]|1[0-2])$
	// size – 5000 is not allowed; want a whole number from 1 to 1000
	// invoices of 2026-10 by 100
}

// dues is a function that runs on a free shard of the job, in any process of the service.
var dues = coreagent.NewFunc[invoiceRun, int]("dues")

// A run as a function call: Call requests a run, waits until it has ended, and returns its handler's result.
func ExampleFunc_Call() {
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
	err = agent.Add(coreagent.Job{Name: "dues", Shards: 4, Requests: coreagent.Requests{Assign: coreagent.AssignOne}},
		dues.Handler(func(_ context.Context, _ *coreagent.Shard, p invoiceRun) (int, error) {
			if p.Month == "2026-12" {
				return 0, coreagent.Permanent(errors.New("the month has not ended"))
			}
			return 7 * p.Size, nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	sum, err := dues.Call(ctx, agent, invoiceRun{Month: "2026-10"}, coreagent.RunOptions{})
	fmt.Println(sum, err)
	_, err = dues.Call(ctx, agent, invoiceRun{Month: "2026-12"}, coreagent.RunOptions{})
	if failed := (*coreagent.RunError)(nil); errors.As(err, &failed) {
		fmt.Println(failed.Run.State, "–", slices.Collect(maps.Values(failed.Run.Errors)))
	}
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 700 <nil>
	// failed – [the month has not ended]
}
