package zk

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestOwnRequestsWaitForTheCredentials: on each connection the library sends the credentials before
// its own requests. Our requests must not overtake them.
func TestOwnRequestsWaitForTheCredentials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{pieces: [][]byte{handshakeReply(4000)}}
		c, _ := newObserved(s, false)
		if _, err := c.Write(handshakeRequest(42)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 4)); err != nil {
			t.Fatal(err)
		}
		failed := make(chan error, 1)
		go func() {
			_, err := c.call(&wire.Request{Header: wire.Header{Op: wire.OpExists}, Path: "/a"}, nil)
			failed <- err
		}()
		synctest.Wait()
		if got := s.ops(); len(got) != 0 {
			t.Errorf("wrote %v before the credentials", got)
		}
		if _, err := c.Write(request(1, wire.OpAuth, 9)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := s.ops(); !slices.Equal(got, []wire.Op{wire.OpAuth, wire.OpExists}) {
			t.Errorf("wrote %v", got)
		}
		_ = c.Close()
		if err := <-failed; !errors.Is(err, gozk.ErrConnectionClosed) {
			t.Errorf("a request without a reply: %v", err)
		}
		if _, err := c.call(&wire.Request{}, nil); err == nil {
			t.Error("a closed connection takes requests")
		}
	})
}

// TestReadAllAfterAReconnection: protected nodes should be readable as soon as the client is
// connected again.
func TestReadAllAfterAReconnection(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		cfg := testConfig(t, w)
		cfg.Digest = "user:secret"
		c := mustConnect(t, cfg)
		mustCreate(t, c, "/closed", "text", Persistent)
		for range 50 {
			srv.DropConnections()
			synctest.Wait()
			if err := c.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			results, err := c.Many().ReadAll(t.Context(), []Reading{{Path: "/closed", Once: true}})
			if err != nil || results[0].Err != nil || string(results[0].Data) != "text" {
				t.Fatal(results, err)
			}
		}
	})
}
