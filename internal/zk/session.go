package zk

import (
	"context"
	"errors"
	"fmt"
	"sync"
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
	// Lost: the session is gone or may be; our ephemeral nodes may belong to
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
	c.mu.Lock()
	defer c.mu.Unlock()
	if (c.state == Connected || c.state == Suspended) && c.expiredLocally(time.Now()) {
		return Lost
	}
	return c.state
}

// Session returns the current session; the zero Session before the first.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Condition is the state with its history, for people.
type Condition struct {
	State State
	Since time.Time
	// LastError is what went wrong last, nil while connected.
	LastError error
}

// Condition returns the state, since when, and the last error.
func (c *Client) Condition() Condition {
	state := c.State()
	c.mu.Lock()
	defer c.mu.Unlock()
	return Condition{State: state, Since: c.since, LastError: c.lastErr}
}

// Subscribe calls fn for each later transition, in order, on one goroutine
// shared by all subscribers of the client. After cancel returns fn may still
// be running once.
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
		c.routes.dispatch(ev)
		return
	}
	c.eventsMu.Lock()
	c.events = append(c.events, ev.State)
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
		for _, s := range events {
			c.onSessionState(s)
		}
		timer.Reset(c.checkClock())
	}
}

func (c *Client) onSessionState(s gozk.State) {
	switch s {
	case gozk.StateHasSession:
		if !c.authenticate() {
			return
		}
		c.mu.Lock()
		c.established()
		c.mu.Unlock()
	case gozk.StateDisconnected:
		c.mu.Lock()
		if c.state == Connected {
			c.transition(Suspended, fmt.Errorf("%w: connection to %s broke", ErrUnavailable, c.conn.Server()))
		}
		c.mu.Unlock()
	case gozk.StateExpired:
		c.mu.Lock()
		c.lose(fmt.Errorf("%w: expired by the server", ErrSessionLost))
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
		c.session = Session{ID: id, Epoch: c.session.Epoch + 1, Timeout: c.negotiated()}
	}
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
// connections by itself.
func (c *Client) authenticate() bool {
	if c.cfg.Digest == "" || c.authed {
		return true
	}
	done := make(chan error, 1)
	go func() { done <- c.conn.AddAuth("digest", []byte(c.cfg.Digest)) }()
	timer := time.NewTimer(c.cfg.ConnectTimeout)
	defer timer.Stop()
	var err error
	select {
	case err = <-done:
	case <-timer.C:
		err = context.DeadlineExceeded
	case <-c.life.Done():
		return false
	}
	if err != nil {
		c.setLastError(fmt.Errorf("zookeeper authenticate: %w", translate(err)))
		return false
	}
	c.authed = true
	return true
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
		if c.expiredLocally(now) {
			c.lose(fmt.Errorf("%w: no answer for %v, two thirds of the session timeout",
				ErrSessionLost, c.silence(now).Round(time.Millisecond)))
			return time.Hour
		}
		return window - c.silence(now)
	case Lost:
		recent := c.silence(now) < lostAfter(c.session.Timeout)
		if recent && c.conn.State() == gozk.StateHasSession {
			c.established()
			return lostAfter(c.session.Timeout)
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
	c.state, c.since = to, time.Now()
	if reason != nil {
		c.lastErr = reason
	}
	close(c.changed)
	c.changed = make(chan struct{})
	c.observers.post(Transition{State: to, Session: c.session, NewEpoch: newEpoch, At: c.since, Err: reason})
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
	next  int
	fns   map[int]func(Transition)
	queue []Transition
	wake  chan struct{}
}

func (o *observers) add(fn func(Transition)) (cancel func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.fns == nil {
		o.fns = make(map[int]func(Transition))
	}
	id := o.next
	o.next++
	o.fns[id] = fn
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.fns, id)
	}
}

func (o *observers) post(t Transition) {
	o.mu.Lock()
	o.queue = append(o.queue, t)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *observers) deliver(life context.Context) {
	for {
		o.mu.Lock()
		queue := o.queue
		o.queue = nil
		fns := make([]func(Transition), 0, len(o.fns))
		for id := 0; id < o.next; id++ {
			if fn, ok := o.fns[id]; ok {
				fns = append(fns, fn)
			}
		}
		o.mu.Unlock()
		for _, t := range queue {
			for _, fn := range fns {
				fn(t)
			}
		}
		if len(queue) > 0 {
			continue
		}
		select {
		case <-o.wake:
		case <-life.Done():
			return
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
