package zk

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// fresh is how long an answer of the server proves that it's there.
	fresh = 2 * time.Second
	// patience is how long [Client.Check] waits for an answer.
	patience = 2 * time.Second
)

// check is a request that asks whether the server still answers.
type check struct {
	mu    sync.Mutex
	asked time.Time     // zero if none is under way
	done  chan struct{} // closed when it has ended
}

// Check returns an error if the server hasn't answered for a moment: a process that is stopped
// keeps its connections, and only the session timeout ends them. It asks the server only if
// nothing has come from it lately. Without a connection it returns nil, because then each request
// has an error.
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
	wait := time.NewTimer(time.Until(asked.Add(patience)))
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

// ask makes the request. It ends at the latest with the connection.
func (c *Client) ask(done chan struct{}) {
	ctx, cancel := context.WithTimeout(c.life, c.Session().Timeout)
	defer cancel()
	_, _, _ = c.Exists(ctx, "/") // Any answer counts.
	c.check.mu.Lock()
	defer c.check.mu.Unlock()
	c.check.asked = time.Time{}
	close(done)
}

// SilentSince returns when the server answered last, if it has left a request of [Client.Check]
// unanswered for too long; zero otherwise.
func (c *Client) SilentSince() time.Time {
	c.check.mu.Lock()
	asked := c.check.asked
	c.check.mu.Unlock()
	now := time.Now()
	silence := c.silence(now)
	if asked.IsZero() || now.Sub(asked) < patience || silence < patience {
		return time.Time{}
	}
	return now.Add(-silence)
}
