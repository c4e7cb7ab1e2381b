package recipe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

const dir = "/ns/job/leader/election/latch"

// parent is what must exist already.
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

// start runs a latch in the background; entered closes when fn runs, which
// lasts until release is closed.
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
							err := c.Sync(ctx, root) // Something that takes a while.
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

// Whose node sorts first by what follows the last "latch-" holds; whatever else
// lies there is nobody.
// TestHoldFencesAndLeaves: a latch is given up by a transaction, and one whose
// node is gone makes no transaction pass.
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
			remove(t, c, dir+"/"+names[0]) // As an operator might.
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
		// A common Go client's lock, and what has no mark at all, do not block.
		create(t, other, dir+"/_c_0123456789abcdef0123456789abcdef-lock-0000000000", "", zk.Ephemeral)
		create(t, other, dir+"/zzz", "", zk.Persistent)
		// One before us by number although its prefix sorts last, ...
		first := create(t, other, dir+"/_c_ffffffffffffffffffffffffffffffff-latch-", "", zk.EphemeralSequential)
		entered, release, done := start(t.Context(), c, dir)
		synctest.Wait()
		// ... and one behind us although its prefix sorts first.
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
		// A node that nobody will ever remove blocks until somebody does.
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

// Waiting costs no reads, and the release of one wakes only the next.
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
		// At the worst moment: between the making of the parent and of the node.
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

// once spoils the first request whose node is a latch node.
func once(srv *zkfake.Server, op string, fault zkfake.Fault) {
	var done atomic.Bool
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op == op && strings.Contains(r.Path, "-latch-") && done.CompareAndSwap(false, true) {
			return fault
		}
		return zkfake.None
	})
}

func TestMS05LatchWithLostRepliesLeavesNothing(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		c := connectFake(t, srv)
		for _, op := range []string{"create", "delete"} {
			for _, fault := range []zkfake.Fault{zkfake.LoseRequest, zkfake.LoseReply} {
				time.Sleep(10 * time.Second)
				once(srv, op, fault)
				err := recipe.Latch(t.Context(), c, dir, func(context.Context) error {
					if n := children(t, srv, dir); n != 1 {
						t.Errorf("%s %+v: %d nodes while holding", op, fault, n)
					}
					return nil
				})
				if err != nil {
					t.Errorf("%s %+v: %v", op, fault, err)
				}
				time.Sleep(5 * time.Second)
				if n := children(t, srv, dir); n != 0 || c.Session().Epoch != 1 {
					t.Errorf("%s %+v: %d nodes left in %+v", op, fault, n, c.Session())
				}
			}
		}
	})
}

// The connection is away for longer than anybody waits, the session survives:
// the node must not survive with it.
func TestLatchNodeIsRemovedWhenTheServerReturns(t *testing.T) {
	for name, away := range map[string]func(t *testing.T, srv *zkfake.Server, c *zk.Client) error{
		"after a create without a reply": func(t *testing.T, srv *zkfake.Server, c *zk.Client) error {
			var stopping sync.WaitGroup
			var done atomic.Bool
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				if strings.Contains(r.Path, "-latch-") && done.CompareAndSwap(false, true) {
					stopping.Go(func() { time.Sleep(time.Millisecond); srv.Stop() })
					return zkfake.Delay(time.Second)
				}
				return zkfake.None
			})
			defer stopping.Wait()
			err := recipe.Latch(t.Context(), c, dir, func(context.Context) error { t.Error("entered"); return nil })
			if !errors.Is(err, zk.ErrUnavailable) {
				t.Errorf("%v", err)
			}
			return nil
		},
		"after the callback": func(t *testing.T, srv *zkfake.Server, c *zk.Client) error {
			return recipe.Latch(t.Context(), c, dir, func(context.Context) error { srv.Stop(); return nil })
		},
		"cancelled while waiting": func(t *testing.T, srv *zkfake.Server, c *zk.Client) error {
			create(t, c, dir+"/_c_x-latch-0000000000", "", zk.Persistent)
			create(t, c, dir+"/_c_y-latch-", "", zk.PersistentSequential)
			ctx, cancel := context.WithCancel(t.Context())
			_, _, done := start(ctx, c, dir)
			synctest.Wait()
			srv.Stop()
			synctest.Wait()
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			return nil
		},
		"cancelled while creating": func(t *testing.T, srv *zkfake.Server, c *zk.Client) error {
			once(srv, "create", zkfake.DelayRequest(8*time.Second))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begin := time.Now()
			err := recipe.Latch(ctx, c, dir, func(context.Context) error { t.Error("entered"); return nil })
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
				t.Errorf("%v after %v", err, time.Since(begin))
			}
			return nil
		},
	} {
		inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
			c := connectFake(t, srv)
			other := connectFake(t, srv)
			create(t, c, dir, "", zk.Persistent)
			time.Sleep(10 * time.Second)
			begin := time.Now()
			if err := away(t, srv, c); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if took := time.Since(begin); took > 12*time.Second {
				t.Errorf("%s: took %v", name, took)
			}
			time.Sleep(2 * time.Second)
			srv.SetFault(nil)
			if err := srv.Start(); err != nil && !strings.Contains(err.Error(), "running") {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
			if s := c.Session(); s.Epoch != 1 {
				t.Fatalf("%s: session %+v: the test proves nothing", name, s)
			}
			if strings.Contains(name, "waiting") {
				remove(t, other, dir+"/_c_x-latch-0000000000")
				remove(t, other, dir+"/_c_y-latch-0000000001")
			}
			if dump := srv.Dump(dir); len(dump) > 1 {
				t.Errorf("%s: left behind: %+v", name, dump[1:])
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := recipe.Latch(ctx, other, dir, func(context.Context) error { return nil }); err != nil {
				t.Errorf("%s: nobody else can enter: %v", name, err)
			}
		})
	}
}

func TestLatchAndSessionLoss(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		c, other := connectFake(t, srv), connectFake(t, srv)
		first := create(t, other, dir+"/_c_x-latch-", "", zk.EphemeralSequential)
		_, _, done := start(t.Context(), c, dir)
		synctest.Wait()
		srv.ExpireSession(c.Session().ID)
		if err := <-done; !errors.Is(err, zk.ErrSessionLost) {
			t.Errorf("while waiting: %v", err)
		}
		remove(t, other, first)
		time.Sleep(time.Minute)

		entered, release, done := start(t.Context(), c, dir)
		<-entered
		srv.ExpireSession(c.Session().ID)
		if err := recipe.Latch(t.Context(), other, dir, func(context.Context) error { return nil }); err != nil {
			t.Errorf("after the holder's session: %v", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Errorf("while holding: %v", err)
		}
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := children(t, srv, dir); n != 0 {
			t.Errorf("%d nodes left", n)
		}
	})
}

func TestLatchDoesNotBringItsParentBack(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server) {
		c := connectFake(t, srv)
		err := recipe.Latch(t.Context(), c, dir, func(context.Context) error { t.Error("entered"); return nil })
		if !errors.Is(err, recipe.ErrNoParent) || !errors.Is(err, zk.ErrNoNode) {
			t.Error(err)
		}
		if dump := srv.Dump("/ns"); len(dump) != 0 {
			t.Errorf("made %v", dump)
		}
	})
}

func TestLatchWithoutConnection(t *testing.T) {
	inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
		c := connectFake(t, srv)
		srv.Stop()
		synctest.Wait()
		err := recipe.Latch(t.Context(), c, dir, func(context.Context) error { t.Error("entered"); return nil })
		if !errors.Is(err, zk.ErrUnavailable) {
			t.Error(err)
		}
	})
}

// A lucky dip of everything that can go wrong. In the end nothing is left
// behind, and while no session was lost there was never more than one inside.
func TestLatchUnderRandomFaults(t *testing.T) {
	for seed := range uint64(10) {
		inBubbleWithParent(t, func(t *testing.T, srv *zkfake.Server) {
			random := rand.New(rand.NewPCG(seed, 7))
			var mu sync.Mutex
			pick := func(n int) int { mu.Lock(); defer mu.Unlock(); return random.IntN(n) }
			chance := func(n int) bool { return pick(n) == 0 }
			upTo := func(d time.Duration) time.Duration {
				mu.Lock()
				defer mu.Unlock()
				return time.Duration(random.Int64N(int64(d)))
			}
			clients := make([]*zk.Client, 4)
			for i := range clients {
				clients[i] = connectFake(t, srv)
			}
			expiring := seed%2 == 0
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				switch {
				case r.Op == "ping":
				case chance(30):
					return zkfake.LoseRequest
				case chance(30):
					return zkfake.LoseReply
				case chance(20):
					return zkfake.Delay(upTo(3 * time.Second))
				case chance(20):
					return zkfake.DelayRequest(upTo(3 * time.Second))
				}
				return zkfake.None
			})
			ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
			defer stop()
			var inside, runs atomic.Int32
			var group sync.WaitGroup
			for _, c := range clients {
				for range 2 {
					group.Go(func() {
						for ctx.Err() == nil {
							attempt, cancel := context.WithTimeout(ctx, time.Second+upTo(30*time.Second))
							_ = recipe.Latch(attempt, c, dir, func(context.Context) error {
								if n := inside.Add(1); n != 1 && !expiring {
									t.Errorf("seed %d: %d inside", seed, n)
								}
								time.Sleep(upTo(2 * time.Second))
								inside.Add(-1)
								runs.Add(1)
								return nil
							}) // What it tells is another test's matter.
							cancel()
							time.Sleep(upTo(3 * time.Second))
						}
					})
				}
			}
			for ctx.Err() == nil {
				time.Sleep(upTo(time.Minute))
				id := clients[pick(len(clients))].Session().ID
				switch {
				case expiring && chance(3):
					srv.ExpireSession(id)
				case chance(4):
					srv.Stop()
					time.Sleep(upTo(6 * time.Second))
					if err := srv.Start(); err != nil {
						t.Error(err)
					}
				default:
					srv.DropConnection(id)
				}
			}
			srv.SetFault(nil)
			group.Wait()
			time.Sleep(15 * time.Second) // Less than a session lives.
			if dump := srv.Dump(dir); len(dump) > 1 {
				t.Errorf("seed %d: left behind: %v of %d", seed, dump[1].Path, len(dump)-1)
			}
			for _, c := range clients {
				if s := c.Session(); !expiring && s.Epoch != 1 {
					t.Errorf("seed %d: session %+v", seed, s)
				}
			}
			if n := runs.Load(); n < 25 {
				t.Errorf("seed %d: only %d runs", seed, n)
			}
		})
	}
}
