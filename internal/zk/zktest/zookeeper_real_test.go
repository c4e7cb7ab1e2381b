//go:build servers

package zktest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestRestartKeepsDataAndSession(t *testing.T) {
	t.Parallel()
	zookeeper := zktest.StartZooKeeper(t)
	client, events := connect(t, zookeeper.Addr())
	create(t, client, "/kept", zk.FlagEphemeral)
	session := client.SessionID()

	for _, end := range []func(){zookeeper.Stop, zookeeper.Kill} {
		end()
		if reply, err := zktest.FourLetterWord(zookeeper.Addr(), "ruok"); err == nil {
			t.Fatalf("a server that was ended answers %q", reply)
		}
		zookeeper.Restart(t)
		for e := range events {
			if e.State == zk.StateHasSession {
				break
			}
		}
		ok, _, err := client.Exists("/kept")
		for deadline := time.Now().Add(10 * time.Second); err != nil && time.Now().Before(deadline); {
			ok, _, err = client.Exists("/kept")
		}
		if !ok || err != nil {
			t.Fatalf("after the restart: exists %v, %v", ok, err)
		}
	}
	if client.SessionID() != session {
		t.Error("the session did not survive")
	}
}

func TestPauseFreezesTheServer(t *testing.T) {
	t.Parallel()
	zookeeper := zktest.StartZooKeeper(t)
	client, _ := connect(t, zookeeper.Addr())
	create(t, client, "/a", 0)
	zookeeper.Pause()
	answered := make(chan error, 1)
	go func() {
		_, _, err := client.Get("/a")
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Fatalf("a frozen server answered: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	zookeeper.Resume()
	if err := <-answered; err != nil {
		t.Fatal(err)
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
