package departure_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

const id = "10.0.0.1@-@1"

// job is a stopping job.
type job struct {
	busy     bool
	recorded *int
}

func (job) Guard(_ string, fn func()) bool { fn(); return true }
func (j job) Busy() bool                   { return j.busy }
func (job) Outdated() bool                 { return false }
func (job) Hindered() bool                 { return false }
func (j job) Record(context.Context) error { *j.recorded++; return nil }

// inBubble runs a test in a bubble with an instance that leads.
func inBubble(t *testing.T, test func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, ds *departure.Departures)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		n := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{n.Tree.Instance(id), n.Agent(id), n.Tree.LeaderInstance()} {
			if err := n.Create(t.Context(), path, nil, zk.Ephemeral); err != nil {
				t.Fatal(err)
			}
		}
		life, end := context.WithCancel(t.Context())
		var tasks sync.WaitGroup
		queue := timers.New(time.Now)
		tasks.Go(func() { queue.Run(life) })
		defer func() { end(); tasks.Wait() }()
		test(t, srv, n, departure.New(life, slog.New(slog.DiscardHandler), queue, tasks.Go))
	})
}

// exist reports whether the instance, its agent, the leadership and the departure note are in the
// tree.
func exist(t *testing.T, n *nodes.Nodes) (is [4]bool) {
	t.Helper()
	for i, path := range []string{n.Tree.Instance(id), n.Agent(id), n.Tree.LeaderInstance(), n.Tree.Left(id)} {
		_, there, err := n.Client.Exists(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		is[i] = there
	}
	return is
}

// The leadership goes first, then the instance once nothing runs. The departure ends a minute
// later.
func TestOfficesThenInstance(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, ds *departure.Departures) {
		recorded := 0
		d := ds.Of(job{recorded: &recorded}, n, nil, id, n.Client.Session().ID, nil)
		if err := d.Leave(t.Context(), departure.Roles); err != nil || recorded != 0 {
			t.Fatalf("%v, recorded %d times", err, recorded)
		}
		if is := exist(t, n); is != [4]bool{true, true, false, false} {
			t.Errorf("after its offices there are instance, agent, leader, note: %v", is)
		}
		again := ds.Of(job{recorded: &recorded}, n, nil, id, n.Client.Session().ID, nil)
		if again != d || !ds.Open(n.Tree.Instance(id)) {
			t.Error("the second departure of a job is another one")
		}
		if err := d.Leave(t.Context(), departure.Instance); err != nil || recorded != 1 {
			t.Fatalf("%v, recorded %d times", err, recorded)
		}
		if is := exist(t, n); is != [4]bool{false, false, false, true} {
			t.Errorf("after its departure there are instance, agent, leader, note: %v", is)
		}
		time.Sleep(2 * departure.CheckAgain)
		if ds.Open(n.Tree.Instance(id)) {
			t.Error("the departure has not ended")
		}
	})
}

// Nodes of another session stay, and a job that never registered has nothing to remove.
func TestAnotherSessionStays(t *testing.T) {
	inBubble(t, func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, ds *departure.Departures) {
		recorded := 0
		other := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		for _, session := range []int64{other.Client.Session().ID, 0} {
			if err := ds.Of(job{recorded: &recorded}, other, nil, id, session, nil).Leave(t.Context(), departure.Instance); err != nil {
				t.Fatal(err)
			}
			if is := exist(t, n); is != [4]bool{true, true, true, false} {
				t.Errorf("session %d left instance, agent, leader, note: %v", session, is)
			}
		}
	})
}

// If no server answers, the instance is removed in the background once one does. A job that is
// about to register under the same id waits for that.
func TestUnansweredDeparture(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, ds *departure.Departures) {
		recorded := 0
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		d := ds.Of(job{recorded: &recorded, busy: true}, n, nil, id, n.Client.Session().ID, nil)
		if err := d.Leave(ended, departure.Instance); err != nil {
			t.Fatal(err)
		}
		if err := ds.Register(t.Context(), n.Tree.Instance(id)); err != nil {
			t.Fatal(err)
		}
		if is := exist(t, n); is != [4]bool{false, false, false, true} || ds.Open(n.Tree.Instance(id)) {
			t.Errorf("before the next job registers there are instance, agent, leader, note: %v", is)
		}
	})
}
