package zk

import (
	"bytes"
	"errors"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

func handshakeRequest(session int64) []byte {
	return (&wire.ConnectRequest{Seen: 7, Timeout: 30000, Session: session, Password: make([]byte, 16)}).Frame()
}

func handshakeReply(timeout int32) []byte {
	return (&wire.ConnectReply{Timeout: timeout, Session: 42, Password: make([]byte, 16), ReadOnly: []byte{1}}).Frame()
}

func request(xid int32, op wire.Op, size int) []byte {
	text := strings.Repeat("x", size)
	r := wire.Request{Header: wire.Header{Xid: xid, Op: op}, Path: text, Scheme: text}
	if op == wire.OpSetWatches {
		r.Watches[wire.WatchData] = []string{text}
	}
	return r.Frame()
}

func reply(xid int32, size int) []byte { return replyAt(xid, 0, size) }

func replyAt(xid int32, transaction int64, size int) []byte {
	h := wire.ReplyHeader{Xid: xid, Zxid: transaction}
	return append(h.AppendStart(nil, size), make([]byte, size)...)
}

// script is a connection that returns the given pieces and records writes.
type script struct {
	net.Conn
	pieces [][]byte

	mu      sync.Mutex
	written [][]byte
	fail    error
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.pieces[0])
	if s.pieces[0] = s.pieces[0][n:]; len(s.pieces[0]) == 0 {
		s.pieces = s.pieces[1:]
	}
	return n, nil
}

func (s *script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = append(s.written, bytes.Clone(p))
	return len(p), s.fail
}

func (s *script) Close() error { return nil }

// observed records the callbacks of a contactConn.
type observed struct {
	contacts []time.Time
	granted  []int32
	greeted  int
	refused  error
}

func newObserved(conn net.Conn, watches bool) (*contactConn, *observed) {
	o := &observed{}
	c := newContactConn(conn, &atomic.Int64{})
	c.watches = watches
	c.onContact = func(at time.Time) { o.contacts = append(o.contacts, at) }
	c.onGranted = func(timeout int32) { o.granted = append(o.granted, timeout) }
	c.onGreeted = func() { o.greeted++ }
	c.onRefused = func(err error) { o.refused = err }
	return c, o
}

// However the network and the reader split the bytes, each reply is matched with its request, no
// event is matched, and the library sees everything but the transaction numbers.
func TestRepliesAreMatchedOverSplitReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := handshakeReply(1234)
		want := bytes.Clone(stream)
		replies, seen := 1, int64(0)
		for range rapid.IntRange(0, 12).Draw(t, "frames") {
			size := rapid.SampledFrom([]int{0, 0, 1, 7, 40, 300}).Draw(t, "size")
			switch rapid.SampledFrom([]string{"event", "ping", "reply"}).Draw(t, "kind") {
			case "event":
				stream, want = append(stream, replyAt(-1, -1, size)...), append(want, reply(-1, size)...)
			case "ping":
				stream, want = append(stream, replyAt(-2, 1<<40, 0)...), append(want, reply(-2, 0)...)
				replies++
			case "reply":
				at := rapid.Int64Range(0, 1<<40).Draw(t, "transaction")
				if at > 0 {
					seen = at
				}
				stream, want = append(stream, replyAt(int32(replies), at, size)...), append(want, reply(int32(replies), size)...)
				replies++
			}
		}
		s := &script{}
		for len(stream) > 0 {
			n := min(len(stream), rapid.IntRange(1, 60).Draw(t, "piece"))
			s.pieces = append(s.pieces, stream[:n])
			stream = stream[n:]
		}
		c, o := newObserved(s, false)
		sent := make([]time.Time, 0, replies)
		for i := range replies {
			p := request(int32(i), 3, 5)
			if i == 0 {
				p = handshakeRequest(0)
			}
			if _, err := c.Write(p); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, c.sent[i])
		}
		got := readInPieces(t, c)
		if !bytes.Equal(got, want) {
			t.Fatal("other bytes than the transactions were changed")
		}
		if got := c.seen.Load(); got != seen {
			t.Fatalf("the newest transaction is %d, want %d", got, seen)
		}
		if !slices.Equal(o.granted, []int32{1234}) || o.greeted != 1 || o.refused != nil {
			t.Fatalf("handshake: %+v", o)
		}
		if !slices.Equal(o.contacts, sent) {
			t.Fatalf("%d contacts, want the ones of %d requests in order", len(o.contacts), len(sent))
		}
	})
}

// readInPieces reads to the end, in pieces of random size.
func readInPieces(t *rapid.T, c *contactConn) []byte {
	var got []byte
	for {
		buf := make([]byte, rapid.IntRange(1, 100).Draw(t, "buffer"))
		n, err := c.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			break
		}
	}
	return got
}

func FuzzScan(f *testing.F) {
	f.Add(append(handshakeReply(4000), reply(1, 10)...), byte(3))
	f.Add([]byte("HTTP/1.1 400 Bad Request"), byte(1))
	f.Add([]byte{0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0}, byte(4))
	f.Fuzz(func(t *testing.T, stream []byte, piece byte) {
		c, o := newObserved(&script{pieces: [][]byte{bytes.Clone(stream)}}, false)
		if _, err := c.Write(handshakeRequest(0)); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, int(piece)+1)
		for {
			if _, err := c.Read(buf); err != nil {
				break
			}
		}
		if o.greeted > 1 || len(o.granted) > 1 || len(o.contacts) > 1 || o.greeted > len(o.granted) {
			t.Fatalf("%+v", o)
		}
	})
}

func TestHandshakeOfAnotherProtocol(t *testing.T) {
	for _, stream := range [][]byte{[]byte("HTTP/1.1 200 OK\r\n"), {0, 0, 0, 3, 1, 2, 3}, {0xff, 0xff, 0xff, 0xff}, {0, 0, 8, 0}} {
		c, o := newObserved(&script{pieces: [][]byte{stream}}, false)
		n, err := c.Read(make([]byte, 4))
		if n != 0 || !errors.Is(err, errNotZooKeeper) || !errors.Is(o.refused, errNotZooKeeper) {
			t.Errorf("%q: %d bytes, %v; reported %v", stream, n, err, o.refused)
		}
	}
}

// ops lists the operations written, without the handshake.
func (s *script) ops() []wire.Op {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []wire.Op
	for _, p := range s.written[1:] {
		header, err := wire.ParseHeader(p)
		if err != nil {
			panic(err)
		}
		list = append(list, header.Op)
	}
	return list
}

func TestRequestsWaitForTheWatches(t *testing.T) {
	const get, set, rewatch = wire.OpGetData, wire.OpSetData, wire.OpSetWatches
	const big = fullRewatch + 100
	type write struct {
		op   wire.Op // 0 for a pause
		size int
	}
	for _, tc := range []struct {
		name    string
		session int64
		watches bool
		write   []write
		want    []wire.Op // on the wire at the end
		later   []wire.Op // and some time later
	}{
		{"new session", 0, true, []write{{get, 1}, {set, 1}}, []wire.Op{get, set}, []wire.Op{get, set}},
		{"never watched", 42, false, []write{{get, 1}, {set, 1}}, []wire.Op{get, set}, []wire.Op{get, set}},
		{"watches first", 42, true, []write{{rewatch, 50}, {get, 1}}, nil, []wire.Op{rewatch, get}},
		{"requests first", 42, true, []write{{get, 1}, {set, 1}, {rewatch, 50}, {get, 1}}, nil, []wire.Op{rewatch, get, set, get}},
		{"watches of the connection before", 42, true, []write{{rewatch, 50}, {get, 1}, {rewatch, 50}}, nil, []wire.Op{rewatch, rewatch, get}},
		{"pings and credentials pass", 42, true, []write{{wire.OpAuth, 9}, {get, 1}, {wire.OpPing, 0}}, []wire.Op{wire.OpAuth, wire.OpPing}, []wire.Op{wire.OpAuth, wire.OpPing, get}},
		{"no watches left", 42, true, []write{{get, 1}, {set, 1}}, nil, []wire.Op{get, set}},
		{"many watches", 42, true, []write{{get, 1}, {rewatch, big}, {set, 1}, {0, 0}, {rewatch, big}, {0, 0}, {rewatch, 9}}, []wire.Op{rewatch, rewatch}, []wire.Op{rewatch, rewatch, rewatch, get, set}},
		{"many watches, the last frame full", 42, true, []write{{get, 1}, {rewatch, big}, {set, 1}, {0, 0}}, []wire.Op{rewatch}, []wire.Op{rewatch, get, set}},
		{"end", 42, true, []write{{get, 1}, {rewatch, 9}, {wire.OpClose, 0}}, []wire.Op{wire.OpClose}, []wire.Op{wire.OpClose}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{}
			c, _ := newObserved(s, tc.watches)
			mustWrite := func(p []byte) {
				t.Helper()
				if n, err := c.Write(p); n != len(p) || err != nil {
					t.Fatalf("%s: %d, %v", tc.name, n, err)
				}
			}
			mustWrite(handshakeRequest(tc.session))
			for i, w := range tc.write {
				if w.op == 0 {
					time.Sleep(time.Second / 2) // the reply to the frame before, and the library's next frame
					continue
				}
				mustWrite(request(int32(i), w.op, w.size))
			}
			if got := s.ops(); !slices.Equal(got, tc.want) {
				t.Errorf("%s: wrote %v, want %v", tc.name, got, tc.want)
			}
			time.Sleep(rewatchInterval + time.Second)
			synctest.Wait()
			if got := s.ops(); !slices.Equal(got, tc.later) {
				t.Errorf("%s: wrote %v in the end, want %v", tc.name, got, tc.later)
			}
			if len(c.sent) != len(s.written) {
				t.Errorf("%s: %d send times for %d frames", tc.name, len(c.sent), len(s.written))
			}
			_ = c.Close()
			if _, err := c.Write(request(99, get, 1)); err == nil && len(tc.write) == 0 {
				t.Errorf("%s: wrote after the end", tc.name)
			}
		})
	}
}

func TestHeldRequestsThatCannotBeSentEndTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		c, _ := newObserved(s, true)
		_, _ = c.Write(handshakeRequest(42))
		if _, err := c.Write(request(1, 4, 1)); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		s.fail = errors.New("broken pipe")
		s.mu.Unlock()
		time.Sleep(time.Second)
		select {
		case <-c.closed:
		default:
			t.Error("the library would wait for the answer")
		}
	})
}

// A write to a closed connection must not fail. Otherwise the library would answer the request
// twice, and block forever on the second answer if its caller has given up. Close would block too.
func TestRequestOfAClosedConnectionDoesNotFail(t *testing.T) {
	s := &script{}
	c, _ := newObserved(s, true)
	_, _ = c.Write(handshakeRequest(42))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Write(request(7, wire.OpClose, 0)); n != len(request(7, wire.OpClose, 0)) || err != nil {
		t.Errorf("%d, %v; want the whole frame taken", n, err)
	}
}

// A resumed session's handshake and setWatches request carry the newest transaction of the earlier
// connections, even if a newer one was seen since. A new session's carry zero.
func TestTransactionsAreSentToTheServer(t *testing.T) {
	var seen atomic.Int64
	transactions := func(session int64) (handshake, watches int64) {
		t.Helper()
		s := &script{}
		c, _ := newObserved(s, false)
		c.seen = &seen
		given := [][]byte{handshakeRequest(session), request(1, wire.OpAuth, 9), request(2, wire.OpSetWatches, 40)}
		kept := []string{string(given[0]), string(given[1]), string(given[2])}
		s.pieces = [][]byte{handshakeReply(4000), replyAt(1, 99, 0), reply(2, 0)}
		for i, p := range given {
			if _, err := c.Write(p); err != nil {
				t.Fatal(err)
			}
			if string(p) != kept[i] {
				t.Error("a frame of the library was changed")
			}
			if i == 1 {
				if _, err := io.CopyN(io.Discard, c, int64(len(handshakeReply(0))+len(reply(1, 0)))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := io.ReadAll(c); err != nil || c.seen.Load() != 99 {
			t.Errorf("%v; seen %d, want 99", err, c.seen.Load())
		}
		connect, err := wire.ParseConnectRequest(s.written[0])
		if err != nil {
			t.Fatal(err)
		}
		rewatch, err := wire.ParseRequest(s.written[2])
		if err != nil {
			t.Fatal(err)
		}
		return connect.Seen, rewatch.Since
	}
	seen.Store(70)
	if handshake, watches := transactions(42); handshake != 70 || watches != 70 {
		t.Errorf("a resumed session: %d in the handshake, %d with the watches, want 70", handshake, watches)
	}
	if _, watches := transactions(0); watches != 0 {
		t.Errorf("a new session: %d with the watches", watches)
	}
}

// If the library got the answer to a setWatches request before its main loop had looked for watches
// to set again, its receive loop would write the number while the main loop reads it.
func TestLibraryKeepsNoTransaction(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/node", "", 0)
		for range 2 {
			if _, _, err := c.GetWatch(t.Context(), "/node"); err != nil {
				t.Fatal(err)
			}
			if kept := reflect.ValueOf(c.conn).Elem().FieldByName("lastZxid").Int(); kept != 0 || c.seen.Load() == 0 {
				t.Errorf("the library has seen transaction %d, the client %d", kept, c.seen.Load())
			}
			srv.DropConnections()
			synctest.Wait()
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// If a session ends right after a reconnection, the request should be sent at once.
func TestEndWhileRequestsWait(t *testing.T) {
	s := &script{pieces: [][]byte{handshakeReply(4000), reply(-2, 0), reply(-1, 9), reply(7, 0)}}
	c, o := newObserved(s, true)
	for _, p := range [][]byte{handshakeRequest(42), request(-2, wire.OpPing, 0), request(6, 4, 9), request(7, wire.OpClose, 0)} {
		if _, err := c.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	got, err := io.ReadAll(c)
	if want := slices.Concat(handshakeReply(4000), reply(-2, 0), reply(-1, 9), reply(7, 0)); !bytes.Equal(got, want) || err != nil {
		t.Errorf("read %d bytes, want %d: %v", len(got), len(want), err)
	}
	if got := s.ops(); !slices.Equal(got, []wire.Op{wire.OpPing, wire.OpClose}) || len(o.contacts) != 3 {
		t.Errorf("wrote %v, %d contacts", got, len(o.contacts))
	}
}

func TestCloseRightAfterAReconnectionEndsTheSession(t *testing.T) {
	for range 20 {
		inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
			c := mustConnect(t, testConfig(t, w))
			mustCreate(t, c, "/mine", "", Ephemeral)
			if _, _, err := c.GetWatch(t.Context(), "/mine"); err != nil {
				t.Fatal(err)
			}
			srv.DropConnection(c.Session().ID)
			synctest.Wait()
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			if n := srv.Stats().Sessions; n != 0 || time.Since(begin) > time.Second {
				t.Errorf("%d sessions %v after the end", n, time.Since(begin))
			}
		})
	}
}

// TestWatchesAreSetOnce: the wait for watches ends just when the library sets its own. Our own
// watches must be sent once, because the second time the server would send the same events again.
func TestWatchesAreSetOnce(t *testing.T) {
	s := &script{}
	c, _ := newObserved(s, true)
	c.again = func(int64) [][]byte { return [][]byte{request(rewatchXid, wire.OpSetWatches, 30)} }
	for _, p := range [][]byte{handshakeRequest(5), request(1, 3, 5)} {
		if _, err := c.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	c.release()
	c.release() // by the timer that was reset
	sets := 0
	for _, p := range s.written {
		if header, err := wire.ParseHeader(p); err == nil && header.Xid == rewatchXid {
			sets++
		}
	}
	if sets != 1 || len(s.written) != 3 {
		t.Errorf("%d requests, %d of them for the watches; want 3 and 1", len(s.written), sets)
	}
}
