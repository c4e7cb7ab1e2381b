package zk

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	gozk "github.com/go-zookeeper/zk"
)

// A large tree has hundreds of thousands of nodes. A request for each costs the server
// more than the reading does, so [Many.ReadAll] asks for many by one multiRead request.
// The library does not know that request, and a multiRead sets no
// watches. So it goes in the place of a reading of the library, whose path stands for it
// and whose answer it becomes, and a setWatches request follows:
//
//	Many.ReadAll ──▶ the library's Get of a stand-in ──▶ contactConn writes a multiRead ──▶ server
//	Many.ReadAll ◀── the library: data of a node ◀────── contactConn wraps the answer ◀──────┘
//	      └───── setWatches, as of what was seen before the multiRead ──▶ server
//
// The server announces what has changed between both requests: an event too many, at
// most, and none too few.

// Reading is what [Many.ReadAll] is to read.
type Reading struct {
	Path     string
	Children bool // the names below the node, not its data
	// Optional: if the node is absent, nobody wants to know of its coming.
	Optional bool
	// Once: nobody wants to know of what becomes of the node.
	Once bool
}

// Read is what [Many.ReadAll] has read of a node.
type Read struct {
	Data     []byte
	Children []string
	Stat     Stat // of a node whose data was read
	// Err is nil, [ErrNoNode], or why this node could not be read; then it is not watched.
	Err error
}

// ErrUnsupported says that the server does not know the request. ZooKeeper knows
// multiRead from 3.6 on.
var ErrUnsupported = errors.New("the ZooKeeper server does not know this request")

// ReadAll reads nodes by few requests, and watches each that is not read but once: its next
// change is announced as that of [Client.GetWatch] and its siblings is. Of an absent node that is its coming.
// A server before ZooKeeper 3.6 answers the first such request by ending the
// connection: the error is [ErrUnsupported] then, and from then on at once.
func (m Many) ReadAll(ctx context.Context, list []Reading) ([]Read, error) {
	results := make([]Read, 0, len(list))
	for len(list) > 0 {
		n := m.fits(list)
		some, err := m.readSome(ctx, list[:n])
		if err != nil {
			return nil, err
		}
		results, list = append(results, some...), list[n:]
	}
	return results, nil
}

const (
	// readAtOnce bounds the nodes of a request, which may hold a megabyte each.
	readAtOnce = 50
	// maxAnswer bounds the answer that is kept. A longer one is an error: who needs the
	// nodes reads them one by one.
	maxAnswer = 16 << 20
	// maxBroken is how many connections may break under such a request before it is
	// taken for the reason, as long as none was answered.
	maxBroken = 3
)

// fits is how many of the readings go into one request.
func (m Many) fits(list []Reading) (n int) {
	for size := 0; n < min(len(list), readAtOnce); n++ {
		if size += 4 + len(m.c.chroot) + len(list[n].Path); n > 0 && size > absentBytes {
			break
		}
	}
	return n
}

func (m Many) readSome(ctx context.Context, list []Reading) ([]Read, error) {
	c := m.c
	unsupported := &Error{Op: "multiRead", Path: list[0].Path, Err: ErrUnsupported}
	since := c.seen.Load()
	watched := slices.ContainsFunc(list, func(r Reading) bool { return !r.Once })
	if c.many.unsupported.Load() || watched && since == 0 { // The server would announce each node as changed since then.
		return nil, unsupported
	}
	if watched {
		c.watched.Store(true)
	}
	results, err := do(ctx, c, "multiRead", list[0].Path, func() ([]Read, error) {
		name, over := c.many.stand(list, c.full)
		defer over()
		conn := c.current.Load()
		raw, _, err := c.conn.Get(name)
		if err != nil {
			c.many.failed(conn, err)
			return nil, err
		}
		results, err := decodeReads(raw, list)
		if err != nil || !watched {
			return results, err
		}
		return results, m.watch(list, results, since)
	})
	if err != nil && c.many.unsupported.Load() {
		c.many.logged.Do(func() {
			c.log.InfoContext(ctx, "ZooKeeper cannot read many nodes by one request, which it learned in 3.6; they are read one by one")
		})
		return nil, unsupported
	}
	return results, err
}

// failed takes in that a request on a connection was not answered. A server may end each
// connection on which it is asked, without a word.
func (w *many) failed(conn *contactConn, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if conn == w.broken || w.supported.Load() || !errors.Is(err, gozk.ErrConnectionClosed) {
		return
	}
	w.broken = conn
	if w.breaks++; w.breaks >= maxBroken {
		w.unsupported.Store(true)
	}
}

// watch has the server announce what changes of nodes that were read after a
// transaction. It returns when what has changed already was announced.
func (m Many) watch(list []Reading, results []Read, since int64) error {
	c := m.c
	var watches watchList
	c.many.mu.Lock()
	for i, r := range list {
		kind := watchData
		switch {
		case r.Once:
			continue
		case results[i].Err == nil && r.Children:
			kind = watchChild
		case results[i].Err == nil:
		case errors.Is(results[i].Err, ErrNoNode) && !r.Optional:
			kind = watchExist
		default:
			continue
		}
		path := c.full(r.Path)
		addTo(&watches, kind, path)
		c.many.set.add(kind, path) // A connection that begins meanwhile sets it as well.
	}
	c.many.mu.Unlock()
	conn := c.current.Load()
	if conn == nil {
		return gozk.ErrConnectionClosed
	}
	if conn.watchAbsent(watches.frame(absentXid, since)) != nil {
		return gozk.ErrConnectionClosed
	}
	return nil
}

// standIn begins the paths that stand for a multiRead. The library takes them, and no
// server has such a node: the character is not allowed there.
const standIn = "/\ue000"

// stand keeps the body of a multiRead under a path, until over is called.
func (w *many) stand(list []Reading, full func(string) string) (name string, over func()) {
	body := multiReadBody(list, full)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stands++
	name = standIn + strconv.FormatUint(w.stands, 10)
	if w.bodies == nil {
		w.bodies = make(map[string][]byte)
	}
	w.bodies[name] = body
	return name, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.bodies, name)
	}
}

// body is the multiRead for which a request of the library stands, nil if for none.
func (w *many) body(p []byte) []byte {
	const textAt = operationAt + 4 + 4 // behind the operation and the length of the path
	if binary.BigEndian.Uint32(p[operationAt:]) != opGetData || len(p) <= textAt || !strings.HasPrefix(string(p[textAt:min(len(p), textAt+len(standIn))]), standIn) {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bodies[string(p[textAt:len(p)-1])] // One byte follows: whether to watch.
}

const (
	opGetChildren = 8
	opMultiRead   = 22
	opError       = -1
	// errUnimplemented is the answer of a server that does not know a request.
	errUnimplemented = -6
)

// multiReadBody is the body of the request: a header and a reading each, and a header
// that ends it.
func multiReadBody(list []Reading, full func(string) string) []byte {
	size := 9
	for _, r := range list {
		size += 9 + 4 + len(full(r.Path)) + 1
	}
	b := make([]byte, 0, size)
	header := func(operation int32, end byte) {
		b = append(binary.BigEndian.AppendUint32(b, uint32(operation)), end)
		b = binary.BigEndian.AppendUint32(b, 1<<32-1)
	}
	for _, r := range list {
		operation := int32(opGetData)
		if r.Children {
			operation = opGetChildren
		}
		header(operation, 0)
		path := full(r.Path)
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(path))), path...)
		b = append(b, 0) // The server takes no watch here.
	}
	header(-1, 1)
	return b
}

// multiRead puts a multiRead in the place of a request of the library that stands for
// it, with the turn held.
func (c *contactConn) multiRead(p, body []byte) []byte {
	c.copied = append(append(c.copied[:0], p[:operationAt+4]...), body...)
	binary.BigEndian.PutUint32(c.copied, uint32(len(c.copied)-4))
	binary.BigEndian.PutUint32(c.copied[operationAt:], opMultiRead)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wrapped == nil {
		c.wrapped = make(map[int32]struct{})
	}
	c.wrapped[int32(binary.BigEndian.Uint32(p[xidAt:]))] = struct{}{}
	return c.copied
}

// receive is what the connection has received, with answers to a multiRead as the
// library takes them. Only at the beginning of a frame it looks whether it is one.
func (c *contactConn) receive(p []byte) (int, error) {
	if len(c.answer) == 0 && c.have == 0 && c.pending == 0 && c.phase == readingFrames {
		if err := c.wrap(); err != nil {
			return 0, err
		}
	}
	if len(c.answer) > 0 {
		n := copy(p, c.answer)
		c.answer = c.answer[n:]
		return n, nil
	}
	return c.incoming.Read(p)
}

// statBytes is the length of a node's record, which is behind its data.
const statBytes = 68

// wrap waits for the next frame and, if it is the answer to a multiRead, has it be that to
// the reading of a node.
func (c *contactConn) wrap() error {
	begin, err := c.incoming.Peek(operationAt)
	if err != nil {
		if c.incoming.Buffered() > 0 {
			return nil // The library is to see what there is.
		}
		return err
	}
	length, xid := int(binary.BigEndian.Uint32(begin)), int32(binary.BigEndian.Uint32(begin[xidAt:]))
	c.mu.Lock()
	_, ours := c.wrapped[xid]
	delete(c.wrapped, xid)
	c.mu.Unlock()
	const head = answerEnd - 4 // of a frame, behind its length
	if !ours || length < head {
		return nil
	}
	if begin, err = c.incoming.Peek(answerEnd); err != nil {
		return err
	}
	switch code := int32(binary.BigEndian.Uint32(begin[codeAt:])); code {
	case 0:
		c.many.supported.Store(true)
		return c.wrapBody(length - head)
	case errUnimplemented:
		c.many.unsupported.Store(true)
	}
	return nil // It has no body.
}

// wrapBody takes a frame with a body of a length.
func (c *contactConn) wrapBody(length int) error {
	kept := length
	if length > maxAnswer {
		kept = 0
	}
	frame := make([]byte, answerEnd+4+kept+statBytes)
	if _, err := io.ReadFull(c.incoming, frame[:answerEnd]); err != nil {
		return err
	}
	if kept == 0 {
		if _, err := c.incoming.Discard(length); err != nil {
			return err
		}
	}
	if _, err := io.ReadFull(c.incoming, frame[answerEnd+4:answerEnd+4+kept]); err != nil {
		return err
	}
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
	binary.BigEndian.PutUint32(frame[answerEnd:], uint32(kept))
	c.answer = frame
	return nil
}

var errMultiRead = errors.New("the answer to a multiRead cannot be understood")

// decodeReads reads the answer to a multiRead.
func decodeReads(raw []byte, list []Reading) ([]Read, error) {
	d := answerDecoder{raw}
	results := make([]Read, len(list))
	for i := range list {
		operation := d.int32()
		d.next(1 + 4) // neither the end nor an error, which is in the body
		switch operation {
		case opGetData:
			results[i].Data = d.bytes()
			results[i].Stat = d.stat()
		case opGetChildren:
			results[i].Children = d.texts()
		case opError:
			results[i].Err = codeError(d.int32())
		default:
			return nil, fmt.Errorf("%w: operation %d", errMultiRead, operation)
		}
		if d.rest == nil {
			return nil, fmt.Errorf("%w: it ends early", errMultiRead)
		}
	}
	return results, nil
}

// codeError is the error of a code that stands for a node in an answer.
func codeError(code int32) error {
	switch code {
	case errNone:
		return ErrNoNode
	case errForbidden:
		return ErrNoAuth
	}
	return fmt.Errorf("%w: the server answers with code %d", ErrUnavailable, code)
}

// errForbidden is the server's word for a node that may not be read.
const errForbidden = -102

// answerDecoder reads what the server wrote; its rest is nil once that ended early.
type answerDecoder struct{ rest []byte }

// next is so many bytes of the rest.
func (d *answerDecoder) next(n int) []byte {
	if d.rest == nil || n < 0 || n > len(d.rest) {
		d.rest = nil
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *answerDecoder) int32() int32 {
	if b := d.next(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (d *answerDecoder) int64() int64 {
	if b := d.next(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// bytes is data; a length of -1 stands for none.
func (d *answerDecoder) bytes() []byte {
	if n := d.int32(); n >= 0 {
		return d.next(int(n))
	}
	return nil
}

// texts are names.
func (d *answerDecoder) texts() []string {
	n := int(d.int32())
	if n < 0 || n > len(d.rest)/4 {
		d.rest = nil
		return nil
	}
	names := make([]string, n)
	for i := range names {
		names[i] = string(d.bytes())
	}
	return names
}

func (d *answerDecoder) stat() Stat {
	return Stat{
		Czxid: d.int64(), Mzxid: d.int64(), Ctime: time.UnixMilli(d.int64()), Mtime: time.UnixMilli(d.int64()),
		Version: d.int32(), Cversion: d.int32(), Aversion: d.int32(), EphemeralOwner: d.int64(),
		DataLength: d.int32(), NumChildren: d.int32(), Pzxid: d.int64(),
	}
}
