// Command operator operates one job from a program of its own: it disables the
// job, gives it another schedule, says why it does not run, enables it and has it
// run now.
//
//	flags ──▶ registry.Open ──┬──▶ lifecycle.NewOperator  disable, edit, enable, trigger
//	                          └──▶ statistics.NewReader   explain
//
// Start the service of examples/service first, then
//
//	go run ./examples/operator --job invoices --cron "0 0/10 * * * ?"
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func main() {
	zookeeper := flag.String("zookeeper", "127.0.0.1:2181", "the ensemble, host:port,…")
	namespace := flag.String("namespace", "billing", "the namespace of the agents")
	job := flag.String("job", "invoices", "the job to operate")
	cron := flag.String("cron", "0 0/10 * * * ?", "its new schedule")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	err := operate(ctx, *zookeeper, *namespace, *job, *cron)
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

func operate(ctx context.Context, zookeeper, namespace, job, cron string) (err error) {
	reg, err := registry.Open(ctx, registry.Config{Namespace: namespace, ZooKeeper: registry.ZooKeeper{Servers: []string{zookeeper}}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reg.Close()) }()
	operator, reader := lifecycle.NewOperator(reg), statistics.NewReader(reg)

	if _, err := operator.Disable(ctx, job); err != nil {
		return err
	}
	_, edited, err := operator.EditConfig(ctx, job, "", func(c *jobconfig.Config) error { c.Cron = cron; return nil })
	if err != nil {
		return err
	}
	why, err := reader.Explain(ctx, job)
	if err != nil {
		return err
	}
	for _, f := range why.Findings {
		fmt.Println(f.Sentence, f.Advice)
	}
	if _, err := operator.Enable(ctx, job); err != nil {
		return err
	}
	triggered, err := operator.Trigger(ctx, job)
	if err != nil {
		return err
	}
	fmt.Println(job, "runs now on", triggered.Affected, "and then at", edited.Config.Cron)
	return nil
}
