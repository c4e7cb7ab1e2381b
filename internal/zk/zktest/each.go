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

// Target is a test's server in [Each].
type Target struct {
	Name string // "fake" or "real"
	Addr string // TCP address
}

// Each runs a test as the subtest "fake" against its own in-process server. With the build tag
// servers it also runs the subtest "real" against a real ZooKeeper that is shared by all tests of
// the binary, or under internal/testgate by all packages of the run. Both allow sessions from 200
// ms to 60 s. Use [Namespace] to keep out of the way of other tests, and [EachOwn] if the test
// restarts its server.
func Each(t *testing.T, fn func(t *testing.T, srv Target)) {
	t.Helper()
	t.Run("fake", func(t *testing.T) { fn(t, Fake(t)) })
	OnReal(t, fn)
}

// Own is a test's own server in [EachOwn].
type Own struct {
	Target

	restart func(tb testing.TB)
}

// Restart restarts the server at the same address with its data and sessions.
func (o Own) Restart(tb testing.TB) {
	tb.Helper()
	o.restart(tb)
}

// EachOwn is [Each], but the real server also belongs to the test alone.
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

// LaunchShared is [Launch] with a temporary folder. The caller ends the server with
// [ZooKeeper.End].
func LaunchShared() (*ZooKeeper, error) {
	dir, err := os.MkdirTemp("", "zktest-")
	if err != nil {
		return nil, fmt.Errorf("zktest: %w", err)
	}
	z, err := Launch(dir, Options{keepUntilExit: true})
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return z, nil
}

// Namespace returns a unique name without a slash, for the first element of paths.
func Namespace(tb testing.TB) string {
	tb.Helper()
	return "t-" + rand.Text()[:12]
}
