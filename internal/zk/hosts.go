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
// that a fleet does not return in step.
const maxDialPause = 3 * time.Second

// hosts hands the configured addresses to the library in random order. Names
// are resolved by the dialer at each attempt, because the addresses of a
// container platform change while its names stay.
type hosts struct {
	mu      sync.Mutex
	servers []string
	next    int
	tried   int // servers handed out since the last success
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

// Next returns the next server, and whether every server was tried since the
// last success; the library pauses then.
func (h *hosts) Next() (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	server := h.servers[h.next]
	h.next = (h.next + 1) % len(h.servers)
	wrapped := h.tried >= len(h.servers)
	h.tried++
	return server, wrapped
}

func (h *hosts) Connected() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tried = 0
}

// rounds returns how many full rounds failed in a row.
func (h *hosts) rounds() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return (h.tried - 1) / len(h.servers)
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
	watched := &contactConn{Conn: conn, onContact: c.contacted, onGranted: c.granted.Store, closed: make(chan struct{}), rewatch: make(chan struct{})}
	c.guardHandshake(watched)
	return watched, nil
}

func (c *Client) pause() error {
	rounds := c.hosts.rounds()
	if rounds < 1 {
		return nil
	}
	limit := min(maxDialPause, 100*time.Millisecond<<min(rounds, 10))
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(limit))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.life.Done():
		return ErrClosed
	}
}

func (c *Client) guardHandshake(conn *contactConn) {
	greeted := make(chan struct{})
	conn.onGranted = func(timeout int32) {
		c.granted.Store(timeout)
		close(greeted)
	}
	c.tasks.Go(func() {
		timer := time.NewTimer(c.cfg.ConnectTimeout)
		defer timer.Stop()
		select {
		case <-greeted:
		case <-conn.closed:
			return
		case <-timer.C:
			c.setLastError(fmt.Errorf("%w: %s accepted the connection and did not answer the handshake in %v",
				ErrUnavailable, conn.RemoteAddr(), c.cfg.ConnectTimeout))
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
