package nodes_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// inBubble runs a test with the nodes of a job that has a configuration. They log to log.
func inBubble(t *testing.T, test func(t *testing.T, n *nodes.Nodes, log *bytes.Buffer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		var log bytes.Buffer
		n := nodestest.Connect(t, srv, slog.New(slog.NewTextHandler(&log, nil)))
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		test(t, n, &log)
	})
}

// No part of a removed job is created again.
func TestCreateNeedsAConfiguration(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, n *nodes.Nodes, _ *bytes.Buffer) {
		ctx := t.Context()
		if err := n.Ensure(ctx, n.Tree.ItemInstance(3)); err != nil {
			t.Fatal(err)
		}
		if _, exists, err := n.Client.Exists(ctx, n.Tree.ItemInstance(3)); !exists || err != nil {
			t.Errorf("a node below absent parents: exists %v, %v", exists, err)
		}
		if err := n.Client.DeleteAll(ctx, n.Tree.Root()); err != nil {
			t.Fatal(err)
		}
		if err := n.Ensure(ctx, n.Tree.ItemInstance(3)); !errors.Is(err, zk.ErrNoNode) {
			t.Errorf("below a job that was removed: %v", err)
		}
		fn := func(context.Context, *recipe.Place) error {
			t.Error("the latch of a job that was removed was held")
			return nil
		}
		if err := n.Hold(ctx, n.Tree.FailoverLatch(), fn); !errors.Is(err, zk.ErrNoNode) {
			t.Errorf("latch of a job that was removed: %v", err)
		}
		if _, exists, err := n.Client.Exists(ctx, n.Tree.Root()); exists || err != nil {
			t.Errorf("the job exists %v, %v", exists, err)
		}
	})
}

// A decision under a latch isn't written once the latch is lost. The last transaction leaves the
// queue.
func TestCommitDependsOnTheLatch(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, n *nodes.Nodes, _ *bytes.Buffer) {
		latch := n.Tree.FailoverLatch()
		if err := n.Ensure(t.Context(), n.Tree.Sharding()); err != nil {
			t.Fatal(err)
		}
		large := make([]byte, nodes.TransactionBytes*2/3) // two of them need two transactions
		groups := [][]zk.Op{{zk.CreateOp(n.Tree.Item(0), large, zk.Persistent)}, {zk.CreateOp(n.Tree.Item(1), large, zk.Persistent)}}
		queue := func(ctx context.Context) []string {
			names, _, err := n.Client.Children(ctx, latch)
			if err != nil && !errors.Is(err, zk.ErrNoNode) {
				t.Fatal(err)
			}
			return names
		}
		if err := n.Hold(t.Context(), latch, func(ctx context.Context, place *recipe.Place) error {
			stats, err := n.Commit(ctx, place, groups)
			if len(stats) != 2 || len(queue(ctx)) != 0 {
				t.Errorf("%d records of the last transaction, the queue is %v", len(stats), queue(ctx))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		err := n.Hold(t.Context(), latch, func(ctx context.Context, place *recipe.Place) error {
			if err := n.Client.Delete(ctx, latch+"/"+queue(ctx)[0], zk.AnyVersion); err != nil {
				return err
			}
			_, err := n.Commit(ctx, place, [][]zk.Op{{zk.CreateOp(n.Tree.Item(2), nil, zk.Persistent)}})
			return err
		})
		if !errors.Is(err, zk.ErrSessionLost) {
			t.Errorf("a commit under a lost latch: %v", err)
		}
		names, err := n.Children(t.Context(), n.Tree.Sharding())
		if slices.Sort(names); !slices.Equal(names, []string{"0", "1"}) || err != nil {
			t.Errorf("shards %v, %v", names, err)
		}
	})
}

func TestStrangersNodesAreLeftOut(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, n *nodes.Nodes, log *bytes.Buffer) {
		stranger := strings.Repeat("x", 200)
		for _, name := range []string{"7", "07", stranger} {
			if _, err := n.Client.CreateAll(t.Context(), n.Tree.Sharding()+"/"+name, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			names, err := n.Children(t.Context(), n.Tree.Sharding())
			if !slices.Equal(names, []string{"7"}) || err != nil {
				t.Errorf("children %v, %v", names, err)
			}
		}
		if text := log.String(); strings.Count(text, "\n") != 2 || strings.Contains(text, stranger) {
			t.Errorf("each stranger's node is logged once, shortened:\n%s", text)
		}
	})
}

func TestDeleteIfData(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, n *nodes.Nodes, _ *bytes.Buffer) {
		path := n.Tree.LeaderInstance()
		if _, err := n.Client.CreateAll(t.Context(), path, []byte("theirs"), zk.Persistent); err != nil {
			t.Fatal(err)
		}
		if err := n.DeleteIfData(t.Context(), path, "ours"); err != nil {
			t.Fatal(err)
		}
		if _, exists, err := n.Client.Exists(t.Context(), path); !exists || err != nil {
			t.Errorf("with other data: exists %v, %v", exists, err)
		}
		for range 2 { // the second time there's nothing to delete
			if err := n.DeleteIfData(t.Context(), path, "theirs"); err != nil {
				t.Fatal(err)
			}
			if _, exists, err := n.Client.Exists(t.Context(), path); exists || err != nil {
				t.Errorf("exists %v, %v", exists, err)
			}
		}
	})
}
