package scenario_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// repeated lists the shards that ran more than once for a fire time.
func (j *journal) repeated(job string) []string {
	runs := make(map[string][]run)
	for _, r := range j.of(job, -1) {
		key := fmt.Sprintf("shard %d %v", r.shard.Item, r.shard.ScheduledAt)
		runs[key] = append(runs[key], r)
	}
	var found []string
	for _, list := range runs {
		if len(list) > 1 {
			found = append(found, story(list))
		}
	}
	return found
}

// afterAbsence cuts off one of three agents while three fire times pass. It joins again and gets
// shards some time after the last of them. No shard should run twice for one fire time. lose
// decides by their number which of the agent's requests for fire records are lost.
func afterAbsence(t *testing.T, back time.Duration, lose func(n int) bool) {
	const period = 10 * time.Second
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		b.session = 4 * time.Second
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 6}
		tree := b.tree.Job("job")
		leader := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", allOf(6, leader)...)
		second, victim := b.agent(2).serve(job, nil).start(), b.agent(3).serve(job, nil).start()
		b.awaitWhole(leader, second, victim)
		sessions := []int64{leader.session("job"), second.session("job")}
		victim.cut()
		last := time.Now().Truncate(period).Add(3 * period)
		time.Sleep(time.Until(last.Add(-time.Second)))
		victim.reconnect()
		var mu sync.Mutex
		delayed, looked := false, 0
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case !delayed && slices.Contains(r.Paths, tree.Instance(victim.id)):
				delayed = true
				return zkfake.DelayRequest(time.Until(last.Add(back)))
			case !slices.Contains(sessions, r.Session) && r.Op == "getData" && strings.HasPrefix(r.Path, tree.FireRecords()+"/"):
				if looked++; lose(looked) {
					return zkfake.LoseRequest
				}
			}
			return zkfake.None
		})
		time.Sleep(time.Until(last.Add(period / 2)))
		srv.SetFault(nil)
		mu.Lock()
		proves := delayed && looked > 0
		mu.Unlock()
		if !proves {
			t.Fatalf("the return is not delayed, or nobody looks at a record: the test proves nothing")
		}
		if found := b.runs.repeated("job"); len(found) > 0 {
			t.Errorf("run twice:%s", found[0])
		}
		b.awaitWhole(leader, second, victim)
	})
}

// TestTwiceJustBeforeItMoved: an instance gets shards just after a fire time that the previous
// owner has run.
func TestTwiceJustBeforeItMoved(t *testing.T) {
	for _, back := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		t.Run(back.String(), func(t *testing.T) {
			afterAbsence(t, back, func(int) bool { return false })
		})
	}
}

// TestTwiceWithoutAnAnswer: the request that checks whether a fire time was run is lost, but the
// next transaction gets through.
func TestTwiceWithoutAnAnswer(t *testing.T) {
	for lost := 1; lost <= 6; lost++ {
		t.Run(strconv.Itoa(lost), func(t *testing.T) {
			afterAbsence(t, 4*time.Second, func(n int) bool { return n == lost })
		})
	}
}

// TestTwiceAfterARunByHand: an owner with a fast clock has run a fire time that's still in the
// future for the next owner, and is then triggered by hand. After that we should still know that it
// ran the fire time.
func TestTwiceAfterARunByHand(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
		quick := b.agent(1).serve(job, nil)
		quick.startBy(5 * time.Second)
		b.awaitOwners("job", quick.id, quick.id)
		fire := sleepUntilNext(20 * time.Second).Add(20 * time.Second)
		time.Sleep(time.Until(fire.Add(-4 * time.Second)))
		b.runs.forget()
		quick.triggerHere("job")
		b.await("a run by hand", func() bool { return b.runs.count("job", -1) == 2 })
		other := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", other.id, quick.id)
		time.Sleep(time.Until(fire.Add(5 * time.Second)))
		if runs := b.runs.of("job", 0); len(runs) != 1 {
			t.Errorf("shard 0 has had the fire time %v before:%s", fire, story(runs))
		}
	})
}

// TestTwiceAfterAnInstanceVanished: an owner with a fast clock has run a fire time that's still in
// the future for the others, and leaves while a leader reads the instances. Its record should
// count, because it has left and isn't disabled.
func TestTwiceAfterAnInstanceVanished(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 6}
		leader := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", allOf(6, leader)...)
		quick := b.agent(2).serve(job, nil)
		quick.startBy(5 * time.Second)
		b.await("it owns shards", func() bool { return slices.Contains(b.owners("job"), quick.id) })
		fire := sleepUntilNext(20 * time.Second).Add(20 * time.Second)
		time.Sleep(time.Until(fire.Add(-4 * time.Second)))
		session, node := leader.session("job"), b.tree.Job("job").Instance(quick.id)
		var late atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Session == session && r.Op == "getData" && r.Path == node && late.CompareAndSwap(false, true) {
				return zkfake.DelayRequest(time.Second)
			}
			return zkfake.None
		})
		third := b.agent(3).serve(job, nil).start()
		time.Sleep(500 * time.Millisecond)
		b.must(quick.Stop(b.ctx()))
		if !late.Load() {
			t.Fatal("the leader does not look at the instance: the test proves nothing")
		}
		b.await("the others own its shards", func() bool {
			owners := b.owners("job")
			return slices.Contains(owners, third.id) && !slices.Contains(owners, quick.id) && !slices.Contains(owners, "")
		})
		time.Sleep(time.Until(fire.Add(5 * time.Second)))
		if found := b.runs.repeated("job"); len(found) > 0 {
			t.Errorf("run twice:%s", found[0])
		}
	})
}

// TestTwiceWithoutAnEvent: another instance has already run a shard for the next fire time. Its
// previous owner missed the events and thinks that it still owns the shard.
func TestTwiceWithoutAnEvent(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}
		m := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		fire := sleepUntilNext(20 * time.Second).Add(20 * time.Second)
		time.Sleep(10 * time.Second)
		b.runs.forget()
		record := b.tree.Job("job").FireRecord(0)
		if _, exists := b.get(record); !exists {
			t.Fatal("no record was written: the test proves nothing")
		}
		b.put(record, strconv.FormatInt(fire.UnixMilli(), 10)+" "+m.id)
		time.Sleep(time.Until(fire.Add(5 * time.Second)))
		if got := b.runs.completions("job", 2, fire, time.Now()); !slices.Equal(got, []int{0, 1}) {
			t.Errorf("runs by shard: %v, want none of shard 0", got)
		}
		time.Sleep(20 * time.Second)
		if got := b.runs.completions("job", 2, fire.Add(10*time.Second), time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs by shard at the next fire time: %v, want one each", got)
		}
	})
}

// TestRecordOutlivesMarker: a shard's running marker is removed during its run, for example by an
// operator. The fire times of this run and of those in parallel should still be recorded, or they'd
// be made up for later.
func TestRecordOutlivesMarker(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		tree := b.tree.Job("job")
		open := make(gate)
		fire := time.Now().Add(8 * time.Second).Truncate(time.Second)
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: fire.UTC().Format("5 4 15 2 1 ? 2006"), Zone: "GMT"}, Shards: 3}, open.handle).start()
		b.awaitOwners("job", allOf(3, m)...)
		b.await("all run", func() bool { return b.runs.count("job", -1) == 3 })
		b.delete(tree.ItemRunning(1))
		close(open)
		b.awaitTidy("job")
		want := strconv.FormatInt(fire.UnixMilli(), 10) + " " + m.id
		for shard := range 3 {
			b.await("the record of shard "+strconv.Itoa(shard), func() bool {
				record, _ := b.get(tree.FireRecord(shard))
				return record == want
			})
		}
	})
}

// TestOfferAfterFailoverWasSwitchedOff: an instance loses its session in a run and returns after
// failover was switched off, which it doesn't know yet. It shouldn't offer its shards, because no
// instance would take the offer or remove it.
func TestOfferAfterFailoverWasSwitchedOff(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		survivor, victim := b.crashPair()
		tree := b.tree.Job("job")
		victim.cut()
		b.configure("job", func(c *jobconfig.Config) { c.Failover = false })
		b.await("the session expires", func() bool { return !b.exists(tree.Instance(victim.id)) })
		victim.reconnect()
		b.await("the victim is back", func() bool { return b.exists(tree.Instance(victim.id)) })
		b.awaitOwners("job", victim.id, victim.id, survivor.id, survivor.id)
		b.awaitTidy("job")
	})
}

// TestShutdownWhileItRuns: an operator shuts a job with failover down on an instance, and its run
// lasts for longer than a session. The run should finish there without another instance running the
// shard in parallel. After that the others should get the shard. If the process dies before that,
// they should take it over.
func TestShutdownWhileItRuns(t *testing.T) {
	for _, dies := range []bool{false, true} {
		t.Run(map[bool]string{false: "to its end", true: "and dies"}[dies], func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				tree := b.tree.Job("job")
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 2, Failover: true}
				one, two := b.agent(1), b.agent(2)
				one.serve(job, one.work(50*time.Second)).start()
				two.serve(job, two.work(time.Second)).start()
				b.awaitOwners("job", two.id, one.id)
				at := sleepUntilNext(time.Minute)
				time.Sleep(2 * time.Second)
				b.delete(tree.Instance(one.id))
				time.Sleep(28 * time.Second)
				if n := len(b.runs.between("job", at, time.Now())); n != 2 {
					t.Errorf("%d runs while one is shut down, want the two of the fire time: %s", n, story(b.runs.between("job", at, time.Now())))
				}
				if dies {
					one.kill()
				}
				time.Sleep(time.Until(at.Add(59 * time.Second)))
				want := 1
				if dies {
					want = 2 // The second run is the failover.
				}
				if n := len(b.runs.of("job", 1)); n != want {
					t.Errorf("%d runs of the shard, want %d: %s", n, want, story(b.runs.of("job", 1)))
				}
				if lapped := b.runs.overlaps("job", 2); len(lapped) > 0 && !dies {
					t.Errorf("at once: %v", lapped)
				}
				time.Sleep(10 * time.Second)
				b.awaitOwners("job", allOf(2, two)...)
				if b.exists(tree.Agents() + "/" + one.id) {
					t.Error("the node of the agent that was shut down stays")
				}
				b.awaitTidy("job")
			})
		})
	}
}
