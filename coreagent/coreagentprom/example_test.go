package coreagentprom_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagentprom"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// An agent with counted runs. Yours should serve them with promhttp.Handler.
func Example() {
	server, err := coreagenttest.Listen() // yours is a ZooKeeper
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	registerer := prometheus.NewRegistry() // or prometheus.DefaultRegisterer
	metrics, err := coreagentprom.New(registerer, coreagentprom.Options{})
	if err != nil {
		log.Fatal(err)
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "billing", ZooKeeper: server.ZooKeeper(), Observer: metrics,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	ran := make(chan struct{})
	agent.HandleFunc(coreagent.Job{Name: "invoices", Shards: 1}, func(context.Context, *coreagent.Shard) error {
		close(ran)
		return nil
	})
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if err := agent.Trigger(ctx, "invoices"); err != nil {
		log.Fatal(err)
	}
	<-ran
	if err := agent.Stop(ctx); err != nil { // the run has ended and was counted
		log.Fatal(err)
	}
	families, err := registerer.Gather()
	if err != nil {
		log.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != "elasticjob_agent_runs_total" {
			continue
		}
		for _, series := range family.GetMetric() {
			if n := series.GetCounter().GetValue(); n > 0 {
				fmt.Println(family.GetName(), series.GetLabel()[0].GetValue(), series.GetLabel()[1].GetValue(), n)
			}
		}
	}
	// Output: elasticjob_agent_runs_total invoices success 1
}
