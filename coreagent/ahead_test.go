package coreagent_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// slowMarks makes the transactions that mark items running take that long.
func (b *bed) slowMarks(srv *zkfake.Server, d time.Duration) {
	running := b.tree.Job("job").ItemRunning(0)
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		if slices.Contains(r.Paths, running) {
			return zkfake.DelayRequest(d)
		}
		return zkfake.None
	})
}

// TestBodiesStartOnTime: however long the marks of a run take, its bodies start
// at the fire time, once the first runs have shown how long that is. Before, the
// items are marked already.
func TestBodiesStartOnTime(t *testing.T) {
	for _, slow := range []time.Duration{0, 60 * time.Millisecond, 150 * time.Millisecond} {
		t.Run(slow.String(), func(t *testing.T) {
			bubble(t, func(b *bed, srv *zkfake.Server) {
				const period = 10 * time.Second
				b.agent(1).serve(coreagent.Job{Name: "job", Cron: "0/10 * * * * ?", Shards: 3, Failover: true}, nil).start()
				b.slowMarks(srv, slow)
				time.Sleep(3 * period)
				b.runs.forget()
				at := sleepUntilNext(period)
				time.Sleep(period - 5*time.Millisecond)
				if !b.exists(b.tree.Job("job").ItemRunning(0)) {
					t.Error("nothing gets ready before the fire time")
				}
				time.Sleep(9 * period)
				if got := b.runs.completions("job", 3, at, time.Now()); !slices.Equal(got, times(3, 10)) {
					t.Errorf("runs of ten fire times: %v", got)
				}
				for _, r := range b.runs.all() {
					if late := r.start.Sub(r.shard.ScheduledAt); late != 0 {
						t.Errorf("item %d started %v after its fire time", r.shard.Item, late)
					}
				}
			})
		})
	}
}

// timeTeller is a listener that tells when it was called before a run.
type timeTeller chan<- time.Time

func (l timeTeller) Before(context.Context, *coreagent.Run) error {
	l <- time.Now()
	return nil
}

func (l timeTeller) After(context.Context, *coreagent.Run) error { return nil }

// TestNothingStartsEarly: what is no mere run at a fire time does not get ready
// before it: the user's listeners are not called early, and a job that does not
// make up for anything looks for its items at the fire time.
func TestNothingStartsEarly(t *testing.T) {
	for name, job := range map[string]coreagent.Job{
		"listeners":     {Listeners: []string{"counting"}},
		"no misfire":    {Misfire: new(false)},
		"unmonitored":   {MonitorExecution: new(false)},
		"goes in turns": {Strategy: "SINGLE_SHARDING_BALANCE"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(b *bed, srv *zkfake.Server) {
				const period = 10 * time.Second
				told := make(chan time.Time, 100)
				job.Name, job.Cron, job.Shards = "job", "0/10 * * * * ?", 1
				b.agent(1, func(cfg *coreagent.Config) {
					cfg.Listeners = map[string]coreagent.Listener{"counting": timeTeller(told)}
				}).serve(job, nil).start()
				time.Sleep(3 * period)
				sleepUntilNext(period)
				time.Sleep(period - 2*time.Millisecond)
				if b.exists(b.tree.Job("job").ItemRunning(0)) {
					t.Error("marked before the fire time")
				}
				time.Sleep(period)
				synctest.Wait()
				for range len(told) {
					if at := <-told; !at.Equal(at.Truncate(period)) {
						t.Errorf("the listener was told at %v", at)
					}
				}
			})
		})
	}
}

// TestStopOfARunThatIsReady: an agent that stops while its run waits for the fire
// time lets it go at once, and the others run the items.
func TestStopOfARunThatIsReady(t *testing.T) {
	bubble(t, func(b *bed, srv *zkfake.Server) {
		const period = 10 * time.Second
		job := coreagent.Job{Name: "job", Cron: "0/10 * * * * ?", Shards: 2}
		stays, stops := b.agent(1).serve(job, nil).start(), b.agent(2).serve(job, nil).start()
		b.awaitOwners("job", stops.id, stays.id)
		at := time.Now().Truncate(period).Add(period)
		time.Sleep(time.Until(at.Add(-50 * time.Millisecond)))
		if !b.exists(b.tree.Job("job").ItemRunning(0)) {
			t.Fatal("the run is not ready yet, the test proves nothing")
		}
		b.must(stops.Stop(b.ctx()))
		if !time.Now().Before(at) {
			t.Error("stopping waited for the fire time")
		}
		time.Sleep(3 * time.Second)
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs of the fire time: %v:%s", got, story(b.runs.all()))
		}
		for _, r := range b.runs.all() {
			if r.agent != stays.id {
				t.Errorf("it stopped, but%s", story([]run{r}))
			}
		}
		if found := b.leftovers("job"); len(found) > 0 {
			t.Errorf("stale: %q", found)
		}
	})
}

// TestItemThatComesWhileARunIsReady: a fire time is not lost for an item that
// comes to an instance between its looking for items and the fire time.
func TestItemThatComesWhileARunIsReady(t *testing.T) {
	bubble(t, func(b *bed, srv *zkfake.Server) {
		const period = 5 * time.Second
		job := coreagent.Job{Name: "job", Cron: "0/5 * * * * ?", Shards: 2}
		leader, leaves := b.agent(2).serve(job, nil).start(), b.agent(3).serve(job, nil).start()
		b.awaitOwners("job", leaves.id, leader.id)
		time.Sleep(40 * period) // They have learnt that marks take no time.
		spare := b.agent(1).serve(job, nil).start()
		time.Sleep(time.Second)
		b.awaitOwners("job", leaves.id, leader.id)
		at := time.Now().Truncate(period).Add(period)
		time.Sleep(time.Until(at.Add(-60 * time.Millisecond)))
		b.runs.forget()
		b.must(leaves.Stop(b.ctx()))
		time.Sleep(time.Until(at.Add(-10 * time.Millisecond)))
		if got := b.owners("job"); !slices.Equal(got, []string{leader.id, spare.id}) {
			t.Fatalf("before the fire time the owners are %v, the test proves nothing", got)
		}
		time.Sleep(time.Until(at.Add(3 * time.Second)))
		if got := b.runs.completions("job", 2, at, time.Now()); !slices.Equal(got, times(2, 1)) {
			t.Errorf("runs of the fire time: %v:%s", got, story(b.runs.all()))
		}
	})
}
