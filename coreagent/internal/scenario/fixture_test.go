package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// patience is the longest wait for a condition.
const patience = waittest.Patience

// fixture is a server with its own namespace, and a record of what happened there.
type fixture struct {
	*testing.T
	addr    string
	tree    jobtree.Namespace
	client  *zk.Client // the operator's
	session time.Duration
	log     logBuffer
	runs    journal
	line    func(ctx context.Context, network, addr string) (net.Conn, error)
	fake    *zkfake.Server // in a bubble: read without a request
	wire    wire

	requested runLog
}

// onBothServers runs fn against the in-process server in virtual time and, with the build
// tag servers, against a real ZooKeeper.
func onBothServers(t *testing.T, fn func(b *fixture)) {
	t.Helper()
	t.Parallel()
	t.Run("fake", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(b *fixture, _ *zkfake.Server) { fn(b) })
	})
	zktest.OnReal(t, func(t *testing.T, srv zktest.Target) {
		t.Parallel()
		fn(newFixture(t, srv.Addr))
	})
}

// onBothServersOverTCP is onBothServers in real time, for tests with processes, other
// network connections or two different clocks.
func onBothServersOverTCP(t *testing.T, fn func(b *fixture)) {
	t.Helper()
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		t.Parallel()
		fn(newFixture(t, srv.Addr))
	})
}

// virtual reports whether time is virtual. In real time a test shouldn't check how long something
// took, because we'd measure the machine.
func (b *fixture) virtual() bool { return b.fake != nil }

func newFixture(t *testing.T, addr string) *fixture {
	t.Helper()
	return newFixtureOver(t, addr, (&net.Dialer{}).DialContext)
}

func newFixtureOver(t *testing.T, addr string, line func(ctx context.Context, network, addr string) (net.Conn, error)) *fixture {
	t.Helper()
	b := &fixture{T: t, addr: addr, session: 10 * time.Second, line: line} // Shorter in tests of an expiry.
	var err error
	if b.tree, err = jobtree.NewNamespace(zktest.Namespace(t)); err != nil {
		t.Fatal(err)
	}
	b.client = b.connect()
	t.Cleanup(func() {
		if t.Failed() || os.Getenv("FIXTURE_LOG") != "" {
			t.Logf("log of the agents:\n%s", b.log.String())
		}
	})
	return b
}

func (b *fixture) connect() *zk.Client {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{b.addr}, SessionTimeout: lasts, Dial: b.line, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { client.Close() })
	return client
}

// await waits until ok returns true. If it never does, the test fails with what.
func (b *fixture) await(what string, ok func() bool) {
	b.Helper()
	came := false
	defer func() {
		if !came {
			b.Logf("tree:\n%s", b.dump(b.tree.Root()))
		}
	}()
	pause := 10 * time.Millisecond
	if b.fake != nil {
		pause *= 10 // Virtual time is cheap, but checking isn't.
	}
	waittest.UntilEvery(b.T, pause, what, ok)
	came = true
}

// while fails the test if ok returns false at any time during d.
func (b *fixture) while(d time.Duration, what string, ok func() bool) {
	b.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for end := time.Now().Add(d); time.Now().Before(end); <-poll.C {
		if !ok() {
			b.Fatalf("does not hold: %s", what)
		}
	}
}

// ctx is for one request of the operator.
func (b *fixture) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	b.Cleanup(cancel)
	return ctx
}

func (b *fixture) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// get returns a node's data, and whether it exists.
func (b *fixture) get(path string) (string, bool) {
	b.Helper()
	if b.fake != nil {
		nodes := b.fake.Dump(path)
		if len(nodes) == 0 {
			return "", false
		}
		return string(nodes[0].Data), true
	}
	data, _, err := b.client.Get(b.ctx(), path)
	if errors.Is(err, zk.ErrNoNode) {
		return "", false
	}
	b.must(err)
	return string(data), true
}

func (b *fixture) exists(path string) bool {
	b.Helper()
	if b.fake != nil {
		return len(b.fake.Dump(path)) > 0
	}
	_, exists, err := b.client.Exists(b.ctx(), path)
	b.must(err)
	return exists
}

func (b *fixture) stat(path string) zk.Stat {
	b.Helper()
	stat, _, err := b.client.Exists(b.ctx(), path)
	b.must(err)
	return stat
}

func (b *fixture) children(path string) []string {
	b.Helper()
	if b.fake != nil {
		return childrenOf(b.fake, path)
	}
	names, _, err := b.client.Children(b.ctx(), path)
	if !errors.Is(err, zk.ErrNoNode) {
		b.must(err)
	}
	slices.Sort(names)
	return names
}

func (b *fixture) put(path, data string) {
	b.Helper()
	_, err := b.client.CreateAll(b.ctx(), path, []byte(data), zk.Persistent)
	if errors.Is(err, zk.ErrNodeExists) {
		_, err = b.client.Set(b.ctx(), path, []byte(data), zk.AnyVersion)
	}
	b.must(err)
}

func (b *fixture) delete(path string) {
	b.Helper()
	b.must(b.client.Delete(b.ctx(), path, zk.AnyVersion))
}

func (b *fixture) configure(job string, change func(c *jobconfig.Config)) {
	b.Helper()
	path := b.tree.Job(job).Config()
	data, _ := b.get(path)
	config, err := jobconfig.Decode([]byte(data))
	b.must(err)
	change(config)
	changed, err := config.Encode()
	b.must(err)
	b.put(path, string(changed))
}

func (b *fixture) config(job string) *jobconfig.Config {
	b.Helper()
	data, _ := b.get(b.tree.Job(job).Config())
	config, err := jobconfig.Decode([]byte(data))
	b.must(err)
	return config
}

// store writes a job to the tree as if another process had left it.
func (b *fixture) store(config *jobconfig.Config, class string) {
	b.Helper()
	data, err := config.Encode()
	b.must(err)
	b.put(b.tree.Job(config.Name).Root(), class)
	b.put(b.tree.Job(config.Name).Config(), string(data))
}

// owners returns the instance that owns each shard, or "".
func (b *fixture) owners(job string) []string {
	b.Helper()
	tree := b.tree.Job(job)
	owners := make([]string, len(b.children(tree.Sharding())))
	for n := range owners {
		owners[n], _ = b.get(tree.ItemInstance(n))
	}
	return owners
}

// awaitOwners waits until the shards have these owners and no resharding is pending.
func (b *fixture) awaitOwners(job string, owners ...string) {
	b.Helper()
	tree := b.tree.Job(job)
	b.await(fmt.Sprintf("shards of %s owned by %q", job, owners), func() bool {
		return !b.exists(tree.Necessary()) && !b.exists(tree.Processing()) && slices.Equal(b.owners(job), owners)
	})
}

// leftovers lists the nodes that must not remain after their work has ended.
func (b *fixture) leftovers(job string) []string {
	b.Helper()
	tree := b.tree.Job(job)
	paths := []string{tree.Necessary(), tree.Processing()}
	for _, name := range b.children(tree.Sharding()) {
		if n, ok := jobtree.ParseItem(name); ok {
			paths = append(paths, tree.ItemRunning(n), tree.ItemMisfire(n), tree.ItemFailover(n), tree.ItemFailovering(n), tree.FailoverItem(n))
		}
	}
	var found []string
	for _, path := range paths {
		if b.exists(path) {
			found = append(found, path)
		}
	}
	for _, latch := range []string{tree.ElectionLatch(), tree.FailoverLatch()} {
		found = append(found, b.children(latch)...)
	}
	return found
}

func (b *fixture) awaitTidy(job string) {
	b.Helper()
	var found []string
	defer func() {
		if len(found) > 0 {
			b.Logf("left: %q", found)
		}
	}()
	b.await("no stale node", func() bool { found = b.leftovers(job); return len(found) == 0 })
}

// fetch reads one node for zktest.Collect.
func (b *fixture) fetch(ctx context.Context, path string) (zktest.Node, []string, bool, error) {
	data, stat, err := b.client.Get(ctx, path)
	if errors.Is(err, zk.ErrNoNode) {
		return zktest.Node{}, nil, false, nil
	}
	if err != nil {
		return zktest.Node{}, nil, false, err
	}
	names, _, err := b.client.Children(ctx, path)
	return zktest.Node{Path: path, Data: data, Owner: stat.EphemeralOwner}, names, true, err
}

func (b *fixture) dump(root string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	nodes, err := zktest.Collect(ctx, root, b.fetch)
	if err != nil {
		return err.Error()
	}
	var f zktest.Formatter
	return f.Format(nodes)
}
