package recipe_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// The flags of a cache are watched with one request and no read. A set flag is found, and a lost
// event only matters until the next comparison, even for a flag that was set and removed.
func TestCacheFlags(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		const n = 50
		flag := func(i int) string { return fmt.Sprintf("/job/flag%d", i) }
		create(t, f.other, flag(7), "", zk.Persistent)
		for i := range n {
			f.WatchFlag(flag(i))
		}
		srv.ResetStats()
		f.refresh(t)
		if st := srv.Stats(); st.Ops["setWatches"] != 1 || st.Reads != 1 || st.Watches != n {
			t.Errorf("requests %v, %d watches", st.Ops, st.Watches)
		}
		if f.Get(flag(6)).Exists || !f.Get(flag(7)).Exists {
			t.Error("not what the server has")
		}
		events := f.Events()
		srv.ResetStats()
		f.Suspect()
		f.refresh(t)
		if st := srv.Stats(); st.Ops["setWatches"] != 1 || st.Reads != 1 || st.Watches != n || f.Events() != events {
			t.Errorf("nothing changed: requests %v, %d watches, %d events", st.Ops, st.Watches, f.Events()-events)
		}
		srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true })
		f.multi(t, zk.CreateOp(flag(1), nil, zk.Persistent), zk.DeleteOp(flag(1), 0), zk.CreateOp(flag(2), nil, zk.Persistent), zk.DeleteOp(flag(7), 0))
		synctest.Wait()
		srv.SetWatchFault(nil)
		f.Suspect()
		f.refresh(t)
		if f.Get(flag(1)).Exists || !f.Get(flag(2)).Exists || f.Get(flag(7)).Exists {
			t.Error("a change was not found")
		}
		events = f.Events()
		f.multi(t, zk.CreateOp(flag(1), nil, zk.Persistent), zk.DeleteOp(flag(2), 0), zk.CreateOp(flag(7), nil, zk.Persistent))
		f.settle(t)
		if got := f.Events() - events; got != 3 {
			t.Errorf("%d events: a watch was not set again", got)
		}
		f.refresh(t)
		for _, i := range []int{1, 7} {
			if !f.Get(flag(i)).Exists {
				t.Errorf("flag %d was not seen", i)
			}
		}
		flagsAfterReconnection(t, f, flag, srv, n)
	})
}

// flagsAfterReconnection: the watches are set again in one request, which may be lost.
func flagsAfterReconnection(t *testing.T, f *fixture, flag func(i int) string, srv *zkfake.Server, n int) {
	f.Forget(flag(3))
	srv.DropConnection(f.c.Session().ID)
	synctest.Wait()
	if err := f.c.AwaitConnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.settle(t)
	if got := srv.Stats().Watches; got != n-1 {
		t.Errorf("%d watches after a reconnection, want %d", got, n-1)
	}
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op == "setWatches" {
			return zkfake.LoseRequest
		}
		return zkfake.None
	})
	f.Suspect()
	if err := f.Refresh(t.Context()); !errors.Is(err, zk.ErrUnavailable) {
		t.Errorf("refresh: %v", err)
	}
	srv.SetFault(nil)
	time.Sleep(time.Minute)
	f.refresh(t)
	if f.Get(flag(2)).Exists || !f.Get(flag(1)).Exists {
		t.Error("not what the server has after a failure")
	}
}

// A node may be created or deleted between the two reads of it.
func TestCacheNodeComesAndGoesBetweenReads(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		f.Watch("/job/x")
		f.WatchChildren("/job/y")
		var step atomic.Int32
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			switch {
			case r.Path == "/job/x" && r.Op == "exists" && step.CompareAndSwap(0, 1):
				f.multi(t, zk.CreateOp("/job/x", []byte("1"), zk.Persistent)) // Absent when asked, then created, ...
			case r.Path == "/job/x" && r.Op == "getData" && step.CompareAndSwap(1, 2):
				f.multi(t, zk.DeleteOp("/job/x", 0)) // ... deleted before the read, ...
			case r.Path == "/job/x" && r.Op == "exists" && step.CompareAndSwap(2, 3):
				f.multi(t, zk.CreateOp("/job/x", []byte("2"), zk.Persistent)) // ... and created again.
			}
			return zkfake.None
		})
		f.refresh(t)
		if got := f.Get("/job/x"); step.Load() != 3 || !got.Exists || string(got.Data) != "2" {
			t.Errorf("step %d: %+v", step.Load(), got)
		}
		if got := f.Get("/job/y"); got.Exists || got.Children != nil {
			t.Errorf("%+v", got)
		}
	})
}

// After random changes, disconnections and lost sessions the cache should always end up with the
// server's state.
func TestCacheAgreesWithTheServer(t *testing.T) {
	for seed := range uint64(10) {
		inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
			random := rand.New(rand.NewPCG(seed, 3))
			f.c.Subscribe(func(tr zk.Transition) { // as the engine does
				switch {
				case tr.State == zk.Connected && tr.NewEpoch:
					f.Invalidate()
				case tr.State == zk.Connected:
					f.Suspect()
				}
			})
			names := []string{"/job/a", "/job/b", "/job/c", "/job/a/x", "/job/a/y", "/job/b/x"}
			for _, name := range names[:3] {
				f.WatchChildren(name)
			}
			for _, name := range names[3:] {
				f.Watch(name)
			}
			var last uint64
			for range 300 {
				name := names[random.IntN(len(names))]
				switch random.IntN(12) {
				case 0, 1, 2, 3:
					_, _ = f.other.Create(t.Context(), name, []byte(fmt.Sprint(random.IntN(99))), zk.Persistent) // It may also be refused.
				case 4, 5:
					_ = f.other.DeleteAll(t.Context(), name)
				case 6, 7:
					_, _ = f.other.Set(t.Context(), name, []byte(fmt.Sprint(random.IntN(99))), zk.AnyVersion)
				case 8:
					srv.DropConnection(f.c.Session().ID)
				case 9:
					if random.IntN(5) == 0 {
						srv.ExpireSession(f.c.Session().ID)
					}
				case 10:
					_ = f.Refresh(t.Context())
				case 11:
					time.Sleep(time.Duration(random.Int64N(int64(4 * time.Second))))
				}
				if now := f.Events(); now < last {
					t.Fatalf("seed %d: %d events after %d", seed, now, last)
				} else {
					last = now
				}
				if random.IntN(8) != 0 {
					continue
				}
				synctest.Wait()
				for f.c.AwaitConnected(t.Context()) != nil || f.Refresh(t.Context()) != nil {
					time.Sleep(time.Second)
				}
				synctest.Wait() // Finish the work after reconnecting.
				f.refresh(t)
				agreesWithServer(t, names, f, seed)
			}
		})
	}
}

func agreesWithServer(t *testing.T, names []string, f *fixture, seed uint64) {
	for i, name := range names {
		data, _, err := f.other.Get(t.Context(), name)
		got := f.Get(name)
		if exists := err == nil; got.Exists != exists || i >= 3 && string(got.Data) != string(data) {
			t.Fatalf("seed %d: %s is %q, %v; the cache has %+v", seed, name, data, err, got)
		}
		if i >= 3 || err != nil {
			continue
		}
		list, _, err := f.other.Children(t.Context(), name)
		slices.Sort(list)
		if err != nil || !slices.Equal(list, got.Children) {
			t.Fatalf("seed %d: %s has %v, %v; the cache has %+v", seed, name, list, err, got)
		}
	}
}

// TestCached covers cached nodes and unknown ones.
func TestCached(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		f := newFixture(t, connectTo(t, srv), connectTo(t, srv), root)
		create(t, f.other, root+"/config", "one", zk.Persistent)
		f.Watch(root + "/config")
		f.Watch(root + "/flag")
		f.WatchChildren(root)
		check := func(step, path, data string, exists, known bool) {
			t.Helper()
			gotData, gotExists, gotKnown := f.Cached(path)
			if string(gotData) != data || gotExists != exists || gotKnown != known {
				t.Errorf("%s: %s is %q, exists %v, known %v", step, path, gotData, gotExists, gotKnown)
			}
		}
		check("not read", root+"/config", "", false, false)
		f.refresh(t)
		check("read", root+"/config", "one", true, true)
		check("read", root+"/flag", "", false, true)
		check("children only", root, "", false, false)
		check("not watched", root+"/other", "", false, false)
		f.multi(t, zk.SetOp(root+"/config", []byte("two"), zk.AnyVersion))
		check("as last read", root+"/config", "one", true, true)
	})
}
