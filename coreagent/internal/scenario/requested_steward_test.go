package scenario_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestStewardBeforeMultiRead: a ZooKeeper before 3.6 closes the connection if a request reads many
// nodes. Runs should still be opened, without their disabled shards.
func TestStewardBeforeMultiRead(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		broken := 0
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "multiRead" {
				broken++
				return zkfake.LoseRequest
			}
			return zkfake.None
		})
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 3}, nil)
		b.put(w.job.ItemDisabled(1), "")
		for n := range 3 {
			began := time.Now()
			id := w.submit(jobrun.Request{})
			if got := w.awaitState(id, jobrun.Succeeded); got.CountOK != 2 || got.CountSkipped != 1 {
				t.Errorf("%+v", got)
			}
			if took := time.Since(began); n == 0 && took > 5*time.Second || n > 0 && took > time.Second {
				t.Errorf("run %d took %v", n+1, took)
			}
		}
		if broken == 0 || broken > 3 {
			t.Errorf("asked in vain %d times", broken)
		}
		w.awaitNoRuns()
	})
}

// TestStewardKnowsWhenARunHasEnded: the steward shouldn't read the progress of a run that it has
// opened while no other run waits for its end. If one waits, it should begin at the end of the
// first. Ten minutes later, no more outcomes than configured should be left.
func TestStewardKnowsWhenARunHasEnded(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const keep = 4
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { time.Sleep(10 * time.Second); return nil })
		for n := 1; n <= 3; n++ {
			w.open(n, coreagent.Job{Shards: 6}, map[string]string{runs.PropKeep: "4"})
		}
		for n := range 3 * keep {
			first := w.submit(jobrun.Request{})
			time.Sleep(5 * time.Second)
			second, third := w.submit(jobrun.Request{}), ""
			if n%2 == 0 {
				third = w.submit(jobrun.Request{Delay: time.Second})
			}
			w.awaitState(second, jobrun.Succeeded)
			ended := w.status(first).Ended
			for _, e := range w.executions(second) {
				if late := e.began.Sub(ended); late < 0 || late > 50*time.Millisecond {
					t.Errorf("shard %d of the second run began %v after the first one", e.shard, late)
				}
			}
			if third != "" {
				w.awaitState(third, jobrun.Succeeded)
			}
			time.Sleep(11 * time.Minute)
			if got := len(w.children(w.job.RunsDone())); got > keep {
				t.Errorf("%d outcomes stay, want at most %d", got, keep)
			}
		}
		w.awaitNoRuns()
	})
}

// TestOutcomesOfRunsThatCannotBegin: if all shards of some runs are disabled, no more outcomes than
// configured should be left ten minutes later. Fleet 727000063 kept them until its next audit.
func TestOutcomesOfRunsThatCannotBegin(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		const keep = 4
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 2}, map[string]string{runs.PropKeep: strconv.Itoa(keep)})
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		b.put(w.job.ItemDisabled(0), "")
		b.put(w.job.ItemDisabled(1), "")
		for range 3 * keep {
			w.awaitState(w.submit(jobrun.Request{}), jobrun.Skipped)
		}
		time.Sleep(11 * time.Minute)
		if got := len(w.children(w.job.RunsDone())); got != keep {
			t.Errorf("%d outcomes stay, want %d", got, keep)
		}
	})
}

// TestRequestIsPlacedOnceWithoutAnAnswer: the answer to a request without a key is lost, and its
// run ends before the submitter reconnects. The submitter should find that run, because its outcome
// is kept for minutes even if the job keeps none (fleets 17959129151853 and 17959169480061).
func TestRequestIsPlacedOnceWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 1}, map[string]string{runs.PropKeep: "0"})
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		submitter, lost := w.client.Session().ID, false
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			switch {
			case r.Session != submitter || r.Op == "ping":
				return zkfake.None
			case !lost && r.Op == "multi":
				lost = true
				return zkfake.LoseReply
			case lost && r.Op == "getChildren2":
				return zkfake.DelayRequest(3 * time.Second)
			}
			return zkfake.None
		})
		w.submit(jobrun.Request{})
		srv.SetFault(nil)
		time.Sleep(2 * time.Minute)
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.done) != 2 || !lost {
			t.Errorf("%d executions of two runs: %+v; want one each", len(w.done), w.done)
		}
	})
}

// TestFullQueue: a run takes hours and the queue is full. The steward should hardly read in that
// time. (In fleet 735000040 it read ten times a second.) When there's room again, all runs should
// follow one right after the other.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const waiting = 150
		long := true
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error {
			if long {
				long = false
				time.Sleep(2 * time.Hour)
			}
			return nil
		})
		w.open(1, coreagent.Job{}, map[string]string{runs.PropKeep: "1000"})
		first := w.submit(jobrun.Request{})
		w.awaitState(first, jobrun.Running)
		var rest []string
		for range waiting {
			rest = append(rest, w.submit(jobrun.Request{}))
		}
		time.Sleep(10 * time.Minute)
		before := srv.Stats()
		time.Sleep(time.Hour)
		after := srv.Stats()
		if reads := after.Reads - before.Reads; reads > 2000 {
			t.Errorf("%d reads in an hour in which nothing happened", reads)
		}
		time.Sleep(time.Hour)
		ended := w.awaitState(first, jobrun.Succeeded).Ended
		for _, id := range rest {
			ended = w.awaitState(id, jobrun.Succeeded).Ended
		}
		if last := w.status(first).Ended; ended.Sub(last) > time.Minute {
			t.Errorf("the last run ended %v after the first one", ended.Sub(last))
		}
		w.awaitNoRuns()
	})
}

// TestBellThatLies: the bell is rung with a name that isn't in the queue. That shouldn't hide real
// requests.
func TestBellThatLies(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 2}, nil)
		const name = "5-0946684810100-00dc6acf-d374-7000-8865-b22b8847d6ac"
		for _, says := range []string{"queue NAME", "queue", "", "queue ../steward", "queue NAME NAME", strings.Repeat("queue ", 100)} {
			w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
			b.put(w.job.RunsSignal(), strings.ReplaceAll(says, "NAME", name))
			time.Sleep(time.Second)
			w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		}
		w.awaitNoRuns()
	})
}
