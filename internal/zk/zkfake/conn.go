package zkfake

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// conn is one client connection. Its reader goroutine performs the requests,
// one after the other, and queues the replies; its writer goroutine sends
// what is queued, so that no request ever waits for a slow client.
type conn struct {
	srv *Server
	nc  net.Conn
	id  uint64
	seq uint64 // requests read so far; only the reader uses it

	// Guarded by the server's lock.
	session *session
	auth    []identity // the first one is the address
	watches [watchKinds]map[string]struct{}
	closed  bool

	out  outbox
	done chan struct{} // closed when the connection is to end now
}

// outgoing is one frame on its way to the client.
type outgoing struct {
	frame []byte
	event *WatchEvent // what the frame reports, nil for replies
	after time.Time   // not to be sent before, zero for at once
	last  bool        // close the connection after it
}

// outbox is the queue between whoever has something to send and the writer.
type outbox struct {
	mu     sync.Mutex
	queue  []outgoing
	sealed bool // nothing more is accepted
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
	for _, have := range c.auth {
		if have == who {
			return
		}
	}
	c.auth = append(c.auth, who)
}

// send queues a frame.
func (c *conn) send(item outgoing) {
	c.out.mu.Lock()
	if !c.out.sealed {
		c.out.queue = append(c.out.queue, item)
		c.out.sealed = item.last
	}
	c.out.mu.Unlock()
	select {
	case c.out.wake <- struct{}{}:
	default:
	}
}

// seal refuses everything queued from now on.
func (c *conn) seal() {
	c.out.mu.Lock()
	c.out.sealed = true
	c.out.mu.Unlock()
}

// detach takes the connection out of the server: no further request of it
// has any effect. The caller holds the server's lock.
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
		c.nc.Close() // an error here would only say that it was closed before
	}
}

// finish ends the connection after what is queued already. The caller holds
// the server's lock.
func (c *conn) finish() {
	c.detach()
	c.out.mu.Lock()
	c.out.queue = append(c.out.queue, outgoing{last: true})
	c.out.sealed = true
	c.out.mu.Unlock()
	select {
	case c.out.wake <- struct{}{}:
	default:
	}
}

// runWriter sends what is queued until the connection ends.
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

// pause waits unless the connection ends first.
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

// runReader performs the client's requests until the connection ends.
func (c *conn) runReader() {
	err := c.read()
	c.srv.mu.Lock()
	defer c.srv.mu.Unlock()
	if c.closed {
		return // somebody else ended it and saw to the rest
	}
	if err != nil && !errors.Is(err, io.EOF) {
		c.srv.opts.Logger.Debug("connection ended", "conn", c.id, "err", err)
	}
	c.close()
}

func (c *conn) read() error {
	r := &frameReader{r: bufio.NewReader(c.nc), limit: c.srv.opts.MaxFrame}
	first, err := r.size()
	if err != nil {
		return err
	}
	if reply, ok := c.srv.fourLetterWord(first); ok {
		c.srv.mu.Lock()
		defer c.srv.mu.Unlock()
		c.send(outgoing{frame: []byte(reply)})
		c.finish()
		return nil
	}
	frame, err := r.body(first)
	if err != nil {
		return err
	}
	if ok, err := c.handshake(frame); !ok {
		return err
	}
	for {
		size, err := r.size()
		if err != nil {
			return err
		}
		frame, err := r.body(size)
		if err != nil {
			return err
		}
		if ok, err := c.perform(frame); !ok {
			return err
		}
	}
}

// frameReader reads length-prefixed frames into one buffer.
type frameReader struct {
	r     *bufio.Reader
	buf   []byte
	limit int
}

func (f *frameReader) size() (uint32, error) {
	var prefix [4]byte
	if _, err := io.ReadFull(f.r, prefix[:]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(prefix[:]), nil
}

// body reads a frame of the given size, which is valid until the next call.
// A frame above the limit ends the connection, as in the real server.
func (f *frameReader) body(size uint32) ([]byte, error) {
	if int64(size) > int64(f.limit) {
		return nil, fmt.Errorf("frame of %d bytes is above the limit of %d", size, f.limit)
	}
	if cap(f.buf) < int(size) {
		f.buf = make([]byte, size)
	}
	frame := f.buf[:size]
	_, err := io.ReadFull(f.r, frame)
	return frame, err
}

// handshake reads the connect request and opens or resumes a session. ok is
// false if the connection is over.
func (c *conn) handshake(frame []byte) (ok bool, err error) {
	d := &decoder{buf: frame}
	d.int32() // the protocol version, always 0
	seen := d.int64()
	asked := time.Duration(d.int32()) * time.Millisecond
	id, password := d.int64(), d.bytes()
	if d.err != nil {
		return false, d.err
	}
	modern := len(d.buf) > 0 // newer clients say whether they accept a read-only server
	fault := c.srv.faultFor(Request{Session: id, Conn: c.id, Op: opNames[opConnect]})
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
	case seen > s.zxid:
		return false, fmt.Errorf("client has seen zxid %d, this server is at %d", seen, s.zxid)
	}
	s.stats.Ops[opNames[opConnect]]++
	timeout := s.negotiate(asked)
	ss := s.sessions[id]
	switch {
	case id == 0:
		ss = s.createSession(timeout)
	case ss == nil || string(password) != string(s.password(id)):
		c.send(outgoing{frame: connectReply(nil, nil, modern), after: fault.due()})
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
	c.send(outgoing{frame: connectReply(ss, s.password(ss.id), modern), after: fault.due()})
	return true, nil
}

// connectReply answers a handshake; without a session it says that the old
// one is over.
func connectReply(ss *session, password []byte, modern bool) []byte {
	e := &encoder{buf: make([]byte, 4, 64)}
	e.int32(0)
	if ss == nil {
		e.int32(0)
		e.int64(0)
		password = make([]byte, 16)
	} else {
		e.int32(int32(ss.timeout / time.Millisecond))
		e.int64(ss.id)
	}
	e.bytes(password)
	if modern {
		e.bool(false)
	}
	binary.BigEndian.PutUint32(e.buf, uint32(len(e.buf)-4))
	return e.buf
}

// perform decodes one request, asks the fault hook about it and carries it
// out. ok is false if the connection is over.
func (c *conn) perform(frame []byte) (ok bool, err error) {
	d := &decoder{buf: frame}
	xid, op := d.int32(), operation{code: d.int32()}
	if d.err != nil {
		return false, d.err
	}
	name, known := opNames[op.code]
	malformed := op.decode(d) != nil
	c.seq++
	fault := c.srv.faultFor(Request{
		Session: c.session.id, Conn: c.id, Seq: c.seq, Xid: xid,
		Op: name, Path: op.firstPath(), Paths: op.allPaths(),
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
	if !known || op.code == opConnect {
		c.send(outgoing{frame: newReply(0).finish(xid, s.zxid, codeUnimplemented)})
		c.finish()
		return false, nil
	}
	c.session.touch(time.Now())
	if fault.loseReply {
		c.seal() // also against watch events that the request causes
	}
	reply := s.handle(c, xid, &op, malformed)
	c.send(outgoing{frame: reply, after: fault.due()})
	refused := op.code == opAuth && code(binary.BigEndian.Uint32(reply[16:])) != codeOK
	if fault.loseReply || op.code == opClose || refused {
		c.finish()
		return false, nil
	}
	return true, nil
}

// firstPath is the path of an operation, or of the first step of a multi.
func (op *operation) firstPath() string {
	if len(op.steps) > 0 {
		return op.steps[0].path
	}
	return op.path
}

// allPaths lists the paths of all steps of a multi.
func (op *operation) allPaths() []string {
	if len(op.steps) == 0 {
		return nil
	}
	paths := make([]string, len(op.steps))
	for i := range op.steps {
		paths[i] = op.steps[i].path
	}
	return paths
}
