package statistics_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// This example lists the jobs of a namespace with status and reason, and explains why one doesn't
// run.
func Example() {
	ctx := context.Background()
	server, err := coreagenttest.Listen() // yours is a real ZooKeeper
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	quiet := slog.New(slog.DiscardHandler)

	// This process served a job and was stopped.
	agent, err := coreagent.New(coreagent.Config{Namespace: "billing", ZooKeeper: server.ZooKeeper(), Logger: quiet})
	if err != nil {
		log.Fatal(err)
	}
	agent.HandleFunc(coreagent.Job{Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?"}, Shards: 3},
		func(context.Context, *coreagent.Shard) error { return nil })
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}

	reg, err := registry.Open(ctx, registry.Config{Namespace: "billing", ZooKeeper: server.ZooKeeper(), Logger: quiet})
	if err != nil {
		log.Fatal(err)
	}
	reader := statistics.NewReader(reg)
	jobs, err := reader.Jobs(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range jobs {
		fmt.Println(job.Name, job.Cron, job.Status)
		fmt.Println(job.Reason)
	}
	explanation, err := reader.Explain(ctx, "invoices")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(explanation.Findings[0].Sentence)
	if err := reg.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// invoices 0 0 3 * * ? CRASHED
	// instances has no children: no process has registered for this job, or all have left
	// No process serves the job: none has registered, or all have left.
}
