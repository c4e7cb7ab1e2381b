package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrMalformed means that a frame ends early or has an impossible length.
var ErrMalformed = errors.New("malformed ZooKeeper frame")

// lengthBytes is the size of a frame's length field, which doesn't count itself.
const lengthBytes = 4

// coder reads the fields of records from buf, or appends them to it. After the first error it
// leaves all fields at zero.
type coder struct {
	buf     []byte
	reading bool
	err     error
}

func open(frame []byte) coder {
	if whole, rest := Cut(frame); whole == nil || len(rest) > 0 {
		return coder{reading: true, err: fmt.Errorf("%w: %d bytes aren't one frame", ErrMalformed, len(frame))}
	}
	return coder{reading: true, buf: frame[lengthBytes:]}
}

func start() coder { return coder{buf: make([]byte, lengthBytes, 128)} }

func (c *coder) frame() []byte {
	binary.BigEndian.PutUint32(c.buf, uint32(len(c.buf)-lengthBytes))
	return c.buf
}

// Cut returns the first frame of a stream and the rest. The frame is nil if it's still incomplete.
func Cut(stream []byte) (frame, rest []byte) {
	if len(stream) < lengthBytes {
		return nil, stream
	}
	length := binary.BigEndian.Uint32(stream)
	if uint64(len(stream)-lengthBytes) < uint64(length) {
		return nil, stream
	}
	return stream[:lengthBytes+length], stream[lengthBytes+length:]
}

// Reader reads frames from a stream.
type Reader struct {
	in    *bufio.Reader
	limit int
	buf   []byte
}

// NewReader returns a reader that refuses frames longer than limit.
func NewReader(in *bufio.Reader, limit int) *Reader { return &Reader{in: in, limit: limit} }

// Next returns the next frame, which is valid until the next call.
func (r *Reader) Next() ([]byte, error) {
	prefix, err := r.in.Peek(lengthBytes)
	if err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(prefix)
	if uint64(length) > uint64(r.limit) {
		return nil, fmt.Errorf("%w: its %d bytes are above the limit of %d", ErrMalformed, length, r.limit)
	}
	if cap(r.buf) < lengthBytes+int(length) {
		r.buf = make([]byte, lengthBytes+int(length))
	}
	r.buf = r.buf[:lengthBytes+int(length)]
	_, err = io.ReadFull(r.in, r.buf)
	return r.buf, err
}

// take returns the next n bytes of the frame without copying them.
func (c *coder) take(n int) []byte {
	if c.err == nil && (n < 0 || n > len(c.buf)) {
		c.err = ErrMalformed
	}
	if c.err != nil {
		return nil
	}
	b := c.buf[:n:n]
	c.buf = c.buf[n:]
	return b
}

func number[T ~int32](c *coder, v *T) {
	if !c.reading {
		c.buf = binary.BigEndian.AppendUint32(c.buf, uint32(*v))
	} else if b := c.take(4); b != nil {
		*v = T(binary.BigEndian.Uint32(b))
	}
}

func (c *coder) int64(v *int64) {
	if !c.reading {
		c.buf = binary.BigEndian.AppendUint64(c.buf, uint64(*v))
	} else if b := c.take(8); b != nil {
		*v = int64(binary.BigEndian.Uint64(b))
	}
}

func (c *coder) bool(v *bool) {
	if c.reading {
		b := c.take(1)
		*v = b != nil && b[0] != 0
		return
	}
	b := byte(0)
	if *v {
		b = 1
	}
	c.buf = append(c.buf, b)
}

// bytes codes data. Nil is the protocol's null, which isn't the same as no bytes.
func (c *coder) bytes(v *[]byte) {
	n := int32(len(*v))
	if *v == nil {
		n = -1
	}
	number(c, &n)
	if !c.reading {
		c.buf = append(c.buf, *v...)
	} else if n != -1 {
		*v = c.take(int(n))
	}
}

// text codes a text that can't be null.
func (c *coder) text(v *string) {
	n := int32(len(*v))
	number(c, &n)
	if !c.reading {
		c.buf = append(c.buf, *v...)
	} else {
		*v = string(c.take(int(n)))
	}
}

// list codes the length of a list of records with at least minBytes each. When reading it also
// allocates the list; null becomes an empty list. When writing it doesn't touch the list, because
// several goroutines may write the same one.
func list[T any](c *coder, v *[]T, minBytes int) {
	n := int32(len(*v))
	number(c, &n)
	if !c.reading {
		return
	}
	if c.err == nil && (n < -1 || int(n) > len(c.buf)/minBytes) {
		c.err = ErrMalformed
	}
	if *v = nil; c.err == nil {
		*v = make([]T, max(0, n))
	}
}

func (c *coder) texts(v *[]string) {
	list(c, v, 4)
	for i := range *v {
		c.text(&(*v)[i])
	}
}

func (c *coder) acl(v *[]ACL) {
	list(c, v, 12)
	for i := range *v {
		number(c, &(*v)[i].Perms)
		c.text(&(*v)[i].Scheme)
		c.text(&(*v)[i].ID)
	}
}

func (c *coder) stat(s *Stat) {
	c.int64(&s.Czxid)
	c.int64(&s.Mzxid)
	c.int64(&s.Ctime)
	c.int64(&s.Mtime)
	number(c, &s.Version)
	number(c, &s.Cversion)
	number(c, &s.Aversion)
	c.int64(&s.EphemeralOwner)
	number(c, &s.DataLength)
	number(c, &s.NumChildren)
	c.int64(&s.Pzxid)
}
