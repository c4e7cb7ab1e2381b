package rdb_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/tracing/rdb/sqlite"
)

// An agent's recorder, and a query of the history. The agent closes its recorder when it stops.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	source := sqlite.DSN(filepath.Join(dir, "history.db")) // or mysql.DSN("mysql://…"), postgres.DSN("postgres://…")
	recorder, err := rdb.NewRecorder(source, rdb.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "billing", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:2181"}}, Tracing: recorder,
	})
	if err != nil {
		log.Fatal(err)
	}
	start := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	recorder.RecordExecution(tracing.Execution{ // as the agent does
		ID: "run-1", JobName: "invoices", TaskID: "invoices@-@0@-@READY@-@10.0.0.1@-@7_a", Hostname: "worker-1", IP: "10.0.0.1",
		Source: tracing.SourceNormal, StartTime: start, CompleteTime: start.Add(1500 * time.Millisecond), Success: true,
	})
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}

	db, err := rdb.Open(ctx, source, nil)
	if err != nil {
		log.Fatal(err)
	}
	page, err := rdb.NewStore(db).Executions(ctx, rdb.ExecutionFilter{JobName: "invoices", State: rdb.RunSuccess})
	if err != nil {
		log.Fatal(err)
	}
	for _, run := range page.Rows {
		fmt.Println(run.JobName, run.Item, rdb.StateOf(run), run.CompleteTime.Sub(run.StartTime))
	}
	if err := db.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: invoices 0 success 1.5s
}

// The state of a requested run, and the log lines of its handler.
func ExampleStore_RequestedRun() {
	ctx := context.Background()
	db, err := rdb.Open(ctx, sqlite.DSN(":memory:"), nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := db.Migrate(ctx); err != nil {
		log.Fatal(err)
	}
	recorder := tracing.NewAsync(rdb.NewSink(db), tracing.AsyncOptions{})
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	run := tracing.RunRecord{ID: "run-1", JobName: "invoices", State: "running", Params: `{"month":"2026-10"}`, Submitted: at, Started: at, Attempt: 1}
	recorder.RecordRun(run)
	recorder.RecordLogLine(tracing.LogLine{ExecutionID: "x-1", Seq: 1, RunID: "run-1", JobName: "invoices", Attempt: 1, At: at, Level: "INFO", Message: "712 invoices"})
	run.State, run.Ended, run.OK = "succeeded", at.Add(time.Minute), 1
	recorder.RecordRun(run)
	if err := recorder.Close(ctx); err != nil {
		log.Fatal(err)
	}

	history := rdb.NewStore(db)
	run, err = history.RequestedRun(ctx, "invoices", "run-1")
	if err != nil {
		log.Fatal(err)
	}
	lines, err := history.RunLog(ctx, rdb.LogFilter{JobName: "invoices", RunID: "run-1", Attempt: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.State, run.Params, lines[0].Message)
	if err := db.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: succeeded {"month":"2026-10"} 712 invoices
}
