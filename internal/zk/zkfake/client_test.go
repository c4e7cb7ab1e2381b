package zkfake_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// oneHost provides a single server. It reports every round as complete, so that the client waits a
// second between failed attempts.
type oneHost string

func (oneHost) Init([]string) error    { return nil }
func (oneHost) Len() int               { return 1 }
func (h oneHost) Next() (string, bool) { return string(h), true }
func (oneHost) Connected()             {}

type quiet struct{}

func (quiet) Printf(string, ...any) {}

// dialFake connects an unmodified client through an in-memory pipe and waits for its session.
func dialFake(t *testing.T, srv *zkfake.Server, timeout time.Duration) (*zk.Conn, <-chan zk.Event) {
	t.Helper()
	client, events, err := zk.Connect([]string{"fake:1"}, timeout,
		zk.WithHostProvider(oneHost("fake:1")), zk.WithLogger(quiet{}), zk.WithLogInfo(false),
		zk.WithDialer(func(network, addr string, timeout time.Duration) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			defer cancel()
			return srv.Dial(ctx, network, addr)
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	awaitState(t, events, zk.StateHasSession)
	return client, events
}

// awaitState waits until the session reaches a state.
func awaitState(t *testing.T, events <-chan zk.Event, want zk.State) {
	t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("client closed while waiting for %v", want)
			}
			if e.Type == zk.EventSession && e.State == want {
				return
			}
		case <-deadline:
			t.Fatalf("no %v", want)
		}
	}
}

func world() []zk.ACL { return zk.WorldACL(zk.PermAll) }

func mustCreate(t *testing.T, c *zk.Conn, path, data string, flags int32) string {
	t.Helper()
	got, err := c.Create(path, []byte(data), flags, world())
	if err != nil {
		t.Fatalf("create %s: %v", path, err)
	}
	return got
}
