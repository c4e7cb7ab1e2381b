package lead

import (
	"log/slog"
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

// monitorExecution was switched off, and on again before the markers were removed, so they stay.
func TestTidyMarkersChecksTheConfiguration(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, l *Leader) {
		mark(t, n, n.Tree.ItemRunning(0))
		off := *l.Def.Config
		off.MonitorExecution = false
		settings := view.Settings{Config: &off}
		l.Cache.WatchChildren(n.Tree.Sharding())
		if err := l.Cache.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, edited := range []bool{true, false} {
			if edited {
				settings.ConfigVersion = 0
				if _, err := n.Client.Set(t.Context(), n.Tree.Config(), nil, 0); err != nil {
					t.Fatal(err)
				}
			} else {
				settings.ConfigVersion = 1
			}
			l.facts.View = &view.View{Settings: settings}
			if tidied, err := l.tidyMarkers(t.Context()); tidied == edited || err != nil {
				t.Errorf("edited %v: tidied %v, %v", edited, tidied, err)
			}
			if _, is, err := n.Client.Exists(t.Context(), n.Tree.ItemRunning(0)); is != edited || err != nil {
				t.Errorf("edited %v: marked running %v, %v", edited, is, err)
			}
		}
	})
}

type job struct{ *testing.T }

func (job) Guard(_ string, fn func()) bool        { fn(); return true }
func (job) Kick()                                 {}
func (job) Retry(time.Duration)                   {}
func (job) Leaving() bool                         { return false }
func (j job) Hinder(at obstacle.Stage, err error) { j.Errorf("stage %v is held up: %v", at, err) }

const id = "10.0.0.1@-@1"

// inBubble runs a test in a bubble with a leader of a job with only this instance. Its server is
// enabled.
func inBubble(t *testing.T, test func(t *testing.T, n *nodes.Nodes, l *Leader)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		log := slog.New(slog.DiscardHandler)
		n := nodestest.Connect(t, srv, log)
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		h := &host.Host{Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: log, Recorder: tracing.Discard}
		h.Open()
		defer h.Close()
		config := jobconfig.New("job", 1)
		config.MonitorExecution = true
		p := &run.Parts{
			Host: h, Def: host.Definition{Config: config}, Nodes: n, Tree: n.Tree, Log: log, Life: h.Life,
			Latest: view.NewLatest(), Self: view.NewIdentity(id),
		}
		p.Cache = view.NewTree(n, h.IP, jobtree.Hold{}, h.Time, func() {})
		defer p.Cache.Close()
		p.Obstacles = obstacle.New(n, func() {})
		p.Records = firerecord.New(n, h.Time)
		w := run.NewWorker(p, job{t})
		p.Failover = failover.New(n, p.Records, w, log)
		l := New(p, job{t})
		p.Resharding = reshard.New(n, p.Records, p.Failover, p.Cache, l.Assign, log)
		p.Fires = schedule.New(h.Timers, log, w.OnFire, w.Rearm)
		p.Misfires = misfire.New(misfire.NewLedger(misfire.Sources{
			Nodes: n, Records: p.Records, Failover: p.Failover, Tree: p.Cache, Log: log, Now: h.Time, ID: p.Self.ID,
		}), p.Fires, func() {})
		document, err := config.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), document, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		for path, data := range map[string][]byte{
			n.Tree.Instance(id): jobtree.EncodeInstance(jobtree.InstanceInfo{ID: id, ServerIP: h.IP}),
			n.Tree.Server(h.IP): []byte(jobtree.ServerEnabled),
		} {
			if err := n.Create(t.Context(), path, data, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		p.Cache.WatchChildren(n.Tree.Instances())
		p.Cache.WatchChildren(n.Flags())
		for _, path := range []string{n.Tree.Config(), n.Tree.Server(h.IP), n.Tree.LeaderInstance()} {
			p.Cache.Watch(path)
		}
		if err := p.Cache.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		test(t, n, l)
	})
}

func mark(t *testing.T, n *nodes.Nodes, path string) {
	t.Helper()
	if err := n.Create(t.Context(), path, nil, zk.Persistent); err != nil {
		t.Fatal(err)
	}
}

// The only instance is elected, announces a resharding because the shard has no owner, and resigns
// when its server is disabled.
func TestLeaderTerm(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, l *Leader) {
		v := &view.View{Epoch: n.Client.Session().Epoch, ID: id, Enabled: true, Settings: view.Settings{Config: l.Def.Config}}
		facts := Facts{View: v, Owners: []string{""}, Instances: []string{id}}
		if l.Leads() {
			t.Fatal("it leads before it was elected")
		}
		if err := l.Step(t.Context(), facts); err != nil || !l.Leads() || !l.Tracks(n.Tree.Sharding()) {
			t.Fatalf("leads %v (%v)", l.Leads(), err)
		}
		time.Sleep(time.Minute)
		if owner, _, err := n.Client.Get(t.Context(), n.Tree.ItemInstance(0)); string(owner) != id || err != nil {
			t.Errorf("the shard's owner is %q (%v)", owner, err)
		}
		if !l.Asked() || l.Asked() {
			t.Error("the assignment isn't read again once")
		}
		disabled := *v
		disabled.Enabled = false
		facts.View = &disabled
		if err := l.Step(t.Context(), facts); err != nil || l.Leads() || l.Tracks(n.Tree.Sharding()) {
			t.Errorf("with a disabled server it leads %v (%v)", l.Leads(), err)
		}
	})
}

// The states that need a resharding.
func TestReasons(t *testing.T) {
	inBubble(t, func(t *testing.T, n *nodes.Nodes, l *Leader) {
		mark(t, n, n.Tree.Item(0))
		l.Cache.WatchChildren(n.Tree.Sharding())
		if err := l.Cache.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		v := &view.View{ID: id, Enabled: true, Settings: view.Settings{Config: l.Def.Config}}
		for name, c := range map[string]struct {
			owners, available []string
			calls             bool
		}{
			"not read yet":   {nil, []string{id}, false},
			"without owner":  {[]string{""}, []string{id}, true},
			"owner has left": {[]string{"10.0.0.9@-@1"}, []string{id}, true},
			"as it should":   {[]string{id}, []string{id}, false},
		} {
			l.facts = Facts{View: v, Owners: c.owners}
			if reason := l.reshardReason(v, c.available); (reason != "") != c.calls {
				t.Errorf("%s: the reason is %q", name, reason)
			}
		}
	})
}
