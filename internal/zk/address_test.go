package zk

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestMS51OnlyConfiguredServersAreDialled: an ensemble may publish other addresses, which clients
// can't always reach. The client doesn't use them and doesn't even read /zookeeper/config.
func TestMS51OnlyConfiguredServersAreDialled(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		cfg := testConfig(t, w)
		cfg.Servers = []string{"zk-0.example:2181", "zk-1.example:2181"}
		c := mustConnect(t, cfg)
		var asked sync.Map
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			asked.Store(r.Path, true)
			return zkfake.None
		})
		for range 20 {
			srv.DropConnections()
			time.Sleep(20 * time.Second)
			srv.ExpireSession(c.Session().ID)
			time.Sleep(20 * time.Second)
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		asked.Range(func(path, _ any) bool {
			if strings.HasPrefix(path.(string), "/zookeeper") {
				t.Errorf("asked for %s", path)
			}
			return true
		})
		dialled := w.dialled()
		if len(dialled) < 20 {
			t.Errorf("only %d connections: the test proves nothing", len(dialled))
		}
		for _, addr := range dialled {
			if !slices.Contains(cfg.Servers, addr) {
				t.Errorf("dialled %s", addr)
			}
		}
	})
}

// TestMS52ServersThatMove: after its pod was replaced, a server's name resolves to another address.
// Each connection resolves the name again, so the client returns with the same session.
func TestMS52ServersThatMove(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		var mu sync.Mutex
		address, reachable := "10.0.0.1", "10.0.0.1" // the name's address, and the server's
		names := make(map[string]int)
		cfg := testConfig(t, w)
		cfg.Servers = []string{"zk-0.zk.svc:2181"}
		cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			mu.Lock()
			names[addr]++
			refused := address != reachable
			mu.Unlock()
			if refused {
				return nil, errors.New("connection refused")
			}
			return srv.Dial(ctx, network, addr)
		}
		c := mustConnect(t, cfg)
		session := c.Session()
		for _, next := range []string{"10.0.0.2", "10.0.0.3"} {
			mu.Lock()
			reachable = next
			mu.Unlock()
			srv.DropConnections()
			time.Sleep(5 * time.Second)
			if c.State() == Connected {
				t.Fatal("connected to an address without a server")
			}
			mu.Lock()
			address = next
			mu.Unlock()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			if err := c.AwaitConnected(ctx); err != nil {
				t.Fatal(err)
			}
			cancel()
		}
		if c.Session() != session {
			t.Errorf("session %+v, then %+v", session, c.Session())
		}
		if len(names) != 1 || names["zk-0.zk.svc:2181"] < 3 {
			t.Errorf("dialled %v, want the name itself each time", names)
		}
	})
}

// TestMS41FiftyThousandChildren: a list of names should arrive whole with the servers' default
// buffers, although it's larger than any request may be.
func TestMS41FiftyThousandChildren(t *testing.T) {
	const children, each = 50_000, 1_000
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		c := mustConnect(t, targetConfig(t, srv))
		root := "/" + zktest.Namespace(t)
		mustCreate(t, c, root, "", Persistent)
		bytes := 0
		for n := 0; n < children; n += each {
			ops := make([]Op, each)
			for i := range ops {
				name := fmt.Sprintf("%s/nightly-settlement-of-account-%05d", root, n+i)
				bytes += len(name) - len(root)
				ops[i] = CreateOp(name, nil, Persistent)
			}
			if err := c.Multi(t.Context(), ops...); err != nil {
				t.Fatal(err)
			}
		}
		names, _, err := c.Children(t.Context(), root)
		if err != nil || len(names) != children {
			t.Errorf("%d children, %v", len(names), err)
		}
		if bytes < 1<<20 {
			t.Errorf("only %d bytes of names: the test proves nothing", bytes)
		}
	})
}
