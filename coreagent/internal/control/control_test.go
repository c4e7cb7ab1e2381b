package control

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/run"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// job is a job with a controller that makes no steps on its own.
type job struct{ *testing.T }

func (job) Guard(_ string, fn func()) bool        { fn(); return true }
func (job) Kick()                                 {}
func (job) Retry(time.Duration)                   {}
func (job) Leaving() bool                         { return false }
func (j job) Hinder(at obstacle.Stage, err error) { j.Errorf("stage %v is held up: %v", at, err) }

const id = "10.0.0.1@-@1"

// inBubble runs a test in a bubble with the controller of a job that exists in the registry.
func inBubble(t *testing.T, test func(t *testing.T, n *nodes.Nodes, c *Controller)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		log := slog.New(slog.DiscardHandler)
		n := nodestest.Connect(t, srv, log)
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		h := &host.Host{
			Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: log,
			Recorder: tracing.Discard,
		}
		h.Open()
		defer h.Close()
		config := jobconfig.New("job", 1)
		config.MonitorExecution = true
		p := &run.Parts{
			Host: h, Def: host.Definition{Config: config, Plugins: host.Plugins{Errors: new(errorhandler.Set)}}, Nodes: n, Tree: n.Tree, Log: log, Life: h.Life,
			Latest: view.NewLatest(), Self: view.NewIdentity(id),
		}
		p.Cache = view.NewTree(n, h.IP, jobtree.Hold{}, h.Time, func() {})
		defer p.Cache.Close()
		p.Obstacles = obstacle.New(n, func() {})
		p.Records = firerecord.New(n, h.Time)
		w := run.NewWorker(p, job{t})
		c := New(p, w, job{t})
		defer c.StopAudit()
		p.Failover = failover.New(n, p.Records, w, log)
		p.Resharding = reshard.New(n, p.Records, p.Failover, p.Cache, c.Assign, log)
		p.Requested = requested.New(h.Life, h, p.Cache, n, p.Resharding, w, nil, log, func() {})
		p.Fires = schedule.New(h.Timers, log, w.OnFire, w.Rearm)
		p.Misfires = misfire.New(misfire.NewLedger(misfire.Sources{
			Nodes: n, Records: p.Records, Failover: p.Failover, Tree: p.Cache, Log: log, Now: h.Time, ID: p.Self.ID,
		}), p.Fires, func() {})
		for _, path := range []string{"/ns", "/ns/job", n.Tree.Config()} {
			if _, err := n.Client.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		test(t, n, c)
	})
}

// A job that is missing from the registry is founded with its assignment, and the first step
// publishes a settled view.
func TestFirstRegistration(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, c *Controller) {
		if err := n.Client.DeleteAll(t.Context(), n.Tree.Root()); err != nil {
			t.Fatal(err)
		}
		session := n.Client.Session()
		if outcome, err := c.Register(t.Context(), session, true); outcome != Founded || err != nil {
			t.Fatalf("outcome %v (%v), want founded", outcome, err)
		}
		if removed, err := c.Follow(t.Context(), session); removed || err != nil {
			t.Fatalf("removed %v (%v)", removed, err)
		}
		v, _ := c.Latest.Get()
		if v == nil || !v.Settled || !v.Enabled || len(v.Shards) != 1 || v.ID != id || v.Leader != id {
			t.Errorf("the first view: %+v", v)
		}
	})
}

// A job of another class isn't served, and none of its nodes are overwritten.
func TestConflict(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, c *Controller) {
		c.Def.Class = "ours"
		if _, err := n.Client.Set(t.Context(), n.Tree.Root(), []byte("theirs"), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		_, err := c.Register(t.Context(), n.Client.Session(), true)
		conflict := (*ConflictError)(nil)
		if !errors.As(err, &conflict) || conflict.Stored != "theirs" || conflict.Own != "ours" {
			t.Errorf("register: %v, want a conflict", err)
		}
		if err := c.ConflictWith(t.Context(), "theirs"); err != nil {
			t.Errorf("conflict with its own class: %v", err)
		}
		if _, is, err := n.Client.Exists(t.Context(), n.Tree.Instance(id)); is || err != nil {
			t.Errorf("the instance is registered: %v (%v)", is, err)
		}
	})
}

// A job that was removed while its instance was away isn't created again. If an operator has
// deleted the instance node, the job is shut down here.
func TestRemovedWhileAway(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, c *Controller) {
		session := n.Client.Session()
		if err := n.Client.DeleteAll(t.Context(), n.Tree.Root()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Register(t.Context(), session, true); err != nil {
			t.Fatal(err)
		}
		if err := n.Client.Delete(t.Context(), n.Tree.Instance(id), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if removed, err := c.Follow(t.Context(), session); !removed || err != nil {
			t.Errorf("shut down by an operator: removed %v (%v)", removed, err)
		}
		if err := n.Client.DeleteAll(t.Context(), n.Tree.Root()); err != nil {
			t.Fatal(err)
		}
		if outcome, err := c.Register(t.Context(), session, false); outcome != Gone || err != nil {
			t.Errorf("outcome %v (%v), want gone", outcome, err)
		}
		if _, is, err := n.Client.Exists(t.Context(), n.Tree.Root()); is || err != nil {
			t.Errorf("the job is there again: %v (%v)", is, err)
		}
	})
}
