package zk

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

func TestContextEndsAnOperation(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Path == "/slow" {
				return zkfake.Delay(5 * time.Second)
			}
			return zkfake.None
		})
		begin := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := c.Create(ctx, "/slow", nil, Persistent)
		cancel()
		if !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || !Retriable(err) || time.Since(begin) != time.Second {
			t.Errorf("deadline: %v after %v", err, time.Since(begin))
		}
		because := errors.New("the agent stops")
		cause, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(because) })
		if _, _, err := c.Get(cause, "/slow"); !errors.Is(err, because) || time.Since(begin) != 2*time.Second {
			t.Errorf("cancel: %v after %v", err, time.Since(begin))
		}
		before := srv.Stats().Reads
		if _, _, err := c.Get(cause, "/"); !errors.Is(err, because) || srv.Stats().Reads != before {
			t.Errorf("ended before: %v", err)
		}
		time.Sleep(10 * time.Second)
		if _, ok, err := c.Exists(t.Context(), "/slow"); !ok || err != nil {
			t.Errorf("an abandoned request was still applied: %v, %v", ok, err)
		}
		// Without a deadline, the session timeout is the limit.
		time.Sleep(time.Minute)
		begin = time.Now()
		w.setMute("", true)
		if _, _, err := c.Get(context.WithoutCancel(t.Context()), "/"); !errors.Is(err, ErrUnavailable) || time.Since(begin) > 30*time.Second {
			t.Errorf("no deadline: %v after %v", err, time.Since(begin))
		}
		w.setMute("", false)
	})
}

func TestLostRequestsAndReplies(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		for _, fault := range []zkfake.Fault{zkfake.LoseRequest, zkfake.LoseReply} {
			var once atomic.Bool
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Op != "ping" && r.Op != "connect" && once.CompareAndSwap(false, true) {
					return fault
				}
				return zkfake.None
			})
			time.Sleep(5 * time.Second)
			err := c.Multi(t.Context(), CreateOp("/a", nil, Persistent), CreateOp("/a/b", nil, Persistent))
			if !errors.Is(err, ErrUnavailable) || !Retriable(err) {
				t.Errorf("%+v: %v", fault, err)
			}
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, ok, err := c.Exists(t.Context(), "/a/b")
			if ok != (fault == zkfake.LoseReply) || err != nil {
				t.Errorf("%+v: applied %v, %v", fault, ok, err)
			}
		}
		if c.Session().Epoch != 1 {
			t.Errorf("session %+v", c.Session())
		}
	})
}

// After a session ends, its context asks nothing of the next one, even if that exists before the
// first request.
func TestUnderSession(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns", "x", Persistent)
		old := c.Session()
		ctx := UnderSession(t.Context(), old)
		operations := map[string]func() error{
			"get":      func() error { _, _, err := c.Get(ctx, "/ns"); return err },
			"children": func() error { _, _, err := c.ChildrenWatch(ctx, "/ns"); return err },
			"set":      func() error { _, err := c.Set(ctx, "/ns", []byte("y"), AnyVersion); return err },
			"multi":    func() error { return c.Multi(ctx, SetOp("/ns", []byte("y"), AnyVersion)) },
			"batched":  func() error { return c.MultiBatched(ctx, SetOp("/ns", []byte("y"), AnyVersion)) },
			"watch":    func() error { return c.WatchAbsent(ctx, "/ns/absent") },
		}
		for name, operation := range operations {
			if err := operation(); err != nil {
				t.Errorf("%s under its session: %v", name, err)
			}
		}
		stat, _, err := c.Exists(t.Context(), "/ns")
		if err != nil {
			t.Fatal(err)
		}
		srv.ExpireSession(old.ID)
		time.Sleep(time.Minute)
		if now := c.Session(); c.State() != Connected || now.ID == old.ID {
			t.Fatalf("%v, session %+v", c.State(), now)
		}
		for name, operation := range operations {
			if err := operation(); !errors.Is(err, ErrSessionLost) {
				t.Errorf("%s under the next session: %v", name, err)
			}
		}
		if now, _, err := c.Exists(t.Context(), "/ns"); err != nil || now.Mzxid != stat.Mzxid {
			t.Errorf("written under the next session: %+v, %v", now, err)
		}
	})
}

// A request that waits through a change of session is answered for the new session. The result must
// not be reported for the old one: our node is absent because the session ended, not because a
// client deleted it.
func TestAnswersOfANewSessionAreNotTakenForTheOldOne(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/mine", "x", Ephemeral)
		answers := 0
		for range 20 {
			time.Sleep(10 * time.Second)
			old := c.Session()
			if _, err := c.Create(t.Context(), "/mine", nil, Ephemeral); err != nil && !errors.Is(err, ErrNodeExists) {
				t.Fatal(err)
			}
			// The connection is closed and the session has expired, but the client doesn't know
			// yet. New requests wait for the next connection.
			c.mu.Lock()
			srv.ExpireSession(old.ID)
			c.mu.Unlock()
			type result struct {
				op  string
				err error
			}
			results := make(chan result, 4)
			go func() { _, _, err := c.Get(t.Context(), "/mine"); results <- result{"get", err} }()
			go func() {
				_, ok, err := c.Exists(t.Context(), "/mine")
				results <- result{fmt.Sprint("exists ", ok), err}
			}()
			go func() { _, err := c.Create(t.Context(), "/mine/x", nil, Ephemeral); results <- result{"create", err} }()
			go func() { results <- result{"multi", c.Multi(t.Context(), CheckOp("/mine", AnyVersion))} }()
			for range 4 {
				switch r := <-results; {
				case errors.Is(r.err, ErrSessionLost):
					answers++
				case !errors.Is(r.err, ErrUnavailable):
					if c.Session() == old {
						t.Errorf("%s: %v under the old session", r.op, r.err)
					}
				}
			}
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d of 80 operations met the change of session", answers)
		synctest.Wait()
	})
}

// The same, but deterministic: the client still believes in the old session.
func TestRefusalOfANewSession(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		c.mu.Lock()
		c.session.ID++
		c.mu.Unlock()
		_, _, get := c.Get(t.Context(), "/none")
		_, _, exists := c.Exists(t.Context(), "/none")
		for op, err := range map[string]error{"get": get, "exists": exists, "multi": c.Multi(t.Context(), DeleteOp("/none", 0)), "sync": c.Sync(t.Context(), "/")} {
			if !errors.Is(err, ErrSessionLost) || errors.Is(err, ErrNoNode) {
				t.Errorf("%s: %v", op, err)
			}
		}
	})
}
