package zk

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// fresh is how long an answer proves that the server is alive.
	fresh = 2 * time.Second
	// checkTimeout is how long [Client.Check] waits for an answer.
	checkTimeout = 2 * time.Second
)

// check is a pending request that tests whether the server still answers.
type check struct {
	mu    sync.Mutex
	asked time.Time     // zero if none is pending
	done  chan struct{} // closed when it has ended
}

// Check returns an error if the server hasn't answered for a moment. A stopped server process keeps
// its connections, and only the session timeout ends them. Check sends a request only if the server
// has been quiet lately. Without a connection it returns nil, because every request has an error
// then.
func (c *Client) Check(ctx context.Context) error {
	if c.State() != Connected || c.silence(time.Now()) < fresh {
		return nil
	}
	k := &c.check
	k.mu.Lock()
	if k.asked.IsZero() {
		k.asked, k.done = time.Now(), make(chan struct{})
		go c.ask(k.done)
	}
	asked, done := k.asked, k.done
	k.mu.Unlock()
	wait := time.NewTimer(time.Until(asked.Add(checkTimeout)))
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if since := c.SilentSince(); !since.IsZero() {
		return fmt.Errorf("%w: no answer since %s", ErrUnavailable, since.UTC().Format(time.RFC3339))
	}
	return nil
}

// ask sends the request. It ends with the connection at the latest.
func (c *Client) ask(done chan struct{}) {
	ctx, cancel := context.WithTimeout(c.life, c.Session().Timeout)
	defer cancel()
	_, _, _ = c.Exists(ctx, "/") // Any answer counts.
	c.check.mu.Lock()
	defer c.check.mu.Unlock()
	c.check.asked = time.Time{}
	close(done)
}

// SilentSince returns the time of the server's last answer if a request of [Client.Check] has
// waited too long, and zero otherwise.
func (c *Client) SilentSince() time.Time {
	c.check.mu.Lock()
	asked := c.check.asked
	c.check.mu.Unlock()
	now := time.Now()
	silence := c.silence(now)
	if asked.IsZero() || now.Sub(asked) < checkTimeout || silence < checkTimeout {
		return time.Time{}
	}
	return now.Add(-silence)
}
