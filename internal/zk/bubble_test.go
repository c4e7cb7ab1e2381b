package zk

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

const testServer = "zookeeper:2181"

// network connects a client to a fake server. It counts connections and can swallow or delay the
// client's writes.
type network struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu    sync.Mutex
	mute  map[string]bool // by address; "" for all
	gate  chan struct{}   // if not nil, writes wait until it closes
	dials []string
	open  int
}

func newNetwork(srv *zkfake.Server) *network {
	return &network{dial: srv.Dial, mute: make(map[string]bool)}
}

// setMute swallows writes to the server at addr (all servers for "").
func (w *network) setMute(addr string, mute bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mute[addr] = mute
}

func (w *network) muted(addr string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mute[""] || w.mute[addr]
}

// hold delays all writes until release is called.
func (w *network) hold() (release func()) {
	gate := make(chan struct{})
	set := func(g chan struct{}) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.gate = g
	}
	set(gate)
	return func() {
		set(nil)
		close(gate)
	}
}

func (w *network) held() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gate
}

func (w *network) dialled() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.dials...)
}

func (w *network) openConns() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

func (w *network) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	w.mu.Lock()
	w.dials = append(w.dials, addr)
	w.mu.Unlock()
	conn, err := w.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
	return &networkConn{Conn: conn, wire: w, addr: addr}, nil
}

type networkConn struct {
	net.Conn
	wire *network
	addr string
	once sync.Once
}

func (c *networkConn) Write(p []byte) (int, error) {
	if gate := c.wire.held(); gate != nil {
		<-gate
	}
	if c.wire.muted(c.addr) {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *networkConn) Close() error {
	c.once.Do(func() {
		c.wire.mu.Lock()
		defer c.wire.mu.Unlock()
		c.wire.open--
	})
	return c.Conn.Close()
}

func inBubble(t *testing.T, test func(t *testing.T, srv *zkfake.Server, w *network)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		test(t, srv, newNetwork(srv))
	})
}

func testConfig(t testing.TB, w *network) Config {
	t.Helper()
	return Config{Servers: []string{testServer}, Dial: w.Dial, Logger: testLogger(t)}
}

func testLogger(t testing.TB) *slog.Logger {
	t.Helper()
	if os.Getenv("ZK_LOG") == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func mustOpen(t testing.TB, cfg Config) *Client {
	t.Helper()
	c, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func mustConnect(t testing.TB, cfg Config) *Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	c, err := Connect(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func mustCreate(t testing.TB, c *Client, path, data string, mode CreateMode) string {
	t.Helper()
	name, err := c.CreateAll(t.Context(), path, []byte(data), mode)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

type journal struct {
	mu   sync.Mutex
	list []Transition
	more chan struct{}
}

func follow(c *Client) *journal {
	j := &journal{more: make(chan struct{}, 1)}
	c.Subscribe(j.add)
	return j
}

func (j *journal) add(t Transition) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = append(j.list, t)
	select {
	case j.more <- struct{}{}:
	default:
	}
}

func (j *journal) all() []Transition {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]Transition(nil), j.list...)
}

func (j *journal) states() []State {
	var list []State
	for _, t := range j.all() {
		list = append(list, t.State)
	}
	return list
}

// await waits for the n-th transition, counted from 1.
func (j *journal) await(t testing.TB, n int) Transition {
	t.Helper()
	deadline := time.NewTimer(2 * time.Minute)
	defer deadline.Stop()
	for {
		if list := j.all(); len(list) >= n {
			return list[n-1]
		}
		select {
		case <-j.more:
		case <-deadline.C:
			t.Fatalf("no %d transitions: %v", n, j.states())
		}
	}
}
