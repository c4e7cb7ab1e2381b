package recipe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// once applies a fault to the first request for a latch node.
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

// aways are moments at which the server goes away.
var aways = map[string]func(t *testing.T, srv *zkfake.Server, c *zk.Client) error{
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
}

// The outage is longer than every wait, but the session survives. The node must be removed all the
// same.
func TestLatchNodeIsRemovedWhenTheServerReturns(t *testing.T) {
	for name, away := range aways {
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
				t.Errorf("%s: no other client can enter: %v", name, err)
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

// Random faults of all kinds. In the end no node is left, and as long as no session was lost, there
// was never more than one holder.
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
			latchOverAndOver(ctx, t, clients, &group, upTo, &inside, &runs, expiring, seed)
			breakUntil(ctx, t, upTo, clients, pick, expiring, chance, srv)
			srv.SetFault(nil)
			group.Wait()
			time.Sleep(15 * time.Second) // less than the session timeout
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

// latchOverAndOver takes the latch with each client until the time is up.
func latchOverAndOver(ctx context.Context, t *testing.T, clients []*zk.Client, group *sync.WaitGroup, upTo func(d time.Duration) time.Duration, inside, runs *atomic.Int32, expiring bool, seed uint64) {
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
					}) // Other tests check the error.
					cancel()
					time.Sleep(upTo(3 * time.Second))
				}
			})
		}
	}
}

// breakUntil breaks connections, sessions and the server until the time is up.
func breakUntil(ctx context.Context, t *testing.T, upTo func(d time.Duration) time.Duration, clients []*zk.Client, pick func(n int) int, expiring bool, chance func(n int) bool, srv *zkfake.Server) {
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
}
