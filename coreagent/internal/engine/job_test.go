package engine

import (
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestTidyingHeedsTheConfiguration: monitorExecution was switched off, and on again
// before the markers were removed. They stay.
func TestTidyingHeedsTheConfiguration(t *testing.T) {
	served(t, func(t *testing.T, _ *zkfake.Server, n *nodes.Nodes, j *Job) {
		mark(t, n, n.Tree.ItemRunning(0))
		off := *j.Def.Config
		off.MonitorExecution = false
		j.control.Config = &off
		j.Cache.WatchChildren(n.Tree.Sharding())
		if err := j.Cache.Refresh(t.Context()); err != nil {
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

// served runs a test in a bubble with a job that serves and makes no control steps.
func served(t *testing.T, test func(t *testing.T, srv *zkfake.Server, n *nodes.Nodes, j *Job)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		n := nodestest.Connect(t, srv, slog.New(slog.DiscardHandler))
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		h := &host.Host{Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: slog.New(slog.DiscardHandler)}
		h.Open()
		defer h.Close()
		config := jobconfig.New("job", 1)
		config.MonitorExecution = true
		j := New(h, host.Definition{Config: config})
		for _, path := range []string{"/ns", "/ns/job", n.Tree.Config()} {
			if _, err := n.Client.Create(t.Context(), path, nil, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		j.phase = serving
		j.watch()
		test(t, srv, n, j)
	})
}

// mark creates a persistent node.
func mark(t *testing.T, n *nodes.Nodes, path string) {
	t.Helper()
	if err := n.Create(t.Context(), path, nil, zk.Persistent); err != nil {
		t.Fatal(err)
	}
}
