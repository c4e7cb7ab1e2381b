// Command agent is the agent process of a chaos campaign: a Go service that serves the jobs in a
// file, obeys its contexts, and writes each execution to its ledger before and after.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/metrics"
	"strings"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

type options struct {
	zookeeper, namespace, address string
	session                       time.Duration
	jobs, ledger, dsn, spool      string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	flags.StringVar(&o.zookeeper, "zookeeper", "", "addresses, separated by commas")
	flags.StringVar(&o.namespace, "namespace", "", "of the jobs")
	flags.StringVar(&o.address, "address", "", "the address to announce")
	flags.DurationVar(&o.session, "session", 5*time.Second, "session timeout")
	flags.StringVar(&o.jobs, "jobs", "", "the file of the jobs")
	flags.StringVar(&o.ledger, "ledger", "", "the file to write what happens to")
	flags.StringVar(&o.dsn, "dsn", "", "the database of the traces")
	flags.StringVar(&o.spool, "spool", "", "the folder for traces while the database is away")
	return o, flags.Parse(args)
}

// serve serves the jobs until SIGTERM, which drains, or until standard input ends, which means that
// the campaign has ended.
func serve(args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	jobs, err := ledger.ReadJobs(o.jobs)
	if err != nil {
		return err
	}
	book, err := ledger.Open(o.ledger)
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // any end of it comes from the campaign
		os.Exit(1)
	}()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	recorder, err := rdb.NewRecorder(store.Source(o.dsn), rdb.Options{Spool: o.spool, KeepTables: true})
	if err != nil {
		return err
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: o.namespace, Address: o.address, Logger: slog.Default(),
		ZooKeeper: registry.ZooKeeper{Servers: strings.Split(o.zookeeper, ","), SessionTimeout: o.session, ConnectTimeout: time.Second},
		Tracing:   &countedRecorder{recorder, book},
		Observer:  sessions{book},
	})
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if err := agent.Add(declare(job), handlerOf(job, book)); err != nil {
			return err
		}
	}
	go usage(ctx, book)
	// Start waits for ZooKeeper, which may be down for long.
	err = agent.Start(ctx)
	if err == nil {
		<-ctx.Done()
		draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		err = agent.Stop(draining)
	} else if ctx.Err() != nil {
		err = nil // It was asked to end before it served.
	}
	flushing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(err, recorder.Close(flushing))
}

func declare(j ledger.Job) coreagent.Job {
	job := coreagent.Job{
		Name: j.Name, Schedule: coreagent.Schedule{Cron: j.Cron(), SkipMisfires: !j.Misfire}, Shards: j.Shards, Class: "chaos." + j.Name,
		Unmonitored: !j.Monitor, Failover: j.Failover, EagerFailover: j.Eager,
		Strategy: coreagent.Strategy{Name: j.Strategy}, ErrorHandler: coreagent.IgnoreErrors, ReconcileInterval: time.Minute,
	}
	if j.Requested {
		job.Requests.Assign = coreagent.AssignOne
	}
	if j.Mixed {
		job.Class = javaClass
	}
	return job
}

// javaClass is the class of the job served by the Java agents of interop.
const javaClass = "elasticjob.interop.ReportingJob"

// sessions records the states of the session.
type sessions struct{ book *ledger.Writer }

func (s sessions) Observe(o coreagent.Observation) {
	if changed, ok := o.(coreagent.SessionChanged); ok {
		mustWrite(s.book, ledger.Record{What: ledger.Session, State: string(changed.State)})
	}
}

// mustWrite ends the process if its ledger can't be written, because then it can't be judged any
// more.
func mustWrite(book *ledger.Writer, r ledger.Record) {
	if err := book.Write(r); err != nil {
		fmt.Fprintln(os.Stderr, "agent: write the ledger:", err)
		os.Exit(3)
	}
}

// usage records the process's use of resources.
func usage(ctx context.Context, book *ledger.Writer) {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		metrics.Read(heap)
		mustWrite(book, ledger.Record{What: ledger.Usage, Goroutines: runtime.NumGoroutine(), Heap: int64(heap[0].Value.Uint64())})
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
