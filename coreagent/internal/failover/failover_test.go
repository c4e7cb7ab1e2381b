package failover_test

import (
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

const (
	own  = "10.0.0.1@-@1"
	dead = "10.0.0.9@-@9"
)

// survivor is the remaining instance. It runs nothing.
type survivor struct {
	free               bool
	rotates, strangers bool
	taken              []int
	reserved, doubtful []int
	token              int64
	due                jobtree.Due
	ahead              time.Duration // of its clock
}

func (s *survivor) ID() string                   { return own }
func (s *survivor) Runs(int) (runs, claims bool) { return false, false }
func (s *survivor) Free() bool                   { return s.free }
func (s *survivor) Now() time.Time               { return time.Now().Add(s.ahead) }
func (s *survivor) Newest(marked time.Time) time.Time {
	if s.ahead == 0 {
		return s.Now()
	}
	return marked.Add(time.Minute)
}

func (s *survivor) Rotates() bool    { return s.rotates }
func (s *survivor) OnlyAgents() bool { return !s.strangers }

// Missed implements [failover.Job]. The job fires at each full hour.
func (s *survivor) Missed(after, until time.Time) (time.Time, bool) {
	if newest := until.Truncate(time.Hour); newest.After(after) {
		return newest, true
	}
	return time.Time{}, true
}

func (s *survivor) Doubt(shard int) { s.doubtful = append(s.doubtful, shard) }

func (s *survivor) Reserve(shard int) bool {
	s.reserved = append(s.reserved, shard)
	return true
}

func (s *survivor) Unreserve(shard int) {
	s.reserved = slices.DeleteFunc(s.reserved, func(n int) bool { return n == shard })
}

func (s *survivor) Take(c failover.Claim) {
	s.free, s.token, s.due = false, c.Token, c.Due
	s.taken = append(s.taken, c.Shard)
}

type fixture struct {
	*failover.Failover
	t      *testing.T
	srv    *zkfake.Server
	nodes  *nodes.Nodes
	config *jobconfig.Config
}

func (f *fixture) put(path, data string) {
	f.t.Helper()
	if _, err := f.nodes.Client.CreateAll(f.t.Context(), path, []byte(data), zk.Persistent); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) data(path string) string {
	f.t.Helper()
	data, _, err := f.nodes.Client.Get(f.t.Context(), path)
	if zk.Ignore(err, zk.ErrNoNode) != nil {
		f.t.Fatal(err)
	}
	if err != nil {
		return "absent"
	}
	return string(data)
}

func (f *fixture) wants(nodes map[string]string) {
	f.t.Helper()
	for path, want := range nodes {
		if got := f.data(path); got != want {
			f.t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// crash returns the crash of an instance that ran shards 0 and 1 of three, and owned all of them.
func (f *fixture) crash(onlyAgents bool) failover.Crash {
	f.t.Helper()
	stat, exists, err := f.nodes.Client.Exists(f.t.Context(), f.nodes.Tree.Agents())
	if err != nil {
		f.t.Fatal(err)
	}
	// The dead instance's markers are the last nodes of the fixture.
	running, _, err := f.nodes.Client.Exists(f.t.Context(), f.nodes.Tree.ItemRunning(1))
	if err != nil {
		f.t.Fatal(err)
	}
	return failover.Crash{
		Config: f.config, Enabled: true, Crashed: []string{dead}, Present: []string{own}, Missing: running.Czxid, Owners: []string{dead, dead, dead},
		Agents: recipe.Node{Exists: exists, Stat: stat}, OnlyAgents: onlyAgents,
	}
}

func inBubble(t *testing.T, test func(f *fixture, s *survivor)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		log := slog.New(slog.DiscardHandler)
		n, s := nodestest.Connect(t, srv, log), &survivor{free: true}
		f := &fixture{Failover: failover.New(n, firerecord.New(n, time.Now), s, log), t: t, srv: srv, nodes: n, config: jobconfig.New("job", 3)}
		f.config.Failover, f.config.MonitorExecution = true, true
		document, err := f.config.Encode()
		if err != nil {
			t.Fatal(err)
		}
		tree := n.Tree
		f.put(tree.Config(), string(document))
		f.put(tree.Server(jobtree.InstanceIP(dead)), jobtree.ServerEnabled)
		f.put(tree.Leader(), "")
		f.put(n.Agent(own), "")
		for shard := range 3 {
			f.put(tree.ItemInstance(shard), dead)
		}
		f.put(tree.ItemRunning(0), dead)
		f.put(tree.ItemRunning(1), dead)
		test(f, s)
	})
}

// Shards that the dead instance was running are offered, and a free survivor claims one of them.
// Shards that it only owned are left to the leader. The path with the latch, next to Java's agents,
// has the same result.
func TestSurvivorOffersAndTakes(t *testing.T) {
	t.Parallel()
	for name, onlyAgents := range map[string]bool{"one transaction": true, "latch": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(f *fixture, s *survivor) {
				departing, err := f.HandleCrash(f.t.Context(), f.crash(onlyAgents), s)
				if err != nil || len(departing) > 0 {
					t.Fatalf("departing %v, %v", departing, err)
				}
				if err := f.Take(f.t.Context(), f.config, s); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(s.taken, []int{1}) || s.token == 0 || len(s.doubtful) > 0 {
					t.Errorf("took %v with token %d, in doubt %v", s.taken, s.token, s.doubtful)
				}
				tree := f.nodes.Tree
				running := "absent"
				if onlyAgents {
					running = own // The claim has marked it.
				}
				f.wants(map[string]string{
					tree.FailoverItem(0): "", tree.ItemRunning(0): "absent", tree.ItemFailover(0): "absent",
					tree.FailoverItem(1): "absent", tree.ItemRunning(1): running, tree.ItemFailover(1): own, tree.ItemFailovering(1): own,
					tree.FailoverItem(2): "absent",
				})
			})
		})
	}
}

// A reserved shard is released if the transaction is refused, and is then offered under the latch.
func TestRefusedClaimIsUnreserved(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture, s *survivor) {
		c := f.crash(true)
		c.Agents.Stat.Version++ // Another survivor has released a shard since.
		if _, err := f.HandleCrash(f.t.Context(), c, s); err != nil {
			t.Fatal(err)
		}
		if len(s.taken)+len(s.reserved) != 0 {
			t.Errorf("taken %v, still reserved %v", s.taken, s.reserved)
		}
		f.wants(map[string]string{f.nodes.Tree.FailoverItem(0): "", f.nodes.Tree.FailoverItem(1): ""})
	})
}

// Shards of a server that the operator disabled don't fail over, and shards of a running instance
// that was shut down are checked again.
func TestShutDownIsNoCrash(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture, s *survivor) {
		tree := f.nodes.Tree
		f.put(f.nodes.Agent(dead), "")
		departing, err := f.HandleCrash(f.t.Context(), f.crash(true), s)
		if !slices.Contains(departing, dead) || err != nil {
			t.Errorf("departing %v, %v", departing, err)
		}
		if err := f.nodes.Client.Delete(f.t.Context(), f.nodes.Agent(dead), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if _, err := f.nodes.Client.Set(f.t.Context(), tree.Server(jobtree.InstanceIP(dead)), []byte(jobtree.ServerDisabled), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if departing, err := f.HandleCrash(f.t.Context(), f.crash(true), s); len(departing) > 0 || err != nil {
			t.Errorf("departing %v, %v", departing, err)
		}
		f.wants(map[string]string{tree.FailoverItem(0): "absent", tree.ItemRunning(0): dead, tree.ItemRunning(1): dead})
	})
}

// An ephemeral marker was made without failover, and its instance left while the run finishes. A
// survivor that doesn't know yet that failover was switched off must leave it; otherwise the shard
// would run twice at once.
func TestMarkerOfALiveSession(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture, s *survivor) {
		tree := f.nodes.Tree
		for shard := range 2 {
			if err := f.nodes.Client.Delete(f.t.Context(), tree.ItemRunning(shard), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
			if _, err := f.nodes.Client.Create(f.t.Context(), tree.ItemRunning(shard), []byte(dead), zk.Ephemeral); err != nil {
				t.Fatal(err)
			}
		}
		for _, onlyAgents := range []bool{true, false} {
			if departing, err := f.HandleCrash(f.t.Context(), f.crash(onlyAgents), s); len(departing) > 0 || err != nil {
				t.Errorf("departing %v, %v", departing, err)
			}
		}
		f.wants(map[string]string{tree.FailoverItem(0): "absent", tree.ItemRunning(0): dead, tree.ItemRunning(1): dead})
	})
}

// If an instance rejoins while a survivor reads its markers, new markers may arrive with an older
// reply that shows no instance.
func TestInstanceRejoinsDuringRelease(t *testing.T) {
	t.Parallel()
	for name, release := range map[string]func(f *fixture, s *survivor, c failover.Crash) error{
		"crash": func(f *fixture, s *survivor, c failover.Crash) error {
			_, err := f.HandleCrash(f.t.Context(), c, s)
			return err
		},
		"release": func(f *fixture, _ *survivor, _ failover.Crash) error { return f.Release(f.t.Context(), 2, dead, true) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(f *fixture, s *survivor) {
				tree := f.nodes.Tree
				other, crash := nodestest.Connect(f.t, f.srv, slog.New(slog.DiscardHandler)), f.crash(true)
				slow := true
				f.srv.SetFault(func(r zkfake.Request) zkfake.Fault {
					if slow && r.Path == tree.ItemRunning(2) {
						slow = false
						return zkfake.DelayRequest(time.Second)
					}
					return zkfake.None
				})
				done := make(chan error, 1)
				go func() { done <- release(f, s, crash) }()
				synctest.Wait()
				rejoined := []string{tree.Instance(dead), tree.ItemRunning(2)}
				if name == "crash" {
					rejoined = rejoined[1:] // as if the instance had been read first
				}
				for _, path := range rejoined {
					if _, err := other.Client.CreateAll(f.t.Context(), path, []byte(dead), zk.Persistent); err != nil {
						t.Fatal(err)
					}
				}
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				f.wants(map[string]string{tree.ItemRunning(2): dead, tree.FailoverItem(2): "absent"})
			})
		})
	}
}

// If switching off failover removes a claim, the owner gets a newer token than the taker. After
// another edit the claim stays, and without a claim nothing is written.
func TestDroppedClaimRenewsTheToken(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture, _ *survivor) {
		tree := f.nodes.Tree
		f.put(tree.ItemFailovering(0), own)
		token := func(shard int) int64 {
			stat, _, err := f.nodes.Client.Exists(f.t.Context(), tree.ItemInstance(shard))
			if err != nil {
				t.Fatal(err)
			}
			return stat.Mzxid
		}
		before, other := token(0), token(1)
		if err := f.DropClaim(f.t.Context(), 0, zk.CheckOp(tree.Config(), 7)); !errors.Is(err, zk.ErrBadVersion) || token(0) != before {
			t.Errorf("after an edit: %v, token %d after %d", err, token(0), before)
		}
		for shard := range 2 {
			if err := f.DropClaim(f.t.Context(), shard, zk.CheckOp(tree.Config(), 0)); err != nil {
				t.Fatal(err)
			}
		}
		if token(0) <= before || token(1) != other {
			t.Errorf("tokens %d and %d, were %d and %d", token(0), token(1), before, other)
		}
		f.wants(map[string]string{tree.ItemFailovering(0): "absent", tree.ItemInstance(0): dead})
	})
}

// An owner that came back has made new markers, which must stay.
func TestReleaseKeepsNewerMarkers(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture, s *survivor) {
		tree := f.nodes.Tree
		f.put(tree.Instance(dead), "")
		f.put(tree.ItemRunning(2), dead)
		for shard := range 3 {
			if err := f.Release(f.t.Context(), shard, dead, true); err != nil {
				t.Fatal(err)
			}
		}
		f.wants(map[string]string{
			tree.ItemRunning(0): "absent", tree.ItemRunning(1): "absent", tree.ItemRunning(2): dead,
			tree.FailoverItem(0): "", tree.FailoverItem(2): "absent",
		})
	})
}
