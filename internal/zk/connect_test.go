package zk

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		cfg  Config
		want []string // parts of the error; empty for no error
	}{
		{Config{Servers: []string{"a:2181", "[::1]:2181"}}, nil},
		{Config{Servers: []string{"a:2181"}, Digest: "user:pass:word", SessionTimeout: 200 * time.Millisecond, ConnectTimeout: time.Second}, nil},
		{Config{}, []string{"Servers: empty"}},
		{Config{Servers: []string{"a:1", "b:"}}, []string{`Servers: "b:" is not host:port`}},
		{Config{Servers: []string{"a:1"}, Digest: "secret"}, []string{"Digest:"}},
		{Config{Servers: []string{"a:1"}, SessionTimeout: 30}, []string{"SessionTimeout: 30ns is outside 200ms to 5m0s"}},
		{Config{Servers: []string{"a:1"}, SessionTimeout: time.Hour}, []string{"SessionTimeout: 1h0m0s"}},
		{Config{Servers: []string{"a:1"}, ConnectTimeout: -1}, []string{"ConnectTimeout: -1ns is outside 0 to 1h0m0s"}},
		{Config{Digest: "x", SessionTimeout: -1, ConnectTimeout: -1}, []string{"Servers:", "Digest:", "SessionTimeout:", "ConnectTimeout:"}},
	} {
		err := tc.cfg.Validate()
		if len(tc.want) == 0 && err != nil {
			t.Errorf("%+v: %v", tc.cfg, err)
		}
		for _, part := range tc.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%+v: %v, want %s", tc.cfg, err, part)
			}
		}
		if err != nil && tc.cfg.Digest == "secret" && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error contains the secret: %v", err)
		}
		if len(tc.want) > 0 {
			if c, err := Open(tc.cfg); err == nil {
				_ = c.Close()
				t.Errorf("%+v was opened", tc.cfg)
			}
			if _, err := Connect(t.Context(), tc.cfg); err == nil {
				t.Errorf("%+v was connected", tc.cfg)
			}
		}
	}
}

// peer serves each connection with a server that misbehaves.
func peer(serve func(net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go serve(far)
		return near, nil
	}
}

func readAll(c net.Conn) {
	buf := make([]byte, 1024)
	for {
		if _, err := c.Read(buf); err != nil {
			_ = c.Close()
			return
		}
	}
}

// If Connect gives up, its error names the servers and the last failure. Until then it must not
// hammer the servers.
func TestConnectErrorNamesServersAndCause(t *testing.T) {
	for name, tc := range map[string]struct {
		dial func(context.Context, string, string) (net.Conn, error)
		want string
	}{
		"refused":     {func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("connection refused") }, "connection refused"},
		"black hole":  {func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }, "connect to zookeeper:2181: context deadline exceeded"},
		"mute":        {peer(readAll), "did not answer the handshake within 5s"},
		"never reads": {peer(func(net.Conn) {}), "did not answer the handshake within 5s"},
		"hangs up":    {peer(func(c net.Conn) { _ = c.Close() }), "handshake with zookeeper:2181"},
		"half a handshake": {peer(func(c net.Conn) {
			go readAll(c)
			_, _ = c.Write([]byte{0, 0, 0, 37, 0, 0, 0, 0, 0, 0, 117, 48, 1})
		}), "did not answer the handshake within 5s"},
		"another protocol": {peer(func(c net.Conn) {
			go readAll(c)
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		}), "not from a ZooKeeper server: it starts with \"HTTP"},
		"another protocol, byte by byte": {peer(func(c net.Conn) {
			go readAll(c)
			for _, b := range []byte("SSH-2.0") {
				_, _ = c.Write([]byte{b})
			}
		}), "not from a ZooKeeper server: it starts with \"SSH"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := &network{dial: tc.dial}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			begin := time.Now()
			c, err := Connect(ctx, testConfig(t, w))
			if err == nil {
				_ = c.Close()
				t.Fatalf("%s: connected", name)
			}
			for _, part := range []string{testServer, tc.want} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s: %v, want %s", name, err, part)
				}
			}
			if !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: kind of %v", name, err)
			}
			if took := time.Since(begin); took > time.Minute+5*time.Second {
				t.Errorf("%s: took %v", name, took)
			}
			if n := len(w.dialled()); n < 7 || n > 250 {
				t.Errorf("%s: %d dials in a minute", name, n)
			}
			if n := w.openConns(); n != 0 {
				t.Errorf("%s: %d connections left open", name, n)
			}
		})
	}
}

// The client must not hammer a server that greets every client and hangs up at the first request.
func TestServerThatHangsUpIsNotDialledInALoop(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "auth" {
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		cfg := testConfig(t, w)
		cfg.Digest = "agent:secret"
		c := mustOpen(t, cfg)
		time.Sleep(10 * time.Minute)
		if n := len(w.dialled()); n < 200 || n > 600 {
			t.Errorf("%d dials in ten minutes", n)
		}
		if cond := c.Condition(); cond.State != Suspended || cond.LastError == nil || !strings.Contains(cond.LastError.Error(), "authenticate") || strings.Contains(cond.LastError.Error(), "secret") {
			t.Errorf("condition %+v", cond)
		}
		srv.SetFault(nil)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := c.AwaitConnected(ctx); err != nil {
			t.Error(err)
		}
	})
}

// A late answer to the credentials must not leave the client without a session for good.
func TestSlowAuthentication(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "auth" {
				return zkfake.Delay(12 * time.Second)
			}
			return zkfake.None
		})
		cfg := testConfig(t, w)
		cfg.Digest = "agent:secret"
		c := mustOpen(t, cfg)
		time.Sleep(6 * time.Second)
		if cond := c.Condition(); cond.State != Suspended || cond.LastError == nil || !strings.Contains(cond.LastError.Error(), "no answer to the credentials in 5s") {
			t.Errorf("condition %+v", cond)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := c.AwaitConnected(ctx); err != nil {
			t.Error(err)
		}
		srv.SetFault(nil)
		mustCreate(t, c, "/mine", "x", Persistent)
		id := c.Session().ID
		for range 3 { // The credentials apply to later connections and sessions.
			srv.DropConnection(id)
			synctest.Wait()
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Get(t.Context(), "/mine"); err != nil {
				t.Error(err)
			}
		}
		srv.ExpireSession(id)
		synctest.Wait()
		if err := c.AwaitConnected(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Get(t.Context(), "/mine"); err != nil {
			t.Error(err)
		}
	})
}

// beforeClosing are states that a client may be closed in.
var beforeClosing = map[string]func(srv *zkfake.Server, w *network){
	"healthy":      func(*zkfake.Server, *network) {},
	"disconnected": func(srv *zkfake.Server, _ *network) { srv.Stop() },
	"mute":         func(_ *zkfake.Server, w *network) { w.setMute("", true) },
	"mute handshake": func(srv *zkfake.Server, w *network) {
		w.setMute("", true)
		srv.DropConnections()
	},
	"lost": func(_ *zkfake.Server, w *network) {
		w.setMute("", true)
		time.Sleep(25 * time.Second)
	},
	"dialling": func(srv *zkfake.Server, w *network) {
		w.mu.Lock()
		w.dial = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
		w.mu.Unlock()
		srv.DropConnections()
	},
}

// In every state of the connection, Close should end within seconds, and pending calls should end with it.
func TestCloseIsBounded(t *testing.T) {
	for name, spoil := range beforeClosing {
		inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
			c := mustConnect(t, testConfig(t, w))
			mustCreate(t, c, "/mine", "x", Ephemeral)
			gone := make(chan error, 2)
			go func() { gone <- c.AwaitDeletion(t.Context(), "/mine") }()
			synctest.Wait()
			spoil(srv, w)
			synctest.Wait()
			go func() { _, _, err := c.Get(t.Context(), "/mine"); gone <- err }()
			begin := time.Now()
			if err := c.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := c.Close(); err != nil {
				t.Errorf("%s: second: %v", name, err)
			}
			if took := time.Since(begin); took > 4*time.Second {
				t.Errorf("%s: closing took %v", name, took)
			}
			for range 2 {
				<-gone // Otherwise the bubble deadlocks. The error depends on the order.
			}
			if c.State() != Closed {
				t.Errorf("%s: state %v", name, c.State())
			}
			if _, _, err := c.Get(t.Context(), "/mine"); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: get: %v", name, err)
			}
			if err := c.AwaitConnected(t.Context()); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: await: %v", name, err)
			}
			if err := c.AwaitDeletion(t.Context(), "/mine"); !errors.Is(err, ErrClosed) {
				t.Errorf("%s: await deletion: %v", name, err)
			}
			if n := w.openConns(); n != 0 {
				t.Errorf("%s: %d connections left open", name, n)
			}
			if dump := srv.Dump("/mine"); name == "healthy" && len(dump) != 0 {
				t.Errorf("our node outlived a proper end")
			}
		})
	}
}

func TestForeignDigestIsForbidden(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *zkfake.Server, w *network) {
		cfg := testConfig(t, w)
		cfg.Digest = "agent:secret"
		owner := mustConnect(t, cfg)
		mustCreate(t, owner, "/ns/job", "x", Persistent)
		for _, digest := range []string{"agent:wrong", ""} {
			cfg.Digest = digest
			c := mustConnect(t, cfg)
			_, _, get := c.Get(t.Context(), "/ns/job")
			_, set := c.Set(t.Context(), "/ns/job", nil, AnyVersion)
			_, create := c.Create(t.Context(), "/ns/job/child", nil, Persistent)
			_, _, children := c.Children(t.Context(), "/ns/job")
			for op, err := range map[string]error{"get": get, "set": set, "create": create, "children": children, "delete": c.Delete(t.Context(), "/ns/job", AnyVersion)} {
				if !errors.Is(err, ErrNoAuth) || Retriable(err) || !strings.Contains(err.Error(), "/ns/job") {
					t.Errorf("digest %q: %s: %v", digest, op, err)
				}
			}
			var refused *MultiError
			if err := c.Multi(t.Context(), CheckOp("/", AnyVersion), SetOp("/ns/job", nil, AnyVersion)); !errors.As(err, &refused) || refused.Index != 1 || !errors.Is(err, ErrNoAuth) {
				t.Errorf("digest %q: multi: %v", digest, err)
			}
		}
		if _, _, err := owner.Get(t.Context(), "/ns/job"); err != nil {
			t.Error(err)
		}
	})
}

func TestHostsAreShuffledAndTakenInTurn(t *testing.T) {
	servers := []string{"a:1", "b:1", "c:1", "d:1"}
	first := make(map[string]bool)
	for range 200 {
		h := &hosts{stuck: func() bool { return false }}
		if err := h.Init(servers); err != nil {
			t.Fatal(err)
		}
		if h.Len() != 4 {
			t.Fatalf("%d servers", h.Len())
		}
		var round []string
		for i := range 12 {
			server, letGo := h.Next()
			if letGo {
				t.Fatalf("call %d: the library is asked to pause although it holds no request", i)
			}
			if limit := h.pause(); (limit > 0) != (i > 0 && i%4 == 0) {
				t.Fatalf("call %d: pause %v", i, limit)
			}
			if i < 4 {
				round = append(round, server)
			} else if server != round[i%4] {
				t.Fatalf("call %d: %s, want %s", i, server, round[i%4])
			}
		}
		first[round[0]] = true
		h.Connected()
		if h.Next(); h.pause() != 0 {
			t.Fatal("a pause right after a success")
		}
	}
	if len(first) != 4 {
		t.Errorf("first servers %v, want each of four at times", first)
	}
	if fmt.Sprint(servers) != "[a:1 b:1 c:1 d:1]" {
		t.Errorf("the caller's list was shuffled: %v", servers)
	}
}

// The library keeps its held requests through a restart. If the outage lasts, it fails them between
// two rounds of servers.
func TestRequestsAreHeldThroughARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hosts{stuck: func() bool { return true }}
		if err := h.Init([]string{"a:1", "b:1"}); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		for i := range 100 {
			_, letGo := h.Next()
			if want := i%2 == 0 && time.Since(begin) >= holdFor; letGo != want {
				t.Fatalf("after %v, call %d: failed %v", time.Since(begin), i, letGo)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
}

// A server that restarts again and again should be dialled quickly each time.
func TestRestartsInARowAreNoFlaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hosts{stuck: func() bool { return false }}
		if err := h.Init([]string{"a:1"}); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			h.Next()
			if limit := h.pause(); limit != 0 {
				t.Fatalf("a pause of up to %v after a connection that served", limit)
			}
			h.Connected()
			time.Sleep(stableAfter)
		}
	})
}

// Pauses should be short at first and grow to their limit.
func TestPausesGrowToTheirLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hosts{stuck: func() bool { return false }}
		if err := h.Init([]string{"a:1"}); err != nil {
			t.Fatal(err)
		}
		begin, last := time.Now(), time.Duration(0)
		for last < maxDialPause {
			if _, wrapped := h.Next(); wrapped {
				t.Fatal("the library is asked to pause although it holds no request")
			}
			limit := h.pause()
			if away := time.Since(begin); limit < last || limit > maxDialPause || away <= shortOutage && limit > minDialPause || away > time.Minute {
				t.Fatalf("after %v: %v after %v", away, limit, last)
			}
			last = limit
			time.Sleep(max(limit, time.Millisecond))
		}
	})
}

// An expired session should be replaced at once, but a server that never grants one should not be hammered.
func TestOneAnswerIsForgiven(t *testing.T) {
	h := &hosts{stuck: func() bool { return false }}
	if err := h.Init([]string{"a:1"}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		h.Next()
		if paused := h.pause() > 0; paused != (i > 1) {
			t.Fatalf("attempt %d: pause %v", i, h.pause())
		}
		h.greeted()
	}
}
