// Command service is a Go service that runs jobs: what a program of yours needs
// around an agent, in one place.
//
//	                          ┌── invoices   a function, a shard per region
//	ZooKeeper ──▶ Agent ──────┼── shipments  a dataflow: fetch and ship until nothing is left
//	                │         └── rates      an HTTP call, without code
//	                ├── rdb.Recorder  ──▶ a database     the history that the console shows
//	                ├── coreagentprom ──▶ GET /metrics
//	                └── its session   ──▶ GET /readyz    (GET /healthz: the process lives)
//
//	SIGTERM ──▶ not ready ──▶ running shards end ──▶ events are written ──▶ database and HTTP close
//
// jobs.go has what is the service's own, service.go what surrounds it, health.go
// what a load balancer or Kubernetes asks. With a ZooKeeper at hand
//
//	go run ./examples/service --zookeeper 127.0.0.1:2181
//
// serves the jobs; a second one shares their shards, and examples/operator
// operates them.
package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing/rdb/sqlite"
)

func main() {
	zookeeper := flag.String("zookeeper", "127.0.0.1:2181", "the ensemble, host:port,…")
	namespace := flag.String("namespace", "billing", "the namespace of the jobs, the same in all processes")
	listen := flag.String("listen", "127.0.0.1:8080", "where health and metrics are answered")
	dsn := flag.String("dsn", "data/service.db", "the file of the history; package rdb/mysql or rdb/postgres instead of rdb/sqlite takes a server")
	rates := flag.String("rates", "http://127.0.0.1:8080/healthz", "what the job rates calls")
	drain := flag.Duration("drain", 30*time.Second, "how long running shards may go on after SIGTERM")
	flag.Parse()

	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	s, err := open(ctx, options{
		namespace: *namespace, zookeeper: registry.ZooKeeper{Servers: strings.Split(*zookeeper, ",")},
		listen: *listen, history: sqlite.DSN(*dsn), ratesURL: *rates, drain: *drain, log: log,
	}, newShop())
	if err == nil {
		err = s.serve(ctx)
	}
	stop()
	if err != nil {
		log.Error("the service ended", slog.Any("err", err))
		os.Exit(1)
	}
}
