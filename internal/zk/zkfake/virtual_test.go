package zkfake_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

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

		// The client keeps sending, but the server gets nothing.
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
			t.Error("the expired session lives again")
		}
	})
}

func TestTimeoutsAreNegotiated(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		for asked, want := range map[time.Duration]time.Duration{
			time.Second:      4 * time.Second,
			10 * time.Second: 10 * time.Second,
			time.Hour:        40 * time.Second,
		} {
			client, _ := dialFake(t, srv, asked)
			for _, s := range srv.Sessions() {
				if s.ID == client.SessionID() && (s.Timeout != want || !s.Connected) {
					t.Errorf("asked for %v: session %+v, want %v", asked, s, want)
				}
			}
		}
	})
}

func TestContainersAreReaped(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 30*time.Second)
		if _, err := client.CreateContainer("/new", nil, zk.FlagContainer, world()); err != nil {
			t.Fatal(err)
		}
		if _, err := client.CreateContainer("/used", nil, zk.FlagContainer, world()); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, client, "/used/child", "", 0)
		_, _, gone, err := client.ExistsW("/used")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Minute)
		if !exists(t, client, "/used") {
			t.Fatal("a container with a child was reaped")
		}
		if err := client.Delete("/used/child", -1); err != nil {
			t.Fatal(err)
		}
		if dump := srv.Dump("/used"); len(dump) != 1 || !dump[0].Container {
			t.Errorf("dump %+v", dump)
		}
		start := time.Now()
		if e := <-gone; e.Type != zk.EventNodeDeleted {
			t.Errorf("event %v", e.Type)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("reaped after %v", took)
		}
		if !exists(t, client, "/new") {
			t.Error("a container that was never used was reaped")
		}
	})
}

func TestNodesWithTimeToLiveAreReaped(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 30*time.Second)
		if _, err := client.CreateTTL("/t", nil, zk.FlagTTL, world(), 90*time.Second); err != nil {
			t.Fatal(err)
		}
		if dump := srv.Dump("/t"); len(dump) != 1 || dump[0].TTL != 90*time.Second {
			t.Errorf("dump %+v", dump)
		}
		time.Sleep(80 * time.Second)
		if _, err := client.Set("/t", nil, -1); err != nil { // restarts its time to live
			t.Fatal(err)
		}
		time.Sleep(80 * time.Second)
		if !exists(t, client, "/t") {
			t.Fatal("reaped too early")
		}
		time.Sleep(2 * time.Minute)
		if exists(t, client, "/t") {
			t.Error("not reaped")
		}
	})
}

func TestManyNodesAndADayOfTraffic(t *testing.T) {
	start := time.Now()
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		client, _ := dialFake(t, srv, 30*time.Second)
		mustCreate(t, client, "/jobs", "", 0)
		for i := range 200 {
			ops := make([]any, 0, 100)
			for j := range 100 {
				ops = append(ops, &zk.CreateRequest{Path: fmt.Sprintf("/jobs/%d", i*100+j), Acl: world()})
			}
			if _, err := client.Multi(ops...); err != nil {
				t.Fatal(err)
			}
		}
		st := srv.Stats()
		if st.Nodes != 20_000+5 || st.Writes != 201 || st.Ops["multi"] != 200 {
			t.Errorf("nodes %d, writes %d, ops %v", st.Nodes, st.Writes, st.Ops)
		}
		srv.ResetStats()
		for i := range 24 * 60 * 10 { // a write and a read every 6 s
			time.Sleep(6 * time.Second)
			path := fmt.Sprintf("/jobs/%d", i%20_000)
			if _, err := client.Set(path, nil, -1); err != nil {
				t.Fatal(err)
			}
			if _, _, err := client.Get(path); err != nil {
				t.Fatal(err)
			}
		}
		if st := srv.Stats(); st.Reads != 14_400 || st.Writes != 14_400 {
			t.Errorf("reads %d, writes %d", st.Reads, st.Writes)
		}
	})
	t.Logf("20,000 nodes and a day of traffic in %v", time.Since(start))
}
