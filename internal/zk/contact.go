package zk

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// The library sets its watches again in frames of at most 128 KiB, each after the reply to the
// previous one. A frame with room for another path is the last.
const (
	fullRewatch     = 128<<10 - 4<<10
	rewatchTimeout  = 250 * time.Millisecond // for the first frame, which may never come
	rewatchSettle   = 10 * time.Millisecond  // for the frame of this connection, if the previous connection left one
	rewatchInterval = 2 * time.Second        // for the frame after a full one, which almost certainly comes
)

const readBuffer = 16 << 10

// maxHandshake is the longest answer to a handshake that we accept. A server of another protocol
// announces hundreds of megabytes, which the library would allocate and wait for.
const maxHandshake = 1 << 10

// contactConn watches the frames of one connection, to know how long the session is certainly alive
// and to keep requests behind the watches.
//
// A reply proves that the server heard from us at or after the send time of the answered request.
// The send time of the newest answered request is therefore a safe anchor for the session's age.
// The library writes one frame per Write and replies come in request order, so a queue of send
// times is enough. Watch events answer no request and are skipped.
//
// After a reconnection the library sets its watches behind the requests that already wait. The
// replies would then overtake events that fired during the disconnection, and a quiet route would
// no longer prove that nothing changed. So we hold requests back until the watches are set; from
// there on the server answers in order. A new session doesn't have watches to set again. If the
// library still finds one, it belongs to a request that the new session has already answered.
//
// We keep the newest transaction number here, because the library's receive loop would write it
// while another goroutine puts it into a setWatches request. The library finds no number in any
// reply, and we fill in the number on the way to the server.
type contactConn struct {
	net.Conn
	seen      *atomic.Int64 // the client's newest transaction
	onContact func(sentAt time.Time)
	onGranted func(timeoutMillis int32)  // session timeout in the handshake
	onGreeted func()                     // the handshake was answered completely
	onRefused func(error)                // the connection ended before that
	watches   bool                       // the client has requested watches before
	again     func(since int64) [][]byte // frames that set our own watches, as of a transaction
	many      *many                      // some of our own watches; may be nil

	closed    chan struct{}
	closeOnce sync.Once
	// credentialsSent is closed once the credentials are sent. The library sends them first on each
	// connection, but our own requests don't pass its queue and must wait.
	credentialsSent     chan struct{}
	markCredentialsSent func()

	// turn holds one token. Its holder may write and use the fields below. It's a channel instead
	// of a mutex because a goroutine that waits for it must not hold up virtual time.
	turn         chan struct{}
	wrote        bool  // the handshake was sent
	relative     int64 // the newest transaction when the connection began; watches are set as of then
	holding      bool
	held         [][]byte // requests
	rewatch      [][]byte // setWatches frames, sent before the requests
	rewatchTimer *time.Timer

	mu           sync.Mutex
	greetingSent bool
	greeted      bool // the handshake was answered in time
	abandoned    bool // it wasn't; at most one of the two is ever true
	sent         []time.Time
	own          []*ownRequest // waiting for a reply, in send order

	// Reader state, for the library's receive loop only. The library reads four bytes and then the
	// rest of a frame. Without a buffer that would be two system calls for each of a thousand
	// replies.
	incoming *bufio.Reader
	shaken   bool   // the handshake was answered
	start    []byte // of the current frame, for the library
	length   int    // bytes of the frame after start
	header   []byte // the array under start
}

func newContactConn(conn net.Conn, seen *atomic.Int64) *contactConn {
	c := &contactConn{
		Conn: conn, seen: seen, incoming: bufio.NewReaderSize(conn, readBuffer),
		closed: make(chan struct{}), credentialsSent: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	c.markCredentialsSent = sync.OnceFunc(func() { close(c.credentialsSent) })
	c.turn <- struct{}{}
	return c
}

// takeTurn waits for the turn. It returns false if the connection is closed.
func (c *contactConn) takeTurn() bool {
	select {
	case <-c.turn:
		return true
	case <-c.closed:
		return false
	}
}

func (c *contactConn) passTurn() { c.turn <- struct{}{} }

// Close closes the connection. Held requests are never sent.
func (c *contactConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Write sends the frame p, or holds it for later.
func (c *contactConn) Write(p []byte) (int, error) {
	if !c.takeTurn() {
		return len(p), nil // As in send.
	}
	defer c.passTurn()
	if !c.wrote {
		c.wrote = true
		if err := c.handshake(p); err != nil {
			c.refuse(err)
			return 0, err
		}
		return len(p), nil
	}
	header, err := wire.ParseHeader(p)
	if err != nil {
		return 0, err
	}
	frame := p
	switch header.Op {
	case wire.OpSetWatches:
		request, err := wire.ParseRequest(p)
		if err != nil {
			return 0, err
		}
		request.Since = c.relative
		frame = request.Frame()
		if c.holding {
			c.wait(rewatchSettle)
			c.rewatch = append(c.rewatch, frame)
			return len(p), nil
		}
	case wire.OpAuth:
		defer c.markCredentialsSent()
	case wire.OpPing:
	case wire.OpClose: // The library sends nothing after it, not even watches.
		c.holding, c.held, c.rewatch = false, nil, nil
	default:
		if c.holding {
			c.hold(bytes.Clone(p))
			return len(p), nil
		}
	}
	if err := c.send(frame); err != nil {
		return 0, err
	}
	return len(p), nil
}

// handshake adds the newest transaction that the session has seen, so that a server that lags
// behind refuses it. A new session starts at zero and doesn't have watches.
func (c *contactConn) handshake(p []byte) error {
	request, err := wire.ParseConnectRequest(p)
	if err != nil {
		return err
	}
	if request.Session == 0 {
		c.seen.Store(0)
		return c.send(p)
	}
	c.holding = c.watches
	c.relative = c.seen.Load()
	request.Seen = c.relative
	return c.send(request.Frame())
}

// hold keeps a request until the watches are set. The caller has the turn.
func (c *contactConn) hold(frame []byte) {
	if c.rewatchTimer == nil {
		c.wait(rewatchTimeout)
	}
	c.held = append(c.held, frame)
}

// send writes a frame. After the handshake it hides a failure and closes the connection instead.
// The library would answer the failed request at once and again when it ends the connection. If the
// request also races with Close, it gets a third answer, which blocks the library forever.
func (c *contactConn) send(p []byte) error {
	c.mu.Lock()
	handshake := !c.greetingSent
	c.greetingSent = true
	c.sent = append(c.sent, time.Now())
	c.mu.Unlock()
	_, err := c.Conn.Write(p)
	if err != nil && !handshake {
		_ = c.Close() // Its read loop ends the connection.
		return nil
	}
	return err
}

// wait calls release after d. The caller has the turn.
func (c *contactConn) wait(d time.Duration) {
	if c.rewatchTimer != nil {
		c.rewatchTimer.Stop()
	}
	c.rewatchTimer = time.AfterFunc(d, c.release)
}

// release sets the watches and sends the held requests, unless more watches must come first. It
// stops waiting if there are none.
func (c *contactConn) release() {
	if !c.takeTurn() {
		return
	}
	defer c.passTurn()
	if !c.holding {
		return // An earlier call has set the watches while the timer was reset.
	}
	full := func(p []byte) bool { return len(p) >= fullRewatch }
	var err error
	if len(c.rewatch) > 0 && !slices.ContainsFunc(c.rewatch, func(p []byte) bool { return !full(p) }) {
		c.wait(rewatchInterval)
		err = c.sendAll(&c.rewatch)
	} else {
		c.holding = false
		err = c.flush()
	}
	if err != nil {
		_ = c.Close() // The library notices at its next read.
	}
}

// flush sends all held frames. The caller has the turn.
func (c *contactConn) flush() error {
	if c.rewatchTimer != nil {
		c.rewatchTimer.Stop()
	}
	if c.again != nil {
		c.rewatch = append(c.rewatch, c.again(c.relative)...)
	}
	if err := c.sendAll(&c.rewatch); err != nil {
		return err
	}
	return c.sendAll(&c.held)
}

func (c *contactConn) sendAll(frames *[][]byte) error {
	list := *frames
	*frames = nil
	for _, p := range list {
		if err := c.send(p); err != nil {
			return err
		}
	}
	return nil
}

var errNotZooKeeper = errors.New("the answer is not from a ZooKeeper server")

// Read reads for the library and records contacts and transactions on the way.
func (c *contactConn) Read(p []byte) (int, error) {
	if len(c.start) == 0 && c.length == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	if len(c.start) > 0 {
		n := copy(p, c.start)
		c.start = c.start[n:]
		return n, nil
	}
	n, err := c.incoming.Read(p[:min(len(p), c.length)])
	c.length -= n
	return n, err
}

func (c *contactConn) refuse(err error) {
	select {
	case <-c.closed: // Our side closed it and knows the reason.
	default:
		c.onRefused(err)
	}
}

func (c *contactConn) next() error {
	if !c.shaken {
		err := c.greeting()
		if err != nil {
			c.refuse(err)
		}
		return err
	}
	reply, length, err := wire.ReadReplyHeader(c.incoming)
	if err != nil {
		return err
	}
	if reply.Xid != wire.XidEvent {
		c.contacted()
	}
	if (reply.Xid >= 0 || reply.Xid == ownXid) && reply.Zxid > 0 {
		c.seen.Store(reply.Zxid)
	}
	if reply.Xid == ownXid {
		if err := c.answered(reply.Code, length); err != nil {
			return err
		}
		length = 0 // The library gets only the header.
	}
	reply.Zxid = 0
	c.header = reply.AppendStart(c.header[:0], length)
	c.start, c.length = c.header, length
	return nil
}

func (c *contactConn) greeting() error {
	begin, err := c.incoming.Peek(4)
	if err != nil {
		return err
	}
	text := string(begin)
	var reply wire.ConnectReply
	frame, err := wire.NewReader(c.incoming, maxHandshake).Next()
	if err == nil {
		reply, err = wire.ParseConnectReply(frame)
	}
	switch {
	case errors.Is(err, wire.ErrMalformed):
		return fmt.Errorf("%w: it starts with %q", errNotZooKeeper, text)
	case err != nil:
		return err
	}
	c.onGranted(reply.Timeout)
	c.contacted()
	if !c.greet() {
		_ = c.Close() // The caller that gave up reports the reason.
		return net.ErrClosed
	}
	c.shaken, c.start = true, frame
	c.onGreeted()
	c.rewatchSoon()
	return nil
}

// greet records the answer to the handshake. It returns false if the handshake was abandoned.
func (c *contactConn) greet() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.greeted = !c.abandoned
	return c.greeted
}

// abandon gives up the handshake. It returns false if it was answered.
func (c *contactConn) abandon() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abandoned = !c.greeted
	return c.abandoned
}

// contacted records the answer to the oldest request.
func (c *contactConn) contacted() {
	c.mu.Lock()
	var at time.Time
	if len(c.sent) > 0 {
		at, c.sent = c.sent[0], c.sent[1:]
	}
	c.mu.Unlock()
	if !at.IsZero() {
		c.onContact(at)
	}
}

// rewatchSoon sets the watches that the library doesn't know again soon, even without a new
// request.
func (c *contactConn) rewatchSoon() {
	if c.many == nil || !c.many.any() || !c.takeTurn() {
		return
	}
	defer c.passTurn()
	if c.holding && c.rewatchTimer == nil {
		c.wait(rewatchTimeout)
	}
}
