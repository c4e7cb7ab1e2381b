package zk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// plantReadings creates nodes of all kinds, more than fit in a request, and returns readings of
// each.
func plantReadings(t *testing.T, c *Client, root string) (list []Reading) {
	t.Helper()
	for n := range readAtOnce {
		path := fmt.Sprintf("%s/节点 %d", root, n)
		mustCreate(t, c, path, strings.Repeat("é", n), Persistent)
		for k := range n % 3 {
			mustCreate(t, c, fmt.Sprintf("%s/child %d", path, k), "", Ephemeral)
		}
		list = append(list, Reading{Path: path}, Reading{Path: path, Children: true}, Reading{Path: path + "/absent"}, Reading{Path: path + "/absent", Children: true})
	}
	return list
}

// TestReadAll: results should equal single reads, and each node should be watched.
func TestReadAll(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		list := plantReadings(t, c, root)
		var got paths
		defer c.Route(root, got.add)()
		results, err := c.Many().ReadAll(t.Context(), list)
		if err != nil || len(results) != len(list) {
			t.Fatal(len(results), err)
		}
		for i, r := range list {
			compareReading(t, c, r, results[i])
		}
		if early := got.take(); len(early) > 0 {
			t.Errorf("events of unchanged nodes: %v", early)
		}
		var want []string
		for n := range readAtOnce {
			path := fmt.Sprintf("%s/节点 %d", root, n)
			mustCreate(t, c, path+"/absent", "", Persistent) // one event for the node, and one for its parent's children
			if _, err := c.Set(t.Context(), path, nil, AnyVersion); err != nil {
				t.Fatal(err)
			}
			want = append(want, path, path, path+"/absent")
		}
		events := got.take() // The reply to the last change comes after all of them.
		slices.Sort(want)
		slices.Sort(events)
		if !slices.Equal(events, want) {
			t.Errorf("%d events, want %d", len(events), len(want))
		}
	})
}

// compareReading compares with single reads.
func compareReading(t *testing.T, c *Client, r Reading, got Read) {
	t.Helper()
	if r.Children {
		names, _, err := c.Children(t.Context(), r.Path)
		slices.Sort(names)
		slices.Sort(got.Children)
		if !slices.Equal(got.Children, names) || !errors.Is(err, got.Err) {
			t.Errorf("children of %s: %v %v, want %v %v", r.Path, got.Children, got.Err, names, err)
		}
		return
	}
	data, stat, err := c.Get(t.Context(), r.Path)
	if !bytes.Equal(got.Data, data) || got.Stat != stat && err == nil || !errors.Is(err, got.Err) {
		t.Errorf("%s: %q %+v %v, want %q %+v %v", r.Path, got.Data, got.Stat, got.Err, data, stat, err)
	}
}

// TestReadAllWithinAChroot: paths and events are relative to the chroot.
func TestReadAllWithinAChroot(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		mustCreate(t, mustConnect(t, targetConfig(t, srv)), root+"/a", "text", Persistent)
		cfg := targetConfig(t, srv)
		cfg.Servers = []string{cfg.Servers[0] + root}
		c := mustConnect(t, cfg)
		if _, _, err := c.Get(t.Context(), "/a"); err != nil {
			t.Fatal(err)
		}
		var got paths
		defer c.Route("/a", got.add)()
		results, err := c.Many().ReadAll(t.Context(), []Reading{{Path: "/a"}, {Path: "/", Children: true}})
		if err != nil || string(results[0].Data) != "text" || !slices.Equal(results[1].Children, []string{"a"}) {
			t.Fatal(results, err)
		}
		if _, err := c.Set(t.Context(), "/a", nil, AnyVersion); err != nil {
			t.Fatal(err)
		}
		if events := got.take(); !slices.Equal(events, []string{"/a"}) {
			t.Errorf("events %v", events)
		}
	})
}

// TestReadAllForbidden: an unreadable node should have its own error.
func TestReadAllForbidden(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		mustCreate(t, mustConnect(t, targetConfig(t, srv)), root+"/open", "text", Persistent)
		cfg := targetConfig(t, srv)
		cfg.Digest = "user:secret"
		mustCreate(t, mustConnect(t, cfg), root+"/closed", "", Persistent)
		c := mustConnect(t, targetConfig(t, srv))
		if _, _, err := c.Get(t.Context(), root); err != nil {
			t.Fatal(err)
		}
		results, err := c.Many().ReadAll(t.Context(), []Reading{{Path: root + "/closed"}, {Path: root + "/closed", Children: true}, {Path: root + "/open"}})
		if err != nil || !errors.Is(results[0].Err, ErrNoAuth) || !errors.Is(results[1].Err, ErrNoAuth) || string(results[2].Data) != "text" {
			t.Fatal(results, err)
		}
		if kept := keptWatches(c); kept != 1 {
			t.Errorf("%d watches, want only the one of the node that was read", kept)
		}
	})
}

// TestReadAllOptional: the creation of an absent optional node is not announced.
func TestReadAllOptional(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns", "", Persistent)
		results, err := c.Many().ReadAll(t.Context(), []Reading{{Path: "/ns/a", Optional: true}, {Path: "/ns/b"}, {Path: "/ns", Optional: true}})
		if err != nil || !errors.Is(results[0].Err, ErrNoNode) {
			t.Fatal(results, err)
		}
		synctest.Wait()
		if on, kept, library := srv.Stats().Watches, keptWatches(c), libraryWatches(c); on != 2 || kept != 2 || library != 0 {
			t.Errorf("%d on the server, %d kept, %d by the library", on, kept, library)
		}
	})
}

// TestReadAllOnce: nodes read once aren't watched, and need no earlier transaction.
func TestReadAllOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		mustCreate(t, mustConnect(t, testConfig(t, w)), "/ns", "text", Persistent)
		c := mustConnect(t, testConfig(t, w))
		results, err := c.Many().ReadAll(t.Context(), []Reading{{Path: "/ns", Once: true}, {Path: "/ns/absent", Once: true}})
		if err != nil || string(results[0].Data) != "text" || !errors.Is(results[1].Err, ErrNoNode) {
			t.Fatal(results, err)
		}
		results, err = c.Many().ReadAll(t.Context(), []Reading{{Path: "/ns", Once: true}, {Path: "/ns/b"}})
		if err != nil || string(results[0].Data) != "text" {
			t.Fatal(results, err)
		}
		synctest.Wait()
		if on, kept := srv.Stats().Watches, keptWatches(c); on != 1 || kept != 1 {
			t.Errorf("%d watches on the server, %d kept; want only the one of the node read without Once", on, kept)
		}
	})
}

// TestReadAllMeanwhile: a change between the read and the watch is announced before ReadAll
// returns.
func TestReadAllMeanwhile(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})
		mustCreate(t, c, "/ns/data", "old", Persistent)
		mustCreate(t, c, "/ns/list", "", Persistent)
		var got paths
		defer c.Route("/ns", got.add)()
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "setWatches" {
				return zkfake.DelayRequest(time.Second)
			}
			return zkfake.None
		})
		time.AfterFunc(500*time.Millisecond, func() {
			_, _ = other.Set(context.Background(), "/ns/data", []byte("new"), AnyVersion)
			_, _ = other.Create(context.Background(), "/ns/list/a", nil, Persistent)
			_, _ = other.Create(context.Background(), "/ns/comes", nil, Persistent)
		})
		results, err := c.Many().ReadAll(t.Context(), []Reading{{Path: "/ns/data"}, {Path: "/ns/list", Children: true}, {Path: "/ns/comes"}})
		if err != nil || string(results[0].Data) != "old" || len(results[1].Children) != 0 || !errors.Is(results[2].Err, ErrNoNode) {
			t.Fatal(results, err)
		}
		events := got.take()
		slices.Sort(events)
		if !slices.Equal(events, []string{"/ns/comes", "/ns/data", "/ns/list"}) {
			t.Errorf("events %v", events)
		}
	})
}

// TestReadAllTooLong: an oversized answer should be an error, and the connection should survive.
func TestReadAllTooLong(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		var list []Reading
		for n := range maxMultiRead/maxPacket + 2 {
			path := fmt.Sprintf("%s/%d", root, n)
			mustCreate(t, c, path, strings.Repeat("x", maxPacket-200), Persistent)
			list = append(list, Reading{Path: path})
		}
		if _, err := c.Many().ReadAll(t.Context(), list); !errors.Is(err, ErrUnavailable) {
			t.Error(err)
		}
		if results, err := c.Many().ReadAll(t.Context(), list[:3]); err != nil || len(results[2].Data) != maxPacket-200 {
			t.Error(len(results), err)
		}
		if c.Session().Epoch != 1 || c.State() != Connected {
			t.Error("the connection broke")
		}
	})
}

// oldConn replaces each multiRead with a request that the server doesn't know.
type oldConn struct {
	net.Conn
	asked *atomic.Int64
}

func (c oldConn) Write(p []byte) (int, error) {
	if r, err := wire.ParseRequest(p); err == nil && r.Op == wire.OpMultiRead {
		c.asked.Add(1)
		r.Op = 99
		p = r.Frame()
	}
	return c.Conn.Write(p)
}

// TestReadAllOfAnOldServer: a server that doesn't know the request ends the connection. The client
// asks once, and works on in the same session.
func TestReadAllOfAnOldServer(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		cfg := targetConfig(t, srv)
		var asked atomic.Int64
		dial := cfg.Dial
		if dial == nil {
			dial = new(net.Dialer).DialContext
		}
		cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(ctx, network, addr)
			return oldConn{conn, &asked}, err
		}
		c := mustConnect(t, cfg)
		path := "/" + zktest.Namespace(t)
		mustCreate(t, c, path, "", Persistent)
		for range 3 {
			if _, err := c.Many().ReadAll(t.Context(), []Reading{{Path: path}}); !errors.Is(err, ErrUnsupported) {
				t.Fatal(err)
			}
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
		if err := c.AwaitConnected(t.Context()); err != nil || c.Session().Epoch != 1 {
			t.Error(err, c.Session())
		}
	})
}

// TestReadAllOfASilentServer: if connections keep breaking under such requests, the server counts
// as one without multiRead.
func TestReadAllOfASilentServer(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns", "", Persistent)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "multiRead" {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		for tries := 1; ; tries++ {
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, err := c.Many().ReadAll(t.Context(), []Reading{{Path: "/ns"}})
			if errors.Is(err, ErrUnsupported) {
				if tries != maxBroken {
					t.Errorf("refused after %d tries, want %d", tries, maxBroken)
				}
				return
			}
			if !errors.Is(err, ErrUnavailable) || tries > maxBroken {
				t.Fatalf("try %d: %v", tries, err)
			}
			synctest.Wait() // The client has noticed the broken connection.
		}
	})
}

// TestReadsOf: too few results, or results of another kind, are an error.
func TestReadsOf(t *testing.T) {
	t.Parallel()
	step := func(op wire.Op) wire.Request { return wire.Request{Header: wire.Header{Op: op}} }
	request := &wire.Request{Steps: []wire.Request{step(wire.OpGetData), step(wire.OpGetChildren), step(wire.OpGetData)}}
	answer := wire.Result{Results: []wire.Result{
		{Op: wire.OpGetData, Data: []byte("hi")},
		{Op: wire.OpGetChildren, Children: []string{"x"}},
		{Op: wire.OpError, Code: wire.CodeNoNode},
	}}
	results, err := readsOf(request, answer)
	if err != nil || string(results[0].Data) != "hi" || !slices.Equal(results[1].Children, []string{"x"}) || !errors.Is(results[2].Err, ErrNoNode) {
		t.Fatal(results, err)
	}
	for n := range answer.Results {
		if _, err := readsOf(request, wire.Result{Results: answer.Results[:n]}); !errors.Is(err, errMultiRead) {
			t.Errorf("the first %d results are an answer: %v", n, err)
		}
	}
	answer.Results[0].Op = wire.OpGetChildren
	if _, err := readsOf(request, answer); !errors.Is(err, errMultiRead) {
		t.Errorf("children in the place of data are an answer: %v", err)
	}
}
