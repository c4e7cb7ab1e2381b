package zk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Reconnection pauses: the library waits one second after each full round of
// servers; on top of it the dialer backs off up to this, with full jitter, so
// that a fleet does not return in step. A connection that ends before it is
// stable counts as a failed round from the second time on: a server that lets
// everybody in and then hangs up must not be called in a loop.
const (
	maxDialPause = 3 * time.Second
	stableAfter  = 3 * time.Second
)

// hosts hands the configured addresses to the library in random order. Names
// are resolved by the dialer at each attempt, because the addresses of a
// container platform change while its names stay.
type hosts struct {
	mu      sync.Mutex
	servers []string
	next    int
	tried   int       // servers handed out since the last success
	since   time.Time // when the last handshake succeeded, zero once its end was counted
	flaps   int       // connections in a row that ended before they were stable
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

// Next returns the next server, and whether a full round of servers has failed
// just now; the library pauses then.
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
	server := h.servers[h.next]
	h.next = (h.next + 1) % len(h.servers)
	wrapped := h.tried > 0 && h.tried%len(h.servers) == 0
	h.tried++
	return server, wrapped
}

func (h *hosts) Connected() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tried = 0
	h.since = time.Now()
}

// pause returns the longest time to wait before the server that was handed out
// last is dialled: none within a round.
func (h *hosts) pause() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	rounds, within := (h.tried-1)/len(h.servers), (h.tried-1)%len(h.servers)
	failures := max(rounds, h.flaps-1)
	if within != 0 || failures < 1 {
		return 0
	}
	return min(maxDialPause, 100*time.Millisecond<<min(failures, 10))
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
	if err != nil {
		err = fmt.Errorf("%w: connect to %s: %w", ErrUnavailable, addr, err)
		c.setLastError(err)
		return nil, err
	}
	watched := newContactConn(conn)
	watched.onContact, watched.onGranted = c.contacted, c.granted.Store
	watched.watches = c.watched.Load()
	watched.onRefused = func(err error) {
		c.setLastError(fmt.Errorf("%w: handshake with %s: %w", ErrUnavailable, addr, err))
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
	conn.onGreeted = func() { close(greeted) }
	c.tasks.Go(func() {
		timer := time.NewTimer(c.cfg.ConnectTimeout)
		defer timer.Stop()
		select {
		case <-greeted:
		case <-conn.closed:
			return
		case <-timer.C:
			c.setLastError(fmt.Errorf("%w: %s accepted the connection and did not answer the handshake in %v",
				ErrUnavailable, addr, c.cfg.ConnectTimeout))
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
