package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
)

// Operate a job of your own process: change its schedule, trigger it, and find out why an action is
// refused.
func Example() {
	ctx := context.Background()
	server, err := coreagenttest.Listen() // yours is a ZooKeeper
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	quiet := slog.New(slog.DiscardHandler)

	// This process serves the job.
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "billing", ZooKeeper: server.ZooKeeper(), Address: "10.0.0.1", InstanceSuffix: "7", Logger: quiet,
	})
	if err != nil {
		log.Fatal(err)
	}
	agent.HandleFunc(coreagent.Job{Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?"}, Shards: 3},
		func(context.Context, *coreagent.Shard) error { return nil })
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}

	// This is the operator's part.
	reg, err := registry.Open(ctx, registry.Config{Namespace: "billing", ZooKeeper: server.ZooKeeper(), Logger: quiet})
	if err != nil {
		log.Fatal(err)
	}
	operator := lifecycle.NewOperator(reg)
	before, after, err := operator.EditConfig(ctx, "invoices", "", func(c *jobconfig.Config) error {
		c.Cron = "0 0/5 * * * ?"
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(before.Config.Cron, "→", after.Config.Cron)

	outcome, err := operator.Trigger(ctx, "invoices")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("triggered", outcome.Affected)

	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	_, err = operator.Trigger(ctx, "invoices")
	if failed, ok := errors.AsType[*lifecycle.Error](err); ok {
		fmt.Println(failed)
		fmt.Println("hint:", failed.Hint)
	}
	if err := reg.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0 0 3 * * ? → 0 0/5 * * * ?
	// triggered [10.0.0.1@-@7]
	// trigger job "invoices": no live instance: no instance is registered
	// hint: start a process that serves the job
}
