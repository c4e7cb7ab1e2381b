package zk

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// slowGreeting delays the first answer of a server.
type slowGreeting struct {
	net.Conn
	delay time.Duration
	once  sync.Once
}

func (c *slowGreeting) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.once.Do(func() { time.Sleep(c.delay) })
	return n, err
}

// A handshake that is answered in the very moment in which the client gives it up
// either counts or does not: a connection of which the client says that it is
// connected is not closed by it. It was, on machines under load, where whoever
// guards the handshake looks late.
func TestGreetingAtTheLastMoment(t *testing.T) {
	late := 0
	for range 300 {
		inBubble(t, func(t *testing.T, _ *zkfake.Server, w *network) {
			dial, dials := w.dial, 0
			w.dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				conn, err := dial(ctx, network, addr)
				if dials++; dials > 1 || err != nil {
					return conn, err
				}
				return &slowGreeting{Conn: conn, delay: firstPatience}, nil
			}
			c := mustConnect(t, testConfig(t, w))
			session := c.Session()
			mustCreate(t, c, "/x", "", Ephemeral)
			synctest.Wait()
			if c.State() != Connected || c.Session() != session {
				t.Errorf("%v, session %v, was %v", c.State(), c.Session(), session)
			}
			if len(w.dialled()) > 1 {
				late++
			}
		})
	}
	if late == 0 || late == 300 {
		t.Errorf("given up %d times of 300: the moments are not the same", late)
	}
}
