package zkfake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// inBubble runs a test with a fake server in virtual time.
func inBubble(t *testing.T, test func(t *testing.T, srv *zkfake.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { srv.Close() })
		test(t, srv)
	})
}

func TestHoursOfPingsKeepASessionAlive(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 30*time.Second)
		mustCreate(t, client, "/mine", "x", zk.FlagEphemeral)
		time.Sleep(24 * time.Hour)
		if ok, _, err := client.Exists("/mine"); !ok || err != nil {
			t.Fatalf("exists: %v, %v", ok, err)
		}
		if pings := srv.Stats().Ops["ping"]; pings < 8000 {
			t.Errorf("%d pings in a day, want at least 8000", pings)
		}
	})
}

func TestSilentClientExpiresAfterItsTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		mute, events := dialFake(t, srv, 10*time.Second)
		watcher, _ := dialFake(t, srv, 40*time.Second)
		mustCreate(t, mute, "/mine", "x", zk.FlagEphemeral)
		_, _, gone, err := watcher.ExistsW("/mine")
		if err != nil {
			t.Fatal(err)
		}

		// The client keeps talking but nothing reaches the server.
		id := mute.SessionID()
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == id {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		start := time.Now()
		if e := <-gone; e.Type != zk.EventNodeDeleted {
			t.Fatalf("event %v", e.Type)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("expired after %v, want 10s", took)
		}
		srv.SetFault(nil)
		awaitState(t, events, zk.StateExpired)
		awaitState(t, events, zk.StateHasSession)
		if mute.SessionID() == id {
			t.Error("the expired session came back")
		}
	})
}
