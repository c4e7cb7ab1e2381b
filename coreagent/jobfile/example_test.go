package jobfile_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
)

func sendInvoices(context.Context, *coreagent.Shard) error { return nil }

// A service keeps its schedules in a file, shares it with Java processes, and has the code of the
// jobs that need some.
func Example() {
	file, err := jobfile.Parse(strings.NewReader(`
elasticjob:
  regCenter:
    serverLists: zk1:2181,zk2:2181
    namespace: billing
  jobs:
    invoices:
      elasticJobClass: com.acme.InvoiceJob
      cron: 0 0/5 * * * ?
      shardingTotalCount: 3
    cleanup:
      elasticJobType: SCRIPT
      cron: 0 0 3 * * ?
      shardingTotalCount: 1
      props:
        script.command.line: /usr/local/bin/cleanup
`)) // or jobfile.Load("jobs.yaml")
	if err != nil {
		log.Fatal(err)
	}
	agent, err := coreagent.New(file.Config)
	if err != nil {
		log.Fatal(err)
	}
	err = file.Add(agent, map[string]coreagent.Handler{
		"com.acme.InvoiceJob": coreagent.HandlerFunc(sendInvoices),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range file.Jobs {
		fmt.Println(job.Name, job.Shards, job.Type, job.Class)
	}
	// agent.Run(ctx) serves them.

	// Output:
	// invoices 3  com.acme.InvoiceJob
	// cleanup 1 SCRIPT
}

// All mistakes of a file are reported at once.
func ExampleParse_mistakes() {
	_, err := jobfile.Parse(strings.NewReader(`
elasticjob:
  regCenter:
    serverLists: zk1:x
    namespace: billing
  jobs:
    cleanup:
      elasticJobType: SCRIPT
      corn: 0 0 3 * * ?
`))
	fmt.Println(err)
	// Output:
	// jobs: 4 problems:
	//   line 4: elasticjob.regCenter.serverLists: "zk1:x" is not allowed; want host:port
	//   line 7: elasticjob.jobs.cleanup.shardingTotalCount: is missing; want the number of shards, 1 to 100000
	//   line 7: elasticjob.jobs.cleanup.props.script.command.line: is missing; want the command to start, such as /usr/local/bin/cleanup --all
	//   line 9: elasticjob.jobs.cleanup.corn: unknown key; did you mean cron?
}
