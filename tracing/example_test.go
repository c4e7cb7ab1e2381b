package tracing_test

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// printer is a sink that prints events.
type printer struct{}

func (printer) Write(_ context.Context, events []tracing.Event) error {
	for _, event := range events {
		if e := event.Execution; e != nil {
			fmt.Printf("%s shard %d running=%t success=%t\n", e.JobName, e.Item, e.Running(), e.Success)
		}
	}
	return nil
}

func ExampleAsync() {
	recorder := tracing.NewAsync(printer{}, tracing.AsyncOptions{})

	run := tracing.Execution{ID: "0198f3c2", JobName: "invoices", Item: 1, Source: tracing.SourceNormal, StartTime: time.Now()}
	recorder.RecordExecution(run)
	run.CompleteTime, run.Success = time.Now(), true
	recorder.RecordExecution(run)

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := recorder.Close(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println("written:", recorder.Stats().Written)
	// Output:
	// invoices shard 1 running=true success=false
	// invoices shard 1 running=false success=true
	// written: 2
}
