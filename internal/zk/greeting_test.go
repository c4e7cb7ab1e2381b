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

// slowGreeting delays a server's first answer.
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

// If the answer to a handshake arrives just when the client gives up, it either counts or it
// doesn't: the client must not close a connection that it reports as connected. It did on loaded
// machines, where the goroutine that guards the handshake runs late.
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
				return &slowGreeting{Conn: conn, delay: minHandshakeTimeout}, nil
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
