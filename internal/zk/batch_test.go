package zk

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// allTogether submits n transactions at the same time and returns their errors. Writes are held
// until all are submitted, otherwise the number of single requests would depend on the machine.
func allTogether(ctx context.Context, c *Client, w *network, n int, ops func(i int) []Op) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	release := w.hold()
	for i := range n {
		all.Go(func() { errs[i] = c.MultiBatched(ctx, ops(i)...) })
	}
	synctest.Wait()
	release()
	all.Wait()
	return errs
}

// Concurrent transactions should share a few requests. Each should succeed or fail on its own, with
// the index of its own operation.
func TestMultiBatched(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns", "", Persistent)
		mustCreate(t, c, "/ns/7-b", "", Persistent)
		const n = 500
		srv.ResetStats()
		errs := allTogether(t.Context(), c, w, n, func(i int) []Op {
			return []Op{CreateOp(fmt.Sprintf("/ns/%d-a", i), nil, Persistent), CreateOp(fmt.Sprintf("/ns/%d-b", i), nil, Ephemeral)}
		})
		for i, err := range errs {
			refused := (*MultiError)(nil)
			switch {
			case i != 7 && err != nil:
				t.Errorf("%d: %v", i, err)
			case i == 7 && (!errors.As(err, &refused) || refused.Index != 1 || refused.Op.Path != "/ns/7-b" || !errors.Is(err, ErrNodeExists)):
				t.Errorf("%d: %v", i, err)
			}
		}
		names, _, err := c.Children(t.Context(), "/ns")
		if err != nil || len(names) != 2*(n-1)+1 {
			t.Errorf("%d nodes, %v", len(names), err)
		}
		// All but the group with the refused transaction, which were sent one by one.
		if writes := srv.Stats().Writes; writes < n/maxBatchEntries || writes > n/maxBatchEntries+maxBatchEntries+maxBatchSenders+1 {
			t.Errorf("%d requests for %d transactions", writes, n)
		}
	})
}

// A transaction should not be sent after its caller has given up, nor under a session after the one
// it was submitted in.
func TestMultiBatchedLeavesNothingBehind(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, w *network) {
		c := mustConnect(t, testConfig(t, w))
		mustCreate(t, c, "/ns", "", Persistent)
		follow := follow(c)
		old := c.Session()
		w.setMute(testServer, true)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for i, err := range allTogether(ctx, c, w, 100, func(i int) []Op { return []Op{CreateOp(fmt.Sprintf("/ns/%d", i), nil, Ephemeral)} }) {
			if !errors.Is(err, context.DeadlineExceeded) { // also ErrUnavailable for sent ones
				t.Errorf("%d: %v", i, err)
			}
		}
		w.setMute(testServer, false)
		srv.ExpireSession(old.ID)
		for n := 1; follow.await(t, n).Session.Epoch == old.Epoch || follow.await(t, n).State != Connected; n++ {
		}
		synctest.Wait()
		if names, _, err := c.Children(t.Context(), "/ns"); err != nil || len(names) > 0 {
			t.Errorf("%v, %v", names, err)
		}
		if err := c.MultiBatched(t.Context(), CreateOp("/ns/x", nil, Ephemeral)); err != nil {
			t.Error(err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := c.MultiBatched(t.Context(), CreateOp("/ns/y", nil, Ephemeral)); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}
