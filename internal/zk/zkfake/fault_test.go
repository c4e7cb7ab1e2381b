package zkfake_test

import (
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// nth applies a fault to the nth request of one kind, counted from 1.
func nth(n int, op string, fault zkfake.Fault) func(zkfake.Request) zkfake.Fault {
	seen := 0
	return func(r zkfake.Request) zkfake.Fault {
		if r.Op != op {
			return zkfake.None
		}
		if seen++; seen == n {
			return fault
		}
		return zkfake.None
	}
}

func exists(t *testing.T, c *zk.Conn, path string) bool {
	t.Helper()
	ok, _, err := c.Exists(path)
	if err != nil {
		t.Fatalf("exists %s: %v", path, err)
	}
	return ok
}

func TestLoseRequest(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		session := client.SessionID()
		srv.SetFault(nth(2, "create", zkfake.LoseRequest))
		mustCreate(t, client, "/a", "x", 0)
		if _, err := client.Create("/b", nil, 0, world()); !errors.Is(err, zk.ErrConnectionClosed) {
			t.Fatalf("create with a lost request: %v", err)
		}
		awaitState(t, events, zk.StateHasSession)
		if client.SessionID() != session {
			t.Error("a lost request cost the session")
		}
		if !exists(t, client, "/a") || exists(t, client, "/b") {
			t.Error("want /a without /b")
		}
	})
}

func TestLoseReply(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		other, _ := dialFake(t, srv, 10*time.Second)
		_, _, born, err := other.ExistsW("/b")
		if err != nil {
			t.Fatal(err)
		}
		srv.SetFault(nth(1, "create", zkfake.LoseReply))
		if _, err := client.Create("/b", nil, zk.FlagEphemeral, world()); !errors.Is(err, zk.ErrConnectionClosed) {
			t.Fatalf("create with a lost reply: %v", err)
		}
		if e := <-born; e.Type != zk.EventNodeCreated {
			t.Errorf("the other client saw %v", e.Type)
		}
		awaitState(t, events, zk.StateHasSession)
		if !exists(t, client, "/b") {
			t.Error("the node is missing")
		}
	})
}

func TestLoseReplyToHandshakeLeavesAnOrphanedSession(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		srv.SetFault(nth(1, "connect", zkfake.LoseReply))
		client, _ := dialFake(t, srv, 10*time.Second)
		if n := len(srv.Sessions()); n != 2 {
			t.Fatalf("%d sessions, want the client's and the one it never heard of", n)
		}
		time.Sleep(11 * time.Second)
		left := srv.Sessions()
		if len(left) != 1 || left[0].ID != client.SessionID() {
			t.Errorf("sessions left: %v", left)
		}
	})
}

func TestDelayKeepsOrder(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 40*time.Second)
		other, _ := dialFake(t, srv, 40*time.Second)
		mustCreate(t, client, "/a", "x", 0)
		_, _, changed, err := client.GetW("/a")
		if err != nil {
			t.Fatal(err)
		}
		srv.SetFault(nth(1, "exists", zkfake.Delay(3*time.Second)))
		start := time.Now()
		slow := make(chan time.Duration)
		go func() {
			client.Exists("/a")
			slow <- time.Since(start)
		}()
		synctest.Wait()
		if _, err := other.Set("/a", []byte("y"), -1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("another connection waited %v", took)
		}
		<-changed
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("the event overtook the delayed reply: it came after %v", took)
		}
		if took := <-slow; took != 3*time.Second {
			t.Errorf("the reply came after %v", took)
		}
	})
}

func TestDelayRequestHoldsBackItsEffect(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 40*time.Second)
		other, _ := dialFake(t, srv, 40*time.Second)
		srv.SetFault(nth(1, "create", zkfake.DelayRequest(5*time.Second)))
		done := make(chan error)
		go func() {
			_, err := client.Create("/a", nil, 0, world())
			done <- err
		}()
		time.Sleep(4 * time.Second)
		if exists(t, other, "/a") {
			t.Error("the node is there too early")
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if !exists(t, other, "/a") {
			t.Error("the node is missing")
		}
	})
}

func TestDroppedWatchEvent(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 10*time.Second)
		mustCreate(t, client, "/a", "x", 0)
		var dropped []zkfake.WatchEvent
		srv.SetWatchFault(func(e zkfake.WatchEvent) bool {
			dropped = append(dropped, e)
			return true
		})
		_, _, changed, err := client.GetW("/a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Set("/a", nil, -1); err != nil {
			t.Fatal(err)
		}
		srv.SetWatchFault(nil)
		if _, err := client.Set("/a", nil, -1); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		select {
		case e := <-changed:
			t.Errorf("event %v", e.Type)
		default:
		}
		want := zkfake.WatchEvent{Session: client.SessionID(), Type: wire.NodeDataChanged, Path: "/a"}
		if len(dropped) != 1 || dropped[0] != want {
			t.Errorf("dropped %v, want %v", dropped, want)
		}
	})
}

func TestEventWithoutCause(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		mustCreate(t, client, "/a", "x", 0)
		_, _, changed, err := client.GetW("/a")
		if err != nil {
			t.Fatal(err)
		}
		event := zkfake.WatchEvent{Session: client.SessionID(), Type: wire.NodeDataChanged, Path: "/a"}
		for range 2 {
			if !srv.SendEvent(event) {
				t.Fatal("no connection")
			}
		}
		if e := <-changed; e.Type != zk.EventNodeDataChanged || e.Path != "/a" {
			t.Errorf("event %+v", e)
		}
		for range 2 { // the client's own queue shows both
			if e := <-events; e.Type != zk.EventNodeDataChanged {
				t.Errorf("event %+v", e)
			}
		}
		event.Session = 42
		if srv.SendEvent(event) {
			t.Error("sent to a session that does not exist")
		}
	})
}

func TestExpireSession(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		other, _ := dialFake(t, srv, 10*time.Second)
		mustCreate(t, client, "/mine", "x", zk.FlagEphemeral)
		if !srv.ExpireSession(client.SessionID()) {
			t.Fatal("no such session")
		}
		if exists(t, other, "/mine") {
			t.Error("the ephemeral node is still there")
		}
		awaitState(t, events, zk.StateExpired)
		awaitState(t, events, zk.StateHasSession)
		if srv.ExpireSession(42) || srv.DropConnection(42) {
			t.Error("a session that does not exist was found")
		}
	})
}

func TestDropConnectionKeepsSessionAndWatches(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		other, _ := dialFake(t, srv, 10*time.Second)
		mustCreate(t, client, "/a", "x", 0)
		_, _, changed, err := client.GetW("/a")
		if err != nil {
			t.Fatal(err)
		}
		if !srv.DropConnection(client.SessionID()) {
			t.Fatal("no such connection")
		}
		if _, err := other.Set("/a", []byte("y"), -1); err != nil {
			t.Fatal(err)
		}
		awaitState(t, events, zk.StateHasSession)
		if e := <-changed; e.Type != zk.EventNodeDataChanged {
			t.Errorf("event %v", e.Type)
		}
		if n := srv.DropConnections(); n != 2 {
			t.Errorf("dropped %d connections, want 2", n)
		}
	})
}

func TestStopAndStart(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		session := client.SessionID()
		mustCreate(t, client, "/mine", "x", zk.FlagEphemeral)
		srv.Stop()
		srv.Stop() // does nothing
		if _, err := srv.Dial(t.Context(), "tcp", ""); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("dial to a stopped server: %v", err)
		}
		if _, err := srv.Listen("127.0.0.1:0"); err == nil {
			t.Error("a stopped server listens")
		}
		time.Sleep(time.Hour) // no session expires during a stop
		if n := len(srv.Sessions()); n != 1 {
			t.Fatalf("%d sessions", n)
		}
		for len(events) > 0 { // an hour of events; the client drops those without room
			<-events
		}
		if err := srv.Start(); err != nil {
			t.Fatal(err)
		}
		awaitState(t, events, zk.StateHasSession)
		if client.SessionID() != session || !exists(t, client, "/mine") {
			t.Error("the session or its node did not survive")
		}

		srv.Stop()
		client.Close()
		if err := srv.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Second)
		if n := len(srv.Sessions()); n != 1 {
			t.Errorf("%d sessions 9 s after the restart", n)
		}
		time.Sleep(2 * time.Second)
		if n := len(srv.Sessions()); n != 0 {
			t.Errorf("%d sessions 11 s after the restart", n)
		}
	})
}

func TestHookMayStopTheServer(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, events := dialFake(t, srv, 10*time.Second)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "multi" {
				if len(r.Paths) != 2 || r.Path != "/a" || r.Paths[1] != "/b" || r.Seq == 0 || r.Session == 0 {
					t.Errorf("request %+v", r)
				}
				srv.Stop()
			}
			return zkfake.None
		})
		_, err := client.Multi(&zk.CreateRequest{Path: "/a", Acl: world()}, &zk.CreateRequest{Path: "/b", Acl: world()})
		if !errors.Is(err, zk.ErrConnectionClosed) {
			t.Fatalf("multi: %v", err)
		}
		srv.SetFault(nil)
		if err := srv.Start(); err != nil {
			t.Fatal(err)
		}
		awaitState(t, events, zk.StateHasSession)
		if exists(t, client, "/a") {
			t.Error("a stopped server carried a request out")
		}
	})
}

func TestClosedServer(t *testing.T) {
	t.Parallel()
	srv := zkfake.New(zkfake.Options{})
	for range 2 {
		if err := srv.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := srv.Start(); !errors.Is(err, zkfake.ErrClosed) {
		t.Errorf("start: %v", err)
	}
	if _, err := srv.Dial(t.Context(), "", ""); !errors.Is(err, zkfake.ErrClosed) {
		t.Errorf("dial: %v", err)
	}
	if _, err := srv.Listen("127.0.0.1:0"); !errors.Is(err, zkfake.ErrClosed) {
		t.Errorf("listen: %v", err)
	}
	srv.Stop() // does nothing
}
