package zk

import "time"

// ConnectedIn reports whether the client is connected, judged as by [Client.State], in
// the session of an epoch.
func (c *Client) ConnectedIn(epoch uint64) bool {
	return c.stateIn(epoch) == Connected
}

// MayHold reports whether the session of an epoch may still be alive, connected or not,
// judged as by [Client.State].
func (c *Client) MayHold(epoch uint64) bool {
	state := c.stateIn(epoch)
	return state == Connected || state == Suspended
}

// stateIn is the state if the session is that of an epoch, and else Lost. A thousand runs
// ask at one moment: while the client is connected they do not keep each other waiting.
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
