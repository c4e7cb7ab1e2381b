package zk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// An existing node has its event before WatchAbsent returns, a later one before the reply to a
// later operation.
func TestWatchAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		other := mustConnect(t, c.cfg)
		mustCreate(t, c, root+"/there", "", Persistent)
		var got paths
		c.Route(root, got.add)
		for round := range 20 {
			flag := fmt.Sprintf("%s/flag%d", root, round)
			if err := c.WatchAbsent(t.Context(), flag, root+"/there", flag+"/below"); err != nil {
				t.Fatal(err)
			}
			if list := got.take(); !slices.Equal(list, []string{root + "/there"}) {
				t.Fatalf("events %v", list)
			}
			if err := other.Multi(t.Context(), CreateOp(flag, nil, Persistent), DeleteOp(flag, AnyVersion)); err != nil {
				t.Fatal(err)
			}
			if err := c.Sync(t.Context(), "/"); err != nil {
				t.Fatal(err)
			}
			if list := got.take(); !slices.Equal(list, []string{flag}) {
				t.Fatalf("events %v, want one of %s", list, flag)
			}
		}
	})
}

// Concurrent calls should share requests, however many paths there are.
func TestWatchAbsentTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns/7-3", "", Persistent)
		var got paths
		c.Route("/ns", got.add)
		const calls, each = 100, 300
		// In a bubble the delay passes when all calls wait. Until then the first request is
		// pending, independent of the scheduler.
		srv.SetFault(func(zkfake.Request) zkfake.Fault { return zkfake.DelayRequest(time.Millisecond) })
		srv.ResetStats()
		var all sync.WaitGroup
		for i := range calls {
			all.Go(func() {
				var list []string
				for k := range each {
					list = append(list, fmt.Sprintf("/ns/%d-%d", i, k))
				}
				if err := c.WatchAbsent(t.Context(), list...); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if stats := srv.Stats(); stats.Watches != calls*each-1 || stats.Ops["setWatches"] > 6 {
			t.Errorf("%d watches, requests %v", stats.Watches, stats.Ops)
		}
		if list := got.take(); !slices.Equal(list, []string{"/ns/7-3"}) {
			t.Errorf("events %v", list)
		}
		var many []string
		for i := range 20_000 { // more than one request holds
			many = append(many, fmt.Sprintf("/ns/many-%d", i))
		}
		if err := c.WatchAbsent(t.Context(), many...); err != nil {
			t.Error(err)
		}
		if err := c.WatchAbsent(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// After a disconnection the watches are set again, except the watches that the client dropped.
// Changes in the gap are reported before the reply to any later operation. The watches end with the
// session.
func TestAbsenceAcrossReconnections(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})
		mustCreate(t, c, "/ns", "", Persistent)
		var got paths
		c.Route("/ns", got.add)
		if err := c.WatchAbsent(t.Context(), "/ns/a", "/ns/b", "/ns/c"); err != nil {
			t.Fatal(err)
		}
		c.UnwatchAbsent("/ns/c")
		srv.DropConnection(c.Session().ID)
		mustCreate(t, other, "/ns/a", "", Persistent)
		synctest.Wait()
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		if list := got.take(); !slices.Equal(list, []string{"/ns/a"}) {
			t.Errorf("events %v", list)
		}
		mustCreate(t, other, "/ns/b", "", Persistent)
		mustCreate(t, other, "/ns/c", "", Persistent)
		synctest.Wait()
		if list := got.take(); !slices.Equal(list, []string{"/ns/b"}) {
			t.Errorf("events %v", list)
		}
		if err := c.WatchAbsent(t.Context(), "/ns/d"); err != nil {
			t.Fatal(err)
		}
		srv.ExpireSession(c.Session().ID)
		time.Sleep(time.Second)
		mustCreate(t, other, "/ns/d", "", Persistent)
		synctest.Wait()
		if list := got.take(); len(list) != 0 {
			t.Errorf("events %v of a lost session", list)
		}
		if n := len(c.absences.set); n != 0 {
			t.Errorf("%d watches are remembered", n)
		}
	})
}

// Calls during a disconnection should fail as other operations do, and none should hang.
func TestWatchAbsentWhileConnectionsBreak(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})
		mustCreate(t, c, "/ns", "", Persistent)
		var lost atomic.Int64
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "setWatches" && r.Xid == ownXid && r.Seq%3 == 0 {
				lost.Add(1)
				return zkfake.LoseReply
			}
			return zkfake.None
		})
		var events atomic.Int64
		c.Route("/ns", func(string) { events.Add(1) })
		for i := range 60 {
			flag := fmt.Sprintf("/ns/%d", i)
			for {
				err := c.WatchAbsent(t.Context(), flag)
				if err == nil {
					break
				}
				if !errors.Is(err, ErrUnavailable) {
					t.Fatal(err)
				}
				if err := c.AwaitConnected(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			before := events.Load()
			if i%4 == 0 {
				srv.DropConnection(c.Session().ID)
			}
			mustCreate(t, other, flag, "", Persistent)
			synctest.Wait()
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			for c.Sync(t.Context(), "/") != nil {
				time.Sleep(time.Second)
			}
			if events.Load() == before {
				t.Fatalf("round %d: no event", i)
			}
			time.Sleep(time.Second)
		}
		if lost.Load() == 0 {
			t.Error("no answer was lost")
		}
		watchAbsentEnds(t, w, c)
	})
}

// watchAbsentEnds with its context, and with the client.
func watchAbsentEnds(t *testing.T, w *network, c *Client) {
	ctx, cancel := context.WithCancel(t.Context())
	w.setMute("", true)
	failed := make(chan error, 1)
	go func() { failed <- c.WatchAbsent(ctx, "/ns/x") }()
	synctest.Wait()
	cancel()
	if err := <-failed; !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w.setMute("", false)
	_ = c.Close()
	if err := c.WatchAbsent(t.Context(), "/ns/x"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}
