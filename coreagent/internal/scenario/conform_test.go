package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// wantOrder checks that the agents' transactions on a job contain the steps in this order. A step
// is one transaction or a part of it: "+ a, - b". It returns the position after the last step.
func (b *fixture) wantOrder(job string, steps ...string) {
	b.Helper()
	changes := b.changes(job)
	next := 0
	for _, step := range steps {
		at := next
		for ; at < len(changes); at++ {
			ops := strings.Split(changes[at], ", ")
			if !slices.ContainsFunc(strings.Split(step, ", "), func(op string) bool { return !slices.Contains(ops, op) }) {
				break
			}
		}
		if at == len(changes) {
			b.Errorf("no transaction %q after the first %d of\n%s", step, next, strings.Join(changes, "\n"))
			return
		}
		next = at + 1
	}
}

// counts returns how many transactions on a job contain op.
func (b *fixture) counts(job, op string) int {
	n := 0
	for _, change := range b.changes(job) {
		for _, done := range strings.Split(change, ", ") {
			if done == op {
				n++
			}
		}
	}
	return n
}

const hex32 = "0123456789abcdef0123456789abcdef"

// TestK15ForeignLatchNodeHolds: if another node is ahead of us in the election's queue, we should
// wait until it's gone.
func TestK15ForeignLatchNodeHolds(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		foreign := tree.ElectionLatch() + "/_c_" + hex32 + "-latch-0000000000"
		b.store(jobconfig.New("job", 1), "job")
		b.put(foreign, "")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil).start()
		b.await("the agent queues", func() bool { return len(b.children(tree.ElectionLatch())) == 2 })
		b.while(500*time.Millisecond, "nobody leads", func() bool { return !b.exists(tree.LeaderInstance()) })
		b.delete(foreign)
		b.awaitOwners("job", m.id)
		b.awaitTidy("job")
	})
}

// TestK16ForeignLockNodeDoesNotHold: we should ignore the nodes that Go clients usually use for a
// lock, as Curator does.
func TestK16ForeignLockNodeDoesNotHold(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		name := "_c_" + hex32 + "-lock-0000000000"
		b.store(jobconfig.New("job", 1), "job")
		b.put(tree.ElectionLatch()+"/"+name, "")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		if got := b.children(tree.ElectionLatch()); !slices.Equal(got, []string{name}) {
			b.Errorf("latch nodes %q", got)
		}
	})
}

// TestK17SequenceDecides: the sequence number should decide, not the text before it. The agent
// comes after number 3, though its name sorts last, and before number 5, though its name sorts
// first.
func TestK17SequenceDecides(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		b.store(jobconfig.New("job", 1), "job")
		queue := func(prefix string) string {
			path, err := b.client.CreateAll(b.ctx(), tree.ElectionLatch()+"/_c_"+prefix+"-latch-", nil, zk.EphemeralSequential)
			b.must(err)
			return path
		}
		for range 3 {
			b.delete(queue(hex32))
		}
		before := queue("ffffffff-ffff-4fff-bfff-ffffffffffff")
		if !strings.HasSuffix(before, "0000000003") {
			b.Fatalf("the node is %s", before)
		}
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, nil).start()
		b.await("the agent queues", func() bool { return len(b.children(tree.ElectionLatch())) == 2 })
		after := queue(strings.Repeat("0", 32))
		b.while(500*time.Millisecond, "nobody leads", func() bool { return !b.exists(tree.LeaderInstance()) })
		b.delete(before)
		b.awaitOwners("job", m.id)
		b.delete(after)
		b.awaitTidy("job")
	})
}

// TestK48SuspendedServer: if the server doesn't answer, triggers should pause, and running shards
// should end after two thirds of the session timeout. After that the agent should recover
// everything it had, remove its stale markers, and handle triggers again.
func TestK48SuspendedServer(t *testing.T) {
	t.Parallel()
	t.Run("fake", func(t *testing.T) {
		t.Parallel()
		bubble(t, func(b *fixture, srv *zkfake.Server) { b.suspended(srv.Stop, fakeServer{b.T, srv}.start) })
	})
	zktest.OnOwnReal(t, func(t *testing.T, srv *zktest.ZooKeeper) {
		t.Parallel()
		newFixture(t, srv.Addr()).suspended(srv.Pause, srv.Resume)
	})
}

func (b *fixture) suspended(suspend, resume func()) {
	b.Helper()
	b.session = shortSession
	hold := make(gate)
	m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true}, func(ctx context.Context, s *coreagent.Shard) error {
		if s.Source == "NORMAL_TRIGGER" && b.runs.count("job", s.Item) == 1 {
			return hold.handle(ctx, s)
		}
		return nil
	}).start()
	b.await("both shards run", func() bool { return b.runs.count("job", -1) == 2 })
	b.wire.forget()
	suspend()
	suspended := time.Now()
	waittest.Until(b.T, "the running shards end", func() bool {
		return !b.nthRun("job", 0, 0).end.IsZero() && !b.nthRun("job", 1, 0).end.IsZero()
	})
	b.while(1500*time.Millisecond, "triggers pause", func() bool { return b.runs.count("job", -1) == 2 })
	resume()
	b.must(b.client.AwaitConnected(b.ctx()))
	resumed := time.Now()
	b.await("triggers go on", func() bool {
		return !slices.Contains(b.runs.starts("job", 2, resumed.Add(time.Second), time.Now()), 0)
	})
	b.awaitTidy("job")
	b.wantSuspended(m, suspended)
	b.must(m.Stop(b.ctx()))
}

// wantSuspended checks the two runs of m and its nodes after the server was silent.
func (b *fixture) wantSuspended(m *member, suspended time.Time) {
	b.Helper()
	for shard := range 2 {
		r := b.nthRun("job", shard, 0)
		if took := r.end.Sub(suspended); !errors.Is(r.cause, coreagent.ErrSessionLost) || b.virtual() && took > shortSession {
			b.Errorf("shard %d ended after %v with %v", shard, took, r.cause)
		}
		if marks := b.counts("job", fmt.Sprintf("- sharding/%d/running", shard)); marks == 0 {
			b.Errorf("the stale marker of shard %d was not removed by an agent", shard)
		}
	}
	tree := b.tree.Job("job")
	if status, _ := b.get(tree.Server("10.0.0.1")); status != jobtree.ServerEnabled {
		b.Errorf("server %q", status)
	}
	if id := b.stat(tree.Instance(m.id)); id.EphemeralOwner == 0 {
		b.Error("the instance is not back")
	}
}

// TestK65Digest: with credentials only the agent's user should have access to its nodes, including
// the latch and the namespace.
func TestK65Digest(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		const digest, entry = "user:pw", "digest:user:2Om+GBbT2q/tS6pdvACZbbm7/1A=:rwcda"
		stranger := b.client
		var err error
		b.client, err = zk.Connect(b.ctx(), zk.Config{Servers: []string{b.addr}, Dial: b.line, Digest: digest})
		b.must(err)
		b.Cleanup(func() { b.client.Close() })
		withDigest := func(cfg *coreagent.Config) { cfg.ZooKeeper.Digest = digest }
		b.agent(2, withDigest).serve(coreagent.Job{Name: "new", Shards: 1}, nil).start()
		// The election needs an existing job.
		_, err = b.client.CreateAll(b.ctx(), b.tree.Job("job").Root(), nil, zk.Persistent)
		b.must(err)
		m := b.agent(1, withDigest).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true}, nil).start()
		b.await("it runs", func() bool { return b.runs.count("job", -1) >= 4 })
		created, latches, namespace := 0, 0, false
		for _, c := range b.wire.all() {
			for i, op := range slices.DeleteFunc(slices.Clone(c.ops), func(op string) bool { return op[0] != '+' }) {
				created++
				_, path, _ := strings.Cut(op, " ")
				namespace = namespace || path == b.tree.Root()
				if strings.Contains(path, "/_c_") {
					latches++
				}
				if c.acls[i] != entry {
					b.Errorf("%s is created with %s", path, c.acls[i])
				}
			}
		}
		if created < 15 || latches == 0 || !namespace {
			b.Fatalf("%d nodes, %d latch nodes, namespace %v: the test proves nothing", created, latches, namespace)
		}
		nodes, err := zktest.Collect(b.ctx(), b.tree.Root(), b.fetch)
		b.must(err)
		for _, node := range nodes {
			_, _, err := stranger.Get(b.ctx(), node.Path)
			if errors.Is(err, zk.ErrNoNode) && !b.exists(node.Path) {
				continue // The server deletes empty containers once a minute.
			}
			if !errors.Is(err, zk.ErrNoAuth) {
				b.Errorf("a stranger may read %s: %v", node.Path, err)
			}
		}
		b.must(m.Stop(b.ctx()))
	})
}

// TestK66Terminated: SIGTERM ends the context of a program. The agent should resign at once, so
// others can lead, and let the running shard finish. With failover its instance should stay until
// then, or the others would think it crashed. The session should be closed last.
func TestK66Terminated(t *testing.T) {
	for name, failover := range map[string]bool{"plain": false, "failover": true} {
		t.Run(name, func(t *testing.T) {
			onBothServers(t, func(b *fixture) {
				b.session = 30 * time.Second
				tree := b.tree.Job("job")
				open := make(gate)
				m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1, Failover: failover}, open.handle)
				ctx, terminate := context.WithCancel(b.ctx())
				ended := make(chan error, 1)
				go func() { ended <- m.Run(ctx) }()
				b.awaitOwners("job", m.id)
				m.triggerHere("job")
				b.await("the shard runs", func() bool { return b.exists(tree.ItemRunning(0)) && b.runs.count("job", 0) == 1 })
				b.wire.forget()
				terminate()
				b.await("the leadership is free", func() bool {
					return !b.exists(tree.LeaderInstance()) && b.exists(tree.Instance(m.id)) == failover
				})
				b.while(300*time.Millisecond, "the shard runs on", func() bool {
					return b.exists(tree.ItemRunning(0)) && b.exists(tree.Instance(m.id)) == failover && len(ended) == 0
				})
				close(open)
				if err := <-ended; err != nil {
					b.Errorf("run: %v", err)
				}
				if r := b.nthRun("job", 0, 0); r.cause != nil || r.err != nil {
					b.Errorf("the shard ended with %v, %v", r.cause, r.err)
				}
				order := []string{"- leader/election/instance", "- instances/" + m.id, "- sharding/0/running"}
				if failover {
					order[1], order[2] = order[2], order[1]
				}
				b.wantOrder("job", order...)
				all := b.wire.all()
				if last := all[len(all)-1]; !slices.Equal(last.ops, []string{"close session"}) {
					b.Errorf("the last thing said is %q", last.ops)
				}
				if b.exists(tree.Instance(m.id)) || b.exists(tree.LeaderInstance()) {
					b.Error("the instance or its leadership is left")
				}
				if status, _ := b.get(tree.Server("10.0.0.1")); status != jobtree.ServerEnabled {
					b.Errorf("server %q", status)
				}
			})
		})
	}
}

// TestK67ReconcileOwnShard: a leader that owns a shard should notice at once if the shard's
// assignment becomes empty.
func TestK67ReconcileOwnShard(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2, ReconcileInterval: time.Minute}, nil).start()
		b.awaitOwners("job", m.id, m.id)
		b.wire.forget()
		b.put(tree.ItemInstance(0), "10.0.0.9@-@9")
		b.awaitOwners("job", m.id, m.id)
		b.wantOrder("job", "+ leader/sharding/necessary", "+ sharding/0/instance, - leader/sharding/necessary")
	})
}

// TestK67ReconcileBetweenReadings changes an owner by hand after the agent has read the assignment
// and before it watches its shards.
func TestK67ReconcileBetweenReadings(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		path := b.tree.Job("job").ItemInstance(0)
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "getData" && r.Path == path {
				return zkfake.DelayRequest(time.Second)
			}
			return zkfake.None
		})
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 2, ReconcileInterval: time.Hour}, nil).start()
		time.Sleep(1500 * time.Millisecond) // Now the second read, which sets a watch, is delayed.
		srv.SetFault(nil)
		b.put(path, "10.0.0.9@-@9")
		time.Sleep(5 * time.Second)
		b.awaitOwners("job", m.id, m.id)
	})
}

// TestK67ReconcileInTime: for another instance's shard the reconciler should notice.
func TestK67ReconcileInTime(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Shards: 2, ReconcileInterval: time.Minute}
		leader := b.agent(1).serve(job, nil).start()
		time.Sleep(10 * time.Second)
		owner := b.agent(2).serve(job, nil).start()
		time.Sleep(10 * time.Second)
		b.awaitOwners("job", owner.id, leader.id)
		if leads, _ := b.get(tree.LeaderInstance()); leads != leader.id {
			b.Fatalf("%s leads: the test proves nothing", leads)
		}
		b.put(tree.ItemInstance(0), "10.0.0.9@-@9")
		for begun := time.Now(); first(b.get(tree.ItemInstance(0))) != owner.id; time.Sleep(time.Second) {
			if time.Since(begun) > 2*time.Minute {
				b.Fatal("nobody looked for two minutes")
			}
		}
	})
}

// restartedFleet is three agents for a job with four shards. Sometimes an agent stops or dies, and
// a new one replaces it.
type restartedFleet struct {
	*fixture
	random        *rand.Rand
	born, crashes int
	members       []*member
}

func (f *restartedFleet) birth() *member {
	f.born++
	return f.agent(f.born).serve(coreagent.Job{Name: "job", Shards: 4, Failover: true}, nil).start()
}

func (f *restartedFleet) restartOne() {
	i := f.random.IntN(len(f.members))
	if crash := f.random.IntN(2) == 0; crash && f.crashes < 3 {
		f.crashes++
		f.members[i].cut()
	} else {
		f.must(f.members[i].Stop(f.ctx()))
	}
	f.members[i] = f.birth()
}

// settled reports whether these members own the shards, and no others.
func (f *restartedFleet) settled() bool {
	tree := f.tree.Job("job")
	ids := make([]string, len(f.members))
	for i, m := range f.members {
		ids[i] = m.id
	}
	slices.Sort(ids)
	if !slices.Equal(ids, f.children(tree.Instances())) || f.exists(tree.Necessary()) || f.exists(tree.Processing()) {
		return false
	}
	owners := f.owners("job")
	slices.Sort(owners)
	return len(owners) == 4 && slices.Equal(slices.Compact(owners), ids)
}

// trigger triggers the job and waits until each member has run its shards.
func (f *restartedFleet) trigger() {
	ended := func(m *member) int { return strings.Count(strings.Join(m.trace.states("job"), "\n"), "TASK_FINISHED") }
	dropped := func(m *member) int { return f.log.count(`on this instance" agent=` + m.id + " ") }
	var ends, drops []int
	for _, m := range f.members {
		ends, drops = append(ends, ended(m)), append(drops, dropped(m))
	}
	f.must(f.members[f.random.IntN(len(f.members))].Trigger(f.ctx(), "job"))
	for i, m := range f.members {
		for ended(m) == ends[i] { // A trigger right at the end of a run is dropped.
			f.await("the trigger is obeyed or dropped", func() bool { return ended(m) > ends[i] || dropped(m) > drops[i] })
			if dropped(m) > drops[i] {
				drops[i]++
				m.triggerHere("job")
			}
		}
	}
}

// TestK70RandomRestarts: four shards, a hundred triggers, and agents that stop, die and join. Each
// trigger in a quiet period should run every shard exactly once, and no stale node should be left.
func TestK70RandomRestarts(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		const triggers, every = 100, 10
		b.session = shortSession
		seed := rand.Uint64()
		b.Logf("seed %d", seed)
		f := &restartedFleet{fixture: b, random: rand.New(rand.NewPCG(seed, 0))}
		f.members = []*member{f.birth(), f.birth(), f.birth()}
		for n := 1; n <= triggers; n++ {
			if n%every == 0 {
				f.restartOne()
			}
			b.await("a quiet period", f.settled)
			f.trigger()
			for shard := range 4 {
				if got := b.runs.count("job", shard); got != n {
					b.Fatalf("after %d triggers shard %d ran %d times", n, shard, got)
				}
			}
		}
		b.awaitTidy("job")
		if diff := cmp.Diff(4*triggers, b.runs.count("job", -1)); diff != "" {
			b.Errorf("runs (-want +got)\n%s", diff)
		}
	})
}
