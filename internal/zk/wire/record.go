package wire

import (
	"bufio"
	"fmt"
)

// ConnectRequest is the first frame of a client.
type ConnectRequest struct {
	Version  int32
	Seen     int64 // the client's newest transaction
	Timeout  int32 // the requested session timeout, in milliseconds
	Session  int64 // 0 for a new session
	Password []byte
	ReadOnly []byte // one byte from newer clients, otherwise empty
}

func (r *ConnectRequest) fields(c *coder) {
	number(c, &r.Version)
	c.int64(&r.Seen)
	number(c, &r.Timeout)
	c.int64(&r.Session)
	c.bytes(&r.Password)
	c.end(&r.ReadOnly)
}

func (r *ConnectRequest) Frame() []byte {
	c := start()
	r.fields(&c)
	return c.frame()
}

func ParseConnectRequest(frame []byte) (r ConnectRequest, err error) {
	c := open(frame)
	r.fields(&c)
	return r, c.err
}

// ConnectReply is the first frame of a server.
type ConnectReply struct {
	Version  int32
	Timeout  int32 // the granted session timeout, in milliseconds
	Session  int64 // 0 if the session has expired
	Password []byte
	ReadOnly []byte // one byte for newer clients, otherwise empty
}

func (r *ConnectReply) fields(c *coder) {
	number(c, &r.Version)
	number(c, &r.Timeout)
	c.int64(&r.Session)
	c.bytes(&r.Password)
	c.end(&r.ReadOnly)
}

func (r *ConnectReply) Frame() []byte {
	c := start()
	r.fields(&c)
	return c.frame()
}

func ParseConnectReply(frame []byte) (r ConnectReply, err error) {
	c := open(frame)
	r.fields(&c)
	return r, c.err
}

// end codes the rest of the frame.
func (c *coder) end(v *[]byte) {
	if c.reading {
		*v = c.take(len(c.buf))
	} else {
		c.buf = append(c.buf, *v...)
	}
}

// Header begins each request after the handshake.
type Header struct {
	Xid int32 // the client's request number, repeated by the reply
	Op  Op
}

func (h *Header) fields(c *coder) {
	number(c, &h.Xid)
	number(c, &h.Op)
}

func ParseHeader(frame []byte) (h Header, err error) {
	c := open(frame)
	h.fields(&c)
	return h, c.err
}

// Request is a request, or a step of a multi or multiRead. Op decides which fields it has. Without
// a path it has none of the other fields either. Data points into the parsed frame.
type Request struct {
	Header
	Path    string
	Data    []byte
	ACL     []ACL
	Flags   int32
	Version int32
	TTL     int64
	Watch   bool
	Scheme  string               // of auth
	Since   int64                // of setWatches: the server sends events for changes after this transaction
	Watches [WatchKinds][]string // of setWatches
	Steps   []Request            // of multi and multiRead
}

// fields codes the fields after the header.
func (r *Request) fields(c *coder) {
	switch r.Op {
	case OpCreate, OpCreate2, OpCreateContainer, OpCreateTTL:
		c.text(&r.Path)
		c.bytes(&r.Data)
		c.acl(&r.ACL)
		number(c, &r.Flags)
		if r.Op == OpCreateTTL {
			c.int64(&r.TTL)
		}
	case OpDelete, OpCheck:
		c.text(&r.Path)
		number(c, &r.Version)
	case OpSetData:
		c.text(&r.Path)
		c.bytes(&r.Data)
		number(c, &r.Version)
	case OpExists, OpGetData, OpGetChildren, OpGetChildren2:
		c.text(&r.Path)
		c.bool(&r.Watch)
	case OpGetACL, OpSync, OpGetEphemerals, OpGetAllChildrenNumber:
		c.text(&r.Path)
	case OpSetACL:
		c.text(&r.Path)
		c.acl(&r.ACL)
		number(c, &r.Version)
	case OpAuth:
		var kind int32 // always 0
		number(c, &kind)
		c.text(&r.Scheme)
		c.bytes(&r.Data)
	case OpSetWatches:
		c.int64(&r.Since)
		for kind := range r.Watches {
			c.texts(&r.Watches[kind])
		}
	case OpMulti, OpMultiRead:
		c.steps(r)
	}
}

func (c *coder) steps(r *Request) {
	for i := 0; ; i++ {
		h := stepHeader{op: OpError, done: true, code: -1}
		if i < len(r.Steps) {
			h = stepHeader{op: r.Steps[i].Op, code: -1}
		}
		if h.fields(c); h.done {
			return
		}
		if c.reading {
			if !r.Op.holds(h.op) {
				c.err = ErrMalformed
				return
			}
			r.Steps = append(r.Steps, Request{Header: Header{Op: h.op}})
		}
		r.Steps[i].fields(c)
	}
}

// stepHeader precedes each step and each step's result, and ends their list.
type stepHeader struct {
	op   Op
	done bool
	code Code
}

func (h *stepHeader) fields(c *coder) {
	number(c, &h.op)
	c.bool(&h.done)
	number(c, &h.code)
	h.done = h.done || c.err != nil
}

func (r *Request) Frame() []byte {
	c := start()
	r.Header.fields(&c)
	r.fields(&c)
	return c.frame()
}

// ParseRequest parses a request. Like a server it ignores extra bytes. After an error the request
// has the fields parsed so far.
func ParseRequest(frame []byte) (r Request, err error) {
	c := open(frame)
	r.Header.fields(&c)
	r.fields(&c)
	return r, c.err
}

// ReplyHeader begins each reply and event after the handshake.
type ReplyHeader struct {
	Xid  int32
	Zxid int64 // the server's newest transaction
	Code Code
}

const replyHeaderBytes = 4 + 8 + 4

func (h *ReplyHeader) fields(c *coder) {
	number(c, &h.Xid)
	c.int64(&h.Zxid)
	number(c, &h.Code)
}

// ReadReplyHeader reads the header of the next reply or event, which length bytes follow.
func ReadReplyHeader(in *bufio.Reader) (h ReplyHeader, length int, err error) {
	b, err := in.Peek(lengthBytes + replyHeaderBytes)
	if err != nil {
		return h, 0, err
	}
	var total int32
	c := coder{buf: b, reading: true}
	number(&c, &total)
	h.fields(&c)
	if total < replyHeaderBytes {
		return h, 0, fmt.Errorf("%w: a reply of %d bytes", ErrMalformed, total)
	}
	_, err = in.Discard(len(b))
	return h, int(total) - replyHeaderBytes, err
}

// AppendStart appends the start of a frame with length bytes after the header.
func (h *ReplyHeader) AppendStart(b []byte, length int) []byte {
	total := int32(replyHeaderBytes + length)
	c := coder{buf: b}
	number(&c, &total)
	h.fields(&c)
	return c.buf
}

// ParseReply parses the header of a reply and returns the body for [ParseResult].
func ParseReply(frame []byte) (h ReplyHeader, body []byte, err error) {
	c := open(frame)
	h.fields(&c)
	return h, c.buf, c.err
}

// Result is the body of a reply, or the result of a step. Op decides which fields it has. Data
// points into the parsed frame.
type Result struct {
	Op       Op
	Code     Code // of [OpError]
	Path     string
	Data     []byte
	Stat     Stat
	Children []string // names, or the paths of getEphemerals
	ACL      []ACL
	Count    int32
	Results  []Result // of multi and multiRead
}

func (r *Result) fields(c *coder) {
	switch r.Op {
	case OpCreate, OpSync:
		c.text(&r.Path)
	case OpCreate2, OpCreateContainer, OpCreateTTL:
		c.text(&r.Path)
		c.stat(&r.Stat)
	case OpExists, OpSetData, OpSetACL:
		c.stat(&r.Stat)
	case OpGetData:
		c.bytes(&r.Data)
		c.stat(&r.Stat)
	case OpGetChildren, OpGetEphemerals:
		c.texts(&r.Children)
	case OpGetChildren2:
		c.texts(&r.Children)
		c.stat(&r.Stat)
	case OpGetACL:
		c.acl(&r.ACL)
		c.stat(&r.Stat)
	case OpGetAllChildrenNumber:
		number(c, &r.Count)
	case OpError:
		number(c, &r.Code)
	case OpMulti, OpMultiRead:
		c.results(r)
	}
}

// results codes the results of steps. When reading, their capacity bounds them.
func (c *coder) results(r *Result) {
	for i := 0; ; i++ {
		h := stepHeader{op: OpError, done: true, code: -1}
		if i < len(r.Results) {
			h = stepHeader{op: r.Results[i].Op, code: r.Results[i].Code}
		}
		if h.fields(c); h.done {
			return
		}
		if c.reading {
			if i == cap(r.Results) || h.op != OpError && !r.Op.holds(h.op) {
				c.err = ErrMalformed
				return
			}
			r.Results = append(r.Results, Result{Op: h.op})
		}
		r.Results[i].fields(c)
	}
}

// Frame returns a reply as a frame. Only a reply with [CodeOK] has a body.
func (h *ReplyHeader) Frame(r *Result) []byte {
	c := start()
	h.fields(&c)
	if h.Code == CodeOK {
		r.fields(&c)
	}
	return c.frame()
}

// ParseResult parses the body of a reply. It returns no more results than the request has steps.
func ParseResult(request *Request, body []byte) (Result, error) {
	r := Result{Op: request.Op, Results: make([]Result, 0, len(request.Steps))}
	c := coder{buf: body, reading: true}
	r.fields(&c)
	return r, c.err
}

// Event reports a change to a client that watches a node.
type Event struct {
	Type EventType
	Path string
}

func (e *Event) fields(c *coder) {
	state := int32(3) // connected
	number(c, &e.Type)
	number(c, &state)
	c.text(&e.Path)
}

func (e *Event) Frame() []byte {
	c := start()
	(&ReplyHeader{Xid: XidEvent, Zxid: -1}).fields(&c)
	e.fields(&c)
	return c.frame()
}

// ACL is one entry of a node's access control list.
type ACL struct {
	Perms  int32  // sum of 1 read, 2 write, 4 create, 8 delete, 16 admin
	Scheme string // "world", "digest" or "ip"
	ID     string // the user or address, in the scheme's spelling
}

// Stat is the server's metadata of a node. Times are milliseconds since 1970, zxids number
// transactions.
type Stat struct {
	Czxid          int64 // created the node
	Mzxid          int64 // last changed the data
	Ctime          int64 // creation
	Mtime          int64 // last change of the data
	Version        int32 // counts changes of the data
	Cversion       int32 // counts changes of the child list
	Aversion       int32 // counts changes of the ACL
	EphemeralOwner int64 // session of an ephemeral node, otherwise 0
	DataLength     int32 // bytes
	NumChildren    int32 // direct children
	Pzxid          int64 // last added or removed a child
}
