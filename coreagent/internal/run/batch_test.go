package run

import (
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// If the transaction that marks the shards gets no reply, rollBack removes the markers it may have
// made. Another batch of this process may have claimed one of the shards as a failover and marked
// it under the same id. That marker must stay, or the run would end without raising the shard's
// token.
func TestRollBackKeepsMarkersOfAnotherBatch(t *testing.T) {
	markedBatch(t, 3, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, b *batch) {
		w := b.worker
		if !b.beginExecution() {
			t.Fatal("the batch did not begin")
		}
		other := w.reserveShard(1, new(batch))
		if elsewhere, any := w.queue.occupy(b); !any || !elsewhere[1] || elsewhere[0] || !other {
			t.Fatalf("shards elsewhere: %v", elsewhere)
		}
		lost := fmt.Errorf("mark: %w", zk.ErrUnavailable)
		if err := b.rollBack(lost); !errors.Is(err, lost) {
			t.Errorf("take back: %v, want the error of the attempt", err)
		}
		for i, want := range []bool{false, true, false} {
			if _, is, err := n.Client.Exists(t.Context(), n.Tree.ItemRunning(i)); is != want || err != nil {
				t.Errorf("shard %d is marked running: %v, want %v (%v)", i, is, want, err)
			}
		}
	})
}

// The final transaction of a run is applied, but its reply is lost. Before the retry, another
// instance marks the shards. Its markers differ only in their data, and must stay; otherwise a
// third instance could run the shards at the same time.
func TestUnansweredClearKeepsNewMarkers(t *testing.T) {
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
			if c.Type == wire.NodeDeleted && c.Path == n.Tree.ItemRunning(1) {
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
				t.Errorf("the other instance's marker of shard %d: %q, %v", i, data, err)
			}
		}
	})
}

// job is the worker's job.
type job struct{ *testing.T }

func (job) Guard(_ string, fn func()) bool        { fn(); return true }
func (job) Kick()                                 {}
func (job) Retry(time.Duration)                   {}
func (j job) Hinder(at obstacle.Stage, err error) { j.Errorf("stage %v is held up: %v", at, err) }

const id = "10.0.0.1@-@1"

// markedBatch runs a test in a bubble. The batch belongs to an open worker, and its shards are
// marked running under its id.
func markedBatch(t *testing.T, shards int, test func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, b *batch)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		log := slog.New(slog.DiscardHandler)
		n := nodestest.Connect(t, srv, log)
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		h := &host.Host{Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: log}
		h.Open()
		defer h.Close()
		config := jobconfig.New("job", shards)
		config.MonitorExecution = true
		p := &Parts{
			Host: h, Def: host.Definition{Config: config}, Nodes: n, Tree: n.Tree, Log: log, Life: h.Life,
			Latest: view.NewLatest(), Self: view.NewIdentity(id),
		}
		p.Cache = view.NewTree(n, h.IP, jobtree.Hold{}, h.Time, func() {})
		p.Records = firerecord.New(n, h.Time)
		w := NewWorker(p, job{t})
		p.Failover = failover.New(n, p.Records, w, log)
		p.Fires = schedule.New(h.Timers, log, w.OnFire, w.Rearm)
		p.Misfires = misfire.New(misfire.NewLedger(misfire.Sources{
			Nodes: n, Records: p.Records, Failover: p.Failover, Tree: p.Cache, Log: log, Now: h.Time, ID: w.ID,
		}), p.Fires, func() {})
		epoch := n.Client.Session().Epoch
		b := &batch{Parts: w.Parts, worker: w, view: &view.View{ID: id, Settings: view.Settings{Config: config}, Epoch: epoch}, epoch: epoch}
		for _, path := range []string{"/ns", "/ns/job", n.Tree.Config()} {
			if _, err := n.Client.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		for i := range shards {
			b.shards = append(b.shards, view.Shard{Number: i})
			if err := n.Create(t.Context(), n.Tree.ItemRunning(i), []byte(id), zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		w.Open()
		test(t, srv, n, b)
	})
}
