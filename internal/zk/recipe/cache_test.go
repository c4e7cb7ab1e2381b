package recipe_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// fixture has the cache of one client, and another client that makes changes.
type fixture struct {
	*recipe.Cache
	c, other *zk.Client
	notified atomic.Int64
}

func newFixture(t testing.TB, c, other *zk.Client, root string) *fixture {
	t.Helper()
	f := &fixture{c: c, other: other}
	f.Cache = recipe.NewCache(c, root, func() { f.notified.Add(1) })
	t.Cleanup(f.Close)
	return f
}

func (f *fixture) refresh(t testing.TB) {
	t.Helper()
	if err := f.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) multi(t testing.TB, ops ...zk.Op) {
	t.Helper()
	if err := f.other.Multi(t.Context(), ops...); err != nil {
		t.Fatal(err)
	}
}

// settle waits until the client has all events of the other one's changes.
func (f *fixture) settle(t testing.TB) {
	t.Helper()
	if err := f.c.Sync(t.Context(), "/"); err != nil {
		t.Fatal(err)
	}
}

func TestCacheFollowsItsNodes(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		f := newFixture(t, connectTo(t, srv), connectTo(t, srv), root)
		create(t, f.other, root+"/config", "one", zk.Persistent)
		f.Watch(root + "/config")
		f.Watch(root + "/flag")
		f.WatchChildren(root + "/instances")
		f.WatchChildren(root)
		if got := f.Get(root + "/config"); got.Exists || got.Data != nil {
			t.Errorf("before the first refresh: %+v", got)
		}
		f.refresh(t)
		check := func(step string, data string, flag bool, instances []string, top []string) {
			t.Helper()
			if got := f.Get(root + "/config"); got.Exists != (data != "") || string(got.Data) != data {
				t.Errorf("%s: config %+v", step, got)
			}
			if got := f.Get(root + "/flag"); got.Exists != flag {
				t.Errorf("%s: flag %+v", step, got)
			}
			if got := f.Get(root + "/instances"); got.Exists != (instances != nil) || !slices.Equal(got.Children, instances) {
				t.Errorf("%s: instances %+v", step, got)
			}
			if got := f.Get(root); !slices.Equal(got.Children, top) {
				t.Errorf("%s: top %+v", step, got)
			}
		}
		check("first", "one", false, nil, []string{"config"})
		var events uint64
		change := func(step string, ops ...zk.Op) {
			t.Helper()
			f.multi(t, ops...)
			f.settle(t)
			if now := f.Events(); now <= events || f.notified.Load() == 0 {
				t.Errorf("%s: %d events after %d, %d notices", step, now, events, f.notified.Load())
			} else {
				events = now
			}
			f.notified.Store(0)
			f.refresh(t)
		}
		change("created", zk.SetOp(root+"/config", []byte("two"), 0), zk.CreateOp(root+"/flag", nil, zk.Persistent),
			zk.CreateOp(root+"/instances", nil, zk.Persistent))
		check("created", "two", true, []string{}, []string{"config", "flag", "instances"})
		change("children", zk.CreateOp(root+"/instances/b", nil, zk.Persistent), zk.CreateOp(root+"/instances/a", nil, zk.Persistent))
		check("children", "two", true, []string{"a", "b"}, []string{"config", "flag", "instances"})
		seen := f.Get(root + "/flag").Seen
		change("came and went", zk.DeleteOp(root+"/flag", 0), zk.CreateOp(root+"/flag", nil, zk.Persistent))
		check("came and went", "two", true, []string{"a", "b"}, []string{"config", "flag", "instances"})
		if now := f.Get(root + "/flag").Seen; now <= seen {
			t.Errorf("seen %d after %d although the node was created again", now, seen)
		}
		deletedAndCreated(change, root, check)

		forgetAndClose(t, f, root, events)
	})
}

// deletedAndCreated: nodes are deleted and created again.
func deletedAndCreated(change func(step string, ops ...zk.Op), root string, check func(step string, data string, flag bool, instances []string, top []string)) {
	change("gone", zk.DeleteOp(root+"/flag", 0), zk.DeleteOp(root+"/config", 1),
		zk.DeleteOp(root+"/instances/a", 0), zk.DeleteOp(root+"/instances/b", 0), zk.DeleteOp(root+"/instances", 0))
	check("gone", "", false, nil, nil)
	change("back", zk.CreateOp(root+"/config", []byte("three"), zk.Persistent), zk.CreateOp(root+"/instances", nil, zk.Persistent),
		zk.CreateOp(root+"/instances/c", nil, zk.Ephemeral))
	check("back", "three", false, []string{"c"}, []string{"config", "instances"})
}

// forgetAndClose: forgotten nodes and a closed cache report nothing.
func forgetAndClose(t *testing.T, f *fixture, root string, events uint64) {
	f.Forget(root + "/config")
	f.multi(t, zk.SetOp(root+"/config", nil, 0))
	f.settle(t)
	if f.Events() != events || f.notified.Load() != 0 {
		t.Error("an event of a forgotten node counted")
	}
	if got := f.Get(root + "/config"); got.Exists || got.Seen != 0 {
		t.Errorf("a forgotten node: %+v", got)
	}
	f.Close()
	f.multi(t, zk.CreateOp(root+"/flag", nil, zk.Persistent))
	f.settle(t)
	if f.notified.Load() != 0 {
		t.Error("a notice after Close")
	}
}

func inCacheBubble(t *testing.T, test func(t *testing.T, srv *zkfake.Server, f *fixture)) {
	t.Helper()
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		c, other := connectFake(t, srv), connectFake(t, srv)
		create(t, other, "/job", "", zk.Persistent)
		test(t, srv, newFixture(t, c, other, "/job"))
	})
}

func TestCacheReadsOnlyWhatIsDirty(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		for i := range 40 {
			create(t, f.other, fmt.Sprintf("/job/%d", i), "x", zk.Persistent)
			f.Watch(fmt.Sprintf("/job/%d", i))
			f.Watch(fmt.Sprintf("/job/absent%d", i))
		}
		f.WatchChildren("/job")
		f.refresh(t)
		srv.ResetStats()
		f.refresh(t)
		if n := srv.Stats().Reads; n != 0 {
			t.Errorf("%d reads with nothing dirty", n)
		}
		f.multi(t, zk.SetOp("/job/7", nil, 0), zk.CreateOp("/job/8/child", nil, zk.Persistent))
		f.settle(t)
		f.refresh(t)
		if n := srv.Stats().Reads; n != 1 {
			t.Errorf("%d reads for one change", n)
		}
	})
}

// A comparison finds changes without an event. It reads each node once. Only the watches of absent
// nodes are set again, because such a node may have been created and deleted.
func TestCacheSuspectFindsLostEvents(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		const n = 20
		for i := range n {
			create(t, f.other, fmt.Sprintf("/job/n%d", i), "old", zk.Persistent)
			f.Watch(fmt.Sprintf("/job/n%d", i))
			f.Watch(fmt.Sprintf("/job/absent%d", i))
		}
		f.WatchChildren("/job")
		f.WatchChildren("/job/n0/none")
		f.refresh(t)
		watches := srv.Stats().Watches
		events := f.Events()

		srv.ResetStats()
		f.Suspect()
		f.Suspect()
		f.refresh(t)
		if st := srv.Stats(); st.Ops["exists"] != n+1 || st.Ops["setWatches"] != 1 || st.Reads != n+1 || st.Watches != watches {
			t.Errorf("nothing changed: %v, %d watches after %d", st.Ops, st.Watches, watches)
		}
		if f.Events() != events || f.notified.Load() != 0 {
			t.Error("nothing changed: it was announced")
		}

		srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true })
		f.multi(t, zk.SetOp("/job/n1", []byte("new"), 0), zk.DeleteOp("/job/n2", 0), zk.CreateOp("/job/absent3", []byte("here"), zk.Persistent),
			zk.DeleteOp("/job/n4", 0), zk.CreateOp("/job/n4", []byte("again"), zk.Persistent), zk.CreateOp("/job/n0/none", nil, zk.Persistent),
			zk.CreateOp("/job/absent5", nil, zk.Persistent), zk.DeleteOp("/job/absent5", 0))
		synctest.Wait()
		srv.SetWatchFault(nil)
		f.refresh(t)
		if f.Events() != events || string(f.Get("/job/n1").Data) != "old" {
			t.Fatal("the events were not lost: the test proves nothing")
		}
		srv.ResetStats()
		f.Suspect()
		f.refresh(t)
		if string(f.Get("/job/n1").Data) != "new" || f.Get("/job/n2").Exists || string(f.Get("/job/absent3").Data) != "here" ||
			string(f.Get("/job/n4").Data) != "again" || !f.Get("/job/n0/none").Exists || !slices.Contains(f.Get("/job").Children, "absent3") {
			t.Error("a change was not found")
		}
		if f.Events() != events+6 || f.notified.Load() != 6 {
			t.Errorf("%d events and %d notices for 6 changes found", f.Events()-events, f.notified.Load())
		}
		if got := srv.Stats().Reads; got > 2*n+2+2*6 {
			t.Errorf("%d reads", got)
		}
		events = f.Events()
		f.multi(t, zk.SetOp("/job/n1", nil, 1), zk.CreateOp("/job/n2", nil, zk.Persistent), zk.DeleteOp("/job/absent3", 0),
			zk.SetOp("/job/n4", nil, 0), zk.CreateOp("/job/n0/none/x", nil, zk.Persistent), zk.CreateOp("/job/absent5", nil, zk.Persistent))
		f.settle(t)
		if got := f.Events() - events; got < 7 { // the seven nodes and the children of /job
			t.Errorf("%d events: a watch was not set again", got)
		}
		if f.refresh(t); !f.Get("/job/absent5").Exists {
			t.Error("a node that came and went unseen was not seen when it came again")
		}
	})
}

// TestCacheNodeRemovedAndAddedAgain: if a node left the set and was added again, callers that read it
// before learn that it may have changed.
func TestCacheNodeRemovedAndAddedAgain(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		f := newFixture(t, connectTo(t, srv), connectTo(t, srv), root)
		path := root + "/owner"
		create(t, f.other, path, "first", zk.Persistent)
		f.Watch(path)
		f.refresh(t)
		looked := f.Events()
		if f.ChangedSince(path, looked) {
			t.Error("it has changed though nothing happened")
		}
		f.multi(t, zk.SetOp(path, []byte("second"), zk.AnyVersion))
		f.settle(t)
		f.refresh(t)
		f.Forget(path)
		if !f.ChangedSince(path, looked) {
			t.Error("it isn't watched, and it is reported unchanged")
		}
		f.multi(t, zk.SetOp(path, []byte("first"), zk.AnyVersion))
		f.settle(t)
		f.Watch(path)
		f.refresh(t)
		if !f.ChangedSince(path, looked) {
			t.Error("it has changed twice and is reported unchanged")
		}
		if f.ChangedSince(path, f.Events()) {
			t.Error("it has changed since a moment ago though nothing happened")
		}
	})
}

// TestCacheReadsOnlySome: unselected nodes should keep their old state until they are selected.
func TestCacheReadsOnlySome(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		c := connectFake(t, srv)
		create(t, c, "/job/a", "1", zk.Persistent)
		create(t, c, "/job/b", "1", zk.Persistent)
		cache := recipe.NewCache(c, "/job", func() {})
		defer cache.Close()
		cache.Watch("/job/a")
		cache.Watch("/job/b")
		onlyA := func(path string) bool { return path == "/job/a" }
		want := func(a, b string) {
			t.Helper()
			if got := string(cache.Get("/job/a").Data) + " " + string(cache.Get("/job/b").Data); got != a+" "+b {
				t.Errorf("%q, want %q", got, a+" "+b)
			}
		}
		refresh := func(is func(string) bool) {
			t.Helper()
			if err := cache.RefreshIf(t.Context(), is); err != nil {
				t.Fatal(err)
			}
		}
		refresh(onlyA)
		want("1", "")
		refresh(func(string) bool { return true })
		want("1", "1")
		for _, path := range []string{"/job/a", "/job/b"} {
			if _, err := c.Set(t.Context(), path, []byte("2"), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
		}
		refresh(onlyA)
		want("2", "1")
		cache.SuspectIf(onlyA) // It must not make the other node clean.
		refresh(func(string) bool { return true })
		want("2", "2")
		remove(t, c, "/job/a")
		create(t, c, "/job/a", "3", zk.Persistent) // so the deletion isn't its newest event
		refresh(onlyA)
		want("3", "2")
	})
}

func TestCacheAfterANewSession(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		create(t, f.other, "/job/a", "old", zk.Persistent)
		f.Watch("/job/a")
		f.refresh(t)
		srv.ExpireSession(f.c.Session().ID)
		f.multi(t, zk.SetOp("/job/a", []byte("new"), 0))
		synctest.Wait()
		if err := f.c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		events := f.Events()
		f.Invalidate()
		if f.Events() == events {
			t.Error("a quiet count over a change of session would prove what it cannot")
		}
		f.refresh(t)
		if got := f.Get("/job/a"); string(got.Data) != "new" {
			t.Errorf("%+v", got)
		}
		events = f.Events()
		f.multi(t, zk.SetOp("/job/a", nil, 1))
		f.settle(t)
		if f.Events() == events {
			t.Error("no watch in the new session")
		}
	})
}

// Unread nodes should stay dirty.
func TestCacheErrorKeepsNodesDirty(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		for i := range 30 {
			create(t, f.other, fmt.Sprintf("/job/%d", i), "x", zk.Persistent)
			f.Watch(fmt.Sprintf("/job/%d", i))
		}
		var reads atomic.Int32
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if strings.HasPrefix(r.Path, "/job/") && reads.Add(1) == 12 {
				return zkfake.LoseReply
			}
			return zkfake.None
		})
		time.Sleep(10 * time.Second)
		if err := f.Refresh(t.Context()); !errors.Is(err, zk.ErrUnavailable) {
			t.Errorf("%v", err)
		}
		srv.SetFault(nil)
		synctest.Wait() // Wait until the client notices too.
		if err := f.c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.refresh(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		f.Suspect()
		if err := f.Refresh(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		srv.ResetStats()
		f.refresh(t)
		if n := srv.Stats().Reads; n != 30 {
			t.Errorf("%d reads, want the 30 that were cancelled", n)
		}
		for i := range 30 {
			if got := f.Get(fmt.Sprintf("/job/%d", i)); !got.Exists || string(got.Data) != "x" {
				t.Errorf("%d: %+v", i, got)
			}
		}
	})
}

// A node is created and deleted during a comparison that fails. Its watch has fired, so another
// comparison would find no difference and leave the node without a watch.
func TestCacheEventDuringAFailedComparison(t *testing.T) {
	inCacheBubble(t, func(t *testing.T, srv *zkfake.Server, f *fixture) {
		f.Watch("/job/flag")
		f.refresh(t)
		time.Sleep(10 * time.Second)
		var done atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "setWatches" && done.CompareAndSwap(false, true) {
				f.multi(t, zk.CreateOp("/job/flag", nil, zk.Persistent), zk.DeleteOp("/job/flag", 0))
				return zkfake.LoseReply
			}
			return zkfake.None
		})
		f.Suspect()
		if err := f.Refresh(t.Context()); !errors.Is(err, zk.ErrUnavailable) {
			t.Errorf("%v", err)
		}
		srv.SetFault(nil)
		synctest.Wait() // The client knows now that its connection broke.
		if err := f.c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.refresh(t)
		events := f.Events()
		create(t, f.other, "/job/flag", "", zk.Persistent)
		f.settle(t)
		if f.Events() == events {
			t.Error("the flag has no watch")
		}
		f.refresh(t)
		if !f.Get("/job/flag").Exists {
			t.Error("the flag was not seen")
		}
	})
}
