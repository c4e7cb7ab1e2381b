package zk

import (
	"fmt"
	"io"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// The library can't send a request that it doesn't know, or watch without a channel for the event.
// Our own requests of this kind go past it, on its connection:
//
//	library ──▶ contactConn.Write ──┬──▶ server ──▶ contactConn.Read ──▶ library
//	          contactConn.call ─────┘                     │
//	                 ▲─────────── body of the reply ◀─────┘
//
// The server answers in order, so all of them share one xid. The library also reads the header of
// such a reply and ignores it. By then it has handled every earlier event.

// Xids of requests that go past the library, which numbers its own from 1 upwards. -1, -2 and -4
// mean something in the protocol.
const (
	ownXid     int32 = -8 // A caller waits for the reply.
	rewatchXid int32 = -9 // Sets watches again on a new connection. No caller waits for the reply.
)

// maxMultiRead bounds the memory for the reply to a multiRead. Beyond it, read the nodes one by
// one.
const maxMultiRead = 16 << 20

type ownRequest struct {
	limit int                  // of the reply's body
	note  func(code wire.Code) // may be nil
	reply chan ownReply        // buffered
}

type ownReply struct {
	body []byte
	err  error
}

// call sends a request past the library and waits for the reply. Errors are the library's. note may
// be nil. It gets the result code on the receive goroutine, after all earlier events and before
// later ones.
func (c *contactConn) call(r *wire.Request, note func(code wire.Code)) (wire.Result, error) {
	own := &ownRequest{limit: maxReply, note: note, reply: make(chan ownReply, 1)}
	if r.Op == wire.OpMultiRead {
		own.limit = maxMultiRead
	}
	r.Xid = ownXid
	if c == nil || !c.ask(r.Frame(), own) {
		return wire.Result{}, gozk.ErrNoServer
	}
	var reply ownReply
	select {
	case reply = <-own.reply:
	case <-c.closed:
		select {
		case reply = <-own.reply: // It came before the end.
		default:
			return wire.Result{}, gozk.ErrConnectionClosed
		}
	}
	if reply.err != nil {
		return wire.Result{}, reply.err
	}
	return wire.ParseResult(r, reply.body)
}

// ask sends or holds a frame. It returns false if the connection is unusable.
func (c *contactConn) ask(frame []byte, own *ownRequest) bool {
	select {
	case <-c.credentialsSent:
	case <-c.closed:
		return false
	}
	if !c.takeTurn() {
		return false
	}
	defer c.passTurn()
	c.mu.Lock()
	greeted := c.greeted
	if greeted {
		c.own = append(c.own, own)
	}
	c.mu.Unlock()
	switch {
	case !greeted: // The connection that the caller meant is closed.
		return false
	case c.holding:
		c.hold(frame)
		return true
	}
	return c.send(frame) == nil
}

// answered hands the reply to the oldest of our requests. length bytes of it are still unread.
func (c *contactConn) answered(code wire.Code, length int) error {
	own := &ownRequest{reply: make(chan ownReply, 1)} // for a reply to nothing
	c.mu.Lock()
	if len(c.own) > 0 {
		own, c.own[0], c.own = c.own[0], nil, c.own[1:]
	}
	c.mu.Unlock()
	reply := ownReply{err: codeError(code)}
	if length > own.limit {
		reply.err = fmt.Errorf("the reply of %d bytes is longer than %d", length, own.limit)
		if _, err := c.incoming.Discard(length); err != nil {
			return err
		}
	} else {
		reply.body = make([]byte, length)
		if _, err := io.ReadFull(c.incoming, reply.body); err != nil {
			return err
		}
	}
	if own.note != nil {
		own.note(code)
	}
	own.reply <- reply
	return nil
}
