package reshard_test

import (
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

const (
	first  = "10.0.0.1@-@1" // the leader, which owned every shard
	second = "10.0.0.2@-@2" // the new instance
)

// leader is the resharding instance. It has no watches.
type leader struct{}

func (l *leader) ID() string                   { return first }
func (l *leader) Runs(int) (runs, claims bool) { return false, false }
func (l *leader) Now() time.Time               { return time.Now() }
func (l *leader) Newest(time.Time) time.Time   { return time.Now() }
func (l *leader) Rotates() bool                { return false }
func (l *leader) OnlyAgents() bool             { return true }
func (l *leader) Missed(time.Time, time.Time) (newest time.Time, scheduled bool) {
	return time.Time{}, false
}

func (l *leader) Assign(name string, instances []string, shards int) (map[string][]int, error) {
	strategy, err := sharding.ByName(name)
	if err != nil {
		return nil, err
	}
	return strategy.Assign(instances, "job", shards), nil
}

type fixture struct {
	*reshard.Resharding
	t     *testing.T
	srv   *zkfake.Server
	nodes *nodes.Nodes
	tree  *view.Tree
}

func (f *fixture) put(path, data string) {
	f.t.Helper()
	if _, err := f.nodes.Client.CreateAll(f.t.Context(), path, []byte(data), zk.Persistent); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) set(path, data string) {
	f.t.Helper()
	if _, err := f.nodes.Client.Set(f.t.Context(), path, []byte(data), zk.AnyVersion); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) owners() []string {
	f.t.Helper()
	read, _, err := f.Read(f.t.Context(), 3, false)
	if err != nil {
		f.t.Fatal(err)
	}
	return read.Owners
}

// run reshards once and sends the outcome to done.
func (f *fixture) run() (done chan reshard.Outcome) {
	f.t.Helper()
	if !f.Begin() {
		f.t.Fatal("a resharding is under way")
	}
	done = make(chan reshard.Outcome, 1)
	go func() {
		done <- f.Run(f.t.Context(), f.nodes.Client.Session().Epoch, reshard.Assignment{}, func(reshard.Outcome) {})
	}()
	return done
}

// inBubble runs a test with three shards that all belong to one instance. A second instance has
// joined, so the leader has announced a resharding.
func inBubble(t *testing.T, test func(f *fixture)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		log := slog.New(slog.DiscardHandler)
		n, l := nodestest.Connect(t, srv, log), new(leader)
		records := firerecord.New(n, time.Now)
		watched := view.NewTree(n, jobtree.InstanceIP(first), jobtree.Hold{}, time.Now, func() {})
		f := &fixture{t: t, srv: srv, nodes: n, tree: watched}
		f.Resharding = reshard.New(n, records, failover.New(n, records, l, log), watched, l.Assign, log)
		config := jobconfig.New("job", 3)
		config.Cron, config.MonitorExecution, config.Misfire = "0 0 0 * * ?", true, true
		document, err := config.Encode()
		if err != nil {
			t.Fatal(err)
		}
		tree := n.Tree
		f.put(tree.Config(), string(document))
		f.put(tree.LeaderInstance(), first)
		for _, id := range []string{first, second} {
			f.put(tree.Server(jobtree.InstanceIP(id)), jobtree.ServerEnabled)
			f.put(tree.Instance(id), string(jobtree.EncodeInstance(jobtree.InstanceInfo{ID: id, ServerIP: jobtree.InstanceIP(id)})))
			f.put(n.Agent(id), "")
		}
		for shard := range 3 {
			f.put(tree.ItemInstance(shard), first)
		}
		f.put(tree.Necessary(), "")
		test(f)
	})
}

// The shards should be assigned by the strategy, the flags deleted, and the records should have the
// new owners' names. A second attempt has nothing to do.
func TestAssignsAnew(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture) {
		o := <-f.run()
		if !o.Assigned || o.Err != nil || f.Stuck() != nil || f.Basis() == "" || !f.JustEnded() {
			t.Errorf("%+v, stuck %v, basis %q", o, f.Stuck(), f.Basis())
		}
		owners := f.owners()
		slices.Sort(owners)
		if !slices.Equal(owners, []string{first, second, second}) {
			t.Errorf("owners %v", owners)
		}
		if _, flagged, err := f.ReadFlags(f.t.Context()); flagged || err != nil {
			t.Errorf("a flag is set: %v, %v", flagged, err)
		}
		moved := slices.Index(f.owners(), second)
		data, _, err := f.nodes.Client.Get(f.t.Context(), f.nodes.Tree.FireRecord(moved))
		if record, ok := jobtree.DecodeFireRecord(data); !ok || err != nil || record.Owner != second {
			t.Errorf("the record of the shard that moved is %+v, %v", record, err)
		}
		// If no flag is set, we may have lost a watch event.
		watched := f.nodes.Tree.LeaderInstance()
		f.tree.Watch(watched)
		if err := f.tree.Refresh(f.t.Context()); err != nil {
			t.Fatal(err)
		}
		f.srv.SetWatchFault(func(zkfake.WatchEvent) bool { return true })
		f.set(watched, second)
		if o := <-f.run(); o.Assigned || o.Err != nil {
			f.t.Errorf("without a flag %+v", o)
		}
		if err := f.tree.Refresh(f.t.Context()); err != nil || string(f.tree.Get(watched).Data) != second {
			t.Errorf("the watches still show %q, %v", f.tree.Get(watched).Data, err)
		}
	})
}

// If a shard moves, its record should keep the interrupted run. If a claim is given back, the
// record shows which fire time must be offered again.
func TestInterruptedRunStaysInTheRecord(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture) {
		begun := jobtree.Due{At: time.Now()}
		record := jobtree.FireRecord{Completed: begun.At.Add(-time.Hour), Through: begun.At.Add(-time.Hour), Owner: first, Begun: begun}
		for shard := range 3 {
			f.put(f.nodes.Tree.FireRecord(shard), string(record.Encode()))
		}
		if o := <-f.run(); !o.Assigned || o.Err != nil {
			f.t.Fatalf("%+v", o)
		}
		data, _, err := f.nodes.Client.Get(f.t.Context(), f.nodes.Tree.FireRecord(slices.Index(f.owners(), second)))
		if moved, ok := jobtree.DecodeFireRecord(data); !ok || err != nil || moved.Owner != second || !moved.Begun.Equal(begun) {
			f.t.Errorf("the record of the shard that moved is %+v, %v", moved, err)
		}
	})
}

// A running shard isn't taken from its owner; the resharding waits until the run ends.
func TestRunningShardIsWaitedFor(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture) {
		for shard := range 3 {
			f.put(f.nodes.Tree.ItemRunning(shard), first)
		}
		done := f.run()
		time.Sleep(10 * time.Second)
		if len(done) != 0 || f.Begin() {
			t.Error("the resharding did not wait, or another one has begun beside it")
		}
		if owners := f.owners(); !slices.Equal(owners, []string{first, first, first}) {
			t.Errorf("owners while all shards run: %v", owners)
		}
		for shard := range 3 {
			if err := f.nodes.Client.Delete(f.t.Context(), f.nodes.Tree.ItemRunning(shard), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
		}
		if o := <-done; !o.Assigned || o.Err != nil || !slices.Contains(f.owners(), second) {
			t.Errorf("%+v, owners %v", o, f.owners())
		}
	})
}

// The marker of an instance that left is cleared after a session timeout, not earlier.
func TestStaleMarkerIsCleared(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture) {
		for shard := range 3 {
			f.put(f.nodes.Tree.ItemRunning(shard), "10.0.0.9@-@9")
		}
		began := time.Now()
		o := <-f.run()
		if patience := f.nodes.Client.Session().Timeout; !o.Assigned || o.Err != nil || time.Since(began) < patience || time.Since(began) > 2*patience {
			t.Errorf("after %v, with a session timeout of %v: %+v", time.Since(began), patience, o)
		}
	})
}

// A job with an unknown strategy can't be resharded, so the flag should stay and the error be
// reported once.
func TestUnknownStrategySticks(t *testing.T) {
	t.Parallel()
	inBubble(t, func(f *fixture) {
		config := jobconfig.New("job", 3)
		config.StrategyType = "NOBODYS"
		document, err := config.Encode()
		if err != nil {
			t.Fatal(err)
		}
		f.set(f.nodes.Tree.Config(), string(document))
		for attempt := range 2 {
			if o := <-f.run(); o.Err == nil || o.Passing || o.Assigned || o.Repeated != (attempt > 0) || f.Stuck() == nil {
				t.Errorf("attempt %d: %+v, stuck %v", attempt, o, f.Stuck())
			}
		}
		if f.Forget(); f.Stuck() != nil {
			t.Errorf("stuck in the next term: %v", f.Stuck())
		}
	})
}

// If the shard rotates and the only server with an instance is disabled, the operator wants no
// runs, so a new instance has nothing to make up for. If that server is enabled, the fire time was
// missed.
func TestTurnsOfADisabledServerAreNotMissed(t *testing.T) {
	t.Parallel()
	for status, missed := range map[string]bool{jobtree.ServerDisabled: false, jobtree.ServerEnabled: true} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(f *fixture) {
				tree := f.nodes.Tree
				config := jobconfig.New("job", 1)
				config.Cron, config.MonitorExecution, config.Misfire = "0 0 * * * ?", true, true
				config.StrategyType = sharding.NameSingleShardingBalance
				document, err := config.Encode()
				if err != nil {
					f.t.Fatal(err)
				}
				f.set(tree.Config(), string(document))
				f.set(tree.Server(jobtree.InstanceIP(first)), status)
				now := time.Now()
				f.put(tree.FireRecord(0), string(jobtree.FireRecord{Completed: now, Through: now, Owner: first}.Encode()))
				instance, _, err := f.nodes.Client.Get(f.t.Context(), tree.Instance(second))
				if err != nil {
					f.t.Fatal(err)
				}
				if err := f.nodes.Client.Delete(f.t.Context(), tree.Instance(second), zk.AnyVersion); err != nil {
					f.t.Fatal(err)
				}
				time.Sleep(time.Hour + 10*time.Second) // The fire time passes.
				f.put(tree.Instance(second), string(instance))
				if status == jobtree.ServerEnabled {
					err = f.nodes.Client.Delete(f.t.Context(), tree.Instance(first), zk.AnyVersion)
				}
				if o := <-f.run(); !o.Assigned || o.Err != nil || err != nil {
					f.t.Fatalf("%+v, %v", o, err)
				}
				if _, marked, err := f.nodes.Client.Exists(f.t.Context(), tree.ItemMisfire(0)); marked != missed || err != nil {
					f.t.Errorf("a misfire marker: %v, %v; want %v", marked, err, missed)
				}
			})
		})
	}
}
