package zkfake_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

// probe is a ZooKeeper client with full control. It sends any request, even if normal
// clients refuse to, and reports replies and events in order of arrival. It has its own
// encoding, so it can't share a mistake with the server under test.
type probe struct {
	dial   func() (net.Conn, error)
	nc     net.Conn
	r      *bufio.Reader
	id     int64
	passwd []byte
	xid    int32
	zxid   int64 // of the latest reply
	asked  int32 // session timeout in ms
}

type packer struct{ b []byte }

func (p *packer) i32(v int32) *packer { p.b = binary.BigEndian.AppendUint32(p.b, uint32(v)); return p }
func (p *packer) i64(v int64) *packer { p.b = binary.BigEndian.AppendUint64(p.b, uint64(v)); return p }
func (p *packer) flag(v bool) *packer {
	p.b = append(p.b, map[bool]byte{true: 1}[v])
	return p
}
func (p *packer) raw(b []byte) *packer { p.b = append(p.b, b...); return p }
func (p *packer) buf(b []byte) *packer {
	if b == nil {
		return p.i32(-1)
	}
	return p.i32(int32(len(b))).raw(b)
}
func (p *packer) str(s string) *packer { return p.i32(int32(len(s))).raw([]byte(s)) }
func (p *packer) strs(list []string) *packer {
	p.i32(int32(len(list)))
	for _, s := range list {
		p.str(s)
	}
	return p
}

// unpacker panics with errShort if a reply ends early.
type unpacker struct{ b []byte }

var errShort = errors.New("reply too short")

func (u *unpacker) take(n int) []byte {
	if n < 0 || n > len(u.b) {
		panic(errShort)
	}
	b := u.b[:n]
	u.b = u.b[n:]
	return b
}
func (u *unpacker) i32() int32 { return int32(binary.BigEndian.Uint32(u.take(4))) }
func (u *unpacker) i64() int64 { return int64(binary.BigEndian.Uint64(u.take(8))) }
func (u *unpacker) flag() bool { return u.take(1)[0] != 0 }
func (u *unpacker) str() string {
	return string(u.take(int(u.i32())))
}
func (u *unpacker) data() string {
	n := u.i32()
	if n == -1 {
		return "null"
	}
	return fmt.Sprintf("%q", u.take(int(n)))
}

const probeTimeout = 20 * time.Second

// connect opens a session, or resumes the probe's.
func (p *probe) connect(seen int64) error {
	nc, err := p.dial()
	if err != nil {
		return err
	}
	p.nc, p.r = nc, bufio.NewReader(nc)
	passwd := p.passwd
	if passwd == nil {
		passwd = make([]byte, 16)
	}
	if p.asked == 0 {
		p.asked = 30000
	}
	if err := p.write(new(packer).i32(0).i64(seen).i32(p.asked).i64(p.id).buf(passwd).b); err != nil {
		return err
	}
	frame, err := p.frame()
	if err != nil {
		return err
	}
	u := &unpacker{frame}
	u.i32()
	p.asked = u.i32()
	p.id = u.i64()
	p.passwd = slices.Clone(u.take(int(u.i32())))
	if p.id == 0 {
		p.nc.Close()
		return errExpired
	}
	return nil
}

var errExpired = errors.New("session expired")

func (p *probe) write(body []byte) error {
	p.nc.SetWriteDeadline(time.Now().Add(probeTimeout))
	_, err := p.nc.Write(new(packer).i32(int32(len(body))).raw(body).b)
	return err
}

func (p *probe) frame() ([]byte, error) {
	p.nc.SetReadDeadline(time.Now().Add(probeTimeout))
	var size [4]byte
	if _, err := io.ReadFull(p.r, size[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, binary.BigEndian.Uint32(size[:]))
	_, err := io.ReadFull(p.r, frame)
	return frame, err
}

// answer is the reply to a request and the events before it.
type answer struct {
	events []string
	zxid   int64
	code   int32
	body   []byte
	eof    bool
}

// pending is a request with an unread reply.
type pending struct {
	xid  int32
	body []byte // request bytes, including the header
}

func (p *probe) request(op int32, body []byte) pending {
	p.xid++
	xid := p.xid
	if op == 11 {
		xid = -2
	}
	size := int32(8 + len(body))
	return pending{xid, new(packer).i32(size).i32(xid).i32(op).raw(body).b}
}

// send writes requests together. It ignores errors, because await notices the closed connection.
func (p *probe) send(requests ...pending) {
	var all []byte
	for _, r := range requests {
		all = append(all, r.body...)
	}
	p.nc.SetWriteDeadline(time.Now().Add(probeTimeout))
	p.nc.Write(all)
}

func (p *probe) call(op int32, body []byte) (answer, error) {
	r := p.request(op, body)
	p.send(r)
	return p.await(r)
}

// await reads the reply to a request and the events before it.
func (p *probe) await(r pending) (answer, error) {
	var a answer
	for {
		frame, err := p.frame()
		if err != nil {
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				return a, fmt.Errorf("no reply to request %d: %w", r.xid, err)
			}
			a.eof = true
			return a, nil
		}
		u := &unpacker{frame}
		got := u.i32()
		zxid, code := u.i64(), u.i32()
		if got == -1 {
			kind, state := u.i32(), u.i32()
			if state != 3 || zxid != -1 || code != 0 {
				return a, fmt.Errorf("odd event header: state %d zxid %d code %d", state, zxid, code)
			}
			a.events = append(a.events, fmt.Sprintf("event %s %s", eventNames[kind], u.str()))
			continue
		}
		if got != r.xid {
			return a, fmt.Errorf("reply to %d while waiting for %d", got, r.xid)
		}
		if zxid > 0 {
			if zxid < p.zxid {
				return a, fmt.Errorf("zxid went back from %d to %d", p.zxid, zxid)
			}
			p.zxid = zxid
		}
		a.zxid, a.code, a.body = zxid, code, u.b
		return a, nil
	}
}

var eventNames = map[int32]string{1: "created", 2: "deleted", 3: "changed", 4: "children"}

func (p *probe) close() {
	if p.nc != nil {
		p.nc.Close()
	}
}

func (p *probe) closeSession() {
	if p.nc != nil {
		p.call(-11, nil)
		p.nc.Close()
	}
}

func dialTCP(addr string) func() (net.Conn, error) {
	return func() (net.Conn, error) { return net.DialTimeout("tcp", addr, probeTimeout) }
}

var codeNames = map[int32]string{
	0: "ok", -2: "RuntimeInconsistency", -5: "MarshallingError", -6: "Unimplemented", -8: "BadArguments",
	-101: "NoNode", -102: "NoAuth", -103: "BadVersion", -108: "NoChildrenForEphemerals", -110: "NodeExists",
	-111: "NotEmpty", -112: "SessionExpired", -114: "InvalidACL", -115: "AuthFailed", -123: "ReconfigDisabled",
}

func codeName(c int32) string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprintf("code(%d)", c)
}

// sortedList sorts names, because the server's order is arbitrary.
func sortedList(names []string) string {
	slices.Sort(names)
	return "[" + strings.Join(names, " ") + "]"
}
