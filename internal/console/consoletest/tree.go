package consoletest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TreeBench is a console over a tree.
type TreeBench struct {
	*Bench
	Tree *treetest.Bundle
}

// EachTree runs a test on a console over a planted tree, in the in-process
// server and in a real ZooKeeper.
func EachTree(t *testing.T, tree string, fn func(t *testing.T, b TreeBench)) {
	t.Helper()
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		bundle := treetest.New(t, srv.Addr)
		bundle.Plant(t, tree)
		b := New(t, func(o *app.Options) {
			o.Jobs = statistics.NewReader(bundle.Registry())
			o.Operator = lifecycle.NewOperator(bundle.Registry())
		})
		fn(t, TreeBench{b, bundle})
	})
}

// Node is the data of a node below the namespace.
func (b TreeBench) Node(t *testing.T, path string) string {
	t.Helper()
	data, _, err := b.Tree.Client.Get(t.Context(), b.Tree.NS.Root()+"/"+path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Call sends a request with a body of JSON to the API, as root.
func (b *Bench) Call(t testing.TB, method, target, body string, headers ...string) Reply {
	t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, b.URL+target, content)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+b.Token(t, auth.RoleRoot, auth.ForAPI))
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Del(name)
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	return b.Do(t, req)
}

// Into reads the answer's body.
func (r Reply) Into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Body), v); err != nil {
		t.Fatalf("%s %s: %v in %q", r.Request.Method, r.Request.URL, err, view.Clip(r.Body, 300))
	}
}

// PlantedJob is a job with servers 10.0.0.1 and 10.0.0.10, one live instance on
// each, and two shards.
func PlantedJob(name, config string) string {
	a, b := "10.0.0.1@-@7", "10.0.0.10@-@8"
	return fmt.Sprintf(`
		%[1]s = com.example.MyJob
		%[1]s/config = %[2]q
		%[1]s/servers/10.0.0.1 = ENABLED
		%[1]s/servers/10.0.0.10 = ENABLED
		%[1]s/instances/%[3]s [E] = %[4]q
		%[1]s/instances/%[5]s [E] = %[6]q
		%[1]s/sharding/0/instance = %[3]s
		%[1]s/sharding/1/instance = %[5]s
	`, name, config, a, "jobInstanceId: "+a+"\nserverIp: 10.0.0.1\n", b, "jobInstanceId: "+b+"\nserverIp: 10.0.0.10\n")
}
