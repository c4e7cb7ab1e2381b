package engine

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
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
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		n := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		env := &Env{Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: slog.New(slog.DiscardHandler)}
		env.Open()
		defer env.Close()
		config := jobconfig.New("job", 3)
		config.MonitorExecution = true
		j := New(env, Definition{Config: config})
		b := &batch{job: j, view: &view{id: j.id, config: config}, epoch: n.Client.Session().Epoch, shards: []shard{{number: 0}, {number: 1}, {number: 2}}}
		b.view.epoch = b.epoch
		for _, path := range []string{"/ns", "/ns/job", n.Tree.Config()} {
			if _, err := n.Client.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		for i := range b.shards {
			if err := n.Create(t.Context(), n.Tree.ItemRunning(i), []byte(j.id), zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		j.phase = serving
		if !b.beginExecution() {
			t.Fatal("the batch did not begin")
		}
		other := j.reserve(1)
		if elsewhere, any := j.queue.occupy(b); !any || !elsewhere[1] || elsewhere[0] || other == nil {
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
