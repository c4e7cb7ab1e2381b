package zk

import "time"

// ConnectedIn reports whether the client is connected in the session of an epoch, by the rules of
// [Client.State].
func (c *Client) ConnectedIn(epoch uint64) bool {
	return c.stateIn(epoch) == Connected
}

// MayHold reports whether the session of an epoch may still be alive, connected or not, by the
// rules of [Client.State].
func (c *Client) MayHold(epoch uint64) bool {
	state := c.stateIn(epoch)
	return state == Connected || state == Suspended
}

// stateIn returns the state if the session has the epoch, and Lost otherwise. While connected it
// takes only a read lock, because a thousand runs may call it at the same time.
func (c *Client) stateIn(epoch uint64) State {
	c.mu.RLock()
	connected := c.state == Connected && c.session.Epoch == epoch && !c.expiredLocally(time.Now())
	c.mu.RUnlock()
	if connected {
		return Connected
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if state := c.stateLocked(); c.session.Epoch == epoch {
		return state
	}
	return Lost
}
