package scenario_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// If an edit switches something on, it should apply from then on, even if no shard gets a new
// owner.

// TestMisfireSwitchedOnWhileItServes: fire times missed after the edit should be made up for at the
// end of the run, not at the next fire time.
func TestMisfireSwitchedOnWhileItServes(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1)
		m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0/10 * * * ?", SkipMisfires: true}, Shards: 1}, m.work(12*time.Minute)).start()
		b.awaitOwners("job", m.id)
		at := sleepUntilNext(10 * time.Minute).Add(10 * time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.Misfire = true })
		time.Sleep(time.Until(at.Add(13 * time.Minute)))
		runs := b.runs.between("job", at, at.Add(13*time.Minute))
		if len(runs) != 1 || runs[0].shard.Source != tracing.SourceMisfire {
			t.Errorf("runs after the one that began at the edit: %s; want one that makes up for what it missed", story(runs))
		}
	})
}

// TestRecordsSwitchedOnAndTheOwnerDies: monitorExecution is switched on, so records are kept from
// then on. The only owner dies before the next fire time. The next instance should make up for it.
func TestRecordsSwitchedOnAndTheOwnerDies(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2, Unmonitored: true}
		m := b.host(1, "a").serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		at := sleepUntilNext(time.Hour).Add(time.Hour)
		time.Sleep(10 * time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.MonitorExecution = true })
		time.Sleep(time.Until(at.Add(-10 * time.Second)))
		m.kill()
		time.Sleep(5 * time.Minute)
		b.host(1, "b").serve(job, nil).start()
		time.Sleep(10 * time.Minute)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs by shard: %v, want one each: %s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestRecordsSwitchedOnBeforeTheOwnerKnows: monitorExecution is switched on, and the owner runs the
// next fire time before it knows that. So that fire time has no record, but it shouldn't count as
// missed (fleet of hours 17959129150105).
func TestRecordsSwitchedOnBeforeTheOwnerKnows(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		m := b.agent(1, lasting).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		sleepUntilNext(time.Hour)
		time.Sleep(time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.MonitorExecution = false })
		at := sleepUntilNext(time.Hour).Add(time.Hour)
		time.Sleep(time.Until(at.Add(-time.Minute)))
		deaf := m.session("job")
		srv.SetWatchFault(func(e zkfake.WatchEvent) bool { return e.Session == deaf && e.Path == b.tree.Job("job").Config() })
		b.configure("job", func(c *jobconfig.Config) { c.MonitorExecution = true })
		time.Sleep(30 * time.Minute)
		if got := b.runs.completions("job", 1, at, time.Now()); !slices.Equal(got, []int{1}) {
			t.Errorf("runs by shard: %v, want one: %s", got, story(b.runs.between("job", at, time.Now())))
		}
		b.awaitTidy("job")
	})
}

// TestScheduleEditedDuringALongRun: a fire time of the new schedule passes during a run of the old
// one. The end of that run shouldn't settle the new fire time.
func TestScheduleEditedDuringALongRun(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1)
		m.serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, m.work(35*time.Minute)).start()
		b.awaitOwners("job", m.id)
		at := sleepUntilNext(time.Hour)
		time.Sleep(time.Until(at.Add(20 * time.Minute)))
		b.configure("job", func(c *jobconfig.Config) { c.Cron = "0 30 0/2 * * ?" })
		if at.Hour()%2 != 0 {
			b.configure("job", func(c *jobconfig.Config) { c.Cron = "0 30 1/2 * * ?" })
		}
		time.Sleep(time.Until(at.Add(40 * time.Minute)))
		runs := b.runs.between("job", at.Add(30*time.Minute), at.Add(40*time.Minute))
		if len(runs) != 1 || runs[0].shard.Source != tracing.SourceMisfire || !runs[0].shard.ScheduledAt.Equal(at.Add(30*time.Minute)) {
			t.Errorf("runs after the first one: %s; want one that makes up for %v", story(runs), at.Add(30*time.Minute))
		}
	})
}

// TestUnusableConfigurationIsNoEra: an invalid number is written to the tree, the schedule is
// edited there and back, and the number is corrected. A fire time that passed during that was
// before the last edit of the schedule, so it shouldn't run.
func TestUnusableConfigurationIsNoEra(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, nil).start()
		b.awaitOwners("job", m.id)
		at := sleepUntilNext(time.Hour).Add(time.Hour)
		time.Sleep(time.Until(at.Add(-10 * time.Minute)))
		for _, c := range []struct {
			shards int
			cron   string
		}{{0, "0 0 * * * ?"}, {0, "0 30 * * * ?"}, {0, "0 0 * * * ?"}, {1, "0 0 * * * ?"}} {
			b.configure("job", func(c2 *jobconfig.Config) { c2.Shards, c2.Cron = c.shards, c.cron })
			time.Sleep(8 * time.Minute)
		}
		if runs := b.runs.between("job", at.Add(-10*time.Minute), time.Now()); len(runs) > 0 {
			t.Errorf("runs: %s; want none: the schedule was edited after the fire time", story(runs))
		}
	})
}

// TestFailoverSwitchedOffWhileShardsWait: the only instance dies during its run, and the next one
// takes its shards over one after the other. Failover is switched off before it's done. The
// remaining shards should count as missed.
func TestFailoverSwitchedOffWhileShardsWait(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 4, Failover: true}
		first := b.host(1, "a")
		first.serve(job, first.work(10*time.Minute)).start()
		b.awaitOwners("job", first.id, first.id, first.id, first.id)
		at := sleepUntilNext(time.Hour)
		time.Sleep(time.Minute)
		first.kill()
		next := b.host(1, "b")
		next.serve(job, next.work(2*time.Minute)).start()
		time.Sleep(3*time.Minute + 30*time.Second)
		if n := len(b.runsOn(next, tracing.SourceFailover)); n != 2 {
			t.Fatalf("%d shards were failed over by now, want 2", n)
		}
		b.configure("job", func(c *jobconfig.Config) { c.Failover = false })
		time.Sleep(20 * time.Minute)
		if got := b.runs.completions("job", 4, at, time.Now()); !slices.Equal(got, times(4, 1)) {
			t.Errorf("runs by shard: %v, want one each: %s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestFailoverOfAJobThatCannotBeServed: an instance dies while the configuration is invalid. Its
// shards should wait until that's corrected, without being claimed and given back over and over.
func TestFailoverOfAJobThatCannotBeServed(t *testing.T) {
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2, Failover: true}
		survivor := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", survivor.id, survivor.id)
		victim := b.agent(2)
		victim.serve(job, victim.work(30*time.Minute)).start()
		b.awaitOwners("job", victim.id, survivor.id)
		at := sleepUntilNext(time.Hour)
		time.Sleep(time.Until(at.Add(5 * time.Minute)))
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 0 })
		victim.kill()
		time.Sleep(2 * time.Minute)
		srv.ResetStats()
		time.Sleep(10 * time.Minute)
		if st := srv.Stats(); st.Reads+st.Writes > 3000 {
			t.Errorf("%d reads and %d writes in ten minutes in which nothing could be done", st.Reads, st.Writes)
		}
		b.configure("job", func(c *jobconfig.Config) { c.Shards = 2 })
		time.Sleep(time.Minute)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs by shard: %v, want one each: %s", got, story(b.runs.between("job", at, time.Now())))
		}
	})
}

// TestMonitorSwitchedOffWhileAMarkerStands: monitorExecution is switched off while no instance
// serves the job and there's a misfire marker, and fire times pass. The edit settles the marker,
// and the old records shouldn't be used for later fire times.
func TestMonitorSwitchedOffWhileAMarkerStands(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 2}
		m := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", m.id, m.id)
		at := sleepUntilNext(time.Hour)
		b.await("both shards run", func() bool { return b.runs.count("job", -1) == 2 })
		time.Sleep(time.Until(at.Add(time.Minute)))
		m.kill()
		time.Sleep(time.Minute)
		b.put(tree.ItemMisfire(1), "")
		time.Sleep(time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.MonitorExecution = false })
		time.Sleep(2*time.Hour + 30*time.Minute)
		from := time.Now()
		b.agent(1).serve(job, nil).start()
		time.Sleep(10 * time.Minute)
		if runs := b.runs.between("job", from, time.Now()); len(runs) > 0 {
			t.Errorf("nothing was missed: %s", story(runs))
		}
		if b.exists(tree.ItemMisfire(1)) {
			t.Error("the marker stays")
		}
	})
}

// TestMisfireMarkerOfAJobWithoutRecords: Java also leaves a misfire marker if a trigger comes
// during a run, and foreign programs could leave one anywhere. In both cases the job should run
// once, with or without a schedule or records.
func TestMisfireMarkerOfAJobWithoutRecords(t *testing.T) {
	for _, cron := range []string{"", "0 0 0 1 1 ?"} {
		for _, monitor := range []bool{true, false} {
			t.Run(fmt.Sprintf("cron %q, monitorExecution %v", cron, monitor), func(t *testing.T) {
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: cron}, Shards: 2, Unmonitored: !monitor}, nil).start()
					b.awaitOwners("job", m.id, m.id)
					from := time.Now()
					b.put(b.tree.Job("job").ItemMisfire(1), "")
					time.Sleep(time.Minute)
					runs := b.runs.between("job", from, time.Now())
					if len(runs) > 1 || cron == "" && len(runs) == 0 {
						t.Errorf("%d runs: %s; want one at most", len(runs), story(runs[:min(len(runs), 3)]))
					}
					if b.exists(b.tree.Job("job").ItemMisfire(1)) {
						t.Error("the marker stays")
					}
				})
			})
		}
	}
}

// TestFailoverSwitchedOffBeforeADrain: a run has marked its shards with failover. So its instance
// should stay until the run has ended, even if failover was switched off since, so no other
// instance runs the shard in parallel.
func TestFailoverSwitchedOffBeforeADrain(t *testing.T) {
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0/10 * * * ?"}, Shards: 1, Failover: true}
		one := b.agent(2)
		one.serve(job, one.work(150*time.Second)).start()
		b.awaitOwners("job", one.id)
		two := b.agent(1).serve(job, nil).start()
		b.awaitOwners("job", one.id)
		at := sleepUntilNext(10 * time.Minute)
		time.Sleep(time.Minute)
		b.configure("job", func(c *jobconfig.Config) { c.Failover = false })
		time.Sleep(time.Minute)
		b.must(one.Stop(b.ctx()))
		ended := time.Now()
		time.Sleep(time.Until(at.Add(15 * time.Minute)))
		runs := b.runs.between("job", at, time.Now())
		if len(runs) != 2 || runs[0].agent != one.id || runs[0].end.IsZero() || runs[1].agent != two.id || runs[1].start.Before(ended) {
			t.Errorf("one drained until %v: %s", ended, story(runs))
		}
	})
}
