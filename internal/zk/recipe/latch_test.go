package recipe_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

const dir = "/ns/job/leader/election/latch"

// parent must exist before the latch.
const parent = "/ns/job/leader/election"

func inBubbleWithParent(t *testing.T, test func(t *testing.T, srv *zkfake.Server)) {
	t.Helper()
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		c := connectFake(t, srv)
		create(t, c, parent, "", zk.Persistent)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		test(t, srv)
	})
}

// start runs a latch in the background. entered closes when fn runs; fn returns when release
// closes.
func start(ctx context.Context, c *zk.Client, dir string) (entered, release chan struct{}, done chan error) {
	entered, release, done = make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- recipe.Latch(ctx, c, dir, func(context.Context) error {
			close(entered)
			<-release
			return nil
		})
	}()
	return entered, release, done
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestLatchExcludes(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		root := "/" + zktest.Namespace(t)
		create(t, connectTo(t, srv), root+"/a", "", zk.Persistent)
		var inside, runs atomic.Int32
		var group sync.WaitGroup
		for range 4 {
			c := connectTo(t, srv)
			for range 3 {
				group.Go(func() {
					for range 5 {
						err := recipe.Latch(t.Context(), c, root+"/a/latch", func(ctx context.Context) error {
							if n := inside.Add(1); n != 1 {
								t.Errorf("%d inside", n)
							}
							err := c.Sync(ctx, root) // takes a while
							inside.Add(-1)
							runs.Add(1)
							return err
						})
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		group.Wait()
		if n := runs.Load(); n != 60 {
			t.Errorf("%d runs, want 60", n)
		}
		c := connectTo(t, srv)
		if names, _, err := c.Children(t.Context(), root+"/a/latch"); len(names) != 0 || err != nil {
			t.Errorf("left behind: %v, %v", names, err)
		}
	})
}

func TestLatchNodeIsCurators(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		c := connectTo(t, srv)
		root := "/" + zktest.Namespace(t)
		err := recipe.Latch(t.Context(), c, root, func(ctx context.Context) error {
			names, _, err := c.Children(ctx, root)
			if err != nil {
				return err
			}
			name := regexp.MustCompile(`^_c_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-latch-0000000000$`)
			if len(names) != 1 || !name.MatchString(names[0]) {
				t.Errorf("nodes %v", names)
			}
			data, stat, err := c.Get(ctx, root+"/"+names[0])
			if len(data) != 0 || stat.EphemeralOwner != c.Session().ID {
				t.Errorf("data %q, %+v", data, stat)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		boom := errors.New("boom")
		if err := recipe.Latch(t.Context(), c, root, func(context.Context) error { return boom }); !errors.Is(err, boom) {
			t.Errorf("the callback's error: %v", err)
		}
		if names, _, err := c.Children(t.Context(), root); len(names) != 0 || err != nil {
			t.Errorf("left behind: %v, %v", names, err)
		}
	})
}

// TestHoldFencesAndLeaves: a transaction can release a latch, and fails if our latch node no longer
// exists.
func TestHoldFencesAndLeaves(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		c := connectFake(t, srv)
		err := recipe.Hold(t.Context(), c, dir, func(ctx context.Context, p *recipe.Place) error {
			if err := c.Multi(ctx, p.Held(), zk.CreateOp("/x", nil, zk.Persistent)); err != nil {
				return err
			}
			if err := c.Multi(ctx, zk.DeleteOp("/x", zk.AnyVersion), p.Leave()); err != nil {
				return err
			}
			p.Left()
			if names, _, err := c.Children(ctx, dir); len(names) > 0 || err != nil {
				t.Errorf("after leaving: %v, %v", names, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		err = recipe.Hold(t.Context(), c, dir, func(ctx context.Context, p *recipe.Place) error {
			names, _, err := c.Children(ctx, dir)
			if err != nil || len(names) != 1 {
				t.Fatalf("%v, %v", names, err)
			}
			remove(t, c, dir+"/"+names[0]) // as an operator might
			for _, op := range []zk.Op{p.Held(), p.Leave()} {
				if err := c.Multi(ctx, zk.CreateOp("/y", nil, zk.Persistent), op); !errors.Is(err, zk.ErrNoNode) {
					t.Errorf("a lost latch does not fence: %v", err)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestLatchAmongForeignNodes(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		c, other := connectFake(t, srv), connectFake(t, srv)
		// The lock of another Go client and nodes without an id should not block.
		create(t, other, dir+"/_c_0123456789abcdef0123456789abcdef-lock-0000000000", "", zk.Ephemeral)
		create(t, other, dir+"/zzz", "", zk.Persistent)
		// This node is before us by number although its prefix sorts last, ...
		first := create(t, other, dir+"/_c_ffffffffffffffffffffffffffffffff-latch-", "", zk.EphemeralSequential)
		entered, release, done := start(t.Context(), c, dir)
		synctest.Wait()
		// ... and this one is behind us although its prefix sorts first.
		second := create(t, other, dir+"/_c_00000000000000000000000000000000-latch-", "", zk.EphemeralSequential)
		time.Sleep(time.Hour)
		if closed(entered) {
			t.Error("entered before the first in line")
		}
		remove(t, other, first)
		<-entered
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
		// A node without a living owner blocks until it's deleted.
		entered, release, done = start(t.Context(), c, dir)
		time.Sleep(time.Hour)
		if closed(entered) {
			t.Error("entered past a foreign latch node")
		}
		remove(t, other, second)
		<-entered
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := children(t, srv, dir); n != 2 {
			t.Errorf("%d nodes left, want the 2 foreign ones", n)
		}
	})
}

// Waiting should cost no reads, and a release should wake only the next candidate.
func TestLatchWakesOnlyTheNext(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		const n = 50
		c := connectFake(t, srv)
		first, release, done := start(t.Context(), c, dir)
		<-first
		var group sync.WaitGroup
		for range n {
			group.Go(func() {
				if err := recipe.Latch(t.Context(), c, dir, func(context.Context) error { return nil }); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(time.Minute)
		srv.ResetStats()
		time.Sleep(time.Hour)
		if r := srv.Stats().Reads; r != 0 {
			t.Errorf("%d reads while waiting", r)
		}
		close(release)
		group.Wait()
		<-done
		if st := srv.Stats(); st.Reads > 2*n || st.WatchEvents > 2*n {
			t.Errorf("%d reads and %d events for %d in line", st.Reads, st.WatchEvents, n)
		}
	})
}

func TestLatchParentVanishes(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		c, other := connectFake(t, srv), connectFake(t, srv)
		run := func() {
			t.Helper()
			ran := false
			if err := recipe.Latch(t.Context(), c, dir, func(context.Context) error { ran = true; return nil }); err != nil || !ran {
				t.Errorf("ran %v, %v", ran, err)
			}
		}
		for range 3 {
			run()
			time.Sleep(5 * time.Minute)
			if dump := srv.Dump(dir); len(dump) != 0 {
				t.Fatalf("the server did not remove the empty container: %+v", dump)
			}
		}
		// The worst moment is between creating the parent and the node.
		var times atomic.Int32
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "create" && strings.HasPrefix(r.Path, dir+"/") && times.Add(1) <= 4 {
				if err := other.Delete(t.Context(), dir, zk.AnyVersion); err != nil && !errors.Is(err, zk.ErrNoNode) {
					t.Error(err)
				}
			}
			return zkfake.None
		})
		run()
		if n := times.Load(); n != 5 {
			t.Errorf("%d attempts, want 5", n)
		}
	})
}

// TestHoldLockNodeIsCurators: the node is named like Curator's lock, its data names the holder, and
// it waits for a Curator node in front of it.
func TestHoldLockNodeIsCurators(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		c := connectTo(t, srv)
		root := "/" + zktest.Namespace(t)
		other := create(t, connectTo(t, srv), root+"/_c_0b1d3f4a-0000-4000-8000-000000000000-lock-", "java", zk.EphemeralSequential)
		held, done := make(chan struct{}), make(chan error, 1)
		go func() {
			done <- recipe.HoldLock(t.Context(), c, root, "me", func(ctx context.Context, _ *recipe.Place) error {
				close(held)
				names, _, err := c.Children(ctx, root)
				name := regexp.MustCompile(`^_c_[0-9a-f-]{36}-lock-0000000001$`)
				if len(names) != 1 || !name.MatchString(names[0]) {
					t.Errorf("nodes %v", names)
					return err
				}
				data, _, err := c.Get(ctx, root+"/"+names[0])
				if string(data) != "me" {
					t.Errorf("data %q", data)
				}
				return err
			})
		}()
		waittest.Until(t, "the second node", func() bool {
			names, _, err := c.Children(t.Context(), root)
			return err == nil && len(names) == 2
		})
		if closed(held) {
			t.Error("held although another is in front")
		}
		remove(t, c, other)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
