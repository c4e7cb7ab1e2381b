package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestMS01ExpiredSessionOfIdleJobs: no matter how many jobs there are, all should fire again within
// two session timeouts and a period after the expiry, without a restart.
func TestMS01ExpiredSessionOfIdleJobs(t *testing.T) {
	sizes := []int{1, 100, 1000}
	if underRace {
		sizes = sizes[:2]
	}
	for _, jobs := range sizes {
		t.Run(fmt.Sprintf("%d jobs", jobs), func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 30 * time.Second
				m := b.agent(1)
				names := make([]string, jobs)
				for i := range names {
					names[i] = fmt.Sprintf("job-%d", i)
					m.serve(coreagent.Job{Name: names[i], Schedule: coreagent.Schedule{Cron: "0/30 * * * * ?"}, Shards: 1}, nil)
				}
				m.start()
				sleepUntilNext(period)
				time.Sleep(period / 2) // All jobs are idle now.
				if n := len(b.runs.all()); n != jobs {
					t.Fatalf("%d of %d jobs ran before the expiry", n, jobs)
				}
				b.runs.forget()
				if !srv.ExpireSession(m.session(names[0])) {
					t.Fatal("there is no such session")
				}
				time.Sleep(2*b.session + period)
				ran := make(map[string]bool)
				for _, r := range b.runs.all() {
					ran[r.shard.Job] = r.err == nil
				}
				if len(ran) != jobs {
					t.Errorf("%d of %d jobs ran again", len(ran), jobs)
				}
			})
		})
	}
}

// dialLog records when an agent tried to connect.
type dialLog struct {
	mu sync.Mutex
	at []time.Time
}

func (d *dialLog) over(line func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		d.mu.Lock()
		d.at = append(d.at, time.Now())
		d.mu.Unlock()
		return line(ctx, network, addr)
	}
}

// TestMS04MS23Outage: ZooKeeper is away, in some cases over the fire time of a daily job. The
// agents should keep trying with growing, random pauses, not in a busy loop. After that all jobs
// should fire, and the missed fire time should be made up for once if the job asks for that.
func TestMS04MS23Outage(t *testing.T) {
	for _, away := range []time.Duration{5 * time.Second, 2 * time.Minute, 30 * time.Minute} {
		t.Run(away.String(), func(t *testing.T) {
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				var logs [2]dialLog
				for i := range logs {
					dial := logs[i].over(srv.Dial)
					m := b.agent(i+1, func(cfg *coreagent.Config) { cfg.ZooKeeper.Dial = dial })
					m.serve(coreagent.Job{Name: "often", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}, nil)
					m.serve(coreagent.Job{Name: "daily", Schedule: coreagent.Schedule{Cron: "0 5 0 * * ?", Zone: "GMT"}, Shards: 2}, nil)
					m.serve(coreagent.Job{Name: "skipping", Schedule: coreagent.Schedule{Cron: "0 5 0 * * ?", Zone: "GMT", SkipMisfires: true}, Shards: 2}, nil)
					m.start()
				}
				due := time.Now().Truncate(24 * time.Hour).Add(5 * time.Minute)
				time.Sleep(time.Until(due.Add(-2 * time.Second)))
				for i := range logs {
					logs[i].at = nil
				}
				stopped := time.Now()
				srv.Stop()
				time.Sleep(away)
				for i := range logs {
					checkDials(t, &logs[i], stopped, away)
				}
				if runs := b.runs.between("often", stopped.Add(time.Second), time.Now()); len(runs) > 0 {
					t.Errorf("ran without ZooKeeper:%s", story(runs))
				}
				if err := srv.Start(); err != nil {
					t.Fatal(err)
				}
				back := time.Now()
				time.Sleep(2*b.session + 10*time.Second)
				if got := b.runs.completions("often", 2, back, time.Now()); slices.Min(got) == 0 {
					t.Errorf("fired after the outage: %v", got)
				}
				at := sleepUntilNext(10 * time.Second)
				time.Sleep(time.Second)
				if got := b.runs.completions("often", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
					t.Errorf("the next fire time ran %v", got)
				}
				time.Sleep(5 * time.Minute)
				if got := b.runs.completions("daily", 2, due, time.Now()); !slices.Equal(got, times(2, 1)) {
					t.Errorf("the missed daily fire time ran %v:%s", got, story(b.runs.of("daily", -1)))
				}
				// After a short outage no fire time is missed, because the run waits for the
				// session.
				want := times(2, 0)
				if away < b.session {
					want = times(2, 1)
				}
				if got := b.runs.completions("skipping", 2, due, time.Now()); !slices.Equal(got, want) {
					t.Errorf("without misfire the daily fire time ran %v, want %v", got, want)
				}
			})
		})
	}
}

// checkDials checks how often an agent tried to connect during an outage.
func checkDials(t *testing.T, d *dialLog, stopped time.Time, away time.Duration) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	// About ten a second at first, in case it's a short outage, and then fewer and fewer.
	if limit := 10 + int(min(away, 10*time.Second)/(75*time.Millisecond)) + int(away/time.Second); len(d.at) == 0 || len(d.at) > limit {
		t.Errorf("%d attempts to connect in %v, want 1 to %d", len(d.at), away, limit)
	}
	pauses := make(map[time.Duration]bool)
	last := stopped
	for _, at := range d.at {
		if pause := at.Sub(last); pause > 10*time.Second {
			t.Errorf("no attempt for %v", pause)
		} else {
			pauses[pause.Truncate(time.Millisecond)] = true
		}
		last = at
	}
	if away > time.Minute && len(pauses) < len(d.at)/2 {
		t.Errorf("%d attempts with %d different pauses: not jittered", len(d.at), len(pauses))
	}
}

// TestMS05RepliesLostDuringRegistration: the reply to one request of a starting agent is lost, for
// each request. The agent should still start, with one instance node and without a forgotten latch
// node.
func TestMS05RepliesLostDuringRegistration(t *testing.T) {
	for n := 1; ; n++ {
		lost := false
		bubble(t, func(b *fixture, srv *zkfake.Server) {
			var mu sync.Mutex
			seen, path := 0, ""
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				mu.Lock()
				defer mu.Unlock()
				if r.Op == "ping" || r.Op == "connect" || isRead(r.Op) || lost {
					return zkfake.None
				}
				if seen++; seen == n {
					lost, path = true, r.Op+" "+r.Path
					return zkfake.LoseReply
				}
				return zkfake.None
			})
			m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: 2}, nil).start()
			time.Sleep(time.Second)
			srv.SetFault(nil)
			b.awaitOwners("job", m.id, m.id)
			at := sleepUntilNext(5 * time.Second)
			time.Sleep(2*b.session + time.Second)
			if got := b.runs.completions("job", 2, at, at.Add(time.Second)); !slices.Equal(got, times(2, 1)) {
				t.Errorf("the first fire time ran %v", got)
			}
			if ids := b.children(b.tree.Job("job").Instances()); !slices.Equal(ids, []string{m.id}) {
				t.Errorf("instances %q", ids)
			}
			if found := b.leftovers("job"); len(found) > 0 {
				t.Errorf("stale: %q", found)
			}
			if t.Failed() {
				t.Errorf("reply %d lost, to %s", n, path)
			}
		})
		if t.Failed() || !lost {
			t.Logf("%d replies", n-1)
			break
		}
	}
}

// TestMS06KilledLeaderRejoins: a killed leader joins again at once under the same name. It
// shouldn't be mistaken for the dead one. There should be a leader within a session timeout, and
// never two.
func TestMS06KilledLeaderRejoins(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		b.session = shortSession
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 4}
		leader := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", allOf(4, leader)...)
		other := b.agent(2, lasting).serve(job, nil).start()
		b.awaitOwners("job", other.id, other.id, leader.id, leader.id)
		old := b.stat(tree.LeaderInstance())
		leader.kill()
		at := time.Now()
		returned := b.agent(1).serve(job, nil).start()
		b.await("another session leads", func() bool {
			stat := b.stat(tree.LeaderInstance())
			return stat.Czxid > old.Czxid && stat.EphemeralOwner != old.EphemeralOwner
		})
		if took := time.Since(at); b.virtual() && took > shortSession+time.Second { // The server checks once per tick.
			b.Errorf("led again after %v", took)
		}
		b.await("two own the shards", func() bool {
			owners := slices.Compact(slices.Sorted(slices.Values(b.owners("job"))))
			return len(owners) == 2 && !slices.Contains(owners, leader.id) && owners[0] != ""
		})
		ids := b.children(tree.Instances())
		if len(ids) != 2 || !slices.Contains(ids, other.id) || !strings.HasPrefix(ids[0], returned.id+"-") {
			b.Errorf("instances %q", ids)
		}
		n := b.runs.count("job", -1)
		b.await("all shards run", func() bool { return b.runs.count("job", -1) >= n+8 })
		if found := b.runs.overlaps("job", 4); len(found) > 0 {
			b.Errorf("overlaps: %s", found)
		}
	})
}

// TestMS07WrongPassword: half of the fleet has the wrong credentials. It should log that, retry
// with growing pauses and do no harm. The other half should work, and so should everything that the
// first half has access to.
func TestMS07WrongPassword(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		digest := func(text string) func(*coreagent.Config) {
			return func(cfg *coreagent.Config) { cfg.ZooKeeper.Digest = text }
		}
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}
		b.put(b.tree.Root(), "") // Without an ACL, like the nodes of Java agents without a password.
		good := b.agent(1, digest("jobs:right")).serve(job, nil).start()
		b.await("the right half runs", func() bool { return b.runs.count("job", -1) >= 2 })
		bad := b.agent(2, digest("jobs:wrong")).serve(job, nil).
			serve(coreagent.Job{Name: "own", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil)
		ctx, cancel := context.WithCancel(b.ctx())
		defer cancel()
		started := make(chan error, 1)
		go func() { started <- bad.Start(ctx) }()
		refused := func() int { return b.log.count("job control step failed") }
		b.await("it tries again, and the job that is not denied runs", func() bool { return refused() > 1 && b.runs.count("own", -1) > 0 })
		b.while(3*time.Second, "the pauses grow", func() bool { return refused() <= 8 })
		cancel()
		if err := <-started; !errors.Is(err, zk.ErrNoAuth) || !strings.Contains(err.Error(), "not permitted by the node's ACL") {
			b.Errorf("start with the wrong password: %v", err)
		}
		n := b.runs.count("job", -1)
		b.await("the right half runs on", func() bool { return b.runs.count("job", -1) >= n+4 })
		for _, r := range b.runs.of("job", -1) {
			if r.agent != good.id {
				b.Errorf("shard %d ran on %s", r.shard.Item, r.agent)
			}
		}
		b.must(bad.Stop(b.ctx()))
	})
}

// TestFireTimeDuringARunOfALostSession: a trigger's handler works on for a while after its session
// was lost. The instance is already back when a fire time passes during that run, so it should make
// up for it.
func TestFireTimeDuringARunOfALostSession(t *testing.T) {
	t.Parallel()
	for _, failover := range []bool{false, true} {
		t.Run(fmt.Sprintf("failover %v", failover), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, srv *zkfake.Server) {
				const period = 20 * time.Second
				var deaf atomic.Bool
				m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 1, Failover: failover},
					func(context.Context, *coreagent.Shard) error {
						if deaf.CompareAndSwap(true, false) {
							time.Sleep(period / 2)
						}
						return nil
					}).start()
				sleepUntilNext(period)
				time.Sleep(period - 5*time.Second)
				deaf.Store(true)
				m.triggerHere("job")
				time.Sleep(time.Second)
				if !srv.ExpireSession(m.session("job")) || deaf.Load() {
					t.Fatal("no session was lost during the run of the trigger: the test proves nothing")
				}
				at := sleepUntilNext(period)
				time.Sleep(period / 4)
				if runs := b.runsFor(at); len(runs) != 0 {
					t.Fatalf("the run of the trigger has ended at the fire time: the test proves nothing:%s", story(runs))
				}
				time.Sleep(period / 2)
				runs := slices.DeleteFunc(b.runsFor(at), func(r run) bool { return r.shard.Source == tracing.SourceFailover })
				if len(runs) != 1 || !runs[0].shard.ScheduledAt.Equal(at) {
					t.Errorf("want one run for the fire time:%s", story(b.runsFor(at)))
				}
				b.awaitTidy("job")
			})
		})
	}
}
