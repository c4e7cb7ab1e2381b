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
}

// Each runs a test as the subtest "fake" against an in-process server of its own and,
// with the build tag servers, as the subtest "real" against a real ZooKeeper, which
// all tests of the binary share, under internal/testgate all packages of the run.
// Both allow sessions from 200 ms to 60 s. Use [Namespace] to stay out of the way of
// others. A test that restarts its server uses [EachOwn].
func Each(t *testing.T, fn func(t *testing.T, srv Target)) {
	t.Helper()
	t.Run("fake", func(t *testing.T) { fn(t, Fake(t)) })
	OnReal(t, fn)
}

// Own is a server that a test of [EachOwn] has for itself.
type Own struct {
	Target

	restart func(tb testing.TB)
}

// Restart stops the server and starts it again with its data and sessions at
// the same address.
func (o Own) Restart(tb testing.TB) {
	tb.Helper()
	o.restart(tb)
}

// EachOwn is [Each] with a real server that is the test's own, too.
func EachOwn(t *testing.T, fn func(t *testing.T, srv Own)) {
	t.Helper()
	t.Run("fake", func(t *testing.T) {
		srv, target := fake(t)
		fn(t, Own{target, func(tb testing.TB) {
			tb.Helper()
			srv.Stop()
			if err := srv.Start(); err != nil {
				tb.Fatal(err)
			}
		}})
	})
	OnOwnReal(t, func(t *testing.T, z *ZooKeeper) {
		fn(t, Own{Target{Name: "real", Addr: z.Addr()}, z.Restart})
	})
}

// Fake starts an in-process server with the session limits of the real one.
func Fake(tb testing.TB) Target {
	tb.Helper()
	_, target := fake(tb)
	return target
}

func fake(tb testing.TB) (*zkfake.Server, Target) {
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
	return srv, Target{Name: "fake", Addr: addr.String()}
}

// LaunchShared is [Launch] for a server whose folder is its own and goes with it.
// Who ends it calls [ZooKeeper.End].
func LaunchShared() (*ZooKeeper, error) {
	dir, err := os.MkdirTemp("", "zktest-")
	if err != nil {
		return nil, fmt.Errorf("zktest: %w", err)
	}
	z, err := start(dir, Options{keepUntilExit: true})
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return z, nil
}

// Namespace returns a name that no other test uses, to serve as the first
// element of paths. It has no slash.
func Namespace(tb testing.TB) string {
	tb.Helper()
	return "t-" + rand.Text()[:12]
}
