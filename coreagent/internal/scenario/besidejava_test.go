package scenario_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// besideJava is a Go agent with a job, and a client that acts on the tree like a Java agent.
type besideJava struct {
	t      *testing.T
	client *zk.Client
	tree   jobtree.Job
	agent  *coreagent.Agent
	ran    chan int // shards
}

const (
	javaID = "10.0.0.2@-@1"
	goID   = "10.0.0.1@-@go"
)

func newBesideJava(t *testing.T, srv zktest.Target) *besideJava {
	t.Helper()
	name := zktest.Namespace(t)
	namespace, err := jobtree.NewNamespace(name)
	if err != nil {
		t.Fatal(err)
	}
	client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}})
	if err != nil {
		t.Fatal(err)
	}
	b := &besideJava{t: t, client: client, tree: namespace.Job("job"), ran: make(chan int, 10)}
	b.agent, err = coreagent.New(coreagent.Config{
		Namespace: name, ZooKeeper: registry.ZooKeeper{Servers: []string{srv.Addr}},
		Address: "10.0.0.1", InstanceSuffix: "go", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	b.agent.HandleFunc(coreagent.Job{Name: "job", Shards: 2}, func(_ context.Context, s *coreagent.Shard) error {
		b.ran <- s.Item
		return nil
	})
	t.Cleanup(func() {
		if err := b.agent.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *besideJava) start() {
	b.t.Helper()
	if err := b.agent.Start(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *besideJava) create(path, data string, mode zk.CreateMode) {
	b.t.Helper()
	if _, err := b.client.CreateAll(b.t.Context(), path, []byte(data), mode); err != nil {
		b.t.Fatal(err)
	}
}

func (b *besideJava) joinJava() {
	b.t.Helper()
	b.create(b.tree.Server("10.0.0.2"), jobtree.ServerEnabled, zk.Persistent)
	b.create(b.tree.Instance(javaID), string(jobtree.EncodeInstance(jobtree.InstanceInfo{ID: javaID, ServerIP: "10.0.0.2"})), zk.Ephemeral)
}

// awaitFlag waits until a resharding is requested.
func (b *besideJava) awaitFlag() {
	b.t.Helper()
	b.poll("a resharding is demanded", func() bool {
		_, flagged, err := b.client.Exists(b.t.Context(), b.tree.Necessary())
		return flagged && err == nil
	})
}

// await waits until a node has this data, or doesn't exist if data is "".
func (b *besideJava) await(path, data string) {
	b.t.Helper()
	b.poll(fmt.Sprintf("%s holds %q", path, data), func() bool {
		got, _, err := b.client.Get(b.t.Context(), path)
		return string(got) == data && (err == nil) == (data != "")
	})
}

func (b *besideJava) poll(what string, ok func() bool) {
	b.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-deadline.C:
			b.t.Fatalf("not in time: %s", what)
		}
	}
}

// TestDisabledLeaderAnnouncesResharding disables the server of a leading Go agent. A Java agent may
// have seen that as a follower and doesn't check again when it's elected. So the flag must be set
// before the leader resigns.
func TestDisabledLeaderAnnouncesResharding(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newBesideJava(t, srv)
		b.start()
		b.joinJava()
		b.await(b.tree.ItemInstance(0), javaID)
		b.await(b.tree.ItemInstance(1), goID)
		b.await(b.tree.Necessary(), "")
		if _, err := b.client.Set(t.Context(), b.tree.Server("10.0.0.1"), []byte(jobtree.ServerDisabled), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		b.await(b.tree.LeaderInstance(), "")
		if _, flagged, err := b.client.Exists(t.Context(), b.tree.Necessary()); err != nil || !flagged {
			t.Errorf("the leader went without announcing a resharding (%v)", err)
		}
	})
}

// TestTriggerBeforeFirstAssignment triggers a job after a Java leader was elected but before it
// sets its first flag. The run should wait until the shards are assigned.
func TestTriggerBeforeFirstAssignment(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newBesideJava(t, srv)
		b.leadAsJava()
		b.start()
		b.create(b.tree.Trigger(goID), "", zk.Persistent)
		b.await(b.tree.Trigger(goID), "")

		b.create(b.tree.Necessary(), "", zk.Persistent)
		b.create(b.tree.Item(0), "", zk.Persistent)
		b.create(b.tree.Item(1), "", zk.Persistent)
		if err := b.client.Multi(t.Context(),
			zk.CreateOp(b.tree.ItemInstance(0), []byte(javaID), zk.Persistent),
			zk.CreateOp(b.tree.ItemInstance(1), []byte(goID), zk.Persistent),
			zk.DeleteOp(b.tree.Necessary(), zk.AnyVersion)); err != nil {
			t.Fatal(err)
		}
		b.wantRun(1, "the triggered run was over before the shards were assigned")
	})
}

// leadAsJava registers the Java agent as the leader of a fleet with assigned shards.
func (b *besideJava) leadAsJava(owners ...string) {
	b.t.Helper()
	b.joinJava()
	b.create(b.tree.LeaderInstance(), javaID, zk.Ephemeral)
	for n, owner := range owners {
		b.create(b.tree.ItemInstance(n), owner, zk.Persistent)
	}
}

// wantRun waits for the next run and checks its shard.
func (b *besideJava) wantRun(shard int, otherwise string) {
	b.t.Helper()
	select {
	case got := <-b.ran:
		if got != shard {
			b.t.Errorf("shard %d ran, want %d", got, shard)
		}
	case <-time.After(patience):
		b.t.Error(otherwise)
	}
}

// assignAsJava assigns both shards to one instance, like a leader that has listed the instances
// before the other one joined.
func (b *besideJava) assignAsJava(owners ...string) {
	b.t.Helper()
	var ops []zk.Op
	for n, owner := range owners {
		ops = append(ops, zk.SetOp(b.tree.ItemInstance(n), []byte(owner), zk.AnyVersion))
	}
	if err := b.client.Multi(b.t.Context(), append(ops, zk.DeleteOp(b.tree.Necessary(), zk.AnyVersion))...); err != nil {
		b.t.Fatal(err)
	}
}

// TestNewcomerClaimsItsShare: a Java leader has assigned the shards without the newcomer, and
// removed the flag that its arrival had set. The newcomer should request another resharding.
func TestNewcomerClaimsItsShare(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newBesideJava(t, srv)
		b.leadAsJava(javaID, javaID)
		b.create(b.tree.Necessary(), "", zk.Persistent)
		b.start()
		b.assignAsJava(javaID, javaID)
		b.awaitFlag()
		b.assignAsJava(javaID, goID)
		b.create(b.tree.Trigger(goID), "", zk.Persistent)
		b.wantRun(1, "the newcomer does not run its shard")
		if _, flagged, err := b.client.Exists(t.Context(), b.tree.Necessary()); flagged || err != nil {
			t.Errorf("a resharding is demanded by an instance that has its shards (%v)", err)
		}
	})
}

// TestNewcomerGivesIn: if the leader intends to leave it without shards, the newcomer should accept
// that.
func TestNewcomerGivesIn(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newBesideJava(t, srv)
		b.leadAsJava(javaID, javaID)
		b.start()
		for range 3 {
			b.awaitFlag()
			b.assignAsJava(javaID, javaID)
		}
		// The agent takes a trigger only after checking the assignment, so once the trigger is
		// gone, the check is over.
		b.create(b.tree.Trigger(goID), "", zk.Persistent)
		b.await(b.tree.Trigger(goID), "")
		b.create(b.tree.Trigger(goID), "", zk.Persistent)
		b.await(b.tree.Trigger(goID), "")
		if _, flagged, err := b.client.Exists(t.Context(), b.tree.Necessary()); flagged || err != nil {
			t.Errorf("a fourth resharding is demanded (%v)", err)
		}
	})
}

// TestTriggerBeforeElection triggers a job before there's a leader, while its shards still belong
// to instances of an earlier start. The run should wait until the shards are assigned.
func TestTriggerBeforeElection(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newBesideJava(t, srv)
		b.joinJava()
		b.create(b.tree.ItemInstance(0), "10.0.0.1@-@dead", zk.Persistent)
		b.create(b.tree.ItemInstance(1), "10.0.0.1@-@dead", zk.Persistent)
		latch := b.tree.ElectionLatch() + "/_c_00000000-0000-0000-0000-000000000000-latch-0000000000"
		b.create(latch, "", zk.Ephemeral) // Java is taking part in the election.
		b.start()
		b.create(b.tree.Trigger(goID), "", zk.Persistent)
		b.await(b.tree.Trigger(goID), "")
		// Java sets the flag shortly after its election. A run that begins between these two isn't
		// what we test here.
		b.create(b.tree.Necessary(), "", zk.Persistent)
		b.create(b.tree.LeaderInstance(), javaID, zk.Ephemeral)
		if err := b.client.Delete(t.Context(), latch, zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		b.assignAsJava(javaID, goID)
		b.wantRun(1, "the triggered run was over before the shards were assigned")
	})
}

// javaTurns acts like a Java agent 3.0.5 in a job that rotates: shortly after each fire time it
// checks whose turn it is, and after a run it names the successor's address. It returns the fire
// times that it ran for.
func javaTurns(b *fixture, lag, period time.Duration, rounds int, successor string) map[int64]int {
	b.Helper()
	tree := b.tree.Job("job")
	ran := make(map[int64]int)
	for range rounds {
		at := sleepUntilNext(period)
		time.Sleep(lag)
		next, named := b.get(tree.NextInstanceIP())
		owner, _ := b.get(tree.ItemInstance(0))
		if named && next != "10.0.0.2" || !named && owner != javaID {
			continue
		}
		ran[at.Unix()]++
		time.Sleep(100 * time.Millisecond)
		if named {
			b.delete(tree.NextInstanceIP())
		}
		_, err := b.client.Create(b.ctx(), tree.NextInstanceIP(), []byte(successor), zk.Ephemeral)
		b.must(err)
	}
	return ran
}

// joinJavas registers Java agents with the address 10.0.0.2.
func (b *fixture) joinJavas(ids ...string) {
	b.Helper()
	tree := b.tree.Job("job")
	b.put(tree.Server("10.0.0.2"), jobtree.ServerEnabled)
	for _, id := range ids {
		_, err := b.client.Create(b.ctx(), tree.Instance(id), jobtree.EncodeInstance(jobtree.InstanceInfo{ID: id, ServerIP: "10.0.0.2"}), zk.Ephemeral)
		b.must(err)
	}
}

// runsAt counts the runs of our agent by fire time.
func (b *fixture) runsAt(from, to time.Time) map[int64]int {
	runs := make(map[int64]int)
	for _, r := range b.runs.between("job", from, to) {
		runs[r.shard.ScheduledAt.Unix()]++
	}
	return runs
}

// TestV02TurnsBesideJava: a Java agent checks whose turn it is some time after the fire time. Each
// fire time should run once, in one of the agents, and both should get their turns.
func TestV02TurnsBesideJava(t *testing.T) {
	for _, lag := range []time.Duration{20 * time.Millisecond, 135 * time.Millisecond, 400 * time.Millisecond} {
		t.Run(lag.String(), func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				job := balanced()
				job.Schedule.Cron = "0/2 * * * * ?"
				b.agent(1).serve(job, nil).start()
				b.joinJavas(javaID)
				time.Sleep(5 * time.Second)
				b.runs.forget()
				from := sleepUntilNext(2 * time.Second)
				java := javaTurns(b, lag, 2*time.Second, 30, "10.0.0.1")
				runs := b.runsAt(from.Add(time.Second), time.Now())
				if len(java) < 10 || len(runs) < 10 {
					t.Errorf("%d turns of Java and %d here, want about fifteen each", len(java), len(runs))
				}
				for at := range java {
					runs[at]++
				}
				for at, n := range runs {
					if n != 1 {
						t.Errorf("the fire time %v ran %d times", time.Unix(at, 0).UTC().Format(time.TimeOnly), n)
					}
				}
			})
		})
	}
}

// TestV40TwoJavasOfOneAddress: a Java agent 3.0.5 finds itself by searching the list of instances
// for its address, and names the address of the next instance. If two of them share a machine, they
// keep naming their own address, and both run each fire time, which we can't prevent. Our agent
// should leave these fire times to them, and continue when they've left.
func TestV40TwoJavasOfOneAddress(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const period = 2 * time.Second
		javas := []string{"10.0.0.2@-@1", "10.0.0.2@-@2"}
		job := balanced()
		job.Schedule.Cron = "0/2 * * * * ?"
		tree := b.tree.Job("job")
		b.agent(1).serve(job, nil).start()
		b.joinJavas(javas...)
		time.Sleep(5 * time.Second)
		b.runs.forget()
		from := sleepUntilNext(period)
		java := javaTurns(b, 50*time.Millisecond, period, 30, "10.0.0.2")
		if len(java) < 28 {
			t.Errorf("%d turns of Java of thirty", len(java))
		}
		first := int64(1 << 62)
		for at := range java {
			first = min(first, at)
		}
		for at := range b.runsAt(from.Add(time.Second), time.Now()) {
			if at >= first {
				t.Errorf("the fire time %v of Java ran here", time.Unix(at, 0).UTC().Format(time.TimeOnly))
			}
		}
		for _, id := range javas {
			b.delete(tree.Instance(id))
		}
		// The leader may already have removed it.
		b.must(zk.Ignore(b.client.Delete(b.ctx(), tree.NextInstanceIP(), zk.AnyVersion), zk.ErrNoNode))
		time.Sleep(10 * time.Second)
		from = sleepUntilNext(period).Add(time.Second)
		time.Sleep(10 * period)
		runs := b.runsAt(from, time.Now())
		if len(runs) < 9 {
			t.Errorf("%d of ten fire times ran when Java had left", len(runs))
		}
		for at, n := range runs {
			if n != 1 {
				t.Errorf("the fire time %v ran %d times", time.Unix(at, 0).UTC().Format(time.TimeOnly), n)
			}
		}
	})
}

// TestV37MarkerOfAnother: a Java agent doesn't check the assignment, so it starts a shard at the
// same time as we do and overwrites our running marker. When our run ends, the marker should stay,
// because the shard is still running there.
func TestV37MarkerOfAnother(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		open := make(gate)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}, open.handle).start()
		b.awaitOwners("job", m.id, m.id)
		b.await("both shards run", func() bool { return b.exists(tree.ItemRunning(0)) && b.exists(tree.ItemRunning(1)) })
		b.put(tree.ItemRunning(0), javaID)
		close(open)
		b.await("the run has ended", func() bool {
			data, _ := b.get(tree.ItemRunning(1))
			return data == "" || b.runs.count("job", 1) > 1
		})
		b.await("shard 1 runs again", func() bool { return b.runs.count("job", 1) > 2 })
		if data, _ := b.get(tree.ItemRunning(0)); data != javaID {
			t.Errorf("the marker of the Java agent holds %q, want %q", data, javaID)
		}
		if n := b.runs.count("job", 0); n != 1 {
			t.Errorf("shard 0 ran %d times while it ran elsewhere", n)
		}
		b.delete(tree.ItemRunning(0))
		b.await("shard 0 runs again", func() bool { return b.runs.count("job", 0) > 1 })
	})
}
