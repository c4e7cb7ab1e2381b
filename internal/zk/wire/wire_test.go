package wire

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func step(op Op, path string) Request { return Request{Header: Header{Op: op}, Path: path} }

var (
	someACL  = []ACL{{Perms: 31, Scheme: "world", ID: "anyone"}, {Perms: 1, Scheme: "digest", ID: "ada:x"}}
	someStat = Stat{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
)

// requests has one request per operation, and some special cases.
var requests = []Request{
	{Header: Header{1, OpCreate}, Path: "/a", Data: []byte("x"), ACL: someACL, Flags: 1},
	{Header: Header{2, OpCreate2}, Path: "/null", ACL: someACL, Flags: 2},
	{Header: Header{3, OpCreateContainer}, Path: "/empty", Data: []byte{}, Flags: 4},
	{Header: Header{4, OpCreateTTL}, Path: "/节点", Data: []byte("x"), ACL: someACL, Flags: 5, TTL: 1 << 40},
	{Header: Header{5, OpDelete}, Path: "/a", Version: -1},
	{Header: Header{6, OpCheck}, Path: "/a", Version: 7},
	{Header: Header{7, OpSetData}, Path: "/a", Data: []byte("y"), Version: 1 << 30},
	{Header: Header{8, OpExists}, Path: "/a", Watch: true},
	{Header: Header{9, OpGetData}, Path: ""},
	{Header: Header{10, OpGetChildren}, Path: "/a"},
	{Header: Header{11, OpGetChildren2}, Path: "/a", Watch: true},
	{Header: Header{12, OpGetACL}, Path: "/a"},
	{Header: Header{13, OpSetACL}, Path: "/a", ACL: someACL, Version: 1},
	{Header: Header{14, OpSync}, Path: "/"},
	{Header: Header{15, OpGetEphemerals}, Path: "/a"},
	{Header: Header{16, OpGetAllChildrenNumber}, Path: "/a"},
	{Header: Header{XidPing, OpPing}},
	{Header: Header{17, OpClose}},
	{Header: Header{-4, OpAuth}, Scheme: "digest", Data: []byte("ada:lovelace")},
	{Header: Header{-8, OpSetWatches}, Since: 1 << 33, Watches: [WatchKinds][]string{{"/a"}, nil, {"/b", "/c"}}},
	{Header: Header{18, OpMulti}, Steps: []Request{step(OpDelete, "/a"), step(OpSetData, "/b"), step(OpCheck, "/c"), step(OpCreate, "/d")}},
	{Header: Header{19, OpMulti}},
	{Header: Header{20, OpMultiRead}, Steps: []Request{step(OpGetData, "/a"), step(OpGetChildren, "/b")}},
}

// results has one result per operation with fields.
var results = []Result{
	{Op: OpCreate, Path: "/a"},
	{Op: OpCreate2, Path: "/a", Stat: someStat},
	{Op: OpExists, Stat: someStat},
	{Op: OpSetACL, Stat: someStat},
	{Op: OpGetData, Data: []byte("x"), Stat: someStat},
	{Op: OpGetData, Stat: someStat},
	{Op: OpGetChildren, Children: []string{"a", "节点"}},
	{Op: OpGetChildren2, Stat: someStat},
	{Op: OpGetACL, ACL: someACL, Stat: someStat},
	{Op: OpSync, Path: "/"},
	{Op: OpGetEphemerals, Children: []string{"/a"}},
	{Op: OpGetAllChildrenNumber, Count: 7},
	{Op: OpDelete},
	{Op: OpMulti, Results: []Result{{Op: OpCreate, Path: "/a"}, {Op: OpDelete}, {Op: OpSetData, Stat: someStat}}},
	{Op: OpMulti, Results: []Result{{Op: OpError, Code: CodeNoNode}, {Op: OpError}}},
	{Op: OpMultiRead, Results: []Result{{Op: OpGetData, Data: []byte("x")}, {Op: OpError, Code: CodeNoNode}}},
}

// asking returns a request that may have the result.
func asking(r Result) *Request {
	return &Request{Header: Header{Op: r.Op}, Steps: make([]Request, len(r.Results))}
}

// shortened returns a frame without its last bytes.
func shortened(frame []byte, bytes int) []byte {
	c := start()
	c.buf = append(c.buf, frame[lengthBytes:len(frame)-bytes]...)
	return c.frame()
}

func TestRequests(t *testing.T) {
	t.Parallel()
	for _, want := range requests {
		frame := want.Frame()
		got, err := ParseRequest(frame)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%v: %v\n%s", want.Op, err, diff)
		}
		if got.Data == nil != (want.Data == nil) {
			t.Errorf("%v: null and empty data are the same", want.Op)
		}
		for n := range len(frame) - lengthBytes {
			if _, err := ParseRequest(shortened(frame, n+1)); !errors.Is(err, ErrMalformed) {
				t.Errorf("%v without its last %d bytes: %v", want.Op, n+1, err)
			}
			if _, err := ParseRequest(frame[:n]); !errors.Is(err, ErrMalformed) {
				t.Errorf("%v cut to %d bytes: %v", want.Op, n, err)
			}
		}
		if _, err := ParseRequest(shortened(append(frame, 1, 2, 3), 0)); err != nil {
			t.Errorf("%v with bytes behind it: %v", want.Op, err)
		}
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	for _, want := range results {
		header := ReplyHeader{Xid: 7, Zxid: 1 << 33}
		gotHeader, body, err := ParseReply(header.Frame(&want))
		if gotHeader != header || err != nil {
			t.Fatal(gotHeader, err)
		}
		got, err := ParseResult(asking(want), body)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%v: %v\n%s", want.Op, err, diff)
		}
		for n := range body {
			if _, err := ParseResult(asking(want), body[:n]); !errors.Is(err, ErrMalformed) {
				t.Errorf("the first %d bytes of %v: %v", n, want.Op, err)
			}
		}
	}
	refused := ReplyHeader{Xid: 7, Code: CodeNoNode}
	if _, body, err := ParseReply(refused.Frame(&results[0])); len(body) > 0 || err != nil {
		t.Errorf("a refused request has a body: %x %v", body, err)
	}
}

func TestHandshakes(t *testing.T) {
	t.Parallel()
	for _, readOnly := range [][]byte{{}, {0}, {1}} {
		request := ConnectRequest{Version: 0, Seen: 1 << 33, Timeout: 30000, Session: 42, Password: []byte("secret"), ReadOnly: readOnly}
		if got, err := ParseConnectRequest(request.Frame()); !cmp.Equal(got, request) || err != nil {
			t.Errorf("%+v, %v, want %+v", got, err, request)
		}
		reply := ConnectReply{Timeout: 4000, Session: 42, Password: []byte("secret"), ReadOnly: readOnly}
		if got, err := ParseConnectReply(reply.Frame()); !cmp.Equal(got, reply) || err != nil {
			t.Errorf("%+v, %v, want %+v", got, err, reply)
		}
	}
	frame := (&ConnectReply{}).Frame()
	for n := range len(frame) - lengthBytes {
		if _, err := ParseConnectReply(shortened(frame, n+1)); !errors.Is(err, ErrMalformed) {
			t.Errorf("a reply without its last %d bytes: %v", n+1, err)
		}
	}
}

// TestBytes pins frames as ZooKeeper's own clients and servers write them.
func TestBytes(t *testing.T) {
	t.Parallel()
	watches := Request{Header: Header{-8, OpSetWatches}, Since: 5, Watches: [WatchKinds][]string{{"/d"}, {"/e"}, nil}}
	multiRead := Request{Header: Header{7, OpMultiRead}, Steps: []Request{step(OpGetData, "/a")}}
	reply := ReplyHeader{Xid: 7, Zxid: 9}
	for name, c := range map[string]struct {
		got  []byte
		want string
	}{
		"getData":    {(&Request{Header: Header{7, OpGetData}, Path: "/a", Watch: true}).Frame(), "0000000f 00000007 00000004 00000002 2f61 01"},
		"setWatches": {watches.Frame(), "00000028 fffffff8 00000065 0000000000000005 00000001 00000002 2f64 00000001 00000002 2f65 00000000"},
		"multiRead":  {multiRead.Frame(), "00000021 00000007 00000016 00000004 00 ffffffff 00000002 2f61 00 ffffffff 01 ffffffff"},
		"children":   {reply.Frame(&Result{Op: OpGetChildren, Children: []string{"a"}}), "00000019 00000007 0000000000000009 00000000 00000001 00000001 61"},
		"event":      {(&Event{Type: NodeDeleted, Path: "/a"}).Frame(), "0000001e ffffffff ffffffffffffffff 00000000 00000002 00000003 00000002 2f61"},
	} {
		if got := hex.EncodeToString(c.got); got != strings.ReplaceAll(c.want, " ", "") {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestForgedLengths: an impossible length is an error and allocates no memory of that size.
func TestForgedLengths(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, length := range []int32{-2, -1 << 31, 1<<31 - 1, 1 << 30, 1000} {
		forged := func(prefix func(c *coder)) []byte {
			c := start()
			prefix(&c)
			number(&c, &length)
			c.buf = append(c.buf, make([]byte, 100)...)
			return c.frame()
		}
		for _, op := range []Op{OpGetData, OpSetData, OpSetACL, OpSetWatches, OpAuth} {
			h, path, since := Header{1, op}, "/a", int64(0)
			frame := forged(func(c *coder) {
				switch h.fields(c); op {
				case OpSetData, OpSetACL:
					c.text(&path)
				case OpSetWatches:
					c.int64(&since)
				case OpAuth:
					number(c, new(int32))
				}
			})
			if _, err := ParseRequest(frame); !errors.Is(err, ErrMalformed) {
				t.Errorf("%v with a length of %d: %v", op, length, err)
			}
		}
		for _, op := range []Op{OpGetData, OpGetChildren, OpGetACL, OpCreate} {
			frame := forged(func(*coder) {})
			if _, err := ParseResult(&Request{Header: Header{Op: op}}, frame[lengthBytes:]); !errors.Is(err, ErrMalformed) {
				t.Errorf("the result of %v with a length of %d: %v", op, length, err)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// TestSteps: lists accept only allowed steps, and no more results than steps.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, r := range []Request{
		{Header: Header{1, OpMulti}, Steps: []Request{step(OpGetData, "/a")}},
		{Header: Header{1, OpMultiRead}, Steps: []Request{step(OpDelete, "/a")}},
		{Header: Header{1, OpMulti}, Steps: []Request{step(OpMulti, "")}},
	} {
		if _, err := ParseRequest(r.Frame()); !errors.Is(err, ErrMalformed) {
			t.Errorf("%v with %v: %v", r.Op, r.Steps[0].Op, err)
		}
	}
	answer := Result{Op: OpMultiRead, Results: []Result{{Op: OpGetData}, {Op: OpGetData}}}
	_, body, _ := ParseReply((&ReplyHeader{}).Frame(&answer))
	request := asking(answer)
	request.Steps = request.Steps[:1]
	if _, err := ParseResult(request, body); !errors.Is(err, ErrMalformed) {
		t.Errorf("two results for a step: %v", err)
	}
}

func TestReader(t *testing.T) {
	t.Parallel()
	var stream []byte
	for _, r := range requests {
		stream = append(stream, r.Frame()...)
	}
	r := NewReader(bufio.NewReader(iotest.OneByteReader(bytes.NewReader(stream))), 1<<10)
	for rest := stream; len(rest) > 0; {
		want, behind := Cut(rest)
		if got, err := r.Next(); !bytes.Equal(got, want) || want == nil || err != nil {
			t.Fatalf("%x, %v, want %x", got, err, want)
		}
		rest = behind
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %v", err)
	}
	for n := range stream[:len(requests[0].Frame())] {
		if frame, rest := Cut(stream[:n]); frame != nil || len(rest) != n {
			t.Errorf("%d bytes are the frame %x", n, frame)
		}
	}
	long := append(shortened(make([]byte, lengthBytes+100), 0), stream...)
	if _, err := NewReader(bufio.NewReader(bytes.NewReader(long)), 99).Next(); !errors.Is(err, ErrMalformed) {
		t.Errorf("a frame above the limit: %v", err)
	}
}

// TestReplyHeader: the header can be read from a stream and written again before a body of any
// length.
func TestReplyHeader(t *testing.T) {
	t.Parallel()
	want := ReplyHeader{Xid: 7, Zxid: 1 << 33, Code: CodeNoAuth}
	stream := bufio.NewReader(iotest.OneByteReader(bytes.NewReader(want.AppendStart(nil, 5))))
	if got, length, err := ReadReplyHeader(stream); got != want || length != 5 || err != nil {
		t.Errorf("%+v, %d bytes, %v", got, length, err)
	}
	for _, length := range []int{-1, -replyHeaderBytes, -1 << 31} {
		stream := bufio.NewReader(bytes.NewReader(want.AppendStart(nil, length)))
		if _, _, err := ReadReplyHeader(stream); !errors.Is(err, ErrMalformed) {
			t.Errorf("with %d bytes behind it: %v", length, err)
		}
	}
}

// FuzzRequest: a parsed request is the same after writing and parsing it again.
func FuzzRequest(f *testing.F) {
	for _, r := range requests {
		f.Add(r.Frame())
	}
	f.Add((&ConnectRequest{Session: 42}).Frame())
	f.Fuzz(func(t *testing.T, frame []byte) {
		if connect, err := ParseConnectRequest(frame); err == nil && !bytes.Equal(connect.Frame(), frame) {
			t.Errorf("%x, %+v", frame, connect)
		}
		r, err := ParseRequest(frame)
		if err != nil {
			return
		}
		again, err := ParseRequest(r.Frame())
		if diff := cmp.Diff(r, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}

// FuzzResult is [FuzzRequest] for replies.
func FuzzResult(f *testing.F) {
	for _, r := range results {
		_, body, err := ParseReply((&ReplyHeader{}).Frame(&r))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(int32(r.Op), body)
	}
	f.Fuzz(func(t *testing.T, op int32, body []byte) {
		request := &Request{Header: Header{Op: Op(op)}, Steps: make([]Request, 3)}
		r, err := ParseResult(request, body)
		if err != nil {
			return
		}
		_, written, err := ParseReply((&ReplyHeader{}).Frame(&r))
		if err != nil || len(written) > len(body) {
			t.Fatalf("%x, %v", written, err)
		}
		again, err := ParseResult(request, written)
		if diff := cmp.Diff(r, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}
