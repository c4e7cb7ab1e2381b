package coreagent_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// ended is a recorder that notifies about the end of a run.
type ended struct {
	once sync.Once
	ch   chan struct{}
}

func (e *ended) RecordExecution(tracing.Execution) {}
func (e *ended) RecordStatus(s tracing.Status) {
	if s.State == tracing.StateFinished || s.State == tracing.StateError {
		e.once.Do(func() { close(e.ch) })
	}
}

func runOnce(job coreagent.Job, h coreagent.Handler) { runOnceWith(coreagent.Config{}, job, h) }

func runOnceWith(cfg coreagent.Config, job coreagent.Job, h coreagent.Handler) {
	server, err := coreagenttest.Listen()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	over := &ended{ch: make(chan struct{})}
	cfg.Namespace, cfg.ZooKeeper, cfg.Tracing = "example", server.ZooKeeper(), over
	cfg.Logger = slog.New(slog.DiscardHandler)
	agent, err := coreagent.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	if err := agent.Add(job, h); err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	if err := agent.Trigger(ctx, job.Name); err != nil {
		log.Fatal(err)
	}
	<-over.ch
	if err := agent.Stop(ctx); err != nil { // waits for the run's remaining work
		log.Fatal(err)
	}
}

// A custom strategy: every shard goes to the instance that is first in alphabetical order, and the others wait.
func ExampleStrategy() {
	standby := coreagent.Strategy{
		Name: "STANDBY",
		Assign: func(instances []string, _ string, total int) map[string][]int {
			all := make([]int, total)
			for n := range all {
				all[n] = n
			}
			return map[string][]int{instances[len(instances)-1]: all} // They come in descending order.
		},
	}
	runOnce(coreagent.Job{Name: "close-books", Shards: 1, Strategy: standby},
		coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error {
			fmt.Println("closing the books")
			return nil
		}))
	// Output: closing the books
}

// A custom error handler is notified of each failure of its jobs.
func ExampleErrorHandler() {
	pager := coreagent.ErrorHandler{
		Name: "PAGER",
		Handle: func(_ context.Context, f coreagent.Failure) error {
			fmt.Printf("calling %s: job %s: %v\n", f.Props["pager.number"], f.Job, f.Err)
			return nil
		},
	}
	runOnce(coreagent.Job{Name: "invoices", Shards: 1, ErrorHandler: pager, Props: map[string]string{"pager.number": "110"}},
		coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error {
			return errors.New("the printer is out of paper")
		}))
	// Output: calling 110: job invoices: shard 0: the printer is out of paper
}

// ElasticJob's own error handlers need no registration, only properties.
func ExampleJob_errorHandler() {
	job := coreagent.Job{
		Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?"}, Shards: 1, ErrorHandler: coreagent.Email,
		Props: map[string]string{
			"email.host": "mail.example.com", "email.port": "465", "email.username": "jobs", "email.password": "secret",
			"email.from": "jobs@example.com",
		},
	}
	agent, err := coreagent.New(coreagent.Config{Namespace: "billing", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:2181"}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(agent.Add(job, coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil })))
	// Output: add job "invoices": ErrorHandler: The property `email.to` is required.
}

// A listener is notified before and after each run on its instance.
func ExampleListener() {
	stopwatch := coreagent.Listener{
		Name: "stopwatch",
		Before: func(_ context.Context, r *coreagent.LocalRun) error {
			fmt.Printf("%s: shards %v of %d begin\n", r.Job, r.Items, r.Total)
			return nil
		},
		After: func(_ context.Context, r *coreagent.LocalRun) error {
			fmt.Printf("%s: done, %d failed\n", r.Job, len(r.Failures))
			return nil
		},
	}
	runOnce(coreagent.Job{Name: "invoices", Shards: 2, Listeners: []coreagent.Listener{stopwatch}},
		coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil }))
	// Output:
	// invoices: shards [0 1] of 2 begin
	// invoices: done, 0 failed
}

// A listener with Once is notified once for all instances: before the first shard starts, and after all
// have completed.
func ExampleListener_once() {
	report := coreagent.Listener{
		Name: "report", Once: true, BeforeTimeout: 30 * time.Second, AfterTimeout: time.Hour,
		Before: func(context.Context, *coreagent.LocalRun) error {
			fmt.Println("table emptied")
			return nil
		},
		After: func(context.Context, *coreagent.LocalRun) error {
			fmt.Println("report sent")
			return nil
		},
	}
	runOnce(coreagent.Job{Name: "collect", Shards: 1, Listeners: []coreagent.Listener{report}},
		coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
			fmt.Println("shard", s.Item)
			return nil
		}))
	// Output:
	// table emptied
	// shard 0
	// report sent
}

// A custom job type: one handler for many jobs, which differ in their properties.
func ExampleConfig_types() {
	export := coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
		fmt.Printf("exporting %s as %s\n", s.Props["table"], s.Props["format"])
		return nil
	})
	runOnceWith(coreagent.Config{Types: map[string]coreagent.Handler{"EXPORT": export}},
		coreagent.Job{Name: "export-orders", Shards: 1, Type: "EXPORT", Props: map[string]string{"table": "orders", "format": "csv"}},
		nil)
	// Output: exporting orders as csv
}

// Jobs can be added and removed while the agent serves.
func ExampleAgent_Remove() {
	server, err := coreagenttest.Listen()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	agent, err := coreagent.New(coreagent.Config{Namespace: "example", ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	job := coreagent.Job{Name: "campaign", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 1}
	send := coreagent.HandlerFunc(func(context.Context, *coreagent.Shard) error { return nil })
	fmt.Println(agent.Add(job, send))
	fmt.Println(agent.Remove(ctx, "campaign"))
	fmt.Println(agent.Remove(ctx, "campaign"))
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <nil>
	// <nil>
	// remove job "campaign": no job of this name was added to this agent
}

// The dump service answers "dump@<job>" with the nodes of the job, for support.
func ExampleDump() {
	server, err := coreagenttest.Listen()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "example", ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler),
		Address: "10.0.0.1", InstanceSuffix: "1", Dump: coreagent.Dump{Port: -1},
	})
	if err != nil {
		log.Fatal(err)
	}
	agent.HandleFunc(coreagent.Job{Name: "invoices", Shards: 1}, func(context.Context, *coreagent.Shard) error { return nil })
	ctx := context.Background()
	if err := agent.Start(ctx); err != nil {
		log.Fatal(err)
	}
	conn, err := net.Dial("tcp", agent.DumpAddr().String())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(conn, "dump@invoices")
	text, err := io.ReadAll(conn)
	if err != nil {
		log.Fatal(err)
	}
	conn.Close()
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "/invoices/servers/") {
			fmt.Println(line)
		}
	}
	if err := agent.Stop(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: /invoices/servers/ip1 | ENABLED
}
