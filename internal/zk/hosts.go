package zk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Reconnection pauses. The first attempts follow each other quickly, because most outages are short
// and everything waits. The longer an outage lasts, the rarer they get. Pauses are random, so that
// a fleet doesn't reconnect in step. From the second time on, a connection that ends before it's
// stable counts as a failed round: otherwise we'd hammer a server that accepts every client and
// then hangs up. A server that restarts several times in a row is stable soon enough, so
// that rule doesn't apply to it.
const (
	minDialPause = 200 * time.Millisecond
	maxDialPause = 3 * time.Second
	// shortOutage is how long pauses stay short. After that a pause may take a tenth of the time
	// above it.
	shortOutage = 10 * time.Second
	outageShare = 10
	stableAfter = 500 * time.Millisecond
	// holdFor is how long the library keeps requests it couldn't send. When it fails them it also
	// pauses for a second, in which it could miss the return of a server. After a restart it can
	// still send them.
	holdFor = 2 * time.Second
	// minHandshakeTimeout is the shortest wait for the answer to a handshake.
	minHandshakeTimeout = 500 * time.Millisecond
)

// hosts gives the configured addresses to the library in random order. The dialer resolves names at
// each attempt, because on a container platform addresses change and names don't.
type hosts struct {
	mu         sync.Mutex
	servers    []string
	next       int
	tried      int         // servers returned since the last success
	since      time.Time   // last successful handshake; zero once its end was counted
	away       time.Time   // when the first server was returned after that
	stuck      func() bool // whether library calls are pending
	closed     bool
	unanswered int  // handshakes in a row that were given up
	forgiven   bool // an answer without success was already forgiven since then
	shortLived int  // connections in a row that ended before they were stable
}

func (h *hosts) Init(servers []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.servers = append([]string(nil), servers...)
	rand.Shuffle(len(h.servers), func(i, j int) { h.servers[i], h.servers[j] = h.servers[j], h.servers[i] })
	return nil
}

func (h *hosts) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.servers)
}

// Next returns the next server, and whether the library should fail its held requests and pause for
// a second. It should if a full round of servers failed, the outage is longer than a restart, and
// there are such requests. It also should when the client closes, because the library notices only
// then. Otherwise the dialer pauses.
func (h *hosts) Next() (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.since.IsZero() {
		h.shortLived++
		if time.Since(h.since) >= stableAfter {
			h.shortLived = 0
		}
		h.since = time.Time{}
	}
	if h.tried == 0 {
		h.away = time.Now()
	}
	server := h.servers[h.next]
	h.next = (h.next + 1) % len(h.servers)
	wrapped := h.tried > 0 && h.tried%len(h.servers) == 0
	h.tried++
	return server, h.closed || wrapped && time.Since(h.away) >= holdFor && h.stuck()
}

// close makes the library give up at its next attempt.
func (h *hosts) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
}

func (h *hosts) Connected() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tried, h.unanswered, h.forgiven = 0, 0, false
	h.since = time.Now()
}

// handshakeTimeout is how long to wait for the answer to a handshake. A starting server may accept a
// connection and never answer on it, so the first wait is short, and each further wait is twice as
// long.
func (h *hosts) handshakeTimeout(limit time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return min(limit, minHandshakeTimeout<<min(h.unanswered, 10))
}

// silent records a handshake without an answer.
func (h *hosts) silent() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unanswered++
}

// greeted records the answer to a handshake. Usually it reports an expired session. The first time,
// the client asks for a new one at once.
func (h *hosts) greeted() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.forgiven {
		h.tried, h.forgiven = 0, true
	}
}

// pause returns the longest time to wait before dialling the server that Next returned last. It's
// zero within a round.
func (h *hosts) pause() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	rounds, within := (h.tried-1)/len(h.servers), (h.tried-1)%len(h.servers)
	if within != 0 {
		return 0
	}
	limit := time.Duration(0)
	if rounds > 0 {
		limit = max(minDialPause, (time.Since(h.away)-shortOutage)/outageShare)
	}
	if h.shortLived > 1 {
		limit = max(limit, 100*time.Millisecond<<min(h.shortLived-1, 10))
	}
	return min(maxDialPause, limit)
}

// dial opens one connection and guards the handshake: a server that accepts and then stays mute
// must not hold the library for ten read timeouts.
func (c *Client) dial(network, addr string, _ time.Duration) (net.Conn, error) {
	if err := c.pause(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(c.life, c.cfg.ConnectTimeout)
	defer cancel()
	conn, err := c.cfg.Dial(ctx, network, addr)
	if err == nil {
		conn, err = c.cfg.secured(ctx, conn, addr)
	}
	if err != nil {
		err = fmt.Errorf("%w: connect to %s: %w", ErrUnavailable, addr, err)
		c.setLastError(err)
		return nil, err
	}
	watched := newContactConn(conn, &c.seen)
	watched.onContact, watched.onGranted = c.contacted, c.granted.Store
	watched.watches, watched.again, watched.many = c.watched.Load(), c.unknownFrames, &c.many
	watched.onRefused = func(err error) {
		c.setLastError(fmt.Errorf("%w: handshake with %s: %w", ErrUnavailable, addr, err))
	}
	if c.cfg.Digest == "" {
		watched.markCredentialsSent()
	}
	c.guardHandshake(watched, addr)
	if last := c.current.Swap(watched); last != nil {
		_ = last.Close() // The library doesn't, if the server reports an expired session.
	}
	return watched, nil
}

func (c *Client) pause() error {
	limit := c.hosts.pause()
	if limit == 0 {
		return nil
	}
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(limit))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.life.Done():
		return ErrClosed
	}
}

func (c *Client) guardHandshake(conn *contactConn, addr string) {
	greeted := make(chan struct{})
	conn.onGreeted = func() {
		close(greeted)
		c.hosts.greeted()
	}
	limit := c.hosts.handshakeTimeout(c.cfg.ConnectTimeout)
	c.tasks.Go(func() {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-greeted:
		case <-conn.closed:
			return
		case <-timer.C:
			if !conn.abandon() {
				break // It was answered, and this goroutine is late.
			}
			c.setLastError(fmt.Errorf("%w: %s accepted the connection but did not answer the handshake within %v",
				ErrUnavailable, addr, limit))
			c.hosts.silent()
			_ = conn.Close() // The library notices and tries the next server.
			return
		case <-c.life.Done():
		}
		select {
		case <-conn.closed:
		case <-c.life.Done():
			_ = conn.Close()
		}
	})
}
