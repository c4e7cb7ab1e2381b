package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Trigger a job, and tell why it does not run.
func Example() {
	server := zkfake.New(zkfake.Options{})
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{addr.String()}})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ns, err := jobtree.NewNamespace("billing")
	if err != nil {
		log.Fatal(err)
	}
	job := ns.Job("invoices")
	config, err := jobconfig.New("invoices", 3).Encode()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.CreateAll(ctx, job.Config(), config, zk.Persistent); err != nil {
		log.Fatal(err)
	}

	operator := lifecycle.NewOperator(client, ns)
	_, err = operator.Trigger(ctx, "invoices")
	if failed, ok := errors.AsType[*lifecycle.Error](err); ok {
		fmt.Println(failed)
		fmt.Println("hint:", failed.Hint)
	}

	// An agent registers.
	for path, data := range map[string]string{
		job.Server("10.0.0.1"):       jobtree.ServerEnabled,
		job.Instance("10.0.0.1@-@7"): string(jobtree.EncodeInstance(jobtree.InstanceInfo{ID: "10.0.0.1@-@7", ServerIP: "10.0.0.1"})),
	} {
		if _, err := client.CreateAll(ctx, path, []byte(data), zk.Persistent); err != nil {
			log.Fatal(err)
		}
	}
	outcome, err := operator.Trigger(ctx, "invoices")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("triggered", outcome.Affected)
	// Output:
	// trigger job "invoices": no live instance: nobody is there to run it
	// hint: start a process that serves the job
	// triggered [10.0.0.1@-@7]
}
