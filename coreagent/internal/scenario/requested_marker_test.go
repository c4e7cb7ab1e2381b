package scenario_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestR63MarkerRemoved: the markers of a current run are removed by hand, or monitorExecution is
// switched off. The end of the run should still be recorded, and no shard should run twice at once.
func TestR63MarkerRemoved(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(w *workshop){
		"removed": func(w *workshop) { w.delete(w.job.ItemRunning(0)) },
		"switched off": func(w *workshop) {
			w.configure("invoices", func(c *jobconfig.Config) { c.MonitorExecution = false })
		},
		"another's": func(w *workshop) {
			w.delete(w.job.ItemRunning(0))
			w.put(w.job.ItemRunning(0), "10.9.9.9@-@1")
		},
	} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, takes(5*time.Second))
			w.open(1, coreagent.Job{}, nil)
			id := w.submit(jobrun.Request{})
			w.awaitState(id, jobrun.Running)
			harm(w)
			w.awaitState(id, jobrun.Succeeded)
			time.Sleep(time.Minute)
			if got := w.executions(id); len(got) != 1 || w.overlap {
				t.Errorf("%s: executed %+v", name, got)
			}
		})
	}
}

// TestR65MarkerOfTheSessionBefore: failover is on, and a new session finds the running marker of a
// requested run from the previous one. The marker should be removed without offering a failover,
// and the run should continue as its record shows.
func TestR65MarkerOfTheSessionBefore(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = 4 * time.Second
		w := newWorkshop(b, takes(10*time.Second))
		fleet := []*member{w.open(1, coreagent.Job{Failover: true}, nil), w.open(2, coreagent.Job{Failover: true}, nil)}
		time.Sleep(10 * time.Second)
		offered := false
		srv.SetObserver(func(c zkfake.Change) {
			offered = offered || strings.HasPrefix(c.Path, w.job.FailoverItems()+"/")
		})
		id := w.submit(jobrun.Request{})
		b.await("shard 0 is claimed", func() bool { return b.exists(w.job.ItemRunning(0)) })
		if stat := b.stat(w.job.ItemRunning(0)); stat.EphemeralOwner == 0 {
			t.Error("the marker of a requested run is persistent")
		}
		m := fleet[slices.IndexFunc(fleet, func(m *member) bool { return m.id == b.owners("invoices")[0] })]
		m.cut()
		time.Sleep(3500 * time.Millisecond) // The agent has lost the session, but the server hasn't ended it yet.
		m.reconnect()
		done := w.awaitState(id, jobrun.Succeeded)
		w.awaitNoRuns()
		if offered || w.overlap || done.Losses > 1 {
			t.Errorf("offered for failover: %t; %+v; %+v", offered, done, w.executions(id))
		}
	})
}

// TestR66FiftyInstances: fifty instances should claim the shards of one run within a second.
func TestR66FiftyInstances(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, takes(time.Second))
		for n := 1; n <= 50; n++ {
			w.open(n, coreagent.Job{Shards: 500}, nil)
		}
		b.await("each has ten shards", func() bool {
			return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 50 && len(b.leftovers("invoices")) == 0
		})
		w.awaitState(w.submit(jobrun.Request{Shards: []int{0}}), jobrun.Succeeded)
		time.Sleep(time.Minute)
		srv.ResetStats()
		asked := time.Now()
		id := w.submit(jobrun.Request{})
		w.awaitState(id, jobrun.Succeeded)
		writes := srv.Stats().Ops["multi"]
		got := w.executions(id)
		first := make(map[string]time.Duration) // of each instance, which executes several at once
		for _, e := range got {
			if took := e.began.Sub(asked); first[e.on] == 0 || took < first[e.on] {
				first[e.on] = took
			}
		}
		last := slices.Max(slices.Collect(maps.Values(first)))
		if len(got) != 500 || len(first) != 50 || last > time.Second || writes > 600 {
			t.Errorf("%d executions by %d instances, the last began after %v, %d transactions", len(got), len(first), last, writes)
		}
	})
}
