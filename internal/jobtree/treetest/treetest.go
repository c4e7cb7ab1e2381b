// Package treetest creates ElasticJob trees for tests of packages that read and operate them.
//
//	text ──Plant──▶ ZooKeeper ──Dump──▶ text
//
// A tree is text with one node per line: the path below the namespace, [E] if the node is
// ephemeral, and the data behind an equals sign, as a Go string literal or bare text. Missing
// parents are created empty. A line that begins with a minus deletes the node and all below it.
//
//	job/config           = "jobName: job\nshardingTotalCount: 1\n"
//	job/servers/10.0.0.1 = ENABLED
//	job/instances/10.0.0.1@-@7 [E]
//	- job/leader/sharding/necessary
package treetest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/connection"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// Bundle is a client with its own namespace on one server.
type Bundle struct {
	Client *zk.Client
	NS     jobtree.Namespace
	Addr   string
}

// New connects to the server at addr with a new namespace, which is removed after the test.
func New(t testing.TB, addr string) *Bundle {
	t.Helper()
	ns, err := jobtree.NewNamespace(zktest.Namespace(t))
	if err != nil {
		t.Fatal(err)
	}
	return &Bundle{Client: Connect(t, addr), NS: ns, Addr: addr}
}

// Registry returns the bundle's connection for lifecycle and statistics.
func (b *Bundle) Registry() *registry.Registry { return Registry(b.Client, b.NS) }

// Registry returns a client's connection to a namespace for lifecycle and statistics.
func Registry(client *zk.Client, ns jobtree.Namespace) *registry.Registry {
	return (*registry.Registry)(connection.New(client, ns))
}

// Connect opens another session to the server at addr. It ends with the test.
func Connect(t testing.TB, addr string) *zk.Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{addr}, SessionTimeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Errorf("close the client: %v", err)
		}
	})
	return client
}

// Plant creates, sets or deletes the nodes of tree below the namespace.
func (b *Bundle) Plant(t testing.TB, tree string) {
	t.Helper()
	for _, line := range strings.Split(tree, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if name, gone := strings.CutPrefix(line, "- "); gone {
			if err := b.Client.DeleteAll(t.Context(), path.Join(b.NS.Root(), name)); err != nil {
				t.Fatal(line, err)
			}
			continue
		}
		name, text, _ := strings.Cut(line, " =")
		name = strings.TrimSpace(name)
		mode := zk.Persistent
		if bare, ok := strings.CutSuffix(name, " [E]"); ok {
			name, mode = strings.TrimSpace(bare), zk.Ephemeral
		}
		data := strings.TrimSpace(text)
		if strings.HasPrefix(data, `"`) {
			unquoted, err := strconv.Unquote(data)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			data = unquoted
		}
		b.Put(t, name, data, mode)
	}
}

// Put creates one node below the namespace, or sets its data if it exists.
func (b *Bundle) Put(t testing.TB, name, data string, mode zk.CreateMode) {
	t.Helper()
	p := path.Join(b.NS.Root(), name)
	_, err := b.Client.CreateAll(t.Context(), p, []byte(data), mode)
	if errors.Is(err, zk.ErrNodeExists) {
		_, err = b.Client.Set(t.Context(), p, []byte(data), zk.AnyVersion)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Dump lists the nodes below a path of the namespace ("" for all), sorted, in Plant's format.
func (b *Bundle) Dump(t testing.TB, below string) string {
	t.Helper()
	var lines []string
	b.dump(t, strings.TrimSuffix(path.Join(b.NS.Root(), below), "/"), &lines)
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func (b *Bundle) dump(t testing.TB, p string, lines *[]string) {
	t.Helper()
	names, _, err := b.Client.Children(t.Context(), p)
	if errors.Is(err, zk.ErrNoNode) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		child := p + "/" + name
		data, stat, err := b.Client.Get(t.Context(), child)
		if errors.Is(err, zk.ErrNoNode) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		line := strings.TrimPrefix(child, b.NS.Root()+"/")
		if stat.EphemeralOwner != 0 {
			line += " [E]"
		}
		if len(data) > 0 {
			line += fmt.Sprintf(" = %q", data)
		}
		*lines = append(*lines, line+"\n")
		b.dump(t, child, lines)
	}
}
