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

// The library re-sets its watches in frames of at most 128 KiB, each after the
// reply to the one before. A frame that has room for another path is the last.
const (
	fullRewatch     = 128<<10 - 4<<10
	rewatchPatience = 250 * time.Millisecond // for the first frame, which nobody promises
	rewatchSettle   = 10 * time.Millisecond  // for this connection's, behind one left from the connection before
	rewatchInterval = 2 * time.Second        // for the next after a full one, which is all but certain
)

const readBuffer = 16 << 10

// maxHandshake is the longest answer to a handshake that is believed. A server
// of another protocol announces hundreds of megabytes, which the library would
// allocate and wait for.
const maxHandshake = 1 << 10

// contactConn watches the frames of one connection, to know how long the
// session is certainly alive and to keep requests behind the watches.
//
// A reply proves that the server heard from us when, or after, the answered
// request was sent; the send time of the newest answered request is therefore
// a safe anchor for the session's age. The library writes one frame per Write
// and replies come in request order, so a queue of send times is enough. Watch
// events answer nothing and are skipped.
//
// After a disconnection the library asks the server to watch again, but only
// behind whatever requests wait already. Their replies would then overtake the
// events that fired meanwhile, and the promise that a quiet route means no
// change would be broken. Therefore requests are held back until the watches
// are set; the server answers in order from there on. A new session has none to
// set: what the library may take for one is that of a request which has been
// answered already, and begins with it.
//
// The number of the newest transaction that the client has seen is kept here
// and not in the library, whose receive loop writes it while another goroutine
// makes the request for the watches of it. The library finds no number in any
// reply, and what it sends without one is given it on the way.
type contactConn struct {
	net.Conn
	seen      *atomic.Int64 // the client's newest transaction
	onContact func(sentAt time.Time)
	onGranted func(timeoutMillis int32)  // the session timeout in the handshake
	onGreeted func()                     // the handshake was answered completely
	onRefused func(error)                // the connection ended before that
	watches   bool                       // the client has asked for watches before
	again     func(since int64) [][]byte // frames that set the watches the library doesn't know, as of a transaction
	many      *many                      // some of those; nil: none

	closed    chan struct{}
	closeOnce sync.Once
	// introduced is closed once the credentials are sent. The library sends them first on each
	// connection, but our own requests don't pass its queue and must wait.
	introduced chan struct{}
	introduce  func()

	// turn holds one token: whoever has it may write, and use what follows. It
	// is a channel because waiting for it must not hold up virtual time.
	turn     chan struct{}
	wrote    bool  // the handshake was sent
	relative int64 // what was seen when the connection began: the watches are set as of then
	holding  bool
	held     [][]byte // requests
	rewatch  [][]byte // frames that set watches again, to go first
	patience *time.Timer

	mu           sync.Mutex
	greetingSent bool
	greeted      bool // the handshake was answered in time
	abandoned    bool // it was not; only one of both is ever true
	sent         []time.Time
	own          []*ownRequest // without a reply so far, in the order of sending

	// Reader state; only the library's receive loop reads. It asks for four
	// bytes and then for the rest of each frame, which is two calls of the system
	// for each of a thousand replies that arrive together.
	incoming *bufio.Reader
	shaken   bool   // the handshake was answered
	start    []byte // of the present frame, for the library
	length   int    // how many bytes of the frame follow start
	header   []byte // the array under start
}

func newContactConn(conn net.Conn, seen *atomic.Int64) *contactConn {
	c := &contactConn{
		Conn: conn, seen: seen, incoming: bufio.NewReaderSize(conn, readBuffer),
		closed: make(chan struct{}), introduced: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	c.introduce = sync.OnceFunc(func() { close(c.introduced) })
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

// Close closes the connection; what was held back is never sent.
func (c *contactConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Write sends the frame p, or keeps it for later.
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
		defer c.introduce()
	case wire.OpPing:
	case wire.OpClose: // The library sends nothing more, its watches neither.
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

// handshake tells the server what the session has seen, so that no server that
// is behind accepts it. A new session has seen nothing, and watches nothing.
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

// hold keeps a request until the watches are set, with the turn held.
func (c *contactConn) hold(frame []byte) {
	if c.patience == nil {
		c.wait(rewatchPatience)
	}
	c.held = append(c.held, frame)
}

// send writes a frame. After the handshake a failure is not returned: the
// library would answer the request at once and again when it ends the
// connection, and a third answer, which a request gets that races with Close,
// blocks it for ever. The closed connection tells it soon enough.
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

// wait has release called after d, with the turn held.
func (c *contactConn) wait(d time.Duration) {
	if c.patience != nil {
		c.patience.Stop()
	}
	c.patience = time.AfterFunc(d, c.release)
}

// release sets the watches, and lets the requests go unless more watches are
// to come. Without any, because none is left, they have waited long enough.
func (c *contactConn) release() {
	if !c.takeTurn() {
		return
	}
	defer c.passTurn()
	if !c.holding {
		return // It was called before, while the timer was set anew: the watches are set.
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
		_ = c.Close() // The library sees it at its next read.
	}
}

// flush sends what was held, with the turn held.
func (c *contactConn) flush() error {
	if c.patience != nil {
		c.patience.Stop()
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

var errNotZooKeeper = errors.New("the answer is not one of a ZooKeeper server")

// Read reads for the library and takes note of what passes.
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
	case <-c.closed: // Our own side closed it and knows why.
	default:
		c.onRefused(err)
	}
}

// next begins the next frame.
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
		length = 0 // The library gets the header only.
	}
	reply.Zxid = 0
	c.header = reply.AppendStart(c.header[:0], length)
	c.start, c.length = c.header, length
	return nil
}

// greeting reads the answer to the handshake.
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
		_ = c.Close() // The caller that gave it up reports the reason.
		return net.ErrClosed
	}
	c.shaken, c.start = true, frame
	c.onGreeted()
	c.rewatchSoon()
	return nil
}

// greet notes that the handshake was answered, unless it was abandoned.
func (c *contactConn) greet() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.greeted = !c.abandoned
	return c.greeted
}

// abandon gives the handshake up, unless it was answered.
func (c *contactConn) abandon() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.abandoned = !c.greeted
	return c.abandoned
}

// contacted notes that the oldest request was answered.
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

// rewatchSoon has the watches that the library does not know of set again soon, though
// nobody asks anything.
func (c *contactConn) rewatchSoon() {
	if c.many == nil || !c.many.any() || !c.takeTurn() {
		return
	}
	defer c.passTurn()
	if c.holding && c.patience == nil {
		c.wait(rewatchPatience)
	}
}
