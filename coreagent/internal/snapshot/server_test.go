package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestK59Requests(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	b.create("/invoices/config", "cron: 1")
	b.create("/in voices/config", "cron: 2")
	b.create("/none", "")
	s := b.listen(nil)
	const answer = "/invoices/config | cron: 1\n"
	for _, test := range []struct{ request, want string }{
		{"dump@invoices\n", answer},
		{"dump@invoices\r\n", answer},
		{"dump@invoices\r", answer},
		{"dump@invoices\ndump@invoices\n", answer}, // one request per connection
		{"dump@invoices\n" + strings.Repeat("x", 900), answer},
		{"dump@in voices\n", "/in voices/config | cron: 2\n"},
		{"dump@nobody\n", "\n"},
		{"dump@invoices \n", "\n"}, // another job, which doesn't exist
		{"dump\n", ""},
		{"dump@\n", ""},
		{"dump@a@b\n", ""},
		{"dump@invoices@\n", ""},
		{"DUMP@invoices\n", ""},
		{" dump@invoices\n", ""},
		{"dump@a/b\n", ""},
		{"dump@..\n", ""},
		{"dump@\x00\n", ""},
		{"\n", ""},
		{"GET / HTTP/1.1\r\n\r\n", ""},
	} {
		if got := ask(t, s, test.request); got != test.want {
			t.Errorf("%q: got %q, want %q", test.request, got, test.want)
		}
	}
	short := b.listen(func(o *Options) { o.Limits.Request = 200 * time.Millisecond })
	if got := ask(t, short, "dump@invoices"); got != "" {
		t.Errorf("a line that never ends: got %q", got)
	}
}

// A client may close its sending side instead of ending the line.
func TestRequestThatEndsWithTheStream(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	b.create("/invoices/config", "cron: 1")
	s := b.listen(nil)
	for request, want := range map[string]string{"dump@invoices": "/invoices/config | cron: 1\n", "": "", "dump": ""} {
		conn := dial(t, s)
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if err := conn.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got := rest(t, conn); got != want {
			t.Errorf("%q: got %q, want %q", request, got, want)
		}
	}
}

func TestRequestIsBounded(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	s := b.listen(func(o *Options) { o.Limits.Request = time.Hour })
	conn := dial(t, s)
	_, _ = io.WriteString(conn, "dump@"+strings.Repeat("x", 2000)) // it may be cut off while it writes
	if got, err := io.ReadAll(conn); len(got) != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %q, %v", got, err)
	}
}

// Dumps beyond the limit wait for their turn.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	b.create("/invoices/config", "cron: 1")
	s := b.listen(func(o *Options) { o.Limits.Connections = 2 })
	s.slots <- struct{}{}
	s.slots <- struct{}{}
	answers := make(chan string, 1)
	go func() { answers <- ask(t, s, "dump@invoices\n") }()
	select {
	case got := <-answers:
		t.Errorf("answered next to two others: %q", got)
	case <-time.After(200 * time.Millisecond):
	}
	<-s.slots
	if got := <-answers; got != "/invoices/config | cron: 1\n" {
		t.Errorf("got %q", got)
	}
	<-s.slots
}

// V29: silent connections, however many, delay no request. The oldest ones are closed.
func TestV29SilentConnectionsDelayNoRequest(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	b.create("/invoices/config", "cron: 1")
	s := b.listen(func(o *Options) { o.Limits.Request = time.Hour })
	first := dial(t, s)
	for range 200 {
		dial(t, s)
	}
	if got := ask(t, s, "dump@invoices\n"); got != "/invoices/config | cron: 1\n" {
		t.Errorf("got %q", got)
	}
	if _, err := first.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the oldest silent connection is still there: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.silent) > s.opts.Limits.Silent {
		t.Errorf("%d silent connections are kept", len(s.silent))
	}
}

// A client that doesn't read its answer is cut off.
func TestAnswerIsBounded(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	for n := range 12 { // more than the system buffers for a connection
		b.create(fmt.Sprintf("/big/sharding/%d", n), strings.Repeat("x", 1<<20-4096))
	}
	s := b.listen(func(o *Options) { o.Limits.Write, o.Limits.Bytes = 300*time.Millisecond, 64<<20 })
	conn := dial(t, s)
	if err := conn.SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "dump@big\n"); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the client to be given up", func() bool { return strings.Contains(b.log.String(), "the answer did not arrive") })
	if got := ask(t, s, "dump@none\n"); got != "\n" {
		t.Errorf("afterwards: got %q", got)
	}
}

func TestListen(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	s := b.listen(nil)
	addr := s.Addr().(*net.TCPAddr)
	if !addr.IP.IsLoopback() || addr.Port == 0 {
		t.Errorf("listens on %v", addr)
	}
	if log := b.log.String(); log != "" {
		t.Errorf("on loopback: %s", log)
	}
	b.listen(func(o *Options) { o.Host = "0.0.0.0" })
	if log := b.log.String(); !strings.Contains(log, "level=WARN") || !strings.Contains(log, "can read every job") {
		t.Errorf("on all interfaces: %s", log)
	}
	for _, port := range []int{-1, 65536} {
		if _, err := Listen(t.Context(), Options{Port: port, Client: b.client, Tree: b.tree}); err == nil || !strings.Contains(err.Error(), "is outside 0 to 65535") {
			t.Errorf("port %d: %v", port, err)
		}
	}
	_, err := Listen(t.Context(), Options{Port: addr.Port, Client: b.client, Tree: b.tree})
	if err == nil || !strings.Contains(err.Error(), "dump service: listen tcp "+addr.String()) {
		t.Errorf("a port in use: %v", err)
	}
}

func TestCloseHangsUpOnSilentClients(t *testing.T) {
	t.Parallel()
	b := newFixture(t, zktest.Fake(t).Addr)
	s := b.listen(func(o *Options) { o.Limits.Request = time.Hour })
	conn := dial(t, s)
	if _, err := io.WriteString(conn, "dump@"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("second close: %v", err)
	}
	if got, _ := io.ReadAll(conn); len(got) != 0 {
		t.Errorf("got %q", got)
	}
	if conn, err := net.Dial("tcp", s.Addr().String()); err == nil {
		conn.Close()
		t.Error("the port is still open")
	}
}

// slow is a server that blocks reads of data until they're released.
func slow(t *testing.T) (b fixture, asked <-chan struct{}, release func()) {
	t.Helper()
	fake := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { fake.Close() })
	addr, err := fake.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b = newFixture(t, addr.String())
	b.create("/invoices/config", "cron: 1")
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel) // before the server is closed
	reads := make(chan struct{}, 100)
	fake.SetFault(func(r zkfake.Request) zkfake.Fault {
		if r.Op == "getData" {
			reads <- struct{}{}
			<-ctx.Done()
		}
		return zkfake.None
	})
	return b, reads, cancel
}

func TestCloseLetsAnswersOut(t *testing.T) {
	t.Parallel()
	b, asked, release := slow(t)
	s := b.listen(nil)
	conn := dial(t, s)
	if _, err := io.WriteString(conn, "dump@invoices\n"); err != nil {
		t.Fatal(err)
	}
	<-asked
	closed := make(chan error, 1)
	go func() { closed <- s.Close(t.Context()) }()
	waittest.Until(t, "the server to close", func() bool {
		select {
		case <-s.accepting.Done():
			return true
		default:
			return false
		}
	})
	release()
	if got := rest(t, conn); got != "/invoices/config | cron: 1\n" {
		t.Errorf("got %q", got)
	}
	conn.Close()
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestCloseCutsAnswersOff(t *testing.T) {
	t.Parallel()
	b, asked, _ := slow(t)
	s := b.listen(nil)
	conn := dial(t, s)
	if _, err := io.WriteString(conn, "dump@invoices\n"); err != nil {
		t.Fatal(err)
	}
	<-asked
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := s.Close(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 connections were cut off") {
		t.Errorf("got %v", err)
	}
	if got, _ := io.ReadAll(conn); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}

// If the tree can't be read in time, there's no answer.
func TestDumpTimeout(t *testing.T) {
	t.Parallel()
	b, _, _ := slow(t)
	s := b.listen(func(o *Options) { o.Limits.Dump = 50 * time.Millisecond })
	if got := ask(t, s, "dump@invoices\n"); got != "" {
		t.Errorf("got %q", got)
	}
	if log := b.log.String(); !strings.Contains(log, "closed without an answer") || !strings.Contains(log, "deadline exceeded") {
		t.Errorf("got %s", log)
	}
}
