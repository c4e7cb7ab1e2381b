//go:build servers

package zktest

import (
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/testgate/sharedserver"
)

// OnReal runs fn as the subtest "real" against the shared real ZooKeeper. Without the build tag
// servers it does nothing.
func OnReal(t *testing.T, fn func(t *testing.T, srv Target)) {
	t.Helper()
	t.Run("real", func(t *testing.T) { fn(t, Real(t)) })
}

// OnOwnReal is [OnReal] with a server for this test alone.
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

// ofBinary starts the shared server of a test binary once, if packages don't share one. It ends
// with the process, because its guard notices.
var ofBinary = sync.OnceValues(LaunchShared)

// StartZooKeeper starts a test's own server and ends it with the test. The test fails if it can't
// start.
func StartZooKeeper(tb testing.TB) *ZooKeeper {
	tb.Helper()
	return StartZooKeeperWith(tb, Options{})
}

// StartZooKeeperWith is [StartZooKeeper] with options.
func StartZooKeeperWith(tb testing.TB, opts Options) *ZooKeeper {
	tb.Helper()
	dir := tb.TempDir()
	if opts.TLS != nil {
		writeStores(tb, dir, opts.TLS)
	}
	z, err := Launch(dir, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		z.Kill()
		z.explain(tb)
	})
	return z
}

func (z *ZooKeeper) explain(tb testing.TB) {
	if tb.Failed() {
		log := z.Log()
		tb.Logf("the end of ZooKeeper's log:\n%s", log[max(0, len(log)-4000):])
	}
}
