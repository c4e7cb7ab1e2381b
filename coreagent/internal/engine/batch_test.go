package engine

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestTakeBackLeavesWhatAnotherBatchHas: an attempt whose marking was not answered takes
// back what it may have marked. A shard that was claimed as a failover meanwhile is
// marked under the same id, by another batch of this process: that marker stays, or
// the run would end without raising the shard's token.
func TestTakeBackLeavesWhatAnotherBatchHas(t *testing.T) {
	markedBatch(t, 3, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, b *batch) {
		j := b.job
		if !b.beginExecution() {
			t.Fatal("the batch did not begin")
		}
		other := j.hold(1, new(batch))
		if elsewhere, any := j.queue.occupy(b); !any || !elsewhere[1] || elsewhere[0] || !other {
			t.Fatalf("shards elsewhere: %v", elsewhere)
		}
		lost := fmt.Errorf("mark: %w", zk.ErrUnavailable)
		if err := b.takeBack(lost); !errors.Is(err, lost) {
			t.Errorf("take back: %v, want the error of the attempt", err)
		}
		for i, want := range []bool{false, true, false} {
			if _, is, err := n.Client.Exists(t.Context(), n.Tree.ItemRunning(i)); is != want || err != nil {
				t.Errorf("shard %d is marked running: %v, want %v (%v)", i, is, want, err)
			}
		}
	})
}

// TestUnansweredEndLeavesWhatAnotherHas: the transaction at the end of a run is carried
// out and not answered. Before it is repeated another instance marks the shards: those
// markers look the same but for who made them, and they stay, or a third one could run
// the shards beside it.
func TestUnansweredEndLeavesWhatAnotherHas(t *testing.T) {
	markedBatch(t, 2, func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, b *batch) {
		b.marked = true
		var lost atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			switch {
			case r.Op == "multi" && !lost.Swap(true):
				return zkfake.LoseReply
			case lost.Load() && r.Op != "create":
				return zkfake.DelayRequest(time.Second)
			}
			return zkfake.None
		})
		applied := make(chan struct{})
		srv.SetObserver(func(c zkfake.Change) {
			if c.Type == zkfake.NodeDeleted && c.Path == n.Tree.ItemRunning(1) {
				close(applied)
			}
		})
		ended := make(chan error)
		go func() { ended <- b.clear(false) }()
		<-applied
		srv.SetObserver(nil)
		other := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		for i := range b.shards {
			if err := other.Create(t.Context(), n.Tree.ItemRunning(i), []byte("another"), zk.Ephemeral); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-ended; err != nil {
			t.Errorf("clear: %v", err)
		}
		srv.SetFault(nil)
		for i := range b.shards {
			if data, _, err := n.Client.Get(t.Context(), n.Tree.ItemRunning(i)); string(data) != "another" || err != nil {
				t.Errorf("the other instance's marker of shard %d says %q, %v", i, data, err)
			}
		}
	})
}

// TestTidyingHeedsTheConfiguration: monitorExecution was switched off, and on again
// before the markers were removed. They stay.
func TestTidyingHeedsTheConfiguration(t *testing.T) {
	markedBatch(t, 1, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, b *batch) {
		j := b.job
		off := *b.view.Config
		off.MonitorExecution = false
		j.control.Config = &off
		j.cache.WatchChildren(n.Tree.Sharding())
		if err := j.cache.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, edited := range []bool{true, false} {
			if edited {
				j.control.ConfigVersion = 0
				if _, err := n.Client.Set(t.Context(), n.Tree.Config(), nil, 0); err != nil {
					t.Fatal(err)
				}
			} else {
				j.control.ConfigVersion = 1
			}
			if tidied, err := j.tidyMarkers(t.Context()); tidied == edited || err != nil {
				t.Errorf("edited meanwhile %v: tidied %v, %v", edited, tidied, err)
			}
			if _, is, err := n.Client.Exists(t.Context(), n.Tree.ItemRunning(0)); is != edited || err != nil {
				t.Errorf("edited meanwhile %v: marked running %v, %v", edited, is, err)
			}
		}
	})
}

// TestFailoverThatServesForAMissedFireTime: a failover that is offered or under way when a
// shard comes here is for what was missed before it. One that began before the fire
// time may end without having served for it; the shard's record tells then, unless one of
// the instances keeps none.
func TestFailoverThatServesForAMissedFireTime(t *testing.T) {
	markedBatch(t, 1, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, b *batch) {
		create := func(path string) {
			if err := n.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		serves := func(when string, fire time.Time, want bool) {
			if is, err := b.job.records.RunsAgain(t.Context(), 0, fire); is != want || err != nil {
				t.Errorf("%s: the shard is run again anyway: %v, want %v (%v)", when, is, want, err)
			}
		}
		const ours, java = "10.0.0.2@-@1", "10.0.0.3@-@1"
		create(n.Tree.Instances() + "/" + ours)
		create(n.Agent(ours))
		now := time.Now()
		serves("nothing is offered", now, false)
		create(n.Tree.FailoverItem(0))
		serves("offered long after the fire time", now.Add(-2*time.Minute), true)
		serves("offered about the fire time", now, false)
		create(n.Tree.ItemFailover(0))
		serves("under way, from about the fire time", now, false)
		create(n.Tree.Instances() + "/" + java)
		serves("under way, perhaps on an instance that keeps no records", now, true)
		if err := n.Client.Delete(t.Context(), n.Tree.Instances()+"/"+java, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		create(n.Tree.ItemMisfire(0))
		serves("marked as misfired", now, true)
	})
}

// markedBatch runs a test in a bubble with a batch of a serving job whose shards are
// marked running under its id.
func markedBatch(t *testing.T, shards int, test func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, b *batch)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		n := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		env := &host.Host{Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: slog.New(slog.DiscardHandler)}
		env.Open()
		defer env.Close()
		config := jobconfig.New("job", shards)
		config.MonitorExecution = true
		j := New(env, host.Definition{Config: config})
		b := &batch{job: j, view: &view.View{ID: j.id, Settings: view.Settings{Config: config}, Epoch: n.Client.Session().Epoch}, epoch: n.Client.Session().Epoch}
		for _, path := range []string{"/ns", "/ns/job", n.Tree.Config()} {
			if _, err := n.Client.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		for i := range shards {
			b.shards = append(b.shards, view.Shard{Number: i})
			if err := n.Create(t.Context(), n.Tree.ItemRunning(i), []byte(j.id), zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		j.phase = serving
		j.watch()
		test(t, srv, n, b)
	})
}
