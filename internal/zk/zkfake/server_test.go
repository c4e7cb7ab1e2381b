package zkfake_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func listening(t *testing.T, opts zkfake.Options) (*zkfake.Server, string) {
	t.Helper()
	srv := zkfake.New(opts)
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return srv, addr.String()
}

func TestFourLetterWords(t *testing.T) {
	t.Parallel()
	_, addr := listening(t, zkfake.Options{})
	p := &probe{dial: dialTCP(addr)}
	if err := p.connect(0); err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for word, want := range map[string]string{
		"ruok": "imok",
		"srvr": "Mode: standalone\nNode count: 4\n",
		"mntr": "zk_global_sessions\t1\n",
		"conf": "maxClientCnxns=0\n",
	} {
		if got, err := zktest.FourLetterWord(addr, word); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v, want %q", word, got, err, want)
		}
	}
	if got, err := zktest.FourLetterWord(addr, "????"); err == nil && got != "" {
		t.Errorf("an unknown word got %q", got)
	}
}

// TestLargeFrames compares the exact packet limit with a real server.
func TestLargeFrames(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		p := &probe{dial: dialTCP(srv.Addr)}
		if err := p.connect(0); err != nil {
			t.Fatal(err)
		}
		defer p.closeSession()
		path := "/" + zktest.Namespace(t)
		const limit = 0xfffff
		for _, size := range []int{limit - 1, limit, limit + 1} {
			acl := new(packer).acl("open").i32(0).b
			room := size - 8 - 4 - len(path) - 4 - len(acl)
			body := new(packer).str(path).buf(make([]byte, room)).raw(acl).b
			a, err := p.call(1, body)
			if err != nil {
				t.Fatal(err)
			}
			if a.eof != (size > limit) {
				t.Errorf("frame of %d bytes: end of connection %v", size, a.eof)
			}
			if !a.eof {
				p.call(2, new(packer).str(path).i32(-1).b)
			}
		}
		p.close()
		if err := p.connect(0); err != nil {
			t.Errorf("the session did not survive: %v", err)
		}
	})
}

// TestGarbage sends bytes that no client sends. The server must end the connection or answer, and
// keep serving others.
func TestGarbage(t *testing.T) {
	t.Parallel()
	srv, addr := listening(t, zkfake.Options{})
	good := &probe{dial: dialTCP(addr)}
	if err := good.connect(0); err != nil {
		t.Fatal(err)
	}
	defer good.closeSession()

	cases := garbage()
	for i, c := range cases {
		nc, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(5 * time.Second))
		nc.Write(c) // the server may hang up in the middle
		nc.(*net.TCPConn).CloseWrite()
		if _, err := io.Copy(io.Discard, nc); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("case %d: % x: %v", i, c, err)
		}
		nc.Close()
		if a, err := good.call(3, new(packer).str("/").flag(false).b); err != nil || a.eof || a.code != 0 {
			t.Fatalf("case %d: the other client is not served: %+v, %v", i, a, err)
		}
	}
	if n := srv.Stats().Nodes; n > 10 {
		t.Errorf("garbage created %d nodes", n-4)
	}
}

func garbage() [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	frame := func(body []byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
	}
	var cases [][]byte
	for _, length := range []uint32{0, 1, 4, 43, 44, 0xffffffff, 0x80000000, 0x7fffffff, 0x100000} {
		cases = append(cases, append(binary.BigEndian.AppendUint32(nil, length), noise(int(min(length, 64)))...))
	}
	hello := frame(new(packer).i32(0).i64(0).i32(4000).i64(0).buf(make([]byte, 16)).b)
	for op := range int32(120) {
		for range 6 {
			body := new(packer).i32(1).i32(op).raw(noise(r.IntN(60))).b
			if r.IntN(2) == 0 { // start with a plausible text
				body = new(packer).i32(1).i32(op).str("/a").raw(noise(r.IntN(40))).b
			}
			cases = append(cases, append(bytes.Clone(hello), frame(body)...))
		}
	}
	// Lists that claim to be longer than the frame.
	for _, n := range []int32{1 << 30, -2, 1<<31 - 1} {
		for _, body := range []*packer{
			new(packer).i32(1).i32(1).str("/a").buf(nil).i32(n),
			new(packer).i32(1).i32(101).i64(0).i32(n),
			new(packer).i32(1).i32(4).i32(n),
		} {
			cases = append(cases, append(bytes.Clone(hello), frame(body.b)...))
		}
	}
	return cases
}

func TestClientFromTheFutureIsTurnedAway(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		p := &probe{dial: dialTCP(srv.Addr)}
		if err := p.connect(1 << 60); err == nil {
			t.Error("accepted a client that has seen more than the server has")
			p.closeSession()
		}
	})
}

// TestWatchEventsPrecedeReplies sets watches on one connection while others write, and checks on
// every reply that no earlier event is missing.
func TestWatchEventsPrecedeReplies(t *testing.T) {
	t.Parallel()
	_, addr := listening(t, zkfake.Options{})
	setup := &probe{dial: dialTCP(addr)}
	if err := setup.connect(0); err != nil {
		t.Fatal(err)
	}
	defer setup.closeSession()
	const nodes = 4
	for i := range nodes {
		s := newStage(nil, "")
		if a, err := setup.call(1, s.encode(setup, []string{"create", "p", fmt.Sprintf("/n%d", i), "x"})); err != nil || a.code != 0 {
			t.Fatal(a, err)
		}
	}
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for i := range nodes {
		writers.Go(func() {
			w := &probe{dial: dialTCP(addr)}
			if err := w.connect(0); err != nil {
				t.Error(err)
				return
			}
			defer w.closeSession()
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := w.call(5, new(packer).str(fmt.Sprintf("/n%d", i)).buf([]byte("y")).i32(-1).b); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	reader, fired := readAndWatch(t, addr, nodes)
	close(stop)
	writers.Wait()
	reader.closeSession()
	if fired < 100 {
		t.Errorf("only %d events: the test proves nothing", fired)
	}
}

// readAndWatch reads changing nodes and counts events. Each must come before the reply with its
// change.
func readAndWatch(t *testing.T, addr string, nodes int) (*probe, int) {
	reader := &probe{dial: dialTCP(addr)}
	if err := reader.connect(0); err != nil {
		t.Fatal(err)
	}
	watched, seen := make(map[string]bool), make(map[string]int64)
	fired := 0
	for i := range 5000 {
		path := fmt.Sprintf("/n%d", i%nodes)
		before := watched[path]
		a, err := reader.call(4, new(packer).str(path).flag(true).b)
		if err != nil || a.eof {
			t.Fatal(a, err)
		}
		for _, e := range a.events {
			fired++
			watched[strings.TrimPrefix(e, "event changed ")] = false
		}
		u := &unpacker{a.body}
		u.data()
		u.i64()
		mzxid := u.i64()
		// If the node changed while watched, the event must have arrived.
		last := seen[path]
		seen[path] = mzxid
		if before && watched[path] && last != mzxid {
			t.Fatalf("%s changed from %d to %d without an event before the reply", path, last, mzxid)
		}
		watched[path] = true
	}
	return reader, fired
}

func TestStatsAndDump(t *testing.T) {
	t.Parallel()
	srv, addr := listening(t, zkfake.Options{})
	s := newStage(dialTCP(addr), "")
	defer s.end()
	if _, err := s.perform(parseScript(`
		1 create p /a x
		1 create e /a/e y
		1 get /a w
		1 ls /a w
		1 multi create p /b _ ; delete /b 0
		1 set /a z 7
		1 setwatches seen
		1 sync /a`)); err != nil {
		t.Fatal(err)
	}
	st := srv.Stats()
	if st.Reads != 2 || st.Writes != 4 || st.Watches != 2 || st.Ephemerals != 1 || st.Sessions != 1 || st.Connections != 1 {
		t.Errorf("stats %+v", st)
	}
	dump := srv.Dump("/a")
	if len(dump) != 2 || dump[0].Path != "/a" || string(dump[0].Data) != "x" || dump[0].Stat.NumChildren != 1 ||
		dump[1].Path != "/a/e" || dump[1].Stat.EphemeralOwner != srv.Sessions()[0].ID || dump[1].ACL[0].Scheme != "world" {
		t.Errorf("dump %+v", dump)
	}
	if len(srv.Dump("/missing")) != 0 {
		t.Error("dump of a missing node")
	}
	if all := srv.Dump("/"); len(all) != 6 || all[0].Path != "/" || all[1].Path != "/a" {
		t.Errorf("dump of everything: %+v", all)
	}
}

func TestAddressIsKeptAcrossARestart(t *testing.T) {
	t.Parallel()
	srv, addr := listening(t, zkfake.Options{})
	srv.Stop()
	if nc, err := net.Dial("tcp", addr); err == nil {
		nc.Close()
		t.Error("a stopped server accepts connections")
	}
	if err := srv.Start(); err != nil {
		t.Fatal(err)
	}
	if reply, err := zktest.FourLetterWord(addr, "ruok"); reply != "imok" {
		t.Errorf("after the restart: %q, %v", reply, err)
	}
}
