package zk

import (
	"encoding/binary"
	"net"
	"sync"
	"time"
)

// contactConn watches the frames of one connection to learn how long the
// session is certainly alive. A reply proves that the server heard from us
// when, or after, the answered request was sent; the send time of the newest
// answered request is therefore a safe anchor for the session's age.
//
// The library writes one frame per Write and replies come in request order, so
// a queue of send times is enough. Watch events answer nothing and are skipped.
type contactConn struct {
	net.Conn
	onContact func(sentAt time.Time)
	onGranted func(timeoutMillis int32) // the session timeout in the handshake
	closed    chan struct{}
	closeOnce sync.Once

	mu      sync.Mutex
	sent    []time.Time
	resumes bool          // the handshake asked for an existing session
	rewatch chan struct{} // closed when the library has re-set its watches; see holdReplies
	rewound bool
	held    bool // replies were held back once
	wrote   bool // the handshake was sent

	// Reader state; only the library's receive loop reads.
	header  [12]byte // the frame's length, then its xid; or, in the handshake, protocol version and timeout
	have    int      // bytes of header seen
	pending int      // bytes of the frame after the header still to come
	greeted bool     // the handshake, which has no xid, was read
}

func (c *contactConn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// Parts of the frames the library writes: the handshake carries the session id
// at a fixed place, every later frame its operation.
const (
	handshakeSessionAt = 4 + 4 + 8 + 4 // length, protocol version, last zxid, timeout
	operationAt        = 4 + 4         // length, xid
	opSetWatches       = 101
	rewatchPatience    = 50 * time.Millisecond
)

func (c *contactConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	first := !c.wrote
	c.wrote = true
	c.sent = append(c.sent, time.Now())
	switch {
	case first && len(p) >= handshakeSessionAt+8:
		c.resumes = binary.BigEndian.Uint64(p[handshakeSessionAt:]) != 0
	case !first && !c.rewound && len(p) >= operationAt+4 && binary.BigEndian.Uint32(p[operationAt:]) == opSetWatches:
		c.rewound = true
		close(c.rewatch)
	}
	c.mu.Unlock()
	return c.Conn.Write(p)
}

// holdReplies keeps the first replies of a resumed session back until the
// library has asked the server to watch again. The library reads the newest
// transaction it has seen for that request while its receive loop may already
// write it: a data race, and a reply that wins it would make the server skip
// the changes in between. A client without watches sends no such request, so
// the wait is short.
func (c *contactConn) holdReplies() {
	c.mu.Lock()
	hold := c.resumes && c.greeted && !c.rewound && !c.held
	c.held = c.held || c.greeted
	c.mu.Unlock()
	if !hold {
		return
	}
	timer := time.NewTimer(rewatchPatience)
	defer timer.Stop()
	select {
	case <-c.rewatch:
	case <-timer.C:
	case <-c.closed:
	}
}

func (c *contactConn) Read(p []byte) (int, error) {
	if c.pending == 0 && c.have == 0 {
		c.holdReplies()
	}
	n, err := c.Conn.Read(p)
	c.scan(p[:n])
	return n, err
}

func (c *contactConn) scan(p []byte) {
	for len(p) > 0 {
		if c.pending > 0 {
			k := min(c.pending, len(p))
			c.pending -= k
			p = p[k:]
			continue
		}
		want := 8
		if !c.greeted {
			want = 12
		}
		k := copy(c.header[c.have:want], p)
		c.have += k
		p = p[k:]
		if c.have < want {
			return
		}
		c.have = 0
		c.pending = max(0, int(binary.BigEndian.Uint32(c.header[:4]))-(want-4))
		switch {
		case !c.greeted:
			c.greeted = true
			c.onGranted(int32(binary.BigEndian.Uint32(c.header[8:])))
		case int32(binary.BigEndian.Uint32(c.header[4:])) == -1:
			continue
		}
		if at, ok := c.answered(); ok {
			c.onContact(at)
		}
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
