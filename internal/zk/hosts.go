package zk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Reconnection pauses. Who is refused asks again soon at first, because most
// outages are short and everything waits, and less often the longer an outage
// lasts; every pause is random, so that a fleet does not return in step. A
// connection that ends before it is stable counts as a failed round from the
// second time on: a server that lets everybody in and then hangs up must not be
// called in a loop. Stable is soon enough for one that is restarted several
// times in a row: it is no such server, and everything waits for it each time.
const (
	minDialPause = 200 * time.Millisecond
	maxDialPause = 3 * time.Second
	// shortOutage is how long pauses stay short. Then they may take this share
	// of what an outage lasts longer.
	shortOutage = 10 * time.Second
	outageShare = 10
	stableAfter = 500 * time.Millisecond
	// holdFor is how long the library keeps the requests it could not send. It
	// pauses for a second when it fails them, in which it misses the return
	// of a server; and after a restart they can be sent.
	holdFor = 2 * time.Second
	// firstPatience is the shortest wait for the answer to a handshake.
	firstPatience = 500 * time.Millisecond
)

// hosts hands the configured addresses to the library in random order. Names
// are resolved by the dialer at each attempt, because the addresses of a
// container platform change while its names stay.
type hosts struct {
	mu      sync.Mutex
	servers []string
	next    int
	tried   int         // servers handed out since the last success
	since   time.Time   // when the last handshake succeeded, zero once its end was counted
	away    time.Time   // when the first server was handed out after that
	stuck   func() bool // whether calls of the library are under way
	closed  bool
	mute    int  // handshakes in a row that were given up
	spared  bool // an answer that was no success has been forgiven since then
	flaps   int  // connections in a row that ended before they were stable
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

// Next returns the next server, and whether the library should fail the
// requests it still holds and pause for a second. It should when a full round of
// servers has failed, the outage is more than a restart and there are such
// requests, and when the client closes, which it notices then only. Otherwise it
// is the dialer that pauses.
func (h *hosts) Next() (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.since.IsZero() {
		h.flaps++
		if time.Since(h.since) >= stableAfter {
			h.flaps = 0
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

// close has the library give up at its next attempt.
func (h *hosts) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
}

func (h *hosts) Connected() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tried, h.mute, h.spared = 0, 0, false
	h.since = time.Now()
}

// patience is how long to wait for the answer to a handshake. A server that is
// about to start may take a connection and never answer on it, so the first wait
// is short, and each one after it twice as long.
func (h *hosts) patience(limit time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return min(limit, firstPatience<<min(h.mute, 10))
}

// silent notes that the answer did not come.
func (h *hosts) silent() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mute++
}

// greeted notes that a server has answered a handshake. Most likely it said that
// the session has expired; a new one is asked for at once, the first time.
func (h *hosts) greeted() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.spared {
		h.tried, h.spared = 0, true
	}
}

// pause returns the longest time to wait before the server that was handed out
// last is dialled: none within a round.
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
	if h.flaps > 1 {
		limit = max(limit, 100*time.Millisecond<<min(h.flaps-1, 10))
	}
	return min(maxDialPause, limit)
}

// dial opens one connection and guards the handshake: a server that accepts
// and then stays mute must not hold the library for ten read timeouts.
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
		watched.introduce()
	}
	c.guardHandshake(watched, addr)
	if last := c.current.Swap(watched); last != nil {
		_ = last.Close() // The library forgets to, when the server says that the session has expired.
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
	patience := c.hosts.patience(c.cfg.ConnectTimeout)
	c.tasks.Go(func() {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-greeted:
		case <-conn.closed:
			return
		case <-timer.C:
			if !conn.abandon() {
				break // It was answered, and this goroutine comes late.
			}
			c.setLastError(fmt.Errorf("%w: %s accepted the connection and did not answer the handshake in %v",
				ErrUnavailable, addr, patience))
			c.hosts.silent()
			_ = conn.Close() // The library sees the closed connection and tries the next server.
			return
		case <-c.life.Done():
		}
		// A mute server must not hold Close for the rest of a read timeout.
		select {
		case <-conn.closed:
		case <-c.life.Done():
			_ = conn.Close()
		}
	})
}
