package zkfake

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/wake"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// conn is one client connection. Its reader goroutine performs the requests one by one and queues
// the replies. Its writer goroutine sends them, so no request waits for a slow client.
type conn struct {
	srv *Server
	nc  net.Conn
	id  uint64
	seq uint64 // requests read so far; reader only

	// Guarded by the server's lock.
	session *session
	auth    []identity // the first is the address
	watches [watchKinds]map[string]struct{}
	closed  bool

	out  outbox
	done chan struct{} // closed when the connection must end now
}

type outgoing struct {
	frame []byte
	event *WatchEvent // the frame's event, nil for replies
	after time.Time   // earliest send time, zero for at once
	last  bool        // close the connection after this frame
}

// outbox is the send queue of a connection.
type outbox struct {
	mu     sync.Mutex
	queue  []outgoing
	sealed bool // refuses further frames
	wake   chan struct{}
}

func (s *Server) newConn(nc net.Conn) *conn {
	s.connections++
	c := &conn{srv: s, nc: nc, id: s.connections, done: make(chan struct{})}
	c.out.wake = make(chan struct{}, 1)
	for kind := range c.watches {
		c.watches[kind] = make(map[string]struct{})
	}
	host := "127.0.0.1"
	if addr, ok := nc.RemoteAddr().(*net.TCPAddr); ok {
		host = addr.IP.String()
	}
	c.auth = []identity{{"ip", host}}
	return c
}

func (c *conn) addIdentity(who identity) {
	if !slices.Contains(c.auth, who) {
		c.auth = append(c.auth, who)
	}
}

// send queues a frame, unless no more are accepted.
func (c *conn) send(item outgoing) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	if !c.out.sealed {
		c.out.push(item)
	}
}

func (o *outbox) push(item outgoing) {
	o.queue, o.sealed = append(o.queue, item), o.sealed || item.last
	wake.Up(o.wake)
}

// seal refuses all further frames.
func (c *conn) seal() {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.sealed = true
}

// detach removes the connection from the server, so its further requests have no effect. The caller
// holds the server's lock.
func (c *conn) detach() {
	if c.closed {
		return
	}
	c.closed = true
	c.srv.dropWatches(c)
	if c.session != nil && c.session.conn == c {
		c.session.conn = nil
	}
}

// close cuts the connection at once. The caller holds the server's lock.
func (c *conn) close() {
	c.detach()
	select {
	case <-c.done:
	default:
		close(c.done)
		c.nc.Close() // an error could only mean that it's already closed
	}
}

// finish ends the connection after the queued frames. The caller holds the server's lock.
func (c *conn) finish() {
	c.detach()
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	c.out.push(outgoing{last: true})
}

func (c *conn) runWriter() {
	defer c.srv.forget(c)
	var batch []byte
	for {
		c.out.mu.Lock()
		items := c.out.queue
		c.out.queue = nil
		c.out.mu.Unlock()
		if len(items) == 0 {
			select {
			case <-c.out.wake:
				continue
			case <-c.done:
				return
			}
		}
		batch = batch[:0]
		for _, item := range items {
			if !item.after.IsZero() {
				if !c.write(batch) || !c.pause(time.Until(item.after)) {
					return
				}
				batch = batch[:0]
			}
			if item.event != nil && c.srv.dropsEvent(*item.event) {
				continue
			}
			batch = append(batch, item.frame...)
			if item.last {
				c.write(batch)
				return
			}
		}
		if !c.write(batch) {
			return
		}
	}
}

func (c *conn) write(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	_, err := c.nc.Write(b)
	return err == nil
}

// pause waits for d. It returns false if the connection ends first.
func (c *conn) pause(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.done:
		return false
	}
}

func (c *conn) runReader() {
	err := c.read()
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	if c.closed {
		return // already ended and cleaned up
	}
	if err != nil && !errors.Is(err, io.EOF) {
		c.srv.opts.Logger.Debug("connection ended", "conn", c.id, "err", err)
	}
	c.close()
}

func (c *conn) read() error {
	in := bufio.NewReader(c.nc)
	word, err := in.Peek(4)
	if err != nil {
		return err
	}
	if reply, ok := c.srv.fourLetterWord(string(word)); ok {
		c.srv.mu.Lock()
		defer c.srv.mu.Unlock()
		c.send(outgoing{frame: []byte(reply)})
		c.finish()
		return nil
	}
	frames := wire.NewReader(in, c.srv.opts.MaxFrame)
	for serve := c.handshake; ; serve = c.perform {
		frame, err := frames.Next()
		if err != nil {
			return err
		}
		if ok, err := serve(frame); !ok {
			return err
		}
	}
}

// handshake reads the connect request and opens or resumes a session. ok is false if the connection
// is over.
func (c *conn) handshake(frame []byte) (ok bool, err error) {
	r, err := wire.ParseConnectRequest(frame)
	if err != nil {
		return false, err
	}
	id := r.Session
	fault := c.srv.faultFor(Request{Session: id, Conn: c.id, Op: opConnect})
	if !c.pause(fault.before) {
		return false, nil
	}

	s := c.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c.closed:
		return false, nil
	case fault.loseRequest:
		c.finish()
		return false, nil
	case r.Seen > s.zxid:
		return false, fmt.Errorf("client has seen zxid %d, this server is at %d", r.Seen, s.zxid)
	}
	s.stats.Ops[opConnect]++
	timeout := s.negotiate(time.Duration(r.Timeout) * time.Millisecond)
	ss := s.sessions[id]
	switch {
	case id == 0:
		ss = s.createSession(timeout)
	case ss == nil || !bytes.Equal(r.Password, s.password(id)):
		c.send(outgoing{frame: connectReply(&session{}, make([]byte, 16), &r), after: fault.due()})
		c.finish()
		return false, nil
	default:
		s.resumeSession(ss, timeout)
		if ss.conn != nil {
			ss.conn.close()
		}
	}
	c.session = ss
	ss.conn = c
	if fault.loseReply {
		c.finish()
		return false, nil
	}
	c.send(outgoing{frame: connectReply(ss, s.password(ss.id), &r), after: fault.due()})
	return true, nil
}

// connectReply answers a handshake. Session 0 means that the old session has ended.
func connectReply(ss *session, password []byte, r *wire.ConnectRequest) []byte {
	reply := wire.ConnectReply{Timeout: int32(ss.timeout / time.Millisecond), Session: ss.id, Password: password}
	if len(r.ReadOnly) > 0 { // Newer clients send whether they accept a read-only server.
		reply.ReadOnly = []byte{0}
	}
	return reply.Frame()
}

// opConnect is the handshake's name in counters and fault hooks.
const opConnect = "connect"

// perform decodes one request, calls the fault hook and executes the request. ok is false if the
// connection is over.
func (c *conn) perform(frame []byte) (ok bool, err error) {
	if _, err := wire.ParseHeader(frame); err != nil {
		return false, err
	}
	op, malformed := wire.ParseRequest(frame)
	c.seq++
	fault := c.srv.faultFor(Request{
		Session: c.session.id, Conn: c.id, Seq: c.seq, Xid: op.Xid,
		Op: op.Op.String(), Path: firstPath(&op), Paths: allPaths(&op),
	})
	if !c.pause(fault.before) {
		return false, nil
	}

	s := c.srv
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.closed {
		return false, nil
	}
	if fault.loseRequest {
		c.finish()
		return false, nil
	}
	if op.Op.String() == "" {
		unknown := wire.ReplyHeader{Xid: op.Xid, Zxid: s.zxid, Code: wire.CodeUnimplemented}
		c.send(outgoing{frame: unknown.Frame(nil)})
		c.finish()
		return false, nil
	}
	c.session.touch(time.Now())
	if fault.loseReply {
		c.seal() // also stops watch events of the request
	}
	var result wire.Result
	reply := s.handle(c, &op, &result, malformed != nil)
	c.send(outgoing{frame: reply.Frame(&result), after: fault.due()})
	refused := op.Op == wire.OpAuth && reply.Code != wire.CodeOK
	if fault.loseReply || op.Op == wire.OpClose || refused {
		c.finish()
		return false, nil
	}
	return true, nil
}

// firstPath returns the path of an operation, or of the first step of a multi.
func firstPath(op *wire.Request) string {
	if len(op.Steps) > 0 {
		return op.Steps[0].Path
	}
	return op.Path
}

func allPaths(op *wire.Request) []string {
	if len(op.Steps) == 0 {
		return nil
	}
	paths := make([]string, len(op.Steps))
	for i := range op.Steps {
		paths[i] = op.Steps[i].Path
	}
	return paths
}
