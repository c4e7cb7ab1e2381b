package zktest_test

import (
	"net"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type quiet struct{}

func (quiet) Printf(string, ...any) {}

// impatient limits the wait for a connection's first answer. A starting server may never answer a
// session request, and the library would wait for ten times two thirds of the session timeout.
type impatient struct {
	net.Conn
	answered bool
}

func dial(network, addr string, timeout time.Duration) (net.Conn, error) {
	nc, err := net.DialTimeout(network, addr, timeout)
	return &impatient{Conn: nc}, err
}

func (c *impatient) SetReadDeadline(at time.Time) error {
	if soon := time.Now().Add(2 * time.Second); !c.answered && at.After(soon) {
		at = soon
	}
	return c.Conn.SetReadDeadline(at)
}

func (c *impatient) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.answered = c.answered || n > 0
	return n, err
}

func connect(t *testing.T, addr string) (*zk.Conn, <-chan zk.Event) {
	t.Helper()
	// The library's own channel holds six events and drops the rest. Failed connection attempts
	// during a long restart would fill it.
	events := make(chan zk.Event, 1000)
	client, _, err := zk.Connect([]string{addr}, time.Minute, zk.WithLogger(quiet{}), zk.WithLogInfo(false), zk.WithDialer(dial), zk.WithEventCallback(func(e zk.Event) { events <- e }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, events
}

func create(t *testing.T, c *zk.Conn, path string, flags int32) {
	t.Helper()
	if _, err := c.Create(path, []byte("data"), flags, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatalf("create %s: %v", path, err)
	}
}

// A server restarts at its address although another process got the same port in the meantime, as
// is possible on 127.0.0.1.
func TestPortTakenWhileAServerRestarts(t *testing.T) {
	zktest.EachOwn(t, func(t *testing.T, srv zktest.Own) {
		_, port, err := net.SplitHostPort(srv.Addr)
		if err != nil {
			t.Fatal(err)
		}
		taken, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		srv.Restart(t)
		if reply, err := zktest.FourLetterWord(srv.Addr, "ruok"); srv.Name == "real" && (reply != "imok" || err != nil) {
			t.Errorf("%q, %v", reply, err)
		}
		client, _ := connect(t, srv.Addr)
		create(t, client, "/"+zktest.Namespace(t), 0)
	})
}
