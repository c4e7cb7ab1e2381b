package zktest_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type quiet struct{}

func (quiet) Printf(string, ...any) {}

// impatient is a connection whose first answer is not long in coming. A server that starts
// may leave a session request unanswered, and the library would wait for ten times two
// thirds of the session timeout.
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
	// The library's own channel holds six events and drops the rest: attempts to
	// reach a server that takes long to restart fill it.
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

func TestEachGivesWorkingServers(t *testing.T) {
	var names []string
	zktest.EachOwn(t, func(t *testing.T, srv zktest.Own) {
		names = append(names, srv.Name)
		client, events := connect(t, srv.Addr)
		path := "/" + zktest.Namespace(t)
		create(t, client, path, 0)
		for e := range events {
			if e.State == zk.StateHasSession {
				break
			}
		}
		srv.Restart(t)
		for e := range events {
			if e.State == zk.StateHasSession {
				break
			}
		}
		if ok, _, err := client.Exists(path); !ok || err != nil {
			t.Fatalf("after the restart: exists %v, %v", ok, err)
		}
	})
	if got := strings.Join(names, " "); got != "fake real" {
		t.Errorf("ran %q", got)
	}
}

// A server starts again at its address although another process was given the same
// port meanwhile, as any port on 127.0.0.1.
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
