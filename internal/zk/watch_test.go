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

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

type paths struct {
	mu   sync.Mutex
	list []string
}

func (p *paths) add(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, path)
}

func (p *paths) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.list
	p.list = nil
	return list
}

// watcher sets watches by the library or by [Many].
type watcher interface {
	Get(ctx context.Context, path string) ([]byte, Stat, error)
	Exists(ctx context.Context, path string) (Stat, bool, error)
	Children(ctx context.Context, path string) ([]string, Stat, error)
}

type byLibrary struct{ c *Client }

func (w byLibrary) Get(ctx context.Context, path string) ([]byte, Stat, error) {
	return w.c.GetWatch(ctx, path)
}

func (w byLibrary) Exists(ctx context.Context, path string) (Stat, bool, error) {
	return w.c.ExistsWatch(ctx, path)
}

func (w byLibrary) Children(ctx context.Context, path string) ([]string, Stat, error) {
	return w.c.ChildrenWatch(ctx, path)
}

func bothWays(c *Client) [2]watcher { return [2]watcher{byLibrary{c}, c.Many()} }

// The engine's fence depends on this property: once our write is answered, every earlier change has
// reached our route.
func TestEventsArriveBeforeLaterReplies(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		other := mustConnect(t, c.cfg)
		mustCreate(t, c, root+"/data", "0", Persistent)
		mustCreate(t, c, root+"/mine", "0", Persistent)
		var events atomic.Int64
		c.Route(root, func(string) { events.Add(1) })
		for i := range 150 {
			by := bothWays(c)[i%2]
			if _, _, err := by.Get(t.Context(), root+"/data"); err != nil {
				t.Fatal(err)
			}
			if _, _, err := by.Children(t.Context(), root); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := by.Exists(t.Context(), root+"/flag"); ok || err != nil {
				t.Fatal(ok, err)
			}
			before := events.Load()
			if err := other.Multi(t.Context(), SetOp(root+"/data", nil, AnyVersion), CreateOp(root+"/flag", nil, Persistent), DeleteOp(root+"/flag", AnyVersion)); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Set(t.Context(), root+"/mine", nil, AnyVersion); err != nil {
				t.Fatal(err)
			}
			if got := events.Load() - before; got != 3 {
				t.Fatalf("round %d: %d events before the reply, want 3", i, got)
			}
		}
	})
}

// The same across disconnections, even for requests that waited in the queue ahead of the watches.
func TestEventsArriveBeforeLaterRepliesAfterReconnection(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})
		mustCreate(t, c, "/data", "0", Persistent)
		var events atomic.Int64
		c.Route("/data", func(string) { events.Add(1) })
		for i := range 100 {
			time.Sleep(5 * time.Second) // The connection counts as stable.
			if _, _, err := bothWays(c)[i%2].Get(t.Context(), "/data"); err != nil {
				t.Fatal(err)
			}
			before := events.Load()
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Op == "connect" {
					return zkfake.DelayRequest(time.Second)
				}
				return zkfake.None
			})
			c.mu.Lock() // The client must not learn of the disconnection before its requests are queued.
			srv.DropConnection(c.session.ID)
			c.mu.Unlock()
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for {
						_, _, err := c.Exists(t.Context(), "/")
						if err == nil {
							break
						}
						if err := c.AwaitConnected(t.Context()); err != nil {
							t.Error(err)
							return
						}
					}
					// Two events if the first of two attempts was given up while its watches were
					// set.
					if got := events.Load() - before; got < 1 {
						t.Errorf("round %d: %d events before the reply, want 1", i, got)
					}
				})
			}
			if _, err := other.Set(t.Context(), "/data", nil, AnyVersion); err != nil {
				t.Fatal(err)
			}
			group.Wait()
		}
	})
}

func TestRouteIsTheNearest(t *testing.T) {
	var r routes
	add := func(root string, fn func(string)) (cancel func()) {
		return r.add(root, func(path string, _ bool) { fn(path) })
	}
	var all, job, deep paths
	cancelAll := add("/", all.add)
	add("/ns/job", job.add)
	cancelDeep := add("/ns/job/deep", deep.add)
	send := func(path string) {
		r.dispatch(eventAt(path))
	}
	for _, path := range []string{"/", "/x", "/ns", "/ns/job", "/ns/job2", "/ns/job/config", "/ns/job/deep", "/ns/job/deep/er", "/ns/job/deeper"} {
		send(path)
	}
	if got, want := all.take(), []string{"/", "/x", "/ns", "/ns/job2"}; !slices.Equal(got, want) {
		t.Errorf("root got %v, want %v", got, want)
	}
	if got, want := job.take(), []string{"/ns/job", "/ns/job/config", "/ns/job/deeper"}; !slices.Equal(got, want) {
		t.Errorf("job got %v, want %v", got, want)
	}
	if got, want := deep.take(), []string{"/ns/job/deep", "/ns/job/deep/er"}; !slices.Equal(got, want) {
		t.Errorf("deep got %v, want %v", got, want)
	}
	var second paths
	add("/ns/job/deep", second.add)
	cancelDeep() // cancels the replaced route: the new one must stay
	send("/ns/job/deep")
	if len(deep.take()) != 0 || len(second.take()) != 1 {
		t.Error("the route was not replaced")
	}
	cancelAll()
	send("/x")
	if got := all.take(); len(got) != 0 {
		t.Errorf("got %v after cancel", got)
	}
}

func TestWatchesSurviveReconnectionsButNotSessions(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})
		mustCreate(t, c, "/ns/a", "", Persistent)
		var got paths
		c.Route("/ns", got.add)
		var by watcher
		watch := func() {
			t.Helper()
			_, _, err1 := by.Get(t.Context(), "/ns/a")
			_, _, err2 := by.Exists(t.Context(), "/ns/b")
			_, _, err3 := by.Children(t.Context(), "/ns")
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
		}
		change := func() {
			t.Helper()
			if err := other.Multi(t.Context(), SetOp("/ns/a", nil, AnyVersion), CreateOp("/ns/b", nil, Persistent), DeleteOp("/ns/b", AnyVersion)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		for _, by = range bothWays(c) {
			watch()
			srv.DropConnection(c.Session().ID)
			time.Sleep(time.Second)
			change()
			list := got.take()
			slices.Sort(list)
			if want := []string{"/ns", "/ns/a", "/ns/b"}; !slices.Equal(list, want) {
				t.Errorf("%T: after a reconnection %v, want %v", by, list, want)
			}
			watch()
			srv.ExpireSession(c.Session().ID)
			time.Sleep(time.Second)
			change()
			if list := got.take(); len(list) != 0 {
				t.Errorf("%T: events %v of a lost session", by, list)
			}
		}
	})
}

func TestAwaitDeletion(t *testing.T) {
	onEach(t, func(t *testing.T, c *Client, root string) {
		if err := c.AwaitDeletion(t.Context(), root+"/none"); err != nil {
			t.Error(err)
		}
		mustCreate(t, c, root+"/a", "", Persistent)
		done := make(chan error, 1)
		go func() { done <- c.AwaitDeletion(t.Context(), root+"/a") }()
		for range 20 { // Other changes don't end it.
			if _, err := c.Set(t.Context(), root+"/a", nil, AnyVersion); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case err := <-done:
			t.Errorf("ended with the node in place: %v", err)
		default:
		}
		if err := c.Delete(t.Context(), root+"/a", AnyVersion); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		mustCreate(t, c, root+"/b", "", Persistent)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- c.AwaitDeletion(ctx, root+"/b") }()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestAwaitDeletionAcrossDisconnections(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})
		mustCreate(t, other, "/a", "", Persistent)
		start := func() chan error {
			done := make(chan error, 1)
			go func() { done <- c.AwaitDeletion(t.Context(), "/a") }()
			synctest.Wait()
			return done
		}
		// The watch and its event are lost. It checks again after reconnecting.
		done := start()
		srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true })
		if err := other.Delete(t.Context(), "/a", AnyVersion); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if len(done) != 0 {
			t.Fatal("ended without an event")
		}
		srv.SetWatchFault(nil)
		srv.DropConnection(c.Session().ID)
		if err := <-done; err != nil {
			t.Error(err)
		}
		// It ends if the session is lost, by the server or by the clock.
		mustCreate(t, other, "/a", "", Persistent)
		done = start()
		srv.ExpireSession(c.Session().ID)
		if err := <-done; !errors.Is(err, ErrSessionLost) {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		done = start()
		begin := time.Now()
		w.setMute("", true)
		if err := <-done; !errors.Is(err, ErrSessionLost) || time.Since(begin) > 20*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		w.setMute("", false)
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		done = start()
		_ = c.Close()
		if err := <-done; !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

// Reconnections with more watches than one frame holds, and with pending requests: nothing hangs or
// races, and every change is announced.
func TestReconnectionStress(t *testing.T) {
	zktest.EachOwn(t, func(t *testing.T, srv zktest.Own) {
		const watches, rounds, workers = 1500, 3, 8
		root := "/" + zktest.Namespace(t) + "-long-enough-for-the-watches-to-fill-more-than-one-frame-when-they-are-set-again-after-a-reconnection"
		c := mustConnect(t, targetConfig(t, srv.Target))
		mustCreate(t, c, root+"/data", "", Persistent)
		createNumbered(t, c, root, watches)
		var events atomic.Int64
		c.Route(root, func(string) { events.Add(1) })
		watch := func(i int) error {
			_, _, err := bothWays(c)[i%2].Get(t.Context(), fmt.Sprintf("%s/%d", root, i))
			return err
		}
		for i := range watches {
			if err := watch(i); err != nil {
				t.Fatal(err)
			}
		}
		stop := make(chan struct{})
		var group sync.WaitGroup
		writeUntilStopped(t, workers, &group, stop, c, root)
		for range rounds {
			j := follow(c)
			srv.Restart(t)
			if tr := j.await(t, 2); tr.State != Connected || tr.NewEpoch {
				t.Errorf("transition %+v", tr)
			}
		}
		close(stop)
		group.Wait()
		setEach(t, srv.Target, watches, root)
		if _, err := c.Set(t.Context(), root+"/data", nil, AnyVersion); err != nil {
			t.Fatal(err)
		}
		if got := events.Load(); got != watches {
			t.Errorf("%d events before the reply, want %d", got, watches)
		}
		if c.Session().Epoch != 1 {
			t.Errorf("session %+v", c.Session())
		}
	})
}

// createNumbered creates n numbered children of a node. n must be a multiple of 100.
func createNumbered(t *testing.T, c *Client, parent string, n int) {
	t.Helper()
	for i := 0; i < n; i += 100 {
		var ops []Op
		for k := range 100 {
			ops = append(ops, CreateOp(fmt.Sprintf("%s/%d", parent, i+k), nil, Persistent))
		}
		if err := c.Multi(t.Context(), ops...); err != nil {
			t.Fatal(err)
		}
	}
}

// writeUntilStopped keeps writing despite broken connections.
func writeUntilStopped(t *testing.T, workers int, group *sync.WaitGroup, stop chan struct{}, c *Client, root string) {
	for range workers {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := c.Set(t.Context(), root+"/data", nil, AnyVersion); err != nil {
					if !Retriable(err) {
						t.Error(err)
						return
					}
					if err := c.AwaitConnected(t.Context()); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
}

func setEach(t *testing.T, srv zktest.Target, watches int, root string) {
	other := mustConnect(t, targetConfig(t, srv))
	for i := 0; i < watches; i += 100 {
		var ops []Op
		for k := range 100 {
			ops = append(ops, SetOp(fmt.Sprintf("%s/%d", root, i+k), nil, AnyVersion))
		}
		if err := other.Multi(t.Context(), ops...); err != nil {
			t.Fatal(err)
		}
	}
}

func eventAt(path string) gozk.Event {
	return gozk.Event{Type: gozk.EventNodeDataChanged, Path: path}
}
