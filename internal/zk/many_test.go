package zk

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestWatchTable: the table should behave like a set.
func TestWatchTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type row struct {
			kind wire.WatchKind
			path string
		}
		var table watchTable
		model := make(map[row]bool)
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			r := row{
				wire.WatchKind(rapid.IntRange(0, int(wire.WatchKinds)-1).Draw(t, "kind")),
				"/" + strings.Repeat("long", rapid.SampledFrom([]int{0, 1, 60}).Draw(t, "length")) + fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "path")),
			}
			if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
				table.remove(r.kind, r.path)
				delete(model, r)
			} else {
				table.add(r.kind, r.path)
				model[r] = true
			}
		}
		kept := make(map[row]bool)
		for kind, path := range table.all() {
			kept[row{kind, string(path)}] = true
		}
		if !reflect.DeepEqual(kept, model) || table.count != len(model) {
			t.Fatalf("%d rows: %v, want %v", table.count, kept, model)
		}
	})
}

// libraryWatches counts the library's watches. The library must be idle.
func libraryWatches(c *Client) int {
	return reflect.ValueOf(c.conn).Elem().FieldByName("watchers").Len()
}

func keptWatches(c *Client) int {
	c.many.mu.Lock()
	defer c.many.mu.Unlock()
	return c.many.set.count
}

// TestManyAreNotTheLibrarys: the server has the watches and the library none. A repeated watch is
// set once, and reading the data or children of an absent node sets no watch.
func TestManyAreNotTheLibrarys(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns/a", "text", Persistent)
		many := c.Many()
		for range 3 {
			if data, stat, err := many.Get(t.Context(), "/ns/a"); string(data) != "text" || stat.DataLength != 4 || err != nil {
				t.Fatal(string(data), stat, err)
			}
			if names, _, err := many.Children(t.Context(), "/ns"); !slices.Equal(names, []string{"a"}) || err != nil {
				t.Fatal(names, err)
			}
			if _, is, err := many.Exists(t.Context(), "/ns/b"); is || err != nil {
				t.Fatal(is, err)
			}
			if _, _, err := many.Get(t.Context(), "/ns/c"); !errors.Is(err, ErrNoNode) {
				t.Fatal(err)
			}
			if _, _, err := many.Children(t.Context(), "/ns/c"); !errors.Is(err, ErrNoNode) {
				t.Fatal(err)
			}
			if _, _, err := c.Get(t.Context(), "/ns"); err != nil { // without a watch
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if on, kept, library := srv.Stats().Watches, keptWatches(c), libraryWatches(c); on != 3 || kept != 3 || library != 0 {
			t.Errorf("%d on the server, %d kept, %d by the library", on, kept, library)
		}
		if err := c.DeleteAll(t.Context(), "/ns"); err != nil {
			t.Fatal(err)
		}
		if on, kept := srv.Stats().Watches, keptWatches(c); on != 1 || kept != 1 {
			t.Errorf("%d watches on the server, %d kept, want only the absent node's watch", on, kept)
		}
		srv.ExpireSession(c.Session().ID)
		time.Sleep(time.Second)
		if kept := keptWatches(c); kept != 0 {
			t.Errorf("%d kept of a lost session", kept)
		}
	})
}

// TestManyWithoutARequest: after a reconnection the watches should be set again without any
// request, with or without credentials.
func TestManyWithoutARequest(t *testing.T) {
	for _, digest := range []string{"", "user:secret"} {
		inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
			cfg := testConfig(t, w)
			cfg.Digest = digest
			c := mustConnect(t, cfg)
			other := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Digest: digest, Logger: testLogger(t)})
			mustCreate(t, c, "/ns/a", "", Persistent)
			mustCreate(t, c, "/ns/b", "", Persistent)
			var got paths
			c.Route("/ns", got.add)
			for _, path := range []string{"/ns/a", "/ns/b"} {
				if _, _, err := c.Many().Get(t.Context(), path); err != nil {
					t.Fatal(err)
				}
			}
			srv.DropConnection(c.Session().ID)
			set := func(path string) {
				t.Helper()
				if _, err := other.Set(t.Context(), path, nil, AnyVersion); err != nil {
					t.Fatal(err)
				}
			}
			set("/ns/a")
			time.Sleep(time.Second)
			if list := got.take(); !slices.Equal(list, []string{"/ns/a"}) {
				t.Errorf("events %v of nodes that changed during the read", list)
			}
			set("/ns/b")
			synctest.Wait()
			if list := got.take(); !slices.Equal(list, []string{"/ns/b"}) {
				t.Errorf("events %v of what changed then", list)
			}
		})
	}
}

// armed records the paths that must announce their next change.
type armed struct {
	mu     sync.Mutex
	events map[string]int
	paths  map[string]bool
}

func (a *armed) fired(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.events[path]++
	delete(a.paths, path)
}

// set reads and watches a path, and arms it unless an event came in between.
func (a *armed) set(path string, read func() error) error {
	a.mu.Lock()
	before := a.events[path]
	a.mu.Unlock()
	if err := read(); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.events[path] == before {
		a.paths[path] = true
	}
	return nil
}

type unrest struct {
	*armed
	c, other *Client
}

const unrestNodes = 40

func (u *unrest) node(n int) string { return fmt.Sprintf("/ns/%d", n%unrestNodes) }

// toggle creates or deletes a node, which fires every kind of watch.
func (u *unrest) toggle(t *testing.T, n int) error {
	_, err := u.other.Create(t.Context(), u.node(n), nil, Persistent)
	if errors.Is(err, ErrNodeExists) {
		err = u.other.Delete(t.Context(), u.node(n), AnyVersion)
	}
	return err
}

// read reads a node in one of three ways with a watch, or without one.
func (u *unrest) read(t *testing.T, way int, path string) {
	if way%4 == 3 {
		_, _, _ = u.c.Exists(t.Context(), path)
		return
	}
	_ = u.set(path, func() (err error) { // A failed read sets no watch.
		switch way % 4 {
		case 0:
			_, _, err = u.c.Many().Get(t.Context(), path)
		case 1:
			_, _, err = u.c.Many().Exists(t.Context(), path)
		default:
			_, err = u.c.Many().ReadAll(t.Context(), []Reading{{Path: path}})
		}
		return err
	})
}

// round reads many nodes and changes some concurrently.
func (u *unrest) round(t *testing.T, n int, broken func()) {
	var all sync.WaitGroup
	for k := range 12 {
		all.Go(func() { u.read(t, k, u.node(n*7+k*5)) })
	}
	for k := range 3 {
		all.Go(func() {
			for u.toggle(t, n*3+k) != nil {
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	broken()
	all.Wait()
	time.Sleep(time.Second)
}

// TestManyLoseNothing: a watched node's change should always be announced, despite broken
// connections and concurrent calls.
func TestManyLoseNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		u := &unrest{&armed{events: make(map[string]int), paths: make(map[string]bool)}, mustConnect(t, testConfig(t, w)),
			mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, Logger: testLogger(t)})}
		mustCreate(t, u.c, "/ns", "", Persistent)
		var lost atomic.Int64
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if strings.HasPrefix(r.Op, "get") && r.Seq%23 == 0 || r.Op == "setWatches" && r.Seq%3 == 0 {
				lost.Add(1)
				return zkfake.LoseReply
			}
			return zkfake.DelayRequest(time.Millisecond)
		})
		u.c.Route("/ns", u.fired)
		for n := range 150 {
			u.round(t, n, func() {
				if n%5 == 0 {
					srv.DropConnection(u.c.Session().ID)
				}
			})
		}
		settled(t, srv, u.c)
		synctest.Wait()
		kept := len(u.paths)
		for n := range unrestNodes {
			before := u.paths[u.node(n)]
			if err := u.toggle(t, n); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if before && u.paths[u.node(n)] {
				t.Errorf("the change of %s was not announced", u.node(n))
			}
		}
		if kept < unrestNodes/4 || lost.Load() == 0 || libraryWatches(u.c) != 0 {
			t.Errorf("%d nodes were watched, %d replies lost, %d watches by the library: the test checks little", kept, lost.Load(), libraryWatches(u.c))
		}
	})
}

// settled waits until the client is connected and its watches are set.
func settled(t *testing.T, srv *zkfake.Server, c *Client) {
	t.Helper()
	srv.SetFault(nil)
	time.Sleep(10 * time.Second)
	if err := c.AwaitConnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Sync(t.Context(), "/"); err != nil {
		t.Fatal(err)
	}
}

// TestManyAcrossARestart: more watches than one request holds are set again after a restart of the
// server, in-process and real.
func TestManyAcrossARestart(t *testing.T) {
	zktest.EachOwn(t, func(t *testing.T, srv zktest.Own) {
		const nodes = 3000
		root := "/" + zktest.Namespace(t) + "-" + strings.Repeat("long", 20)
		c := mustConnect(t, targetConfig(t, srv.Target))
		mustCreate(t, c, root, "", Persistent)
		createNumbered(t, c, root, nodes)
		var events atomic.Int64
		c.Route(root, func(string) { events.Add(1) })
		for i := range nodes {
			path := fmt.Sprintf("%s/%d", root, i)
			if _, _, err := c.Many().Get(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Many().Children(t.Context(), path); err != nil {
				t.Fatal(err)
			}
		}
		j := follow(c)
		srv.Restart(t)
		if tr := j.await(t, 2); tr.State != Connected || tr.NewEpoch {
			t.Errorf("transition %+v", tr)
		}
		setEach(t, srv.Target, nodes, root)
		if err := c.Sync(t.Context(), "/"); err != nil {
			t.Fatal(err)
		}
		if got := events.Load(); got != nodes || c.Session().Epoch != 1 {
			t.Errorf("%d events before the reply, want %d; %+v", got, nodes, c.Session())
		}
		if library := libraryWatches(c); library != 0 {
			t.Errorf("the library keeps %d watches", library)
		}
	})
}
