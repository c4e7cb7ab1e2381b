package obstacle_test

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

const id = "10.0.0.1@-@1"

// inBubble runs a test in a bubble with the obstacles of a job in the registry.
func inBubble(t *testing.T, test func(t *testing.T, n *nodes.Nodes, o *obstacle.Obstacles, kicks *atomic.Int32)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		n := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		var kicks atomic.Int32
		test(t, n, obstacle.New(n, func() { kicks.Add(1) }), &kicks)
	})
}

// announced announces, and returns the code in the registry afterwards.
func announced(t *testing.T, n *nodes.Nodes, o *obstacle.Obstacles) jobtree.ObstacleCode {
	t.Helper()
	if err := o.Announce(t.Context(), n.Client.Session().ID, id); err != nil {
		t.Fatal(err)
	}
	data, _, err := n.Client.Get(t.Context(), n.Tree.Refusal(id))
	switch {
	case errors.Is(err, zk.ErrNoNode):
		return ""
	case err != nil:
		t.Fatal(err)
	}
	return jobtree.DecodeObstacle(data).Code
}

// The obstacle of the first stage is announced until it's cleared.
func TestFirstStageCounts(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, o *obstacle.Obstacles, kicks *atomic.Int32) {
		if code := announced(t, n, o); code != "" || o.Written() {
			t.Errorf("announced %q of a job that nothing holds up", code)
		}
		o.Hinder(obstacle.Run, jobtree.NewObstacle(jobtree.ObstacleNotBegun, "first"))
		o.Hinder(obstacle.Run, jobtree.Obstacle{})
		o.Hinder(obstacle.Control, jobtree.NewObstacle(jobtree.ObstacleControl, "second"))
		o.Hinder(obstacle.Control, jobtree.NewObstacle(jobtree.ObstacleControl, "the same with another text"))
		if kicks.Load() != 2 || !o.Hinders(obstacle.Run) || o.Hinders(obstacle.Assign) {
			t.Errorf("%d kicks for two obstacles", kicks.Load())
		}
		if code := announced(t, n, o); code != jobtree.ObstacleControl {
			t.Errorf("announced %q, want the earlier stage's", code)
		}
		o.Clear(obstacle.Control)
		if code := announced(t, n, o); code != jobtree.ObstacleNotBegun {
			t.Errorf("announced %q, want the remaining one", code)
		}
		o.Clear(obstacle.Run)
		if code := announced(t, n, o); code != "" {
			t.Errorf("announced %q although nothing holds up the job", code)
		}
	})
}

// A job that is missing from the registry gets no node.
func TestRemovedJobGetsNoNode(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, o *obstacle.Obstacles, _ *atomic.Int32) {
		if err := n.Client.DeleteAll(t.Context(), n.Tree.Root()); err != nil {
			t.Fatal(err)
		}
		o.Set(obstacle.Serve, jobtree.NewObstacle(jobtree.ObstacleConflict, "another class"))
		if code := announced(t, n, o); code != "" {
			t.Errorf("announced %q of a job that was removed", code)
		}
	})
}

// A long wait is an obstacle, with all waiting shards, until it's over.
func TestSlowWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *nodes.Nodes, o *obstacle.Obstacles, kicks *atomic.Int32) {
		var named []int
		var again atomic.Int32
		wait := func(shard int) (over func()) {
			return o.Wait(obstacle.Slow{
				At: obstacle.Place, After: time.Second, Shards: []int{shard}, Again: func() { again.Add(1) },
				Obstacle: func(shards []int) jobtree.Obstacle {
					named = shards
					return jobtree.NewObstacle(jobtree.ObstacleNoPlace, "no place").For(shards)
				},
			})
		}
		short := wait(0)
		short()
		first, second := wait(2), wait(1)
		time.Sleep(1500 * time.Millisecond)
		synctest.Wait()
		if len(named) != 2 || named[0] != 1 || again.Load() != 2 || !o.Hinders(obstacle.Place) {
			t.Fatalf("shards %v wait, looked again %d times", named, again.Load())
		}
		first()
		if len(named) != 1 || named[0] != 1 {
			t.Errorf("shards %v wait", named)
		}
		second()
		if o.Hinders(obstacle.Place) || kicks.Load() != 4 {
			t.Errorf("the wait is over; %d kicks", kicks.Load())
		}
	})
}
