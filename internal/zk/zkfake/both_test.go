package zkfake_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// dialTarget connects an unmodified client over TCP.
func dialTarget(t *testing.T, addr string, timeout time.Duration) (*zk.Conn, <-chan zk.Event) {
	t.Helper()
	// The library's own channel holds six events and drops the rest. Failed connection attempts
	// during a long restart would fill it.
	events := make(chan zk.Event, 1000)
	client, _, err := zk.Connect([]string{addr}, timeout, zk.WithLogger(quiet{}), zk.WithLogInfo(false), zk.WithEventCallback(func(e zk.Event) { events <- e }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	awaitState(t, events, zk.StateHasSession)
	return client, events
}

func await(t *testing.T, events <-chan zk.Event) zk.Event {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-time.After(time.Minute):
		t.Fatal("the watch did not fire")
		return zk.Event{}
	}
}

// TestClientLibrary calls each operation of the client library once on both servers.
func TestClientLibrary(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		client, _ := dialTarget(t, srv.Addr, 10*time.Second)
		root := "/" + zktest.Namespace(t)
		mustCreate(t, client, root, "", 0)

		protected, err := client.CreateProtectedEphemeralSequential(root+"/latch-", nil, world())
		if err != nil || protected[len(protected)-10:] != "0000000000" {
			t.Errorf("protected create: %s, %v", protected, err)
		}
		if _, err := client.CreateContainer(root+"/c", nil, zk.FlagContainer, world()); err != nil {
			t.Error(err)
		}
		if _, err := client.CreateTTL(root+"/t", nil, zk.FlagTTL, world(), time.Hour); err != nil {
			t.Error(err)
		}
		if names, _, err := client.Children(root); err != nil || len(names) != 3 {
			t.Errorf("children %v, %v", names, err)
		}
		if err := client.AddAuth("digest", []byte("ada:lovelace")); err != nil {
			t.Error(err)
		}
		if _, err := client.Create(root+"/secret", []byte("x"), 0, zk.AuthACL(zk.PermAll)); err != nil {
			t.Error(err)
		}
		acl, _, err := client.GetACL(root + "/secret")
		if err != nil || !slices.Equal(acl, zk.DigestACL(zk.PermAll, "ada", "lovelace")) {
			t.Errorf("acl %v, %v", acl, err)
		}
		stranger, _ := dialTarget(t, srv.Addr, 10*time.Second)
		if _, _, err := stranger.Get(root + "/secret"); !errors.Is(err, zk.ErrNoAuth) {
			t.Errorf("a stranger reads the secret: %v", err)
		}
		if _, err := client.SetACL(root+"/secret", world(), 0); err != nil {
			t.Error(err)
		}
		if path, err := client.Sync(root); err != nil || path != root {
			t.Errorf("sync: %s, %v", path, err)
		}
		results, err := client.Multi(
			&zk.CheckVersionRequest{Path: root, Version: 0},
			&zk.CreateRequest{Path: root + "/m", Acl: world()},
			&zk.DeleteRequest{Path: root + "/missing", Version: -1},
			&zk.SetDataRequest{Path: root, Version: -1},
		)
		if !errors.Is(err, zk.ErrNoNode) || len(results) != 4 || results[0].Error != nil || results[3].Error == nil {
			t.Errorf("multi: %v, %v", results, err)
		}
		if _, err := client.IncrementalReconfig(nil, nil, -1); !errors.Is(err, zk.ErrReconfigDisabled) {
			t.Errorf("reconfig: %v", err)
		}
	})
}

// TestSilenceExpiresSession: after a client falls silent, both servers remove its ephemeral node,
// not before the timeout and at most a tick or a little machine load later.
func TestSilenceExpiresSession(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		watcher, _ := dialTarget(t, srv.Addr, 30*time.Second)
		path := "/" + zktest.Namespace(t)
		p := &probe{dial: dialTCP(srv.Addr), asked: 400}
		if err := p.connect(0); err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if p.asked != 400 {
			t.Errorf("negotiated %d ms", p.asked)
		}
		_, _, born, err := watcher.ExistsW(path)
		if err != nil {
			t.Fatal(err)
		}
		s := newStage(nil, "")
		if a, err := p.call(1, s.encode(p, []string{"create", "e", path, "x"})); err != nil || a.code != 0 {
			t.Fatal(a, err)
		}
		await(t, born)
		_, _, gone, err := watcher.ExistsW(path)
		if err != nil {
			t.Fatal(err)
		}
		await(t, gone)
		if a, err := p.call(11, nil); err != nil || !a.eof {
			t.Errorf("the connection of an expired session is still open: %+v, %v", a, err)
		}
		if err := p.connect(0); !errors.Is(err, errExpired) {
			t.Errorf("an expired session was resumed: %v", err)
		}
	})
}

// TestRestartKeepsSessions restarts both servers under a client with an ephemeral node and a watch.
func TestRestartKeepsSessions(t *testing.T) {
	zktest.EachOwn(t, func(t *testing.T, srv zktest.Own) {
		client, events := dialTarget(t, srv.Addr, time.Minute)
		session := client.SessionID()
		path := "/" + zktest.Namespace(t)
		mustCreate(t, client, path, "x", zk.FlagEphemeral)
		_, before, changed, err := client.GetW(path)
		if err != nil {
			t.Fatal(err)
		}
		srv.Restart(t)
		awaitState(t, events, zk.StateHasSession)
		if client.SessionID() != session {
			t.Error("the session did not survive")
		}
		other, _ := dialTarget(t, srv.Addr, time.Minute)
		_, after, err := other.Get(path)
		if err != nil || *after != *before {
			t.Errorf("stat %+v, %v, want %+v", after, err, before)
		}
		// Some time after connecting the client sets its watches again. An earlier change is
		// reported all the same.
		if _, err := other.Set(path, []byte("y"), 0); err != nil {
			t.Fatal(err)
		}
		if e := await(t, changed); e.Type != zk.EventNodeDataChanged {
			t.Errorf("event %v", e.Type)
		}
	})
}

// TestSecondConnectionTakesTheSession: if a session is resumed while its first connection is open,
// both servers cut the first.
func TestSecondConnectionTakesTheSession(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		first := &probe{dial: dialTCP(srv.Addr)}
		if err := first.connect(0); err != nil {
			t.Fatal(err)
		}
		defer first.close()
		second := &probe{dial: dialTCP(srv.Addr), id: first.id, passwd: first.passwd}
		if err := second.connect(0); err != nil {
			t.Fatal(err)
		}
		defer second.closeSession()
		if a, err := first.call(11, nil); err != nil || !a.eof {
			t.Errorf("the first connection is still served: %+v, %v", a, err)
		}
		if a, err := second.call(11, nil); err != nil || a.eof {
			t.Errorf("the second connection is not served: %+v, %v", a, err)
		}
	})
}
