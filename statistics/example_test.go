package statistics_test

import (
	"context"
	"fmt"
	"log"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// List the jobs of a namespace with their status and its reason.
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
	config := jobconfig.New("invoices", 3)
	config.Cron = "0 0/5 * * * ?"
	data, err := config.Encode()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.CreateAll(ctx, job.Config(), data, zk.Persistent); err != nil {
		log.Fatal(err)
	}

	jobs, err := statistics.NewReader(client, ns).Jobs(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range jobs {
		fmt.Println(job.Name, job.Cron, job.Status)
		fmt.Println(job.Reason)
	}
	// Output:
	// invoices 0 0/5 * * * ? CRASHED
	// instances has no children: no process has registered for this job, or all are gone
}
