package zk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Parts of the frames the library writes: the handshake carries the session id
// at a fixed place, every later frame its operation.
const (
	handshakeSessionAt = 4 + 4 + 8 + 4 // length, protocol version, last zxid, timeout
	operationAt        = 4 + 4         // length, xid
	opPing             = 11
	opAuth             = 100
	opSetWatches       = 101
	opClose            = -11
)

// The library re-sets its watches in frames of at most 128 KiB, each after the
// reply to the one before. A frame that has room for another path is the last.
const (
	fullRewatch     = 128<<10 - 4<<10
	rewatchPatience = 250 * time.Millisecond // for the first frame, which nobody promises
	rewatchInterval = 2 * time.Second        // for the next, which is all but certain
)

// maxHandshake is the longest answer to a handshake that is believed. A server
// of another protocol announces hundreds of megabytes, which the library would
// allocate and wait for.
const maxHandshake = 1 << 10

// contactConn watches the frames of one connection, to know how long the
// session is certainly alive and to keep requests of a resumed session behind
// the watches.
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
// are set; the server answers in order from there on. It also keeps the
// library's receive loop away from the transaction number that the request for
// the watches is being made of, which would be a data race.
type contactConn struct {
	net.Conn
	onContact func(sentAt time.Time)
	onGranted func(timeoutMillis int32) // the session timeout in the handshake
	onGreeted func()                    // the handshake was answered completely
	onRefused func(error)               // the connection ended before that
	watches   bool                      // the client has asked for watches before

	closed    chan struct{}
	closeOnce sync.Once

	// turn holds one token: whoever has it may write, and use what follows. It
	// is a channel because waiting for it must not hold up virtual time.
	turn     chan struct{}
	wrote    bool // the handshake was sent
	holding  bool
	held     [][]byte
	patience *time.Timer

	mu   sync.Mutex
	sent []time.Time

	// Reader state; only the library's receive loop reads.
	header  [12]byte // the frame's length, then its xid; or, in the handshake, protocol version and timeout
	have    int      // bytes of header seen
	pending int      // bytes of the frame after the header still to come
	phase   readPhase
}

type readPhase uint8

const (
	readingHandshake readPhase = iota
	readingHandshakeBody
	readingFrames
)

func newContactConn(conn net.Conn) *contactConn {
	c := &contactConn{Conn: conn, closed: make(chan struct{}), turn: make(chan struct{}, 1)}
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
		return 0, net.ErrClosed
	}
	defer func() { c.turn <- struct{}{} }()
	switch {
	case !c.wrote:
		c.wrote = true
		resumes := len(p) >= handshakeSessionAt+8 && binary.BigEndian.Uint64(p[handshakeSessionAt:]) != 0
		c.holding = resumes && c.watches
		n, err := c.send(p)
		if err != nil {
			c.refuse(err)
		}
		return n, err
	case c.holding && len(p) >= operationAt+4:
		switch int32(binary.BigEndian.Uint32(p[operationAt:])) {
		case opPing, opAuth:
		case opClose:
			if err := c.releaseLocked(); err != nil {
				return 0, err
			}
		case opSetWatches:
			n, err := c.send(p)
			if err != nil {
				return n, err
			}
			if len(p) < fullRewatch {
				return n, c.releaseLocked()
			}
			c.wait(rewatchInterval)
			return n, nil
		default:
			if len(c.held) == 0 && c.patience == nil {
				c.wait(rewatchPatience)
			}
			c.held = append(c.held, bytes.Clone(p))
			return len(p), nil
		}
	}
	return c.send(p)
}

func (c *contactConn) send(p []byte) (int, error) {
	c.mu.Lock()
	c.sent = append(c.sent, time.Now())
	c.mu.Unlock()
	return c.Conn.Write(p)
}

// wait lets go of what is held after d, with the turn held.
func (c *contactConn) wait(d time.Duration) {
	if c.patience != nil {
		c.patience.Stop()
	}
	c.patience = time.AfterFunc(d, c.release)
}

// release ends the holding when no watches were re-set, because there are none
// any more.
func (c *contactConn) release() {
	select {
	case <-c.turn:
	case <-c.closed:
		return
	}
	defer func() { c.turn <- struct{}{} }()
	if c.releaseLocked() != nil {
		_ = c.Close() // The library sees it at its next read.
	}
}

// releaseLocked sends what was held, with the turn held.
func (c *contactConn) releaseLocked() error {
	held := c.held
	c.holding, c.held = false, nil
	if c.patience != nil {
		c.patience.Stop()
	}
	for _, p := range held {
		if _, err := c.send(p); err != nil {
			return err
		}
	}
	return nil
}

var errNotZooKeeper = errors.New("the answer is not one of a ZooKeeper server")

// Read reads for the library and takes note of what passes.
func (c *contactConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
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
			want := 8
			if c.phase == readingHandshake {
				want = 12
			}
			k := copy(c.header[c.have:want], p)
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
			c.began()
		}
		if c.pending == 0 && c.phase == readingHandshakeBody {
			c.phase = readingFrames
			c.onGreeted()
		}
	}
	return nil
}

// began looks at a frame whose header is complete.
func (c *contactConn) began() {
	switch {
	case c.phase == readingHandshake:
		c.phase = readingHandshakeBody
		c.onGranted(int32(binary.BigEndian.Uint32(c.header[8:])))
	case int32(binary.BigEndian.Uint32(c.header[4:])) == -1:
		return
	}
	if at, ok := c.answered(); ok {
		c.onContact(at)
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
