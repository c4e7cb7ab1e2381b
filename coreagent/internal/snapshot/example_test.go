package snapshot_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/snapshot"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// The output of `echo "dump@invoices" | nc 127.0.0.1 9888`.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	server := zkfake.New(zkfake.Options{})
	defer server.Close()
	quiet := slog.New(slog.DiscardHandler)
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{"in-memory:2181"}, Dial: server.Dial, Logger: quiet})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	tree, err := jobtree.NewNamespace("billing")
	if err != nil {
		log.Fatal(err)
	}
	job := tree.Job("invoices")
	for path, data := range map[string]string{
		job.Server("10.0.0.1"): jobtree.ServerEnabled, job.LeaderInstance(): "10.0.0.1@-@4711",
	} {
		if _, err := client.CreateAll(ctx, path, []byte(data), zk.Persistent); err != nil {
			log.Fatal(err)
		}
	}

	dumps, err := snapshot.Listen(ctx, snapshot.Options{Client: client, Tree: tree, Log: quiet, Limits: snapshot.DefaultLimits})
	if err != nil {
		log.Fatal(err)
	}
	defer dumps.Close(ctx)
	conn, err := net.Dial("tcp", dumps.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintln(conn, "dump@invoices")
	text, err := io.ReadAll(conn)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.ReplaceAll(string(text), " \n", "\n")) // The bars of empty nodes are followed by a blank.
	// Output:
	// /invoices/servers |
	// /invoices/servers/ip1 | ENABLED
	// /invoices/leader |
	// /invoices/leader/election |
	// /invoices/leader/election/instance | ip1@-@4711
}
