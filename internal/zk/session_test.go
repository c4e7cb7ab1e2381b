package zk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

func TestFirstSession(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		srv.Stop()
		c := mustOpen(t, testConfig(t, w))
		j := follow(c)
		if s := c.State(); s != Suspended {
			t.Errorf("state %v before the first session", s)
		}
		if s := c.Session(); s != (Session{}) {
			t.Errorf("session %+v before the first", s)
		}
		time.Sleep(time.Hour) // There's no session to lose.
		if s := c.State(); s != Suspended {
			t.Errorf("state %v after an hour", s)
		}
		if cond := c.Condition(); !errors.Is(cond.LastError, ErrUnavailable) || !strings.Contains(cond.LastError.Error(), testServer) {
			t.Errorf("condition %+v", cond)
		}
		if _, _, err := c.Get(t.Context(), "/"); !errors.Is(err, ErrUnavailable) {
			t.Errorf("get: %v", err)
		}
		if err := srv.Start(); err != nil {
			t.Fatal(err)
		}
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		session := c.Session()
		if session.ID != srv.Sessions()[0].ID || session.Epoch != 1 || session.Timeout != 30*time.Second {
			t.Errorf("session %+v", session)
		}
		first := j.await(t, 1)
		if first.State != Connected || !first.NewEpoch || first.Session != session || first.Err != nil {
			t.Errorf("transition %+v", first)
		}
		if cond := c.Condition(); cond.State != Connected || cond.LastError != nil || !cond.Since.Equal(first.At) {
			t.Errorf("condition %+v", cond)
		}
	})
}

func TestDisconnectionKeepsTheSession(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		j := follow(c)
		mustCreate(t, c, "/mine", "x", Ephemeral)
		before := c.Session()
		for range 5 {
			time.Sleep(7 * time.Second)
			srv.DropConnection(before.ID)
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if got := c.Session(); got != before {
			t.Errorf("session %+v, want %+v", got, before)
		}
		for i, tr := range j.all() {
			want := []State{Suspended, Connected}[i%2]
			if tr.State != want || tr.NewEpoch || (tr.Err != nil) != (want == Suspended) {
				t.Errorf("transition %d: %+v", i, tr)
			}
		}
		if n := len(j.all()); n != 10 {
			t.Errorf("%d transitions, want 10", n)
		}
		if _, ok, err := c.Exists(t.Context(), "/mine"); !ok || err != nil {
			t.Errorf("our node: %v, %v", ok, err)
		}
	})
}

// TestExpiryOfTheSessionBefore: the supervisor may see a new session before the expiry of the old
// one. It must keep the new one.
func TestExpiryOfTheSessionBefore(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		before := c.Session()
		c.onSessionEvent(gozk.Event{State: gozk.StateExpired})
		if now := c.Session(); c.State() != Connected || now != before {
			t.Errorf("%v in session %+v, want %v in %+v", c.State(), now, Connected, before)
		}
		srv.ExpireSession(before.ID)
		time.Sleep(time.Minute)
		if now := c.Session(); c.State() != Connected || now.Epoch != 2 || now.ID == before.ID {
			t.Errorf("%v in session %+v after the server expired %+v", c.State(), now, before)
		}
	})
}

// The core guarantee: we know before the server gives our nodes away, whenever and however the
// silence begins.
func TestLostBeforeTheServerCanExpire(t *testing.T) {
	for _, gone := range []bool{false, true} { // The server is mute, or accepts no connections.
		for offset := time.Duration(0); offset <= 11*time.Second; offset += 1700 * time.Millisecond {
			inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
				c := mustConnect(t, testConfig(t, w))
				j := follow(c)
				watcher := mustConnect(t, Config{Servers: []string{testServer}, Dial: srv.Dial, SessionTimeout: 40 * time.Second, Logger: testLogger(t)})
				mustCreate(t, c, "/mine", "x", Ephemeral)
				time.Sleep(offset)
				begin := time.Now()
				w.setMute("", true)
				if gone {
					for _, s := range srv.Sessions() {
						if s.ID == c.Session().ID {
							srv.DropConnection(s.ID)
						}
					}
				}
				if err := watcher.AwaitDeletion(t.Context(), "/mine"); err != nil {
					t.Fatal(err)
				}
				expired := time.Now()
				if s := c.State(); s != Lost {
					t.Fatalf("offset %v: %v when the server gave our node away", offset, s)
				}
				list := j.all()
				lost := list[slices.IndexFunc(list, func(tr Transition) bool { return tr.State == Lost })]
				if !errors.Is(lost.Err, ErrSessionLost) {
					t.Errorf("reason %v", lost.Err)
				}
				if ahead := expired.Sub(lost.At); ahead < 10*time.Second {
					t.Errorf("offset %v, deleted %v: LOST only %v before the server gave our node away", offset, gone, ahead)
				}
				if after := lost.At.Sub(begin); after < 10*time.Second-time.Millisecond || after > 20*time.Second {
					t.Errorf("offset %v, deleted %v: LOST %v after the silence began", offset, gone, after)
				}
				w.setMute("", false)
				if err := c.AwaitConnected(t.Context()); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				last := j.all()[len(j.all())-1]
				if last.State != Connected || !last.NewEpoch || last.Session.Epoch != 2 || last.Session.ID == lost.Session.ID {
					t.Errorf("transition %+v after %+v", last, lost)
				}
			})
		}
	}
}

func TestServerExpiry(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		j := follow(c)
		for epoch := uint64(2); epoch <= 5; epoch++ {
			old := c.Session()
			time.Sleep(time.Minute)
			n := len(j.all())
			srv.ExpireSession(old.ID)
			if tr := j.await(t, n+1); tr.State != Suspended {
				t.Errorf("transition %+v", tr)
			}
			if tr := j.await(t, n+2); tr.State != Lost || !errors.Is(tr.Err, ErrSessionLost) {
				t.Errorf("transition %+v", tr)
			}
			if tr := j.await(t, n+3); tr.State != Connected || !tr.NewEpoch || tr.Session.Epoch != epoch || tr.Session.ID == old.ID {
				t.Errorf("transition %+v", tr)
			}
		}
		synctest.Wait()
		if n := w.openConns(); n != 1 {
			t.Errorf("%d connections open, want 1: connections of expired sessions stay open", n)
		}
	})
}

func TestLostSessionThatReturnsIsANewEpoch(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		j := follow(c)
		mustCreate(t, c, "/mine", "x", Ephemeral)
		old := c.Session()
		w.setMute("", true)
		if tr := j.await(t, 1); tr.State != Lost && tr.State != Suspended {
			t.Errorf("transition %+v", tr)
		}
		for c.State() != Lost {
			time.Sleep(time.Second)
		}
		w.setMute("", false)
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := c.Session(); got.ID != old.ID || got.Epoch != old.Epoch+1 {
			t.Errorf("session %+v after %+v", got, old)
		}
		synctest.Wait()
		if last := j.all()[len(j.all())-1]; last.State != Connected || !last.NewEpoch {
			t.Errorf("transition %+v", last)
		}
		if _, ok, err := c.Exists(t.Context(), "/mine"); !ok || err != nil {
			t.Errorf("our node: %v, %v", ok, err)
		}
	})
}

// A late reply on a silent connection brings the session back, but only for as long as it proves.
func TestLateReplyProvesOnlyItsRequest(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		var pings atomic.Int32
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			switch {
			case r.Op != "ping":
				return zkfake.None
			case pings.Add(1) == 1:
				return zkfake.Delay(15 * time.Second) // sent at 10 s, answered at 25 s
			}
			return zkfake.Delay(time.Hour)
		})
		start := time.Now()
		c := mustConnect(t, testConfig(t, w))
		j := follow(c)
		before := c.Session()
		time.Sleep(9 * time.Second) // An event isn't a contact, but makes the library wait until 29 s.
		srv.SendEvent(zkfake.WatchEvent{Session: before.ID, Type: wire.NodeDataChanged, Path: "/else"})
		for i, want := range []struct {
			state State
			at    time.Duration
			epoch uint64
		}{{Lost, 20 * time.Second, 1}, {Connected, 25 * time.Second, 2}, {Lost, 30 * time.Second, 2}} {
			got := j.await(t, i+1)
			if got.State != want.state || got.At.Sub(start) != want.at || got.Session.Epoch != want.epoch || got.Session.ID != before.ID {
				t.Errorf("after %v %+v, want %+v", got.At.Sub(start), got, want)
			}
		}
	})
}

func TestFrozenProcessSeesLostAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		j := follow(c)
		time.Sleep(time.Minute)
		// The process resumes after 25 s. No timer has run and no goroutine has noticed.
		c.contact.Add(-int64(25 * time.Second))
		release := w.hold() // Otherwise the client could reconnect before we check.
		if s := c.State(); s != Lost {
			t.Fatalf("state %v", s)
		}
		if _, _, err := c.Get(t.Context(), "/"); !errors.Is(err, ErrSessionLost) || !errors.Is(err, ErrUnavailable) {
			t.Errorf("get: %v", err)
		}
		if cond := c.Condition(); cond.State != Lost || !cond.Since.Equal(time.Now().Add(-c.silence(time.Now()))) || !errors.Is(cond.LastError, ErrSessionLost) {
			t.Errorf("condition %+v", cond)
		}
		release()
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := j.states(); !slices.Equal(got, []State{Lost, Connected}) || !j.all()[1].NewEpoch {
			t.Errorf("transitions %+v: who saw LOST must see a new epoch", j.all())
		}
	})
}

func TestTimesAreMonotonic(t *testing.T) {
	c := &Client{born: time.Now()}
	if !strings.Contains(c.born.String(), "m=") {
		t.Fatal("no monotonic reading")
	}
	c.contacted(time.Now())
	if got := c.silence(time.Now()); got < 0 || got > time.Minute {
		t.Errorf("silence %v", got)
	}
}

func TestNegotiatedTimeoutCounts(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *zkfake.Server, w *network) {
		for _, tc := range []struct{ asked, want time.Duration }{
			{time.Second, 4 * time.Second}, {12 * time.Second, 12 * time.Second}, {5 * time.Minute, 40 * time.Second},
		} {
			cfg := testConfig(t, w)
			cfg.SessionTimeout = tc.asked
			c := mustConnect(t, cfg)
			if got := c.Session().Timeout; got != tc.want {
				t.Errorf("asked for %v: %v, want %v", tc.asked, got, tc.want)
			}
			time.Sleep(time.Hour)
			if got := c.Session(); got.Epoch != 1 || c.State() != Connected {
				t.Errorf("asked for %v: %v %+v after an hour", tc.asked, c.State(), got)
			}
			j := follow(c)
			begin := time.Now()
			w.setMute("", true)
			lost := j.await(t, 1)
			if lost.State == Suspended {
				lost = j.await(t, 2)
			}
			if took := lost.At.Sub(begin); lost.State != Lost || took > tc.want*2/3 ||
				took < tc.want/3-time.Millisecond {
				t.Errorf("asked for %v: LOST after %v", tc.asked, took)
			}
			w.setMute("", false)
			_ = c.Close()
		}
	})
}

func TestBlockedSubscriberDoesNotDelayTheSession(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		var got []State
		release := make(chan struct{})
		c.Subscribe(func(tr Transition) {
			<-release
			got = append(got, tr.State)
		})
		cancelled := c.Subscribe(func(Transition) { t.Error("called after cancel") })
		before := c.Session()
		srv.DropConnection(before.ID)
		time.Sleep(time.Hour)
		if c.State() != Connected || c.Session() != before || srv.Stats().Sessions != 1 {
			t.Errorf("%v, session %+v", c.State(), c.Session())
		}
		cancelled()
		var late []State
		c.Subscribe(func(tr Transition) { late = append(late, tr.State) })
		srv.ExpireSession(before.ID)
		time.Sleep(time.Minute)
		close(release)
		synctest.Wait()
		_ = c.Close()
		want := []State{Suspended, Connected, Suspended, Lost, Connected, Closed}
		if !slices.Equal(got, want) {
			t.Errorf("transitions %v, want %v", got, want)
		}
		if !slices.Equal(late, want[2:]) {
			t.Errorf("a later subscriber got %v, want %v", late, want[2:])
		}
	})
}

func TestSilentServerIsLeftForAnotherInTime(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		cfg := testConfig(t, w)
		cfg.Servers = []string{"one:2181", "two:2181", "three:2181"}
		c := mustConnect(t, cfg)
		j := follow(c)
		before := c.Session()
		for range 10 {
			time.Sleep(9 * time.Second)
			dialled := w.dialled()
			silent := dialled[len(dialled)-1]
			w.setMute(silent, true)
			time.Sleep(31 * time.Second)
			w.setMute(silent, false)
		}
		if c.State() != Connected || c.Session() != before || srv.Stats().SessionsExpired != 0 {
			t.Errorf("%v, session %+v, transitions %v", c.State(), c.Session(), j.states())
		}
		if slices.Contains(j.states(), Lost) {
			t.Errorf("transitions %v", j.states())
		}
		if n := len(w.dialled()); n > 30 {
			t.Errorf("%d dials for 10 silent servers", n)
		}
	})
}

func TestEventually(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		var calls, refused atomic.Int32
		srv.Stop()
		synctest.Wait()
		c.Eventually(func(ctx context.Context) error {
			if calls.Add(1) < 3 {
				return &Error{Op: "test", Err: ErrUnavailable}
			}
			_, err := c.Create(ctx, "/done", nil, Persistent)
			return err
		})
		c.Eventually(func(context.Context) error {
			refused.Add(1)
			return &Error{Op: "test", Err: ErrNoAuth}
		})
		time.Sleep(time.Minute)
		if n := calls.Load() + refused.Load(); n != 0 {
			t.Errorf("%d calls without a server", n)
		}
		if err := srv.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if _, ok, err := c.Exists(t.Context(), "/done"); !ok || err != nil || calls.Load() != 3 || refused.Load() != 1 {
			t.Errorf("%v, %v after %d calls; %d calls of what fails for good", ok, err, calls.Load(), refused.Load())
		}
		c.Eventually(func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) })
		synctest.Wait()
		_ = c.Close()
		c.Eventually(func(context.Context) error { t.Error("called after Close"); return nil })
	})
}
