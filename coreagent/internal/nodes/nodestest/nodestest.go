// Package nodestest connects tests to the nodes of a job on a simulated server.
//
//	test ──Connect──▶ client ──▶ zkfake.Server: /ns/job
package nodestest

import (
	"log/slog"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// Connect returns the nodes of the job "job" in the namespace "ns" as seen by a new client of srv.
// The tree is empty at first. log is the nodes' log. The client is closed when the test ends.
func Connect(tb testing.TB, srv *zkfake.Server, log *slog.Logger) *nodes.Nodes {
	tb.Helper()
	namespace, err := jobtree.NewNamespace("ns")
	if err != nil {
		tb.Fatal(err)
	}
	client, err := zk.Connect(tb.Context(), zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Close() }) // the test has already checked the replies
	return nodes.New(client, namespace.Job("job"), log)
}
