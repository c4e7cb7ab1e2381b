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

// State is where the client stands; the package documentation has the diagram.
type State int

// The states. Nobody may start work in any but [Connected].
const (
	// Suspended: no connection; the session may still be alive.
	Suspended State = iota
	// Connected: the session is alive.
	Connected
	// Lost: the session has ended or may have; our ephemeral nodes may belong to
	// nobody, and others may have taken our work.
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

// Session identifies what ephemeral nodes belong to.
type Session struct {
	// ID is the server's session id; the owner of our ephemeral nodes.
	ID int64
	// Epoch grows by one each time everything remembered must be forgotten:
	// with a new session, and with an old one that returns after LOST.
	Epoch uint64
	// Timeout is what the server granted.
	Timeout time.Duration
}

// Transition is one change of state.
type Transition struct {
	State   State
	Session Session
	// NewEpoch says that Session.Epoch grew: register, read and watch anew.
	NewEpoch bool
	// At is the local time of the change.
	At time.Time
	// Err is the reason of Suspended and Lost, nil otherwise.
	Err error
}

// lostAfter is the part of the session timeout after which, without an answer,
// the session counts as lost.
func lostAfter(timeout time.Duration) time.Duration { return timeout * 2 / 3 }

// State returns the state, judged by the clock: LOST as soon as the last
// answered request is too old, even if no timer has run yet.
func (c *Client) State() State {
	state, _ := c.look()
	return state
}

// look returns the state, judged by the clock, and what closes when it changes.
func (c *Client) look() (State, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stateLocked(), c.changed
}

// stateLocked declares LOST itself when it is due, so that nobody who saw LOST
// finds the client connected again without a new epoch.
func (c *Client) stateLocked() State {
	if now := time.Now(); (c.state == Connected || c.state == Suspended) && c.expiredLocally(now) {
		c.lose(c.errSilent(now))
		c.signal() // An answer may have come since.
	}
	return c.state
}

// Session returns the current session; the zero Session before the first.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// UnderSession returns a context whose operations fail with [ErrSessionLost]
// once the client has another session than s. Whoever draws a conclusion from
// several replies, or from what it knew before, needs it: after an expiry the
// own ephemeral nodes are absent, which does not mean that somebody deleted
// them.
func UnderSession(ctx context.Context, s Session) context.Context {
	return underSession(ctx, s.ID)
}

func underSession(ctx context.Context, id int64) context.Context {
	return context.WithValue(ctx, sessionKey{}, id)
}

type sessionKey struct{}

// sessionFor is the session under which an operation has to be answered: that
// of [UnderSession], or else the present one.
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
	// LastError is what went wrong last, nil while connected.
	LastError error
}

// Condition returns the state, since when, and the last error.
func (c *Client) Condition() Condition {
	c.mu.Lock()
	defer c.mu.Unlock()
	state := c.stateLocked()
	return Condition{State: state, Since: c.since, LastError: c.lastErr}
}

func (c *Client) errSilent(now time.Time) error {
	return fmt.Errorf("%w: no answer for %v, two thirds of the session timeout", ErrSessionLost, c.silence(now).Round(time.Millisecond))
}

// Subscribe calls fn for each transition from now on, CLOSED included, in
// order, on one goroutine shared by all subscribers of the client. After cancel
// returns fn may still be running once. Look at [Client.State] after
// subscribing: what happened before is not repeated.
func (c *Client) Subscribe(fn func(Transition)) (cancel func()) {
	return c.observers.add(fn)
}

func (c *Client) expiredLocally(now time.Time) bool {
	window := time.Duration(c.window.Load())
	return window > 0 && c.silence(now) >= window
}

// silence is how long ago the newest answered request was sent. Both ends are
// monotonic, so a jump of the wall clock neither loses nor prolongs a session.
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
	// A session that was declared lost by the clock may answer again, for
	// example when the process was frozen for a while: the supervisor decides.
	if time.Duration(c.window.Load()) == 0 {
		c.signal()
	}
}

// onEvent runs on the library's goroutines, possibly under its locks: it only
// stores and signals.
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

// supervise owns the state machine.
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
		// The library has forgotten the id of a session that expired. If it has ours, the event
		// is that of the one before, and checkClock has met the new one first.
		if c.conn.SessionID() != c.session.ID {
			c.lose(fmt.Errorf("%w: expired by the server", ErrSessionLost))
		}
		c.mu.Unlock()
	}
}

// established enters CONNECTED with c.mu held.
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
		// The library replaced the session before its expiry event was seen.
		c.lose(fmt.Errorf("%w: replaced by a new session", ErrSessionLost))
	}
	if fresh {
		c.session.ID = id
		c.session.Epoch++
	}
	c.session.Timeout = c.negotiated() // A resumed session may get another one: the server's settings have changed.
	c.window.Store(int64(lostAfter(c.session.Timeout)))
	c.lastErr = nil
	c.transitionTo(Connected, nil, fresh)
}

// negotiated returns the timeout the server granted in the last handshake. The
// library keeps it to itself, so the connection wrapper reads it on the way.
func (c *Client) negotiated() time.Duration {
	if granted := c.granted.Load(); granted > 0 {
		return time.Duration(granted) * time.Millisecond
	}
	return c.cfg.SessionTimeout
}

// authenticate presents the digest once; the library repeats it on later
// connections by itself. The request ends with its connection at the latest.
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

// checkClock declares LOST when the last answered request is too old, or takes
// a silent session back, and returns when to look again.
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
		// Another server may still answer in time, but the library would wait
		// for this one until the session is lost.
		patience := c.session.Timeout/2 - c.silence(now)
		if conn := c.current.Load(); patience <= 0 && conn != nil {
			_ = conn.Close()
			return left
		}
		return min(left, max(patience, 0))
	case Lost:
		recent := c.silence(now) < lostAfter(c.session.Timeout)
		if recent && c.conn.State() == gozk.StateHasSession {
			c.established()
			return max(0, lostAfter(c.session.Timeout)-c.silence(now))
		}
	}
	return time.Hour
}

// lose enters LOST with c.mu held.
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

// observers delivers transitions in order without ever blocking the poster.
type observers struct {
	mu    sync.Mutex
	list  []*observer // replaced, never changed in place
	queue []delivery
	wake  chan struct{}
}

type observer struct {
	fn    func(Transition)
	ended atomic.Bool
}

// delivery is a transition for those who had subscribed when it happened.
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

// errNotConnected is what operations fail with while there is no session.
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
