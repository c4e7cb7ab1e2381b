package zk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	gozk "github.com/go-zookeeper/zk"
)

// State is the state of the connection; the package documentation has the diagram.
type State int

// The states. Only start work while [Connected].
const (
	// Suspended: no connection, but the session may still be alive.
	Suspended State = iota
	// Connected: the session is alive.
	Connected
	// Lost: the session has ended, or may have. Our ephemeral nodes may be gone, and other
	// instances may have taken over our work.
	Lost
	// Closed: [Client.Close] was called.
	Closed
)

// String returns the state in upper case, as ZooKeeper's tools print it.
func (s State) String() string {
	switch s {
	case Suspended:
		return "SUSPENDED"
	case Connected:
		return "CONNECTED"
	case Lost:
		return "LOST"
	case Closed:
		return "CLOSED"
	}
	return fmt.Sprintf("State(%d)", int(s))
}

// Session identifies the owner of ephemeral nodes.
type Session struct {
	// ID is the server's session id, which owns our ephemeral nodes.
	ID int64
	// Epoch grows whenever all remembered state is invalid: with a new session, and with an old session
	// that returns after LOST.
	Epoch uint64
	// Timeout is the timeout that the server granted.
	Timeout time.Duration
}

// Transition is one change of state.
type Transition struct {
	State   State
	Session Session
	// NewEpoch means that Session.Epoch grew. Register, read and watch again.
	NewEpoch bool
	// At is the local time of the change.
	At time.Time
	// Err is the reason for Suspended and Lost, and nil otherwise.
	Err error
}

// lostAfter is how long a session without an answer counts as ours.
func lostAfter(timeout time.Duration) time.Duration { return timeout * 2 / 3 }

// State returns the state by the clock: LOST as soon as the last answered request is too old, even
// if no timer has run yet.
func (c *Client) State() State {
	state, _ := c.look()
	return state
}

// look returns the state by the clock, and a channel that closes when it changes.
func (c *Client) look() (State, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stateLocked(), c.changed
}

// stateLocked declares LOST itself when it's due. Otherwise a caller could see LOST and then a
// connected client without a new epoch.
func (c *Client) stateLocked() State {
	if now := time.Now(); (c.state == Connected || c.state == Suspended) && c.expiredLocally(now) {
		c.lose(c.errSilent(now))
		c.signal() // An answer may have arrived since.
	}
	return c.state
}

// Session returns the current session, or the zero Session before the first.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// UnderSession returns a context. Operations under it fail with [ErrSessionLost] once the client has
// another session than s. Use it for a conclusion from several replies or from earlier knowledge:
// after an expiry our ephemeral nodes are absent, but no client has deleted them.
func UnderSession(ctx context.Context, s Session) context.Context {
	return underSession(ctx, s.ID)
}

func underSession(ctx context.Context, id int64) context.Context {
	return context.WithValue(ctx, sessionKey{}, id)
}

type sessionKey struct{}

// sessionFor returns the session of [UnderSession], or else the current one. Answers must come
// under it.
func (c *Client) sessionFor(ctx context.Context) int64 {
	if id, ok := ctx.Value(sessionKey{}).(int64); ok {
		return id
	}
	return c.Session().ID
}

// Condition is the state with its history, for people.
type Condition struct {
	State State
	// Since is when the client connected, or when a server answered last if it isn't connected.
	Since time.Time
	// LastError is the last failure, nil while connected.
	LastError error
}

func (c *Client) Condition() Condition {
	c.mu.Lock()
	defer c.mu.Unlock()
	state := c.stateLocked()
	return Condition{State: state, Since: c.since, LastError: c.lastErr}
}

func (c *Client) errSilent(now time.Time) error {
	return fmt.Errorf("%w: no answer for %v, two thirds of the session timeout", ErrSessionLost, c.silence(now).Round(time.Millisecond))
}

// Subscribe calls fn for each transition from now on, CLOSED included, in order, on one goroutine
// shared by all subscribers of the client. After cancel returns, fn may still run once. Earlier
// transitions aren't repeated, so check [Client.State] after subscribing.
func (c *Client) Subscribe(fn func(Transition)) (cancel func()) {
	return c.observers.add(fn)
}

func (c *Client) expiredLocally(now time.Time) bool {
	window := time.Duration(c.window.Load())
	return window > 0 && c.silence(now) >= window
}

// silence returns the age of the newest answered request. Both times are monotonic, so a jump of
// the wall clock doesn't shorten or extend a session.
func (c *Client) silence(now time.Time) time.Duration {
	return now.Sub(c.born) - time.Duration(c.contact.Load())
}

// contacted runs on the library's receive goroutine.
func (c *Client) contacted(sentAt time.Time) {
	at := int64(sentAt.Sub(c.born))
	for {
		old := c.contact.Load()
		if at <= old {
			return
		}
		if c.contact.CompareAndSwap(old, at) {
			break
		}
	}
	// A session that we declared lost by the clock may answer again, for example after the process
	// was frozen. The supervisor decides what happens.
	if time.Duration(c.window.Load()) == 0 {
		c.signal()
	}
}

// onEvent runs on the library's goroutines, maybe under its locks, so it only stores and signals.
func (c *Client) onEvent(ev gozk.Event) {
	if ev.Type != gozk.EventSession {
		if ev.Err == nil {
			c.many.fired(ev)
		}
		ev.Path = c.within(ev.Path)
		if ev.Err == nil {
			c.absences.fired(ev.Path)
		}
		c.routes.dispatch(ev)
		return
	}
	if ev.State == gozk.StateExpired {
		c.absences.forget()
		c.many.forget()
	}
	c.eventsMu.Lock()
	c.events = append(c.events, ev)
	c.eventsMu.Unlock()
	c.signal()
}

func (c *Client) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *Client) setLastError(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != Connected {
		c.lastErr = err
	}
}

func (c *Client) supervise() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		select {
		case <-c.wake:
		case <-timer.C:
		case <-c.life.Done():
			return
		}
		c.eventsMu.Lock()
		events := c.events
		c.events = nil
		c.eventsMu.Unlock()
		for _, ev := range events {
			c.onSessionEvent(ev)
		}
		timer.Reset(c.checkClock())
	}
}

func (c *Client) onSessionEvent(ev gozk.Event) {
	switch ev.State {
	case gozk.StateHasSession:
		if !c.authenticate() || !c.entered() {
			return
		}
		c.mu.Lock()
		c.established()
		c.mu.Unlock()
	case gozk.StateDisconnected:
		c.mu.Lock()
		if c.state == Connected {
			c.transition(Suspended, fmt.Errorf("%w: connection to %s broke", ErrUnavailable, ev.Server))
		}
		c.mu.Unlock()
	case gozk.StateExpired:
		c.mu.Lock()
		// The library forgets the id of an expired session. If it still has our id, the event
		// belongs to the session before, and checkClock has already seen the new one.
		if c.conn.SessionID() != c.session.ID {
			c.lose(fmt.Errorf("%w: expired by the server", ErrSessionLost))
		}
		c.mu.Unlock()
	}
}

// established enters CONNECTED. The caller holds c.mu.
func (c *Client) established() {
	id := c.conn.SessionID()
	if c.state == Closed || id == 0 {
		return
	}
	if c.state == Connected && c.session.ID == id {
		return
	}
	fresh := c.session.Epoch == 0 || c.state == Lost || c.session.ID != id
	if fresh && c.state != Lost && c.session.Epoch > 0 {
		// The library replaced the session before we saw its expiry event.
		c.lose(fmt.Errorf("%w: replaced by a new session", ErrSessionLost))
	}
	if fresh {
		c.session.ID = id
		c.session.Epoch++
	}
	c.session.Timeout = c.negotiated() // Differs after a resumption if the server's settings changed.
	c.window.Store(int64(lostAfter(c.session.Timeout)))
	c.lastErr = nil
	c.transitionTo(Connected, nil, fresh)
}

// negotiated returns the timeout that the server granted in the last handshake. The library doesn't
// expose it, so contactConn reads it from the frames.
func (c *Client) negotiated() time.Duration {
	if granted := c.granted.Load(); granted > 0 {
		return time.Duration(granted) * time.Millisecond
	}
	return c.cfg.SessionTimeout
}

// authenticate presents the digest once; the library repeats it on later connections. The request
// ends with its connection at the latest.
func (c *Client) authenticate() bool {
	if c.cfg.Digest == "" || c.authed {
		return true
	}
	done := make(chan error, 1)
	go func() { done <- c.conn.AddAuth("digest", []byte(c.cfg.Digest)) }()
	timer := time.NewTimer(c.cfg.ConnectTimeout)
	defer timer.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				c.setLastError(fmt.Errorf("zookeeper authenticate: %w", translate(err)))
				return false
			}
			c.authed = true
			return true
		case <-timer.C:
			c.setLastError(fmt.Errorf("%w: no answer to the credentials in %v", ErrUnavailable, c.cfg.ConnectTimeout))
		case <-c.life.Done():
			return false
		}
	}
}

// checkClock declares LOST if the last answered request is too old, or takes back a session that
// answered again. It returns when to check again.
func (c *Client) checkClock() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	switch c.state {
	case Connected, Suspended:
		window := time.Duration(c.window.Load())
		if window == 0 {
			return time.Hour
		}
		if c.stateLocked() == Lost {
			return time.Hour
		}
		left := window - c.silence(now)
		if c.state == Suspended || c.hosts.Len() < 2 {
			return left
		}
		// Another server may still answer in time, but the library would wait for this one until
		// the session is lost.
		quiet := c.session.Timeout/2 - c.silence(now)
		if conn := c.current.Load(); quiet <= 0 && conn != nil {
			_ = conn.Close()
			return left
		}
		return min(left, max(quiet, 0))
	case Lost:
		recent := c.silence(now) < lostAfter(c.session.Timeout)
		if recent && c.conn.State() == gozk.StateHasSession {
			c.established()
			return max(0, lostAfter(c.session.Timeout)-c.silence(now))
		}
	}
	return time.Hour
}

// lose enters LOST. The caller holds c.mu.
func (c *Client) lose(reason error) {
	if c.state == Lost || c.state == Closed || c.session.Epoch == 0 {
		return
	}
	c.window.Store(0)
	c.transition(Lost, reason)
}

func (c *Client) transition(to State, reason error) { c.transitionTo(to, reason, false) }

func (c *Client) transitionTo(to State, reason error, newEpoch bool) {
	from := c.state
	at := time.Now()
	switch {
	case to == Connected:
		c.since = at
	case from == Connected:
		c.since = at.Add(-c.silence(at))
	}
	c.state = to
	if reason != nil {
		c.lastErr = reason
	}
	close(c.changed)
	c.changed = make(chan struct{})
	c.observers.post(Transition{State: to, Session: c.session, NewEpoch: newEpoch, At: at, Err: reason})
	attrs := []any{"from", from.String(), "to", to.String(), "session", fmt.Sprintf("0x%x", c.session.ID), "epoch", c.session.Epoch}
	switch {
	case reason != nil:
		c.log.Warn("zookeeper session", append(attrs, "err", reason.Error())...)
	default:
		c.log.Debug("zookeeper session", attrs...)
	}
}

// observers delivers transitions in order, and posting never blocks.
type observers struct {
	mu    sync.Mutex
	list  []*observer // replaced, never modified in place
	queue []delivery
	wake  chan struct{}
}

type observer struct {
	fn    func(Transition)
	ended atomic.Bool
}

// delivery is a transition for the observers at the time it happened.
type delivery struct {
	transition Transition
	to         []*observer
}

func (o *observers) add(fn func(Transition)) (cancel func()) {
	added := &observer{fn: fn}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(slices.Clone(o.list), added)
	return func() {
		added.ended.Store(true)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.list = slices.DeleteFunc(slices.Clone(o.list), func(other *observer) bool { return other == added })
	}
}

func (o *observers) post(t Transition) {
	o.mu.Lock()
	o.queue = append(o.queue, delivery{t, o.list})
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *observers) deliver(life context.Context) {
	for {
		select {
		case <-o.wake:
			o.drain()
		case <-life.Done():
			o.drain() // CLOSED was posted before.
			return
		}
	}
}

func (o *observers) drain() {
	for {
		o.mu.Lock()
		queue := o.queue
		o.queue = nil
		o.mu.Unlock()
		if len(queue) == 0 {
			return
		}
		for _, d := range queue {
			for _, to := range d.to {
				if !to.ended.Load() {
					to.fn(d.transition)
				}
			}
		}
	}
}

// errNotConnected returns the error of operations without a session.
func (c *Client) errNotConnected() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.state == Closed:
		return ErrClosed
	case c.lastErr != nil && errors.Is(c.lastErr, ErrUnavailable):
		return c.lastErr
	case c.lastErr != nil:
		return fmt.Errorf("%w: %w", ErrUnavailable, c.lastErr)
	default:
		return fmt.Errorf("%w: no session yet", ErrUnavailable)
	}
}
