package zktest

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// Target is a server that a test of [Each] talks to.
type Target struct {
	Name string // Name is "fake" or "real".
	Addr string // Addr is its TCP address.

	restart func(tb testing.TB)
}

// Restart stops the server and starts it again with its data and sessions at
// the same address. The real server is shared, so a test that restarts it
// must not run in parallel with others.
func (t Target) Restart(tb testing.TB) {
	tb.Helper()
	t.restart(tb)
}

// Each runs a test twice, as the subtests "fake" and "real": against the
// in-process server, which is the test's own, and against a real ZooKeeper,
// which all tests of the binary share. Both allow sessions from 200 ms to
// 60 s. Use [Namespace] to stay out of the way of others.
func Each(t *testing.T, fn func(t *testing.T, srv Target)) {
	t.Helper()
	t.Run("fake", func(t *testing.T) { fn(t, Fake(t)) })
	t.Run("real", func(t *testing.T) { fn(t, Real(t)) })
}

// Fake starts an in-process server with the session limits of the real one.
func Fake(tb testing.TB) Target {
	tb.Helper()
	srv := zkfake.New(zkfake.Options{
		TickTime:          100 * time.Millisecond,
		MinSessionTimeout: 200 * time.Millisecond,
		MaxSessionTimeout: time.Minute,
	})
	tb.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen(net.JoinHostPort(OwnHost(), "0"))
	if err != nil {
		tb.Fatal(err)
	}
	return Target{Name: "fake", Addr: addr.String(), restart: func(tb testing.TB) {
		tb.Helper()
		srv.Stop()
		if err := srv.Start(); err != nil {
			tb.Fatal(err)
		}
	}}
}

// Real returns the shared real server.
func Real(tb testing.TB) Target {
	tb.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.real == nil && shared.err == nil {
		shared.err = startShared()
	}
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	z := shared.real
	tb.Cleanup(func() { z.explain(tb) })
	return Target{Name: "real", Addr: z.Addr(), restart: z.Restart}
}

// startShared starts the server in a folder that its guard removes.
func startShared() error {
	dir, err := os.MkdirTemp("", "zktest-")
	if err != nil {
		return fmt.Errorf("zktest: %w", err)
	}
	z, err := start(dir, Options{keepUntilExit: true})
	if err != nil {
		os.RemoveAll(dir)
		return err
	}
	shared.real = z
	return nil
}

// Namespace returns a name that no other test uses, to serve as the first
// element of paths. It has no slash.
func Namespace(tb testing.TB) string {
	tb.Helper()
	return "t-" + rand.Text()[:12]
}
