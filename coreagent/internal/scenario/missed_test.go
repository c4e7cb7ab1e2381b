package scenario_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// These tests check over hours which fire times count as missed. docs/guarantees.md has the rules.

// daily starts two agents with a daily job at one o'clock. day is the midnight before its second
// fire time.
func (b *fixture) daily(job coreagent.Job) (members []*member, day time.Time) {
	b.Helper()
	b.session = lasts
	members = []*member{b.agent(1), b.agent(2)}
	for _, m := range members {
		m.serve(job, nil)
		m.start()
	}
	time.Sleep(time.Minute)
	return members, time.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
}

// twoShards and turns are the two ways to share a job's work.
var (
	twoShards = coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 1 * * ?", Zone: "GMT"}, Shards: 2}
	turns     = coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 1 * * ?", Zone: "GMT"}, Shards: 1, Strategy: coreagent.Balance}
)

// dayStep is an operator's action at a time of the day.
type dayStep struct {
	at time.Duration
	do func(b *fixture)
}

func editAt(at time.Duration, change func(c *jobconfig.Config)) dayStep {
	return dayStep{at, func(b *fixture) { b.configure("job", change) }}
}

func serversAt(at time.Duration, status string) dayStep {
	return dayStep{at, func(b *fixture) {
		b.put(b.tree.Job("job").Server("10.0.0.1"), status)
		b.put(b.tree.Job("job").Server("10.0.0.2"), status)
	}}
}

func shardsAt(at time.Duration, disable bool) dayStep {
	return dayStep{at, func(b *fixture) {
		for n := range len(b.owners("job")) {
			if disable {
				b.put(b.tree.Job("job").ItemDisabled(n), "")
			} else {
				b.delete(b.tree.Job("job").ItemDisabled(n))
			}
		}
	}}
}

// harmlessDays are days on which no instance misses the fire time at one o'clock.
func harmlessDays() map[string][]dayStep {
	const before, after = 30 * time.Minute, 90 * time.Minute
	return map[string][]dayStep{
		"nothing is done":  nil,
		"cron":             {editAt(3*time.Hour, func(c *jobconfig.Config) { c.Cron = "0 0 2 * * ?" })},
		"cron and back":    {editAt(before, func(c *jobconfig.Config) { c.Cron = "0 0 5 * * ?" }), editAt(3*time.Hour, func(c *jobconfig.Config) { c.Cron = "0 0 1 * * ?" })},
		"zone":             {editAt(3*time.Hour, func(c *jobconfig.Config) { c.TimeZone = "GMT-01:00" })},
		"servers disabled": {serversAt(before, jobtree.ServerDisabled), serversAt(after, jobtree.ServerEnabled)},
		"shards disabled":  {shardsAt(before, true), shardsAt(after, false)},
		"monitorExecution": {editAt(before, func(c *jobconfig.Config) { c.MonitorExecution = false }), editAt(after, func(c *jobconfig.Config) { c.MonitorExecution = true })},
		"misfire":          {editAt(before, func(c *jobconfig.Config) { c.Misfire = false }), editAt(after, func(c *jobconfig.Config) { c.Misfire = true })},
		"description":      {editAt(before, func(c *jobconfig.Config) { c.Description = "a" }), editAt(after, func(c *jobconfig.Config) { c.Description = "b" })},
		"number of shards": {editAt(before, func(c *jobconfig.Config) { c.Shards = 1 }), editAt(after, func(c *jobconfig.Config) { c.Shards = 2 })},
	}
}

// TestV34NothingIsMadeUpForThatNobodyMissed: the job is edited, or disabled over its fire time.
// Later its shards get new owners, or nothing happens at all. No fire time was missed, so there
// should be no make-up run. Under the race detector the 48 days would take six times as long and
// run the same code, so there we only test one event per kind of day, in turn. make test runs all
// of them without it.
func TestV34NothingIsMadeUpForThatNobodyMissed(t *testing.T) {
	for kind, job := range map[string]coreagent.Job{"two shards": twoShards, "turns": turns} {
		days := harmlessDays()
		for i, name := range slices.Sorted(maps.Keys(days)) {
			steps := days[name]
			if kind == "turns" && name == "number of shards" {
				continue // A job with two shards doesn't rotate.
			}
			events := []string{"a session expires", "an instance leaves", "an instance comes"}
			if kind == "turns" {
				events = []string{"nothing", "a session expires"} // Each control step looks for missed fire times.
			}
			if underRace {
				events = events[i%len(events):][:1]
			}
			for _, event := range events {
				t.Run(kind+"/"+name+"/"+event, func(t *testing.T) {
					t.Parallel()
					bubble(t, func(b *fixture, srv *zkfake.Server) {
						members, day := b.daily(job)
						for _, s := range steps {
							time.Sleep(time.Until(day.Add(s.at)))
							s.do(b)
						}
						time.Sleep(time.Until(day.Add(3*time.Hour + 10*time.Minute)))
						switch event {
						case "a session expires":
							srv.ExpireSession(members[0].session("job"))
						case "an instance leaves":
							b.must(members[0].Stop(b.ctx()))
						case "an instance comes":
							b.agent(3).serve(job, nil).start()
						}
						time.Sleep(40 * time.Minute)
						if late := b.runs.between("job", day.Add(61*time.Minute), time.Now()); len(late) > 0 {
							b.Errorf("runs that nobody missed: %s", story(late))
						}
						if b.runs.count("job", -1) == 0 {
							b.Error("the job has never run: the test proves nothing")
						}
					})
				})
			}
		}
	}
}

// TestV34EditThenResharding moves a daily job from one to two o'clock, at three o'clock. Its next
// fire time should be tomorrow, no matter which instances join and leave.
func TestV34EditThenResharding(t *testing.T) {
	for _, event := range []string{"comes", "leaves", "dies"} {
		t.Run(event, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				members, day := b.daily(twoShards)
				time.Sleep(time.Until(day.Add(3 * time.Hour)))
				b.configure("job", func(c *jobconfig.Config) { c.Cron = "0 0 2 * * ?" })
				edit := time.Now()
				time.Sleep(10 * time.Minute)
				switch event {
				case "comes":
					b.agent(3).serve(twoShards, nil).start()
				case "leaves":
					b.must(members[1].Stop(b.ctx()))
				case "dies":
					members[1].kill()
				}
				time.Sleep(5 * time.Hour)
				if late := b.runs.between("job", edit, time.Now()); len(late) > 0 {
					t.Errorf("runs between three and eight o'clock: %s", story(late))
				}
			})
		})
	}
}

// TestV33CompletedWhileAnotherWasAway: an instance is cut off over the fire time of an hourly job,
// and others make up for it. It shouldn't run again when the instance returns.
func TestV33CompletedWhileAnotherWasAway(t *testing.T) {
	for _, away := range []time.Duration{30 * time.Second, 2 * time.Minute, 5 * time.Minute, 50 * time.Minute} {
		for _, misfire := range []bool{true, false} {
			t.Run(away.String()+map[bool]string{true: "", false: " without misfire"}[misfire], func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					one, two := b.agent(1), b.agent(2)
					for _, m := range []*member{one, two} {
						m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?", SkipMisfires: !misfire}, Shards: 2}, nil)
						m.start()
					}
					b.awaitOwners("job", two.id, one.id)
					at := time.Now().Truncate(time.Hour).Add(2 * time.Hour)
					time.Sleep(time.Until(at.Add(-20 * time.Second)))
					one.cut()
					time.Sleep(20*time.Second + away)
					one.reconnect()
					time.Sleep(55*time.Minute - away)
					n := [2]int{}
					runs := b.runs.between("job", at.Add(-time.Second), time.Now())
					for _, r := range runs {
						if r.err == nil {
							n[r.shard.Item]++
						}
					}
					if n[0] > 1 || n[1] > 1 || misfire && n != [2]int{1, 1} {
						t.Errorf("%v runs by shard, want one each: %s", n, story(runs))
					}
				})
			})
		}
	}
}

// TestV35CompletedBeforeAnEdit: a fire time waits on an instance that's cut off, and another one
// completes it. Then the cron expression is edited, and the first instance returns.
func TestV35CompletedBeforeAnEdit(t *testing.T) {
	for _, edit := range []bool{false, true} {
		for back := 100 * time.Millisecond; back < 12*time.Second; back += time.Second {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				one, two := b.agent(1), b.agent(2)
				for _, m := range []*member{one, two} {
					m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2}, nil)
					m.start()
				}
				b.awaitOwners("job", two.id, one.id)
				at := sleepUntilNext(time.Minute).Add(20 * time.Second)
				time.Sleep(time.Until(at.Add(-time.Second)))
				one.cut()
				time.Sleep(time.Until(at.Add(back + b.session)))
				if edit {
					b.configure("job", func(c *jobconfig.Config) { c.Cron = "0 0 * * * ?" })
				}
				one.reconnect()
				time.Sleep(30 * time.Second)
				n := [2]int{}
				for _, r := range b.runs.of("job", -1) {
					if r.shard.ScheduledAt.Equal(at) && r.err == nil {
						n[r.shard.Item]++
					}
				}
				if n != [2]int{1, 1} {
					t.Errorf("edited %v, back %v after: %v runs by shard, want one each: %s", edit, back, n, story(b.runs.between("job", at.Add(-time.Second), time.Now())))
				}
			})
		}
	}
}

// TestV36MisfireWindow: no instance lives over a fire time. If one starts within the misfire
// window, it should make up for it once, and otherwise not at all.
func TestV36MisfireWindow(t *testing.T) {
	for name, c := range map[string]struct {
		down time.Duration // from 00:30
		runs int           // by shard
	}{
		"half an hour":       {35 * time.Minute, 1},
		"within the window":  {85 * time.Minute, 1},
		"beyond the window":  {95 * time.Minute, 0},
		"three days":         {77 * time.Hour, 0},
		"days, then in time": {72*time.Hour + 50*time.Minute, 1},
	} {
		for _, killed := range []bool{false, true} {
			t.Run(name+map[bool]string{true: "/killed", false: "/stopped"}[killed], func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					members, day := b.daily(twoShards)
					time.Sleep(time.Until(day.Add(30 * time.Minute)))
					for _, m := range members {
						if killed {
							m.kill()
							continue
						}
						ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
						b.must(m.Stop(ctx))
						cancel()
					}
					time.Sleep(time.Until(day.Add(30*time.Minute + c.down)))
					from := time.Now()
					for i := range members {
						b.host(1+i, "b").serve(twoShards, nil).start()
					}
					time.Sleep(10 * time.Minute)
					runs := b.runs.between("job", from, time.Now())
					for shard := range 2 {
						n := 0
						for _, r := range runs {
							if r.shard.Item == shard && r.shard.Source == tracing.SourceMisfire {
								n++
							}
						}
						if n != c.runs || len(runs) != 2*c.runs {
							t.Errorf("shard %d: %d misfire runs, want %d: %s", shard, n, c.runs, story(runs))
						}
					}
				})
			})
		}
	}
}

// TestWindowOfAProcessUnderTheSameID: a process starts after the misfire window, with the id of the
// previous one, as in a container. Its shards keep their owner, so no leader judges them. Later it
// loses its session and returns. It should still not make up for fire times before the window, but
// for fire times that it missed itself.
func TestWindowOfAProcessUnderTheSameID(t *testing.T) {
	for name, c := range map[string]struct {
		lost time.Duration // when its session is lost, counted from its start
		back time.Duration // until it is back
		runs int           // by shard
	}{
		"misses nothing":           {time.Hour, 10 * time.Minute, 0},
		"misses the next day's":    {22*time.Hour + 20*time.Minute, 20 * time.Minute, 1},
		"misses it and stays away": {22*time.Hour + 20*time.Minute, 3 * time.Hour, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				b.session = time.Minute
				first := b.agent(1).serve(twoShards, nil).start()
				time.Sleep(time.Minute)
				first.kill()
				day := time.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
				time.Sleep(time.Until(day.Add(2*time.Hour + 30*time.Minute)))
				m := b.agent(1).serve(twoShards, nil).start()
				time.Sleep(c.lost)
				m.cut()
				from := time.Now()
				time.Sleep(c.back)
				m.reconnect()
				time.Sleep(10 * time.Minute)
				if runs := b.runs.between("job", day, time.Now()); len(runs) != 2*c.runs {
					t.Errorf("%d runs, want %d for each shard: %s", len(runs), c.runs, story(runs))
				}
				if got := b.runs.completions("job", 2, from, time.Now()); !slices.Equal(got, times(2, c.runs)) {
					t.Errorf("runs by shard: %v, want %d each: %s", got, c.runs, story(b.runs.between("job", from, time.Now())))
				}
			})
		})
	}
}

// TestTurnOfAProcessUnderTheSameID: the whole fleet of a rotating job is down over a fire time, and
// the shard's owner returns first, with the same id. The shard keeps its owner, and its record
// names the other instance, which ran it last. It should make up for the fire time if that was at
// most an hour ago (fleet of hours 17959157710339).
func TestTurnOfAProcessUnderTheSameID(t *testing.T) {
	for back, want := range map[time.Duration]int{10 * time.Minute: 1, 3 * time.Hour: 0} {
		t.Run(back.String(), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				fleet := []*member{b.agent(1).serve(turns, nil).start(), b.agent(2).serve(turns, nil).start()}
				day := time.Now().UTC().Truncate(24 * time.Hour)
				var runs []run
				for len(runs) == 0 || runs[len(runs)-1].agent == b.owners("job")[0] {
					day = day.Add(24 * time.Hour)
					time.Sleep(time.Until(day.Add(2 * time.Hour)))
					runs = b.runs.of("job", 0)
				}
				owner := slices.IndexFunc(fleet, func(m *member) bool { return m.id == b.owners("job")[0] })
				for _, m := range fleet {
					m.kill()
				}
				fire := day.Add(25 * time.Hour)
				time.Sleep(time.Until(fire.Add(back)))
				b.agent(owner+1).serve(turns, nil).start()
				time.Sleep(10 * time.Minute)
				if runs := b.runs.between("job", fire, time.Now()); len(runs) != want {
					t.Errorf("%d runs, want %d: %s", len(runs), want, story(runs))
				}
			})
		})
	}
}

// TestEditThatIsKnownLate: an instance is cut off while the schedule is edited or its server
// enabled, and over the next fire time. Its session survives, so the shards keep their owner. It
// should make up for the fire time when it returns.
func TestEditThatIsKnownLate(t *testing.T) {
	for _, what := range []string{"cron", "server"} {
		t.Run(what, func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				tree := b.tree.Job("job")
				job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}
				m := b.agent(1).serve(job, nil).start()
				b.awaitOwners("job", m.id, m.id)
				at := sleepUntilNext(time.Hour).Add(30 * time.Minute)
				if what == "server" {
					at = at.Add(30 * time.Minute)
					b.put(tree.Server("10.0.0.1"), jobtree.ServerDisabled)
				}
				time.Sleep(time.Until(at.Add(-3 * time.Second)))
				m.cut()
				time.Sleep(time.Second)
				if what == "server" {
					b.put(tree.Server("10.0.0.1"), jobtree.ServerEnabled)
				} else {
					b.configure("job", func(c *jobconfig.Config) { c.Cron = "0 30 * * * ?" })
				}
				time.Sleep(3 * time.Second)
				m.reconnect()
				time.Sleep(10 * time.Minute)
				if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
					t.Errorf("runs by shard: %v, want one each: %s", got, story(b.runs.between("job", at, time.Now())))
				}
			})
		})
	}
}

// TestMisfireSwitchedOffAndTheLeaderDies: misfire is switched off while a marker exists, and the
// leader dies before it has removed the marker. The next leader should remove it, because the era's
// note shows that the setting has changed.
func TestMisfireSwitchedOffAndTheLeaderDies(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}
		m := b.host(1, "a").serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		m.kill()
		time.Sleep(time.Minute)
		b.put(tree.ItemMisfire(1), "")
		b.configure("job", func(c *jobconfig.Config) { c.Misfire = false })
		b.host(1, "b").serve(job, nil).start()
		time.Sleep(time.Minute)
		if b.exists(tree.ItemMisfire(1)) {
			t.Error("the marker of a setting that is off stays")
		}
	})
}

// TestShardThatWasRemovedAndAddedAgain: an instance is away over a fire time that another one
// completes. Then edits remove one of the shards and add it again, without its record. The first
// instance still has the fire time in memory, but shouldn't run the shard for it.
func TestShardThatWasRemovedAndAddedAgain(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		one, two := b.agent(1), b.agent(2)
		for _, m := range []*member{one, two} {
			m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}, nil)
			m.start()
		}
		b.awaitOwners("job", two.id, one.id)
		at := sleepUntilNext(time.Hour).Add(time.Hour)
		time.Sleep(time.Until(at.Add(-20 * time.Second)))
		one.cut()
		time.Sleep(2 * time.Minute)
		for _, shards := range []int{1, 2} {
			b.configure("job", func(c *jobconfig.Config) { c.Shards = shards })
			time.Sleep(10 * time.Second)
		}
		one.reconnect()
		time.Sleep(10 * time.Minute)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs by shard: %v, want one each: %s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestOwnerDiesWhileAReshardingWaitsForIt: an instance joins during a long run, so the leader waits
// for the run's end. Instead the owner dies. It was alive when the resharding was planned, but
// hasn't completed its fire time.
func TestOwnerDiesWhileAReshardingWaitsForIt(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}
		leader := b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", leader.id, leader.id)
		owner := b.agent(1)
		owner.serve(job, owner.work(40*time.Minute)).start()
		b.awaitOwners("job", leader.id, owner.id)
		at := sleepUntilNext(time.Hour)
		time.Sleep(time.Until(at.Add(20 * time.Minute)))
		b.agent(3).serve(job, nil).start()
		time.Sleep(time.Second)
		owner.kill()
		time.Sleep(10 * time.Minute)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs by shard: %v, want one each: %s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}
