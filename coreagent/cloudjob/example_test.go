package cloudjob_test

import (
	"context"
	"fmt"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
)

// A program only calls [cloudjob.Main]. Run is the same with a given environment.
func Example() {
	settle := coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
		fmt.Printf("shard %d of %d settles %s\n", s.Item, s.Total, s.Parameter)
		return nil
	})
	code := cloudjob.Run(context.Background(), []string{
		"ELASTICJOB_JOB_NAME=settlement", "ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3",
		"ELASTICJOB_SHARDING_ITEM_PARAMETERS=0=Beijing,1=Shanghai,2=Turin",
		"ELASTICJOB_SCHEDULED_AT=2026-11-22T12:00:00Z", "ELASTICJOB_TASK_ID=settlement@-@1@-@READY@-@node-1@-@0193",
	}, settle)
	fmt.Println("exit code", code)
	// Output:
	// shard 1 of 3 settles Shanghai
	// exit code 0
}

// The process of a DAEMON job calls its handler at each fire time until SIGTERM; no result of a run
// ends the process. Here the second run ends it by its context.
func ExampleRun_daemon() {
	ctx, stop := context.WithCancelCause(context.Background())
	runs := 0
	settle := coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
		if runs++; runs == 2 {
			stop(coreagent.ErrStopping)
		}
		return fmt.Errorf("the ledger of %s is closed", s.Parameter)
	})
	code := cloudjob.Run(ctx, []string{
		"ELASTICJOB_JOB_NAME=settlement", "ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_CRON=* * * * * ?", "ELASTICJOB_TIME_ZONE=Europe/Berlin",
		"ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3", "ELASTICJOB_SHARDING_ITEM_PARAMETERS=0=Beijing,1=Shanghai,2=Turin",
		"ELASTICJOB_TASK_ID=settlement@-@1@-@READY@-@node-1@-@0193",
	}, settle)
	fmt.Println("exit code", code, "after", runs, "runs")
	// Output:
	// exit code 0 after 2 runs
}

// RunLocal tries a handler without a scheduler.
func ExampleRunLocal() {
	settle := coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
		return fmt.Errorf("the ledger of %s is closed", s.Parameter)
	})
	job := coreagent.Job{Name: "settlement", Shards: 3, ShardParameters: "0=Beijing,1=Shanghai,2=Turin"}
	fmt.Println(cloudjob.RunLocal(context.Background(), settle, job, 2))
	// Output:
	// the ledger of Turin is closed
}
