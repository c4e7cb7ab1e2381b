package relay_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/relay"
)

// echo is a server that repeats each line.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// client is a connection through a relay.
type client struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func dial(t *testing.T, r *relay.Relay) *client {
	t.Helper()
	conn, err := net.Dial("tcp", r.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &client{t, conn, bufio.NewReader(conn)}
}

func (c *client) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) hear(limit time.Duration) (string, error) {
	c.conn.SetReadDeadline(time.Now().Add(limit))
	return c.in.ReadString('\n')
}

func start(t *testing.T) *relay.Relay {
	t.Helper()
	r, err := relay.Start(echo(t), relay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestPassesOn(t *testing.T) {
	t.Parallel()
	c := dial(t, start(t))
	c.say("one")
	if got, err := c.hear(10 * time.Second); got != "one\n" || err != nil {
		t.Errorf("heard %q, %v", got, err)
	}
}

// TestStalledBytesArrive: after the fault everything is there, in order.
func TestStalledBytesArrive(t *testing.T) {
	t.Parallel()
	for _, fault := range []relay.Fault{{Requests: relay.Stall}, {Answers: relay.Stall}} {
		r := start(t)
		c := dial(t, r)
		r.Set(fault)
		c.say("one")
		if got, err := c.hear(50 * time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%+v: heard %q, %v", fault, got, err)
		}
		r.Set(relay.Fault{})
		c.say("two")
		for _, want := range []string{"one\n", "two\n"} {
			if got, err := c.hear(10 * time.Second); got != want || err != nil {
				t.Errorf("%+v: heard %q, %v, want %q", fault, got, err, want)
			}
		}
	}
}

// TestSwallowedBytesBreakTheConnection: what is lost is never followed by more.
func TestSwallowedBytesBreakTheConnection(t *testing.T) {
	t.Parallel()
	for _, fault := range []relay.Fault{{Requests: relay.Swallow}, {Answers: relay.Swallow}} {
		r := start(t)
		c := dial(t, r)
		r.Set(fault)
		c.say("one")
		if got, err := c.hear(50 * time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%+v: heard %q, %v", fault, got, err)
		}
		r.Set(relay.Fault{})
		c.say("two")
		if got, err := c.hear(10 * time.Second); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%+v: heard %q, %v, want a broken connection", fault, got, err)
		}
	}
}

func TestRefuseAndReset(t *testing.T) {
	t.Parallel()
	r := start(t)
	c := dial(t, r)
	c.say("one")
	if _, err := c.hear(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	r.Set(relay.Fault{Refuse: true})
	r.Reset()
	if _, err := c.hear(10 * time.Second); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after a reset: %v", err)
	}
	if _, err := dial(t, r).hear(10 * time.Second); !errors.Is(err, io.EOF) && err == nil {
		t.Errorf("a refused connection says %v", err)
	}
}
