package zk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Where the fields are that are read or filled in here, from the length of the
// frame on.
const (
	xidAt       = 4               // of a request and of a reply: behind length
	operationAt = xidAt + 4       // of a request: behind xid
	relativeAt  = operationAt + 4 // of the request for watches: the newest transaction that was seen
	seenAt      = 4 + 4           // of the handshake, the same: behind length, version
	sessionAt   = seenAt + 8 + 4  // of the handshake: behind that, timeout
	answerAt    = 4 + 4           // of a reply, its transaction: behind length, xid
	codeAt      = answerAt + 8    // behind that, the error
	answerEnd   = codeAt + 4      // and where that ends
)

const (
	opPing       = 11
	opAuth       = 100
	opSetWatches = 101
	opClose      = -11
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
	again     func(since int64) [][]byte // frames that set the watches the library does not know of, as of a transaction
	many      *many                      // some of those; nil: none

	closed    chan struct{}
	closeOnce sync.Once

	// turn holds one token: whoever has it may write, and use what follows. It
	// is a channel because waiting for it must not hold up virtual time.
	turn     chan struct{}
	wrote    bool  // the handshake was sent
	relative int64 // what was seen when the connection began: the watches are set as of then
	holding  bool
	held     [][]byte // requests
	rewatch  [][]byte // frames that set watches again, to go first
	patience *time.Timer
	copied   []byte // a request that was changed

	mu           sync.Mutex
	greetingSent bool
	greeted      bool // the handshake was answered in time
	abandoned    bool // it was not; only one of both is ever true
	sent         []time.Time
	answers      []chan struct{}    // to close with each reply to a request of watchAbsent
	asked        map[int32]ask      // requests that watch, by xid
	wrapped      map[int32]struct{} // requests that stand for a multiRead, by xid

	// Reader state; only the library's receive loop reads. It asks for four
	// bytes and then for the rest of each frame, which is two calls of the system
	// for each of a thousand replies that arrive together.
	incoming *bufio.Reader
	answer   []byte          // to a multiRead, for the library; what it has yet to read
	header   [answerEnd]byte // the frame's length, xid, transaction and error; or, in the handshake, length, protocol version and timeout
	have     int             // bytes of header seen
	pending  int             // bytes of the frame after the header still to come
	phase    readPhase
}

type readPhase uint8

const (
	readingHandshake readPhase = iota
	readingHandshakeBody
	readingFrames
)

func newContactConn(conn net.Conn, seen *atomic.Int64) *contactConn {
	c := &contactConn{
		Conn: conn, seen: seen, incoming: bufio.NewReaderSize(conn, readBuffer),
		closed: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	c.turn <- struct{}{}
	return c
}

// Close closes the connection; what was held back is never sent.
func (c *contactConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Write sends the frame p, or keeps it for later.
func (c *contactConn) Write(p []byte) (int, error) {
	select {
	case <-c.turn:
	case <-c.closed:
		return len(p), nil // As in send.
	}
	defer func() { c.turn <- struct{}{} }()
	if !c.wrote {
		c.wrote = true
		n, err := c.send(c.handshake(p))
		if err != nil {
			c.refuse(err)
		}
		return n, err
	}
	operation := int32(binary.BigEndian.Uint32(p[operationAt:]))
	if operation == opSetWatches {
		p = bytes.Clone(p)
		binary.BigEndian.PutUint64(p[relativeAt:], uint64(c.relative))
	}
	p = c.turnOn(p)
	if !c.holding {
		return c.send(p)
	}
	switch operation {
	case opPing, opAuth:
		return c.send(p)
	case opClose: // The library sends nothing more, its watches neither.
		c.holding, c.held, c.rewatch = false, nil, nil
		return c.send(p)
	case opSetWatches:
		c.wait(rewatchSettle)
		c.rewatch = append(c.rewatch, p)
	default:
		c.hold(bytes.Clone(p))
	}
	return len(p), nil
}

// handshake tells the server what the session has seen, so that no server that
// is behind accepts it. A new session has seen nothing, and watches nothing.
func (c *contactConn) handshake(p []byte) []byte {
	if binary.BigEndian.Uint64(p[sessionAt:]) == 0 {
		c.seen.Store(0)
		return p
	}
	c.holding = c.watches
	c.relative = c.seen.Load()
	p = bytes.Clone(p)
	binary.BigEndian.PutUint64(p[seenAt:], uint64(c.relative))
	return p
}

// watchAbsent sends a frame of [absentFrame] like a request of the library, and
// waits until it is answered.
func (c *contactConn) watchAbsent(frame []byte) error {
	answered := make(chan struct{})
	if err := c.ask(frame, answered); err != nil {
		return err
	}
	select {
	case <-answered:
		return nil
	case <-c.closed:
		return net.ErrClosed
	}
}

func (c *contactConn) ask(frame []byte, answered chan struct{}) error {
	select {
	case <-c.turn:
	case <-c.closed:
		return net.ErrClosed
	}
	defer func() { c.turn <- struct{}{} }()
	c.mu.Lock()
	greeted := c.greeted
	if greeted {
		c.answers = append(c.answers, answered)
	}
	c.mu.Unlock()
	if !greeted {
		return net.ErrClosed // The connection that was meant is closed.
	}
	if c.holding {
		c.hold(frame)
		return nil
	}
	_, err := c.send(frame)
	return err
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
func (c *contactConn) send(p []byte) (int, error) {
	c.mu.Lock()
	handshake := !c.greetingSent
	c.greetingSent = true
	c.sent = append(c.sent, time.Now())
	c.mu.Unlock()
	n, err := c.Conn.Write(p)
	if err != nil && !handshake {
		_ = c.Close() // Its read loop ends the connection.
		return len(p), nil
	}
	return n, err
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
	select {
	case <-c.turn:
	case <-c.closed:
		return
	}
	defer func() { c.turn <- struct{}{} }()
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
		if _, err := c.send(p); err != nil {
			return err
		}
	}
	return nil
}

var errNotZooKeeper = errors.New("the answer is not one of a ZooKeeper server")

// Read reads for the library and takes note of what passes.
func (c *contactConn) Read(p []byte) (int, error) {
	n, err := c.receive(p)
	if bad := c.scan(p[:n]); bad != nil {
		n, err = 0, bad
	}
	if err != nil && c.phase != readingFrames {
		c.refuse(err)
	}
	return n, err
}

func (c *contactConn) refuse(err error) {
	select {
	case <-c.closed: // Our own side closed it and knows why.
	default:
		c.onRefused(err)
	}
}

func (c *contactConn) scan(p []byte) error {
	for len(p) > 0 {
		if c.pending > 0 {
			k := min(c.pending, len(p))
			c.pending -= k
			p = p[k:]
		} else {
			want := answerEnd
			if c.phase == readingHandshake {
				want = 12
			}
			k := copy(c.header[c.have:want], p)
			if c.phase == readingFrames {
				for at := max(c.have, answerAt); at < min(c.have+k, codeAt); at++ {
					p[at-c.have] = 0
				}
			}
			c.have += k
			p = p[k:]
			length := int(binary.BigEndian.Uint32(c.header[:4]))
			if c.phase == readingHandshake && c.have >= 4 && (length < want || length > maxHandshake) {
				return fmt.Errorf("%w: it starts with %q", errNotZooKeeper, c.header[:c.have])
			}
			if c.have < want {
				return nil
			}
			c.have = 0
			c.pending = max(0, length-(want-4))
			if err := c.began(); err != nil {
				return err
			}
		}
		if c.pending == 0 && c.phase == readingHandshakeBody {
			if !c.greet() {
				_ = c.Close() // Whoever abandoned it says why.
				return net.ErrClosed
			}
			c.phase = readingFrames
			c.onGreeted()
			c.rewatchSoon()
		}
	}
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

// began looks at a frame whose header is complete.
func (c *contactConn) began() error {
	if c.phase == readingHandshake {
		c.phase = readingHandshakeBody
		c.onGranted(int32(binary.BigEndian.Uint32(c.header[8:])))
	} else {
		switch xid := int32(binary.BigEndian.Uint32(c.header[xidAt:])); {
		case xid == -1:
			return nil
		case xid == absentXid:
			c.absentAnswered()
		case xid >= 0:
			if transaction := int64(binary.BigEndian.Uint64(c.header[answerAt:])); transaction > 0 {
				c.seen.Store(transaction)
			}
			c.manyAnswered(xid, int32(binary.BigEndian.Uint32(c.header[codeAt:])))
		}
	}
	if at, ok := c.answered(); ok {
		c.onContact(at)
	}
	return nil
}

// absentAnswered wakes whoever waits for the oldest such request. The library
// has handled every event before it: it reads frame by frame.
func (c *contactConn) absentAnswered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.answers) > 0 {
		close(c.answers[0])
		c.answers = c.answers[1:]
	}
}

func (c *contactConn) answered() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.sent) == 0 {
		return time.Time{}, false
	}
	at := c.sent[0]
	c.sent = c.sent[1:]
	return at, true
}
