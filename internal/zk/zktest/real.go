//go:build servers

package zktest

import (
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/testgate/sharedserver"
)

// OnReal runs fn as the subtest "real" against the shared real ZooKeeper. Without the
// build tag servers it does nothing.
func OnReal(t *testing.T, fn func(t *testing.T, srv Target)) {
	t.Helper()
	t.Run("real", func(t *testing.T) { fn(t, Real(t)) })
}

// OnOwnReal is [OnReal] with a server that is the test's own.
func OnOwnReal(t *testing.T, fn func(t *testing.T, z *ZooKeeper)) {
	t.Helper()
	t.Run("real", func(t *testing.T) { fn(t, StartZooKeeper(t)) })
}

// Real returns the shared real server.
func Real(tb testing.TB) Target {
	tb.Helper()
	if addr := sharedserver.ZooKeeper.Addr(tb); addr != "" {
		return Target{Name: "real", Addr: addr}
	}
	z, err := ofBinary()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { z.explain(tb) })
	return Target{Name: "real", Addr: z.Addr()}
}

// ofBinary starts, once, the server that all tests of a binary share where packages
// share none. It ends with the process, whose end its guard notices.
var ofBinary = sync.OnceValues(LaunchShared)

// StartZooKeeper starts a server of its own for a test and ends it with the
// test. It fails the test if the server cannot be started.
func StartZooKeeper(tb testing.TB) *ZooKeeper {
	tb.Helper()
	return StartZooKeeperWith(tb, Options{})
}

// StartZooKeeperWith is [StartZooKeeper] with settings.
func StartZooKeeperWith(tb testing.TB, opts Options) *ZooKeeper {
	tb.Helper()
	dir := tb.TempDir()
	if opts.TLS != nil {
		writeStores(tb, dir, opts.TLS)
	}
	z, err := start(dir, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		z.Kill()
		z.explain(tb)
	})
	return z
}

// explain shows the end of the server's log if the test has failed.
func (z *ZooKeeper) explain(tb testing.TB) {
	if tb.Failed() {
		log := z.Log()
		tb.Logf("the end of ZooKeeper's log:\n%s", log[max(0, len(log)-4000):])
	}
}
