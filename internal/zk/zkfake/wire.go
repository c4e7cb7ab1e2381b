package zkfake

import (
	"encoding/binary"
	"errors"
)

// Operation codes of the wire protocol that this server understands.
const (
	opCreate               = 1
	opDelete               = 2
	opExists               = 3
	opGetData              = 4
	opSetData              = 5
	opGetACL               = 6
	opSetACL               = 7
	opGetChildren          = 8
	opSync                 = 9
	opPing                 = 11
	opGetChildren2         = 12
	opCheck                = 13
	opMulti                = 14
	opCreate2              = 15
	opReconfig             = 16
	opCreateContainer      = 19
	opCreateTTL            = 21
	opMultiRead            = 22
	opAuth                 = 100
	opSetWatches           = 101
	opGetEphemerals        = 103
	opGetAllChildrenNumber = 104
	opClose                = -11
	opError                = -1

	// opConnect is not a code of the protocol: the handshake has no header.
	// It gives the handshake a name in counters and fault hooks.
	opConnect = -100
)

// opNames gives every operation the name under which counters and fault
// hooks know it.
var opNames = map[int32]string{
	opCreate:               "create",
	opDelete:               "delete",
	opExists:               "exists",
	opGetData:              "getData",
	opSetData:              "setData",
	opGetACL:               "getACL",
	opSetACL:               "setACL",
	opGetChildren:          "getChildren",
	opSync:                 "sync",
	opPing:                 "ping",
	opGetChildren2:         "getChildren2",
	opCheck:                "check",
	opMulti:                "multi",
	opCreate2:              "create2",
	opReconfig:             "reconfig",
	opCreateContainer:      "createContainer",
	opCreateTTL:            "createTTL",
	opMultiRead:            "multiRead",
	opAuth:                 "auth",
	opSetWatches:           "setWatches",
	opGetEphemerals:        "getEphemerals",
	opGetAllChildrenNumber: "getAllChildrenNumber",
	opClose:                "close",
	opConnect:              "connect",
}

// Reserved request numbers.
const (
	xidNotification = -1
	xidPing         = -2
)

// code is a result code of the protocol.
type code int32

const (
	codeOK                   code = 0
	codeRuntimeInconsistency code = -2
	codeMarshallingError     code = -5
	codeUnimplemented        code = -6
	codeBadArguments         code = -8
	codeNoNode               code = -101
	codeNoAuth               code = -102
	codeBadVersion           code = -103
	codeNoChildrenForEph     code = -108
	codeNodeExists           code = -110
	codeNotEmpty             code = -111
	codeInvalidACL           code = -114
	codeAuthFailed           code = -115
	codeReconfigDisabled     code = -123
)

// errMalformed reports a record that ends early or carries an impossible
// length.
var errMalformed = errors.New("malformed record")

// decoder reads the fields of a record in order. The first problem sticks:
// later reads return zero values, and err tells at the end whether the record
// was whole.
type decoder struct {
	buf []byte
	err error
}

func (d *decoder) take(n int) []byte {
	if d.err != nil || n < 0 || n > len(d.buf) {
		d.err = errMalformed
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) int32() int32 {
	if b := d.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) int64() int64 {
	if b := d.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) bool() bool {
	b := d.take(1)
	return b != nil && b[0] != 0
}

// bytes returns a view into the frame, nil for the protocol's null. The view
// is only valid until the next frame is read.
func (d *decoder) bytes() []byte {
	n := d.int32()
	if n == -1 || d.err != nil {
		return nil
	}
	b := d.take(int(n))
	if b == nil && d.err == nil {
		return []byte{}
	}
	return b
}

// string reads a text. The protocol's null becomes a malformed record: no
// operation this server offers has an optional text.
func (d *decoder) string() string {
	n := d.int32()
	if d.err == nil && n == 0 {
		return ""
	}
	return string(d.take(int(n)))
}

// count reads the length of a list of records that need at least min bytes
// each, so that a forged length cannot make the server allocate.
func (d *decoder) count(min int) int {
	n := d.int32()
	if n == -1 {
		return 0
	}
	if n < 0 || int(n) > len(d.buf)/min {
		d.err = errMalformed
		return 0
	}
	return int(n)
}

func (d *decoder) strings() []string {
	n := d.count(4)
	if d.err != nil || n == 0 {
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, d.string())
	}
	return list
}

func (d *decoder) acl() []ACL {
	n := d.count(12)
	if d.err != nil || n == 0 {
		return nil
	}
	list := make([]ACL, 0, n)
	for range n {
		list = append(list, ACL{Perms: d.int32(), Scheme: d.string(), ID: d.string()})
	}
	return list
}

// encoder appends the fields of a record.
type encoder struct {
	buf []byte
}

func (e *encoder) int32(v int32) { e.buf = binary.BigEndian.AppendUint32(e.buf, uint32(v)) }
func (e *encoder) int64(v int64) { e.buf = binary.BigEndian.AppendUint64(e.buf, uint64(v)) }

func (e *encoder) bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.buf = append(e.buf, b)
}

func (e *encoder) bytes(v []byte) {
	if v == nil {
		e.int32(-1)
		return
	}
	e.int32(int32(len(v)))
	e.buf = append(e.buf, v...)
}

func (e *encoder) string(v string) {
	e.int32(int32(len(v)))
	e.buf = append(e.buf, v...)
}

func (e *encoder) acl(list []ACL) {
	e.int32(int32(len(list)))
	for _, a := range list {
		e.int32(a.Perms)
		e.string(a.Scheme)
		e.string(a.ID)
	}
}

func (e *encoder) stat(s Stat) {
	e.int64(s.Czxid)
	e.int64(s.Mzxid)
	e.int64(s.Ctime)
	e.int64(s.Mtime)
	e.int32(s.Version)
	e.int32(s.Cversion)
	e.int32(s.Aversion)
	e.int64(s.EphemeralOwner)
	e.int32(s.DataLength)
	e.int32(s.NumChildren)
	e.int64(s.Pzxid)
}

// multiHeader precedes every result of a multi and, with done set, ends it.
func (e *encoder) multiHeader(op int32, done bool, err code) {
	e.int32(op)
	e.bool(done)
	e.int32(int32(err))
}

// frameHeader is the space at the front of a reply: its length, the request
// number, the zxid and the result code.
const frameHeader = 4 + 4 + 8 + 4

// newReply starts a reply; finish fills the header in.
func newReply(room int) *encoder {
	return &encoder{buf: make([]byte, frameHeader, frameHeader+room)}
}

func (e *encoder) finish(xid int32, zxid int64, err code) []byte {
	binary.BigEndian.PutUint32(e.buf[0:], uint32(len(e.buf)-4))
	binary.BigEndian.PutUint32(e.buf[4:], uint32(xid))
	binary.BigEndian.PutUint64(e.buf[8:], uint64(zxid))
	binary.BigEndian.PutUint32(e.buf[16:], uint32(err))
	return e.buf
}
